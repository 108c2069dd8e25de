"""Works written into CSL-JSON and CSL-YAML bibliographies, as Pandoc and Quarto read them."""

import json
import re
from typing import Any

from citelsp.base.text import Span
from citelsp.bibliography.bylines import settled
from citelsp.bibliography.kinds import kind_of
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.style import Style
from citelsp.syntax.formats import csl

_TYPES = {
    "article": "article-journal", "inproceedings": "paper-conference", "incollection": "chapter", "preprint": "article",
    "inreference": "entry-encyclopedia", "proceedings": "book", "online": "webpage", "misc": "document",
}  # fmt: skip
_PLAIN = frozenset({"id", "type", "issued", "DOI", "ISBN", "PMID", "URL"})
_MARKDOWN = re.compile(r"[\\`*_\[\]<>^~$@]")
_END_OF_LIST = re.compile(r"\n(?=[^\s#-])|\n(?=---|\.\.\.)")
_REFERENCES = re.compile(r"^references[ \t]*:(?P<empty>[ \t]*\[[ \t]*\])?[ \t]*\r?$", re.MULTILINE)
_BARE_LIST = re.compile(r"^(?=-[ \t])", re.MULTILINE)
_OTHER_REFERENCES = re.compile(r"^[\"']?references[\"']?[ \t]*:", re.MULTILINE)
_DASH = re.compile(r"^([ \t]*)-[ \t]+\S", re.MULTILINE)


def item(record: Record, key: str) -> dict[str, Any]:
    """The element of CSL data, empty values left out."""
    known, written, kind = record.identifiers, record.issued, kind_of(record)
    date = [int(it) for it in written.split("-")] if re.fullmatch(r"\d{4}(-\d\d){0,2}", written) else []
    # A source's date may be that of the preprint, its year that of the publication, which is to be cited.
    issued = date if date and date[0] == record.year else [record.year] if record.year else []
    preprint = f"arXiv:{known.arxiv}" if known.arxiv else ""
    values: dict[str, Any] = {
        "id": key,
        "type": _TYPES.get(kind, kind),
        "title": record.title,
        "author": [_author(settled(it)) for it in record.authors],
        "issued": {"date-parts": [issued]} if issued else {},
        "container-title": record.venue if kind != "preprint" or not known.arxiv else "",
        "volume": record.volume,
        "issue": record.issue,
        "page": record.pages,
        "publisher": record.publisher or ("arXiv" if kind == "preprint" and known.arxiv else ""),
        "DOI": known.doi,
        "ISBN": known.isbn,
        "PMID": known.pmid,
        "number": preprint if kind == "preprint" else "",
        "URL": f"https://arxiv.org/abs/{known.arxiv}" if known.arxiv else known.url or record.url,
    }
    return {name: value for name, value in values.items() if value}


def _author(name: Name) -> dict[str, str]:
    if name.literal or not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.given, **({"suffix": name.suffix} if name.suffix else {})}


def as_json(values: dict[str, Any], habits: Style) -> str:
    text = json.dumps(values, ensure_ascii=False, indent=habits.indent)
    return habits.newline.join(habits.indent + line for line in text.split("\n"))


def as_yaml(values: dict[str, Any], habits: Style) -> str:
    # JSON is YAML too, and quotes whatever YAML would read as a date, a number or a comment.
    escaped = {name: value if name in _PLAIN else _as_markdown(value) for name, value in values.items()}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in escaped.items()]
    return "- " + f"{habits.newline}  ".join(lines)


def _as_markdown(value: object) -> object:
    """Texts as pandoc reads them in YAML, where a backslash would begin a command of TeX, and `<` a tag of HTML."""
    if isinstance(value, str):
        return _MARKDOWN.sub(r"\\\g<0>", value)
    if isinstance(value, list):
        return [_as_markdown(it) for it in value]
    return {name: _as_markdown(it) for name, it in value.items()} if isinstance(value, dict) else value


def into_json(before: str, text: str, newline: str) -> tuple[Span, str] | None:
    if not before.strip():
        return Span(len(before), len(before)), f"[{newline}{text}{newline}]{newline}"
    if (start := csl.list_start(before)) is None:
        return None
    at = max((it.start + len(it.item.source) for it in csl.in_json(before)), default=start)
    behind = before[at:].lstrip()
    apart = "\n" in before[at : len(before) - len(behind)] or behind[:1] != "]"
    return Span(at, at), ("," if at > start else "") + newline + text + ("" if apart else newline)


def into_yaml(before: str, text: str, newline: str) -> tuple[Span, str] | None:
    heading = _REFERENCES.search(before)
    listed = heading or _BARE_LIST.search(before)
    if listed is None:
        # A list in another form, as one on a single line: a second `references:` would replace it.
        if _OTHER_REFERENCES.search(before):
            return None
        lead = newline if before and not before.endswith("\n") else ""
        return Span(len(before), len(before)), f"{lead}references:{newline}{text}{newline}"
    if heading and heading["empty"]:
        return Span(*heading.span("empty")), f"{newline}{text}"
    dash = _DASH.search(before, listed.end())
    indent = dash[1] if dash else ""
    text = "".join(indent + line for line in text.splitlines(keepends=True))
    end = _END_OF_LIST.search(before, listed.end())
    offset = end.end() if end else len(before)
    lead = "" if before[:offset].endswith("\n") else newline
    return Span(offset, offset), f"{lead}{text}{newline}"
