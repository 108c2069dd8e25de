"""Where sentences end, in manuscripts and in papers alike: the only splitter of sentences and paragraphs in citelsp."""

import re
from collections.abc import Iterator

from citelsp.base.text import Span

PARAGRAPH = "\n\n"  # between two paragraphs of prose

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
    if (end := len(text.rstrip())) > start:
        yield Span(start, end)


def around(before: str, after: str) -> tuple[str, str]:
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


def _is_abbreviated(text: str, at: int, following: str) -> bool:
    """True if the mark at `at` is a full stop that belongs to its word."""
    if text[at] != ".":
        return False
    start = max(0, at - _LONGEST)
    if _ABBREVIATED.search(text, start, at + 1):
        return True
    return bool(_NUMBERED.search(text, start, at + 1) and _NUMBER.match(following))
