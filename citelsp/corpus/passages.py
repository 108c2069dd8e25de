"""A full text cut into passages, each with its section."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citelsp.syntax import sentences

_LONGEST = 1200  # characters
_SHORTEST = 40
_HEADING = re.compile(r"^(?:#{1,6}\s+)?(?:\d+(?:\.\d+)*\.?\s+|[IVX]+\.\s+)?([A-Z][^.!?]{2,80})$")
_MARKED = re.compile(r"^(?:#{1,6}\s|\d+(?:\.\d+)*\.?\s|[IVX]+\.\s)")
_KNOWN = re.compile(
    r"^(?:abstract|introduction|(?:related|previous) work|background|preliminaries|methods?|methodology|approach|model|"
    r"experiments?|evaluation|results|discussion|conclusions?|limitations|acknowledge?ments|appendix)\b",
    re.IGNORECASE,
)
_REFERENCES = re.compile(r"^(?:#{1,6}\s+)?(?:\d+\.?\s+)?(?:references|bibliography)$", re.IGNORECASE)
_INTRO_LENGTH = 6000


@dataclass(frozen=True, slots=True)
class Passage:
    section: str  # "" before the first heading
    text: str  # a substring of the full text


def split(text: str) -> Iterator[Passage]:
    """Passages of at most some 1,200 characters, cut between sentences, up to the reference list.

    Paragraphs are parted by empty lines; a line that is a heading starts a section.
    """
    section = ""
    for block in sentences.paragraphs(text):
        first, _, rest = block.partition("\n")
        if _REFERENCES.match(first.strip()):
            return
        if heading := _heading(first.strip()):
            section, block = heading, rest
        yield from (Passage(section, it) for it in _cut(block) if len(it) >= _SHORTEST)


def introduction(text: str) -> str:
    """The section called introduction, else the beginning of the text."""
    found = [it.text for it in split(text) if "introduction" in it.section.lower()]
    return "\n".join(found)[:_INTRO_LENGTH] or text[:_INTRO_LENGTH]


def _heading(line: str) -> str:
    found = _HEADING.match(line)
    return found[1].strip() if found and (_MARKED.match(line) or _KNOWN.match(line)) else ""


def _cut(paragraph: str) -> Iterator[str]:
    start = end = 0
    for sentence in sentences.sentences(paragraph):
        if sentence.end - start > _LONGEST and end > start:
            yield paragraph[start:end].strip()
            start = end
        # Tables have no sentences: they are cut anywhere.
        while sentence.end - start > 2 * _LONGEST:
            yield paragraph[start : start + _LONGEST]
            start += _LONGEST
        end = sentence.end
    if paragraph[start:].strip():
        yield paragraph[start:].strip()
