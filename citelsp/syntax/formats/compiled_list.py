"""Reference lists as BibTeX and biber compile them for LaTeX: `.bbl`, which is read and never written.

BibTeX's is a `thebibliography`, read as in manuscripts; biber's gives each field by itself.
"""

import re
from collections.abc import Iterator, Sequence

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax.formats.items import BibItem, Placed, collected
from citelsp.syntax.languages.latex import parsing
from citelsp.syntax.languages.latex.grammar import argument
from citelsp.syntax.nodes import Entries, Field, Syntax

_ENTRY = re.compile(r"\\entry\{(?P<key>[^{}]*)\}\{(?P<kind>[^{}]*)\}")
_END = "\\endentry"
_FIELD = re.compile(
    r"\\(?P<command>field|name|list|verb|keyw|true)\{(?P<name>\w+)\}(?:\{(?P<count>[\w,]*)\}(?=[\s%]*\{))?"
)
_VERB = re.compile(r"\s*\\verb (?P<value>[^\r\n]*)")
_PART = re.compile(r"(?<![\w])(?P<name>family|given|prefix|suffix)=(?=\{)")
_BIBLATEX_2 = ("family", "familyi", "given", "giveni", "prefix", "prefixi", "suffix")  # by place, in biber 1 and 2
_MORE = re.compile(r"\\true\{more(?P<name>\w+)\}")
_BIBINIT = re.compile(r"\\bib(?:initdelim|namedelim[a-i]|inithyphendelim|initperiod)(?![A-Za-z])\s?|\\range(?:dash)?\b")
_INTERNAL = re.compile(r"(?:sort|label|extra)\w*|\w*hash|crossrefsource|xrefsource|entrykey|pagerange|\w+dateera")
_LISTS = 200  # people or publishers of one list


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    if _END in document.text:
        return Syntax(entries=collected(_entries(document.text), old))
    read = parsing.parse(document, cite_commands, old)
    return Syntax(entries=read.entries, suppressions=read.suppressions)


def _entries(text: str) -> Iterator[Placed]:
    """Each entry once: further lists, sorted otherwise, repeat it."""
    done = set[str]()
    for match in effort.iterate(_ENTRY.finditer(text)):
        end = text.find(_END, match.end())
        if end < 0:
            return
        key = match["key"].strip()
        if key and key not in done:
            done.add(key)
            span = Span(*match.span("key")).moved(-match.start())
            source = text[match.start() : end + len(_END)]
            yield Placed(match.start(), BibItem(match["kind"].lower(), key, span, source, _values))


def _values(item: BibItem) -> Sequence[tuple[Field, str]]:
    """The fields of an entry of a .bbl of biblatex, without those that biber keeps for itself."""
    cut_lists = {match["name"] for match in _MORE.finditer(item.source)}
    values: list[tuple[Field, str]] = []
    offset = 0
    while match := _FIELD.search(item.source, offset):
        offset = match.end()
        value, span = _value(item.source, match)
        name = match["name"]
        if not value or match["command"] == "true" or _INTERNAL.fullmatch(name):
            continue
        if name in cut_lists:
            value += " and others"
        field = Field(name, Span(*match.span("name")), span, Span(match.start(), span.end))
        values.append((field, value))
        offset = span.end
    return values


def _value(source: str, match: re.Match[str]) -> tuple[str, Span]:
    """What a field says, and where its value stands; "" if there is none."""
    if match["command"] == "verb":
        verbatim = _VERB.match(source, match.end())
        return (verbatim["value"].strip(), Span(*verbatim.span("value"))) if verbatim else ("", Span(0, 0))
    groups = list(_groups(source, match.end(), 2))
    if not groups:
        return "", Span(0, 0)
    if match["command"] not in ("name", "list"):
        return _plain(groups[0].within(source)), groups[0]
    # Before the names biber puts options, of which it may have none.
    span = groups[-1] if match["command"] == "name" else groups[0]
    items = [group.within(source) for group in _groups(source, span.start, _LISTS, span.end)]
    if match["command"] == "name":
        return " and ".join(filter(None, map(_person, items))), span
    return " and ".join(item.strip() for item in items), span


def _groups(source: str, offset: int, most: int, end: int = -1) -> Iterator[Span]:
    """What the next arguments in braces hold."""
    for _ in range(most):
        inner = argument(source, offset)
        if inner is None or (end >= 0 and inner.end >= end):
            return
        yield inner
        offset = inner.end + 1


def _person(written: str) -> str:
    """`{hash=…}{family={…}, given={…}}`, of older ones `{}{Family}{F.}{Given}{G.}{}{}{}{}`."""
    parts = {}
    for found in _PART.finditer(written):
        inner = argument(written, found.end())
        if inner and found["name"] not in parts:
            parts[found["name"]] = _plain(inner.within(written))
    if not parts:
        listed = [_plain(it.within(written)) for it in _groups(written, 0, 1 + len(_BIBLATEX_2))][1:]
        parts = dict(zip(_BIBLATEX_2, listed, strict=False))
    family = " ".join(filter(None, (parts.get("prefix"), parts.get("family"))))
    # A family name alone is a team: in braces it stays together.
    if not parts.get("given"):
        return f"{{{family}}}" if family else ""
    return ", ".join(filter(None, (family, parts.get("suffix"), parts["given"])))


def _plain(written: str) -> str:
    return " ".join(_BIBINIT.sub(" ", written).split())
