"""A full text cut into passages, each with its section, and the sentence that speaks for a work at a place."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from citelsp.bibliography.record import Record
from citelsp.corpus import list_headings
from citelsp.corpus.place_query import Query
from citelsp.corpus.words import stems
from citelsp.corpus.work import Work
from citelsp.knowledge import Evidence
from citelsp.syntax import prose

_LONGEST, _SHORTEST = 1200, 40  # characters of a passage
_HEADING = re.compile(r"^(?:#{1,6}\s+)?(?:\d+(?:\.\d+)*\.?\s+|[IVX]+\.\s+)?([A-Z][^.!?]{2,80})$")
_SIGNS = re.compile(r"^#{1,6}\s+")  # before a heading of Markdown
_MARKED = re.compile(r"^(?:#{1,6}\s|\d+(?:\.\d+)*\.?\s|[IVX]+\.\s)")
_KNOWN = re.compile(
    r"^(?:abstract|introduction|(?:related|previous) work|background|preliminaries|methods?|methodology|approach|model|"
    r"experiments?|evaluation|results|discussion|conclusions?|limitations|acknowledge?ments|appendix)\b",
    re.IGNORECASE,
)
_INTRO_LENGTH = 6000  # characters
_SHORTEST_QUOTE, _LONGEST_QUOTE = 20, 600  # characters
_SMOOTHING = 10  # stems added to the length of a quote, so that a very short one does not win


@dataclass(frozen=True, slots=True)
class Passage:
    section: str  # "" before the first heading
    text: str  # a substring of the full text


def split(text: str) -> Iterator[Passage]:
    """Yield the passages of a full text up to its reference list, each with the heading that it stands below.

    Paragraphs are parted by empty lines; a first line that is a heading starts a section.  A paragraph is cut between
    sentences into passages of some 1,200 characters; passages of less than 40 characters are left out.
    """
    section = ""
    for block in prose.paragraphs(text):
        first, _, rest = block.partition("\n")
        if list_headings.begins_list(_SIGNS.sub("", first.strip())):
            return
        heading = _read_heading(first.strip())
        if heading:
            section = heading
            block = rest
        yield from (Passage(section, it) for it in _cut_paragraph(block) if len(it) >= _SHORTEST)


def introduction(text: str) -> str:
    """The section called introduction, else the beginning of the text."""
    found = [it.text for it in split(text) if "introduction" in it.section.lower()]
    return "\n".join(found)[:_INTRO_LENGTH] or text[:_INTRO_LENGTH]


def _read_heading(line: str) -> str:
    match = _HEADING.match(line)
    return match[1].strip() if match and (_MARKED.match(line) or _KNOWN.match(line)) else ""


def _cut_paragraph(paragraph: str) -> Iterator[str]:
    """Yield the passages of a paragraph: each has as many whole sentences as fit into 1,200 characters.

    A sentence that is longer makes a passage alone; one of more than twice as many characters is cut anywhere.
    """
    start = 0  # of the present passage
    end = 0  # of the last sentence in it
    for sentence in prose.sentences(paragraph):
        is_full = sentence.end - start > _LONGEST
        if is_full and end > start:
            yield paragraph[start:end].strip()
            start = end
        # Tables have no sentences: they are cut anywhere.
        while sentence.end - start > 2 * _LONGEST:
            yield paragraph[start : start + _LONGEST]
            start += _LONGEST
        end = sentence.end
    if paragraph[start:].strip():
        yield paragraph[start:].strip()


def best(work: Work | Record, query: Query, rarity: Callable[[str], float], text: str = "") -> Evidence:
    """Return the sentence of the abstract or of the full text `text` that shares most with the question `query`.

    A shared word counts by its rarity.  The sentence is quoted character by character; the title if none shares any.
    Of equally good ones the first counts; the abstract's come before the text's.
    The evidence's source is "corpus", whatever the work's: callers that have works of others put in theirs.
    """
    # A word of the sentence to be cited for counts twice as much as one of the sentences around it (the “window”).
    weights = {**dict.fromkeys(query.view("window"), 0.5), **dict.fromkeys(query.view("sentence"), 1.0)}
    for joined, parts_of_word in query.compounds.items():
        # “semisupervised” for “semi-supervised” of the text: it counts as its parts would.
        weights.setdefault(joined, min(weights.get(it, 0.0) for it in parts_of_word))
    parts = [("abstract", work.abstract), *((it.section or "full text", it.text) for it in split(text))]
    best_worth = 0.0
    evidence = Evidence(work.title, "title", "corpus")
    for where, part in parts:
        for sentence in _list_quotable(part):
            worth = _measure_shared(sentence, weights, rarity)
            if worth > best_worth:
                best_worth = worth
                evidence = Evidence(sentence, where, "corpus")
    return evidence


def _list_quotable(passage: str) -> Iterator[str]:
    for span in prose.sentences(passage):
        quote = span.within(passage)
        # Shorter ones are numbers and headings, longer ones tables and lists that a PDF ran together.
        if _SHORTEST_QUOTE <= len(quote) <= _LONGEST_QUOTE:
            yield quote


def _measure_shared(quote: str, weights: dict[str, float], rarity: Callable[[str], float]) -> float:
    """How much of the weighted stems a quote holds, by their rarity; less for a longer quote."""
    stems_of_quote = set(stems(quote))
    shared = sum(weights[it] * rarity(it) for it in stems_of_quote if it in weights)
    return shared / math.sqrt(_SMOOTHING + len(stems_of_quote))
