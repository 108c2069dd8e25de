"""Whether a work already has an entry, by DOI, arXiv id, or title with authors and year; entries by any identifier."""

import re
from collections.abc import Iterable, Iterator, Sequence

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters, fold, words
from citelsp.bibliography.identifiers import PREPRINT_DOIS, Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.same_work import YEARS_APART, marks, marks_of, plain_title
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Place, Project

# Beginnings of DOIs beside which a work may have another: preprints', and the ACM's for what has no DOI.
_NOT_OF_PUBLICATION = (*PREPRINT_DOIS, "10.5555/")
_PLAIN_SIGNS = re.compile(r"[0-9a-z.]+")


def find(project: Project, record: Record) -> Place | None:
    """Find the entry of this work: one with an identifier of it, else one with its title; None if there is none."""
    places = list(_find_likely(project, record))
    by_identifier = (place for place in places if _same_identifier(place.entry, record))
    by_title = (place for place in places if same_title(place.entry, record))
    return next(by_identifier, None) or next(by_title, None)


def find_identified(project: Project, identifiers: Identifiers) -> list[Place]:
    """Find the entries that have one of these identifiers; of an ISBN, also chapters.

    A URL does not count, as it may lead to anything.  Each entry's text is searched, but only those are parsed in which
    the signs of an identifier stand.
    """
    kinds = [kind for kind in Identifiers.__slots__ if kind != "url" and getattr(identifiers, kind)]
    telltales = [_telltale(kind, getattr(identifiers, kind)) for kind in kinds]
    identified: list[Place] = []
    for source in project.sources.values():
        entries = source.syntax.entries
        if entries is None:
            continue
        for index in range(len(entries)):
            text = _squeeze_numbers(entries.node(index).source)
            if not any(telltale in text for telltale in telltales):
                continue
            place = Place(source, index, project)
            own = place.entry.identifiers
            if any(getattr(own, kind) == getattr(identifiers, kind) for kind in kinds):
                identified.append(place)
    return identified


def _telltale(kind: str, identifier: str) -> str:
    """Return the part of an identifier that stands in an entry's text however it is written (`_squeeze_numbers`).

    "" if no part is sure to: that stands in every text, so that every entry is looked at.
    """
    if kind == "isbn":
        return identifier[3:12]  # an ISBN of ten digits has neither the prefix nor the same check digit
    if kind == "pmcid":
        return identifier.removeprefix("PMC")
    # Other signs may be written as commands of TeX or as in addresses, `%2F`.
    return max(_PLAIN_SIGNS.findall(_squeeze_numbers(identifier)), key=len, default="")


def _squeeze_numbers(text: str) -> str:
    """Return the text in lower case, without the hyphens and spaces by which numbers are grouped."""
    return text.lower().replace("-", "").replace(" ", "")


def same_title(entry: Entry, record: Record) -> bool:
    """True if both titles have the same letters and digits, and nothing known speaks against their being one work.

    Against it speak years far apart, two publications with a DOI each, and authors none of whom they share.
    """
    title = bare_letters(plain_title(record))
    if not title or bare_letters(entry.title) != title:
        return False
    if entry.year and record.years and all(abs(entry.year - year) > YEARS_APART for year in record.years):
        return False
    if _are_two_publications(entry, record):
        return False
    families = _last_words(entry.authors)  # of family names, without particles such as `van`
    recorded_families = _last_words(record.authors)
    if not families or not recorded_families:
        return True
    return not families.isdisjoint(recorded_families)


def _last_words(names: Sequence[Name]) -> set[str]:
    """Return the last words of family names, as particles (`van`) may stand before them in one source only."""
    families = [fold(name.family).split() for name in names if name.family.split()]
    return {words[-1] for words in families}


def _same_identifier(entry: Entry, record: Record) -> bool:
    in_entry = entry.identifiers
    in_record = record.identifiers
    same_doi = bool(in_record.doi) and in_entry.doi == in_record.doi
    same_arxiv = bool(in_record.arxiv) and in_entry.arxiv == in_record.arxiv
    return same_doi or same_arxiv


def _are_two_publications(entry: Entry, record: Record) -> bool:
    """True if they have a DOI each, none of them a preprint's: a paper and its longer version in a journal."""
    dois = (entry.identifiers.doi, record.identifiers.doi)
    if not all(dois) or dois[0] == dois[1]:
        return False
    return not any(doi.startswith(_NOT_OF_PUBLICATION) for doi in dois if doi)


def _find_likely(project: Project, record: Record) -> Iterator[Place]:
    """Yield the entries that may be of this work, found without parsing all entries.

    In .bib files they share a mark with the work: a hash of its title, DOI or arXiv id.  In other lists their source
    holds one of its identifiers, or the longest word of its title.
    """
    own_marks = list(marks_of(record))
    telltales = _list_telltales(record)
    for source in project.sources.values():
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            for index in _with_marks(entries, own_marks):
                yield Place(source, index, project)
        elif entries is not None:
            for index in range(len(entries)):
                text = entries.node(index).source.lower()
                if any(telltale in text for telltale in telltales):
                    yield Place(source, index, project)


def _with_marks(entries: BibEntries, own_marks: Iterable[int]) -> Iterator[int]:
    """Yield the indices of entries with one of these marks, as parsing 50,000 entries to compare each takes seconds."""
    by_mark = entries.shared(marks)  # `first`: the first entry with a mark; `several`: all, of marks with more than one
    nodes = dict[BibNode, None]()  # in order and each once
    for mark in own_marks:
        if mark in by_mark.several:
            nodes |= dict.fromkeys(by_mark.several[mark])
        elif mark in by_mark.first:
            nodes[by_mark.first[mark]] = None
    for node in nodes:
        for index in entries.by_key(node.key):  # its own index is among those of its key
            if entries.node(index) is node:
                yield index


def _list_telltales(record: Record) -> list[str]:
    """One of these stands in every entry of this work: an identifier, the longest plain word of its title."""
    plain_words = [word for word in words(record.title) if word.isascii()]
    longest = max(plain_words, key=len, default=record.title.lower())
    return [sign for sign in (record.identifiers.doi, record.identifiers.arxiv, longest) if sign]
