r"""What a style of BibTeX does with entries, read from its .bst file without running it.

A type is one of its functions, and what it may print are the fields that this function can come to.  So what is called
unread here is never printed; what is read may still be left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

# A text in quotes, a comment, a brace, or any other word.
_WORD = re.compile(r'"[^"\n]*"|%[^\n]*|[{}]|[^\s{}"%]+')
_TEXT_WITH_URL = re.compile(r'^".*\\url\s*\{')
_LONGEST_STYLE = 1_000_000  # characters
# Words with which rows of the table of standard styles begin.
_ROW_OF_URLS = r"\url"
_ROW_OF_MISC = r"\misc"
_DEFAULT_TYPE = "default.type"  # the function that is called for entries of an unknown type
# Warnings that styles print.
_NEEDS_AUTHOR_TO_SORT = re.compile(r'^"to sort, need author\b.*\bkey in ')
_LACKS_YEAR = re.compile(r'^"(?:empty year|there\'s no year) in')
_EXCLUDED = {"volume and number": ("volume", "number"), "author and editor": ("author", "editor")}
_ALONE = {"there's a number but no volume in": ("volume",), "there's a number but no series in": ("series", "volume")}

# Types that speak to programs and stand for no work.
OF_PROGRAMS = frozenset({"xdata", "set", "comment", "control", "ieeetranbstctl", "rev-setup", "achemso-control"})


@dataclass(frozen=True, slots=True)
class Treatment:
    """What a style does with entries of one type."""

    fields: frozenset[str]  # that it may print
    excluding: tuple[tuple[str, str], ...] = ()  # of which it prints the first alone, and warns
    beside_number: tuple[str, ...] = ()  # one of which it wants beside a number, and warns


@dataclass(frozen=True, slots=True, eq=False)
class Bst:
    """A style.  Names are in small letters."""

    types: Mapping[str, Treatment] = field(default_factory=dict)
    default: str = "misc"  # the type as which it prints all others; "" if it does not say
    wraps_urls: bool = False  # it writes \url around them
    misc_needs: frozenset[str] = frozenset()  # "author", "year": it warns of an @misc without

    @property
    def fields(self) -> frozenset[str]:
        """The fields that it may print of entries of any type."""
        return frozenset[str]().union(*(it.fields for it in self.types.values()))

    def of(self, kind: str) -> Treatment | None:
        """Return what the style does with entries of this type; None if it does not know the type."""
        return self.types.get(kind)


@lru_cache(maxsize=8)
def parse(text: str) -> Bst | None:
    """Read from the text of a .bst file what the style does with entries; None if it is no style, or too long.

    That is which fields it prints of each type, as which type it prints unknown ones (`default`), whether it writes
    \\url around addresses, and what it warns of if an @misc lacks it.  These commands of the file count: `ENTRY
    {fields} {numbers} {texts}`, `FUNCTION {name} {body}`, `ITERATE {name}` and `REVERSE {name}`.
    """
    if len(text) > _LONGEST_STYLE:
        return None
    functions: dict[str, list[str]] = {}  # name → words of the body
    passes: list[str] = []  # functions that the style runs over all entries
    fields: list[str] | None = None
    variables: list[str] = []  # the style's own texts that it has for each entry
    for block in _blocks(text):
        names = block.arguments[0] if block.arguments else []
        if block.command == "function" and len(block.arguments) > 1 and names:
            functions[names[0].lower()] = block.arguments[1]
        elif block.command in ("iterate", "reverse") and names:
            passes.append(names[0].lower())
        elif block.command == "entry" and block.arguments and fields is None:
            fields = names
            variables = block.arguments[2] if len(block.arguments) > 2 else []
    if fields is None or not functions:
        return None

    known_fields = frozenset(map(str.lower, fields)) | {"crossref"}  # BibTeX itself adds crossref to every style
    # A function that prints a variable prints what the style put into it before.
    printable = {**_fields_of_variables(variables, functions, known_fields), **functions}
    called_by_default = map(str.lower, functions.get(_DEFAULT_TYPE, ()))  # mostly `misc` alone
    return Bst(
        types={name: _treatment(name, printable, known_fields) for name in functions if _may_be_type(name)},
        default=next((name for name in called_by_default if name in functions), ""),
        wraps_urls=any(map(_has_url, functions.values())),
        misc_needs=_misc_needs(passes, functions),
    )


def _has_url(body: Iterable[str]) -> bool:
    r"""True if a function writes `\url{`."""
    return any(_TEXT_WITH_URL.search(word) for word in body)


class Block(NamedTuple):
    """`FUNCTION {article} {output.bibitem …}`: a command and the words of each of its arguments."""

    command: str
    arguments: list[list[str]]


def _blocks(text: str) -> Iterator[Block]:
    """Yield the commands of a style in their order, their names in small letters.

    `FUNCTION {f} { a { b } if$ }` has the arguments `f` and `a b if$`: braces within an argument are dropped, as are
    comments.
    """
    block: Block | None = None
    argument: list[str] = []
    depth = 0
    for match in _WORD.finditer(text):
        word = match[0]
        if word.startswith("%"):
            continue
        if word == "{":
            depth += 1
            if depth == 1:
                argument = []
        elif word == "}":
            if depth == 1 and block:
                block.arguments.append(argument)
            depth = max(depth - 1, 0)  # a brace too many closes nothing
        elif depth > 0:
            argument.append(word)
        else:
            if block:
                yield block
            block = Block(word.lower(), [])
    if block:
        yield block


def _may_be_type(name: str) -> bool:
    return name.replace("-", "").replace("_", "").isalnum()


def _fields_of_variables(
    variables: Iterable[str], functions: Mapping[str, list[str]], fields: frozenset[str]
) -> dict[str, list[str]]:
    """Return for each of the style's variables the fields that it may hold, as if they were the body of a function.

    A function that assigns to a variable, `… author format.names 'label := …`, may put any field into it that it names.
    """
    fields_of: dict[str, list[str]] = {name.lower(): [] for name in variables}
    for body in functions.values():
        words = [word.lower() for word in body]
        for word, following in pairwise(words):
            name = word.removeprefix("'")
            if following == ":=" and name in fields_of:
                fields_of[name] += fields.intersection(words)
    return fields_of


def _treatment(name: str, functions: Mapping[str, list[str]], fields: frozenset[str]) -> Treatment:
    """Read what the function of a type does, with all that it calls; `fields` are those that the style declares."""
    words = [word for body in _bodies_called([name], functions) for word in body]
    warnings = {word.strip('"').strip().lower() for word in words if word.startswith('"')}
    read = fields.intersection(word.lstrip("'").lower() for word in words)
    excluding = [pair for warning, pair in _EXCLUDED.items() if warning in warnings and read.issuperset(pair)]
    beside_number = [names for warning, names in _ALONE.items() if warning in warnings and read.issuperset(names)]
    # With both warnings it depends on the entry what is wanted.
    named_beside = beside_number[0] if len(beside_number) == 1 else ()
    # What is the name of a function, too, calls that, and is no field then.
    return Treatment(read - functions.keys(), tuple(excluding), named_beside)


def _misc_needs(passes: Iterable[str], functions: Mapping[str, list[str]]) -> frozenset[str]:
    """Return what a style warns about if an @misc lacks it: "author", "year", both or nothing.

    It warns of the author in a pass over all entries, which sorts them.  It warns of the year in the function `misc`,
    which prints one: by a warning of its own, or by `"year" output.check` (or "date"), which warns if nothing is to be
    printed.
    `passes`: the functions that the style runs over all entries; `functions` has the words of each body.
    """
    needs: set[str] = set()
    for body in _bodies_called(passes, functions):
        if any(_NEEDS_AUTHOR_TO_SORT.search(word) for word in body):
            needs.add("author")
    for body in _bodies_called(["misc"], functions):
        words = [*map(str.lower, body), ""]
        for word, following in pairwise(words):
            is_checked = word in ('"year"', '"date"') and following == "output.check"
            if _LACKS_YEAR.search(word) or is_checked:
                needs.add("year")
    return frozenset(needs)


def _bodies_called(names: Iterable[str], functions: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """Yield the words of these functions, of those that they call, and so on, each function once."""
    uncalled = [name for name in names if name in functions]
    seen = set(uncalled)
    while uncalled:
        body = functions[uncalled.pop()]
        yield body
        words = {word.lstrip("'").lower() for word in body if not word.startswith('"')}
        called = words & functions.keys() - seen
        seen |= called
        uncalled += called


@cache
def standard() -> Mapping[str, Bst]:
    r"""Read `styles.txt` beside this module: by name, the styles of TeX distributions that most people use.

    A row that is not indented names styles, and the indented ones below it tell of them.  `\url`: they write that
    around addresses; `\misc author year`: what they warn of if an @misc lacks it; `article book: author title |
    volume/number | series`: of entries of these types they print the fields before the first `|`, only one of a pair
    behind it, and want one of the last beside a number.
    """
    styles: dict[str, Bst] = {}
    table = files("citelsp.bibliography").joinpath("styles.txt").read_text(encoding="utf-8")
    names: list[str] = []
    types: dict[str, Treatment] = {}
    for line in table.splitlines():
        if not line or line.startswith("#"):
            continue
        first, *words = line.split()
        if not line.startswith(" "):
            types = {}
            names = [first, *words]
            styles |= dict.fromkeys(names, Bst(types))
        elif first == _ROW_OF_URLS:
            styles |= {name: replace(styles[name], wraps_urls=True) for name in names}
        elif first == _ROW_OF_MISC:
            styles |= {name: replace(styles[name], misc_needs=frozenset(words)) for name in names}
        else:
            # The styles named above hold this very `types`, which fills up row by row.
            kinds, _, treatment = line.partition(":")
            types |= dict.fromkeys(kinds.split(), _read_treatment(treatment))
    return styles


def _read_treatment(row: str) -> Treatment:
    fields, _, others = row.partition("|")
    excluding, _, beside_number = others.partition("|")
    pairs = []
    for pair in excluding.split():
        printed, _, excluded = pair.partition("/")
        pairs.append((printed, excluded))
    return Treatment(frozenset(fields.split()), tuple(pairs), tuple(beside_number.split()))
