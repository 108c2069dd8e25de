"""What a manuscript says around a place, in one form for LaTeX, Markdown and plain text, and where sentences end.

Prose has no markup, single spaces, PARAGRAPH between paragraphs, and CITED for every other citation.  What is a
citation and what is hidden the parser's spans say.  This is the only splitter of sentences and paragraphs in citelsp,
of manuscripts and papers alike.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from citelsp.base.footprint import MB, remembered
from citelsp.base.text import Document, Span
from citelsp.syntax import languages, markup
from citelsp.syntax.languages.language import Language
from citelsp.syntax.languages.latex import abbreviations
from citelsp.syntax.markup import PARAGRAPH
from citelsp.syntax.nodes import Syntax

CITED = "[REF]"  # as batches of questions write it too
REACH = 2000  # characters of a manuscript on either side of a place
_FIRST_MARK, _MARKS = 0xE000, 6400  # characters for private use: the n-th cut of a text while its markup is removed
_MARK = re.compile("[\ue000-\uf8ff]")
_UNCITED = re.compile(r"[(\[][\s;,]*(?:\[REF\][\s;,]*)+[)\]]|\[REF\]")
_UNSPACED = re.compile(r" ([.,;:!?)])")

_BLANK = re.compile(r"\n[ \t\r]*\n\s*")
# A small letter goes on with the sentence, whatever was abbreviated; Chinese and Japanese leave no space.
_END = re.compile(r"[.!?…][\"'”’»)\]]*(?P<gap>\s+)(?=[^a-z\s])|[。！？](?P<none>)\s*(?=\S)")
_LAST = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")
# Abbreviations and initials.  Some end no sentence, some none in front of a number.
_NEVER = r"[^\W\d_]|al|cf|vs|viz|resp|approx|ca|incl|[Dd]r|[Pp]rof|Mrs?|Ms|St|[Ff]igs?|[Ee]qs?|vgl|bzw|zit"
_BEFORE_NUMBERS = (
    r"[Nn]os?|[Nn]r|pp|[Vv]ols?|[Cc]h|[Cc]hap|[Ss]ecs?|[Ss]ect|[Tt]abs?|[Aa]pp|[Rr]efs?|[Tt]hm|[Ll]em|[Pp]rop|"
    r"[Dd]ef|[Aa]lg|[Cc]or|[Ee]x|[Aa]rt|[Aa]bb|[Kk]ap|eds?"
)
_ABBREVIATED = re.compile(rf"(?<![^\W_])(?:{_NEVER})\.\Z")
_NUMBERED = re.compile(rf"(?<![^\W_])(?:{_BEFORE_NUMBERS})\.\Z")
_NUMBER = re.compile(r"\s*[(\[]?[\dIVX]+\b")
_LONGEST = 12  # characters of an abbreviation, with what stands before it


class Prose(NamedTuple):
    """What stands before and after a place, and the spans that each CITED in it stands for, in order."""

    before: str
    after: str
    cited_before: tuple[Span, ...] = ()
    cited_after: tuple[Span, ...] = ()


_Cut = tuple[Span, str]  # a span that is no prose, and what is read there: CITED, PARAGRAPH, what it stands for
_NONE: Mapping[str, str] = {}


class Excerpt(NamedTuple):
    """A part of a document as it is written: equal wherever it stands, so what was read of it may be remembered."""

    text: str
    cuts: tuple[_Cut, ...]  # counted from its start, apart and in order
    markup: re.Pattern[str]


def prose_around(
    document: Document, syntax: Syntax, place: Span, reach: int = REACH, acronyms: Mapping[str, str] = _NONE
) -> Prose:
    """The prose on either side of `place`, cut at words at most `reach` characters away; nothing of a preamble.

    `acronyms` says what abbreviations stand for, by the key that prints them.
    """
    left, right = excerpts(document, syntax, place, reach, acronyms)
    before, cited_before = _remembered(left)
    after, cited_after = _remembered(right)
    left_cuts = [cut for cut, _ in left.cuts]
    right_cuts = [cut for cut, _ in right.cuts]
    start = place.start - len(left.text)
    return Prose(
        before.lstrip(),
        after.rstrip(),
        tuple(left_cuts[index].moved(start) for index in cited_before),
        tuple(right_cuts[index].moved(place.end) for index in cited_after),
    )


def excerpts(
    document: Document, syntax: Syntax, place: Span, reach: int, acronyms: Mapping[str, str] = _NONE
) -> tuple[Excerpt, Excerpt]:
    """What `around` reads, as it is written."""
    text = document.text
    manuscript = languages.language_of(document).manuscript
    least = max(0, place.start - reach)
    body = manuscript.body(text, least, place.start) if manuscript else least
    # Whole words: half a word would be searched for as another one.
    start = _word(text, body, place.start)
    end = _word_end(text, min(len(text), place.end + reach), place.end)
    before = Span(start, place.start)
    after = Span(place.end, end)
    return _excerpt(document, syntax, before, acronyms), _excerpt(document, syntax, after, acronyms)


def read(excerpt: Excerpt) -> str:
    """The prose of an excerpt."""
    return _cleaned(excerpt)[0]


def sentence(
    document: Document, syntax: Syntax, place: Span, acronyms: Mapping[str, str] = _NONE, *, mark: str = ""
) -> str:
    """The sentence around `place` for people, a mark instead of it, without other citations; "" if there is none."""
    found = prose_around(document, syntax, place, acronyms=acronyms)
    before, after = sentence_around(found.before, found.after)
    return shown(f"{before} {mark} {after}" if mark else f"{before} {after}")


def plain(text: str, language: Language = languages.PLAIN) -> str:
    """The prose of a text that stands alone, such as a title."""
    return markup.take_prose(text, _markup(language)).strip()


def shown(prose: str) -> str:
    """Prose on one line, without the marks of citations."""
    return _UNSPACED.sub(r"\1", " ".join(_UNCITED.sub(" ", prose).split()))


def _markup(language: Language) -> re.Pattern[str]:
    return language.manuscript.markup() if language.manuscript else markup.pattern_of("tex")


def _word(text: str, start: int, most: int) -> int:
    """`start`, or the end of the word that it would cut."""
    while 0 < start < most and not text[start - 1].isspace():
        start += 1
    return start


def _word_end(text: str, end: int, least: int) -> int:
    while least < end < len(text) and not text[end].isspace():
        end -= 1
    return end


def _excerpt(document: Document, syntax: Syntax, part: Span, acronyms: Mapping[str, str]) -> Excerpt:
    found = [(it, CITED) for it in _citations(syntax, part)] + [(it, PARAGRAPH) for it in _hidden(syntax, part)]
    if acronyms:
        found += abbreviations.uses(document.text, part, acronyms)
    cuts = tuple((span.moved(-part.start), words) for span, words in _separate_parts(found, part))
    return Excerpt(part.within(document.text), cuts, _markup(languages.language_of(document)))


def _separate_parts(found: list[_Cut], part: Span) -> list[_Cut]:
    """What a part of a document holds beside prose, apart and in order."""
    cuts: list[_Cut] = []
    end = part.start
    for span, words in sorted(found, key=itemgetter(0)):
        if span.end > end:
            cuts.append((Span(max(span.start, end), min(span.end, part.end)), words))
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
    ground = syntax.ground
    if ground:
        for span in ground.hidden:
            if span.start < part.end and span.end > part.start and "\n" in span.within(ground.text):
                yield span


def _cleaned(excerpt: Excerpt) -> tuple[str, tuple[int, ...]]:
    """The prose of an excerpt, and which of its cuts are citations that stand in it."""
    text, cuts, pattern = excerpt
    # A citation survives the removal of markup as one character that no rule knows; the author's own such are dropped.
    parts = list[str]()
    offset = 0
    for number, (span, words) in enumerate(cuts):
        mark = chr(_FIRST_MARK + number % _MARKS)
        parts += (_MARK.sub("", text[offset : span.start]), mark if words == CITED else _MARK.sub("", words))
        offset = span.end
    prose = markup.take_prose("".join([*parts, _MARK.sub("", text[offset:])]), pattern)
    numbers = tuple(ord(it) - _FIRST_MARK for it in _MARK.findall(prose))
    return _MARK.sub(CITED, prose), numbers


_remembered = remembered(4 * MB)(_cleaned)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, parted by blank lines; empty ones left out."""
    return [it for it in (part.strip() for part in _BLANK.split(text)) if it]


def sentences(text: str) -> Iterator[Span]:
    """The sentences of a paragraph, without the spaces between them."""
    start = len(text) - len(text.lstrip())
    for end, following in _ends(text):
        if end > start:
            yield Span(start, end)
        start = following
    end = len(text.rstrip())
    if end > start:
        yield Span(start, end)


def sentence_around(before: str, after: str) -> tuple[str, str]:
    """The two parts of the sentence that stands around the meeting of two texts, in one paragraph.

    What stands behind a full stop belongs to the sentence before it, unless that one goes on in lower case behind the
    meeting: a citation there is the subject of its own sentence.
    """
    before, after = _BLANK.split(before)[-1], _BLANK.split(after)[0]
    start = max((following for _, following in _ends(before)), default=0)
    end = next((end for end, _ in _ends(after)), len(after))
    ended = _LAST.search(before.rstrip())
    if ended and before[start:].strip() and not _is_abbreviated(before, ended.start(), after):
        if after.lstrip()[:1].islower():
            return "", after[:end]
        return before[start:], ""
    return before[start:], after[:end]


def _ends(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence but the last ends, and where the next one begins."""
    for match in _END.finditer(text):
        if not _is_abbreviated(text, match.start(), text[match.end() : match.end() + _LONGEST]):
            yield match.start("gap") if match["gap"] else match.end("none"), match.end()


def _is_abbreviated(text: str, offset: int, following: str) -> bool:
    """True if the mark at `offset` is a full stop that belongs to its word."""
    if text[offset] != ".":
        return False
    start = max(0, offset - _LONGEST)
    if _ABBREVIATED.search(text, start, offset + 1):
        return True
    return bool(_NUMBERED.search(text, start, offset + 1) and _NUMBER.match(following))
