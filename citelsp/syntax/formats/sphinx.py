"""The bibliographies that a Sphinx project names in its conf.py, which is read and never run."""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.syntax.nodes import Link, Syntax

# `bibtex_bibfiles = `, perhaps with a type: `bibtex_bibfiles: list[str] = `.
_SETTING = re.compile(r"^bibtex_bibfiles[ \t]*(?::[^=\n]*)?=[ \t]*", re.MULTILINE)
# `bibtex_bibfiles += …` or `bibtex_bibfiles.append(…)`.
_CHANGED_LATER = re.compile(r"^[ \t]*bibtex_bibfiles[ \t]*(?:\+=|\.)", re.MULTILINE)
# In a list: what parts items, a comment, a string without escapes, or the closing bracket.
_PART = re.compile(
    r"[\s,]+|\#[^\n]*|[rRuU]?(?:\"(?P<double>[^\"\\\n]*)\"|'(?P<single>[^'\\\n]*)')(?=\s*[,\])#]|\s*\Z)|(?P<end>[\])])"
)
COMPUTED = "$bibtex_bibfiles"  # the name of a file that only Python could tell


def parse(text: str) -> Syntax:
    links = tuple(_links(text)) if "bibtex_bibfiles" in text else ()
    return Syntax(links=links, signs=frozenset({"roles"} if links else ()))


def _links(text: str) -> Iterator[Link]:
    """Yield links to the files that `bibtex_bibfiles = ["a.bib"]` lists in a conf.py.

    A link to COMPUTED stands for what only running the file could tell: an expression, or a later change of the list.
    """
    for setting in _SETTING.finditer(text):
        yield from _read_setting(text, setting)
    for change in _CHANGED_LATER.finditer(text):
        yield Link("bibliography", COMPUTED, Span(*change.span()))


def _read_setting(text: str, setting: re.Match[str]) -> Iterator[Link]:
    """Yield links to the files that one setting lists, up to the first item that is no plain string.

    Such an item, a list that is not closed, and a value that is no list give a link to COMPUTED.
    """
    if text.startswith(("[", "("), setting.end()):
        offset = setting.end() + 1
        while part := _PART.match(text, offset):
            if part["end"]:
                return
            offset = part.end()
            for style in ("double", "single"):
                if part[style]:
                    yield Link("bibliography", part[style], Span(*part.span(style)))
    yield Link("bibliography", COMPUTED, Span(*setting.span()))
