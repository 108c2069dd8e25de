"""Where the thing under the cursor is defined."""

from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.features import key_mentions, linked_files, macros
from citelsp.features.values import Location
from citelsp.workspace.project import Project


@dataclass(frozen=True, slots=True)
class DefinitionLink:
    """`origin` is the key, macro or file name under the cursor; `targets` is empty if nothing defines it."""

    origin: Span
    targets: tuple[Location, ...]


def find(project: Project, path: str, offset: int) -> DefinitionLink | None:
    """Return where the thing at `offset` is defined; None if nothing there can be.

    A key, in a citation, a `crossref` or an entry of its own, is defined by the entries that have it, a macro by its
    @string, and a file name by the beginning of the file.
    """
    mention = key_mentions.mention_at(project, path, offset)
    if mention:
        return DefinitionLink(mention.span, tuple(_locate_entries(project, mention.key)))
    macro = macros.macro_at(project, path, offset)
    if macro:
        definitions = macros.definitions(project, macro.name)
        return DefinitionLink(macro.span, tuple(Location(it.path, it.span, it.whole) for it in definitions))
    source = project.sources.get(path)
    if source is None:
        return None
    for link in source.syntax.links:
        if link.span.touches(offset):
            paths = linked_files.find_named(project, source, link)
            return DefinitionLink(link.span, tuple(Location(it, Span(0, 0), Span(0, 0)) for it in paths))
    return None


def _locate_entries(project: Project, key: str) -> list[Location]:
    return [Location(it.source.document.path, it.key_span, it.span) for it in project.find(key)]
