"""A reference as a reader expects it in a list: who, when, and where each type of work appeared.

The order and the signs are those of APA's manual (7th edition), names and titles as they are written.  A style
that the manuscript declares is `investigate.typeset`'s affair.
"""

import re
from collections.abc import Sequence

from citelsp.base.text import end_with_stop
from citelsp.bibliography import names
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles

_MOST_AUTHORS = 20  # that are named
_IN_BOOKS = frozenset(
    """inproceedings conference incollection inbook inreference suppbook suppcollection bookinbook""".split()
)
_IN_PERIODICALS = frozenset("article suppperiodical periodical review".split())
_DATED_BY_DAY = frozenset("online electronic www misc letter".split())
_NUMBERED = frozenset({"techreport", "report", "patent"})
_KINDS = {  # what a work is, by biblatex's localisation keys and by types of entries
    "phdthesis": "PhD thesis", "mastersthesis": "Master’s thesis", "mathesis": "Master’s thesis",
    "bathesis": "Bachelor’s thesis", "candthesis": "Candidate thesis", "thesis": "Thesis",
    "techreport": "Technical report", "resreport": "Research report", "report": "Report", "patent": "Patent",
    "patentde": "German patent", "patenteu": "European patent", "patentfr": "French patent",
    "patentuk": "British patent", "patentus": "U.S. patent", "patreq": "Patent request",
    "patreqde": "German patent request", "patreqeu": "European patent request", "patreqfr": "French patent request",
    "patrequk": "British patent request", "patrequs": "U.S. patent request", "software": "Computer software",
    "datacd": "Data CD", "audiocd": "Audio CD", "dataset": "Dataset", "unpublished": "Unpublished manuscript",
    "movie": "Film", "video": "Video", "audio": "Audio", "music": "Audio", "image": "Image", "artwork": "Artwork",
}  # fmt: skip
_ROLES = (("editor", "Ed."), ("translator", "Trans."))
_MONTHS = "January February March April May June July August September October November December".split()
# `2017-06-12`, `1984/1986`
_DATE = re.compile(r"\s*(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:\s*/\s*(\d{4}))?")


def head(entry: Entry) -> str:
    """`Donald E. Knuth (1984)`; editors who stand for an author are named as such."""
    who = people(entry.authors, truncated=entry.authors_truncated)
    if who and not entry.value("author"):
        who += " (Eds.)" if len(entry.authors) > 1 or entry.authors_truncated else " (Ed.)"
    when = _when(entry)
    return " ".join(filter(None, (who, f"({when})" if when else "")))


def place(entry: Entry) -> str:
    """Write where the work appeared, without a full stop at the end; "" if nothing is known."""
    if entry.kind in _IN_PERIODICALS:
        sentences = [_translators(entry), _describe_place_in_periodical(entry)]
    elif entry.kind in _IN_BOOKS and (entry.text("booktitle") or entry.text("maintitle")):
        sentences = [_describe_place_in_book(entry), _series(entry), _publisher(entry), _original(entry)]
    else:  # also of a part of a book that the entry does not name
        sentences = [_describe_book(entry), _series(entry), _publisher(entry), _original(entry)]
    return " ".join(map(end_with_stop, filter(None, sentences))).removesuffix(".")


def line(entry: Entry) -> str:
    """Write head and place as sentences."""
    return " ".join(map(end_with_stop, filter(None, (head(entry), place(entry)))))


def write_record(record: Record) -> str:
    """Write what a source says of a work in a line: `A. Vaswani et al. (2017). Advances in …, 30, 5998–6008.`"""
    who = people(record.authors, truncated=not record.authors_complete)
    first = " ".join(filter(None, (who, f"({record.year})" if record.year else "")))
    details = format_volume(record.volume, record.issue, record.pages)
    second = ", ".join(filter(None, (record.venue, details)))
    return " ".join(map(end_with_stop, filter(None, (first, second))))


def people(authors: Sequence[Name], *, truncated: bool = False) -> str:
    """Write a list of people, `A. Byron and C. Babbage`; if there are more than _MOST_AUTHORS, the last as `6 others`.

    “et al.” stands at the end of one that is `truncated`, so that nobody knows how many follow.
    """
    written = [str(name) for name in authors]
    if len(written) > _MOST_AUTHORS:
        named = written[: _MOST_AUTHORS - 1]
        others = " et al." if truncated else f" and {len(written) - len(named)} others"
        return ", ".join(named) + others
    if truncated:
        return ", ".join(written) + " et al."
    *first, last = written or [""]
    return f"{', '.join(first)} and {last}" if first else last


def format_volume(volume: str, issue: str, pages: str) -> str:
    """`27(2), 97–111`"""
    return ", ".join(filter(None, (volume + (f"({issue})" if issue else ""), dash_pages(pages))))


def dash_pages(pages: str) -> str:
    return re.sub(r"(?<=\w)\s*--?\s*(?=\w)", "–", pages) if "--" in pages or _is_range(pages) else pages


def _is_range(pages: str) -> bool:
    return re.fullmatch(r"[\d\s,-]+", pages) is not None


def _when(entry: Entry) -> str:
    """Write when a work came out: `1984`, `1984–1986`; of web pages and letters `2017, June 12`; "" if nothing is said.

    A work that has no year yet has words in its place, such as `in press`.
    """
    match = _DATE.fullmatch(entry.text("date"))
    if match:
        year, month, day, end_year = match.groups()
        if end_year:
            return f"{year}–{end_year}"
        if month and entry.kind in _DATED_BY_DAY and 1 <= int(month) <= len(_MONTHS):
            month_name = _MONTHS[int(month) - 1]
            return f"{year}, {month_name} {int(day)}" if day else f"{year}, {month_name}"
    if entry.year:
        return str(entry.year)
    return entry.text("pubstate") or entry.text("year")


def _describe_place_in_periodical(entry: Entry) -> str:
    """Write journal, series, volume, issue and pages, as far as they are there: `Journal, 3rd series, 12(3), 436–444`.

    A whole issue (@periodical) has its own title in the place of the journal's.  Without a journal the note, or what
    else says where it appeared, stands in its place.
    """
    if entry.kind == "periodical":
        venue = titles.join_titles(entry.text("issuetitle"), entry.text("issuesubtitle"))
    else:
        journal = entry.text("journaltitle") or entry.text("journal") or entry.text("booktitle")
        venue = titles.join_titles(journal, entry.text("journalsubtitle"))
    series = entry.text("series")
    if series.isdigit():
        series = f"{_ordinal(series)} series"
    number = ", ".join(filter(None, (entry.text("number"), entry.text("issue"))))
    pages = dash_pages(entry.text("pages")) or entry.text("eid")  # journals without pages number their articles
    details = format_volume(entry.text("volume"), number, pages)
    return ", ".join(filter(None, (venue or _describe_other(entry), series, details)))


def _describe_place_in_book(entry: Entry) -> str:
    """Write in which book a work stands: `In Jane Doe (Ed.), Title (2nd ed., Vol. 1, pp. 2–3)`.

    If the book is a volume of a whole (biblatex's `maintitle`): `In Whole: Vol. 1. Title (p. 2)`.
    """
    bookauthors, are_cut = names.parse(entry.value("bookauthor"))
    # Without an author the editors stand at the head of the reference already.
    editors = _editors(entry) if entry.value("author") else ""
    who = ", ".join(filter(None, (people(bookauthors, truncated=are_cut), editors)))
    title = ". ".join(filter(None, (_title_with_subtitle(entry, "book"), entry.text("booktitleaddon"))))
    main = _title_with_subtitle(entry, "main")
    volume = _volume(entry)
    if main and title:
        number = f"Vol. {volume}. " if volume else ""
        title = f"{main}: {number}{title}"
        volume = ""  # it need not stand among the details again
    details = _details(entry, _translators(entry), volume)
    before = f"{who}, " if who else ""
    behind = f" ({details})" if details else ""
    return f"In {before}{title or main}{behind}"


def _title_with_subtitle(entry: Entry, prefix: str) -> str:
    """`Title: Subtitle` of the fields `booktitle` and `booksubtitle`, if `prefix` is "book"."""
    return titles.join_titles(entry.text(f"{prefix}title"), entry.text(f"{prefix}subtitle"))


def _describe_book(entry: Entry) -> str:
    """Write what follows the title of a work that stands in no other: `Technical report No. 7. Jane Doe, Ed.; 2nd ed.`

    That is the title of the whole of which it is a volume, its form (a type and number), then editors and translators,
    edition, volume and pages; each if there is any.
    """
    kind = entry.text("type")
    number = entry.text("number")
    form = _KINDS.get(kind.lower(), kind) or _KINDS.get(entry.kind, "")
    if entry.kind in _NUMBERED and number:
        form = f"{form} No. {number}" if form else number
    # The note, such as `Submitted to Nature`, is printed elsewhere, and says the same better.
    if entry.kind == "unpublished" and entry.text("note"):
        form = ""
    # Without an author the editors stand at the head of the reference already.
    helpers = _helpers(entry) if entry.value("author") else _translators(entry)
    # With a title of the whole the volume stands beside that.
    volume = _volume(entry)
    main = _title_with_subtitle(entry, "main")
    if main and volume:
        main = f"{main}: Vol. {volume}"
        volume = ""
    return ". ".join(filter(None, (main, form, _details(entry, helpers, volume))))


def _details(entry: Entry, first: str, volume: str) -> str:
    """Write edition, volume, pages and the like: `Jane Doe, Trans.; 2nd ed., Vol. 1, pp. 2–3`; "" if there are none.

    `first` is what stands before the semicolon.  If `volume` is "", the number of all volumes is named, if it is known.
    """
    edition = entry.text("edition")
    version = entry.text("version")
    volumes = entry.text("volumes")
    chapter = entry.text("chapter")
    pages = dash_pages(entry.text("pages"))
    numbers: list[str] = []
    if edition:
        numeral = _ordinal(edition) if edition.isdigit() else edition.removesuffix(" edition")
        numbers.append(f"{numeral} ed.")
    if version:
        numbers.append(f"Version {version.removeprefix('v')}")
    if volume:
        numbers.append(f"Vol. {volume}")
    elif volumes.isdigit():
        numbers.append(f"Vols. 1–{volumes}")
    if chapter:
        numbers.append(f"Chapter {chapter}")
    if pages:
        label = "pp." if re.search(r"[–,]", pages) else "p."
        numbers.append(f"{label} {pages}")
    return "; ".join(filter(None, (first, ", ".join(numbers))))


def _helpers(entry: Entry) -> str:
    """`Jane Doe, Ed. & Trans.; John Roe, Trans.`"""
    roles: dict[str, list[str]] = {}
    for field, label in _ROLES:
        roles.setdefault(entry.value(field), []).append(label)
    return "; ".join(_with_roles(raw, labels) for raw, labels in roles.items() if raw)


def _editors(entry: Entry) -> str:
    """`Jane Doe and John Roe (Eds.)`; "" if there are none."""
    editors, truncated = names.parse(entry.value("editor"))
    if not editors:
        return ""
    label = "Eds." if len(editors) > 1 or truncated else "Ed."
    return f"{people(editors, truncated=truncated)} ({label})"


def _translators(entry: Entry) -> str:
    raw = entry.value("translator")
    return _with_roles(raw, ["Trans."]) if raw else ""


def _with_roles(raw: str, labels: Sequence[str]) -> str:
    """Write the people of a name list with what they did: `Jane Doe, Ed. & Trans.`"""
    helpers, truncated = names.parse(raw)
    are_several = len(helpers) > 1 or truncated
    roles = ["Eds." if are_several and label == "Ed." else label for label in labels]
    return f"{people(helpers, truncated=truncated)}, {' & '.join(roles)}"


def _series(entry: Entry) -> str:
    series = entry.text("series")
    number = entry.text("number")
    return ", ".join(filter(None, (series, f"No. {number}" if number and entry.kind not in _NUMBERED else "")))


def _publisher(entry: Entry) -> str:
    fields = ("institution", "school", "organization", "publisher", "holder")
    who = "; ".join(dict.fromkeys(filter(None, map(entry.text, fields)))) or _describe_other(entry)
    where = "" if entry.kind == "patent" else entry.text("location") or entry.text("address")
    return ", ".join(filter(None, (who, where)))


def _volume(entry: Entry) -> str:
    """`7`, `7.2` of a volume in parts."""
    return ".".join(filter(None, map(entry.text, ("volume", "part"))))


def _original(entry: Entry) -> str:
    """Write when a work that was printed again came out first; "" if it is not said."""
    match = _DATE.fullmatch(entry.text("origdate") or entry.text("origyear"))
    return f"Original work published {match[1]}" if match else ""


def _describe_other(entry: Entry) -> str:
    """Write what is said of a work without a journal or publisher."""
    return ". ".join(filter(None, map(entry.text, ("howpublished", "eventtitle", "note"))))


def _ordinal(number: str) -> str:
    """`1st`, `2nd`, `13th`"""
    last = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th")
    return number + last
