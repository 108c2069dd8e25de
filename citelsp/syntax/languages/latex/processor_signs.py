"""What a LaTeX command tells of who reads the bibliographies: BibTeX or biber."""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.syntax.languages.latex.cite_commands import BIBLIOGRAPHIES, PACKAGES, is_being_defined
from citelsp.syntax.languages.latex.file_links import after_options
from citelsp.syntax.languages.latex.grammar import argument, without_comments
from citelsp.syntax.nodes import Sign

# `backend=bibtex`
_BACKEND = re.compile(r"\bbackend\s*+=\s*+(?:\{\s*+)?bibtex8?\b")


def read_signs(text: str, command: Span, name: str) -> Iterator[Sign]:
    r"""Yield what a command says of the program that reads the bibliographies, biber or BibTeX; most say nothing.

    "style" is \bibliographystyle, which is BibTeX's alone; "biblatex" speaks for biber; "bibliography" is a command
    that does not tell them apart; "backend" says that biblatex has BibTeX read them.  `command` is where its `name`
    stands in the text.
    """
    # The name of a package has to follow, which in `\renewcommand\usepackage[2][]{…}` it does not.  The other commands
    # are signs whatever follows, so those that are only being defined, as in `\renewcommand{\bibliography}`, are not.
    if name in PACKAGES or name == "PassOptionsToPackage":
        yield from _signs_of_package(text, command, name)
    elif is_being_defined(text, command.start):
        return
    elif name == "bibliographystyle":
        yield "style"
    elif name == "printbibliography" or (name in BIBLIOGRAPHIES and name.startswith("add")):
        yield "biblatex"
    # \putbib is the \bibliography of bibunits; others have the word in their names: \nobibliography, \bibliographysec
    # as multibib's \newcites{sec} makes it, and own commands, if they are so called.
    elif name == "putbib" or "bibliography" in name:
        yield "bibliography"


def _signs_of_package(text: str, command: Span, name: str) -> Iterator[Sign]:
    r"""Yield the signs of `\usepackage[options]{packages}` or `\PassOptionsToPackage{options}{packages}`.

    They are "biblatex" if it loads biblatex, which \PassOptionsToPackage never does, and "backend" if its options have
    BibTeX read the bibliographies for biblatex.
    """
    loads = name != "PassOptionsToPackage"
    if loads:
        options = argument(text, command.end, "[")
        packages = after_options(text, command.end)
    else:
        options = argument(text, command.end)
        packages = argument(text, options.end + 1) if options else None
    if packages is None:
        return
    names = [package.strip() for package in without_comments(packages.within(text)).split(",")]
    # Also biblatex-chicago and its kind, which load biblatex and hand their options on.
    if not any(package.startswith("biblatex") for package in names):
        return
    if loads:
        yield "biblatex"
    if options and _BACKEND.search(without_comments(options.within(text))):
        yield "backend"
