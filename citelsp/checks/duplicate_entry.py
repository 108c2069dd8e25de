"""Two entries with one key, or one work under two keys."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from citelsp.base import bounds
from citelsp.base.text import Edit
from citelsp.bibliography import names
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.same_work import SHORT, are_two_publications, marks
from citelsp.bibliography.tolerant_comparison import author_lists, titles
from citelsp.checks.finding import Check, Finding, Fix, Related, Severity, limit_findings, make_bound_finding
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries, Fact, Keys, fold_key
from citelsp.syntax.formats.items import Items, ReferenceItem
from citelsp.syntax.nodes import EntryNode, Reader
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "duplicate-entry"

_Content = tuple[str, list[tuple[str, str]]]  # type, and each field with its value, by name
_MOST_YEARS_APART = 1
_DOI_OF_ARXIV = "10.48550/"  # how they begin
# What comes of a key that stands twice, by the program that reads it.
_CONSEQUENCE = {"typst": ": Typst refuses the whole bibliography", "pandoc": ": pandoc takes the last"}


@dataclass(frozen=True, slots=True)
class EntryFile:
    """A .bib of the project, and the indices of its entries that findings are about (`Project.judged`)."""

    source: Source
    entries: BibEntries
    judged: Collection[int]


def check(project: Project, _: Knowledge) -> list[Finding]:
    files = files_of(project)
    return [
        *limit_findings(_find_repeated_keys(project, files)),
        *limit_findings(_find_repeated_items(project)),
        *_find_same_works(project, files),
    ]


def files_of(project: Project) -> list[EntryFile]:
    return [
        EntryFile(source, source.syntax.entries, project.judged(source))
        for source in project.defining
        if isinstance(source.syntax.entries, BibEntries)
    ]


def _find_repeated_keys(project: Project, files: list[EntryFile]) -> Iterator[Finding]:
    """Report entries whose key an earlier one has, in their own file or in one that is read before it.

    Two files are compared only if some manuscript reads both.
    """
    for number, file in enumerate(files):
        yield from _find_keys_within(project, file)
        for earlier in files[:number]:
            if _are_read_together(project, earlier, file):
                yield from _find_keys_between(project, earlier, file)


def _choose_keys(project: Project, file: EntryFile) -> Keys:
    """Return the keys of a file as the program that reads it compares them: BibTeX ignores letter case."""
    return file.entries.folded_keys if project.reader == "bibtex" else file.entries.keys


def _find_keys_within(project: Project, file: EntryFile) -> Iterator[Finding]:
    """Report each entry whose key an earlier one of its file has, if its syntax matters (`Project.list_parsed`)."""
    parsed = project.list_parsed(file.source)
    for key, indices in _choose_keys(project, file).repeated.items():
        if not key:
            continue
        first = Place(file.source, indices[0], project)  # the entry that BibTeX and biber use; pandoc the last
        content = _read_content(first.node)
        for index in indices[1:]:
            if index in parsed:
                yield _report_repeated_key(Place(file.source, index, project), first, content, project.reader)


def _find_keys_between(project: Project, earlier: EntryFile, file: EntryFile) -> Iterator[Finding]:
    """Report the first entry of `file` with each key that an entry of `earlier` has, if the syntax of one matters."""
    parsed = project.list_parsed(file.source)
    earlier_parsed = project.list_parsed(earlier.source)
    indices = _choose_keys(project, file).first
    earlier_indices = _choose_keys(project, earlier).first
    for key in earlier_indices.keys() & indices.keys() - {""}:
        first = Place(earlier.source, earlier_indices[key], project)
        place = Place(file.source, indices[key], project)
        # Of two files one may be open, so that only its entries matter; within a file those of one key matter alike.
        if place.index in parsed or first.index in earlier_parsed:
            yield _report_repeated_key(place, first, _read_content(first.node), project.reader)


def _find_repeated_items(project: Project) -> Iterator[Finding]:
    """Report items in YAML, JSON, RIS and XML whose key an earlier entry has, in their own file or in another one.

    Also entries in .bib whose key an earlier item has.  Two files are compared only if some manuscript reads both.
    """
    earlier: list[Source] = []
    for source in project.defining:
        path = source.document.path
        if path not in project.bibliographies:  # a manuscript, with a reference list of its own
            continue
        is_of_items = isinstance(source.syntax.entries, Items)
        if is_of_items:
            yield from _find_repeated_within(project, source)
        for other in earlier:
            has_items = is_of_items or isinstance(other.syntax.entries, Items)
            if has_items and project.are_read_together(other.document.path, path):
                yield from _find_repeated_between(project, other, source)
        earlier.append(source)


def _find_repeated_within(project: Project, source: Source) -> Iterator[Finding]:
    firsts: dict[str, int] = {}  # the index of the first item by key
    parsed = project.list_parsed(source)
    for index, key in enumerate(source.keys):
        first = firsts.setdefault(key, index)
        if key and first != index and index in parsed:
            yield from _report_repeated_item(Place(source, index, project), Place(source, first, project))


def _find_repeated_between(project: Project, earlier: Source, source: Source) -> Iterator[Finding]:
    """Report the first entry of `source` with each key that an entry of `earlier` has, if the syntax of one matters."""
    earlier_indices = {key: index for index, key in reversed([*enumerate(earlier.keys)]) if key}
    parsed = project.list_parsed(source)
    earlier_parsed = project.list_parsed(earlier)
    for index, key in enumerate(source.keys):
        first = earlier_indices.pop(key, None)
        if first is not None and (index in parsed or first in earlier_parsed):
            yield from _report_repeated_item(Place(source, index, project), Place(earlier, first, project))


def _report_repeated_item(place: Place, first: Place) -> Iterator[Finding]:
    """Report the entry at `place`, whose key `first` has already: an error for Typst, which stops, else a warning.

    Only of Typst and pandoc it is said what they do.  Lines of a printed list are left out, as several lists in one
    file may be numbered alike.
    """
    if isinstance(place.node, ReferenceItem) or isinstance(first.node, ReferenceItem):
        return
    reader = place.project.reader if place.project else ""
    consequence = _CONSEQUENCE.get(reader, "")
    is_error = reader == "typst"
    yield Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        f"Another entry already has the key “{first.node.key}”{consequence}.",
        key=place.node.key,
        related=(Related(first.source.document.path, first.key_span, "first entry with this key"),),
        severity="usual" if is_error else "warning",
    )


def _report_repeated_key(place: Place, first: Place, content: _Content, reader: Reader) -> Finding:
    """Report the entry at `place`, whose key `first` has already; `content` is what `first` says.

    A copy that says the same can be removed, if nothing is lost with it.  It is an error (Typst reads neither); but
    pandoc reports none, and of two different ones takes the last: then it is a warning, and for a copy information.
    `reader`: the program that reads the bibliography, "" if it is not known.
    """
    path = place.source.document.path
    is_copy = _read_content(place.node) == content
    fixes: tuple[Fix, ...] = ()
    if is_copy and _may_be_removed(place, first):
        fixes = (Fix("Remove this copy", "safe", (Edit(path, place.removal, ""),)),)
    related = (Related(first.source.document.path, first.key_span, "first entry with this key"),)
    message = f"Another entry already has the key “{first.node.key}”"
    severity: Severity = "usual"
    if reader == "pandoc":
        is_on_site = place.project is not None and place.project.on_site  # where another program reads it
        message += "." if is_copy or is_on_site else f"{_CONSEQUENCE['pandoc']}."
        severity = "information" if is_copy else "warning"
    elif reader == "typst":
        message += f"{_CONSEQUENCE['typst']}."
    else:
        is_same_spelling = place.node.key == first.node.key
        message += "." if is_same_spelling else ": BibTeX ignores letter case."
    return Finding(
        CODE, path, place.key_span, message, key=place.node.key, fixes=fixes, related=related, severity=severity
    )


def _may_be_removed(copy: Place, first: Place) -> bool:
    """True if no program and no person needs a copy of `first`, which stands before it and says the same.

    False for a copy in another file, which a manuscript may read alone; for one that holds a comment; if a block before
    `first` is never closed, since BibTeX and biber then skip entries behind that block, and so may read the copy alone;
    and for a parent whose child stands between the two, as BibTeX may.
    """
    entries = first.source.syntax.entries
    if copy.source is not first.source or not isinstance(entries, BibEntries):
        return False
    unclosed = entries.first_unclosed
    is_surely_read = unclosed is None or first.start < unclosed
    return is_surely_read and not _is_parent_behind_child(copy, first, entries) and not _find_other_text(copy.node)


def _is_parent_behind_child(copy: Place, first: Place, entries: BibEntries) -> bool:
    """True if BibTeX may read the copy alone: it passes over a parent that nothing above cites or inherits from."""
    if copy.project and copy.project.reader not in ("bibtex", ""):
        return False
    key = fold_key(copy.node.key)
    parents = entries.values_of(_read_parent)
    return any(parent == key and first.index < index < copy.index for index, parent in parents)


def _read_parent(node: BibNode) -> str:
    """The folded key that an entry's `crossref` names; "" if none."""
    return fold_key(node.raw("crossref").strip()) if "crossref" in node.source.lower() else ""


def _find_other_text(node: EntryNode) -> str:
    """Return what stands in an entry beside its fields and the commas between them, such as comments; "" if nothing."""
    source = node.source
    end = node.key_span.end
    between_fields = ""
    for field in node.fields():
        between_fields += source[end : field.span.start]
        end = field.span.end
    between_fields += source[end:-1]  # without the closing brace
    return between_fields.replace(",", "").strip()


def _read_content(node: EntryNode) -> _Content:
    """What an entry says, however it is laid out; of a repeated field all values."""
    values = [(field.name, " ".join(field.value_span.within(node.source).split())) for field in node.fields()]
    return node.kind, sorted(values, key=lambda value: value[0])


def _find_same_works(project: Project, files: list[EntryFile]) -> Iterator[Finding]:
    """Entries of different keys that are of one work; a finding that says so where a bound ends the search."""
    for first, second in pairs(project, files, marks):
        if second is None:
            yield make_bound_finding(CODE, first.source.document.path, first.key_span, kind="pairs of like entries")
            continue
        why = same_work(first.entry, second.entry)
        if why:
            yield _report_same_work(second, first, why)


def pairs(project: Project, files: list[EntryFile], fact: Fact[Iterable[int]]) -> Iterator[tuple[Place, Place | None]]:
    """Yield each two entries of different keys that have a value of `fact` in common, as the hash of a DOI or a title.

    The earlier entry is the first of a pair.  After bounds.REPORTED pairs the search ends, and the last pair has None
    for its second entry, to say so.  `files`: the bibliographies in the order in which they are read.
    """
    compared: set[tuple[BibNode, BibNode]] = set()
    for pair in _find_suspects(project, files, fact):
        node = pair.node
        other = pair.other
        if node is other or node.key == other.key:  # two of one key are reported for that
            continue
        if (node, other) in compared or (other, node) in compared:
            continue
        compared.add((node, other))
        first = _place_of_node(project, pair.file, node)
        second = _place_of_node(project, pair.other_file, other)
        if pair.file is pair.other_file and second.index < first.index:
            first, second = second, first
        if len(compared) > bounds.REPORTED:
            yield second, None  # the later one, at which findings about a pair stand
            return
        yield first, second


class _Pair(NamedTuple):
    file: EntryFile
    node: BibNode
    other_file: EntryFile
    other: BibNode


def _find_suspects(project: Project, files: list[EntryFile], fact: Fact[Iterable[int]]) -> Iterator[_Pair]:
    """Yield entries that share a value of the fact, which is a function of one entry; some pairs come twice.

    Within a file these are all pairs of entries, those of rare values first: if the search ends early, it has seen the
    likeliest.  Of two files that are read together only the first entry with the value in each is taken.
    """
    for number, file in enumerate(files):
        shared = file.entries.shared(fact, file.judged)
        # Of entries with one key only the first counts, as pairs of thousands of copies take minutes: put in last, it
        # replaces the others.
        groups = [{node.key: node for node in reversed(group)} for group in shared.several.values()]
        for by_key in sorted(groups, key=len):
            # In the order of the file again, unless a key is repeated; the caller orders each pair by itself.
            for node, other in combinations(reversed(by_key.values()), 2):
                yield _Pair(file, node, file, other)
        for earlier in files[:number]:
            if _are_read_together(project, earlier, file):
                for node, other in earlier.entries.shared(fact, earlier.judged).pair_first_with(shared):
                    yield _Pair(earlier, node, file, other)


def _are_read_together(project: Project, file: EntryFile, other: EntryFile) -> bool:
    return project.are_read_together(file.source.document.path, other.source.document.path)


def _place_of_node(project: Project, file: EntryFile, node: BibNode) -> Place:
    index = next(index for index in file.entries.by_key(node.key) if file.entries.node(index) is node)
    return Place(file.source, index, project)


def _report_same_work(place: Place, first: Place, why: str) -> Finding:
    related = (Related(first.source.document.path, first.key_span, f"the same work as “{first.node.key}”"),)
    message = f"“{first.node.key}” is the same work: {why}."
    path = place.source.document.path
    return Finding(CODE, path, place.key_span, message, key=place.node.key, related=related, severity="information")


def same_work(first: Entry, second: Entry) -> str:
    """Say why two entries are of one work, such as “both have the DOI 10.1000/1”; "" if they need not be.

    A DOI or arXiv id in common is enough unless the titles differ by more than a subtitle.  Without one the titles must
    be the same, nothing may tell two publications (as two DOIs do, arXiv's aside), and people and year must agree (the
    year may be one apart, or lacking), or first author, year and place in print; under a title of less than SHORT
    letters people, year and volume.
    """
    identifiers = first.identifiers
    others = second.identifiers
    title = titles.key(first.title)
    other_title = titles.key(second.title)
    one_is_untitled = not title or not other_title
    may_be_one = title == other_title or one_is_untitled or _is_beginning(title, other_title)
    if may_be_one and identifiers.doi and identifiers.doi == others.doi:
        return f"both have the DOI {identifiers.doi}"
    if may_be_one and identifiers.arxiv and identifiers.arxiv == others.arxiv:
        return f"both have the arXiv id {identifiers.arxiv}"
    if title != other_title or _are_different_dois(identifiers.doi, others.doi):
        return ""
    if len(title) < SHORT:  # such as `Introduction`, which many works are called; or there is no title
        return "title, authors, year and volume agree" if title and _is_same_volume(first, second) else ""
    if first.year and second.year and abs(first.year - second.year) > _MOST_YEARS_APART:
        return ""
    if are_two_publications(first, second):  # say a thesis and an article, or in two volumes, or on other pages
        return ""
    if _are_same_people(first, second):
        has_same_year = bool(first.year) and first.year == second.year
        return "title, authors and year agree" if has_same_year else "title and authors agree"
    if _is_same_place(first, second):
        return "title, first author, year and place agree"
    return ""


def _is_same_place(first: Entry, second: Entry) -> bool:
    """True if the first authors and years are the same, and at least two of volume, number and pages agree.

    None but the number may differ.  The other authors do not count, as one list may be cut without saying so.
    """
    if not (first.authors and second.authors):
        return False
    if names.family_key(first.authors[0]) != names.family_key(second.authors[0]):
        return False
    if first.year != second.year or not first.year:
        return False
    agreeing = 0
    for field in ("volume", "number", "pages"):
        text = _fold_field(first, field)
        other_text = _fold_field(second, field)
        if not text or not other_text:
            continue
        if text == other_text:
            agreeing += 1
        elif field != "number":  # some count issues within the year, and some go on
            return False
    return agreeing > 1


def _fold_field(entry: Entry, name: str) -> str:
    return " ".join(words(entry.text(name)))


def _is_same_volume(one: Entry, other: Entry) -> bool:
    """True if two entries with one short title, as `Introduction`, have the same volume, year and people.

    False if both give pages, or numbers, that differ: one issue after the other has such a title.
    """
    volume = one.text("volume")
    has_same_volume = bool(volume) and volume == other.text("volume")
    has_same_year = bool(one.year) and one.year == other.year
    if not (has_same_volume and has_same_year):
        return False
    pages = words(one.text("pages"))
    other_pages = words(other.text("pages"))
    pages_differ = bool(pages) and bool(other_pages) and pages != other_pages
    number = words(one.text("number"))
    other_number = words(other.text("number"))
    numbers_differ = bool(number) and bool(other_number) and number != other_number
    return not pages_differ and not numbers_differ and _are_same_people(one, other)


def _are_same_people(one: Entry, other: Entry) -> bool:
    """True if the same people are named, in whatever order, as far as the lists go."""
    families = [names.family_key(name) for name in one.authors]
    other_families = [names.family_key(name) for name in other.authors]
    if families == other_families:
        return bool(families)
    people = author_lists.compare(
        one.authors, other.authors, cited_cut=one.authors_truncated, recorded_cut=other.authors_truncated
    )
    return bool(people.shared) and not (people.added or people.dropped or people.replaced)


def _is_beginning(one: str, other: str) -> bool:
    """True if one title is the beginning of the other, as without its subtitle, and says enough."""
    return min(len(one), len(other)) >= SHORT and (one.startswith(other) or other.startswith(one))


def _are_different_dois(doi: str, other: str) -> bool:
    """True for two DOIs that differ, neither of them arXiv's, which gives the preprint of a work one of its own."""
    is_of_arxiv = doi.startswith(_DOI_OF_ARXIV) or other.startswith(_DOI_OF_ARXIV)
    return bool(doi and other) and doi != other and not is_of_arxiv


CHECK = Check(
    CODE,
    "error",
    "Two entries share a key. Or, as information, two keys are of the same work.",
    check,
    facts=lambda *_: [marks],
)
