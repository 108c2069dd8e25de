r"""Bibliographies that a LaTeX document writes itself: `\begin{filecontents}{refs.bib} … \end{filecontents}`."""

from collections.abc import Sequence
from typing import NamedTuple

from citelsp.base.text import Document, Span
from citelsp.syntax.bibtex import parsing
from citelsp.syntax.languages.latex.grammar import argument
from citelsp.syntax.nodes import Written


class Contents(NamedTuple):
    """The .bib file that one environment writes."""

    name: str
    body: Span
    overwrites: bool  # a file of the name that is there already


def contents(text: str, offset: int, end: int) -> Contents | None:
    r"""Return the .bib file that an environment writes; None if it writes another kind of file, or has no name for it.

    `offset` is where its `\begin{filecontents}` ends, `end` where its `\end` begins.  Options and the file's name
    follow: `[overwrite]{refs.bib}`.
    """
    options = argument(text, offset, "[")
    name = argument(text, options.end + 1 if options else offset)
    if name is None or not name.within(text).strip().lower().endswith(".bib"):
        return None
    flags = {flag.strip() for flag in options.within(text).split(",")} if options else set()
    # Two names of one option: LaTeX (ltfilecontents) calls it `force` and `overwrite`.
    overwrites = bool(flags & {"overwrite", "force"})
    return Contents(name.within(text).strip(), Span(name.end + 1, end), overwrites)


def read_entries(text: str, files: Sequence[Contents]) -> Written | None:
    """Read the entries in these .bib files of the document `text`; None if there is no file.

    The offsets of the entries are those in the document.
    """
    if not files:
        return None
    # All text between the files is replaced by as many spaces, so that offsets stay those in the document.
    blanked: list[str] = []
    offset = 0
    for file in files:
        blanked.append(" " * (file.body.start - offset))
        blanked.append(file.body.within(text))
        offset = file.body.end
    syntax = parsing.parse(Document("", "".join(blanked), "bibtex"))
    names = tuple(file.name for file in files)
    # All files are one value: if one replaces what is there, all count as doing so.
    return Written(names, any(file.overwrites for file in files), syntax.entries, syntax.strings)
