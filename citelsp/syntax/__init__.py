"""Text to what is written there.  Parsing never fails and never looks at another file.

The parser of a language is imported with its first document.
"""

from importlib import import_module

from citelsp.base.text import Document, Span
from citelsp.syntax import bibtex
from citelsp.syntax.nodes import Syntax


def parse(document: Document, cite_commands: tuple[str, ...] = ()) -> Syntax:
    """What is written in a document; `cite_commands` are the user's own LaTeX commands that take citekeys."""
    return _parse(document, cite_commands, Syntax())


def reparse(old: Syntax, document: Document, span: Span, new_text: str, cite_commands: tuple[str, ...] = ()) -> Syntax:
    """Equal to `parse(document)`, where `document` is the text after `span` of the old text became `new_text`.

    Entries whose source is unchanged stay the same objects.
    """
    if document.language == "bibtex":
        return bibtex.reparse(old, document, span, new_text)
    if old.ground is not None and document.language == "latex":
        from citelsp.syntax import latex_edits

        if (new := latex_edits.reparse(old, document, span, new_text)) is not None:
            return new
    return _parse(document, cite_commands, old)


def _parse(document: Document, cite_commands: tuple[str, ...], old: Syntax) -> Syntax:
    match document.language:
        case "latex":
            from citelsp.syntax import latex

            import_module("citelsp.syntax.latex_edits")  # else the first keystroke would wait for it
            return latex.parse(document, cite_commands, old.entries)
        case "markdown":
            from citelsp.syntax import markdown

            return markdown.parse(document, cite_commands, old.entries)
        case "bibtex":
            return bibtex.parse(document)
        case "csl-json" | "csl-yaml":
            from citelsp.syntax import csl

            return csl.parse(document, old.entries)
        case "ris":
            from citelsp.syntax import ris

            return ris.parse(document, old.entries)
        case "endnote":
            from citelsp.syntax import endnote

            return endnote.parse(document, old.entries)
    return Syntax()
