"""Completion inside a .bib file: entry types after `@`, field names, month macros and the file's own @string macros."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from citelsp.base.text import Span
from citelsp.bibliography import datamodel
from citelsp.bibliography.datamodel import Alternatives, Dialect
from citelsp.bibliography.string_macros import MONTHS
from citelsp.checks.missing_field import choose_dialect, dialect_of
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import strip_delimiters
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

# What stands before the cursor where something is typed; in parentheses that, as far as it is typed.
_TYPE = re.compile(r"(?:^|[\s}])@[ \t]*([A-Za-z]*)\Z")
_NAME_OF_FIELD = re.compile(r",\s*([A-Za-z][\w-]*)?\Z")
_MACRO = re.compile(r"(?:=|#)[ \t]*([A-Za-z][\w-]*)?\Z")
_REST_OF_WORD = re.compile(r"[\w-]*")  # behind the cursor
_BLOCKS = {"string": "a macro", "preamble": "TeX for the bibliography", "comment": "ignored"}
_LOOK_BACK = 200  # characters


@dataclass(frozen=True, slots=True)
class FieldItem:
    """Replace `span` by `text`; items come best first."""

    text: str
    detail: str
    span: Span
    kind: Literal["type", "field", "macro"]


def complete(project: Project, path: str, offset: int) -> list[FieldItem]:
    """Return what may be typed at `offset` of a .bib file: types, macros or names of fields; [] if none of these.

    Types stand behind `@`, macros behind `=` and `#`, names behind a comma; nothing is offered inside a value's braces
    or quotes.
    """
    source = project.sources.get(path)
    if source is None or not isinstance(source.syntax.entries, BibEntries):
        return []
    before = source.document.text[max(0, offset - _LOOK_BACK) : offset]
    entries = source.syntax.entries
    index = entries.entry_at(offset)
    if index is not None and _is_in_value(entries.node(index), offset - entries.start(index)):
        return []
    typed_type = _TYPE.search(before)
    if typed_type:  # before the next check, as a new entry is typed outside every entry
        return _list_types(project, source, _find_word(source, typed_type[1], offset))
    if index is None:
        return []
    typed_macro = _MACRO.search(before)
    if typed_macro:
        return _list_macros(source, _find_word(source, typed_macro[1], offset))
    node = entries.node(index)
    start = entries.start(index)
    typed_name = _NAME_OF_FIELD.search(before)
    is_behind_key = offset - start > node.key_span.end
    if typed_name is None or not is_behind_key:
        return []
    # If nothing is typed yet, a word behind the cursor is the next field, and must not be replaced.
    span = _find_word(source, typed_name[1], offset) if typed_name[1] else Span(offset, offset)
    return _list_fields(node, span.moved(-start), _choose_dialects(project, source), span)


def _find_word(source: Source, typed: str | None, offset: int) -> Span:
    """The whole word of which `typed` stands before the cursor: what is left behind it would hang on the new one."""
    rest_of_word = _REST_OF_WORD.match(source.document.text, offset)  # always a match, if only of nothing
    return Span(offset - len(typed or ""), rest_of_word.end() if rest_of_word else offset)


def _choose_dialects(project: Project, source: Source) -> tuple[Dialect, ...]:
    """The dialect that the manuscript or the setting says; else both, first the one that the file looks like."""
    first = dialect_of(project, source)
    if choose_dialect(project):
        return (first,)
    return (first, "biblatex" if first == "bibtex" else "bibtex")


def _is_in_value(node: BibNode, offset: int) -> bool:
    """True if an offset stands inside braces or quotes of a value."""
    for field in node.fields():
        is_inside = field.value_span.start < offset < field.value_span.end
        if is_inside and node.source[field.value_span.start] in '{"':
            return True
    return False


def _list_types(project: Project, source: Source, span: Span) -> list[FieldItem]:
    first = dialect_of(project, source)
    known = dict.fromkeys((*datamodel.types(first), *datamodel.types("biblatex")))
    items = [
        FieldItem(kind, ", ".join(names[0] for names in datamodel.required_fields(kind, first)), span, "type")
        for kind in known
    ]
    return items + [FieldItem(name, detail, span, "type") for name, detail in _BLOCKS.items()]


def _list_fields(node: BibNode, typed: Span, dialects: Sequence[Dialect], span: Span) -> list[FieldItem]:
    """Return first the fields that the entry lacks, then what may stand instead of these, then what it may have.

    What it lacks and may have depends on the `dialects`, BibTeX's and biblatex's, in which the file may be written.
    `typed` is `span` as counted from the entry's start: a name there is being typed, and not one that it has.
    """
    present = {it.name for it in node.fields() if it.name_span != typed}
    needed: list[Alternatives] = []
    optional: list[str] = []
    for dialect in dialects:
        for names in datamodel.required_fields(node.kind, dialect):
            # `year` or `date` is one need, though the other dialect has these in another order.
            is_new = all(set(names).isdisjoint(others) for others in needed)
            if is_new and present.isdisjoint(names):
                needed.append(names)
        optional += datamodel.optional(node.kind, dialect)
    details = {names[0]: "required" for names in needed}
    for first, *alternatives in needed:
        details |= dict.fromkeys(alternatives, f"instead of {first}")
    for name in optional:
        if name not in present:
            details.setdefault(name, "optional")
    return [FieldItem(name, detail, span, "field") for name, detail in details.items()]


def _list_macros(source: Source, span: Span) -> list[FieldItem]:
    own = [FieldItem(name, strip_delimiters(value), span, "macro") for name, value in source.syntax.strings.items()]
    return own + [FieldItem(it, "month", span, "macro") for it in MONTHS if it not in source.syntax.strings]
