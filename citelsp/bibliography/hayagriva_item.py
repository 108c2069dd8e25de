"""Works written into Hayagriva's YAML, as Typst reads it."""

import json
import re
from collections.abc import Iterator, Mapping

from citelsp.base.text import Span
from citelsp.bibliography.bylines import settled
from citelsp.bibliography.kinds import kind_of
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.style import Style

_TYPES = {
    "article": ("article", "periodical"), "inproceedings": ("article", "proceedings"), "preprint": ("article", ""),
    "incollection": ("chapter", "book"), "inreference": ("entry", "reference"), "book": ("book", ""),
    "collection": ("anthology", ""), "proceedings": ("proceedings", ""), "thesis": ("thesis", ""),
    "report": ("report", ""), "online": ("web", ""), "software": ("repository", ""), "dataset": ("repository", ""),
    "patent": ("patent", ""),
}  # fmt: skip
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w.+/-]*")
# Between dollars Typst runs code; braces keep letters as they are.
_PLAIN = str.maketrans({"{": "", "}": "", "$": r"\$", "\\": r"\\"})


def render(record: Record, key: str, habits: Style) -> str:
    kind = kind_of(record)
    own, container = _TYPES.get(kind, ("misc", ""))
    venue = record.venue if kind != "preprint" or not record.identifiers.arxiv else ""
    parent = {"type": container or "periodical", "title": venue.translate(_PLAIN)} if venue else {}
    if parent:
        parent |= {"volume": record.volume, "issue": record.issue}
    values = {
        "type": own,
        "title": record.title.translate(_PLAIN),
        "author": [_author(settled(it)) for it in record.authors],
        "date": _date(record),
        "page-range": record.pages,
        "publisher": record.publisher.translate(_PLAIN),
        "url": record.identifiers.url or record.url,
        "serial-number": {
            "doi": record.identifiers.doi,
            "arxiv": record.identifiers.arxiv,
            "isbn": record.identifiers.isbn,
            "pmid": record.identifiers.pmid,
        },
        "parent": parent,
    }
    head = key if _PLAIN_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
    return habits.newline.join([f"{head}:", *_lines(values, habits.indent)])


def _date(record: Record) -> str:
    """A source's date may be that of the preprint, its year that of the publication, which is to be cited."""
    if re.fullmatch(r"\d{4}(-\d\d){0,2}", record.issued) and record.issued.startswith(str(record.year)):
        return record.issued
    return str(record.year) if record.year else ""


def _author(name: Name) -> str:
    if name.literal or not name.given:
        return name.family
    return ", ".join(filter(None, (name.family, name.suffix, name.given)))


def _lines(values: Mapping[str, object], indent: str) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, dict):
            if inner := list(_lines(value, indent * 2)):
                yield f"{indent}{name}:"
                yield from inner
        elif value:
            plain = name in ("type", "date")
            yield f"{indent}{name}: {value if plain else json.dumps(value, ensure_ascii=False)}"


def place(before: str, text: str, newline: str) -> tuple[Span, str]:
    """At the end, a blank line apart."""
    if not before.strip():
        return Span(len(before), len(before)), text + newline
    lead = newline * max(0, 2 - before[len(before.rstrip()) :].count("\n"))
    return Span(len(before), len(before)), lead + text + newline
