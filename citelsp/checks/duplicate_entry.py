"""Two entries with one key, or one work under two keys."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from citelsp.base import bounds
from citelsp.base.text import Edit
from citelsp.bibliography import authors, names, titles
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.same_work import SHORT, are_two_publications, marks
from citelsp.checks.finding import Check, Finding, Fix, Related, Severity, bounded, stopped
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries, Fact
from citelsp.syntax.nodes import EntryNode, Reader
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "duplicate-entry"

_Content = tuple[str, dict[str, str]]
_YEARS_APART = 1


@dataclass(frozen=True, slots=True)
class EntryFile:
    source: Source
    entries: BibEntries
    judged: Collection[int]


def check(project: Project, _: Knowledge) -> list[Finding]:
    files = files_of(project)
    return [*bounded(_same_keys(project, files)), *_same_works(project, files)]


def files_of(project: Project) -> list[EntryFile]:
    return [
        EntryFile(source, source.syntax.entries, project.judged(source))
        for source in project.defining
        if isinstance(source.syntax.entries, BibEntries)
    ]


def _same_keys(project: Project, files: list[EntryFile]) -> Iterator[Finding]:
    keys = [it.entries.folded_keys if project.reader == "bibtex" else it.entries.keys for it in files]
    for number, file in enumerate(files):
        for key, indices in keys[number].repeated.items():
            if key:
                first = Place(file.source, indices[0], project)
                repeats = (Place(file.source, it, project) for it in indices[1:] if it in file.judged)
                content = _content(first.node)
                yield from (_repeats(it, first, content, project.reader) for it in repeats)
        for earlier, earlier_keys in zip(files[:number], keys, strict=False):
            if not _meet(project, earlier, file):
                continue
            for key in earlier_keys.first.keys() & keys[number].first.keys() - {""}:
                first = Place(earlier.source, earlier_keys.first[key], project)
                place = Place(file.source, keys[number].first[key], project)
                if place.index in file.judged or first.index in earlier.judged:
                    yield _repeats(place, first, _content(first.node), project.reader)


def _repeats(place: Place, first: Place, content: _Content, reader: Reader) -> Finding:
    path = place.source.document.path
    fixes: tuple[Fix, ...] = ()
    is_copy = _content(place.node) == content
    if is_copy:
        fixes = (Fix("Remove this copy", "safe", (Edit(path, place.removal, ""),)),)
    related = (Related(first.source.document.path, first.key_span, "first entry with this key"),)
    message = f"Another entry already has the key “{first.node.key}”"
    severity: Severity = "usual"
    if reader == "pandoc":
        message += "." if is_copy else ": pandoc takes the last."
        severity = "information" if is_copy else "warning"
    else:
        message += "." if place.node.key == first.node.key else ": BibTeX ignores letter case."
    return Finding(CODE, path, place.key_span, message, place.node.key, fixes=fixes, related=related, severity=severity)


def _content(node: EntryNode) -> _Content:
    """What an entry says, however it is laid out."""
    return node.kind, {it.name: " ".join(it.value_span.within(node.source).split()) for it in node.fields()}


def _same_works(project: Project, files: list[EntryFile]) -> Iterator[Finding]:
    for first, second in pairs(project, files, marks):
        if second is None:
            yield stopped(CODE, first.source.document.path, first.key_span, "pairs of like entries")
        elif why := same_work(first.entry, second.entry):
            yield _same_work_finding(second, first, why)


def pairs(project: Project, files: list[EntryFile], fact: Fact[Iterable[int]]) -> Iterator[tuple[Place, Place | None]]:
    """Each two entries of different keys of which the fact gives a value in common, the first before the second.

    A bound ends this: then the last one stands without a second.
    """
    seen: set[tuple[BibNode, BibNode]] = set()
    for file, one, other_file, other in _suspects(project, files, fact):
        if one is other or one.key == other.key or (one, other) in seen or (other, one) in seen:
            continue
        seen.add((one, other))
        places = [_place(project, file, one), _place(project, other_file, other)]
        if file is other_file:
            places.sort(key=lambda it: it.index)
        if len(seen) > bounds.REPORTED:
            yield places[1], None
            return
        yield places[0], places[1]


def _suspects(
    project: Project, files: list[EntryFile], fact: Fact[Iterable[int]]
) -> Iterator[tuple[EntryFile, BibNode, EntryFile, BibNode]]:
    for number, file in enumerate(files):
        shared = file.entries.shared(fact, file.judged)
        # Of entries with one key the first counts: pairs of thousands of copies would take minutes.
        by_key = ({it.key: it for it in reversed(group)} for group in shared.several.values())
        for group in sorted(by_key, key=len):
            yield from ((file, one, file, other) for one, other in combinations(reversed(group.values()), 2))
        for earlier in (it for it in files[:number] if _meet(project, it, file)):
            for one, other in earlier.entries.shared(fact, earlier.judged).with_other(shared):
                yield earlier, one, file, other


def _meet(project: Project, one: EntryFile, other: EntryFile) -> bool:
    return project.are_read_together(one.source.document.path, other.source.document.path)


def _place(project: Project, file: EntryFile, node: BibNode) -> Place:
    index = next(it for it in file.entries.by_key(node.key) if file.entries.node(it) is node)
    return Place(file.source, index, project)


def _same_work_finding(place: Place, first: Place, why: str) -> Finding:
    related = (Related(first.source.document.path, first.key_span, f"the same work as “{first.node.key}”"),)
    message = f"“{first.node.key}” is the same work: {why}."
    path = place.source.document.path
    return Finding(CODE, path, place.key_span, message, place.node.key, related=related, severity="information")


def same_work(one: Entry, other: Entry) -> str:
    """Why two entries are of one work; "" if they need not be."""
    mine, theirs = one.identifiers, other.identifiers
    title, other_title = titles.key(one.title), titles.key(other.title)
    alike = title == other_title or not title or not other_title or _begins(title, other_title)
    if alike and mine.doi and mine.doi == theirs.doi:
        return f"both have the DOI {mine.doi}"
    if alike and mine.arxiv and mine.arxiv == theirs.arxiv:
        return f"both have the arXiv id {mine.arxiv}"
    if title != other_title or _differ(mine.doi, theirs.doi):
        return ""
    if len(title) < SHORT:
        return "title, authors, year and volume agree" if title and _same_volume(one, other) else ""
    if one.year and other.year and abs(one.year - other.year) > _YEARS_APART:
        return ""
    if are_two_publications(one, other):
        return ""
    if _same_people(one, other):
        return "title, authors and year agree"
    return "title, first author, year and place agree" if _same_place(one, other) else ""


def _same_place(one: Entry, other: Entry) -> bool:
    """True for one place in print under one first author, though a list of authors was cut without saying so."""
    first = [names.family_key(it.authors[0]) for it in (one, other) if it.authors]
    agree = [
        name for name in ("volume", "number", "pages") if _text(one, name) and _text(one, name) == _text(other, name)
    ]
    differ = any(
        _text(one, name) != _text(other, name)
        for name in ("volume", "pages")
        if _text(other, name) and _text(one, name)
    )
    return len(first) == len(set(first)) + 1 and one.year == other.year != 0 and len(agree) > 1 and not differ


def _text(entry: Entry, name: str) -> str:
    return " ".join(words(entry.text(name)))


def _same_volume(one: Entry, other: Entry) -> bool:
    """A short title names a work within one volume, if the pages do not tell two apart."""
    volume = one.text("volume")
    if not (volume and volume == other.text("volume") and one.year and one.year == other.year):
        return False
    pages = [words(it.text("pages")) for it in (one, other)]
    return (pages[0] == pages[1] or not all(pages)) and _same_people(one, other)


def _same_people(one: Entry, other: Entry) -> bool:
    """The same people are named, in whatever order, as far as the lists go."""
    families = [[names.family_key(name) for name in it.authors] for it in (one, other)]
    if families[0] == families[1]:
        return bool(families[0])
    cut = {"cited_cut": one.authors_truncated, "recorded_cut": other.authors_truncated}
    people = authors.compare(one.authors, other.authors, **cut)
    return bool(people.shared) and not (people.added or people.dropped or people.replaced)


def _begins(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= SHORT and (one.startswith(other) or other.startswith(one))


def _differ(doi: str, other: str) -> bool:
    """Two DOIs of which neither is a preprint's."""
    return bool(doi and other and doi != other and not any(it.startswith("10.48550/") for it in (doi, other)))


CHECK = Check(
    CODE,
    "error",
    "Two entries share a key. Or, as information, two keys are of the same work.",
    check,
    facts=lambda *_: [marks],
)
