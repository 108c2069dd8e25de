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
from citelsp.syntax.languages.latex import cite_arguments
from citelsp.syntax.languages.latex.cite_commands import ACRONYMS_OF_PROPERTIES, NAMED_ACRONYMS
from citelsp.syntax.languages.latex.grammar import argument, skip_space
from citelsp.syntax.nodes import Citation, KeyArgument

_SPACE = r"(?:[ \t\r]|(?:%[^\n]*)?\n(?![ \t\r]*\n))*"
_PROPERTY = re.compile(rf"{_SPACE}(?P<name>cite|short|long|name){_SPACE}={_SPACE}")  # `short = `
# What parts properties: braces, commas, a blank line; escaped signs and comments are passed over whole.
_SIGN = re.compile(r"\\.|%[^\n]*|[{},]|\n[ \t\r]*\n", re.DOTALL)
_BARE_KEY = re.compile(r"[^\s,{}\[\]\\%#]*")
_BARE_WORDS = re.compile(r"[^,{}\\%]*")
# `\gls{vae}`, `\acrshort{vae}`, `\acp{vae}`.
_USE = re.compile(
    r"\\(?:[gG][lL][sS](?:pl|(?:xtr)?(?:short|long|full)(?:pl)?|text|first|name|plural|entry(?:short|long|name|text))?"
    r"|[aA]cr(?:short|long|full)(?:pl)?|[iI]?[aA]c[sflp]{0,2}[iu]?)(?![a-zA-Z@])\*?(?:\[[^\[\]]{0,200}\])?"
    r"\{(?P<key>[^{}\\\n]{1,100})\}"
)
_MOST_SIGNS = 1000  # in one acronym
_DEEPEST = 20  # braces in braces: what is opened and never closed would be read every time
_LONGEST_MEANING = 200  # characters


class _Property(NamedTuple):
    """One `name = value` of an acronym."""

    name: str
    start: int  # of the name
    value: int  # the offset at which the value begins


def read(text: str, end: int, definer: str, gathering: cite_arguments.Gathering, acronyms: dict[str, str]) -> None:
    r"""Read the definition of an abbreviation: `\newacronym{vae}{VAE}{variational autoencoder}`.

    What it cites is added to `gathering`, what it stands for to `acronyms`, by its key.  `definer` is the command,
    without backslash, and ends at `end`.  Of two with one key the first counts.
    """
    if definer == "DeclareAcronym":  # of acro, which prints what the property `cite` names
        _add_citations(text, end, gathering)
    if len(acronyms) >= bounds.ACRONYMS:  # enough; only what further ones cite is read
        return
    abbreviation = _read_abbreviation(text, end, definer)
    if abbreviation:
        key, meaning = abbreviation
        acronyms.setdefault(key, meaning)


def _add_citations(text: str, end: int, gathering: cite_arguments.Gathering) -> None:
    r"""Add to `gathering` what the property `cite` in the second argument behind `end` holds.

    That is one bare key, `cite = knuth84`, or arguments like those of `\cite`: `cite = [12]{knuth84}`.  Where a key is
    typed, or is still to be, completion offers some (`gathering.arguments`).
    """
    for name, start, value in _read_properties(text, end):  # where the name begins, and where the value does
        if name != "cite":
            continue
        if text.startswith(("{", "["), value):
            cite_arguments.read(text, start, value, "cite", gathering)
            continue
        bare = _BARE_KEY.match(text, value)
        span = Span(*bare.span()) if bare else Span(value, value)
        gathering.arguments.append(KeyArgument(span, "cite", "{"))  # "{": keys are offered as they are behind a brace
        key = span.within(text)
        if key:
            gathering.citations.append(Citation(key, span, "cite", Span(start, span.end)))


def _read_abbreviation(text: str, end: int, definer: str) -> tuple[str, str] | None:
    """Return the key and what it stands for, "variational autoencoder (VAE)"; None if that is empty or too long.

    Where the two stand depends on `definer`, the command that ends at `end`: `\\newacronym[options]{key}{name}{words}`,
    `\\acro{key}[name]{words}`, or properties, `{key}{short = name, long = words}`.  None also if the key's braces are
    not closed.  If the argument for the name is left out or not closed, the key is the name, but not if properties have
    none.  Whatever else is missing counts as empty.
    """
    options = argument(text, end, "[") if definer in NAMED_ACRONYMS else None
    key = argument(text, options.end + 1 if options else end)
    if key is None:
        return None
    if definer in ACRONYMS_OF_PROPERTIES:
        values = {it.name: _value(text, it.value) for it in _read_properties(text, end)}
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
    if not 0 < len(meaning) <= _LONGEST_MEANING:
        return None
    return key.within(text).strip(), meaning


def uses(text: str, part: Span, acronyms: Mapping[str, str]) -> Iterator[tuple[Span, str]]:
    r"""Find where a part of a text prints an abbreviation, as by `\gls{key}`, and what that stands for.

    `acronyms` are meanings by key, as `read` adds them.
    """
    for match in _USE.finditer(text, *part):
        meaning = acronyms.get(match["key"].strip())
        if meaning:
            yield Span(*match.span()), meaning


def _read_properties(text: str, end: int) -> Iterator[_Property]:
    """Yield the properties with the names in _PROPERTY, such as `short`, that the second argument behind `end` has.

    It is read up to a blank line at most, as it may not be closed yet.
    """
    key = argument(text, end)
    if key is None:
        return
    body = skip_space(text, key.end + 1)
    if not text.startswith("{", body):
        return
    yield from _read_property(text, body + 1)
    depth = 1  # braces that are open
    for sign in islice(_SIGN.finditer(text, body + 1), _MOST_SIGNS):
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}":
            depth -= 1
        if not 0 < depth <= _DEEPEST or sign[0].startswith("\n"):
            return
        if depth == 1 and sign[0] == ",":
            yield from _read_property(text, sign.end())


def _read_property(text: str, offset: int) -> Iterator[_Property]:
    """The property that begins at an offset, if one does."""
    match = _PROPERTY.match(text, offset)
    if match:
        yield _Property(match["name"], match.start("name"), match.end())


def _value(text: str, offset: int) -> str:
    """The value that begins at an offset: in braces, or bare up to a comma."""
    braced = argument(text, offset)
    if braced:
        return braced.within(text)
    bare = _BARE_WORDS.match(text, offset)
    return bare[0] if bare else ""
