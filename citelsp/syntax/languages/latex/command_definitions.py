r"""Commands that a document defines for itself: `\newcommand{\seecite}[2][]{(see \cite[#1]{#2})}`.

Also those that hand the name of a bibliography on, as classes define them: `\newcommand{\refs}[1]{\bibliography{#1}}`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from citelsp.base import effort
from citelsp.syntax.languages.latex.cite_commands import BIBLIOGRAPHIES, CITES, naming_bibliographies, pattern
from citelsp.syntax.languages.latex.grammar import argument, is_comment

_NAMED = r"\*?\s*+\{?\s*+\\(?P<name>[a-zA-Z]++)\s*+\}?\s*+"
_COMMAND = re.compile(rf"{_NAMED}(?:\[\d\])?\s*+(?P<default>\[[^\]\n]{{0,200}}\])?\s*+")
_DOCUMENT_COMMAND = re.compile(rf"{_NAMED}\{{(?P<specification>(?:[^{{}}\n]|\{{[^{{}}\n]*\}})*)\}}\s*")
_DEFAULTS = re.compile(r"\{[^{}]*\}|[^A-Za-z]")  # of a specification: what is no letter of an argument
_DEF = re.compile(r"\s*\\(?P<name>[a-zA-Z]+)(?P<parameters>(?:#\d|\[#\d\])*)\s*(?=\{)")
_LET = re.compile(r"\s*\\(?P<name>[a-zA-Z]++)\s*+=?\s*+\\(?P<old>[a-zA-Z]+)(?![a-zA-Z@])")
_ALIAS = re.compile(r"\\(?P<old>[a-zA-Z]+)\*?")
_DEFINITION = re.compile(
    r"(?:command\*?\s*+(?:\{\s*+)?|\\[egx]?def\s*+)\\(?P<name>[a-zA-Z@]++)\s*+(?:\}\s*+)?(?=\{)",
)
_PREAMBLE = 50_000  # characters
_FILE_MACRO = re.compile(r"\\(?!jobname(?![a-zA-Z@]))(?P<name>[a-zA-Z@]+)(?:\{\})?[ \t]*")
_MOST_SPELLINGS = 32
_LONGEST_NAME = 200  # characters
_LONGEST_TITLE = 5000  # characters: macros made of macros could fill the memory
_MACRO = re.compile(r"\\([a-zA-Z]+)")


class OwnCommand(NamedTuple):
    """A command that hands its argument on, named as among those that are read anew, and the end of its definition."""

    name: str
    end: int


def own_command(
    text: str, offset: int, definer: str, cites: frozenset[str] = frozenset(), naming: frozenset[str] = frozenset()
) -> OwnCommand | None:
    r"""What a definition gives as a command to cite or to name bibliographies; None if it defines something else.

    `offset` is where the name of `definer` ends; `cites` and `naming` are the own commands known before.  The command
    has to hand its first argument in braces on as keys, or as what \bibliography names, or to be another name of such
    a command.
    """
    if definer == "let":
        same = _LET.match(text, offset)
        return _another_name(same["name"], same["old"], same.end(), cites, naming) if same else None
    # xparse gives its arguments as a specification, \def as parameters, the rest as a number in brackets.
    match = (_DEF if definer == "def" else _DOCUMENT_COMMAND if "Document" in definer else _COMMAND).match(text, offset)
    if match is None:
        return None
    name: str = match["name"]
    # biblatex's \DeclareCiteCommand: its body is code that is run for each key, so none is handed on in it.
    if definer.startswith("Declare") and "Cite" in definer:
        return OwnCommand(name, match.end())
    body = argument(text, match.end())
    if body is None:
        return None
    alias = _ALIAS.fullmatch(body.within(text).strip())
    if alias:
        return _another_name(name, alias["old"], body.end + 1, cites, naming)
    parameter = _parameter(match, definer)
    if parameter and _passes_keys(body.within(text), parameter, cites):
        return OwnCommand(name, body.end + 1)
    if parameter and _passes_bibliographies(body.within(text), parameter, naming):
        return OwnCommand(naming_bibliographies(name), body.end + 1)
    return None


def _another_name(name: str, old: str, end: int, cites: frozenset[str], naming: frozenset[str]) -> OwnCommand | None:
    if _cites(old, cites):
        return OwnCommand(name, end)
    return OwnCommand(naming_bibliographies(name), end) if old in BIBLIOGRAPHIES | naming else None


def _parameter(match: re.Match[str], definer: str) -> int:
    """The number of the first argument in braces; 0 if there is none."""
    if definer == "def":
        return {"": 0, "#1": 1, "[#1]#2": 2}.get(match["parameters"], 0)
    if "Document" not in definer:
        return 2 if match["default"] else 1
    # A star or an optional argument may stand before the keys; delimited ones (`r()`, `u`) nobody cites with.
    optional, mandatory, _ = _DEFAULTS.sub("", match["specification"]).partition("m")
    return len(optional) + 1 if mandatory and set(optional) <= set("soO") else 0


def _cites(name: str, own: frozenset[str]) -> bool:
    return name in own or ((shape := CITES.get(name)) is not None and shape.before == 0)


def _passes_keys(body: str, parameter: int, own: frozenset[str]) -> bool:
    keys = re.compile(rf"\*?(?:\[[^\]]*\])*\{{#{parameter}\}}")
    return any(
        _cites(match["name"] or "", own) and keys.match(body, match.end())
        for match in pattern(tuple(sorted(own))).finditer(body)
    )


def _passes_bibliographies(body: str, parameter: int, own: frozenset[str]) -> bool:
    passed = re.compile(rf"\\(?P<name>[a-zA-Z]++)(?:\[[^\]]*\])?\{{#{parameter}\}}")
    return any(it["name"] in BIBLIOGRAPHIES or it["name"] in own for it in passed.finditer(body))


def expanded(text: str, tex: str) -> str:
    """A piece of a document with the macros that its preamble defines and that take no argument replaced."""
    for name in dict.fromkeys(_MACRO.findall(tex)):
        defining = re.compile(rf"(?:command\*?\s*\{{?|\\def\s*)\\{name}\}}?\s*(?=\{{)")
        match = defining.search(text, 0, _PREAMBLE)
        if match and (value := argument(text, match.end())):
            replacement = value.within(text).replace("\\xspace", "").replace("\\", "\\\\")
            # The value may hold macros in turn: each round could double the text.
            if tex.count(f"\\{name}") * len(replacement) > _LONGEST_TITLE:
                break
            tex = re.sub(rf"\\{name}(?![a-zA-Z@])(?:\{{\}})?", replacement, tex)
    return tex


def spellings(tex: str, macros: Sequence[Mapping[str, Sequence[str]]]) -> list[str]:
    """What a piece of LaTeX may stand for, with the macros replaced that `of_files` found.

    All definitions count, as which of them holds shows only as TeX runs; bounded.
    """
    done: dict[str, None] = {}
    todo = [tex]
    for _ in range(_MOST_SPELLINGS):
        if not todo:
            break
        current = todo.pop(0)
        macro = _FILE_MACRO.search(current)
        if macro is None:
            done[current] = None
            continue
        values: dict[str, None] = {}
        for definitions in macros:
            values |= dict.fromkeys(definitions.get(macro["name"], ()))
        todo += [current[: macro.start()] + value + current[macro.end() :] for value in values]
    return list(done) or [tex]


def of_files(text: str) -> dict[str, list[str]]:
    """What the macros without arguments say that a text defines and that may stand in names of files.

    Those in comments are left out.
    """
    found: dict[str, list[str]] = {}
    for defined in effort.iterate(_DEFINITION.finditer(text, 0, _PREAMBLE)):
        value = argument(text, defined.end())
        words = value.within(text).strip() if value else ""
        if not value or len(words) > _LONGEST_NAME or "#" in words:
            continue
        if not is_comment(text, text.rfind("\n", 0, defined.start()) + 1, defined.start()):
            found.setdefault(defined["name"], []).append(words)
    return found
