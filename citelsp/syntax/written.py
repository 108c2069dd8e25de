"""How a citekey is written into a document."""

import re

from citelsp.base.text import Document, Span

_PLAIN_IN_MARKDOWN = re.compile(r"\w(?:[\w]|[:.#$%&\-+?<>~/](?=\w))*", re.UNICODE)  # pandoc manual, "Citation syntax"


def markdown_key(key: str) -> str:
    """The key as it is written after `@`: in braces if pandoc would otherwise stop reading it too early."""
    return key if _PLAIN_IN_MARKDOWN.fullmatch(key) else f"{{{key}}}"


def as_written(document: Document, span: Span, key: str) -> str:
    """What replaces the key at `span` of a citation: the key, in braces if one behind an `@` needs them."""
    return markdown_key(key) if document.text[span.start - 1 : span.start] == "@" else key
