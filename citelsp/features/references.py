"""Every place where the work or the macro under the cursor is mentioned."""

from citelsp.features import macros, mentions
from citelsp.features.values import Location
from citelsp.workspace.project import Project


def find(project: Project, path: str, offset: int, *, declaration: bool = True) -> list[Location]:
    """Citations, `crossref` and the like of the key under the cursor; with `declaration` its entries too."""
    if macro := macros.macro_at(project, path, offset):
        found = (it for it in macros.find_mentions(project, macro.name) if declaration or not it.defines)
        return [Location(it.path, it.span, it.whole) for it in found]
    mention = mentions.mention_at(project, path, offset)
    if mention is None:
        return []
    return [
        Location(other.path, other.span, other.whole)
        for other in mentions.find_mentions(project, mention.key)
        if declaration or other.role not in ("entry", "alias")
    ]
