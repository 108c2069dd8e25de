r"""Cite commands that a document defines for itself: `\newcommand{\seecite}[2][]{(see \cite[#1]{#2})}`."""

import re
from typing import NamedTuple

from citelsp.syntax.commands import CITES, pattern
from citelsp.syntax.tex_text import argument

_DEFINED = re.compile(
    r"\*?\s*\{?\s*\\(?P<name>[a-zA-Z]+)\s*\}?\s*(?P<count>\[\d\])?\s*(?P<default>\[[^\]\n]*\])?\s*"
    r"(?:\{(?P<specification>[^{}\n]*)\}\s*(?=\{))?"
)


_PREAMBLE = 50_000  # characters
_MACRO = re.compile(r"\\([a-zA-Z]+)")


class Definition(NamedTuple):
    """A command that hands keys on to a cite command, and the offset after its definition."""

    name: str
    end: int


def cite_command(text: str, at: int, definer: str) -> Definition | None:
    """What a definition gives as a cite command; None where it defines something else.

    `at` is the offset after the name of `definer`.  The command has to hand its first argument in braces on as keys.
    """
    found = _DEFINED.match(text, at)
    if found is None:
        return None
    name: str = found["name"]
    if definer.startswith("Declare") and "Cite" in definer:
        return Definition(name, found.end())
    optional = bool(found["default"]) or (found["specification"] or "").strip()[:1] in ("o", "O", "s")
    body = argument(text, found.end())
    if body is None or not _passes_keys(body.within(text), 2 if optional else 1):
        return None
    return Definition(name, body.end + 1)


def _passes_keys(body: str, parameter: int) -> bool:
    keys = re.compile(rf"\*?(?:\[[^\]]*\])*\{{#{parameter}\}}")
    return any(
        (shape := CITES.get(it["name"] or "")) is not None and shape.before == 0 and keys.match(body, it.end())
        for it in pattern().finditer(body)
    )


def expanded(text: str, tex: str) -> str:
    """A piece of a document with the macros that its preamble defines and that take no argument replaced."""
    for name in dict.fromkeys(_MACRO.findall(tex)):
        defining = re.compile(rf"(?:command\*?\s*\{{?|\\def\s*)\\{name}\}}?\s*(?=\{{)")
        if (found := defining.search(text, 0, _PREAMBLE)) and (value := argument(text, found.end())):
            said = value.within(text).replace("\\xspace", "").replace("\\", "\\\\")
            tex = re.sub(rf"\\{name}(?![a-zA-Z@])(?:\{{\}})?", said, tex)
    return tex
