"""Text to what is written there.  Parsing never fails and never looks at another file.

The parser of a language is imported with its first document.
"""

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span
from citelsp.syntax import languages, reduced
from citelsp.syntax.nodes import Syntax


def parse(document: Document, cite_commands: tuple[str, ...] = ()) -> Syntax:
    """What is written in a document; `cite_commands` are the user's own LaTeX commands that take citekeys."""
    return _parse(document, cite_commands, Syntax())


def reparse(old: Syntax, document: Document, span: Span, new_text: str, cite_commands: tuple[str, ...] = ()) -> Syntax:
    """Equal to `parse(document)`, where `document` is the text after `span` of the old text became `new_text`.

    Entries whose source is unchanged stay the same objects.
    """
    # It would take as long at each keystroke; opened anew it is tried again.
    if old.reduced:
        return reduced.read(document, cite_commands)
    language = languages.of(document)
    if language.reparse is not None and (new := language.reparse(old, document, span, new_text)) is not None:
        return new
    return _parse(document, cite_commands, old)


def _parse(document: Document, cite_commands: tuple[str, ...], old: Syntax) -> Syntax:
    try:
        with effort.limited(bounds.READING):
            return languages.of(document).parse(document, cite_commands, old.entries)
    except effort.TooLongError:
        return reduced.read(document, cite_commands)
