"""The languages that citelsp reads and writes: one row each.  Everything else asks the value and compares no names."""

from collections.abc import Mapping

from citelsp.base.text import Document
from citelsp.syntax.languages import bibliographies
from citelsp.syntax.languages.language import Language
from citelsp.syntax.languages.latex import LATEX, MANUSCRIPT
from citelsp.syntax.languages.markdown import MARKDOWN
from citelsp.syntax.languages.notebook import NOTEBOOK
from citelsp.syntax.languages.org import ORG
from citelsp.syntax.languages.typst import TYPST
from citelsp.syntax.nodes import Syntax

ALL: tuple[Language, ...] = (
    LATEX,
    MARKDOWN,
    ORG,
    TYPST,
    NOTEBOOK,
    *bibliographies.ALL,
)
OTHER = Language(name="other", title="", endings=(), parse=lambda _document, _commands, _old: Syntax())
BIBTEX = bibliographies.BIBTEX  # of a bibliography whose name does not tell
RECEIVED = bibliographies.RECEIVED  # of what is no file of a project
PLAIN, PLAIN_MANUSCRIPT = LATEX, MANUSCRIPT  # titles and questions by themselves may hold its markup

_BY_NAME: Mapping[str, Language] = {it.name: it for it in ALL}
_BY_ENDING: Mapping[str, Language] = {ending: it for it in ALL for ending in it.endings}
_BY_ID: Mapping[str, Language] = {written.lower(): it for it in ALL for written in (*it.endings, *it.ids)}


def language_of(document: Document) -> Language:
    return _BY_NAME.get(document.language, OTHER)


def language_of_path(path: str, language_id: str = "") -> Language:
    """The language of a file by its ending, if that says one, else by its editor's language id.

    In this order, as eglot before 1.11 gives every file of a server the language of the first.
    """
    return _BY_ENDING.get(path.rpartition(".")[2].lower()) or _BY_ID.get(language_id.lower(), OTHER)
