"""Works written into CSL-JSON and CSL-YAML bibliographies, as Pandoc and Quarto read them."""

import json
import re
from typing import Any

from citelsp.base.text import Span
from citelsp.bibliography.bylines import with_parts_in_place
from citelsp.bibliography.file_style import Style
from citelsp.bibliography.kinds import kind_of
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.syntax.formats import csl

_TYPES = {  # of CSL, by kind; other kinds have one name in both
    "article": "article-journal", "inproceedings": "paper-conference", "incollection": "chapter", "preprint": "article",
    "inreference": "entry-encyclopedia", "proceedings": "book", "online": "webpage", "misc": "document",
}  # fmt: skip
_NOT_MARKDOWN = frozenset({"id", "type", "issued", "DOI", "ISBN", "PMID", "URL"})
_MARKDOWN_SIGN = re.compile(r"[\\`*_\[\]<>^~$@]")
# A line break before what is not indented and no item, or before the end of the document.
_END_OF_LIST = re.compile(r"\n(?=[^\s#-])|\n(?=---|\.\.\.)")
_REFERENCES = re.compile(r"^references[ \t]*:(?P<empty>[ \t]*\[[ \t]*\])?[ \t]*\r?$", re.MULTILINE)
# A file that is a list itself, `- id: …`.
_BARE_LIST = re.compile(r"^(?=-[ \t])", re.MULTILINE)
# `references: [{…}]`, `"references": …`
_OTHER_REFERENCES = re.compile(r"^[\"']?references[\"']?[ \t]*:", re.MULTILINE)
_DASH = re.compile(r"^([ \t]*)-[ \t]+\S", re.MULTILINE)


def item(record: Record, key: str) -> dict[str, Any]:
    """Return the work as an element of CSL data, `{"id": key, "type": "book", "title": "…"}`, without empty values.

    A preprint on arXiv has its number there, and arXiv as publisher, in place of a venue.  `key`: the citekey.
    """
    known = record.identifiers
    kind = kind_of(record)
    issued = _issued(record)  # year, month, day, as far as they are known
    is_on_arxiv = kind == "preprint" and bool(known.arxiv)
    values: dict[str, Any] = {
        "id": key,
        "type": _TYPES.get(kind, kind),
        "title": record.title,
        # With particles before the family name and suffixes apart: services leave both with other parts of a name.
        "author": [_author(with_parts_in_place(name)) for name in record.authors],
        "issued": {"date-parts": [issued]} if issued else {},
        "container-title": "" if is_on_arxiv else record.venue,
        "volume": record.volume,
        "issue": record.issue,
        "page": record.pages,
        "publisher": record.publisher or ("arXiv" if is_on_arxiv else ""),
        "DOI": known.doi,
        "ISBN": known.isbn,
        "PMID": known.pmid,
        "number": f"arXiv:{known.arxiv}" if is_on_arxiv else "",
        "URL": f"https://arxiv.org/abs/{known.arxiv}" if known.arxiv else known.url or record.url,
    }
    return {name: value for name, value in values.items() if value}


def _issued(record: Record) -> list[int]:
    """Return the year to cite, and month and day if they are known of that year; empty without a year."""
    is_date = re.fullmatch(r"\d{4}(-\d\d){0,2}", record.issued)
    date = [int(number) for number in record.issued.split("-")] if is_date else []
    # A source's date may be that of the preprint, its year that of the publication, which is to be cited.
    if date and date[0] == record.year:
        return date
    return [record.year] if record.year else []


def _author(name: Name) -> dict[str, str]:
    if name.literal or not name.given:
        return {"literal": name.family}
    return {"family": name.family, "given": name.given, **({"suffix": name.suffix} if name.suffix else {})}


def as_json(values: dict[str, Any], habits: Style) -> str:
    text = json.dumps(values, ensure_ascii=False, indent=habits.indent)
    return habits.newline.join(habits.indent + line for line in text.split("\n"))


def as_yaml(values: dict[str, Any], habits: Style) -> str:
    """Write the element as an item of a block list of YAML."""
    escaped = {name: value if name in _NOT_MARKDOWN else _as_markdown(value) for name, value in values.items()}
    # JSON is YAML too, and quotes whatever YAML would read as a date, a number or a comment.
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in escaped.items()]
    return "- " + f"{habits.newline}  ".join(lines)


def _as_markdown(value: object) -> object:
    """Escape texts for pandoc, which reads Markdown in YAML: a backslash begins a command of TeX, `<` a tag of HTML."""
    if isinstance(value, str):
        return _MARKDOWN_SIGN.sub(r"\\\g<0>", value)
    if isinstance(value, list):
        return [_as_markdown(element) for element in value]
    if isinstance(value, dict):
        return {name: _as_markdown(element) for name, element in value.items()}
    return value


def into_json(before: str, text: str, newline: str) -> tuple[Span, str] | None:
    """Say where in a file of JSON an item goes, behind the last whole one of its list, and what is written there.

    `before` is the file's text, `text` the item.  A broken item may go on behind what is known of it.  An empty file
    gets a list; None if the file holds anything but a list.  `newline`: the line break of the file.
    """
    if not before.strip():
        return Span(len(before), len(before)), f"[{newline}{text}{newline}]{newline}"
    start = csl.list_start(before)  # behind the bracket that opens the list
    if start is None:
        return None
    whole = [listed for listed in csl.read_json(before) if not listed.item.problems()]
    offset = max((listed.start + len(listed.item.source) for listed in whole), default=start)
    comma = "," if whole else ""
    behind = before[offset:]
    space = behind[: len(behind) - len(behind.lstrip())]
    bracket_follows = behind.lstrip().startswith("]")
    comma_behind = "," if behind.strip() and not bracket_follows and not whole else ""
    # The bracket that ends the list gets a line of its own, unless it has one.
    line_end = newline if bracket_follows and "\n" not in space else ""
    return Span(offset, offset), comma + newline + text + comma_behind + line_end


def into_yaml(before: str, text: str, newline: str) -> tuple[Span, str] | None:
    """Say where in a file of YAML an item goes, and what is written there; None if its list is in another form.

    `before` is the file's text, `text` the item.  It goes to the end of the list under `references:`, or of the list
    that the file is; a file without a list gets `references:` at its end.  Another form is `references: [{…}]`.
    `newline`: the line break of the file.
    """
    heading = _REFERENCES.search(before)
    list_start = heading or _BARE_LIST.search(before)
    if list_start is None:
        # A list in another form, as one on a single line: a second `references:` would replace it.
        if _OTHER_REFERENCES.search(before):
            return None
        lead = newline if before and not before.endswith("\n") else ""
        return Span(len(before), len(before)), f"{lead}references:{newline}{text}{newline}"
    if heading and heading["empty"]:  # `references: []`
        return Span(*heading.span("empty")), f"{newline}{text}"
    # Behind the last item, indented as the items are.
    dash = _DASH.search(before, list_start.end())
    indent = dash[1] if dash else ""
    indented = "".join(indent + line for line in text.splitlines(keepends=True))
    end_of_list = _END_OF_LIST.search(before, list_start.end())
    offset = end_of_list.end() if end_of_list else len(before)
    lead = "" if before[:offset].endswith("\n") else newline
    return Span(offset, offset), f"{lead}{indented}{newline}"
