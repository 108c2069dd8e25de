"""The series of conferences and journals in venues.toml: what they are, and which one some words or letters name.

The facts are their publishers': the names on their proceedings and pages, and which conferences a journal prints.  A
series is added when two of its names are met that do not tell that they are one.
"""

import re
from functools import cache
from typing import Any

from citelsp.bibliography import shipped_lists
from citelsp.bibliography.fold import fold, words

Words = tuple[str, ...]

_FILL = frozenset(
    "the of on in and for a an at to proceedings proc annual conf conference international intl int ieee acm cvf rsj"
    " joint volume vol part long short papers main track series ser section sect lncs de la le les des du et und der"
    " die das fur".split()
)
_SPELLED = {
    "ai": ("artificial", "intelligence"), "hci": ("human", "computer", "interaction"), "ml": ("machine", "learning"),
    "nlp": ("natural", "language", "processing"), "wires": ("wiley", "interdisciplinary", "reviews"),
    "dtsch": ("deutsch",), "codesign": ("co", "design"),
}  # fmt: skip
_COUNTED = frozenset("proceedings proc of the in annual and".split())
ORDINAL = re.compile(
    r"\d+(st|nd|rd|th)?|[ivx][ivxlc]*|\w*(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    r"|teenth|tieth)|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
)
_RAISED = re.compile(r"(?<=\d)\^\{?(?=(?:st|nd|rd|th)\b)")  # `11^th`, as raised letters are read
GATHERING = re.compile(
    r"\b(conf|conference|proc|proceedings|symposium|workshop|meeting|congress|colloquium|findings)\b"
)


@cache
def _read() -> dict[str, Any]:
    import tomllib

    return tomllib.loads(shipped_lists.read("venues.toml"))


@cache
def sections() -> dict[str, dict[str, list[str]]]:
    """What the series are → name → further names."""
    found = {name: section for name, section in _read().items() if name not in ("elsewhere", "prints", "registered")}
    return found | {f"{section} elsewhere": series for section, series in _read()["elsewhere"].items()}


@cache
def prints() -> dict[str, list[str]]:
    """Journals with the conferences whose papers they print."""
    found: dict[str, list[str]] = _read()["prints"]
    return found


@cache
def registered_series() -> dict[str, int]:
    """Series all of whose papers are registered with Crossref, with the year since when."""
    return {series: int(since) for since, every in _read()["registered"].items() for series in every}


@cache
def names() -> dict[str, list[str]]:
    return {series: others for section in sections().values() for series, others in section.items()}


@cache
def known() -> tuple[dict[str, str], dict[Words, str]]:
    """Folded acronyms and word sequences, each with the series it names."""
    acronyms = {}
    phrases = {}
    for series, others in names().items():
        for name in [series, *others]:
            if " " in name:
                phrases[significant(name)] = series
            else:
                acronyms[fold(name)] = series
    return acronyms, phrases


@cache
def gatherings() -> dict[Words, frozenset[str]]:
    """The conferences by the words of their names, which some share with each other and some with a journal."""
    found: dict[Words, frozenset[str]] = {}
    for series, others in sections()["conferences"].items():
        for name in filter(GATHERING.search, map(fold, others)):
            for phrase in {significant(name), _uncounted(name)}:
                found[phrase] = found.get(phrase, frozenset()) | {series}
    return found


def of_gathering(name: str, phrase: Words) -> frozenset[str]:
    """The conferences of this name: of its very words, counts and years left out, else of those that tell."""
    if not GATHERING.search(fold(name)):
        return frozenset()
    return gatherings().get(_uncounted(name)) or gatherings().get(phrase, frozenset())


def _uncounted(name: str) -> Words:
    return tuple(it for it in words(name) if it not in _COUNTED and not ORDINAL.fullmatch(it))


def significant(name: str) -> Words:
    """The words that tell, of a list that knows a few abbreviations."""
    fill = _FILL | {"ann"} if GATHERING.search(fold(name)) else _FILL  # else of annals
    telling = (it for it in words(_RAISED.sub("", name)) if it not in fill and not ORDINAL.fullmatch(it))
    return tuple(word for it in telling for word in _SPELLED.get(it, (it,)))
