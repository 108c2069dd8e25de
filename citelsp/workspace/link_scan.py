"""The links of a manuscript without reading it all: only the lines that can hold one are parsed."""

from citelsp import syntax
from citelsp.base import bounds, effort
from citelsp.base.text import Document
from citelsp.syntax import languages
from citelsp.syntax.nodes import Syntax


def skim(document: Document) -> Syntax:
    """A syntax that has at least the links of the whole document, and the same `root` and `is_root`.

    It may have more links, as it does not know what is verbatim, and its spans mean nothing.  Of what takes long it has
    none: it is read no faster as a whole.
    """
    manuscript = languages.language_of(document).manuscript
    if manuscript is None:
        return syntax.parse(document)
    try:
        with effort.limited(bounds.READING / 2):
            lines = manuscript.skim(document)
            return syntax.parse(Document(document.path, lines + "\n", document.language))
    except effort.TooLongError:
        return Syntax(opaque=True, reduced="time")
