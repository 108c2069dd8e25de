"""Jupyter notebooks, whose Markdown cells are read; while an editor shows them, each cell is a Markdown document."""

import re

from citelsp.base.text import Document, Span
from citelsp.syntax.languages.language import Editors, Language, ManuscriptLanguage, Naming
from citelsp.syntax.languages.markdown import MANUSCRIPT as MARKDOWN_MANUSCRIPT
from citelsp.syntax.languages.markdown import MARKDOWN
from citelsp.syntax.languages.notebook import writing
from citelsp.syntax.nodes import Entries, Syntax

_MAY_NAME_FILES = re.compile(r"---|\{bibliography\}|\{include\}|include")


def _parse(document: Document, cite_commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.languages.notebook import parsing

    return parsing.parse(document, cite_commands, old)


def _reparse(old: Syntax, document: Document, _span: Span, _new_text: str) -> Syntax | None:
    from citelsp.syntax.languages.notebook import parsing

    return parsing.reparse(old, document)


def _markup() -> re.Pattern[str]:
    from citelsp.syntax import markup

    return markup.pattern_of("notebook")


def _cells(text: str) -> str | None:
    from citelsp.syntax.languages.notebook import parsing

    found = parsing.cells(text) if writing.is_notebook(text) else None
    return parsing.text_of(found) if found else None


def _skim(document: Document) -> str:
    if writing.is_notebook(document.text) and not _MAY_NAME_FILES.search(document.text):
        return ""
    text = _cells(document.text)
    return MARKDOWN_MANUSCRIPT.skim(document if text is None else Document(document.path, text))


def _naming(text: str, offset: int) -> Naming | None:
    return None if writing.is_notebook(text) else MARKDOWN_MANUSCRIPT.naming(text, offset)


NOTEBOOK = Language(
    name="notebook",
    title="Jupyter notebooks",
    endings=("ipynb",),
    editors=Editors(files=("*.ipynb",), cells=("markdown", "raw")),
    parse=_parse,
    reparse=_reparse,
    key=writing.replace_key,
    key_problem=MARKDOWN.key_problem,
    manuscript=ManuscriptLanguage(
        skim=_skim,
        markup=_markup,
        body=lambda _text, start, _end: start,
        reader="pandoc",
        search="pandoc",
        names=MARKDOWN_MANUSCRIPT.names,
        certain=False,
        cite=MARKDOWN_MANUSCRIPT.cite,
        placeholder=MARKDOWN_MANUSCRIPT.placeholder,
        fill=MARKDOWN_MANUSCRIPT.fill,
        comment=MARKDOWN_MANUSCRIPT.comment,
        declare=writing.declare,
        declare_beside=writing.declare_beside,
        declared_by=MARKDOWN_MANUSCRIPT.declared_by,
        naming=_naming,
        empty=MARKDOWN_MANUSCRIPT.empty,
    ),
)
