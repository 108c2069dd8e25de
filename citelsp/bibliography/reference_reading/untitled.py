"""Where a work appeared, of a reference that prints no title: nothing but a journal, its volume and a page.

Physicists, astronomers and chemists cite so: `Phys. Rev. Lett. 95, 110405 (2005)`, `MNRAS, 499, 3295`,
`J. Am. Chem. Soc. 2008, 130, 16504–16505`.
"""

import re
from typing import NamedTuple

from citelsp.bibliography import venues

YEAR = r"(?:1[4-9]|20)\d\d"
# Words that are cut short, the first one at least, or letters that stand for a name: before a number no title does so.
_CUT_SHORT = (
    r"(?:(?:[A-ZÀ-Þ][\w’'-]{2,9}\s(?=[A-Z]\w{1,5}\.))?(?:[A-ZÀ-Þ][\w’'-]{0,13}\.:?\s?|&\s){1,8}(?:[A-ZÀ-Þ][\w’'-]{0,13}\.?\s?){0,2}"
    r"|[A-Z][A-Za-z]{0,4}[A-Z&][A-Za-z]{0,4}(?:\s[A-Z][a-z]?\b)?)"
    r"(?::\s(?:[A-Z][a-z]{2,13}\s?(?:and\s)?){1,4})?(?:\s?\([A-Z][a-z]{1,12}\))?(?:,\s(?:Ser|Sect?|Part)\.\s[A-Z])?"
)
_NAME = r"[^\W\d_][^,;?!‘“„«\"\d]{1,60}?(?:,\s(?:Ser|Sect?|Part)\.\s[A-Z])?"
_VOLUME = rf"(?:[vV]ol\.?\s*)?(?P<volume>(?!{YEAR}\b)[A-Z]?\d{{1,4}}[A-Z]?)"
_NUMBER = r"(?:\s*\((?P<number>\d{1,4}(?:[-–]\d{1,4})?)\)|,\s*(?:no|nr|n[°º])\.?\s*(?P<issue>\d{1,4}))?"
_PAGE = r"(?:pp?\.\s*)?(?P<pages>[A-Za-z]{0,2}\d{1,8}[A-Za-z]?(?:\s*[-–—]{1,2}\s*[A-Za-z]{0,2}\d{1,8})?)"
_ORDERS = (
    rf"{_VOLUME}{_NUMBER}\s*[,:]\s*{_PAGE}(?:\s*\((?:[A-Z][a-z]{{2,8}}\.?\s)?(?P<year>{YEAR})\)|,\s*(?P<end>{YEAR}))?",
    rf"{_VOLUME}\s*\((?P<year>{YEAR})\),?\s*(?:no\.\s*(?P<number>\d{{1,4}}),\s*)?{_PAGE}",
    rf"(?P<year>{YEAR})[,;]\s*{_VOLUME}{_NUMBER}\s*[,:]\s*{_PAGE}",
    rf"{_VOLUME}\s+{_PAGE}\s*\((?P<year>{YEAR})\)",
)
_BEHIND = r"[\s.,;]*(?:(?:arXiv|[a-z-]{2,12}/\d{7}).{0,60})?(?:\[[\w./-]{2,40}\])?[\s.,;]*"
_BEGINNINGS = tuple(re.compile(rf"(?P<journal>{_CUT_SHORT}),?\s*{order}") for order in _ORDERS)
_WHOLE = tuple(re.compile(rf"(?:(?P<journal>{_NAME}),?\s+)?{order}{_BEHIND}") for order in _ORDERS)
# `Transactions A: Engines, Looms and Notes, 370, 2765`: a journal whose name holds commas
_LISTED = re.compile(rf"(?P<journal>(?P<begin>[^,;?!“\"\d]{{5,100}}),[^;?!“\"\d]{{3,100}}?),?\s+{_ORDERS[0]}{_BEHIND}")
_YEAR_FIRST = _WHOLE[2]
# `Phys. Rev. D 98 (2018)`: a volume, and no page that could be read.
_WITHOUT_PAGE = re.compile(rf"(?P<journal>{_CUT_SHORT}),?\s*{_VOLUME}\s*\(")
_SENTENCE = re.compile(r"[^\W\d_]{5}\.\s|(?<![^\W_])[a-zà-þ]+\.\s")  # but not `Living Rev. Relativity`, cut short
_SERVER = re.compile(r"(?i:(?:e-?print|preprint)?\s?arxiv(?:\s\w+)?(?:\se-?prints?|\spreprint)?)(?:\s\(\d{4}\))?")
_IN_BOOK = re.compile(r"in:?\s[A-ZÀ-Þ]")  # `in Byron A., ed., Memoirs of Engines. p. 12`


class PlaceAlone(NamedTuple):
    """The fields that stand where a title would; "" for what is not there, as for a journal that was lost."""

    journal: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    year: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """Those that are there, as BibTeX has them."""
        return {name: value for name, value in self._asdict().items() if value}


def read_at_beginning(behind: str) -> PlaceAlone | None:
    """The place with which what stands behind the people begins, of a journal whose name is cut short; None if none.

    Words follow that are not read, as a second place: `Phys. Rev. Lett. 95, 1 (2005); 96, 2 (2006)`.
    """
    matched = next((match for it in _BEGINNINGS if (match := it.match(behind))), None)
    if matched:
        return _state(matched)
    unpaged = _WITHOUT_PAGE.match(behind)
    return PlaceAlone(_strip(unpaged["journal"]), unpaged["volume"]) if unpaged else None


def read_alone(text: str, year: str = "") -> PlaceAlone | None:
    """The place that a text is from its beginning to its end; None if a title may stand there.

    `year`: what was read of it elsewhere.  A place without fields is that of a server of preprints, or in a book.
    """
    matched = _match_whole(text, year)
    if matched:
        return _state(matched)
    return PlaceAlone() if _SERVER.fullmatch(text.rstrip(" .,;")) or _IN_BOOK.match(text) else None


def read_alone_behind_year(text: str) -> PlaceAlone | None:
    """As `read_alone`, of a place in which the year stands before volume and page: `Memoirs 1843, 12, 5`.

    Also of a journal whose name holds commas: `Transactions A: Engines, Looms and Notes, 370, 2765`.  None for anything
    else, and if a full stop stands within what would be the name: a title may end there.
    """
    listed = _LISTED.fullmatch(text)
    if listed and venues.form(listed["begin"]) == "journal":
        return _state(listed)
    matched = _YEAR_FIRST.fullmatch(text)
    if matched is None or not re.fullmatch(r"[^.\[\]]+\.?", matched["journal"] or ""):
        return None
    return _state(matched)


def _match_whole(text: str, year: str) -> re.Match[str] | None:
    """A place that is the whole text; a sentence before it, or its only year in the place of its page, tell a title."""
    match = next((match for it in _WHOLE if (match := it.fullmatch(text))), None)
    if match is None or _SENTENCE.search(match["journal"] or ""):
        return None
    # `Engines, 2, 2010`, `Interview: January 13, 2005`
    other_year = year or match["year"]
    is_dated = re.fullmatch(YEAR, match["pages"]) is not None and other_year in (None, "", match["pages"])
    return None if is_dated else match


def _state(match: re.Match[str]) -> PlaceAlone:
    found = match.groupdict()
    return PlaceAlone(
        journal=_strip(found["journal"] or ""),
        volume=found["volume"],
        number=found.get("number") or found.get("issue") or "",
        pages=re.sub(r"\s*[-–—]+\s*", "--", found["pages"]),
        year=found.get("year") or found.get("end") or "",
    )


def _strip(journal: str) -> str:
    return journal.strip(" .,:;")
