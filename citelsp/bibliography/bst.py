r"""What a style of BibTeX does with entries, read from its .bst file without running it.

A type is one of its functions, and what it may print are the fields that this function can come to.  So what is called
unread here is never printed; what is read may still be left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files

_WORD = re.compile(r'"[^"\n]*"|%[^\n]*|[{}]|[^\s{}"%]+')
_URL = re.compile(r'^".*\\url\s*\{')
_LONGEST = 1_000_000  # characters of a style that is read
_WRAPS = r"\url"  # a row of the table of standard styles
_DEFAULT = "default.type"
_EXCLUDED = {"volume and number": ("volume", "number"), "author and editor": ("author", "editor")}


@dataclass(frozen=True, slots=True)
class Treatment:
    """What a style does with entries of one type."""

    fields: frozenset[str]  # that it may print
    excluding: tuple[tuple[str, str], ...] = ()  # of which it prints the first alone, and warns


@dataclass(frozen=True, slots=True, eq=False)
class Bst:
    """A style.  Names are in small letters."""

    types: Mapping[str, Treatment] = field(default_factory=dict)
    default: str = "misc"  # the type as which it prints all others
    wraps_urls: bool = False  # it writes \url around them

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
    return Bst(types, default, any(_URL.search(word) for body in functions.values() for word in body))


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
    seen, todo, read, strings = {name}, [name], set[str](), set[str]()
    while todo:
        for written in functions[todo.pop()]:
            word = written.lstrip("'").lower()
            if written[0] == '"':
                strings.add(written.strip('"').strip().lower())
            elif word in functions and word not in seen:
                seen.add(word)
                todo.append(word)
            elif word in fields:
                read.add(word)
    excluding = tuple(pair for words, pair in _EXCLUDED.items() if words in strings and read.issuperset(pair))
    return Treatment(frozenset(read), excluding)


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
            found |= dict.fromkeys(names, Bst(types, wraps_urls=True))
            continue
        kinds, _, described = line.partition(":")
        read, _, excluding = described.partition("|")
        pairs = tuple((first, second) for first, _, second in (it.partition("/") for it in excluding.split()))
        types |= dict.fromkeys(kinds.split(), Treatment(frozenset(read.split()), pairs))
    return found
