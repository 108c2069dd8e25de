"""Text to what is written there.  Parsing never fails and never looks at another file.

The parser of a language is imported with its first document.
"""

from citelsp.base.text import Document, Span
from citelsp.syntax import languages
from citelsp.syntax.nodes import Syntax


def parse(document: Document, cite_commands: tuple[str, ...] = ()) -> Syntax:
    """What is written in a document; `cite_commands` are the user's own LaTeX commands that take citekeys."""
    return languages.of(document).parse(document, cite_commands, None)


def reparse(old: Syntax, document: Document, span: Span, new_text: str, cite_commands: tuple[str, ...] = ()) -> Syntax:
    """Equal to `parse(document)`, where `document` is the text after `span` of the old text became `new_text`.

    Entries whose source is unchanged stay the same objects.
    """
    language = languages.of(document)
    if language.reparse is not None and (new := language.reparse(old, document, span, new_text)) is not None:
        return new
    return language.parse(document, cite_commands, old.entries)
