"""A project after somebody typed what leads nowhere else: it is carried over where reading it anew would find the same.

Anything that might lead elsewhere, and whatever is rare, is left to `include_graph.build`.
"""

from dataclasses import replace

from citelsp.base.settings import Settings
from citelsp.syntax import languages
from citelsp.workspace import borrowing, link_paths
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

Basis = tuple[Settings, tuple[Source, ...]]  # and the open documents, always in one order


def carried(project: Project, before: Basis, now: Basis) -> Project | None:
    """The project with the open documents as they are now; None if another one may follow from them."""
    (settings, old), (new_settings, new) = before, now
    # Which documents belong to a bibliography that none names depends on what they cite.
    if settings != new_settings or len(old) != len(new) or languages.language_of_path(project.subject).by_ending:
        return None
    sources = dict(project.sources)
    for was, became in zip(old, new, strict=True):
        if was is became:
            continue
        path = was.document.path
        if not _lead_alike(was, became) or was in (project.strays or ()) or sources.get(path, was) is not was:
            return None
        if path in sources:
            sources[path] = became
    changed = {path for path, it in sources.items() if it is not project.sources[path]}
    # An unresolved link has its place in the text; the definition of a macro may have changed.
    macros = (link_paths.has_macros(link) for it in sources.values() for link in it.syntax.links)
    if changed and (any(it.path in changed for it in project.unresolved) or any(macros)):
        return None
    return replace(project, sources=sources)


def _lead_alike(old: Source, new: Source) -> bool:
    """True for two states of a document without entries of its own that are read as the same document of a project."""
    return old.document.path == new.document.path and old.open == new.open and (_leads(old) == _leads(new) is not None)


def _leads(source: Source) -> tuple[object, ...] | None:
    """What decides what a document belongs to, and what to it; None if that is more than is looked at here."""
    syntax, text = source.syntax, source.document.text
    if syntax.entries is not None or syntax.written is not None or source.language.bibliography is not None:
        return None
    if any(link_paths.section_of(text, it) is not None for it in syntax.links if it.kind == "bibliography"):
        return None
    named = [(it.kind, it.target, it.base) for it in syntax.links]
    cites = borrowing.may_cite(source)
    others = syntax.is_root, syntax.root, syntax.signs, syntax.cite_commands, syntax.reduced, syntax.csl, cites
    return source.document.language, named, *others
