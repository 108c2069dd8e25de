"""A project after somebody typed what leads nowhere else: it is carried over where reading it anew would find the same.

Anything that might lead elsewhere, and whatever is rare, is left to `include_graph.build`.
"""

from collections.abc import Iterable
from dataclasses import replace

from citelsp.base.settings import Settings
from citelsp.syntax import languages
from citelsp.syntax.languages.latex.branches import is_optional
from citelsp.workspace import bibtex_style, borrowing, link_paths, roots
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

Basis = tuple[Settings, tuple[Source, ...]]  # and the open documents, always in one order


def carry_over(project: Project, before: Basis, now: Basis) -> Project | None:
    """Return the project with the open documents as they are now; None if it may have changed and has to be built anew.

    A basis is the settings and the sources of the open documents: with the files on disk it decides the project.
    """
    old_settings, old_documents = before
    settings, documents = now
    # A project asked about by its bibliography: which documents belong to it may depend on what they cite.
    if languages.language_of_path(project.subject).by_ending:
        return None
    if settings != old_settings or len(documents) != len(old_documents):
        return None
    sources = dict(project.sources)
    changed: set[str] = set()
    for old, new in zip(old_documents, documents, strict=True):
        if old is new:
            continue
        path = old.document.path
        is_stray = old in (project.strays or ())  # a chapter that no manuscript includes
        # A source that stands in the project in another form: with its own files, or with roles alone.
        is_altered = sources.get(path, old) is not old
        # One outside the project is a stray if it cites what is here.
        may_be_stray = path not in sources and _list_keys(old) != _list_keys(new)
        if not _lead_alike(old, new) or is_stray or may_be_stray or is_altered:
            return None
        if path in sources:
            sources[path] = new
            changed.add(path)
    # An unresolved link has an offset in the text, and a macro in a link's name may now be defined in another way.
    has_places = any(link.path in changed for link in project.unresolved)
    if changed and (has_places or _have_macros(sources.values())):
        return None
    return replace(project, sources=sources)


def _list_keys(source: Source) -> set[str]:
    return {citation.key for citation in source.syntax.citations}


def _have_macros(sources: Iterable[Source]) -> bool:
    return any(link_paths.has_macros(link) for source in sources for link in source.syntax.links)


def _lead_alike(old: Source, new: Source) -> bool:
    """True for two states of a document without entries of its own that are read as the same document of a project."""
    if old.document.path != new.document.path or old.open != new.open:
        return False
    leads = _what_leads(old)
    return leads is not None and leads == _what_leads(new)


def _what_leads(source: Source) -> tuple[object, ...] | None:
    """Return all that decides which documents belong to this one, and to which it belongs, to be compared.

    None if more decides than is looked at here: entries of its own, or bibliographies of single sections.
    """
    syntax = source.syntax
    text = source.document.text
    if syntax.entries is not None or syntax.written is not None or source.language.bibliography is not None:
        return None
    bibliography_links = [link for link in syntax.links if link.kind == "bibliography"]
    if any(link_paths.section_of(text, link) is not None for link in bibliography_links):
        return None
    styles = list(bibtex_style.find_commands(source.document)) if "style" in syntax.signs else []
    return (
        source.document.language,
        [(style[1], is_optional(text, style.start(1))) for style in styles],
        [(link.kind, link.target, link.base, link.label, link.handed_on) for link in syntax.links],
        syntax.is_root,
        syntax.root,
        syntax.signs,
        syntax.cite_commands,
        syntax.reduced,
        syntax.csl,
        syntax.citation_style,
        borrowing.may_cite(source),
        roots.may_be_chapter(source),
    )
