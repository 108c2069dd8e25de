"""What the entries say that are written in LaTeX itself: \\bibitem, and \\bib of amsrefs."""

import re

from citelsp.base.text import Span
from citelsp.syntax.formats.items import BibItem
from citelsp.syntax.languages.latex.grammar import argument
from citelsp.syntax.nodes import Field

_AMSREFS_FIELD = re.compile(r"[{,]\s*(?P<name>[a-zA-Z]+)\s*=\s*(?=\{)")


def bibitem_values(item: BibItem) -> list[tuple[Field, str]]:
    """The text of a \\bibitem as its `note`."""
    start = item.source.find("}", item.key_span.end) + 1
    written = item.source[start:]
    body = written.strip()
    if start == 0 or not body:
        return []
    start += written.index(body)
    span = Span(start, start + len(body))
    return [(Field("note", Span(start, start), span, span), body)]


def amsrefs_values(item: BibItem) -> list[tuple[Field, str]]:
    values = []
    for found in _AMSREFS_FIELD.finditer(item.source, item.key_span.end):
        if inner := argument(item.source, found.end()):
            span = Span(found.start("name"), inner.end + 1)
            value = Span(inner.start - 1, inner.end + 1)
            values.append(
                (Field(found["name"].lower(), Span(*found.span("name")), value, span), inner.within(item.source))
            )
    return values
