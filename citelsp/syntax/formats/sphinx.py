"""The bibliographies that a Sphinx project names in its conf.py, which is read and never run."""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.syntax.nodes import Link, Syntax

_SETTING = re.compile(r"^bibtex_bibfiles[ \t]*(?::[^=\n]*)?=[ \t]*", re.MULTILINE)
_CHANGED = re.compile(r"^[ \t]*bibtex_bibfiles[ \t]*(?:\+=|\.)", re.MULTILINE)
_PART = re.compile(
    r"[\s,]+|\#[^\n]*|[rRuU]?(?:\"(?P<double>[^\"\\\n]*)\"|'(?P<single>[^'\\\n]*)')(?=\s*[,\])#]|\s*\Z)|(?P<end>[\])])"
)
COMPUTED = "$bibtex_bibfiles"  # the name of a file that only Python could tell


def parse(text: str) -> Syntax:
    found = list(_links(text)) if "bibtex_bibfiles" in text else []
    return Syntax(links=tuple(found), signs=frozenset({"roles"} if found else ()))


def _links(text: str) -> Iterator[Link]:
    setting = None
    for setting in _SETTING.finditer(text):
        offset = setting.end()
        computed = text[offset : offset + 1] not in ("[", "(")
        offset += 1
        while not computed:
            part = _PART.match(text, offset)
            computed = part is None
            if part is None or part["end"]:
                break
            offset = part.end()
            for style in ("double", "single"):
                if part[style]:
                    yield Link("bibliography", part[style], Span(*part.span(style)))
        if computed:
            yield Link("bibliography", COMPUTED, Span(setting.start(), setting.end()))
    for changed in _CHANGED.finditer(text):
        yield Link("bibliography", COMPUTED, Span(*changed.span()))
