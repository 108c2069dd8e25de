"""Completion inside a .bib file: entry types after `@`, field names, month macros and the file's own @string macros."""

import re
from dataclasses import dataclass
from typing import Literal

from citelsp.bibliography import datamodel
from citelsp.bibliography.datamodel import Dialect
from citelsp.bibliography.entry import MONTHS
from citelsp.bibliography.style import detect
from citelsp.checks.missing_field import dialect_of
from citelsp.project import Project, Source
from citelsp.syntax.bibtex import BibEntries
from citelsp.syntax.bibtex_blocks import BibNode
from citelsp.text import Span

_TYPE = re.compile(r"(?:^|[\s}])@[ \t]*([A-Za-z]*)\Z")
_NAME = re.compile(r"[,{(]\s*([A-Za-z][\w-]*)?\Z")
_VALUE = re.compile(r"(?:=|#)[ \t]*([A-Za-z][\w-]*)?\Z")
_BLOCKS = {"string": "a macro", "preamble": "TeX for the bibliography", "comment": "ignored"}
_LOOK_BACK = 200  # characters


@dataclass(frozen=True, slots=True)
class Item:
    """Replace `span` by `text`; items come best first."""

    text: str
    detail: str
    span: Span
    kind: Literal["type", "field", "macro"]


def complete(project: Project, path: str, offset: int) -> list[Item]:
    source = project.sources.get(path)
    if source is None or source.document.language != "bibtex" or not isinstance(source.syntax.entries, BibEntries):
        return []
    before = source.document.text[max(0, offset - _LOOK_BACK) : offset]
    entries = source.syntax.entries
    index = entries.at(offset)
    inside = index is not None and _in_value(entries.node(index), offset - entries.start(index))
    if (match := _TYPE.search(before)) and not inside:
        return _types(source, Span(offset - len(match[1]), offset))
    if index is None or inside:
        return []
    if match := _VALUE.search(before):
        return _macros(source, Span(offset - len(match[1] or ""), offset))
    node, start = entries.node(index), entries.start(index)
    if (match := _NAME.search(before)) and offset - start > node.key_span.end:
        return _fields(node, dialect_of(project, source), Span(offset - len(match[1] or ""), offset), offset - start)
    return []


def _in_value(node: BibNode, offset: int) -> bool:
    """Whether an offset stands inside braces or quotes of a value."""
    source = node.source
    return any(
        it.value_span.start < offset < it.value_span.end and source[it.value_span.start] in '{"' for it in node.fields()
    )


def _types(source: Source, span: Span) -> list[Item]:
    dialect: Dialect = "biblatex" if detect(source.document).dialect == "biblatex" else "bibtex"
    known = [
        *datamodel.types(dialect),
        *(it for it in datamodel.types("biblatex") if it not in datamodel.types(dialect)),
    ]
    items = [
        Item(it, ", ".join("/".join(n[:1]) for n in datamodel.required(it, dialect)), span, "type") for it in known
    ]
    return items + [Item(name, detail, span, "type") for name, detail in _BLOCKS.items()]


def _fields(node: BibNode, dialect: Dialect, span: Span, offset: int) -> list[Item]:
    present = {it.name for it in node.fields() if not it.name_span.touches(offset)}
    needed = [it for it in datamodel.required(node.kind, dialect) if not present.intersection(it)]
    items = [Item(it, "required", span, "field") for names in needed for it in names[:1]]
    items += [Item(it, "instead of " + names[0], span, "field") for names in needed for it in names[1:]]
    listed = present | {it.text for it in items}
    more = dict.fromkeys(it for it in datamodel.optional(node.kind, dialect) if it not in listed)
    return items + [Item(it, "optional", span, "field") for it in more]


def _macros(source: Source, span: Span) -> list[Item]:
    own = [Item(name, value, span, "macro") for name, value in source.syntax.strings.items()]
    return own + [Item(it, "month", span, "macro") for it in MONTHS if it not in source.syntax.strings]
