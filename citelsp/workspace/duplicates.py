"""Whether a work already has an entry: by DOI, by arXiv id, or by title with authors and year."""

from collections.abc import Iterator

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold, squeezed, words
from citelsp.bibliography.identifiers import PREPRINT_DOIS
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
    if squeezed(entry.title) != (title := squeezed(plain_title(record))) or not title:
        return False
    if entry.year and record.years and all(abs(entry.year - it) > YEARS_APART for it in record.years):
        return False
    if _published_apart(entry, record):
        return False
    # The last word of family names: particles stand with them on one side and not on the other.
    mine, theirs = (
        {fold(name.family).split()[-1] for name in names if name.family.split()}
        for names in (entry.authors, record.authors)
    )
    return not mine or not theirs or bool(mine & theirs)


def _same_identifier(entry: Entry, record: Record) -> bool:
    its, known = entry.identifiers, record.identifiers
    return bool(known.doi and its.doi == known.doi) or bool(known.arxiv and its.arxiv == known.arxiv)


def _published_apart(entry: Entry, record: Record) -> bool:
    """Two publications with a DOI each, none of them a preprint's: a paper and its longer version in a journal."""
    mine, its = entry.identifiers.doi, record.identifiers.doi
    return bool(mine and its and mine != its and not mine.startswith(_APART) and not its.startswith(_APART))


def _find_likely(project: Project, record: Record) -> Iterator[Place]:
    """Entries that may be of this work: those with a mark of it; in other lists than .bib files those that
    hold an identifier or a word of its title."""
    own_marks = list(marks_of(record))
    for source in project.sources.values():
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            # By marks: parsing 50,000 entries to compare each would take seconds.
            shared = entries.shared(marks)
            nodes = [
                node
                for mark in own_marks
                if mark in shared.first
                for node in shared.several.get(mark, (shared.first[mark],))
            ]
            for node in dict.fromkeys(nodes):
                yield from (Place(source, at, project) for at in entries.by_key(node.key) if entries.node(at) is node)
        elif entries is not None:
            signs = _signs(record)
            sources = ((at, entries.node(at).source.lower()) for at in range(len(entries)))
            yield from (Place(source, at, project) for at, text in sources if any(it in text for it in signs))


def _signs(record: Record) -> list[str]:
    """One of these stands in every entry of this work: an identifier, the longest plain word of its title."""
    plain = [it for it in words(record.title) if it.isascii()]
    longest = max(plain, key=len, default=record.title.lower())
    return [it for it in (record.identifiers.doi, record.identifiers.arxiv, longest) if it]
