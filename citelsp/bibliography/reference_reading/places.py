"""Where and when a printed reference says that its work appeared: venue, volume, number, pages, year, kind."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from citelsp.bibliography import publishers, venues
from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN, SIGNS
from citelsp.bibliography.reference_reading.marked import strip_signs
from citelsp.bibliography.reference_reading.untitled import YEAR

_DASH = r"\s*[-‐‑–—−~]+\s*"
# `444`, `A12`; IEEE's styles set thousands apart: `61 883`
_PAGE = r"(?:\d{1,3}(?:\s\d{3})+(?!\d)|[A-Z]?\d+)"
# `pp. 436–444`, `S. 12`; not what counts pages
_PAGES = re.compile(
    rf"\b(?:pp?|pages?|S|С|Seiten?|págs?|p[áa]ginas)\b\.?\s*(?P<pages>{_PAGE}(?:{_DASH}{_PAGE})?)(?![\d.]*\s*(?:pages|S\.))"
)
# `436–444`, without a label; not before a month, as a range of days
_RANGE = re.compile(
    rf"(?<![\d.\w–(-])(?P<pages>[A-Z]?\d{{1,6}}{_DASH}[A-Z]?\d{{1,6}})(?!\w|:\d)"
    r"(?!\s*,?\s*(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|mai|juin|Juli|Mai))"
)
_VOLUME = re.compile(
    r"\b(?:vol(?:ume|umen|\.)?|Bd\.?|Band|Jg\.?|Jahrgang|v\.|t\.|tome|Т\.|kd|roč\.|卷)\s*(?P<volume>\d+[A-Z]?)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:\b(?:no|nr|n[úu]m|issue|number|Heft)\b\.?|\bn[.°º]|№)\s*(?P<number>\d+(?:[-–]\d+)?)\b", re.IGNORECASE
)
_BOLD = re.compile(
    f"{BOLD}\\s*(?P<volume>[A-Z]?\\d+[A-Z]?)\\s*,?\\s*{LIGHT}(?:\\s*\\((?P<number>\\d+(?:[-–]\\d+)?)\\))?"
)
_BEHIND_BOLD_YEAR = re.compile(
    f"\\s*,\\s*{ITALIC}\\s*(?P<volume>[A-Z]?\\d{{1,4}}[A-Z]?)\\s*{ROMAN}"
)  # as ACS prints it
# `12(3)`, `12 (3–4)`
_VOLUME_AND_NUMBER = re.compile(r"(?<![\d(–-])(?P<volume>\d{1,4})\s*\(\s*(?P<number>\d{1,4}(?:[-–]\d{1,4})?)\s*\)")
# `22/3 (2017)`, `22.3-4 (2017)`, `22/3, 2017`: a number behind a stroke or a stop, and the year
_VOLUME_STROKE_NUMBER = re.compile(
    r"(?<=[\w.,:’”»“] )(?P<volume>\d{1,4})[/.](?P<number>\d{1,5}(?:[-–]\d{1,5})?)"
    rf"(?=,?\s(?:\((?:[^()\d]{{3,20}}\s)?{YEAR}\)|{YEAR}\b))"
)
# `2018, 2, s. 1237`, `2018, 51(5), s. 4626`: as ISO 690 has it
_BETWEEN_YEAR_AND_PAGES = re.compile(
    rf"\b{YEAR},\s(?P<volume>\d{{1,4}})(?:\s?\((?P<number>\d{{1,4}}(?:[-–]\d{{1,4}})?)\))?,\s(?=(?:pp?|s|S|с|č|str)\.?\s?[A-Za-z]?\d|č\.)"
)
# `Memoirs 12 (2010)`, `Memoirs B12 (May 2010)`
_BEFORE_YEAR = re.compile(rf"(?<=[\w.] )(?P<volume>[A-Z]?\d{{1,4}})(?=,?\s*\(\s*(?:[A-Z][a-z.]+\s+)?{YEAR}\))")
# `Memoirs, 112, 1–9`, `Memoirs 12:1–9`, `2015;521(3):436`, `2020, 12, 345`: a number before pages, or behind a year
_BEFORE_PAGES = re.compile(
    r"(?<![\dA-Za-z.–(/-])(?<!\d,)(?P<volume>[A-Z]?\d{1,4})\s*(?:\((?:(?P<number>\d{1,4}(?:[-–]\d{1,4})?)|[^()\d]{1,20})\)\s*)?[:,]\s*(?=(?:pp?\.?\s*)?[A-Za-z]?\d)"
)
# `Phys. Rev. X 13, no. 1 (2023)`
_BEFORE_NUMBER = re.compile(
    r"(?<![\d.–(/-])(?P<volume>\d{1,4}),?\s*(?:(?:no|nr|issue|Heft)\b\.?|n[°º])\s*(?P<number>\d{1,4}(?:[-–]\d{1,4})?)\b",
    re.IGNORECASE,
)
# `Physics Reports 840 1–32`
_BEFORE_RANGE = re.compile(rf"(?<=[^\W\d_.] )(?P<volume>(?!{YEAR})\d{{1,4}}) (?=[A-Z]?\d+[-–][A-Z]?\d)")
# `2015;521(3):436`, `2015 Mar 12;521`: as medical journals have it
_BEHIND_YEAR = re.compile(
    rf"\b{YEAR}(?: [A-Z][a-z]{{2,8}})?(?: \d{{1,2}})?;\s*(?P<volume>\d{{1,4}})"
    r"(?:\s*\((?P<number>\d{1,4}(?:[-–]\d{1,4})?)\))?(?=\s*(?:[:.,;(]|$))"
)
# Words whose number is no volume: `no.`, `p.`, `ed.`, `March`
_NOT_BEFORE_VOLUME = re.compile(
    r"(?:\b(?:pp?|pages?|no|nr|n[úu]m|number|issue|heft|art(?:icle)?|paper|ch(?:apter)?|ed|seiten?|s|jan|feb|mar|apr|may|june?|july?"
    r"|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october|november|december)\b\.?|[#№]|\bn[°º])\s*$",
    re.IGNORECASE,
)
_NUMBERED_LIKE_YEAR = re.compile(rf"\b(?:[vV]|[vV]ol|[nN]|[nN]o|[nN]r|p|pp)\.\s?{YEAR}\b")  # `v. 1929`
_BEHIND_VOLUME = re.compile(rf"(?<=\d)\((?P<year>{YEAR})\)")  # `12(1843)`, which may also be the number
# A year in brackets, `(May 2010)`, and one anywhere
_IN_BRACKETS = re.compile(rf"(?<!\d)[(\[][^()\[\]]{{0,40}}?\b(?P<year>{YEAR})[a-z]?[^()\[\]\d]{{0,20}}[)\]]")
_YEARS = re.compile(rf"(?<![\d/.–:-])(?<!\d\()(?P<year>{YEAR})(?!\d|[–-]\d)")
_ITALIC = re.compile(f"{ITALIC}(?P<inner>[^{ROMAN}]*){ROMAN}")
# Not within a name: “Trends in Ecology”.
_IN_BEFORE_BOOK = re.compile(r"(?:^\s*|[.,;:?!”\"’\ue000\ue002]\s*)(?:In|in|dans|En|en)\s*:?\s+(?=[\ue001\"“A-Z0-9])")
# What ends the name of a venue: pages, volume, number, year, a bracket, bold, or a full stop
_END_OF_VENUE = re.compile(
    rf",?\s*(?:\bpp?\b\.|\bpages?\b|\bvolume\b|\bvol\b|\bS\.\s*\d|\bno\.|\bNr\.|\({YEAR}|\(|{BOLD}|{BLOCK}|;|,\s*{YEAR}|\s\d+\s*[(:,/]|\s\d+\.\d|\s{YEAR}[;,]|\s(?:Bd|Band|Jg|Heft)\b|\s\d{{1,6}}[-–]\d)|(?<!\bProc)\.\s|\.$",
    re.IGNORECASE,
)
# `Phys. Rev. B 59`, `Comput. Entertain., vol. 3`: words that are cut short, up to a number that is no year
_SHORTENED_VENUE = re.compile(
    rf"(?P<name>(?:(?:[^\W\d_][\w&’'-]*\.?|&)\s){{0,9}}(?:(?:[A-Z]\.){{2,4}}|[^\W\d_][\w&’'-]*))\.?,?\s*(?=(?!{YEAR})\d|{YEAR}[,;]\s*\d|\((?!\w+\))|{BOLD}|vol\b|no\b)",
    re.IGNORECASE,
)
# `In G. Doe & B. Roe (Eds.), Memoirs`: the editors before the name of a book
_EDITORS_BEFORE_BOOK = re.compile(r"[^()]{2,300}\((?:[Ee]ds?|Hrsg|Hg|[Ee]ditors?|[Cc]oords?)\.?\)[,.:]?\s+(?=\S)")
_EDITORIAL = re.compile(r"Ed(?:it)?\.\s(?=[^\W\d_a-z][^\W\d_])")  # `Ed. Wiley`: a publisher, in Spanish
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
# A month before the year, `Tech. rep.`, and what says pages: `pp. A1`, `Seiten`, `12 S.`
_OTHER_THAN_VENUE = re.compile(
    r"[\s\d]*(?:tech(?:\.\s*rep)?|pp?|s|pages?|seiten?|p[áa]gs?|jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april|august|september|october"
    r"|november|december)?\b[\s.,]*(?:[A-Z]\d*)?",
    re.IGNORECASE,
)
# `(2021). Another title`: a year as it stands before a title
_YEAR_BEFORE_TITLE = re.compile(r"\((?P<year>(?:19|20)\d\d)[a-z]?\)\.\s+[^\W\d_]")
_PARTS = re.compile(r"[.,;:()]")
_NUMBER_LAST = re.compile(r"(?<=\w)\s++\d++\s*+$")  # `Springer 2012`: the year
_SHORTEST_VENUE = 2  # characters of a venue; one is an initial
_LONGEST_VENUE = 300  # characters of a venue
_FIRST_WORDS = 400  # characters in which “In:” begins a venue; further on it stands in a note or an abstract


def read(rest: str, year: str, whole: str) -> dict[str, str]:
    """Return the fields that can be read behind a title: venue, publisher, volume, number, pages and year.

    `rest` is what follows the title, with its signs of italics and bold.  `year` is the year if it is known already;
    if it is "", `rest` is searched for one, then `whole`, the whole reference, as it may stand before the title.
    Nothing is read if behind the title another year than `year` stands before another title: these are two references
    that were not parted, and it is not certain what belongs to which.
    """
    another_year = _YEAR_BEFORE_TITLE.search(rest)
    if year and another_year and another_year["year"] != year[:4]:
        return {}
    fields = _state_venue(rest)
    unpaged = rest
    labelled = _PAGES.search(rest)
    if labelled:
        fields["pages"] = _write_pages(labelled["pages"])
        unpaged = rest.replace(labelled[0], " ")  # pages may look like years: `pp. 1998–2003`
    unpaged = SIGNS.sub("", unpaged)
    fields |= _read_counts(rest)
    if not labelled:
        pages = _find_range(unpaged)
        if pages:
            fields["pages"] = _write_pages(pages)
            unpaged = unpaged.replace(pages, " ")
    if not year:
        year_behind = _only_year(unpaged) or _only_year(SIGNS.sub("", whole))
        if year_behind:
            fields["year"] = year_behind
    return fields


def _state_venue(rest: str) -> dict[str, str]:
    """Return the fields of journal or book and of the publisher, each if it can be read in what follows the title."""
    venue = _read_venue(rest)
    if not venue.name:
        return {}
    # Behind a book its house stands where a journal does; but a known series may be called as a house is.
    if publishers.is_house(venue.name) and not venues.identify(venue.name).series:
        return {"publisher": venue.name}
    fields = {"booktitle" if venue.is_book else "journal": venue.name}
    house = _publisher_behind(strip_signs(rest), venue.name)
    return fields | ({"publisher": house} if house else {})


def _publisher_behind(rest: str, venue: str) -> str:
    """Return the first name behind that of the venue that is a known publisher's; "" if there is none."""
    behind = rest.rpartition(venue)[2]
    names = (_NUMBER_LAST.sub("", part).strip() for part in _PARTS.split(behind))
    return next((name for name in names if publishers.is_house(name)), "")


def _write_pages(written: str) -> str:
    """Write pages as BibTeX has them: `61 883–61 895` as `61883--61895`."""
    return re.sub(r"\s", "", re.sub(_DASH, "--", written))


def _find_range(text: str) -> str:
    """Return the first range of pages that has no label, `436–444`, as it is printed; "" if there is none.

    Passed over are years and months, `1998–2003` and `2010-11`, and the numbers of a double issue, `no. 3-4`.
    """
    number = _NUMBER.search(text)
    for match in _RANGE.finditer(text):
        if number and match.start() == number.start("number"):
            continue
        first, last = re.split(_DASH, match["pages"])[:2]
        if re.fullmatch(YEAR, first) and (re.fullmatch(YEAR, last) or re.fullmatch(r"0\d|1[0-2]", last)):
            continue
        return match["pages"]
    return ""


def _read_counts(rest: str) -> dict[str, str]:
    """Return the volume and the number, each if it can be read, by the surest way in which they are printed here.

    That is a volume in bold, then `22/3 (2017)` or `12(3)`, then `2018, 2, s. 1237`, then words as `vol. 12, no. 3`,
    then the place alone.
    `rest`: what follows the title, with its signs of bold and italics.
    """
    bold = _BOLD.search(rest)
    is_year = bold is not None and re.fullmatch(YEAR, bold["volume"]) is not None
    # ACS prints the year in bold, and the volume in italics; a volume in neither is looked for in the other ways.
    behind = _BEHIND_BOLD_YEAR.match(rest, bold.end()) if bold and is_year else None
    if behind:
        return {"volume": behind["volume"]}
    if bold and not is_year:
        is_number = bold["number"] and not re.fullmatch(YEAR, bold["number"])
        return {"volume": bold["volume"]} | ({"number": bold["number"]} if is_number else {})
    text = SIGNS.sub("", rest)
    both = _VOLUME_STROKE_NUMBER.search(text) or _VOLUME_AND_NUMBER.search(text)
    if both and not re.fullmatch(YEAR, both["number"]):  # `12 (2017)` is a volume and its year
        return {"volume": both["volume"], "number": both["number"]}
    between = _BETWEEN_YEAR_AND_PAGES.search(text)
    if between:
        return {name: value for name, value in between.groupdict().items() if value}
    counts = {}
    volume = _VOLUME.search(text) or _BEFORE_NUMBER.search(text) or _find_volume_before_year(text)
    volume = volume or _BEFORE_RANGE.search(text)
    if volume:
        counts["volume"] = volume["volume"]
    else:
        counts |= _read_bare_counts(text)
    number = _NUMBER.search(text)
    if number:
        counts["number"] = number["number"]
    return counts


def _find_volume_before_year(text: str) -> re.Match[str] | None:
    """Find the volume of `Memoirs 12 (2010)`; None for `Memoirs, no. 12 (2010)`, where the number is none."""
    before = _BEFORE_YEAR.search(text)
    return None if before is None or _NOT_BEFORE_VOLUME.search(text[: before.start()]) else before


def _read_bare_counts(text: str) -> dict[str, str]:
    """Return the volume and the number by their place alone: behind a year, `2015;521(3)`, else before pages.

    No year is taken for either, and no number for a volume that a word before it calls something else: `no. 12, 345`.
    """
    counts = _BEHIND_YEAR.search(text)
    if counts is None:
        for before_pages in _BEFORE_PAGES.finditer(text):
            is_year = re.fullmatch(YEAR, before_pages["volume"])
            is_named_otherwise = _NOT_BEFORE_VOLUME.search(text[: before_pages.start()])
            if not is_year and not is_named_otherwise:
                counts = before_pages
                break
    if counts is None:
        return {}
    return {name: value for name, value in counts.groupdict().items() if value and not re.fullmatch(YEAR, value)}


def _only_year(text: str) -> str:
    """Return the only year in brackets, else the only one elsewhere, else that of `12(1843)`; "" if none is alone."""
    text = _NUMBERED_LIKE_YEAR.sub(" ", text)
    for pattern in (_IN_BRACKETS, _YEARS, _BEHIND_VOLUME):
        years = dict.fromkeys(it["year"] for it in pattern.finditer(text))
        if len(years) == 1:
            return str(next(iter(years)))
    return ""


class PrintedVenue(NamedTuple):
    name: str
    is_book: bool  # or proceedings, as far as it shows


_UNREAD = PrintedVenue("", is_book=False)


def _read_venue(rest: str) -> PrintedVenue:
    """Return the journal or book in which the work appeared; _UNREAD if it does not show where its name ends.

    `rest` is what follows the title, with its signs.  “In:” decides first, then italics, then what ends a name.
    """
    into = _IN_BEFORE_BOOK.search(rest[:_FIRST_WORDS])
    if into:
        return _read_book(rest[into.end() :])
    for italic in _ITALIC.finditer(rest):
        name = _clean_name(italic["inner"])
        if len(name) > 1 and not re.fullmatch(r"[\d\s(),:–-]+", name):
            return PrintedVenue(name, _is_gathering(name))
    text = _EDITORIAL.sub("", rest.lstrip(" .,"))
    # What ends a name: a volume, pages, a year, a full stop; without any this may be anything.
    stop = _END_OF_VENUE.search(text)
    name = _find_shortened_name(text) or (text[: stop.start()] if stop else "")
    plain_name = strip_signs(name)
    is_other_word = _OTHER_THAN_VENUE.fullmatch(plain_name)  # a month, `Tech. rep.`, `pp.`
    if len(plain_name.strip(" .")) < _SHORTEST_VENUE or is_other_word:
        return _UNREAD
    # With a comma or a long number there is more in it than a name.
    if "," in name or len(name) > _LONGEST_VENUE or re.search(r"\d{3}", name):
        return _UNREAD
    return PrintedVenue(_clean_name(name), _is_gathering(name))


def _read_book(behind: str) -> PrintedVenue:
    """Return the book, or the journal, that is named behind “In:”; _UNREAD if its name cannot be told.

    `behind` is the text behind “In:”, which may begin with the book's editors.
    """
    edited = _EDITORS_BEFORE_BOOK.match(behind)
    if edited:
        behind = behind[edited.end() :]
    italic = _ITALIC.search(behind[:_LONGEST_VENUE])
    if italic:
        return PrintedVenue(_clean_name(italic["inner"]), is_book=True)
    # What ends a name: a volume, pages, a year, a full stop; without any all that stands behind “In:” is the name.
    stop = _END_OF_VENUE.search(behind)
    name = _find_shortened_name(behind) or (behind[: stop.start()] if stop else behind)
    if len(strip_signs(name).strip(" .")) < _SHORTEST_VENUE or _OTHER_THAN_VENUE.fullmatch(strip_signs(name)):
        return _UNREAD
    # German writes “In:” before journals, too, which a volume follows.
    if stop and re.match(r"\s\d", stop[0]) and not _GATHERING.search(name):
        return PrintedVenue(_clean_name(name), is_book=False)
    if "," in strip_signs(name).strip(" ,"):  # editors or a place may be in it
        return _UNREAD
    return PrintedVenue(_clean_name(name), is_book=True)


def _find_shortened_name(text: str) -> str:
    """Return the name of a venue at the beginning, up to its volume, if full stops within do not end it; else "".

    `Phys. Rev. B`; a publisher behind the last of these stops is left out, `Memoirs. Springer`, unless the journal is
    called after it, `J. ACM`.
    """
    cut_short = _SHORTENED_VENUE.match(text)
    name = cut_short["name"] if cut_short else ""
    before, stop, last = name.rpartition(". ")
    if not stop:
        return ""
    is_called_after_it = " " not in before and venues.form(name) == "journal"
    return before if publishers.is_house(last) and not is_called_after_it else name


def _is_gathering(name: str) -> bool:
    """True for a conference or its proceedings; `Proc. Natl. Acad. Sci.` is a journal."""
    return _GATHERING.search(name) is not None and venues.form(name) != "journal"


def _clean_name(name: str) -> str:
    name = re.sub(
        r"[,.\s]+(?:vol(?:ume|\.)?)?\s*\d*$", "", strip_signs(name).strip(" ,.;:/\\„“”«»"), flags=re.IGNORECASE
    )
    return name[:_LONGEST_VENUE]


def kind_of(fields: Mapping[str, str], plain: str, rest: str) -> str:
    """Return the entry type that the reference has, as BibTeX has it; "misc" if it shows none.

    `fields` are those that were read; `plain` is the whole reference, `rest` what follows its title, with the signs of
    italics and bold.
    """
    words = plain
    if "journal" in fields:  # an article may be about a thesis or a report, and say so in its title
        title = fields.get("title", "")
        words = plain.replace(title, " ") if title else plain
    if _MASTER.search(words):
        return "mastersthesis"
    # Beside a journal “dissertation” may be a word of a title that was not read; a master's thesis hardly is.
    if _THESIS.search(words) and "journal" not in fields:
        return "phdthesis"
    if _REPORT.search(words):  # also if its series was read as a journal: `NBER Working Paper 12`
        return "techreport"
    book = fields.get("booktitle", "")
    if book:
        return "inproceedings" if _GATHERING.search(book) or venues.form(book) == "conference" else "incollection"
    journal = fields.get("journal", "")
    if journal:
        # Behind a title styles set only the names of periodicals in italics.
        is_printed = fields.get("volume") or ITALIC in rest or venues.form(journal) == "journal"
        return "article" if is_printed and not venues.is_preprint_server(journal) else "misc"
    if fields.get("publisher") or fields.get("isbn"):
        return "book"
    is_preprint = bool(fields.get("eprint"))  # whose address is but another name of it
    return "online" if fields.get("url") and not is_preprint else "misc"
