"""Whether a work already has an entry: by DOI, by arXiv id, or by title with authors and year."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold, squeezed, words
from citelsp.bibliography.identifiers import PREPRINT_DOIS
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.same_work import YEARS_APART, marks, marks_of, plain_title
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Place, Project

# 10.5555 is the ACM's prefix for what has no DOI.
_APART = (*PREPRINT_DOIS, "10.5555/")  # beside these a work has another DOI


def find(project: Project, record: Record) -> Place | None:
    """The entry of this work: one that has an identifier of it, else one that is called the same."""
    places = list(_find_likely(project, record))
    named = (it for it in places if _same_identifier(it.entry, record))
    return next(named, None) or next((it for it in places if same_title(it.entry, record)), None)


def same_title(entry: Entry, record: Record) -> bool:
    """The same title, and nothing known of the two contradicts that they are one work."""
    title = squeezed(plain_title(record))
    if not title or squeezed(entry.title) != title:
        return False
    if entry.year and record.years and all(abs(entry.year - year) > YEARS_APART for year in record.years):
        return False
    if _published_apart(entry, record):
        return False
    families = _last_words(entry.authors)
    recorded_families = _last_words(record.authors)
    return not families or not recorded_families or not families.isdisjoint(recorded_families)


def _last_words(names: Sequence[Name]) -> set[str]:
    """The last words of family names: particles stand with them on one side and not on the other."""
    families = [fold(name.family).split() for name in names if name.family.split()]
    return {words[-1] for words in families}


def _same_identifier(entry: Entry, record: Record) -> bool:
    its = entry.identifiers
    known = record.identifiers
    return bool(known.doi and its.doi == known.doi) or bool(known.arxiv and its.arxiv == known.arxiv)


def _published_apart(entry: Entry, record: Record) -> bool:
    """Two publications with a DOI each, none of them a preprint's: a paper and its longer version in a journal."""
    mine = entry.identifiers.doi
    its = record.identifiers.doi
    return bool(mine and its and mine != its and not mine.startswith(_APART) and not its.startswith(_APART))


def _find_likely(project: Project, record: Record) -> Iterator[Place]:
    """Entries that may be of this work: those with a mark of it; in other lists than .bib files those that
    hold an identifier or a word of its title."""
    own_marks = list(marks_of(record))
    signs = _signs(record)
    for source in project.sources.values():
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            for index in _with_marks(entries, own_marks):
                yield Place(source, index, project)
        elif entries is not None:
            for index in range(len(entries)):
                text = entries.node(index).source.lower()
                if any(sign in text for sign in signs):
                    yield Place(source, index, project)


def _with_marks(entries: BibEntries, own_marks: Iterable[int]) -> Iterator[int]:
    """The places of entries with one of these marks: parsing 50,000 entries to compare each would take seconds."""
    shared = entries.shared(marks)
    groups = [shared.several.get(mark, (shared.first[mark],)) for mark in own_marks if mark in shared.first]
    for node in dict.fromkeys(chain.from_iterable(groups)):
        for index in entries.by_key(node.key):
            if entries.node(index) is node:
                yield index


def _signs(record: Record) -> list[str]:
    """One of these stands in every entry of this work: an identifier, the longest plain word of its title."""
    plain = [it for it in words(record.title) if it.isascii()]
    longest = max(plain, key=len, default=record.title.lower())
    return [it for it in (record.identifiers.doi, record.identifiers.arxiv, longest) if it]
