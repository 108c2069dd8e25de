"""What a type of entry or a field of one is for, and what a @string macro stands for."""

from functools import cache
from typing import NamedTuple

from citelsp.base.text import Span
from citelsp.bibliography import datamodel, shipped_lists
from citelsp.bibliography.datamodel import Dialect
from citelsp.bibliography.string_macros import MONTHS
from citelsp.checks.missing_field import dialect_of
from citelsp.features import macros
from citelsp.features.popup_markdown import Block
from citelsp.features.values import file_name
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

_PROGRAMS = {"bibtex": "BibTeX's standard styles", "biblatex": "biblatex"}


class Explained(NamedTuple):
    span: Span
    blocks: list[Block]


def find(project: Project, path: str, offset: int) -> Explained | None:
    """Explain the macro, the entry's type or the name of a field that a cursor at `offset` touches; None if none."""
    macro = macros.macro_at(project, path, offset)
    if macro:
        return Explained(macro.span, _explain_macro(project, macro))
    source = project.sources.get(path)
    if source is None or not isinstance(source.syntax.entries, BibEntries):
        return None
    entries = source.syntax.entries
    index = entries.entry_at(offset)
    if index is None:
        return None
    node = entries.node(index)
    start = entries.start(index)
    # Between the @ and the type there may be blanks.
    type_start = node.source.index(node.source[1:].lstrip()[:1], 1)
    kind = Span(0, type_start + len(node.kind))
    if kind.touches(offset - start):
        return Explained(kind.moved(start), _explain_type(node, dialect_of(project, source)))
    for field in node.fields():
        if field.name_span.touches(offset - start):
            return Explained(field.name_span.moved(start), _explain_field(node, field.name, project, source))
    return None


def _explain_macro(project: Project, macro: macros.MacroMention) -> list[Block]:
    defined = macros.definitions(project, macro.name)
    if not defined and macro.name.lower() in MONTHS:
        return [Block("A month, which each style writes in its own way.")]
    if not defined:
        return [Block(f"No @string defines {macro.name}.")]
    value = macros.value(project, macro.path, macro.name)
    return [Block(value or "nothing", "strong"), Block(f"@string in {file_name(defined[0].path)}", "note")]


def _explain_type(node: BibNode, dialect: Dialect) -> list[Block]:
    """Tell which fields an entry's type needs and may have; of alternatives, such as author or editor, the first.

    That depends on the `dialect`: whether BibTeX or biber reads the file.
    """
    if node.kind not in datamodel.types(dialect):
        return [Block(f"@{node.kind} is not an entry type of {_PROGRAMS[dialect]}: it is printed as @misc is.")]
    needed = [alternatives[0] for alternatives in datamodel.required_fields(node.kind, dialect)]
    optional = [name for name in datamodel.optional(node.kind, dialect) if name not in needed]
    needs = f"Needs {', '.join(needed)}." if needed else "Requires no field."
    return [
        Block(f"@{node.kind}", "strong"),
        Block(needs),
        Block(f"May have {', '.join(optional)}.", "note"),
    ]


def _explain_field(node: BibNode, name: str, project: Project, source: Source) -> list[Block]:
    """Tell what a field is for, if that is known, and whether the entry's type needs it or may have it.

    The latter depends on the dialect: whether BibTeX or biber reads the file.
    """
    dialect = dialect_of(project, source)
    blocks = [Block(name, "strong")]
    meaning = _read_meanings().get(name, "")
    if meaning:
        blocks.append(Block(f"{meaning[:1].upper()}{meaning[1:]}."))
    is_needed = any(name in alternatives for alternatives in datamodel.required_fields(node.kind, dialect))
    if is_needed:
        use = f"@{node.kind} needs it in {_PROGRAMS[dialect]}."
    elif name in datamodel.optional(node.kind, dialect):
        use = f"@{node.kind} may have it in {_PROGRAMS[dialect]}."
    else:
        use = ""  # a block without text, which `hover` leaves out
    blocks.append(Block(use, "note"))
    return blocks


@cache
def _read_meanings() -> dict[str, str]:
    """What each field is for, from a list of lines `name: meaning`."""
    lines = shipped_lists.read("fields.txt").splitlines()
    return {name: meaning.strip() for name, _, meaning in (line.partition(":") for line in lines)}
