"""Every place where the work or the macro under the cursor is mentioned."""

from citelsp.features import key_mentions, macros
from citelsp.features.values import Location
from citelsp.workspace.project import Project


def find(project: Project, path: str, offset: int, *, declaration: bool = True) -> list[Location]:
    """Return where the key under the cursor is cited, or named by a field or a group; for a macro, where it is used.

    With `declaration` also its entries and aliases, or the macro's @string.  Empty if no key or macro stands there.
    """
    macro = macros.macro_at(project, path, offset)
    if macro:
        uses = [it for it in macros.find_mentions(project, macro.name) if declaration or not it.defines]
        return [Location(it.path, it.span, it.whole) for it in uses]
    mention = key_mentions.mention_at(project, path, offset)
    if mention is None:
        return []
    of_key = key_mentions.find_mentions(project, mention.key)
    shown = [it for it in of_key if declaration or it.role not in ("entry", "alias")]
    return [Location(it.path, it.span, it.whole) for it in shown]
