"""Whether a work already has an entry: by DOI, by arXiv id, or by title with authors and year."""

import re
from collections.abc import Iterator

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold, squeezed
from citelsp.knowledge import Record
from citelsp.project import Place, Project, Source

_WORD = re.compile(r"[A-Za-z]{5,}")
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
    """The rarest long word of the title leads to the entries worth parsing; its first letter may stand in braces."""
    tails = {word[1:] for word in _WORD.findall(record.title)}
    longest = sorted(tails, key=lambda it: (-len(it), it))[:3]
    if not longest:
        return
    counted = [(source.document.text.count(it), it) for it in longest]
    rarest = min(counted)[1]
    for place in _holding(project, source, rarest):
        if same_title(place.entry, record):
            yield place


def _holding(project: Project, source: Source, wanted: str) -> Iterator[Place]:
    """Entries whose text holds `wanted`, each once; only its letters' case may differ."""
    entries, text = source.syntax.entries, source.document.text
    if entries is None or not wanted:
        return
    seen: set[int] = set()
    for offset in _occurrences(text, wanted):
        index = entries.at(offset)
        if index is not None and index not in seen and len(seen) < _CHECKED:
            seen.add(index)
            yield Place(source, index, project)


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    """The part before the first letter is searched as it stands, which is fast, and the rest compared without case."""
    lowered = wanted.lower()
    lead = re.match(r"[^A-Za-z]*", lowered)
    fixed = lead[0] if lead and len(lead[0]) > 3 else wanted
    offset = text.find(fixed)
    while offset >= 0:
        if text[offset : offset + len(wanted)].lower() == lowered:
            yield offset
        offset = text.find(fixed, offset + 1)
