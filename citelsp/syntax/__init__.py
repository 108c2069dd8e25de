"""Text to what is written there.  Parsing never fails and never looks at another file.

The parser of a language is imported with its first document.
"""

from contextlib import suppress

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span
from citelsp.syntax import bounded_parse, languages
from citelsp.syntax.nodes import Syntax


def parse(document: Document, cite_commands: tuple[str, ...] = (), seconds: float = bounds.READING) -> Syntax:
    """Read a document; `cite_commands` are the user's own LaTeX commands that take citekeys.

    What would take more than these `seconds` of CPU is read in a reduced way.
    """
    return _parse(document, cite_commands, Syntax(), seconds)


def reparse(old: Syntax, document: Document, span: Span, new_text: str, cite_commands: tuple[str, ...] = ()) -> Syntax:
    """Return what `parse(document)` would, but faster; `document` is the old text with `span` replaced by `new_text`.

    What was `reduced` stays so.  Entries whose source is unchanged stay the same objects.  A language that cannot go on
    from `old`, or takes too long at it, reads the document anew; so does one whose `old` was read before one of
    `cite_commands` was known.
    """
    # What was too much to be read whole (`reduced` says why) would take as long at each keystroke; only when opened
    # anew it is tried again.
    if old.reduced:
        return bounded_parse.read(document, cite_commands, old.reduced)
    language = languages.language_of(document)
    # Whoever goes on from `old` reads with the commands that `old` was read with.  What has no `ground` is a
    # bibliography, for which they do not matter.
    is_known = old.ground is None or set(cite_commands) <= set(old.ground.own)
    if language.reparse is not None and is_known:
        with suppress(effort.TooLongError), effort.limit(bounds.READING):
            new = language.reparse(old, document, span, new_text)
            if new is not None:
                return _bounded(new, document, cite_commands)
    return _parse(document, cite_commands, old, bounds.READING)


def _parse(document: Document, cite_commands: tuple[str, ...], old: Syntax, seconds: float) -> Syntax:
    try:
        with effort.limit(seconds):
            new = languages.language_of(document).parse(document, cite_commands, old.entries)
    except effort.TooLongError:
        return bounded_parse.read(document, cite_commands, "time")
    return _bounded(new, document, cite_commands)


def _bounded(new: Syntax, document: Document, cite_commands: tuple[str, ...]) -> Syntax:
    """Return what was read, or less of it if it cites, names or defines more than a document may."""
    if len(new.citations) > bounds.KEYS:
        return bounded_parse.cut(new, "keys")
    if len(new.links) > bounds.FOUND:
        return bounded_parse.cut(new, "files")
    # Commands beyond COMMANDS, and long ones whoever names them, were not looked for: what they cite is missing in
    # `new`, but not in what `bounded_parse.read` takes for citations by its looks.
    own_names = {*new.ground.own, *new.ground.verbatim}.difference(cite_commands) if new.ground else ()
    too_long = any(len(name) > bounds.LETTERS for name in (*cite_commands, *own_names))
    if len(own_names) > bounds.COMMANDS or too_long:
        return bounded_parse.read(document, cite_commands, "commands")
    return new
