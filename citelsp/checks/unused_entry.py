"""An entry is not cited by any manuscript, or nothing uses a macro that stands among entries.

Not said of a bibliography that other manuscripts use too, nor of one that is large, as it will be a library; `left_out`
says of which.
"""

from collections.abc import Iterable, Iterator

from citelsp.base.text import Edit
from citelsp.checks.finding import Check, Finding, Fix, Note
from citelsp.checks.undefined_string import of_blocks, uses
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

CODE = "unused-entry"
OF_SPHINX = "unused entries are not reported, because Sphinx also reads code and reStructuredText, which may cite them"
SHARED = "unused entries are not reported, because other manuscripts share {it|them}"
_POINTING = ("crossref", "xref", "xdata", "related", "entryset")


def check(project: Project, _: Knowledge) -> list[Finding]:
    if not project.closed or not project.manuscript or project.strays is None:
        return []
    searched = list(_searched(project))
    macros = list(_macros(project, searched))
    if project.cites_all or not searched:
        return macros
    used = _used(project)
    return [*(finding for source in searched for finding in _unused_of_source(project, source, used)), *macros]


def left_out(project: Project) -> list[Note]:
    """The bibliographies whose unused entries are not reported."""
    found = []
    for source in map(project.sources.__getitem__, project.bibliographies):
        path, count = source.document.path, len(source.syntax.entries or ())
        limit = project.settings.checks.unused_limit
        if path in project.shared and count:
            found.append(Note(path, SHARED))
        elif _is_read_by_sphinx(project):
            found.append(Note(path, OF_SPHINX))
        elif count > limit:
            why = f"because {{it has|they have}} more than {limit} entries (checks.unused_limit)"
            found.append(Note(path, f"unused entries are not reported, {why}"))
    return found


def _is_read_by_sphinx(project: Project) -> bool:
    return any("roles" in it.syntax.signs for it in project.sources.values())


def _searched(project: Project) -> Iterator[Source]:
    for path in () if _is_read_by_sphinx(project) else project.bibliographies:
        count = len(project.sources[path].syntax.entries or ())
        if path not in project.shared and count <= project.settings.checks.unused_limit:
            yield project.sources[path]


def _used(project: Project) -> set[tuple[Source, int]]:
    """Source and index of the entries that are cited, or that a cited one refers to."""
    used: set[tuple[Source, int]] = set()
    todo = [*project.cited, *(it.key for source in project.strays or () for it in source.syntax.citations)]
    seen = set(todo)
    while todo:
        for place in project.find(todo.pop()):
            used.add((place.source, place.index))
            pointed = [it for it in _pointed(place) if it not in seen]
            seen.update(pointed)
            todo += pointed
    return used


def _pointed(place: Place) -> Iterable[str]:
    node = place.node
    written = node.source.lower()
    names = [it for it in _POINTING if it in written]
    return [key.strip() for name in names for key in node.raw(name).split(",") if key.strip()]


def _unused_of_source(project: Project, source: Source, used: set[tuple[Source, int]]) -> Iterator[Finding]:
    path = source.document.path
    for index, key in enumerate(source.keys):
        if key and (source, index) not in used:
            place = Place(source, index, project)
            removal = Fix("Remove the entry", "review", (Edit(path, place.removal, ""),))
            message = f"No manuscript cites “{key}”."
            yield Finding(CODE, path, place.key_span, message, key, fixes=(removal,), faded=True)


def _macros(project: Project, searched: Iterable[Source]) -> Iterator[Finding]:
    """Of a file that has entries, as one with macros alone is a list of journals for many manuscripts.

    Not beside a large bibliography, all of which would have to be looked through.
    """
    defined = [(it, it.syntax.entries) for it in searched if it.syntax.strings and len(it.syntax.entries or ())]
    known = [it.syntax.entries for it in project.defining if isinstance(it.syntax.entries, BibEntries)]
    if not defined or any(len(it) > project.settings.checks.unused_limit for it in known):
        return
    in_blocks = (use for it in known for _, _, found in of_blocks(it) for use in found)
    in_entries = (use for it in known for _, found in it.values_of(uses) for use in found)
    used = {it.name.lower() for it in (*in_blocks, *in_entries)}
    for source, entries in defined:
        blocks = entries.specials if isinstance(entries, BibEntries) else None
        for node, start in zip(blocks.nodes, blocks.starts, strict=True) if blocks else ():
            for field in node.fields() if node.kind == "string" else ():
                if field.name not in used:
                    name = field.name_span.within(node.source)
                    span, message = field.name_span.moved(start), f"No entry uses the macro “{name}”."
                    yield Finding(CODE, source.document.path, span, message, faded=True)


CHECK = Check(
    CODE,
    "hint",
    "The manuscript does not cite this entry, or nothing uses this `@string` macro.",
    check,
    needs="project",
)
