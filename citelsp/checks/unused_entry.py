"""An entry is not cited by any manuscript, or nothing uses a macro that stands among entries.

Not said of a bibliography that other manuscripts use too, nor of one that is large, as it will be a library;
`note_unreported` says of which.
"""

from collections.abc import Container, Iterable, Iterator

from citelsp.base.text import Edit, write_count
from citelsp.bibliography.string_macros import MONTHS
from citelsp.checks.finding import Check, Finding, Fix, Note
from citelsp.checks.undefined_string import of_blocks, uses
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex import granular_xdata
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.formats.items import BibItem
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "unused-entry"
OF_SPHINX = "unused entries are not reported, because Sphinx also reads code and reStructuredText, which may cite them"
SHARED = "unused entries are not reported, because other manuscripts share {it|them}"
_POINTING = ("crossref", "xref", "xdata", "related", "entryset")


def check(project: Project, _: Knowledge) -> list[Finding]:
    # Whatever was not read may cite the entry: so may chapters that nothing includes, if they are too many.
    if not project.closed or not project.manuscript or project.strays is None:
        return []
    searched = list(_choose_searched(project))
    macros = list(_find_macros(project, searched))
    if project.cites_all or not searched:
        return macros
    used = _find_used(project)
    entries = [finding for source in searched for finding in _find_unused_entries(project, source, used)]
    return [*entries, *macros]


def note_unreported(project: Project) -> list[Note]:
    """Return a note for each bibliography whose unused entries are not reported, with the first reason that holds.

    Several manuscripts share it, Sphinx reads it, or it has more entries than the setting `checks.unused_limit` allows.
    None if there is no manuscript, or if one cites all entries: then none counts as unused anyway.
    """
    if not project.manuscript or project.cites_all:
        return []
    notes = []
    limit = project.settings.checks.unused_limit
    for path in project.bibliographies:
        source = project.sources[path]
        count = len(source.syntax.entries or ())
        if not count:  # none can be unused
            continue
        if path in project.shared:
            notes.append(Note(path, SHARED))
        elif _is_read_by_sphinx(project):
            notes.append(Note(path, OF_SPHINX))
        elif count > limit:
            # The first of two forms is for one bibliography, the second for several of which a note says the same.
            why = (
                f"because {{it has|they have}} more than {write_count(limit, 'entry', 'entries')} (checks.unused_limit)"
            )
            notes.append(Note(path, f"unused entries are not reported, {why}"))
    return notes


def _is_read_by_sphinx(project: Project) -> bool:
    return any("roles" in it.syntax.signs for it in project.sources.values())


def _choose_searched(project: Project) -> Iterator[Source]:
    """Yield the bibliographies whose unused entries are reported: all but those of `note_unreported`."""
    if _is_read_by_sphinx(project):
        return
    for path in project.bibliographies:
        source = project.sources[path]
        count = len(source.syntax.entries or ())
        if path not in project.shared and count <= project.settings.checks.unused_limit:
            yield source


def _find_used(project: Project) -> set[tuple[Source, int]]:
    """Return the source and index of each entry that is cited, or to which a cited one refers, in however many steps.

    What chapters cite that nothing includes (`project.strays`) counts as cited.
    """
    used: set[tuple[Source, int]] = set()
    waiting = list(project.cited)
    for stray in project.strays or ():
        waiting += [citation.key for citation in stray.syntax.citations]
    queued = set(waiting)  # all that ever were in `waiting`, so that a circle of entries ends
    while waiting:
        for place in project.find(waiting.pop()):
            used.add((place.source, place.index))
            new = [key for key in _list_pointed(place) if key not in queued]
            queued.update(new)
            waiting += new
    return used


def _list_pointed(place: Place) -> list[str]:
    """The keys of the entries that an entry inherits from or names as related."""
    node = place.node
    written = node.source.lower()
    keys = []
    for name in _POINTING:
        if name in written:
            keys += [key.strip() for key in node.raw(name).split(",")]
    keys += [span.within(node.source) for span in granular_xdata.find_key_spans(node.source)]
    return [key for key in keys if key]


def _find_unused_entries(project: Project, source: Source, used: set[tuple[Source, int]]) -> Iterator[Finding]:
    path = source.document.path
    for index, key in enumerate(source.keys):
        if key and (source, index) not in used:
            place = Place(source, index, project)
            removal = Fix("Remove the entry", "review", (Edit(path, place.removal, ""),))
            is_part = isinstance(place.node, BibItem) and not place.node.closed  # the rest would stay
            fixes = () if is_part else (removal,)
            message = f"No manuscript cites “{key}”."
            yield Finding(CODE, path, place.key_span, message, key=key, fixes=fixes, faded=True)


def _find_macros(project: Project, searched: Iterable[Source]) -> Iterator[Finding]:
    """Report the macros that nothing uses, of files with entries: one with macros alone is a list for many manuscripts.

    Nothing if one of the bibliographies is large, as all of it would have to be looked through.  `searched`: the
    bibliographies of which unused entries and macros are reported.
    """
    defining = [source for source in searched if source.syntax.strings and len(source.syntax.entries or ())]
    of_each = [source.syntax.entries for source in project.defining]
    bibliographies = [entries for entries in of_each if isinstance(entries, BibEntries)]
    limit = project.settings.checks.unused_limit
    if not defining or any(len(entries) > limit for entries in bibliographies):
        return
    used: set[str] = set()
    for entries in bibliographies:
        for _, _, of_block in of_blocks(entries):
            used.update(use.name.lower() for use in of_block)
        for _, of_entry in entries.values_of(uses):
            used.update(use.name.lower() for use in of_entry)
    for source in defining:
        if isinstance(source.syntax.entries, BibEntries):
            yield from _find_unused_macros(source, source.syntax.entries, used)


def _find_unused_macros(source: Source, entries: BibEntries, used: Container[str]) -> Iterator[Finding]:
    blocks = entries.specials
    for node, start in zip(blocks.nodes, blocks.starts, strict=True):
        if node.kind != "string":
            continue
        for field in node.fields():
            is_month = field.name in MONTHS  # which `uses` leaves out
            if field.name not in used and not is_month:
                name = field.name_span.within(node.source)
                message = f"No entry uses the macro “{name}”."
                yield Finding(CODE, source.document.path, field.name_span.moved(start), message, faded=True)


CHECK = Check(
    CODE,
    "hint",
    "The manuscript does not cite this entry, or nothing uses this `@string` macro.",
    check,
    needs="project",
)
