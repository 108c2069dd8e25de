"""The few things that YAML metadata says of citations, with exact places: front matter, `_quarto.yml`, metadata files.

Read line by line, so that half-typed YAML still says what it can.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

from citelsp.base import effort
from citelsp.base.text import Span
from citelsp.syntax.nodes import Link

# `title:` at the left margin.
_KEY = re.compile(r"^(?P<quote>[\"']?)(?P<name>[A-Za-z_][\w.-]*)(?P=quote)[ \t]*:(?=\s|\Z)", re.MULTILINE)
_SCALAR = (
    r"\"(?P<double>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>(?:[^'\n]|'')*)'"
    r"|(?P<plain>(?:[^\s\"'#\[\]{},|>&*!%@`-]|-[^\s])[^ \t\r\n]*+(?:[ \t]++(?!#)[^ \t\r\n]++)*)"
)
# One scalar on the line of its key.
_LINE_SCALAR = re.compile(rf"[ \t]*+(?:{_SCALAR})(?=[ \t]+#|[ \t\r]*+(?:\n|\Z))")
# One scalar, and no map, on the line below its key.
_NEXT_LINE_SCALAR = re.compile(
    rf"[ \t\r]*+\n[ \t]++(?!(?![\"'])[^\n]*:(?:\s|\Z))(?:{_SCALAR})(?=[ \t]+#|[ \t\r]*+(?:\n|\Z))"
)
# `\"` or `\u00e9` in double quotes; halves of a character stay as they are written.
_ESCAPE = re.compile(r"\\(?:u(?![dD][89a-fA-F])(?P<code>[0-9a-fA-F]{4})|(?P<sign>[\"\\/]))")
# `- refs.bib`
_LIST_ITEM = re.compile(rf"^[ \t]*+-[ \t]++(?:{_SCALAR})(?=[ \t]+#|[ \t\r]*+$)", re.MULTILINE)
# `  main: refs.bib`
_MAP_ITEM = re.compile(rf"^[ \t]++[\w-]++:[ \t]++(?:{_SCALAR})(?=[ \t]+#|[ \t\r]*+$)", re.MULTILINE)
# `  main: [a.bib, b.bib]`
_MAP_FLOW = re.compile(r"^[ \t]++[\w-]++:[ \t]++\[(?P<items>[^\[\]]*+)\]", re.MULTILINE)
# `main: refs.bib` or `main: [a.bib, b.bib]` in braces.
_FLOW_MAP_KEY = r"[{,]\s*+(?:\"[^\"\n]*+\"|'[^'\n]*+'|[\w-]++)\s*+:\s*+"
_FLOW_MAP_ITEM = re.compile(
    rf"{_FLOW_MAP_KEY}(?:\"(?P<double>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>(?:[^'\n]|'')*)'"
    r"|(?P<plain>[^\s\"'\[\]{},#|>&*!%@`](?:[^\[\]{},#\n]*[^\s\[\]{},#])?))(?=\s*[,}#])"
)
_FLOW_MAP_LIST = re.compile(rf"{_FLOW_MAP_KEY}\[(?P<items>[^\[\]]*+)\]")
_FLOW_ITEM = re.compile(  # bounded, as each quotation mark that is never closed would be read to the end
    r"\"(?P<double>(?:[^\"\\\n]|\\.){0,500})\"|'(?P<single>(?:[^'\n]|''){0,500})'|#[^\n]*+"
    r"|(?P<plain>[^\s\"'\[\],#][^\s\[\],#]*+(?:[^\S\n]++[^\s\[\],#]++)*)"
)
# A scalar, in quotes or without, that may go on over indented lines, and has no comment; in quotes it may begin below.
_FOLDED = re.compile(
    r"[ \t]*+(?:\r?\n[ \t]++(?=[\"']))?(?:\"(?P<double>[^\"\\]++)\"|'(?P<single>[^']++)'"
    r"|(?P<plain>[^\s\"'#\[\]{},|>&*!%@`-](?>(?:(?!\s#)[^\n]|\n(?=[ \t]))*)))\s*"
)
_BLOCK_SCALAR = re.compile(r"[ \t]*[|>][+-]?\d?[ \t\r]*\n")  # its first line
_CHAPTER = re.compile(
    r"^[ \t]*+(?:-[ \t]*+)?(?:(?:part|href|file|text)[ \t]*+:[ \t]*+)?"
    r"[\"']?(?P<file>[^\s\"':#\[\],]+\.(?:qmd|md|[rR]md))[\"']?[ \t\r]*$",
    re.MULTILINE,
)
_NULL = frozenset({"null", "Null", "NULL", "~"})
# `bibtex_bibfiles` is Jupyter Book's, in _config.yml.
_BIBLIOGRAPHY = frozenset({"bibliography", "bibtex_bibfiles"})
# Keys under which bibliographies are named further in, and by which key: in Jupyter Book, and in MyST.
_NESTING = {"sphinx": {"bibtex_bibfiles"}, "project": {"bibliography"}}
_NESTED = re.compile(r"^(?P<indent> +)(?P<name>bibtex_bibfiles|bibliography)[ \t]*:(?=\s|\Z)", re.MULTILINE)
_CODE = ("header-includes", "include-", "style", "css")  # how keys begin whose texts are LaTeX, HTML or CSS
_METADATA = frozenset({"metadata-files", "metadata-file"})
# Where the chapters are listed: in Quarto's books and manuscripts, and in bookdown's _bookdown.yml.
_MANUSCRIPT = frozenset({"book", "manuscript", "rmd_files"})


@dataclass(frozen=True, slots=True)
class Scalar:
    text: str
    span: Span  # without quotes


@dataclass(frozen=True, slots=True)
class Metadata:
    """What one block of YAML says."""

    links: tuple[Link, ...] = ()
    title: str = ""
    date: str = ""
    csl: str = ""
    citation_style: str = ""
    lang: str = ""
    references: Span | None = None  # of the value; so of the next two
    nocite: Span | None = None
    prose: tuple[Span, ...] = ()  # an abstract, and other texts over several lines
    roles: bool = False  # settings of Jupyter Book, which hands them on to Sphinx

    @property
    def names_bibliography(self) -> bool:
        return self.references is not None or any(it.kind == "bibliography" for it in self.links)


def read(text: str, block: Span) -> Metadata:
    """Read the metadata in a block of YAML; the span `block` is without its `---` lines.

    `links` lead to bibliographies, to files with further metadata, and to the chapters of a book.  Of references,
    nocite and prose only the span is returned, to be read by others.  If a key is repeated, the last value counts,
    as to pandoc; but an empty title, date, style or language takes nothing away, and all of them may name files.
    """
    links: list[Link] = []
    words = dict.fromkeys(("title", "date", "csl", "citation-style", "lang"), "")
    references = nocite = None
    prose: dict[str, Span] = {}  # by key
    roles = False  # Jupyter Book's `bibtex_bibfiles` shows that roles cite, `{cite}`
    for name, value in _settings(text, block):
        roles = roles or name == "bibtex_bibfiles"
        if name in _BIBLIOGRAPHY:
            links += _links(text, value, "bibliography")
        elif name in _METADATA:
            links += _links(text, value, "metadata")
        elif name in _MANUSCRIPT:
            links += [Link("part", it["file"], Span(*it.span("file"))) for it in _CHAPTER.finditer(text, *value)]
        elif name in words:
            words[name] = _words(text, value) or words[name]
        elif name == "references":
            references = value
        elif name == "nocite":
            nocite = value
        elif _is_prose(text, name, value):
            prose[name] = value
    return Metadata(
        tuple(links),
        citation_style=words.pop("citation-style"),
        **words,
        references=references,
        nocite=nocite,
        prose=tuple(sorted(prose.values(), key=lambda it: it.start)),
        roles=roles,
    )


def _is_prose(text: str, name: str, value: Span) -> bool:
    """True for an abstract, and for any text in lines of its own, `authornote: |`.

    pandoc reads every text among the metadata as Markdown; but on one line an at sign is mostly that of a name or an
    address, and what goes into a header, or styles it, is code.
    """
    if name == "abstract":
        return True
    return not name.startswith(_CODE) and _BLOCK_SCALAR.match(text, *value) is not None


class NamedStyles(NamedTuple):
    """The files of CSL styles, as written: by `csl`, and by pandoc's other name for it, which counts less."""

    csl: str
    citation_style: str


def find_styles(blocks: Sequence[Metadata]) -> NamedStyles:
    """Return the styles that the blocks of a document name; as to pandoc the last of each counts."""
    last_first = blocks[::-1]
    csl = next((block.csl for block in last_first if block.csl), "")
    citation_style = next((block.citation_style for block in last_first if block.citation_style), "")
    return NamedStyles(csl, citation_style)


def _top_level(text: str, block: Span) -> Iterator[tuple[str, Span]]:
    """Yield the keys at the left margin, each with the span of its value, which ends where the next key starts."""
    keys = effort.iterate(_KEY.finditer(text, *block))
    for key, following in pairwise(chain(keys, (None,))):
        if key:
            yield key["name"], Span(key.end(), following.start() if following else block.end)


def _settings(text: str, block: Span) -> Iterator[tuple[str, Span]]:
    """Yield each key at the left margin with the span of its value.

    Indented keys are yielded too, behind the key that holds them and its whole value, if they are those by which
    Jupyter Book and MyST name bibliographies (_NESTING).
    """
    for name, value in _top_level(text, block):
        yield name, value
        for key in _NESTED.finditer(text, *value) if name in _NESTING else ():
            if key["name"] in _NESTING[name]:
                # A nested value ends at the next line that is indented no further than its key, unless that is an item
                # of a list, which YAML allows at the key's own indentation, or a comment.
                indent = len(key["indent"])
                no_further = re.compile(rf"^[ ]{{0,{indent}}}[^\s#-]", re.MULTILINE)
                following = no_further.search(text, key.end(), value.end)
                yield key["name"], Span(key.end(), following.start() if following else value.end)


def _links(text: str, value: Span, kind: str) -> Iterator[Link]:
    for item in scalars(text, value):
        yield Link(kind, item.text, item.span)  # type: ignore[arg-type]  # a LinkKind


def scalars(text: str, value: Span) -> list[Scalar]:
    """Return the scalars of a value: one, those of a flow or block list, or the values of a map, which may be lists."""
    scalars = map(_scalar, _scalar_matches(text, value))
    return [scalar for scalar in scalars if scalar is not None]


def _scalar_matches(text: str, value: Span) -> Sequence[re.Match[str]]:
    """Return matches with the groups of _SCALAR in a value, in the order of the text.

    A value is a flow list (`[a, b]`), a flow map (`{a: b}`), one scalar, or a block of lines: items of a list, or of a
    map, or one scalar.
    Comments in a flow list match too, with none of the groups.  A flow list that is not closed, as while it is typed,
    reaches to the value's end.
    """
    written = value.within(text).lstrip()
    if written.startswith("{"):
        close = text.find("}", value.start, value.end)
        in_braces = Span(value.start, close + 1 if close >= 0 else value.end)
        return _find_in_map(text, in_braces, _FLOW_MAP_ITEM, _FLOW_MAP_LIST)
    if written.startswith("["):
        start = text.index("[", value.start) + len("[")
        close = text.find("]", start, value.end)
        return list(_FLOW_ITEM.finditer(text, start, close if close >= 0 else value.end))
    alone = _LINE_SCALAR.match(text, *value)
    if alone:
        return [alone]
    items = [*_LIST_ITEM.finditer(text, *value), *_find_in_map(text, value, _MAP_ITEM, _MAP_FLOW)]
    below = None if items else _NEXT_LINE_SCALAR.match(text, *value)
    return [below] if below else sorted(items, key=lambda item: item.start())


def _find_in_map(
    text: str, value: Span, item_pattern: re.Pattern[str], list_pattern: re.Pattern[str]
) -> list[re.Match[str]]:
    """Return matches with the groups of _SCALAR in a map whose values are scalars and flow lists, in their order."""
    items = [*item_pattern.finditer(text, *value)]
    for flow_list in list_pattern.finditer(text, *value):
        items += _FLOW_ITEM.finditer(text, *flow_list.span("items"))
    return sorted(items, key=lambda item: item.start())


def _scalar(match: re.Match[str]) -> Scalar | None:
    """Return what a match of _SCALAR says; None if it says nothing: an empty value, `null`, or a comment."""
    for style in ("double", "single", "plain"):
        written = match[style]
        if written is None:
            continue
        # `bibliography: null` switches off what a project's metadata names; in quotes it is a file.
        is_null = style == "plain" and written in _NULL
        if not written or is_null:
            return None
        text = written
        if style == "single":
            text = written.replace("''", "'")
        elif style == "double":
            text = _ESCAPE.sub(lambda it: it["sign"] or chr(int(it["code"], 16)), written)
        return Scalar(text, Span(*match.span(style)))
    return None


def _words(text: str, value: Span) -> str:
    """Return a title or date as words, also over several lines; of a list the first item; "" if there is none."""
    block = _BLOCK_SCALAR.match(text, *value)
    if block:
        return " ".join(text[block.end() : value.end].split())
    written = value.within(text).rstrip()
    folded = _FOLDED.fullmatch(written) if "\n" in written else None
    if folded and folded.lastgroup:
        return " ".join(folded[folded.lastgroup].split())
    items = scalars(text, value)
    return " ".join(items[0].text.split()) if items else ""
