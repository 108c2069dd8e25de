"""What is written into documents in Org: citations, and the names of bibliographies."""

import re
from collections.abc import Iterable, Sequence

from citelsp.base.text import Span, newline_of
from citelsp.syntax.languages.language import Form, Replacement
from citelsp.syntax.nodes import Link, Placeholder

_KEY = re.compile(r"[\w.:?!`'/*@+|(){}<>&^$#%~-]+")  # org-syntax, "Citation references"
_KEYWORDS = re.compile(r"(?:[ \t]*#(?:\+\w+:|[ \t])[^\n]*\n|[ \t]*\r?\n(?=#\+))*")
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
    """Behind the keywords that a document begins with."""
    first = _KEYWORDS.match(text)
    newline = newline_of(text)
    offset = first.end() if first else 0
    return Replacement(Span(offset, offset), f"#+bibliography: {name}{newline}" + ("" if offset else newline))


def insert_beside(text: str, link: Link, name: str) -> Replacement:
    end = next(it.start() for it in _LINE_END.finditer(text, link.span.end))
    return Replacement(Span(end, end), f"{newline_of(text)}#+bibliography: {name}")
