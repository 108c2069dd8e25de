r"""Bibliographies that a LaTeX document writes itself: `\begin{filecontents}{refs.bib} … \end{filecontents}`."""

from collections.abc import Sequence
from typing import NamedTuple

from citelsp.base.text import Document, Span
from citelsp.syntax.bibtex import parsing
from citelsp.syntax.languages.latex.grammar import argument
from citelsp.syntax.nodes import Written


class Contents(NamedTuple):
    """What one environment writes."""

    name: str
    body: Span
    overwrites: bool


def contents(text: str, offset: int, end: int) -> Contents | None:
    """The .bib file that an environment whose name ends at `offset` and whose body ends at `end` writes."""
    options = argument(text, offset, "[")
    name = argument(text, options.end + 1 if options else offset)
    if name is None or not name.within(text).strip().lower().endswith(".bib"):
        return None
    # Two names of one option: LaTeX (ltfilecontents) calls it `force` and `overwrite`.
    flags = {it.strip() for it in options.within(text).split(",")} if options else set()
    return Contents(name.within(text).strip(), Span(name.end + 1, end), bool(flags & {"overwrite", "force"}))


def written(text: str, found: Sequence[Contents]) -> Written | None:
    """The entries in these environments, at their places in the document; None if there is no environment."""
    if not found:
        return None
    # Spaces stand for the text between, so that the entries' places are those in the document.
    shown = []
    offset = 0
    for contents in found:
        shown += [" " * (contents.body.start - offset), contents.body.within(text)]
        offset = contents.body.end
    read = parsing.parse(Document("", "".join(shown), "bibtex"))
    names = tuple(it.name for it in found)
    return Written(names, any(it.overwrites for it in found), read.entries, read.strings)
