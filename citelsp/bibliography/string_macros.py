"""Macros that `@string` defines: a value with macros and `#`, as `jan # "~1"`, becomes the text that it stands for."""

from collections.abc import Iterator, Mapping
from itertools import islice

from citelsp.syntax.bibtex.fields import split_value, strip_delimiters

MONTHS = {
    name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)
}
_DEPTH = 4  # of macros in macros: more than anybody nests; those that use each other would else be followed for ever
_PIECES = 1000  # of one value


def resolve_value(value: str, strings: Mapping[str, str]) -> str:
    """A value as written → its text: braces or quotes removed, macros replaced, `#` parts joined."""
    if value[:1] == "{" and "#" not in value:
        return strip_delimiters(value)
    return "".join(islice(_pieces(value, strings, _DEPTH), _PIECES))


def _pieces(value: str, strings: Mapping[str, str], depth: int) -> Iterator[str]:
    for part in split_value(value):
        macro = strings.get(part.lower()) if depth and part[0] not in '{"' else ""
        if macro:
            yield from _pieces(macro, strings, depth - 1)
        else:
            yield strip_delimiters(part)


def are_macros_defined(value: str, strings: Mapping[str, str]) -> bool:
    """True if every macro in a value as written is defined, by `@string` or as the name of a month."""
    if value[:1] == "{" and "#" not in value:
        return True
    names = [it.lower() for it in split_value(value) if it[0] not in '{"' and not it[0].isdigit()]
    return all(it in strings or it in MONTHS for it in names)
