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

from citelsp.base.footprint import MB, remember
from citelsp.base.text import Document, Span
from citelsp.syntax import languages, markup
from citelsp.syntax.languages.language import Language
from citelsp.syntax.languages.latex import abbreviations
from citelsp.syntax.markup import PARAGRAPH
from citelsp.syntax.nodes import Syntax

CITED = "[REF]"  # as batches of questions write it too, and some authors where a citation is to come
REACH = 2000  # characters of a manuscript on either side of a place
# Characters for private use stand for citations while the markup of a text is removed: the n-th for its n-th cut.
_FIRST_MARK = 0xE000
_NUMBER_OF_MARKS = 6400
_MARK = re.compile("[\ue000-\uf8ff]")
_MARK_OR_CITED = re.compile(rf"{_MARK.pattern}|{re.escape(CITED)}")
# A citation with the brackets around it: `([REF]; [REF])`.
_UNCITED = re.compile(r"[(\[][\s;,]*(?:\[REF\][\s;,]*)+[)\]]|\[REF\]")
_UNSPACED = re.compile(r" ([.,;:!?)])")

# Citations behind a full stop, as raised numbers are printed: `It works.[REF] Another sentence.`
_BEHIND_FULL_STOP = re.compile(r"([.!?…][\"'”’»)\]]*)(?:\[REF\])+(?=\s|\Z)")

_BLANK = re.compile(r"\n[ \t\r]*\n\s*")
# A small letter goes on with the sentence, whatever was abbreviated; Chinese and Japanese leave no space.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*(?P<gap>\s+)(?=[^a-z\s])|[。！？](?P<none>)\s*(?=\S)")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"'”’»)\]]*\Z")
# Abbreviations and initials.  Some end no sentence, some none in front of a number.
_NEVER = r"[^\W\d_]|al|cf|vs|viz|resp|approx|ca|incl|[Dd]r|[Pp]rof|Mrs?|Ms|St|[Ff]igs?|[Ee]qs?|vgl|bzw|zit"
_BEFORE_NUMBERS = (
    r"[Nn]os?|[Nn]r|pp|[Vv]ols?|[Cc]h|[Cc]hap|[Ss]ecs?|[Ss]ect|[Tt]abs?|[Aa]pp|[Rr]efs?|[Tt]hm|[Ll]em|[Pp]rop|"
    r"[Dd]ef|[Aa]lg|[Cc]or|[Ee]x|[Aa]rt|[Aa]bb|[Kk]ap|eds?"
)
_ABBREVIATED = re.compile(rf"(?<![^\W_])(?:{_NEVER})\.\Z")
_ABBREVIATED_BEFORE_NUMBER = re.compile(rf"(?<![^\W_])(?:{_BEFORE_NUMBERS})\.\Z")
_NUMBER = re.compile(r"\s*[(\[]?[\dIVX]+\b")
_LONGEST_ABBREVIATION = 12  # characters, with what stands before it


class Prose(NamedTuple):
    """What stands before and after a place, and the span that each CITED in it stands for, in order.

    None for a CITED that the author wrote as such.
    """

    before: str
    after: str
    cited_before: tuple[Span | None, ...] = ()
    cited_after: tuple[Span | None, ...] = ()


_Cut = tuple[Span, str]  # a span that is no prose, and what is read there: CITED, PARAGRAPH, what it stands for
_NO_ACRONYMS: Mapping[str, str] = {}


class Excerpt(NamedTuple):
    """A part of a document as it is written: equal wherever it stands, so what was read of it may be remembered."""

    text: str
    cuts: tuple[_Cut, ...]  # counted from its start, apart and in order
    markup: re.Pattern[str]


def prose_around(
    document: Document, syntax: Syntax, place: Span, reach: int = REACH, acronyms: Mapping[str, str] = _NO_ACRONYMS
) -> Prose:
    r"""Return the prose on either side of `place`, cut at words at most `reach` characters away; nothing of a preamble.

    Markup is removed, and CITED stands for each citation; the result has the spans of these citations in the document,
    too.  `acronyms` maps the key of an abbreviation, as in `\ac{key}`, to what it stands for.
    """
    excerpt_before, excerpt_after = excerpts(document, syntax, place, reach, acronyms)
    before, cited_before = _cached_cleaned(excerpt_before)
    after, cited_after = _cached_cleaned(excerpt_after)
    start = place.start - len(excerpt_before.text)
    # PARAGRAPH is dropped at the far ends alone: next to the place it says that a paragraph begins or ends there.
    return Prose(
        before.lstrip(),
        after.rstrip(),
        cited_before=_cut_spans(excerpt_before, cited_before, start),
        cited_after=_cut_spans(excerpt_after, cited_after, place.end),
    )


def _cut_spans(excerpt: Excerpt, numbers: tuple[int | None, ...], start: int) -> tuple[Span | None, ...]:
    """Return the spans, in the document, of an excerpt's cuts with these numbers; the excerpt begins at `start`."""
    return tuple(None if number is None else excerpt.cuts[number][0].moved(start) for number in numbers)


def excerpts(
    document: Document, syntax: Syntax, place: Span, reach: int, acronyms: Mapping[str, str] = _NO_ACRONYMS
) -> tuple[Excerpt, Excerpt]:
    """Return the text before and after `place` that `prose_around` reads, with its markup; parameters are the same."""
    text = document.text
    manuscript = languages.language_of(document).manuscript
    farthest = max(0, place.start - reach)
    body_start = manuscript.body(text, farthest, place.start) if manuscript else farthest  # behind a preamble
    # Whole words: half a word would be searched for as another one.  Behind a preamble none is cut.
    start = body_start if body_start > farthest else _word_start(text, farthest, place.start)
    end = _word_end(text, min(len(text), place.end + reach), place.end)
    before = Span(start, place.start)
    after = Span(place.end, end)
    return _excerpt(document, syntax, before, acronyms), _excerpt(document, syntax, after, acronyms)


def read(excerpt: Excerpt) -> str:
    """Return the prose of an excerpt, which is not cached as that of `prose_around` is: who asks does that."""
    return _cleaned(excerpt)[0]


def sentence(
    document: Document, syntax: Syntax, place: Span, acronyms: Mapping[str, str] = _NO_ACRONYMS, *, mark: str = ""
) -> str:
    """Return the sentence around `place` for people, with `mark` in its place and without other citations.

    "" if no sentence is there.
    """
    prose = prose_around(document, syntax, place, acronyms=acronyms)
    # Only for people: `sentence_around` itself finds no end of a sentence before such citations, and the weights of
    # ranking are fitted to that.
    parts = (_BEHIND_FULL_STOP.sub(r"\1", part) for part in (prose.before, prose.after))
    before, after = sentence_around(*parts)
    return show_on_one_line(f"{before} {mark} {after}" if mark else f"{before} {after}")


def plain(text: str, language: Language = languages.PLAIN) -> str:
    """Return the prose of a text that stands alone, such as a title."""
    return markup.take_prose(text, _markup(language)).strip()


def show_on_one_line(prose: str) -> str:
    """Prose on one line, without the marks of citations."""
    return _UNSPACED.sub(r"\1", " ".join(_UNCITED.sub(" ", prose).split()))


def _markup(language: Language) -> re.Pattern[str]:
    return language.manuscript.markup() if language.manuscript else markup.pattern_of("tex")


def _word_start(text: str, start: int, most: int) -> int:
    """`start`, or if that is within a word the word's end, but not behind `most`."""
    while 0 < start < most and not text[start - 1].isspace():
        start += 1
    return start


def _word_end(text: str, end: int, least: int) -> int:
    """`end`, or if that is within a word the word's beginning, but not before `least`."""
    while least < end < len(text) and not text[end].isspace():
        end -= 1
    return end


def _excerpt(document: Document, syntax: Syntax, part: Span, acronyms: Mapping[str, str]) -> Excerpt:
    """Return the text of a part of a document, with the cuts in it: spans that are no prose, and what replaces them."""
    cuts: list[_Cut] = [(span, CITED) for span in _citations(syntax, part)]
    cuts += [(span, PARAGRAPH) for span in _hidden(syntax, part)]
    if acronyms:
        cuts += abbreviations.uses(document.text, part, acronyms)
    from_start = tuple((span.moved(-part.start), words) for span, words in _separate_parts(cuts, part))
    return Excerpt(part.within(document.text), from_start, _markup(languages.language_of(document)))


def _separate_parts(cuts: list[_Cut], part: Span) -> list[_Cut]:
    """Return the cuts in order and apart: each without what an earlier one covers, and within `part`."""
    separate: list[_Cut] = []
    end = part.start
    for span, words in sorted(cuts, key=itemgetter(0)):
        if span.end > end:
            separate.append((Span(max(span.start, end), min(span.end, part.end)), words))
            end = span.end
    return separate


def _citations(syntax: Syntax, part: Span) -> Iterator[Span]:
    """Yield the spans of the citations and placeholders that overlap `part`, with all their arguments.

    Several keys of one command have the same span.
    """
    citations = syntax.citations
    first = bisect_left(citations, part.start, key=lambda citation: citation.span.end)
    for index in range(first, len(citations)):
        if citations[index].whole.start >= part.end:
            break
        yield citations[index].whole
    for placeholder in syntax.placeholders_near(part):
        whole = placeholder.whole
        if whole.start < part.end and whole.end > part.start:
            yield whole


def _hidden(syntax: Syntax, part: Span) -> Iterator[Span]:
    """Yield the hidden spans of several lines in a part of the document; code within a line belongs to its sentence."""
    ground = syntax.ground
    if ground is None:
        return
    for span in ground.hidden:
        is_near = span.start < part.end and span.end > part.start
        if is_near and "\n" in span.within(ground.text):
            yield span


def _cleaned(excerpt: Excerpt) -> tuple[str, tuple[int | None, ...]]:
    """Return the prose of an excerpt, and for each CITED in it, in order, the number of the cut that it stands for.

    A cut is a span of the excerpt that other words replace, CITED for a citation.  The number is None for a CITED that
    the author wrote.
    """
    text, cuts, pattern = excerpt
    # While markup is removed, one private character stands for each citation, as no rule of markup knows it; such
    # characters that the author wrote are dropped.
    marked: list[str] = []
    offset = 0
    for number, (span, words) in enumerate(cuts):
        # There are 6400 private characters: no excerpt has as many cuts.
        mark = chr(_FIRST_MARK + number % _NUMBER_OF_MARKS)
        marked.append(_MARK.sub("", text[offset : span.start]))
        marked.append(mark if words == CITED else _MARK.sub("", words))
        offset = span.end
    marked.append(_MARK.sub("", text[offset:]))
    prose = markup.take_prose("".join(marked), pattern)
    signs = _MARK_OR_CITED.findall(prose)
    numbers = tuple(None if sign == CITED else ord(sign) - _FIRST_MARK for sign in signs)
    return _MARK.sub(CITED, prose), numbers


_cached_cleaned = remember(4 * MB)(_cleaned)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, which blank lines part; empty ones are left out."""
    stripped = (paragraph.strip() for paragraph in _BLANK.split(text))
    return [paragraph for paragraph in stripped if paragraph]


def sentences(text: str) -> Iterator[Span]:
    """Yield the spans of the sentences of a paragraph, without the spaces between them."""
    start = len(text) - len(text.lstrip())
    for end, following in _ends(text):
        if end > start:
            yield Span(start, end)
        start = following
    end = len(text.rstrip())
    if end > start:
        yield Span(start, end)


def sentence_around(before: str, after: str) -> tuple[str, str]:
    """Return the sentence around a place in two parts, from the text `before` the place and from that `after` it.

    If `before` ends with a full stop (of no abbreviation), `!` or `?`, a citation at the place belongs to the sentence
    that ends there, and the second part is empty: "It works. [1]".  Not so if `after` goes on in lower case: "It works.
    [1] shows why"; there the citation begins a sentence of its own, and the first part is empty.
    """
    # A sentence ends with its paragraph.
    before = _BLANK.split(before)[-1]
    after = _BLANK.split(after)[0]
    start = max((following for _, following in _ends(before)), default=0)
    end = next((end for end, _ in _ends(after)), len(after))
    full_stop = _ENDS_SENTENCE.search(before.rstrip())
    has_words_before = bool(before[start:].strip())
    if full_stop and has_words_before and not _is_abbreviated(before, full_stop.start(), after):
        goes_on = after.lstrip()[:1].islower()
        return ("", after[:end]) if goes_on else (before[start:], "")
    return before[start:], after[:end]


def _ends(text: str) -> Iterator[tuple[int, int]]:
    """Yield for each sentence but the last where it ends, and where the next one begins."""
    for match in _SENTENCE_END.finditer(text):
        following = text[match.end() : match.end() + _LONGEST_ABBREVIATION]
        if not _is_abbreviated(text, match.start(), following):
            # Behind a Chinese or Japanese full stop there need be no gap.
            end = match.start("gap") if match["gap"] else match.end("none")
            yield end, match.end()


def _is_abbreviated(text: str, offset: int, following: str) -> bool:
    """True if the sign at `offset`, which could end a sentence, is a full stop that belongs to its word."""
    if text[offset] != ".":
        return False
    start = max(0, offset - _LONGEST_ABBREVIATION)
    if _ABBREVIATED.search(text, start, offset + 1):
        return True
    may_precede_number = _ABBREVIATED_BEFORE_NUMBER.search(text, start, offset + 1)
    return may_precede_number is not None and _NUMBER.match(following) is not None
