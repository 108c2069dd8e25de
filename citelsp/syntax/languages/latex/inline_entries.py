"""What the entries say that amsrefs has in LaTeX itself, as \\bib."""

import re

from citelsp.base.text import Span
from citelsp.syntax.formats.items import BibItem
from citelsp.syntax.languages.latex.grammar import argument
from citelsp.syntax.nodes import Field

# `, author=` before a brace.
_AMSREFS_FIELD = re.compile(r"[{,]\s*(?P<name>[a-zA-Z]+)\s*=\s*(?=\{)")


def amsrefs_values(item: BibItem) -> list[tuple[Field, str]]:
    r"""Return the fields of `\bib{key}{type}{name={value}, …}`, each with its value as written between the braces.

    Left out are fields whose value is not in braces, or whose braces are not closed.
    """
    values: list[tuple[Field, str]] = []
    offset = item.key_span.end
    while match := _AMSREFS_FIELD.search(item.source, offset):
        inner = argument(item.source, match.end())
        if inner is None:
            offset = match.end()
            continue
        offset = inner.end + len("}")  # what fields a value has, `book={title={…}}`, are those of another work
        field = Field(
            name=match["name"].lower(),
            name_span=Span(*match.span("name")),
            value_span=Span(inner.start - 1, inner.end + 1),
            span=Span(match.start("name"), inner.end + 1),
        )
        values.append((field, inner.within(item.source)))
    return values
