r"""Naming one more bibliography in a manuscript: `\addbibresource`, `\bibliography` or YAML `bibliography:`."""

from pathlib import PurePath, PurePosixPath

from citelsp.base.text import Edit
from citelsp.features.write_targets import root_of
from citelsp.syntax import languages
from citelsp.syntax.languages.latex.declaring import loads_biblatex
from citelsp.syntax.nodes import Link
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source


def edit_for(project: Project, path: str, bibliography: str) -> Edit:
    """The edit of the root (or of the document that already names bibliographies) that adds this one."""
    declaring = _declaring(project)
    if declaring is not None:
        source, link = declaring
        return _insert_beside(source, link, _relative(bibliography, source.document.path))
    root = project.sources[root_of(project, path)]
    name = _relative(bibliography, root.document.path)
    declare = (root.language.manuscript or languages.PLAIN_MANUSCRIPT).declare
    hidden = root.syntax.ground.hidden if root.syntax.ground else ()
    texts = (it.document.text for it in project.sources.values() if it.language is root.language)
    return Edit(root.document.path, *declare(root.document.text, hidden, name, texts))


def _declaring(project: Project) -> tuple[Source, Link] | None:
    """The last declaration of a bibliography in the manuscript or its metadata."""
    found = [(it, link) for it in project.sources.values() for link in it.syntax.links if link.kind == "bibliography"]
    return found[-1] if found and found[-1][0].writable else None


def _insert_beside(source: Source, link: Link, name: str) -> Edit:
    kind = source.language.manuscript or source.language.bibliography
    declare = (kind and kind.declare_beside) or languages.PLAIN_MANUSCRIPT.declare_beside
    return Edit(source.document.path, *declare(source.document.text, link, name))


def uses_biblatex(project: Project) -> bool:
    """True if a part of the manuscript loads the package."""
    return any(loads_biblatex(it.document.text) for it in project.sources.values() if it.language.search == "kpathsea")


def _relative(path: str, document: str) -> str:
    """As TeX and pandoc want it: relative to the document's folder, with forward slashes."""
    folder = PurePath(document).parent
    try:
        relative = PurePath(path).relative_to(folder)
    except ValueError:
        relative = PurePath(path)
    return str(PurePosixPath(*relative.parts)) if not relative.is_absolute() else relative.as_posix()
