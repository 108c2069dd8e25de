"""The links of a manuscript without reading it all: only the lines that can hold one are parsed."""

from citelsp import syntax
from citelsp.base import bounds, effort
from citelsp.base.text import Document
from citelsp.syntax import languages
from citelsp.syntax.nodes import Syntax


def skim(document: Document) -> Syntax:
    """Read quickly at least the links of the whole document, with the same `root` and `is_root` as a full reading.

    There may be more links, as verbatim text is not told apart, and the spans mean nothing.  If even this takes too
    long, links may be lacking, and the syntax is opaque and `reduced`: the document would be read no faster as a whole.
    What is not in a language of manuscripts, as metadata in YAML, is read in full.
    """
    manuscript = languages.language_of(document).manuscript
    if manuscript is None:
        return syntax.parse(document)
    try:
        with effort.limit(bounds.READING / 2):
            lines = manuscript.skim(document)
            return syntax.parse(Document(document.path, lines + "\n", document.language))
    except effort.TooLongError:
        return Syntax(opaque=True, reduced="time")
