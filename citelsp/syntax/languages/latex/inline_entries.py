"""What the entries say that amsrefs has in LaTeX itself, as \\bib."""

import re

from citelsp.base.text import Span
from citelsp.syntax.formats.items import BibItem
from citelsp.syntax.languages.latex.grammar import argument
from citelsp.syntax.nodes import Field

_AMSREFS_FIELD = re.compile(r"[{,]\s*(?P<name>[a-zA-Z]+)\s*=\s*(?=\{)")


def amsrefs_values(item: BibItem) -> list[tuple[Field, str]]:
    values = []
    for match in _AMSREFS_FIELD.finditer(item.source, item.key_span.end):
        inner = argument(item.source, match.end())
        if inner:
            span = Span(match.start("name"), inner.end + 1)
            value = Span(inner.start - 1, inner.end + 1)
            values.append(
                (Field(match["name"].lower(), Span(*match.span("name")), value, span), inner.within(item.source))
            )
    return values
