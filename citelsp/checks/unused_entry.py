"""An entry is not cited by any manuscript.

Not said of a bibliography that other manuscripts use too, nor of one that is large, as it will be a library; `left_out`
says of which.
"""

from collections.abc import Iterable, Iterator

from citelsp.base.text import Edit
from citelsp.checks.finding import Check, Finding, Fix, Note
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Place, Project, Source

CODE = "unused-entry"
SHARED = "unused entries are not reported, because other manuscripts share it"
_POINTING = ("crossref", "xref", "xdata", "related", "entryset")


def check(project: Project, _: Knowledge) -> list[Finding]:
    if not project.closed or project.cites_all or not project.manuscript:
        return []
    searched = list(_searched(project))
    used = _used(project) if searched else set()
    return [finding for source in searched for finding in _in(project, source, used)]


def left_out(project: Project) -> list[Note]:
    """The bibliographies whose unused entries are not reported."""
    found = []
    for source in map(project.sources.__getitem__, project.bibliographies):
        path, count = source.document.path, len(source.syntax.entries or ())
        limit = project.settings.checks.unused_limit
        if path in project.shared and count:
            found.append(Note(path, SHARED))
        elif count > limit:
            why = f"because it has more than {limit} entries (checks.unused_limit)"
            found.append(Note(path, f"unused entries are not reported, {why}"))
    return found


def _searched(project: Project) -> Iterator[Source]:
    for path in project.bibliographies:
        count = len(project.sources[path].syntax.entries or ())
        if path not in project.shared and count <= project.settings.checks.unused_limit:
            yield project.sources[path]


def _used(project: Project) -> set[tuple[Source, int]]:
    """Source and index of the entries that are cited, or that a cited one refers to."""
    used: set[tuple[Source, int]] = set()
    todo: list[str] = list(project.cited)
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


def _in(project: Project, source: Source, used: set[tuple[Source, int]]) -> Iterator[Finding]:
    path = source.document.path
    for index, key in enumerate(source.keys):
        if key and (source, index) not in used:
            place = Place(source, index, project)
            removal = Fix("Remove the entry", "review", (Edit(path, place.removal, ""),))
            message = f"No manuscript cites “{key}”."
            yield Finding(CODE, path, place.key_span, message, "information", key, fixes=(removal,), faded=True)


CHECK = Check(CODE, "information", "An entry is not cited by any manuscript.", check, needs="project")
