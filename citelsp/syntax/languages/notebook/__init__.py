"""Jupyter notebooks, whose Markdown cells are read; while an editor shows them, each cell is a Markdown document."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from citelsp.base.text import Document, Span
from citelsp.syntax.languages.language import Editors, Language, ManuscriptLanguage, Naming, Replacement
from citelsp.syntax.languages.markdown import MANUSCRIPT as MARKDOWN_MANUSCRIPT
from citelsp.syntax.languages.markdown import MARKDOWN
from citelsp.syntax.nodes import Entries, Link, Syntax

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

    found = parsing.cells(text) if _is_notebook(text) else None
    return parsing.text_of(found) if found else None


def _skim(document: Document) -> str:
    if _is_notebook(document.text) and not _MAY_NAME_FILES.search(document.text):
        return ""
    text = _cells(document.text)
    return MARKDOWN_MANUSCRIPT.skim(document if text is None else Document(document.path, text))


def _is_notebook(text: str) -> bool:
    return text.lstrip()[:1] == "{"


def _key(text: str, span: Span, key: str) -> Replacement:
    written = MARKDOWN.key(text, span, key)
    if not _is_notebook(text):
        return written
    return Replacement(written.span, json.dumps(written.new_text, ensure_ascii=False)[1:-1])


def _declare(text: str, hidden: Sequence[Span], name: str, texts: Iterable[str]) -> Replacement:
    """In a raw cell before all others, as Quarto reads it."""
    cells = re.search(r"\"cells\"\s*:\s*\[", text) if _is_notebook(text) else None
    if cells is None:
        return MARKDOWN_MANUSCRIPT.declare(text, hidden, name, texts)
    source = json.dumps(["---\n", f"bibliography: {name}\n", "---"], ensure_ascii=False)
    comma = "" if text[cells.end() :].lstrip().startswith("]") else ","
    cell = f'\n  {{\n   "cell_type": "raw",\n   "metadata": {{}},\n   "source": {source}\n  }}{comma}'
    return Replacement(Span(cells.end(), cells.end()), cell)


def _declare_beside(text: str, link: Link, name: str) -> Replacement:
    """Name one more bibliography beside that of `link`, as Markdown does: in its list, or in a new list of both.

    What is added is written with JSON's escapes within the string of JSON in which the name of `link` ends.
    """
    from citelsp.syntax.languages.notebook import parsing

    for cell in (parsing.cells(text) if _is_notebook(text) else None) or ():
        source = cell.source
        if not source.places[0] <= link.span.start - cell.place < source.places[-1]:
            continue
        start, end = (source.offset(place - cell.place) for place in link.span)
        written = MARKDOWN_MANUSCRIPT.declare_beside(source.text, replace(link, span=Span(start, end)), name)
        added = json.dumps(written.new_text, ensure_ascii=False)[1:-1]
        return Replacement(source.span(written.span).moved(cell.place), added)
    return MARKDOWN_MANUSCRIPT.declare_beside(text, link, name)


def _naming(text: str, offset: int) -> Naming | None:
    return None if _is_notebook(text) else MARKDOWN_MANUSCRIPT.naming(text, offset)


NOTEBOOK = Language(
    name="notebook",
    title="Jupyter notebooks",
    endings=("ipynb",),
    editors=Editors(files=("*.ipynb",), cells=("markdown", "raw")),
    parse=_parse,
    reparse=_reparse,
    key=_key,
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
        declare=_declare,
        declare_beside=_declare_beside,
        declared_by=MARKDOWN_MANUSCRIPT.declared_by,
        naming=_naming,
        empty=MARKDOWN_MANUSCRIPT.empty,
    ),
)
