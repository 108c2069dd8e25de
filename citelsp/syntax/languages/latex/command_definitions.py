r"""Commands that a document defines for itself: `\newcommand{\seecite}[2][]{(see \cite[#1]{#2})}`.

Also those that hand the name of a bibliography on, as classes define them: `\newcommand{\refs}[1]{\bibliography{#1}}`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from citelsp.base import effort
from citelsp.syntax.languages.latex.cite_commands import BIBLIOGRAPHIES, CITES, naming_bibliographies, pattern
from citelsp.syntax.languages.latex.grammar import Comments, argument, without_comments

# The heads of definitions, from behind the defining command up to the body.
_NAMED = r"\*?\s*+\{?\s*+\\(?P<name>[a-zA-Z]++)\s*+\}?\s*+"
# `{\seecite}[2][default]`, behind \newcommand.
_COMMAND = re.compile(rf"{_NAMED}(?:\[\d\])?\s*+(?P<default>\[[^\]\n]{{0,200}}\])?\s*+")
# `{\seecite}{s O{} m}`, behind \NewDocumentCommand.
_DOCUMENT_COMMAND = re.compile(rf"{_NAMED}\{{(?P<specification>(?:[^{{}}\n]|\{{[^{{}}\n]*\}})*)\}}\s*")
_NO_ARGUMENT = re.compile(r"\{[^{}]*\}|[^A-Za-z]")  # in a specification, whose letters are arguments: defaults, spaces
# `\seecite[#1]#2`, behind \def.
_DEF = re.compile(r"\s*\\(?P<name>[a-zA-Z]+)(?P<parameters>(?:#\d|\[#\d\])*)\s*(?=\{)")
# `\seecite=\cite`, behind \let.
_LET = re.compile(r"\s*\\(?P<name>[a-zA-Z]++)\s*+=?\s*+\\(?P<old>[a-zA-Z]+)(?![a-zA-Z@])")
_ALIAS = re.compile(r"\\(?P<old>[a-zA-Z]+)\*?")
_DEFINED_MACRO = re.compile(  # without arguments
    r"(?:command\*?\s*+(?:\{\s*+)?|\\[egx]?def\s*+)\\(?P<name>[a-zA-Z@]++)\s*+(?:\}\s*+)?(?=\{)",
)
_PREAMBLE = 50_000  # characters at the beginning of a text, in which definitions are looked for
# `\dir` in `\dir/intro`, but not \jobname.
_FILE_MACRO = re.compile(r"\\(?!jobname(?![a-zA-Z@]))(?P<name>[a-zA-Z@]+)(?:\{\})?[ \t]*")
_MOST_SPELLINGS = 32
_LONGEST_NAME = 200  # characters
_LONGEST_TITLE = 5000  # characters: macros made of macros could fill the memory
_MACRO = re.compile(r"\\([a-zA-Z]+)")
_BRACE = re.compile(r"(?<!\\)[{}]")


class OwnCommand(NamedTuple):
    """A command of the author's own that hands its argument on."""

    name: str  # if it names bibliographies, as `naming_bibliographies` writes it
    end: int  # of its definition


def own_command(
    text: str, offset: int, definer: str, cites: frozenset[str] = frozenset(), naming: frozenset[str] = frozenset()
) -> OwnCommand | None:
    r"""Return the command that a definition makes, if it cites or names bibliographies; None if it does neither.

    `definer` is the defining command, "newcommand" or "let", and its name ends at `offset`.  `cites` and `naming` are
    the author's commands known so far: those that cite, and those that name bibliographies.  The new command has to
    hand its first argument in braces on, as keys or as what \bibliography names, or to be another name of such a one.
    """
    if definer == "let":
        same = _LET.match(text, offset)
        return _another_name(same["name"], same["old"], same.end(), cites, naming) if same else None
    head = _head(definer).match(text, offset)
    if head is None:
        return None
    name: str = head["name"]
    # biblatex's \DeclareCiteCommand always makes a cite command: its body is code run for each key, in which no `#1`
    # shows that keys are handed on.
    if definer.startswith("Declare") and "Cite" in definer:
        return OwnCommand(name, head.end())  # the code behind it is read like other text
    body = argument(text, head.end())
    if body is None:
        return None
    end = body.end + len("}")
    code = body.within(text)
    alias = _ALIAS.fullmatch(code.strip())  # `\newcommand{\mycite}{\citep}`: the body is one command alone
    if alias:
        return _another_name(name, alias["old"], end, cites, naming)
    parameter = _first_braced_parameter(head, definer)
    if parameter and _passes_keys(code, parameter, cites):
        return OwnCommand(name, end)
    if parameter and _passes_bibliographies(code, parameter, naming):
        # A mark behind the name says that the command is read like \bibliography and not like \cite.
        return OwnCommand(naming_bibliographies(name), end)
    return None


def _head(definer: str) -> re.Pattern[str]:
    r"""Return the pattern of what follows `definer` in a definition: the new command's name, and its arguments."""
    if definer == "def":
        return _DEF  # as parameters: \def\name[#1]#2
    if "Document" in definer:
        return _DOCUMENT_COMMAND  # as a specification: \NewDocumentCommand{\name}{s O{} m}
    return _COMMAND  # as a number: \newcommand{\name}[2][default]


def _another_name(name: str, old: str, end: int, cites: frozenset[str], naming: frozenset[str]) -> OwnCommand | None:
    """Return the command `name`, another name of `old`; None if `old` neither cites nor names bibliographies."""
    if _takes_keys_first(old, cites):
        return OwnCommand(name, end)
    if old in BIBLIOGRAPHIES or old in naming:
        return OwnCommand(naming_bibliographies(name), end)
    return None


def _first_braced_parameter(head: re.Match[str], definer: str) -> int:
    """Return the number, from 1, of the first argument in braces that the defined command takes; 0 if there is none."""
    if definer == "def":
        return {"#1": 1, "[#1]#2": 2}.get(head["parameters"], 0)
    if "Document" not in definer:
        return 2 if head["default"] else 1  # a default makes the first argument optional, and in brackets
    optional, mandatory, _ = _NO_ARGUMENT.sub("", head["specification"]).partition("m")
    # A star or an optional argument may stand before the keys; delimited ones (`r()`, `u`) nobody cites with.
    citable = mandatory and set(optional) <= set("soO")
    return len(optional) + 1 if citable else 0


def _takes_keys_first(name: str, own: frozenset[str]) -> bool:
    """True for a command that cites and whose first argument in braces holds the keys; `own` are the author's."""
    if name in own:
        return True
    shape = CITES.get(name)
    return shape is not None and shape.before == 0


def _passes_keys(body: str, parameter: int, own: frozenset[str]) -> bool:
    r"""True if the body of a definition hands a parameter on as keys: `\citep[see][]{#1}`."""
    keys = re.compile(rf"\*?(?:\[[^\]]*\])*\{{#{parameter}\}}")
    for command in pattern(tuple(sorted(own))).finditer(body):
        if _takes_keys_first(command["name"] or "", own) and keys.match(body, command.end()):
            return True
    return False


def _passes_bibliographies(body: str, parameter: int, own: frozenset[str]) -> bool:
    r"""True if the body of a definition hands a parameter on as what `\bibliography` names, or with its ending."""
    passed = re.compile(rf"\\(?P<name>[a-zA-Z]++)(?:\[[^\]]*\])?\{{#{parameter}(?:\.bib)?\}}")
    return any(match["name"] in BIBLIOGRAPHIES or match["name"] in own for match in passed.finditer(body))


def expand_macros(text: str, tex: str) -> str:
    r"""Return `tex` with macros replaced by their values: those without arguments that the preamble of `text` defines.

    `tex` is a piece of the document `text`, such as its title.  Once the values of a macro would be longer
    together than any title, that macro and all after it stay as they are; so do macros that only the values hold.
    """
    preamble = without_comments(text[:_PREAMBLE])  # with the same offsets as `text`
    for name in dict.fromkeys(_MACRO.findall(tex)):
        definition = _find_definition(preamble, name)
        value = argument(preamble, definition.end()) if definition else None
        if value is None:
            continue
        # \xspace prints a space or nothing; a backslash is doubled since `sub` reads escapes in a replacement.
        replacement = value.within(text).replace("\\xspace", "").replace("\\", "\\\\")
        # The value may hold macros in turn: each round could double the text.
        if tex.count(f"\\{name}") * len(replacement) > _LONGEST_TITLE:
            break
        tex = re.sub(rf"\\{name}(?![a-zA-Z@])(?:\{{\}})?", replacement, tex)
    return tex


def _find_definition(preamble: str, name: str) -> re.Match[str] | None:
    r"""Find the definition of a macro that holds in the body of a document; the match ends where its value begins.

    That is the last before `\begin{document}`, as templates define the macros for a title as empty first; without one
    there the last behind it.  `\providecommand` counts only if no other definition stands before it, and so does what
    is in braces: `\newcommand{\blind}{\renewcommand{\thetitle}{…}}`, which may never be called.
    """
    defining = re.compile(rf"(?:command\*?\s*\{{?|\\def\s*)\\{name}\}}?\s*(?=\{{)")
    begin = preamble.find("\\begin{document}")
    holding: re.Match[str] | None = None
    depth = 0  # of braces
    looked = 0  # up to this offset they are counted
    for definition in defining.finditer(preamble):
        if holding and holding.start() < begin < definition.start():
            break
        braces = _BRACE.findall(preamble, looked, definition.start())
        depth += braces.count("{") - braces.count("}")
        looked = definition.start()
        only_provides = preamble.endswith("provide", 0, looked)
        if holding is None or not (only_provides or depth > 0):
            holding = definition
    return holding


def spellings(tex: str, macros: Sequence[Mapping[str, Sequence[str]]]) -> list[str]:
    r"""Return all that `tex` may stand for once its macros are replaced: `\dir/intro` gives [`chapters/intro`].

    `macros` are what `find_short_macros` found in each text of the project.  All definitions of a macro count, as which
    of them holds shows only as TeX runs.  A spelling in which an unknown macro is left is dropped; if none remains,
    `tex` alone is returned.  The search ends after _MOST_SPELLINGS steps, as macros may be defined by themselves.
    """
    finished: dict[str, None] = {}  # in order
    unfinished = [tex]
    for _ in range(_MOST_SPELLINGS):
        if not unfinished:
            break
        current = unfinished.pop(0)
        macro = _FILE_MACRO.search(current)
        if macro is None:
            finished[current] = None
            continue
        values: dict[str, None] = {}
        for definitions in macros:
            values |= dict.fromkeys(definitions.get(macro["name"], ()))
        unfinished += [current[: macro.start()] + value + current[macro.end() :] for value in values]
    return list(finished) or [tex]


def find_short_macros(text: str) -> dict[str, list[str]]:
    r"""Map each macro without arguments that the preamble of `text` defines to all values that it gets, in order.

    Such macros may stand in names of files, `\dir`, or be compared by conditions.  Left out are definitions in
    comments, and values that are too long for a file's name or take an argument (`#1`).
    """
    values: dict[str, list[str]] = {}
    comments = Comments(text)
    for definition in effort.iterate(_DEFINED_MACRO.finditer(text, 0, _PREAMBLE)):
        body = argument(text, definition.end())
        if body is None:
            continue
        value = body.within(text).strip()
        if len(value) > _LONGEST_NAME or "#" in value:
            continue
        if not comments.cover(definition.start()):
            values.setdefault(definition["name"], []).append(value)
    return values
