"""A date field that biber ignores: no date of ISO 8601-2 as the manual of biblatex gives it.

Also months and years that are none, whoever reads them.

`YYYY`, `YYYY-MM`, `YYYY-MM-DD`, with a time, seasons (21 and so on in place of the month), `?`, `~` and `%` behind it,
ranges with `/` whose ends may be open, `X` for unspecified digits.
"""

import re
from calendar import monthrange
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.bibliography.string_macros import MONTHS
from citelsp.checks.complaints import Complaint, findings, plain
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.nodes import Field
from citelsp.workspace.project import Project

CODE = "malformed-date"
_DATE_FIELDS = frozenset({"date", "eventdate", "origdate", "urldate"})
_PLAIN_DATE = re.compile(r"\s*[{\"]?[12]\d{3}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|1\d|2[0-8]))?)?[}\"]?\s*[,}]")
_DATE_FIELD = re.compile(r"date\s*=\s*", re.IGNORECASE)
_DATE = re.compile(
    r"-?(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:T(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.\d{3})?)?)?)?"
)
_FAR = re.compile(r"Y-?\d{5,}")
_SEASON = re.compile(r"-?\d{4}-(?:[23]\d|4[01])")
_BLANK = r"(?:(?<!\s)\s+)?"
_SIGNS = re.compile(rf"(?:{_BLANK}\?)?(?:{_BLANK}~)?(?:{_BLANK}%)?(?:Z|[+-]\d\d:\d\d)?$")
_ZONE = re.compile(r"(?:Z|[+-]\d\d:\d\d)$")
_MONTH_AND_YEAR = re.compile(r"([A-Za-z]{3})[a-z]*\.?,?\s+([12]\d{3})")
_TWO_YEARS = re.compile(r"([12]\d{3})\s*[-–—]+\s*([12]\d{3})")
_NUMBERS_OF_DATE = re.compile(r"([12]\d{3})[-/.](\d\d?)(?:[-/.](\d\d?))?")


# Words (`in press`, `Mai`) and letters that tell works apart (`2019a`) are printed as they stand, and meant so.
# `13`; months that are none
_NO_MONTH = re.compile(r"(?:0|00|1[3-9]|[2-9]\d|\d{3,})")
# `20XX`, `XXXX`, `????`, `2O19` with a letter, `20199`
_NO_YEAR = re.compile(r"[12]\d?[\dXx]{2}(?<=[Xx])|X{4}|x{4}|\?{2,4}|[12][0O]\d[0-9O](?<!\d{4})|[12]\d{4,}")
# `19`, `'19`: only of an article, as old books are of the year 842
_NO_YEAR_OF_AN_ARTICLE = re.compile(r"'?\d{1,3}")
_ARTICLES = frozenset({"article", "inproceedings", "conference"})
_PART = re.compile(  # in an entry in lower case
    r"(?:month|year)[ \t]*+=[ \t]*+(?>(?:[{\"]\s*+)?)"
    r"(?!(?:1\d|20)\d\d\s*+[}\",]|[1-9]\s*+[}\",]|1[0-2]\s*+[}\",]|0[1-9]\s*+[}\",]|(?!xxx)[a-z]{3})"
)


def check(project: Project, _: Knowledge) -> list[Finding]:
    return [*findings(project, CODE, _complain_of_dates), *findings(project, CODE, _complain_of_parts)]


def _complain_of_parts(node: BibNode) -> tuple[Complaint, ...]:
    """Complain of months and years that are none: `month = 13`, `year = 20XX`."""
    if not _PART.search(node.source.lower(), node.key_span.end):
        return ()
    complaints: list[Complaint] = []
    for field in node.fields():
        if field.name in ("month", "year"):
            complaints += _complain_of_part(node, field)
    return tuple(complaints)


def _complain_of_part(node: BibNode, field: Field) -> Iterator[Complaint]:
    """Yield that the value of a month or year field is none: `month = 13`, `year = 20XX`, of an article `year = 19`.

    `for_any_reader` has it reported whichever program reads the file, with this advice behind the fault.
    """
    written = field.value_span.within(node.source)
    value = written.strip('{}" ')
    if field.name == "month":
        is_wrong = _NO_MONTH.fullmatch(value) is not None
        advice = "write 1 to 12, or jan to dec"
    else:
        is_cut = node.kind in _ARTICLES and _NO_YEAR_OF_AN_ARTICLE.fullmatch(value) is not None
        is_wrong = is_cut or _NO_YEAR.fullmatch(value) is not None
        advice = "write four digits"
    if is_wrong:
        start = field.value_span.start + written.index(value)
        span = Span(start, start + len(value))
        yield Complaint(field.name, span, f"“{value}” is not a {field.name}", for_any_reader=advice, severity="warning")


def _complain_of_dates(node: BibNode) -> tuple[Complaint, ...]:
    """Return complaints of the dates of an entry that biber ignores: in _DATE_FIELDS, without macros."""
    source = node.source
    if "date" not in source.lower():
        return ()
    # A quick look, which most entries pass: nothing but plain dates.
    date_fields = _DATE_FIELD.finditer(source)
    if all(_PLAIN_DATE.match(source, match.end()) for match in date_fields):
        return ()
    complaints: list[Complaint] = []
    for field, value, start in plain(node, source):
        if field.name in _DATE_FIELDS:
            complaints += _complain_of_date(field.name, value, start)
    return tuple(complaints)


def _complain_of_date(field: str, value: str, start: int) -> Iterator[Complaint]:
    if is_date(value.strip()):
        return
    span = Span(start, start + len(value))
    better = _find_better_date(value.strip())
    edits = ((span, better),) if better else ()
    title = f"Write {better}" if better else ""
    fault = f"“{value}” is not a date, such as 2020-05-31"
    yield Complaint(field, span, fault, biber="biber ignores the field", edits=edits, title=title)


def is_date(value: str) -> bool:
    """True if biber takes it for a date or a range; of a value with `X`, not looked at, True too."""
    if not value or "X" in value:
        return True
    ends = value.split("/")
    is_range_or_date = len(ends) < 3 and any(ends)
    return is_range_or_date and all(map(_is_end, ends))


def _is_end(value: str) -> bool:
    """True of what may stand on one side of a range's slash: a date, a season, a far year, or nothing."""
    if value in ("", ".."):
        return True
    without_signs = _SIGNS.sub("", value)
    if _SEASON.fullmatch(without_signs) or _FAR.fullmatch(without_signs):
        return True
    date = _DATE.fullmatch(without_signs) or _DATE.fullmatch(_ZONE.sub("", without_signs))
    return date is not None and _is_in_calendar(date)


def _is_in_calendar(date: re.Match[str]) -> bool:
    """True if there are such a month, day and time; a part that is not given does not matter."""
    year, month, day, hour, minute, second = (int(part) if part else None for part in date.groups())
    if month is not None and not 1 <= month <= 12:
        return False
    if day is not None and month is not None:
        like_year = 2000 + (year or 0) % 400  # with the same leap days, and one that the calendar of Python has
        if not 1 <= day <= monthrange(like_year, month)[1]:
            return False
    return (hour or 0) < 24 and (minute or 0) < 60 and (second or 0) < 61


def _find_better_date(value: str) -> str:
    """Return the date that must be meant, as biber reads it; "" if none is certain.

    `May 2020` → `2020-05`, `1998--2003` → `1998/2003`, `2020/5/4` → `2020-05-04`.  `value`: as it is written.
    """
    in_words = _MONTH_AND_YEAR.fullmatch(value)
    if in_words:
        name, year = in_words.groups()
        month = MONTHS.get(name.lower())
        if month:
            return f"{year}-{month:02}"
    years = _TWO_YEARS.fullmatch(value)
    if years and years[1] < years[2]:  # `1995-1230` is rather a day
        return f"{years[1]}/{years[2]}"
    numbers = _NUMBERS_OF_DATE.fullmatch(value)
    if not numbers:
        return ""
    year, month_written, day_written = numbers.groups()  # month and day as they are written: `5`, `05`
    parts = [f"{int(part):02}" for part in (month_written, day_written) if part]
    date = "-".join([year, *parts])
    return date if is_date(date) else ""


CHECK = Check(
    CODE,
    "error",
    "biber cannot read a date and ignores it. Or, as a warning, a month or a year is none, whoever reads it.",
    check,
    needs="project",
    facts=lambda *_: [_complain_of_dates, _complain_of_parts],
)
