"""Bibliographies in Hayagriva's YAML, which Typst reads: a mapping from keys to works, each with what it appeared in.

An item's values are given under BibTeX's names and in BibTeX's syntax, so that every reader of entries can read them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax.formats import yaml_item
from citelsp.syntax.formats.csl import as_tex
from citelsp.syntax.formats.items import BibItem, Placed, collect
from citelsp.syntax.nodes import Entries, EntryProblem, Field, Syntax

if TYPE_CHECKING:
    import yaml

_TYPES = (
    "article|chapter|entry|anthos|report|thesis|web|scene|artwork|patent|case|newspaper|legislation|manuscript|original"
    "|post|misc|performance|periodical|proceedings|book|blog|reference|conference|anthology|repository|thread|video"
    "|audio|exhibition"
)
# A key at the margin, `knuth84:`, alone on its line.
_ITEM = re.compile(
    r"^(?:\"(?P<double>[^\"\\\n]+)\"|'(?P<single>[^'\n]+)'"
    # A colon before anything but white space is a character of the key.
    r"|(?P<plain>[^\s#\"'\[\]{}&*!|>%@`,?:-](?:[ \t]*+(?:[^:\n# \t]|:(?=[^\s:])))*|-[^\s:\n#]+))"
    r"[ \t]*:[ \t]*(?:&\S+[ \t]*)?(?:#[^\n]*)?\r?$",  # `knuth84: &anchor`
    re.MULTILINE,
)
# `type: book` on a line of its own, or in braces, `{type: book, …}`; or what may hold the like and is none: a value in
# quotes, or a comment.
_TYPE = re.compile(
    rf"(?:^(?P<indent>[ \t]+(?:-[ \t]+)?)|[{{,][ \t]*)[\"']?type[\"']?:[ \t]*[\"']?(?P<type>{_TYPES})\b"
    r"|(?<=[:\-,\[{])[ \t]*+(?:\"(?>(?:[^\"\\\n]|\\.)*)\"|'(?>(?:[^'\n]|'')*)')|[ \t]#[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
_FIRST_LINE = re.compile(r"\n(?P<indent>[ \t]+)(?=[^\s#])")  # within an item; all of its own has this indent
_NEXT_ITEM = re.compile(r"^(?=[^\s#])", re.MULTILINE)
_TITLE = re.compile(r"^[ \t]+title:", re.MULTILINE)
_KINDS: Mapping[str, str] = {
    "article": "article", "chapter": "incollection", "anthos": "incollection", "entry": "inreference",
    "report": "report", "thesis": "thesis", "web": "online", "blog": "online", "post": "online", "thread": "online",
    "patent": "patent", "case": "jurisdiction", "legislation": "legislation", "manuscript": "unpublished",
    "periodical": "periodical", "proceedings": "proceedings", "conference": "proceedings", "book": "book",
    "reference": "book", "anthology": "collection", "repository": "software", "newspaper": "article",
    "video": "movie", "audio": "audio", "artwork": "artwork",
}  # fmt: skip
_TYPE_NAMES = frozenset(_TYPES.split("|")) | frozenset(name.capitalize() for name in _TYPES.split("|"))
# `2019`, `-44`, `2019-5`, `2019-05-31`
_DATE = re.compile(r"[+-]?[0-9]+(?:\s*-\s*(?P<month>[0-9]{1,2})(?:\s*-\s*(?P<day>[0-9]{1,2}))?)?")
_TEXTS = frozenset({"title", "note", "abstract", "genre"})  # fields whose value must be text: `"1984"`, not `1984`
# What YAML takes for a number or a truth value if it has no quotes; `007` is text.
_NO_TEXT = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|[Tt]rue|TRUE|[Ff]alse|FALSE")
_NOTHING = frozenset({"", "~", "null"})
_REFUSES = "Typst refuses the whole file"
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
# A sign that means something to Hayagriva, as `as_tex` writes it, and the backslash that may stand before it.
_SIGN = re.compile(r"(?P<escape>\\textbackslash\{\})?(?P<sign>\\[{}$]|\\textbackslash\{\})")
_PEOPLE = frozenset({"author", "editor"})
_ALSO_OF_PARENT = (
    "volume",
    "issue",
    "publisher",
    "location",
    "editor",
    "organization",
    "date",
)  # if the item has none of its own


def is_list(text: str) -> bool:
    """True if the text holds a work, with its type and its title."""
    return any(True for _ in items(text))


def parse(document: Document, old: Entries | None = None) -> Syntax:
    works = list(items(document.text))
    return Syntax(entries=collect(works, old)) if works else Syntax()


def items(text: str) -> Iterator[Placed]:
    """Yield the works of a list in their order; none if the text is no list of Hayagriva's.

    It is one if any key at the margin has a known type and a title, of its own or of what it appeared in; then every
    key at the margin with lines below it is a work.  A work of another type, or of none, counts as one of type `misc`.
    """
    works: list[Placed] = []
    is_hayagriva = False
    for key in effort.iterate(_ITEM.finditer(text)):
        following = _NEXT_ITEM.search(text, key.end() + 1)
        end = following.start() if following else len(text)
        source = text[key.start() : end].rstrip()
        if "\n" not in source:  # a key without lines below it, which says nothing
            continue
        types = _Types.read(source)
        if (types.own or types.of_parents) and _TITLE.search(source):
            is_hayagriva = True
        # The key is in double quotes, in single ones or in none.
        style = next(style for style in ("double", "single", "plain") if key[style] is not None)
        key_span = Span(*key.span(style)).moved(-key.start())
        item = BibItem(_kind(types), key[style], key_span, source, _read_values, find_problems)
        works.append(Placed(key.start(), item))
    if is_hayagriva:
        yield from works


class _Types(NamedTuple):
    """The known types in a work, as Hayagriva names them."""

    own: str  # "" if it has none that is known
    of_parents: Sequence[str]  # of what it appeared in

    @classmethod
    def read(cls, source: str) -> "_Types":
        # At the indent of the work's first line stands its own type, at any other or in braces those of parents.
        first_line = _FIRST_LINE.search(source)
        margin = first_line["indent"] if first_line else ""
        types = [(match["indent"], match["type"].lower()) for match in _TYPE.finditer(source) if match["type"]]
        own = next((name for indent, name in types if indent == margin), "")
        return cls(own, [name for indent, name in types if indent != margin])


def _kind(types: _Types) -> str:
    """The BibTeX type of a work, by its own type and those of what it appeared in."""
    if types.own == "article" and _PAPERS.intersection(types.of_parents):
        return "inproceedings"
    return _KINDS.get(types.own, "misc")


def _read_values(item: BibItem) -> list[tuple[Field, str]]:
    """List the fields of a work, with their values as BibTeX writes them; of each field the first value counts.

    The work's own values come before those of its parent, what it appeared in.  An arXiv id gets its scheme beside it
    (`eprinttype`).  The list is empty if the YAML cannot be read, or if the work is no map.
    """
    loaded = yaml_item.load(item.source)
    work = next(iter(loaded.values()), None) if isinstance(loaded, dict) else None
    if not isinstance(work, dict):
        return []
    values: dict[str, tuple[Field, str]] = {}
    for name, value in _list_values(item.kind, work):
        field = _field(item, name)
        raw = _write_as_bibtex(name, value)
        bibtex_name = _bibtex_name(name)
        if not field or not raw or bibtex_name in values:
            continue
        values[bibtex_name] = (replace(field, name=bibtex_name), raw)
        if bibtex_name == "eprint":
            values["eprinttype"] = (replace(field, name="eprinttype"), "arxiv")
    return list(values.values())


def _bibtex_name(name: str) -> str:
    return _NUMBERS.get(name) or _NAMES.get(name, name)


def _list_values(kind: str, work: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield names and values of a work, of this BibTeX type, and behind them those that it may have from its parent.

    The parent is what the work appeared in, a journal or a book; of several the first.  A name may come from both.
    """
    for name, value in work.items():
        if str(name) in _NAMES:
            yield str(name), value
    yield from _list_numbers(work)
    parents = work.get("parent")
    parent = parents[0] if isinstance(parents, list) and parents else parents
    if not isinstance(parent, dict):
        return
    yield from _list_numbers(parent)
    container = "journal" if kind in ("article", "online") else "booktitle"
    yield container, parent.get("title")
    for name in _ALSO_OF_PARENT:
        yield name, parent.get(name)


def _list_numbers(level: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the identifiers of a work or its parent, `serial-number: {doi: …, isbn: …}`, of the kinds in _NUMBERS."""
    numbers = level.get("serial-number")
    for scheme, number in numbers.items() if isinstance(numbers, dict) else ():
        if str(scheme).lower() in _NUMBERS:
            yield str(scheme).lower(), number


def _field(item: BibItem, name: str) -> Field | None:
    """Find where a value stands: at its name, on its line; a container's title at `parent`.  None if not found."""
    written = "parent" if name in ("journal", "booktitle") else name
    pattern = rf"(?:^(?P<indent>[ \t]+(?:-[ \t]+)?)|[{{,][ \t]*)[\"']?(?P<name>{re.escape(written)})[\"']?[ \t]*:"
    match = yaml_item.find_own(re.compile(pattern, re.MULTILINE | re.IGNORECASE), item.source)
    if match is None:
        return None
    line_end = item.source.find("\n", match.end())
    value = Span(match.end(), line_end if line_end >= 0 else len(item.source))
    return Field(name, Span(*match.span("name")), value, Span(match.start("name"), value.end))


def _write_as_bibtex(name: str, value: object) -> str:
    """Write the value of Hayagriva's field `name` as BibTeX does; "" if it has none.

    People are joined by “and”.  A text may be a map that also says how it is sorted, `{"value": …}`, a publisher one
    with a place, `{"name": …}`.  In a text a backslash stands before a sign that would mean something to Hayagriva,
    `\\$`; in braces that have none it keeps letters as they are, as BibTeX does.
    """
    if name in _PEOPLE:
        people = value if isinstance(value, list) else [value]
        return " and ".join(filter(None, map(_person, people)))
    if isinstance(value, dict):
        value = value.get("value") or value.get("name")
    return _SIGN.sub(_unescaped, as_tex(value, _bibtex_name(name)))


def _unescaped(sign: re.Match[str]) -> str:
    """Return the sign of a match of _SIGN in TeX, without the backslash that Hayagriva wants; a bare brace as it is."""
    written: str = sign["sign"]
    is_bare_brace = not sign["escape"] and written in (r"\{", r"\}")
    return written[1:] if is_bare_brace else written


def _person(person: object) -> str:
    """Write a name as BibTeX does: "Family, Given" or "Family, Jr., Given" as it is; a name without comma in braces."""
    if isinstance(person, dict):
        part = {str(name): as_tex(text) for name, text in person.items()}
        family = " ".join(filter(None, (part.get("prefix"), part.get("name"))))
        return ", ".join(filter(None, (family, part.get("suffix"), part.get("given-name"))))
    name = as_tex(person)
    return name if "," in name or not name else f"{{{name}}}"


def find_problems(source: str) -> list[EntryProblem]:
    """List what makes Typst refuse the whole file of a work: no YAML, no type, or values that Hayagriva does not know.

    Only types, dates and texts are looked at, of the work and of what it appeared in, which needs no type.  Of a work
    that is nested too deeply nothing is looked at, and only this is listed; of one that is no map, nothing.
    """
    not_read = yaml_item.find_depth_problem(source)
    if not_read:
        return not_read
    broken = yaml_item.find_syntax_problem(source)
    if broken:
        return [_refuse(problem.message, problem.span) for problem in broken]
    work = yaml_item.find_value_nodes(source)
    if work is None:
        return []
    problems = list(_check_values(source, work))
    if not _has_type(work):
        problems.insert(0, _refuse("The work has no type, such as book", yaml_item.line_around(source, 0)))
    return problems


def _has_type(work: "yaml.MappingNode") -> bool:
    return any(name.value == "type" and (node.style or node.value not in _NOTHING) for name, node in work.value)


def _refuse(fault: str, span: Span) -> EntryProblem:
    return EntryProblem(f"{fault}: {_REFUSES}", span)


def _check_values(source: str, work: "yaml.MappingNode") -> Iterator[EntryProblem]:
    """Yield a problem for each value that Typst refuses, of a work and of what it appeared in, its `parent`.

    It is shown at the value, or at the beginning of the `source` if nothing is written there.
    """
    import yaml

    for name_node, value_node in work.value:
        name = str(name_node.value)
        if name == "parent":
            parents = value_node.value if isinstance(value_node, yaml.SequenceNode) else [value_node]
            for parent in parents:
                if isinstance(parent, yaml.MappingNode):
                    yield from _check_values(source, parent)
            continue
        fault = _find_fault(name, value_node)
        if fault:
            span = Span(value_node.start_mark.index, value_node.end_mark.index)
            yield _refuse(fault, span if span.within(source).strip() else Span(0, 1))


def _find_fault(name: str, node: "yaml.Node") -> str:
    """Say what Hayagriva does not accept in the value of a field; "" if it does, or is not known to refuse it."""
    import yaml

    if not isinstance(node, yaml.ScalarNode):
        return ""
    value = str(node.value)
    is_plain = not node.style  # without quotes, so that it may be a number or nothing
    if is_plain and value in _NOTHING:  # as if the field were not there
        return ""
    if name == "type" and value not in _TYPE_NAMES:
        return f"“{value}” is none of Hayagriva's types"
    if name == "date" and not _is_date(value):
        return f"“{value}” is not a date, such as 2020-05-31" if value else "The date is empty"
    if name in _TEXTS and is_plain and _NO_TEXT.fullmatch(value):
        return f'{name} must be text: write "{value}"'
    return ""


def _is_date(value: str) -> bool:
    date = _DATE.fullmatch(value.strip("~ "))  # `~`: about
    return date is not None and 1 <= int(date["month"] or 1) <= 12 and 1 <= int(date["day"] or 1) <= 31
