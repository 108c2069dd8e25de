"""Works written into Hayagriva's YAML, as Typst reads it."""

import json
import re
from collections.abc import Iterator, Mapping

from citelsp.base.text import Span
from citelsp.bibliography.bylines import with_parts_in_place
from citelsp.bibliography.file_style import Style
from citelsp.bibliography.kinds import kind_of
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record

_TYPES = {
    "article": ("article", "periodical"), "inproceedings": ("article", "proceedings"), "preprint": ("article", ""),
    "incollection": ("chapter", "book"), "inreference": ("entry", "reference"), "book": ("book", ""),
    "collection": ("anthology", ""), "proceedings": ("proceedings", ""), "thesis": ("thesis", ""),
    "report": ("report", ""), "online": ("web", ""), "software": ("repository", ""), "dataset": ("repository", ""),
    "patent": ("patent", ""),
}  # fmt: skip
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w.+/-]*")
# Between dollars Typst runs code; braces keep letters as they are.  People, pages and numbers are plain to Hayagriva.
_AS_TYPST_TEXT = str.maketrans({"{": "", "}": "", "$": r"\$", "\\": r"\\"})


def render(record: Record, key: str, habits: Style) -> str:
    """Write the work as an element of Hayagriva's mapping, without a line break behind it.

    `habits`: indentation and line breaks of the file that it goes to.  `key`: the citekey.
    """
    kind = kind_of(record)
    own_type, container_type = _TYPES.get(kind, ("misc", ""))
    known = record.identifiers
    is_on_arxiv = kind == "preprint" and known.arxiv  # then its serial number says where it is, in place of a venue
    parent = {}
    if record.venue and not is_on_arxiv:
        parent = {
            "type": container_type or "periodical",  # of the server of a preprint, too
            "title": record.venue.translate(_AS_TYPST_TEXT),
            "volume": record.volume,
            "issue": record.issue,
        }
    values = {
        "type": own_type,
        "title": record.title.translate(_AS_TYPST_TEXT),
        # With particles before the family name and suffixes apart: services leave both with other parts of a name.
        "author": [_author(with_parts_in_place(name)) for name in record.authors],
        "date": _date(record),
        "page-range": record.pages,
        "publisher": record.publisher.translate(_AS_TYPST_TEXT),
        "url": known.url or record.url,
        "serial-number": {"doi": known.doi, "arxiv": known.arxiv, "isbn": known.isbn, "pmid": known.pmid},
        "parent": parent,
    }
    head = key if _PLAIN_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
    return habits.newline.join([f"{head}:", *_lines(values, habits.indent)])


def _date(record: Record) -> str:
    """Return the date if it is of the year to cite, else the year: a source's date may be that of the preprint."""
    if re.fullmatch(r"\d{4}(-\d\d){0,2}", record.issued) and record.issued.startswith(str(record.year)):
        return record.issued
    return str(record.year) if record.year else ""


def _author(name: Name) -> str:
    if name.literal or not name.given:
        return name.family
    return ", ".join(filter(None, (name.family, name.suffix, name.given)))


def _lines(values: Mapping[str, object], indent: str) -> Iterator[str]:
    """Yield the lines of YAML for what is not empty; all but type and date in quotes, as JSON writes texts and lists.

    YAML reads JSON, and in quotes no text is taken for a number or for syntax.  Type and date need none: the one is a
    word of Hayagriva's, the other digits and hyphens.  `indent` is that of these lines; those of a mapping within have
    twice as much.
    """
    for name, value in values.items():
        if isinstance(value, dict):
            inner = list(_lines(value, indent * 2))
            if inner:
                yield f"{indent}{name}:"
                yield from inner
        elif value:
            is_plain = name in ("type", "date")
            yield f"{indent}{name}: {value if is_plain else json.dumps(value, ensure_ascii=False)}"


def place(before: str, text: str, newline: str) -> tuple[Span, str]:
    """At the end, a blank line apart."""
    if not before.strip():
        return Span(len(before), len(before)), text + newline
    lead = newline * max(0, 2 - before[len(before.rstrip()) :].count("\n"))
    return Span(len(before), len(before)), lead + text + newline
