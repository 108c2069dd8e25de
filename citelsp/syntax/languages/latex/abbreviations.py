r"""Abbreviations in LaTeX: what they stand for, and what acro cites in their properties.

`\newacronym{vae}{VAE}{variational autoencoder}` is printed by `\gls{vae}`; likewise in glossaries-extra, acronym and
acro.  Readers see the name at some places and the words at others: who looks for papers needs both at each.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from citelsp.base import bounds
from citelsp.base.text import Span
from citelsp.syntax.languages.latex import cites
from citelsp.syntax.languages.latex.cite_commands import ACRONYMS_OF_PROPERTIES, NAMED_ACRONYMS
from citelsp.syntax.languages.latex.grammar import argument, skip_space
from citelsp.syntax.nodes import Citation, KeyArgument

_SPACE = r"(?:[ \t\r]|\n(?![ \t\r]*\n)|%[^\n]*\n)*"
_PROPERTY = re.compile(rf"{_SPACE}(?P<name>cite|short|long|name){_SPACE}={_SPACE}")
_SIGN = re.compile(r"\\.|%[^\n]*|[{},]|\n[ \t\r]*\n", re.DOTALL)
_BARE = re.compile(r"[^\s,{}\[\]\\%#]*")
_BARE_WORDS = re.compile(r"[^,{}\\%]*")
_USE = re.compile(
    r"\\(?:[gG][lL][sS](?:pl|(?:xtr)?(?:short|long|full)(?:pl)?|text|first|name|plural|entry(?:short|long|name|text))?"
    r"|[aA]cr(?:short|long|full)(?:pl)?|[iI]?[aA]c[sflp]{0,2}[iu]?)(?![a-zA-Z@])\*?(?:\[[^\[\]]{0,200}\])?"
    r"\{(?P<key>[^{}\\\n]{1,100})\}"
)
_MOST = 1000  # signs in one acronym
_DEEPEST = 20  # braces in braces: what is opened and never closed would be read every time
_LONGEST = 200  # characters of what one stands for


class _Property(NamedTuple):
    name: str
    start: int
    value: int  # the offset at which it begins


def read(text: str, end: int, definer: str, gathering: cites.Gathering, acronyms: dict[str, str]) -> None:
    """Add what an abbreviation cites to `gathering`, and what it stands for to `acronyms`; `definer` ends at `end`."""
    if definer == "DeclareAcronym":
        _cites(text, end, gathering)
    if len(acronyms) < bounds.ACRONYMS and (defined := _defined(text, end, definer)):
        acronyms.setdefault(*defined)


def _cites(text: str, end: int, gathering: cites.Gathering) -> None:
    for name, start, offset in _properties(text, end):
        if name != "cite":
            continue
        if text.startswith(("{", "["), offset):
            cites.read(text, start, offset, "cite", gathering)
            continue
        bare = _BARE.match(text, offset)
        span = Span(*bare.span()) if bare else Span(offset, offset)
        gathering.arguments.append(KeyArgument(span, "cite", "{"))
        key = span.within(text)
        if key:
            gathering.citations.append(Citation(key, span, "cite", Span(start, span.end)))


def _defined(text: str, end: int, definer: str) -> tuple[str, str] | None:
    """The key and what it stands for: "variational autoencoder (VAE)"; None if nothing or too much is given."""
    options = argument(text, end, "[") if definer in NAMED_ACRONYMS else None
    key = argument(text, options.end + 1 if options else end)
    if key is None:
        return None
    if definer in ACRONYMS_OF_PROPERTIES:
        values = {it.name: _value(text, it.value) for it in _properties(text, end)}
        name = values.get("short") or values.get("name", "")
        words = values.get("long", "")
    else:
        short = argument(text, key.end + 1, "{" if definer in NAMED_ACRONYMS else "[")
        long = argument(text, short.end + 1 if short else key.end + 1)
        name = (short or key).within(text)
        words = long.within(text) if long else ""
    name = " ".join(name.split())
    words = " ".join(words.split())
    meaning = f"{words} ({name})" if name and words else name or words
    if not 0 < len(meaning) <= _LONGEST:
        return None
    return key.within(text).strip(), meaning


def uses(text: str, part: Span, acronyms: Mapping[str, str]) -> Iterator[tuple[Span, str]]:
    """Where a part of a text prints one of these by its key, and what that stands for."""
    for match in _USE.finditer(text, *part):
        words = acronyms.get(match["key"].strip())
        if words:
            yield Span(*match.span()), words


def _properties(text: str, end: int) -> Iterator[_Property]:
    """Those in the second argument behind `end`, closed or not."""
    key = argument(text, end)
    body = skip_space(text, key.end + 1) if key else end
    if key is None or not text.startswith("{", body):
        return
    yield from _property(text, body + 1)
    depth = 1
    for sign in islice(_SIGN.finditer(text, body + 1), _MOST):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if not 0 < depth <= _DEEPEST or "\n" in sign[0]:
            return
        if depth == 1 and sign[0] == ",":
            yield from _property(text, sign.end())


def _property(text: str, offset: int) -> Iterator[_Property]:
    match = _PROPERTY.match(text, offset)
    if match:
        yield _Property(match["name"], match.start("name"), match.end())


def _value(text: str, offset: int) -> str:
    braced = argument(text, offset)
    bare = _BARE_WORDS.match(text, offset)
    return braced.within(text) if braced else bare[0] if bare else ""
