"""Bibliographies in Hayagriva's YAML, which Typst reads: a mapping from keys to works, each with what it appeared in.

An item's values are given under BibTeX's names and in BibTeX's syntax, so that every reader of entries can read them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax.formats import yaml_item
from citelsp.syntax.formats.csl import as_tex
from citelsp.syntax.formats.items import BibItem, Placed, collected
from citelsp.syntax.nodes import Entries, Field, Syntax

_TYPES = (
    "article|chapter|entry|anthos|report|thesis|web|scene|artwork|patent|case|newspaper|legislation|manuscript|original"
    "|post|misc|performance|periodical|proceedings|book|blog|reference|conference|anthology|repository|thread|video"
    "|audio|exhibition"
)
_ITEM = re.compile(
    r"^(?:\"(?P<double>[^\"\\\n]+)\"|'(?P<single>[^'\n]+)'"
    # A colon before anything but white space is a character of the key.
    r"|(?P<plain>[^\s#\"'\[\]{}&*!|>%@`,?:-](?:[ \t]*+(?:[^:\n# \t]|:(?=[^\s:])))*|-[^\s:\n#]+))"
    r"[ \t]*:[ \t]*(?:#[^\n]*)?\r?$",
    re.MULTILINE,
)
_TYPE = re.compile(
    rf"^[ \t]+(?:-[ \t]+)?[\"']?type[\"']?:[ \t]*[\"']?(?P<type>{_TYPES})\b", re.MULTILINE | re.IGNORECASE
)
_OTHER = re.compile(r"^(?=[^\s#])", re.MULTILINE)
_TITLE = re.compile(r"^[ \t]+title:", re.MULTILINE)
_KINDS: Mapping[str, str] = {
    "article": "article", "chapter": "incollection", "anthos": "incollection", "entry": "inreference",
    "report": "report", "thesis": "thesis", "web": "online", "blog": "online", "post": "online", "thread": "online",
    "patent": "patent", "case": "jurisdiction", "legislation": "legislation", "manuscript": "unpublished",
    "periodical": "periodical", "proceedings": "proceedings", "conference": "proceedings", "book": "book",
    "reference": "book", "anthology": "collection", "repository": "software", "newspaper": "article",
    "video": "movie", "audio": "audio", "artwork": "artwork",
}  # fmt: skip
_PAPERS = frozenset({"proceedings", "conference"})
_NAMES: Mapping[str, str] = {
    "title": "title", "author": "author", "editor": "editor", "date": "date", "abstract": "abstract",
    "publisher": "publisher", "location": "location", "organization": "organization", "issue": "number",
    "volume": "volume", "edition": "edition", "page-range": "pages", "url": "url", "note": "note",
    "language": "language", "genre": "type",
}  # fmt: skip
_NUMBERS: Mapping[str, str] = {
    "doi": "doi", "isbn": "isbn", "issn": "issn", "pmid": "pmid", "pmcid": "pmcid", "arxiv": "eprint",
}  # fmt: skip
_ESCAPED_SIGN = re.compile(r"\\([\\${}])")
_PEOPLE = frozenset({"author", "editor"})
_OF_PARENT = ("volume", "issue", "publisher", "location", "editor", "organization")  # if the item has none of its own


def is_list(text: str) -> bool:
    """True if the text holds a work, with its type and its title."""
    return any(True for _ in items(text))


def parse(document: Document, old: Entries | None = None) -> Syntax:
    found = list(items(document.text))
    return Syntax(entries=collected(found, old)) if found else Syntax()


def items(text: str) -> Iterator[Placed]:
    """The works in their order: every key of a text in which one has a type that Hayagriva knows, and a title.

    To Hayagriva a work of another type, or of none, is one of type `misc`.
    """
    found = list[Placed]()
    is_known = False
    for key in effort.iterate(_ITEM.finditer(text)):
        following = _OTHER.search(text, key.end() + 1)
        end = following.start() if following else len(text)
        source = text[key.start() : end].rstrip()
        if "\n" not in source:
            continue
        types = [it["type"].lower() for it in _TYPE.finditer(source)]
        is_known = is_known or bool(types and _TITLE.search(source))
        style = next(it for it in ("double", "single", "plain") if key[it] is not None)
        span = Span(*key.span(style)).moved(-key.start())
        found.append(Placed(key.start(), BibItem(_kind(types), key[style], span, source, _values, yaml_item.problem)))
    yield from found if is_known else ()


def _kind(types: Sequence[str]) -> str:
    if not types:
        return "misc"
    if types[0] == "article" and _PAPERS.intersection(types[1:]):
        return "inproceedings"
    return _KINDS.get(types[0], "misc")


def _values(item: BibItem) -> list[tuple[Field, str]]:
    loaded = yaml_item.load(item.source)
    work = next(iter(loaded.values()), None) if isinstance(loaded, dict) else None
    if not isinstance(work, dict):
        return []
    found: dict[str, tuple[Field, str]] = {}
    for name, value in _flat(item, work):
        field = _field(item, name)
        raw = _raw(name, value)
        written = _NUMBERS.get(name) or _NAMES.get(name, name)
        if field and raw and written not in found:
            found[written] = (Field(written, field.name_span, field.value_span, field.span), raw)
            if written == "eprint":
                found["eprinttype"] = (Field("eprinttype", field.name_span, field.value_span, field.span), "arxiv")
    return list(found.values())


def _flat(item: BibItem, work: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The work's own values, then its identifiers, then what its parent has to say of it."""
    parents = work.get("parent")
    parent = parents[0] if isinstance(parents, list) and parents else parents
    yield from ((str(name), value) for name, value in work.items() if str(name) in _NAMES)
    for level in (work, parent):
        numbers = level.get("serial-number") if isinstance(level, dict) else None
        if isinstance(numbers, dict):
            yield from ((str(name).lower(), it) for name, it in numbers.items() if str(name).lower() in _NUMBERS)
    if isinstance(parent, dict):
        container = "journal" if item.kind in ("article", "online") else "booktitle"
        yield container, parent.get("title")
        yield from ((it, parent.get(it)) for it in _OF_PARENT)
        if "date" not in work:
            yield "date", parent.get("date")


def _field(item: BibItem, name: str) -> Field | None:
    """Where a value stands: at its name, on its line; a container's title at its parent."""
    written = "parent" if name in ("journal", "booktitle") else name
    match = re.search(
        rf"(?:^[ \t]+(?:-[ \t]+)?|[{{,][ \t]*)[\"']?({re.escape(written)})[\"']?[ \t]*:", item.source, re.M | re.I
    )
    if match is None:
        return None
    end = item.source.find("\n", match.end())
    value = Span(match.end(), end if end >= 0 else len(item.source))
    return Field(name, Span(*match.span(1)), value, Span(match.start(1), value.end))


def _raw(name: str, value: object) -> str:
    if name in _PEOPLE:
        people = value if isinstance(value, list) else [value]
        return " and ".join(filter(None, map(_person, people)))
    if isinstance(value, dict):
        value = value.get("value") or value.get("name")
    if isinstance(value, str):
        value = _ESCAPED_SIGN.sub(r"\1", value)
    text = as_tex(value, _NUMBERS.get(name) or _NAMES.get(name, name))
    # In braces Hayagriva keeps letters as they are, as BibTeX does.
    return text.replace(r"\{", "{").replace(r"\}", "}")


def _person(person: object) -> str:
    """ "Family, Given" or "Family, Jr., Given", which is BibTeX's order too; a sole name is one."""
    if isinstance(person, dict):
        part = {str(name): as_tex(it) for name, it in person.items()}
        family = " ".join(filter(None, (part.get("prefix"), part.get("name"))))
        return ", ".join(filter(None, (family, part.get("suffix"), part.get("given-name"))))
    name = as_tex(person)
    return name if "," in name or not name else f"{{{name}}}"
