"""A citation whose key no entry has.

Said only where the namespace is closed (`Project.closed`): a key may stand in whatever could not be read.
"""

from citelsp.bibliography import nearest
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.knowledge import Knowledge
from citelsp.project import Project, Source
from citelsp.syntax.nodes import Citation
from citelsp.syntax.written import as_written
from citelsp.text import Edit

CODE = "undefined-citation"
_MAX_COMPARED = 100_000  # keys looked at for similar ones in one run: some 40 ms


def check(project: Project, _: Knowledge) -> list[Finding]:
    undefined = [] if not project.closed else [key for key in project.cited if not project.defines(key)]
    if not undefined:
        return []
    known = sum(len(it.syntax.entries or ()) for it in project.defining)
    guesses = {key: _similar(project, key) for key in sorted(undefined)[: 1 + _MAX_COMPARED // (known + 1000)]}
    return [
        _finding(source, citation, guesses.get(citation.key, []))
        for source, citation in project.citations()
        if citation.key in undefined
    ]


def _similar(project: Project, key: str) -> list[str]:
    found: list[str] = []
    for source in project.defining:
        if key not in source.similar:
            source.similar[key] = nearest.like(key, source.keys_by_length)
        found += source.similar[key]
    return nearest.like(key, nearest.by_length(found))


def _finding(source: Source, citation: Citation, guesses: list[str]) -> Finding:
    path = source.document.path
    message = f"No entry has the key “{citation.key}”."
    if any(it.casefold() == citation.key.casefold() for it in guesses):
        message = f"No entry has the key “{citation.key}”; “{guesses[0]}” differs in letter case."
    elif guesses:
        message += f" Similar: {', '.join(guesses)}."
    fixes = tuple(_instead(source, citation, it) for it in guesses)
    return Finding(CODE, path, citation.span, message, "warning", citation.key, fixes=fixes)


def _instead(source: Source, citation: Citation, key: str) -> Fix:
    edit = Edit(source.document.path, citation.span, as_written(source.document, citation.span, key))
    return Fix(f"Cite “{key}” instead", "review", (edit,))


CHECK = Check(CODE, "warning", "A citation whose key no entry has.", check, needs="project")
