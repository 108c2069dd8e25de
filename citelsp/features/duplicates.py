"""Whether a work already has an entry: by DOI, by arXiv id, or by title with authors and year."""

import re
from collections.abc import Iterator

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold, squeezed
from citelsp.knowledge import Record
from citelsp.project import Place, Project, Source

_WORD = re.compile(r"[A-Za-z]{5,}")
_LEAD = re.compile(r"[^A-Za-z]{4,}")
_TITLE = re.compile(r"\btitle\"?\s*[=:].{0,200}", re.IGNORECASE | re.DOTALL)
_CHECKED = 3000  # entries compared by title
_YEARS_APART = 2  # a preprint and its publication


def find(project: Project, record: Record) -> Place | None:
    """The entry of this work.  Entries are parsed only where the record's own characters stand in them."""
    known = record.identifiers
    for source in _bibliographies(project):
        for place in _holding(project, source, known.doi):
            if place.entry.identifiers.doi == known.doi:
                return place
        for place in _holding(project, source, known.arxiv):
            if place.entry.identifiers.arxiv == known.arxiv:
                return place
    return next((it for source in _bibliographies(project) for it in _by_title(project, source, record)), None)


def same_title(entry: Entry, record: Record) -> bool:
    """The same title, and nothing known of the two contradicts that they are one work."""
    if squeezed(entry.title) != squeezed(record.title):
        return False
    if entry.year and record.years and all(abs(entry.year - it) > _YEARS_APART for it in record.years):
        return False
    mine, theirs = (
        {fold(name.family).split()[-1] for name in it if name.family.split()} for it in (entry.authors, record.authors)
    )
    return not mine or not theirs or bool(mine & theirs)


def _bibliographies(project: Project) -> Iterator[Source]:
    return (it for it in project.sources.values() if it.syntax.entries is not None)


def _by_title(project: Project, source: Source, record: Record) -> Iterator[Place]:
    """The rarest long word of the title leads to entries, and those that hold most of its words are parsed.

    Words count without their first letter, which may be a capital or stand in braces; braces inside may hide others.
    """
    tails = {word[1:] for word in _WORD.findall(record.title)}
    longest = sorted(tails, key=lambda it: (-len(it), it))[:3]
    counted = [(count, it) for it in longest if (count := source.document.text.count(it))]
    for place in _holding(project, source, min(counted)[1] if counted else ""):
        written = _TITLE.search(place.node.source)
        held = sum(it in written[0] for it in tails) if written else 0
        if 0 < held >= len(tails) - max(1, len(tails) // 4) and same_title(place.entry, record):
            yield place


def _holding(project: Project, source: Source, wanted: str) -> Iterator[Place]:
    """Entries whose text holds `wanted`, at most 3,000, each once; the case of its letters may differ.

    What stands before its first letter (the prefix of a DOI) is searched as it is, which is fast, the rest compared.
    """
    entries, text = source.syntax.entries, source.document.text
    if entries is None or not wanted:
        return
    lowered = wanted.lower()
    lead = _LEAD.match(wanted)
    fixed = lead[0] if lead else wanted
    found, offset = 0, text.find(fixed)
    while offset >= 0 and found < _CHECKED:
        after = offset + 1
        index = entries.at(offset) if text[offset : offset + len(wanted)].lower() == lowered else None
        if index is not None:
            found += 1
            yield Place(source, index, project)
            after = max(after, entries.start(index) + len(entries.node(index).source))
        offset = text.find(fixed, after)
