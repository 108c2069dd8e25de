"""A value that somebody meant to fill in later: `TODO`, `Firstname Lastname`, `arXiv:2305.XXXX`."""

import re

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, fields_of, findings
from citelsp.checks.finding import Check, Finding
from citelsp.checks.printed_fields import BY_BIBLATEX
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Project

CODE = "unfinished-entry"
_FIELDS = BY_BIBLATEX | {"doi", "eprint", "url", "pages", "volume", "number"}
_LONGEST_SHOWN = 40  # characters of a placeholder, in a message
_PEOPLE = "|".join(
    (
        r"(?:first[ -]?name[ ,]+last[ -]?name|last[ -]?name[ ,]+first[ -]?name|author[ -]name)(?: and others)?",
        r"name of (?:the )?author",
        r"author (?:one|[1A])\b.*\bauthor (?:two|[2B])\b.*",
        r"(?:jane|john) (?:doe|smith) and (?:jane|john) (?:doe|smith)",
        r"doe, (?:jane|john) and (?:doe|smith), (?:jane|john)",
    )
)
# A placeholder wherever it stands in a value.
_MARK_ANYWHERE = re.compile(
    r"\b(?:TODO|FIXME|TBD|TBA)\b|\bXXX+\b|(?i:lorem ipsum)"
    r"|(?i:\barxiv:\s*(?:\d{4}\.[x?]{4,5}|[x?]{4}\.[x?]{4,5})|\b10\.[x?]{4,5}/|\b10\.\d{4,5}/[x?]{3,}(?:[.-][x?]+)*$)"
)
# A placeholder only if it is the whole value.
_WHOLE_VALUE = re.compile(
    rf"(?i:{_PEOPLE}|(?:article|book|conference|insert|journal|paper|the|your) (?:title|name)(?: here)?"
    r"|unknown title|title (?:goes )?here|to be (?:added|completed|filled in)|\?{2,}|x{3,}|tbd)"
)
_THIRTY_IN_ROMAN = "XXX"
_MAY_BE_ROMAN = frozenset({"volume", "number", "pages", "edition", "series"})  # fields that may hold Roman numerals
# What each of them contains, as few as possible: all entries are searched for each of these.
_MAY_HOLD = (
    "xxx", "todo", "fixme", "tbd", "tba", "??", "ipsum", "name", "john", "jane", "author one", "author 1", "author a",
    "article title", "book title", "conference title", "insert title", "journal title", "paper title", "the title",
    "your title", "unknown title", "e here", "title goes", "to be ",
)  # fmt: skip


def check(project: Project, _: Knowledge) -> list[Finding]:
    return findings(project, CODE, _find_placeholders)


def _find_placeholders(node: BibNode) -> tuple[Complaint, ...]:
    """Complain of the first placeholder in an entry's fields, a value still to be written; () if it has none."""
    lowered = node.source.lower()
    if not any(part in lowered for part in _MAY_HOLD):
        return ()
    for field, value, value_start in fields_of(node, _FIELDS):
        span = _find_placeholder(field.name, value)
        if span:
            fault = f"“{span.within(value)[:_LONGEST_SHOWN]}” is a placeholder"
            # One says that the entry is to be completed: most of its values may wait for that.
            return (Complaint(field.name, span.moved(value_start), fault, for_any_reader="complete the entry"),)
    return ()


def _find_placeholder(field: str, value: str) -> Span | None:
    """Return where a placeholder stands in a value: a mark such as TODO, or the whole value, as `paper title`.

    None if there is none: `XXX` as a volume is thirty, and a title may speak of TODO comments.
    """
    text = value.strip(" {}\t\n")
    if field in _MAY_BE_ROMAN and text.upper() == _THIRTY_IN_ROMAN:
        return None
    mark = _MARK_ANYWHERE.search(value)
    if mark and not _is_meant(value, mark):
        return Span(*mark.span())
    if text and _WHOLE_VALUE.fullmatch(" ".join(text.split())):
        start = value.index(text)
        return Span(start, start + len(text))
    return None


def _is_meant(value: str, mark: re.Match[str]) -> bool:
    """True if what looks like a mark is a word of the value: titles speak of TODO comments, and count to XXX.

    `XXX`, `TBA` and `TBD` are marks only if they are all of the value; `TODO` and `FIXME` at its beginning, before a
    colon or the like, or alone.
    """
    if mark[0].startswith(("XXX", "TBA", "TBD")):
        return value.strip("{} ") != mark[0]
    return mark[0] in ("TODO", "FIXME") and not re.match(r"\W*(?:TODO|FIXME)\b(?:\W*$|\s*[:!-])", value)


CHECK = Check(
    CODE,
    "warning",
    "A value was meant to be filled in later.",
    check,
    needs="project",
    facts=lambda *_: [_find_placeholders],
)
