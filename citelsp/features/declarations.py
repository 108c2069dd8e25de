r"""Naming one more bibliography in a manuscript: `\addbibresource`, `\bibliography` or YAML `bibliography:`."""

from pathlib import PurePath, PurePosixPath

from citelsp.base.text import Edit
from citelsp.features.values import Refused, file_name
from citelsp.features.write_targets import root_of
from citelsp.syntax import languages
from citelsp.syntax.languages.latex.declaring import loads_biblatex
from citelsp.syntax.nodes import Link
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source


def edit_for(project: Project, path: str, bibliography: str) -> Edit | Refused:
    """Return the edit that declares a `bibliography`, given by its path, in the manuscript of the document at `path`.

    It is declared beside the last one that is declared in a document that can be written; if there is none, in the root
    document as a first one.  Refused if that is read-only, or if a list to which it would have to be added is.
    """
    declarations = _list_declarations(project)
    writable = [(source, link) for source, link in declarations if source.writable]
    if writable:
        source, link = writable[-1]
        return _declare_beside(source, link, bibliography)
    root = project.sources[root_of(project, path)]
    # A document has one list: BibTeX and Typst refuse a second \bibliography, where \addbibresource may be repeated.
    lists = [source for source, link in declarations if link.insert_at is not None]
    declaring = lists[-1] if lists else root
    if not declaring.writable:
        bib, manuscript = file_name(bibliography), file_name(declaring.document.path)
        return Refused(f"{bib} would have to be named in {manuscript}, which is read-only.")
    return _declare_first(project, root, bibliography)


def _list_declarations(project: Project) -> list[tuple[Source, Link]]:
    """List the declarations of bibliographies in the manuscript and its metadata, each with its document.

    Documents come in the order in which they were read, from the root down.
    """
    declarations: list[tuple[Source, Link]] = []
    for source in project.sources.values():
        declarations += [(source, link) for link in source.syntax.links if link.kind == "bibliography"]
    return declarations


def _declare_beside(source: Source, link: Link, bibliography: str) -> Edit:
    """Return the edit that names a bibliography beside the one that `link` names, as the document's language does."""
    # Also YAML and JSON, formats of bibliographies, may hold settings that name one.
    kind = source.language.manuscript or source.language.bibliography
    declare = (kind and kind.declare_beside) or languages.PLAIN_MANUSCRIPT.declare_beside
    name = _write_relative(bibliography, source.document.path)
    return Edit(source.document.path, *declare(source.document.text, link, name))


def _declare_first(project: Project, root: Source, bibliography: str) -> Edit:
    """Return the edit that declares a bibliography in a root as its language declares a first one, else as LaTeX."""
    declare = (root.language.manuscript or languages.PLAIN_MANUSCRIPT).declare
    hidden = root.syntax.ground.hidden if root.syntax.ground else ()  # comments and the like, where none can stand
    # All of the language, as a package such as biblatex, which says how to declare one, may be loaded in any of them.
    texts = (source.document.text for source in project.sources.values() if source.language is root.language)
    name = _write_relative(bibliography, root.document.path)
    return Edit(root.document.path, *declare(root.document.text, hidden, name, texts))


def uses_biblatex(project: Project) -> bool:
    """True if a part of the manuscript loads the package."""
    return any(loads_biblatex(it.document.text) for it in project.sources.values() if it.language.search == "kpathsea")


def _write_relative(path: str, document: str) -> str:
    """Write a path as TeX and pandoc want it: relative if it lies in the document's folder or below, with slashes."""
    folder = PurePath(document).parent
    try:
        relative = PurePath(path).relative_to(folder)
    except ValueError:
        relative = PurePath(path)
    return str(PurePosixPath(*relative.parts)) if not relative.is_absolute() else relative.as_posix()
