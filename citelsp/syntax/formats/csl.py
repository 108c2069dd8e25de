"""Bibliographies in CSL-JSON and CSL-YAML (Citation Style Language 1.0.2 data), also `references:` in YAML metadata.

An item's values are given under BibTeX's names and in BibTeX's syntax, so that every reader of entries can read them.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax.formats import yaml_item
from citelsp.syntax.formats.items import BibItem, Placed, collect
from citelsp.syntax.languages.markdown import yaml_metadata
from citelsp.syntax.nodes import Entries, EntryProblem, Field, Syntax

_KINDS = {
    "article": "article", "article-journal": "article", "article-magazine": "article", "article-newspaper": "article",
    "book": "book", "chapter": "incollection", "paper-conference": "inproceedings", "thesis": "thesis",
    "report": "report", "manuscript": "unpublished", "webpage": "online", "post": "online", "post-weblog": "online",
    "software": "software", "dataset": "dataset", "patent": "patent", "entry-encyclopedia": "inreference",
    "entry-dictionary": "inreference", "collection": "collection", "periodical": "periodical", "pamphlet": "booklet",
    "standard": "standard", "review": "review", "legal_case": "jurisdiction", "legislation": "legislation",
    "motion_picture": "movie", "personal_communication": "letter",
}  # fmt: skip
_NAMES = {
    "title": "title", "title-short": "shorttitle", "volume": "volume", "issue": "number", "number": "number",
    "page": "pages", "publisher": "publisher", "publisher-place": "address", "abstract": "abstract", "note": "note",
    "edition": "edition", "collection-title": "series", "event-title": "eventtitle", "language": "language",
    "genre": "type", "DOI": "doi", "URL": "url", "ISBN": "isbn", "ISSN": "issn", "PMID": "pmid", "PMCID": "pmcid",
    "author": "author", "editor": "editor", "translator": "translator", "collection-editor": "editor",
    "issued": "date", "accessed": "urldate", "arxiv": "eprint",
}  # fmt: skip
_PEOPLE = frozenset({"author", "editor", "translator"})
_DATES = frozenset({"date", "urldate"})
_VERBATIM = frozenset({"doi", "url", "isbn", "issn", "pmid", "pmcid", "eprint", "date", "urldate"})
# CSL's texts are plain, those of BibTeX are TeX: unescaped, a `%` or `_` would be read as TeX's.
_AS_TEX = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
})  # fmt: skip
_ESCAPED_SIGN = re.compile(r"\\([!-/:-@\[-`{-~])")  # `\*` in Markdown
_TAG = re.compile(r"</?(?:i|b|em|strong|sub|sup|sc|span)\b[^<>]*>")

_JSON_SPACE = re.compile(r"[\s,]*")
_JSON_LIST = re.compile(r"\"(?:references|items)\"\s*:\s*\[")  # `"references": [`
# `"id": "knuth84"` or `"id": 12`.
_JSON_ID = re.compile(r"\"id\"\s*:\s*(?:\"(?P<text>(?:[^\"\\]|\\.)*)\"|(?P<number>-?[\d.]+))")
_JSON_TOKEN = re.compile(r"\"[^\"\n]{0,40}\"?|\S")  # what a fault is shown at
_JSON_PLACE = re.compile(r"(?: starting)? at$|:\s*$")  # at the end of what Python says of a fault
_JSON_TYPE = re.compile(r"\"type\"\s*:\s*\"(?P<type>[^\"\\\n]*)\"")
_JSON_OBJECT_OR_END = re.compile(r"[{\]]")
# Braces in a text do not count if it is closed on its line.  Else each escaped quotation mark in it would be tried as
# the beginning of a text, up to the line's end: so these are matched too, and mean nothing.
_JSON_TEXT_OR_BRACE = re.compile(r"\"(?:[^\"\\\n]++|\\.)*\"|\\[\"\\]|[{}]")
_JSON_NAME = re.compile(r"\s*+(?:,\s*+)?(?P<whole>\"(?P<name>(?:[^\"\\]|\\.)*)\")\s*:\s*")  # `, "title": `
# Each try may read up to the file's end, and its error counts lines from the file's beginning: both grow by the square.
_MOST_BROKEN = 200  # items
_LONGEST_BROKEN = 20_000  # characters
_MOST_READ_IN_VAIN = 4  # times the length of the text

_YAML_ITEM = re.compile(r"^(?P<indent>[ \t]*)-(?=[ \t\r]|$)", re.MULTILINE)  # the hyphen of `- id: knuth84`
_YAML_SCALAR = (
    r"(?:\"(?P<double>(?:[^\"\\\n]|\\.)+)\"|'(?P<single>(?:[^'\n]|'')+)'|(?P<plain>[^\s\"'{}\[\],#][^\s,{}]*+(?:[^\S\n]++[^\s,{}]++)*?))"
    r"(?=[ \t]+#|[ \t\r]*(?:[,}\n]|\Z))"
)
# `- id: knuth84`, or `{id: knuth84, …}` on one line.
_YAML_NAME = r"(?:^(?P<indent>[ \t]*(?:-[ \t]+)?)|[{,][ \t]*)[\"']?(?P<name>%s)[\"']?[ \t]*:"
_YAML_ID = re.compile(rf"{_YAML_NAME % 'id'}[ \t]+{_YAML_SCALAR}", re.MULTILINE)
_YAML_TYPE = re.compile(rf"{_YAML_NAME % 'type'}[ \t]+{_YAML_SCALAR}", re.MULTILINE)
_YAML_NAMED_LINE = re.compile(r" *[\"']?[^\s\"'{}\[\],#:-][^\"'{}\[\]:\n]*+[\"']?[ \t]*+:(?:\s|$)")  # `  title: …`


def parse_json(document: Document, old: Entries | None = None) -> Syntax:
    return Syntax(entries=collect(read_json(document.text), old))


def parse_yaml(document: Document, old: Entries | None = None) -> Syntax:
    """Read the entries of a file, and what it says as metadata.

    The entries are listed under `references:`, or the file is a list itself.
    """
    text = document.text
    whole = Span(0, len(text))
    metadata = yaml_metadata.read(text, whole)
    references = metadata.references
    if references is None and re.search(r"^-", text, re.MULTILINE):
        references = whole
    return Syntax(
        links=metadata.links,
        entries=collect(read_yaml(text, references), old) if references else None,
        title=metadata.title,
        date=metadata.date,
        csl=metadata.csl,
        citation_style=metadata.citation_style,
        lang=metadata.lang,
        # `signs` say how the project's documents cite: by roles alone if these are settings of Jupyter Book, which
        # hands them on to Sphinx.
        signs=frozenset({"roles"} if metadata.roles else ()),
    )


def read_json(text: str) -> Iterator[Placed]:
    """Yield the items of a list in CSL-JSON that have a key.

    A broken one has what can be read of it, and is passed over if that is no key.  If its braces do not show where it
    ends, it is taken to go on up to the next brace that opens an object.  The rest is left out then if a `]` comes
    before that, or right behind an object in the broken one, as it is taken for the end of the list.  It is left out
    also after too many broken ones, or if too much was read in vain (to find one broken may take all the text).
    """
    # Not strict: a raw line break or tab in an abstract must not cost the item.
    decoder = json.JSONDecoder(strict=False)
    broken = 0
    may_read_in_vain = _MOST_READ_IN_VAIN * len(text)
    offset = list_start(text) or _json_start(text)  # a single item without a list around it is read too
    while broken < _MOST_BROKEN and may_read_in_vain > 0:
        offset = _after_space(text, offset)
        if offset >= len(text) or text[offset] == "]":
            return
        try:
            value, end = decoder.raw_decode(text, offset)
        except (ValueError, RecursionError) as error:
            broken += 1
            # A list that is nested too deeply, a RecursionError, may have been read to its end.
            stopped = error.pos if isinstance(error, json.JSONDecodeError) else len(text)
            may_read_in_vain -= stopped - offset
            end_by_braces = _object_end(text, offset)
            if end_by_braces is None:
                may_read_in_vain -= min(_LONGEST_BROKEN, len(text) - offset)
            end = end_by_braces or _following_object(text, offset)
            item = _read_broken_item(text[offset : min(end, offset + _LONGEST_BROKEN)].rstrip(" \t\r\n,"))
            if item:
                yield Placed(offset, item)
            offset = end
            continue
        item = _json_item(value, text[offset:end]) if isinstance(value, dict) else None
        if item:
            yield Placed(offset, item)
        offset = end


def _object_end(text: str, offset: int) -> int | None:
    """Return where a broken object ends that opens at `offset`, by its braces; None if they do not show it nearby."""
    if not text.startswith("{", offset):
        return None
    depth = 0  # of braces that are open
    for sign in _JSON_TEXT_OR_BRACE.finditer(text, offset, offset + _LONGEST_BROKEN):
        if sign[0] == "{":
            depth += 1
        elif sign[0] == "}":
            depth -= 1
            if depth == 0:
                return sign.end()
    return None


def _following_object(text: str, offset: int) -> int:
    """Return where behind `offset` the next object opens, or a list ends; the text's end if neither comes."""
    following = _JSON_OBJECT_OR_END.search(text, offset + 1)
    return following.start() if following else len(text)


def list_start(text: str) -> int | None:
    """The offset after the bracket that opens the list of items; None if there is none."""
    offset = _json_start(text)
    if text.startswith("[", offset):
        return offset + 1
    listed = _JSON_LIST.search(text, offset)
    return listed.end() if listed else None


def _json_start(text: str) -> int:
    return _after_space(text, 1 if text.startswith("\ufeff") else 0)


def _after_space(text: str, offset: int) -> int:
    match = _JSON_SPACE.match(text, offset)
    return match.end() if match else offset


def _decoded(decoder: json.JSONDecoder, text: str, offset: int) -> tuple[Any, int]:
    """The value at `offset` and where it ends; -1 if there is none."""
    try:
        return decoder.raw_decode(text, offset)
    except (ValueError, RecursionError):
        return None, -1


def _json_item(value: dict[str, Any], source: str) -> BibItem | None:
    """Make an entry of a CSL item, which `source` is as written and `value` as parsed.

    None if it has no key, or if no text or number in `source` is that key, as of `"id": null`.
    """
    key = str(value.get("id", ""))
    if not key:
        return None
    # Nested objects may have an `id` of their own, and before the item's: the one with its value is meant.
    for match in _JSON_ID.finditer(source):
        group = "number" if match["text"] is None else "text"
        written = match[group]
        if written == key or ("\\" in written and _unescaped(written) == key):
            return BibItem(_kind(value.get("type")), key, Span(*match.span(group)), source, _json_values)
    return None


def _read_broken_item(source: str) -> BibItem | None:
    """Make an entry of a CSL item that is no JSON, with the fields before the fault; None if it shows no key."""
    depth = 0  # of braces that are open
    for sign in _JSON_TEXT_OR_BRACE.finditer(source):
        if sign[0] in "{}":
            depth += 1 if sign[0] == "{" else -1
        own_key = _JSON_ID.match(source, sign.start()) if depth == 1 else None
        if own_key:
            group = "number" if own_key["text"] is None else "text"
            key = _unescaped(own_key[group]) if group == "text" else own_key[group]
            csl_type = _JSON_TYPE.search(source)
            kind = _kind(csl_type["type"] if csl_type else "")
            span = Span(*own_key.span(group))
            closed = source.endswith("}")
            return BibItem(kind, key, span, source, _json_values, _find_json_problem, closed) if key else None
    return None


def _find_json_problem(source: str) -> list[EntryProblem]:
    """Say what is no JSON in a broken item, or that it cannot be read: nested too deeply, or with too long a number.

    Of an item whose end was not found `source` is only the beginning; the fault may stand behind it.
    """
    try:
        json.JSONDecoder(strict=False).raw_decode(source)
    except json.JSONDecodeError as error:
        at = _JSON_TOKEN.search(source, error.pos)
        is_cut_off = at is None or error.msg.startswith("Unterminated")
        if is_cut_off and not source.endswith("}"):
            return [EntryProblem("This is not JSON (the end of the item is not found)", Span(0, 1))]
        reason = _JSON_PLACE.sub("", error.msg)
        span = Span(*at.span()) if at else Span(len(source) - 1, len(source))
        return [EntryProblem(f"This is not JSON ({reason[:1].lower()}{reason[1:]})", span)]
    except (ValueError, RecursionError):
        return [EntryProblem("This item is nested too deeply, or holds too long a number, to be read", Span(0, 1))]
    return []


def _unescaped(written: str) -> str:
    """The text that JSON means by what stands between quotation marks; "" if that is no JSON."""
    value, _ = _decoded(json.JSONDecoder(strict=False), f'"{written}"', 0)
    return value if isinstance(value, str) else ""


def _kind(csl_type: object) -> str:
    return _KINDS.get(str(csl_type or "").strip().lower(), "misc")


def _json_values(item: BibItem) -> list[tuple[Field, str]]:
    """List the fields of a CSL item in JSON, each with its value as BibTeX writes it, as far as the JSON is whole.

    Variables for which BibTeX has no field are left out.
    """
    decoder = json.JSONDecoder(strict=False)
    values: list[tuple[Field, str]] = []
    offset = len("{")
    while named := _JSON_NAME.match(item.source, offset):
        value, end = _decoded(decoder, item.source, named.end())
        if end < 0:  # a value that is cut off
            break
        name_span = Span(*named.span("whole"))
        values += _field(item, named["name"], value, name_span, Span(named.end(), end))
        offset = end
    return values


def read_yaml(text: str, block: Span) -> Iterator[Placed]:
    """Yield the items of the first list in CSL-YAML within `block`; each begins with its hyphen.

    TooLongError, by `effort.iterate`, once the time is spent that the document may take; it is for who began to read.
    """
    first = _YAML_ITEM.search(text, block.start, block.end)
    if first is None:
        return
    hyphens = effort.iterate(_YAML_ITEM.finditer(text, first.start(), block.end))
    # A hyphen further to the right begins an item of an inner list, such as an author; none stands further to the left.
    starts = [hyphen.end("indent") for hyphen in hyphens if hyphen["indent"] == first["indent"]]
    for start, end in zip(starts, [*starts[1:], block.end], strict=True):
        source = text[start:end].rstrip()
        item = _yaml_item(source)
        if item:
            yield Placed(start, item)


def _yaml_item(source: str) -> BibItem | None:
    """The entry that an item of a list in YAML is, written as `source`; None if it has no key."""
    key = yaml_item.find_own(_YAML_ID, source)
    if key is None:
        return None
    style = next(style for style in ("double", "single", "plain") if key[style] is not None)
    csl_type = yaml_item.find_own(_YAML_TYPE, source)
    kind = csl_type["double"] or csl_type["single"] or csl_type["plain"] if csl_type else ""
    return BibItem(_kind(kind), key[style], Span(*key.span(style)), source, _yaml_values, _find_yaml_problem)


def _find_yaml_problem(source: str) -> list[EntryProblem]:
    """Say why an item of a YAML list is not read: it is nested too deeply, or no YAML; empty if it is read."""
    too_deep = yaml_item.find_depth_problem(source)
    if too_deep:
        return too_deep
    margin = _margin(source)
    problems = yaml_item.find_syntax_problem(" " * margin + source)
    return [replace(it, span=it.span.moved(-margin)) for it in problems]


def _yaml_values(item: BibItem) -> list[tuple[Field, str]]:
    """List the fields of one item of a YAML list, with their values as BibTeX writes them.

    Empty if it is no mapping, no YAML, or nested deeper than anyone writes.
    """
    # YAML refuses lines that stand left of their list's first, which was cut out without its indentation.
    indent = " " * _margin(item.source)
    items = yaml_item.load(indent + item.source)
    fields = items[0] if isinstance(items, list) and items else None
    if not isinstance(fields, dict):
        return []
    values: list[tuple[Field, str]] = []
    for name, value in fields.items():
        values += _yaml_field(item, str(name), value)
    return values


def _margin(source: str) -> int:
    """Return by how many spaces an item's list is indented: the item's first line lost them when it was cut out."""
    first = re.match(r"-[ \t]+", source)
    depth = first.end() if first else len("- ")  # of the other lines, counted from the item's hyphen
    # Other lines do not tell: text in quotation marks may go on at the left edge.
    lines = [line for line in source.split("\n")[1:] if _YAML_NAMED_LINE.match(line)]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    return max(min(indents, default=depth) - depth, 0)


def _yaml_field(item: BibItem, name: str, value: object) -> list[tuple[Field, str]]:
    """Write one variable of an item as BibTeX fields; its place is taken to be the line of its name."""
    match = yaml_item.find_own(re.compile(_YAML_NAME % re.escape(name), re.MULTILINE), item.source)
    if match is None:
        return []
    line_end = item.source.find("\n", match.end())
    value_span = Span(match.end(), line_end if line_end >= 0 else len(item.source))
    return _field(item, name, _unmarked(value), Span(*match.span("name")), value_span)


def _unmarked(value: object) -> object:
    """Drop the backslashes before signs, `\\*`, from all texts in a value: pandoc reads texts in YAML as Markdown."""
    if isinstance(value, str):
        return _ESCAPED_SIGN.sub(r"\1", value)
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    if isinstance(value, dict):
        return {name: _unmarked(item) for name, item in value.items()}
    return value


def _field(item: BibItem, name: str, value: object, name_span: Span, value_span: Span) -> list[tuple[Field, str]]:
    """Write one CSL variable as a list with its BibTeX field; empty if BibTeX has no such field, or without a value.

    `name` is the variable's, such as "container-title"; which field that is depends on the item's kind.  The spans are
    those of name and value in the item's source; the field's reaches from the name to the end of both.
    """
    bibtex_name = _container(item.kind) if name == "container-title" else _NAMES.get(name)
    if bibtex_name is None:
        return []
    if bibtex_name in _PEOPLE:
        raw = _people(value)
    elif bibtex_name in _DATES:
        raw = _date(value)
    else:
        raw = as_tex(value, bibtex_name)
    span = Span(name_span.start, max(value_span.end, name_span.end))
    return [(Field(bibtex_name, name_span, value_span, span), raw)] if raw else []


def _container(kind: str) -> str:
    return "booktitle" if kind in ("inproceedings", "incollection", "inreference") else "journal"


def as_tex(value: object, name: str = "") -> str:
    """Write a plain text as TeX, or as it is for a BibTeX field that is read verbatim, such as doi."""
    if not isinstance(value, str | int | float):
        return ""
    text = " ".join(str(value).split())
    return text if name in _VERBATIM else _TAG.sub("", text).translate(_AS_TEX)


def _people(value: object) -> str:
    """Write people as BibTeX does: a list of names, or, as pandoc reads it in YAML, one name without a list."""
    people = value if isinstance(value, list) else [value]
    return " and ".join(filter(None, map(_person, people)))


def _person(person: object) -> str:
    """Write a CSL name, `{"family": …, "given": …}` or `{"literal": …}`, as BibTeX does; "" if it is none.

    A text alone is a literal name to pandoc.
    """
    if isinstance(person, str):
        person = {"literal": person}
    if not isinstance(person, dict):
        return ""
    part = {str(name): as_tex(text) for name, text in person.items()}
    # In braces BibTeX takes a group for one name; otherwise “and” and commas in it would part it into people.  `name`,
    # which CSL does not have, is read as `literal` is.
    literal = part.get("literal") or part.get("name")
    if literal:
        return f"{{{literal}}}"
    family = " ".join(filter(None, (part.get("non-dropping-particle"), part.get("family"))))
    given = " ".join(filter(None, (part.get("given"), part.get("dropping-particle"))))
    if not given:
        return f"{{{family}}}" if family else ""
    return ", ".join(filter(None, (family, part.get("suffix"), given)))


def _date(value: object) -> str:
    """Write a date or range of CSL in ISO 8601, as biblatex does: `2020-01/2020-03`; "" if there is none.

    CSL-JSON has `{"date-parts": [[2020, 1], [2020, 3]]}`; pandoc's YAML also ISO strings, bare years and, in older
    files, a list of `{"year": …, "month": …}`, of which two are a range.  A text stays as written, also one that is
    the date's `raw` or `literal`, which count only without parts and year: it need not be in ISO 8601.
    """
    if isinstance(value, str | int):
        return str(value).strip()
    if isinstance(value, list):
        return "/".join(filter(None, map(_date, value[:2])))
    if not isinstance(value, dict):
        return ""
    ends = value.get("date-parts")
    if isinstance(ends, list) and ends:
        return "/".join(filter(None, map(_iso, ends)))
    if "year" in value:
        return _iso([value.get(part) for part in ("year", "month", "day")])
    return str(value.get("raw") or value.get("literal") or "").strip()


def _iso(parts: object) -> str:
    """Write a date of year, month and day, `2020-01-31`, up to the first that is missing; "" without a year."""
    if not isinstance(parts, list):
        return ""
    written = [str(part).strip() for part in takewhile(lambda part: part not in (None, ""), parts)]
    if not written:
        return ""
    year, *month_and_day = written[:3]
    sign = "-" if year.startswith("-") else ""  # of a year before Christ: `-0044`
    return "-".join([sign + year.removeprefix("-").zfill(4), *(part.zfill(2) for part in month_and_day)])
