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

_WORD = re.compile(r'"[^"\n]*"|%[^\n]*|[{}]|[^\s{}"%]+')
_URL = re.compile(r'^".*\\url\s*\{')
_LONGEST = 1_000_000  # characters of a style that is read
_WRAPS, _WANTS = r"\url", r"\misc"  # rows of the table of standard styles
_DEFAULT = "default.type"
_UNSORTED = re.compile(r'^"to sort, need author\b.*\bkey in ').search
_UNDATED = re.compile(r'^"(?:empty year|there\'s no year) in').search
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
    default: str = "misc"  # the type as which it prints all others
    wraps_urls: bool = False  # it writes \url around them
    misc_needs: frozenset[str] = frozenset()  # "author", "year": it warns of an @misc without

    @property
    def fields(self) -> frozenset[str]:
        """What it may print of entries of any type."""
        return frozenset[str]().union(*(it.fields for it in self.types.values()))

    def of(self, kind: str) -> Treatment | None:
        """What it does with entries of this type; None if it does not know the type."""
        return self.types.get(kind)


@lru_cache(maxsize=8)
def parse(text: str) -> Bst | None:
    """None for what is no style that can be read."""
    blocks = list(_blocks(text)) if len(text) <= _LONGEST else []
    functions = {
        body[0][0].lower(): body[1] for name, *body in blocks if name == "function" and len(body) > 1 and body[0]
    }
    entry = next((body for name, *body in blocks if name == "entry"), None)
    if entry is None or not functions:
        return None
    fields = frozenset(it.lower() for it in entry[0]) | {"crossref"}
    default = next((it.lower() for it in functions.get(_DEFAULT, ()) if it.lower() in functions), "")
    types = {name: _treatment(name, functions, fields) for name in functions if _may_be_type(name)}
    wraps = any(_URL.search(word) for body in functions.values() for word in body)
    passes = [body[0][0].lower() for name, *body in blocks if name in ("iterate", "reverse") and body and body[0]]
    return Bst(types, default, wraps, _misc_needs(passes, functions))


def _blocks(text: str) -> Iterator[tuple[str, *tuple[list[str], ...]]]:
    """Commands with the words of their arguments in braces."""
    name, arguments, current, depth = "", list[list[str]](), list[str](), 0
    for found in _WORD.finditer(text):
        word = found[0]
        if word[0] == "%":
            continue
        if word == "{":
            depth += 1
            current = [] if depth == 1 else current
        elif word == "}":
            depth -= 1
            if depth == 0:
                arguments.append(current)
        elif depth > 0:
            current.append(word)
        else:
            if name:
                yield name, *arguments
            name, arguments = word.lower(), []
    if name:
        yield name, *arguments


def _may_be_type(name: str) -> bool:
    return name.replace("-", "").replace("_", "").isalnum()


def _treatment(name: str, functions: Mapping[str, list[str]], fields: frozenset[str]) -> Treatment:
    words = [word for body in _reached([name], functions) for word in body]
    strings = {it.strip('"').strip().lower() for it in words if it[0] == '"'}
    read = fields.intersection(it.lstrip("'").lower() for it in words)
    excluding = tuple(pair for warning, pair in _EXCLUDED.items() if warning in strings and read.issuperset(pair))
    beside = [names for warning, names in _ALONE.items() if warning in strings and read.issuperset(names)]
    return Treatment(read - functions.keys(), excluding, beside[0] if len(beside) == 1 else ())


def _misc_needs(passes: Iterable[str], functions: Mapping[str, list[str]]) -> frozenset[str]:
    """Of what a style warns that an @misc lacks: its passes sort entries, and print one after another."""
    needs = set()
    if any(_UNSORTED(word) for body in _reached(passes, functions) for word in body):
        needs.add("author")
    for body in _reached(["misc"], functions):
        for word, following in pairwise(map(str.lower, (*body, ""))):
            if _UNDATED(word) or (word in ('"year"', '"date"') and following == "output.check"):
                needs.add("year")
    return frozenset(needs)


def _reached(names: Iterable[str], functions: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The words of these functions and of all that they come to."""
    todo = [it for it in names if it in functions]
    seen = set(todo)
    while todo:
        body = functions[todo.pop()]
        yield body
        called = {it.lstrip("'").lower() for it in body if it[0] != '"'} & functions.keys() - seen
        seen |= called
        todo += called


@cache
def standard() -> Mapping[str, Bst]:
    """The styles of TeX distributions that most people use, by name, as `styles.txt` beside this module has them."""
    found: dict[str, Bst] = {}
    lines = files("citelsp.bibliography").joinpath("styles.txt").read_text(encoding="utf-8").splitlines()
    names: list[str] = []
    types: dict[str, Treatment] = {}
    for line in (it for it in lines if it and not it.startswith("#")):
        if not line.startswith(" "):
            types = {}
            names = line.split()
            found |= dict.fromkeys(names, Bst(types))
            continue
        if line.strip() == _WRAPS:
            found |= {it: replace(found[it], wraps_urls=True) for it in names}
            continue
        if line.split()[0] == _WANTS:
            found |= {it: replace(found[it], misc_needs=frozenset(line.split()[1:])) for it in names}
            continue
        kinds, _, described = line.partition(":")
        read, excluding, beside, *_ = (*described.split("|"), "", "")
        pairs = tuple((first, second) for first, _, second in (it.partition("/") for it in excluding.split()))
        types |= dict.fromkeys(kinds.split(), Treatment(frozenset(read.split()), pairs, tuple(beside.split())))
    return found
