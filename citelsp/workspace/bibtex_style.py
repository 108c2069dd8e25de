r"""The style of BibTeX that a manuscript names: `\bibliographystyle{plain}`."""

import os
import re
from collections.abc import Iterator

from citelsp.base.text import Document, is_package
from citelsp.bibliography import bst
from citelsp.bibliography.bst import Bst
from citelsp.syntax.languages.latex.branches import is_optional
from citelsp.syntax.languages.org import ORG
from citelsp.workspace.project import Project
from citelsp.workspace.roots import Files

_WORD = "bibliographystyle"
# `\bibliographystyle{plain}`, not in a comment.
_STYLE = re.compile(r"^(?:[^%\n\\]|\\[^\n])*?\\bibliographystyle\s*\{\s*+([^{}\s#\\]*+)\s*+\}", re.MULTILINE)
# `bibliographystyle:plain`
_STYLE_OF_ORG_REF = re.compile(r"^(?!#)[^\n]*?\bbibliographystyle:([^\s\[\]{}#\\]+)", re.MULTILINE)


def find_named(project: Project) -> set[str]:
    r"""Return the names in `\bibliographystyle{…}`, without `.bst`.

    Empty if no style is named, or if one stands in a conditional (`\if…`), so that only TeX can tell.  What a class or
    package of the author's names counts only if no document names any.
    """
    # Of the parts to which a main document leads, those that name a style.
    naming = [source.document for source in project.deciding if "style" in source.syntax.signs]
    packages = [document for document in naming if is_package(document.path)]
    manuscripts = [document for document in naming if not is_package(document.path)]
    for documents in (manuscripts, packages):
        names: set[str] = set()
        for document in documents:
            for command in find_commands(document):
                if is_optional(document.text, command.start(1)):
                    return set()
                names.add(command[1].removesuffix(".bst"))
        if names:
            return names
    return set()


def find_commands(document: Document) -> Iterator[re.Match[str]]:
    """Find what names a style, one a line: commands of LaTeX, in Org also links of org-ref; group 1 is the name."""
    text = document.text
    patterns = (_STYLE, _STYLE_OF_ORG_REF) if document.language == ORG.name else (_STYLE,)
    # Only the lines with the word are looked at closely, as this is asked at each keystroke.
    word_at = text.find(_WORD)
    while word_at >= 0:
        line_start = text.rfind("\n", 0, word_at) + 1
        yield from filter(None, (pattern.match(text, line_start) for pattern in patterns))
        line_end = text.find("\n", word_at)
        word_at = text.find(_WORD, line_end) if line_end >= 0 else -1


def find_in_use(project: Project, files: Files) -> tuple[str, Bst] | None:
    """Return the name of the style that prints the references, and what it does; None if either is not known.

    The style is read from the first file of its name that there is; if there is none, from those that ship with
    citelsp.  If several styles are named, it is not known which one is in use.
    """
    # Whatever else may read the bibliographies does not print them by such a style.
    names = find_named(project) if project.reader == "bibtex" else set()
    if len(names) != 1:
        return None
    name = names.pop()
    for path in _places(project, files, name):
        source = files.read(path)
        if source is not None:
            style = bst.parse(source.document.text)
            return (name, style) if style else None
    standard = bst.standard().get(name)
    return (name, standard) if standard else None


def _places(project: Project, files: Files, name: str) -> Iterator[str]:
    """Yield the paths at which a style's file may be: the author's own first, then what comes with TeX."""
    beside = [os.path.dirname(source.document.path) for source in project.deciding]
    for folder in dict.fromkeys((*beside, *files.folders())):
        yield os.path.normpath(os.path.join(folder, f"{name}.bst"))
    names_directory = bool(os.path.dirname(name))
    distributed = None if names_directory else files.distributed_style(name)
    if distributed:
        yield distributed
