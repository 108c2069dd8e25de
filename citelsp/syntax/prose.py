"""What a manuscript says around a place, in one form for LaTeX, Markdown and plain text.

Prose has no markup, single spaces, `sentences.PARAGRAPH` between paragraphs, and CITED for every other citation.  What
is a citation and what is hidden the parser's spans say.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from citelsp.base.footprint import MB, remembered
from citelsp.base.text import Document, Span
from citelsp.syntax import languages, markup, sentences
from citelsp.syntax.languages.language import Language
from citelsp.syntax.nodes import Syntax
from citelsp.syntax.sentences import PARAGRAPH

CITED = "[REF]"  # as batches of questions write it too
REACH = 2000  # characters of a manuscript on either side of a place
_FIRST_MARK, _MARKS = 0xE000, 6400  # characters for private use: the n-th cut of a text while its markup is removed
_MARK = re.compile("[\ue000-\uf8ff]")
_UNCITED = re.compile(r"[(\[][\s;,]*(?:\[REF\][\s;,]*)+[)\]]|\[REF\]")
_UNSPACED = re.compile(r" ([.,;:!?)])")


class Prose(NamedTuple):
    """What stands before and after a place, and the spans that each CITED in it stands for, in order."""

    before: str
    after: str
    cited_before: tuple[Span, ...] = ()
    cited_after: tuple[Span, ...] = ()


def around(document: Document, syntax: Syntax, place: Span, reach: int = REACH) -> Prose:
    """The prose on either side of `place`, cut at words at most `reach` characters away; nothing of a preamble."""
    text = document.text
    manuscript = languages.of(document).manuscript
    body = manuscript.body(text, place.start) if manuscript else 0
    # Whole words: half a word would be searched for as another one.
    start = _word(text, max(body, place.start - reach), place.start)
    end = _word_end(text, min(len(text), place.end + reach), place.end)
    before, cited_before = _read(document, syntax, Span(start, place.start))
    after, cited_after = _read(document, syntax, Span(place.end, end))
    return Prose(before.lstrip(), after.rstrip(), cited_before, cited_after)


def sentence(document: Document, syntax: Syntax, place: Span) -> str:
    """The sentence around `place` for people, without it and other citations; "" if there is none."""
    found = around(document, syntax, place)
    return shown(" ".join(sentences.around(found.before, found.after)))


def plain(text: str, language: Language = languages.PLAIN) -> str:
    """The prose of a text that stands alone, such as a title."""
    return markup.without(text, _markup(language)).strip()


def shown(prose: str) -> str:
    """Prose on one line, without the marks of citations."""
    return _UNSPACED.sub(r"\1", " ".join(_UNCITED.sub(" ", prose).split()))


def _markup(language: Language) -> re.Pattern[str]:
    return language.manuscript.markup() if language.manuscript else markup.IN_TEX


def _word(text: str, start: int, most: int) -> int:
    """`start`, or the end of the word that it would cut."""
    while 0 < start < most and not text[start - 1].isspace():
        start += 1
    return start


def _word_end(text: str, end: int, least: int) -> int:
    while least < end < len(text) and not text[end].isspace():
        end -= 1
    return end


def _read(document: Document, syntax: Syntax, part: Span) -> tuple[str, tuple[Span, ...]]:
    """The prose of a part of a document, and the spans of the citations in it."""
    cuts = _cuts(syntax, part)
    moved = tuple((span.moved(-part.start), cited) for span, cited in cuts)
    prose, cited = _cleaned(part.within(document.text), moved, _markup(languages.of(document)))
    return prose, tuple(cuts[it][0] for it in cited)


_Cut = tuple[Span, bool]  # a span that is no prose, and whether it is a citation


def _cuts(syntax: Syntax, part: Span) -> list[_Cut]:
    """What a part of a document holds beside prose, apart and in order."""
    found = [*((it, True) for it in _citations(syntax, part)), *((it, False) for it in _hidden(syntax, part))]
    cuts: list[_Cut] = []
    end = part.start
    for span, cited in sorted(found):
        if span.end > end:
            cuts.append((Span(max(span.start, end), min(span.end, part.end)), cited))
            end = span.end
    return cuts


def _citations(syntax: Syntax, part: Span) -> Iterator[Span]:
    citations = syntax.citations
    for index in range(bisect_left(citations, part.start, key=lambda it: it.span.end), len(citations)):
        if citations[index].whole.start >= part.end:
            break
        yield citations[index].whole
    near = (it.whole for it in syntax.placeholders_near(part))
    yield from (it for it in near if it.start < part.end and it.end > part.start)


def _hidden(syntax: Syntax, part: Span) -> Iterator[Span]:
    """Code on one line is part of its sentence; what is longer is none."""
    if ground := syntax.ground:
        for span in ground.hidden:
            if span.start < part.end and span.end > part.start and "\n" in span.within(ground.text):
                yield span


@remembered(4 * MB)
def _cleaned(text: str, cuts: tuple[_Cut, ...], pattern: re.Pattern[str]) -> tuple[str, tuple[int, ...]]:
    """The prose of a text, and which of its cuts are citations that stand in it.  Cuts count from the text's start."""
    # A citation survives the removal of markup as one character that no rule knows; the author's own such are dropped.
    parts, at = list[str](), 0
    for number, (span, cited) in enumerate(cuts):
        parts += (_MARK.sub("", text[at : span.start]), chr(_FIRST_MARK + number % _MARKS) if cited else PARAGRAPH)
        at = span.end
    prose = markup.without("".join([*parts, _MARK.sub("", text[at:])]), pattern)
    numbers = tuple(ord(it) - _FIRST_MARK for it in _MARK.findall(prose))
    return _MARK.sub(CITED, prose), numbers
