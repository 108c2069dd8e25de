"""What is written into documents in Org: citations, and the names of bibliographies."""

import re
from collections.abc import Iterable, Sequence

from citelsp.base.text import Span, newline_of
from citelsp.syntax.languages.language import Form, Replacement
from citelsp.syntax.nodes import Link, Placeholder

_KEY = re.compile(r"[\w.:?!`'/*@+|(){}<>&^$#%~-]+")  # org-syntax, "Citation references"
# The keywords that a document begins with; only comments may stand before the drawer of its properties.
_DRAWER = r"[ \t]*:properties:[ \t\r]*\n(?:[ \t]*:(?!end:)[^\n]*\n)*[ \t]*:end:[ \t\r]*(?:\n|\Z)"
_KEYWORDS = re.compile(
    rf"(?:[ \t]*#(?:\+\w+:|[ \t])[^\n]*\n|{_DRAWER}|[ \t]*\r?\n(?=#\+|:properties:))*", re.IGNORECASE
)
_LINE_END = re.compile(r"\r?\n|\Z")


def key_problem(key: str) -> str:
    return "" if _KEY.fullmatch(key) else "In Org, a key cannot hold spaces, commas, semicolons or square brackets."


def cite(keys: Sequence[str], form: Form) -> str:
    place = f" {form.locator}" if form.locator else ""
    return f"[cite{'/t' if form.textual else ''}:@{';@'.join(keys)}{place}]"


def fill(placeholder: Placeholder, keys: Sequence[str]) -> str:
    """`@a;@b` and org-ref's `&a;&b`, or keys between commas, as in its older links and in LaTeX."""
    sign = placeholder.before[-1:]
    separator = f";{sign}" if sign in ("@", "&") else ","
    return placeholder.before + separator.join(keys) + placeholder.after


def declare(text: str, _hidden: Sequence[Span], name: str, _texts: Iterable[str]) -> Replacement:
    """Behind the keywords and properties that a document begins with."""
    first = _KEYWORDS.match(text)
    newline = newline_of(text)
    offset = first.end() if first else 0
    ends_line = text.endswith("\n", 0, offset) or not offset
    before = "" if ends_line else newline
    return Replacement(Span(offset, offset), f"{before}#+bibliography: {name}{newline}" + ("" if offset else newline))


def insert_beside(text: str, link: Link, name: str) -> Replacement:
    end = next(it.start() for it in _LINE_END.finditer(text, link.span.end))
    return Replacement(Span(end, end), f"{newline_of(text)}#+bibliography: {name}")
