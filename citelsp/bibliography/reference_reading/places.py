"""Where and when a printed reference says that its work appeared: venue, volume, number, pages, year, kind."""

import re
from collections.abc import Mapping

from citelsp.bibliography import publishers, venues
from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN, SIGNS
from citelsp.bibliography.reference_reading.forms import YEAR
from citelsp.bibliography.reference_reading.marked import strip_signs

_DASH = r"\s*[-‐‑–—−~]+\s*"
_PAGES = re.compile(
    rf"\b(?:pp?|pages?|S|Seiten?|págs?|p[áa]ginas)\b\.?\s*(?P<pages>[A-Z]?\d+(?:{_DASH}[A-Z]?\d+)?)(?![\d.]*\s*(?:pages|S\.))"
)
_RANGE = re.compile(
    rf"(?<![\d.\w–(-])(?P<pages>[A-Z]?\d{{1,6}}{_DASH}[A-Z]?\d{{1,6}})(?![\d\w])"
    r"(?!\s*,?\s*(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|mai|juin|Juli|Mai))"
)
_VOLUME = re.compile(r"\b(?:vol(?:ume|umen|\.)?|Bd\.?|Band|t\.|tome)\s*(?P<volume>\d+[A-Z]?)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b(?:no|nr|n[úu]m|n°|issue|number|Heft)\b\.?\s*(?P<number>\d+(?:[-–]\d+)?)\b", re.IGNORECASE)
_BOLD = re.compile(
    f"{BOLD}\\s*(?P<volume>[A-Z]?\\d+[A-Z]?)\\s*,?\\s*{LIGHT}(?:\\s*\\((?P<number>\\d+(?:[-–]\\d+)?)\\))?"
)
_BOTH = re.compile(r"(?<![\d(–-])(?P<volume>\d{1,4})\s*\(\s*(?P<number>\d{1,4}(?:[-–]\d{1,4})?)\s*\)")
_BEFORE_YEAR = re.compile(rf"(?<=[\w.] )(?P<volume>\d{{1,4}})(?=,?\s*\(\s*(?:[A-Z][a-z.]+\s+)?{YEAR}\))")
_IN_BRACKETS = re.compile(rf"[(\[][^()\[\]]{{0,40}}?\b(?P<year>{YEAR})[a-z]?[^()\[\]\d]{{0,20}}[)\]]")
_YEARS = re.compile(rf"(?<![\d/.–:-])(?P<year>{YEAR})(?![\d–-])")
_ITALIC = re.compile(f"{ITALIC}(?P<inner>[^{ROMAN}]*){ROMAN}")
# Not within a name: “Trends in Ecology”.
_IN = re.compile(r"(?:^\s*|[.,;:?!”\"’\ue000\ue002]\s*)(?:In|in|dans|En|en)\s*:?\s+(?=[\ue001\"“A-Z0-9])")
_STOPS = re.compile(
    rf",?\s*(?:\bpp?\b\.|\bpages?\b|\bvolume\b|\bvol\b|\bS\.\s*\d|\bno\.|\bNr\.|\({YEAR}|\(|{BOLD}|{BLOCK}|;|,\s*{YEAR}|\s\d+\s*[(:,])|\.\s|\.$",
    re.IGNORECASE,
)
_THESIS = re.compile(
    r"\b(?:ph\.?\s?d\.?(?:\s+(?:thesis|dissertation))?|doctoral (?:thesis|dissertation)|dissertation"
    r"|doktorarbeit|th[èe]se|tesis doctoral|habilitation)\b",
    re.IGNORECASE,
)
_MASTER = re.compile(r"\bmaster(?:'s|’s|s)?\s*(?:thesis|arbeit)|\bdiplomarbeit|\bbachelor", re.IGNORECASE)
_REPORT = re.compile(
    r"\btech(?:nical|\.)?\s*rep(?:ort|\.)?\b|\bresearch report\b|\brapport\b|\bworking paper\b", re.IGNORECASE
)
_GATHERING = re.compile(
    r"\b(?:proc(?:eedings|\.)?|conf(?:erence|\.)?|symp(?:osium|\.)?|workshop|congress|tagung|actes|congreso|colloqu\w+|会议|论文集)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[.,;:()]")
_LONGEST = 300  # characters of a venue


def read(rest: str, year: str, whole: str) -> dict[str, str]:
    """The fields that what follows the title gives; `whole` is the reference, in which the year may stand before it."""
    fields = dict[str, str]()
    venue, is_book = _venue(rest)
    if venue and publishers.is_house(venue) and not venues.identify(venue).series:
        fields["publisher"] = venue  # stands where a journal does, behind a book
    elif venue:
        fields["booktitle" if is_book else "journal"] = venue
        if house := _publisher_behind(strip_signs(rest), venue):
            fields["publisher"] = house
    bare = rest
    if paged := _PAGES.search(bare):
        fields["pages"] = _write_pages(paged["pages"])
        bare = bare.replace(paged[0], " ")
    if bold := _BOLD.search(rest):
        fields["volume"] = bold["volume"]
        if bold["number"] and not re.fullmatch(YEAR, bold["number"]):
            fields["number"] = bold["number"]
    else:
        _read_counts(SIGNS.sub("", rest), fields)
    if "pages" not in fields and (pages := _find_range(SIGNS.sub("", bare))):
        fields["pages"] = pages
    if not year and (found := _only_year(SIGNS.sub("", bare)) or _only_year(SIGNS.sub("", whole))):
        fields["year"] = found
    return fields


def _publisher_behind(rest: str, venue: str) -> str:
    """A name between signs behind that of a venue that is recognisably a publisher's; "" if there is none."""
    behind = rest.rpartition(venue)[2]
    return next((it for it in map(str.strip, _PARTS.split(behind)) if publishers.is_house(it)), "")


def _write_pages(written: str) -> str:
    return re.sub(_DASH, "--", written)


def _find_range(text: str) -> str:
    for found in _RANGE.finditer(text):
        first, last = re.split(_DASH, found["pages"])[:2]
        if re.fullmatch(YEAR, first) and (re.fullmatch(YEAR, last) or re.fullmatch(r"0\d|1[0-2]", last)):
            continue
        return _write_pages(found["pages"])
    return ""


def _read_counts(text: str, fields: dict[str, str]) -> None:
    if (both := _BOTH.search(text)) and not re.fullmatch(YEAR, both["number"]):
        fields["volume"], fields["number"] = both["volume"], both["number"]
        return
    if found := _VOLUME.search(text) or _BEFORE_YEAR.search(text):
        fields["volume"] = found["volume"]
    if found := _NUMBER.search(text):
        fields["number"] = found["number"]


def _only_year(text: str) -> str:
    """The only year of a text, or the only one in brackets; "" if it may be one of several."""
    for pattern in (_IN_BRACKETS, _YEARS):
        years = dict.fromkeys(it["year"] for it in pattern.finditer(text))
        if len(years) == 1:
            return str(next(iter(years)))
    return ""


def _venue(rest: str) -> tuple[str, bool]:
    """What the work appeared in, and whether that is a book; "" if it does not show where its name ends."""
    if into := _IN.search(rest[:400]):
        behind = rest[into.end() :]
        if italic := _ITALIC.search(behind[:_LONGEST]):
            return _clean_name(italic["inner"]), True
        stop = _STOPS.search(behind)
        name = behind[: stop.start()] if stop else behind
        # German writes “In:” before journals, too, which a volume follows.
        if stop and re.match(r"\s\d", stop[0]) and not _GATHERING.search(name):
            return _clean_name(name), False
        return (_clean_name(name), True) if "," not in strip_signs(name).strip(" ,") else ("", True)
    for italic in _ITALIC.finditer(rest):
        name = _clean_name(italic["inner"])
        if len(name) > 1 and not re.fullmatch(r"[\d\s(),:–-]+", name):
            return name, bool(_GATHERING.search(name))
    stop = _STOPS.search(rest.lstrip(" .,"))
    name = rest.lstrip(" .,")[: stop.start()] if stop else ""
    if name and "," not in name and len(name) <= _LONGEST and not re.search(r"\d{3}", name):
        return _clean_name(name), bool(_GATHERING.search(name))
    return "", False


def _clean_name(name: str) -> str:
    name = re.sub(r"[,.\s]+(?:vol(?:ume|\.)?)?\s*\d*$", "", strip_signs(name).strip(" ,.;:/\\"), flags=re.IGNORECASE)
    return name[:_LONGEST]


def kind_of(fields: Mapping[str, str], plain: str, rest: str) -> str:
    """The type of entry that the reference has, or misc; `rest` is what follows its title, with its signs."""
    if _MASTER.search(plain):
        return "mastersthesis"
    if _THESIS.search(plain) and "journal" not in fields:
        return "phdthesis"
    if _REPORT.search(plain):
        return "techreport"
    if book := fields.get("booktitle", ""):
        return "inproceedings" if _GATHERING.search(book) or venues.form(book) == "conference" else "incollection"
    if journal := fields.get("journal", ""):
        if venues.is_preprint_server(journal):
            return "misc"
        # Styles set only the names of periodicals in italics there.
        is_printed = fields.get("volume") or ITALIC in rest or venues.form(journal) == "journal"
        return "article" if is_printed else "misc"
    if fields.get("publisher") or fields.get("isbn"):
        return "book"
    return "online" if fields.get("url") and not fields.get("eprint") else "misc"
