"""Faults that people make in single values, as functions that put one into a right value; None if it has no room."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType

from citelsp.checks import (
    foreign_markup,
    malformed_date,
    malformed_identifier,
    malformed_name,
    malformed_url,
    reversed_pages,
    unescaped_character,
    unfinished_entry,
    unpaired_bracket,
)

CHECKS = (
    foreign_markup,
    malformed_date,
    malformed_identifier,
    malformed_name,
    malformed_url,
    reversed_pages,
    unescaped_character,
    unfinished_entry,
    unpaired_bracket,
)
_RANGE = re.compile(r"([1-9]\d{0,5})--?([1-9]\d{0,5})")
_PERSON = r"[^\W\d_][\w.’'-]*(?: [^\W\d_][\w.’'-]*)+"  # two words at least, and no group or command


@dataclass(frozen=True, slots=True)
class SeededValue:
    check: ModuleType
    field: str
    spoil: Callable[[str], str | None]
    is_added: bool = False  # also to an entry without this field


def _of_names(count: int, sign: str) -> Callable[[str], str | None]:
    """Spoil a list of so many whole names by putting `sign` between them."""

    def spoil(value: str) -> str | None:
        names = [_given_first(it) for it in re.split(r"\s+and\s+", value.strip())]
        whole = all(re.fullmatch(_PERSON, it) for it in names)
        return sign.join(names[:count]) if whole and len(names) >= count else None

    return spoil


def _given_first(name: str) -> str:
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma else name.strip()


def _reversed(value: str) -> str | None:
    pages = _RANGE.fullmatch(value.strip())
    if pages is None or len(pages[1]) != len(pages[2]) or int(pages[1]) >= int(pages[2]):
        return None
    return f"{pages[2]}--{pages[1]}"


def _without_bracket(value: str) -> str | None:
    return value.replace(")", "", 1) if value.count("(") == value.count(")") == 1 else None


def _at_line_end(value: str) -> str | None:
    words = value.split(" ")
    return f"{words[0]} %\n  {' '.join(words[1:])}" if len(words) > 1 and value.count("{") == value.count("}") else None


def _in_the_last_word(value: str) -> str | None:
    words = value.split(" ")
    return " ".join([*words[:-1], f"<i>{words[-1]}</i>"]) if words[-1].isalpha() else None


def _prefixed(prefix: str) -> Callable[[str], str]:
    return lambda value: f"{prefix}{value}"


def _address(value: str) -> str | None:
    return value if re.fullmatch(r"https?://[\w.-]+\.\w+(?:/[\w./~-]*)?", value.strip()) else None


def _name_with_an_entity(value: str) -> str | None:
    return f"{value[0]}&uuml;{value[2:]}" if re.match(r"[A-Z]\w", value) else None


SEEDS: Mapping[str, SeededValue] = {
    "an entity": SeededValue(foreign_markup, "title", _prefixed("&Uuml;ber ")),
    "an entity in a name": SeededValue(foreign_markup, "author", _name_with_an_entity),
    "a tag": SeededValue(foreign_markup, "title", _in_the_last_word),
    "Google Scholar's braces": SeededValue(foreign_markup, "title", _prefixed(r"$\{$DNA$\}$ ")),
    "no month": SeededValue(malformed_date, "month", lambda _: "13", is_added=True),
    "no year": SeededValue(malformed_date, "year", lambda it: f"{it[:2]}XX" if len(it) == 4 else None),
    "a year too long": SeededValue(malformed_date, "year", lambda it: f"{it}1" if len(it) == 4 else None),
    "an ISSN": SeededValue(malformed_identifier, "issn", lambda _: "0028-0837", is_added=True),
    "commas between names": SeededValue(malformed_name, "author", _of_names(3, ", ")),
    "y": SeededValue(malformed_name, "author", _of_names(2, " y ")),
    "und": SeededValue(malformed_name, "author", _of_names(2, " und ")),
    "et": SeededValue(malformed_name, "author", _of_names(2, " et ")),
    "an institution": SeededValue(malformed_name, "author", lambda it: f"{it} and World Health Organization"),
    "a scheme": SeededValue(malformed_url, "url", lambda it: (url := _address(it)) and url.replace("http", "htp", 1)),
    "two addresses": SeededValue(malformed_url, "url", lambda it: (url := _address(it)) and f"{url} {url}"),
    "a URL in a title": SeededValue(malformed_url, "title", lambda it: f"{it} https://example.org/a"),
    "reversed pages": SeededValue(reversed_pages, "pages", _reversed),
    "a percent sign at a line's end": SeededValue(unescaped_character, "title", _at_line_end),
    "a placeholder": SeededValue(unfinished_entry, "author", lambda _: "Firstname Lastname and others"),
    "a bracket": SeededValue(unpaired_bracket, "title", _without_bracket),
}
