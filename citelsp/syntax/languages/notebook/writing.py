"""What is written into notebooks, as JSON: keys, and the names of bibliographies."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from citelsp.base.text import Span
from citelsp.syntax.languages.language import Replacement
from citelsp.syntax.languages.markdown import MANUSCRIPT as MARKDOWN_MANUSCRIPT
from citelsp.syntax.languages.markdown import MARKDOWN
from citelsp.syntax.nodes import Link


def replace_key(text: str, span: Span, key: str) -> Replacement:
    written = MARKDOWN.key(text, span, key)
    if not is_notebook(text):
        return written
    return Replacement(written.span, json.dumps(written.new_text, ensure_ascii=False)[1:-1])


def declare(text: str, hidden: Sequence[Span], name: str, texts: Iterable[str]) -> Replacement:
    """In a raw cell before all others, as Quarto reads it."""
    cells = re.search(r"\"cells\"\s*:\s*\[", text) if is_notebook(text) else None
    if cells is None:
        return MARKDOWN_MANUSCRIPT.declare(text, hidden, name, texts)
    source = json.dumps(["---\n", f"bibliography: {name}\n", "---"], ensure_ascii=False)
    comma = "" if text[cells.end() :].lstrip().startswith("]") else ","
    cell = f'\n  {{\n   "cell_type": "raw",\n   "metadata": {{}},\n   "source": {source}\n  }}{comma}'
    return Replacement(Span(cells.end(), cells.end()), cell)


def declare_beside(text: str, link: Link, name: str) -> Replacement:
    """Name one more bibliography beside that of `link`, as Markdown does: in its list, or in a new list of both.

    What is added is written with JSON's escapes within the string of JSON in which the name of `link` ends.
    """
    from citelsp.syntax.languages.notebook import parsing

    for cell in (parsing.cells(text) if is_notebook(text) else None) or ():
        source = cell.source
        if not source.places[0] <= link.span.start - cell.place < source.places[-1]:
            continue
        start, end = (source.offset(place - cell.place) for place in link.span)
        written = MARKDOWN_MANUSCRIPT.declare_beside(source.text, replace(link, span=Span(start, end)), name)
        added = json.dumps(written.new_text, ensure_ascii=False)[1:-1]
        return Replacement(source.span(written.span).moved(cell.place), added)
    return MARKDOWN_MANUSCRIPT.declare_beside(text, link, name)


def is_notebook(text: str) -> bool:
    return text.lstrip()[:1] == "{"
