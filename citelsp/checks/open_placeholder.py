"""A citation still to be filled."""

from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

CODE = "open-placeholder"


def check(project: Project, _: Knowledge) -> list[Finding]:
    found = []
    for source in project.parts:
        for placeholder in source.syntax.placeholders:
            has_words = any(map(str.isalnum, placeholder.words))  # `[@???]` has none
            about = f" for “{placeholder.words}”" if has_words else ""
            message = f"A citation{about} is still to be chosen."
            found.append(Finding(CODE, source.document.path, placeholder.span, message))
    return found


CHECK = Check(
    CODE,
    "hint",
    r"A citation is still to be chosen: `\cite<>`, `\cite<some words>`, `[@<>]` and the like.",
    check,
    needs="document",
)
