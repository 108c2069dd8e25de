r"""What acro cites in the properties of an acronym: `\DeclareAcronym{id}{short = …, cite = [see]{key, key}}`."""

import re
from itertools import islice

from citelsp.base.text import Span
from citelsp.syntax import cites
from citelsp.syntax.nodes import Citation, KeyArgument
from citelsp.syntax.tex_text import argument, skip_space

_SPACE = r"(?:[ \t\r]|\n(?![ \t\r]*\n)|%[^\n]*\n)*"
_PROPERTY = re.compile(rf"{_SPACE}(?P<name>cite){_SPACE}={_SPACE}")
_SIGN = re.compile(r"\\.|%[^\n]*|[{},]|\n[ \t\r]*\n", re.DOTALL)
_BARE = re.compile(r"[^\s,{}\[\]\\%#]*")
_MOST = 1000  # signs in one acronym


def read(text: str, end: int, found: cites.Gathering) -> None:
    """Add to `found` what the acronym cites whose command's name ends at `end`; no further than a blank line."""
    name = argument(text, end)
    body = skip_space(text, name.end + 1) if name else end
    if name is None or not text.startswith("{", body):
        return
    _property(text, body + 1, found)
    depth = 1
    for sign in islice(_SIGN.finditer(text, body + 1), _MOST):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if depth == 0 or "\n" in sign[0]:
            return
        if depth == 1 and sign[0] == ",":
            _property(text, sign.end(), found)


def _property(text: str, at: int, found: cites.Gathering) -> None:
    match = _PROPERTY.match(text, at)
    if match is None:
        return
    start, at = match.start("name"), match.end()
    if text.startswith(("{", "["), at):
        cites.read(text, start, at, "cite", found)
        return
    bare = _BARE.match(text, at)
    span = Span(*bare.span()) if bare else Span(at, at)
    found.arguments.append(KeyArgument(span, "cite", "{"))
    if key := span.within(text):
        found.citations.append(Citation(key, span, "cite", Span(start, span.end)))
