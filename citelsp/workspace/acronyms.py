"""What the abbreviations of a manuscript stand for, whichever of its documents defines them."""

from collections.abc import Mapping

from citelsp.workspace.project import Project


def of(project: Project) -> Mapping[str, str]:
    """By the key that prints each, as `syntax.prose` takes them."""
    found: dict[str, str] = {}
    for part in project.parts:
        found |= part.syntax.acronyms
    return found
