"""Which keys without an entry are not reported as undefined, and why: what could define them was not read."""

from citelsp.checks.finding import Note
from citelsp.checks.missing_bibliography import is_amiss
from citelsp.project import Project

_WHY = {
    "missing": "{name} is named there and was not found",
    "denied": "{name} is named there and may not be opened",
    "binary": "{name} is named there and is no text",
    "large": "{name} is named there and is too large to be read",
    "foreign": "{name} is named there and is of a format that is not read (BibTeX and CSL data are)",
    "remote": "{name} is named there and is not on this machine",
    "unclear": "{name} is named there, which macros or a pattern make",
    "distributed": "{name} is named there, which a TeX distribution may bring along",
    "elsewhere": "{name} is named there, which was not found here",
}


def notes(project: Project) -> list[Note]:
    """One for a manuscript: the keys, and the first thing that was not read."""
    return [*_undeclared(project), *_open(project)]


def _undeclared(project: Project) -> list[Note]:
    """A manuscript that cites and declares no bibliography; in Markdown a bare at sign may mean something else."""
    if project.defining or any(it.link.kind == "bibliography" for it in project.unresolved):
        return []
    latex = [source for source, _ in project.citations() if source.document.language == "latex"]
    if latex:
        ways = r"\bibliography or \addbibresource"
        return [Note(latex[0].document.path, f"no bibliography is declared ({ways}), so no citation was checked")]
    keys = {it.key for _, it in project.citations() if not it.narrative}
    if not keys:
        return []
    path = project.manuscript[0]
    return [Note(path, "no bibliography is declared there, so {keys} in brackets went unchecked", len(keys))]


def _open(project: Project) -> list[Note]:
    """Where the namespace is open, though bibliographies are declared."""
    declared = project.defining or any(it.link.kind == "bibliography" for it in project.unresolved)
    unknown = sum(not project.defines(it) for it in project.cited) if declared and not project.closed else 0
    opaque = next((it.document.path for it in project.parts if it.syntax.opaque), "")
    if not unknown:
        return []
    if project.unnamed and unknown == len(project.cited):
        return []  # at signs may well mean something else
    if project.unresolved:
        first = min(project.unresolved, key=lambda it: not is_amiss(project, it))
        path, why = first.path, _WHY[first.why].format(name=first.link.target)
    elif project.unnamed:
        path, why = project.manuscript[0], "no bibliography is named there, and the one beside it may not be all"
    elif project.guessed:
        path, why = project.subject, "no main document leads there"
    elif project.bounded:
        path, why = project.subject, "it leads to more documents than are read"
    elif opaque:
        path, why = opaque, "macros make citations or file names there"
    else:
        path, why = project.subject, "no main document leads there"
    return [Note(path, f"{why}, so {{keys}} without an entry went unreported", unknown)]
