"""Reference lists as BibTeX and biber compile them for LaTeX: `.bbl`, which is read and never written.

BibTeX's is a `thebibliography`, read as in manuscripts; biber's gives each field by itself.
"""

import re
from collections.abc import Iterator, Sequence

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax.formats.items import BibItem, Placed, collect
from citelsp.syntax.languages.latex import parsing
from citelsp.syntax.languages.latex.grammar import argument, group_end, skip_space
from citelsp.syntax.nodes import Entries, Field, Syntax

_ENTRY = re.compile(r"\\entry\{(?P<key>[^{}]*)\}\{(?P<kind>[^{}]*)\}")  # `\entry{knuth84}{book}`
_END = "\\endentry"
# `\field{title}`, `\name{author}{2}{…}`, `\list{publisher}{1}`, `\verb{doi}`, `\true{moreauthor}`.
_FIELD = re.compile(
    r"\\(?P<command>field|name|list|verb|keyw|true)\{(?P<name>\w+)\}(?:\{(?P<count>[\w,]*)\}(?=[\s%]*\{))?"
)
_VERB = re.compile(r"\s*\\verb (?P<value>[^\r\n]*)")  # `\verb 10.1000/182`, on the line after `\verb{doi}`
_NAME_PART = re.compile(r"(?<![\w])(?P<name>family|given|prefix|suffix)=(?=\{)")  # `family={Knuth}`
# Parts of a person's name by their place, in biber 1 and 2; those with an `i` are initials.
_PARTS_IN_BIBER_2 = ("family", "familyi", "given", "giveni", "prefix", "prefixi", "suffix")
_CUT_LIST = re.compile(r"\\true\{more(?P<name>\w+)\}")  # a list that ends in “and others”
_RANGES = {r"\bibrangedash": "--", r"\bibrangessep": ", "}  # in pages
_RANGE_SIGN = re.compile(r"(?P<command>\\bibrange(?:dash|ssep))(?![A-Za-z])\s?")
_BIBINIT = re.compile(r"\\bib(?:initdelim|namedelim[a-i]|inithyphendelim|initperiod)(?![A-Za-z])\s?|\\range(?:dash)?\b")
# Fields that biber keeps for itself.
_FOR_BIBER_ALONE = re.compile(
    r"(?:sort|label|extra)\w*|\w*hash|crossrefsource|xrefsource|entrykey|pagerange|\w*dateera|\w*urlraw"
)
_LONGEST_GROUP = 200_000  # characters: biber writes a hundred and more for each name of a list
_LONGEST_LIST = 2000  # people or publishers


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    """The entries of a .bbl, as biber or as BibTeX writes it."""
    is_of_biber = _END in document.text
    if is_of_biber:
        return Syntax(entries=collect(_entries(document.text), old))
    manuscript = parsing.parse(document, cite_commands, old)
    return Syntax(entries=manuscript.entries, suppressions=manuscript.suppressions)


def _entries(text: str) -> Iterator[Placed]:
    """Yield each entry once: further lists of the file, sorted otherwise, repeat it."""
    keys: set[str] = set()
    for match in effort.iterate(_ENTRY.finditer(text)):
        end = text.find(_END, match.end())
        if end < 0:  # cut off: so is all that follows
            return
        key = match["key"].strip()
        if key and key not in keys:
            keys.add(key)
            key_span = Span(*match.span("key")).moved(-match.start())
            source = text[match.start() : end + len(_END)]
            yield Placed(match.start(), BibItem(match["kind"].lower(), key, key_span, source, _values))


def _values(item: BibItem) -> Sequence[tuple[Field, str]]:
    r"""List the fields of an entry in biber's .bbl with their values, without those that biber keeps for itself.

    A list of which `\true{moreauthor}` says that it was cut gets “and others” behind it.
    """
    cut_lists = {match["name"] for match in _CUT_LIST.finditer(item.source)}
    values: list[tuple[Field, str]] = []
    offset = 0
    while match := _FIELD.search(item.source, offset):
        offset = match.end()
        value, span = _value(item.source, match)
        name = match["name"]
        is_flag = match["command"] == "true"  # which says something of a field, and is none
        if not value or is_flag or _FOR_BIBER_ALONE.fullmatch(name):
            continue
        if name in cut_lists:
            value += " and others"
        whole = Span(match.start(), span.end)
        values.append((Field(name, Span(*match.span("name")), span, whole), value))
        offset = span.end
    return values


def _value(source: str, match: re.Match[str]) -> tuple[str, Span]:
    r"""Return the value of the field whose command is `match`, and where it stands; "" if there is none.

    The commands are `\verb{doi}`, whose value stands on a line of its own, `\name{author}{2}{{…}{…}}`,
    `\list{publisher}{1}{{…}}` and `\field{title}{…}`; `\keyw{…}` and `\true{…}` have no value, as no argument follows.
    Lists and names are joined by “and”, as BibTeX writes them.
    """
    command = match["command"]
    if command == "verb":
        verbatim = _VERB.match(source, match.end())
        return (verbatim["value"].strip(), Span(*verbatim.span("value"))) if verbatim else ("", Span(0, 0))
    groups = list(_groups(source, match.end(), most=2))
    if not groups:
        return "", Span(0, 0)
    # Of the two groups behind `\name{author}{1}` the first holds options; a single group holds the names.
    if command == "name":
        span = groups[-1]
        people = _groups(source, span.start, most=_LONGEST_LIST, end=span.end)
        return " and ".join(filter(None, (_person(person.within(source)) for person in people))), span
    span = groups[0]
    if command == "list":
        items = _groups(source, span.start, most=_LONGEST_LIST, end=span.end)
        return " and ".join(item.within(source).strip() for item in items), span
    return _plain(span.within(source)), span


def _groups(source: str, offset: int, most: int, end: int | None = None) -> Iterator[Span]:
    """Yield what the next arguments in braces hold, at most `most` of them, before `end` if that is given."""
    for _ in range(most):
        start = skip_space(source, offset)
        group = group_end(source, start, _LONGEST_GROUP) if source.startswith("{", start) else None
        if group is None or (end is not None and group > end):
            return
        yield Span(start + 1, group - 1)
        offset = group


def _person(written: str) -> str:
    """Write a name that biber wrote as BibTeX does: `Family, Given`; "" if there is none.

    biber writes `{hash=…}{family={…}, given={…}}`, older ones `{}{Family}{F.}{Given}{G.}{}{}{}{}`.
    """
    parts: dict[str, str] = {}
    for part in _NAME_PART.finditer(written):
        value = argument(written, part.end())
        if value and part["name"] not in parts:
            parts[part["name"]] = _plain(value.within(written))
    if not parts:
        groups = list(_groups(written, 0, most=1 + len(_PARTS_IN_BIBER_2)))
        by_place = [_plain(group.within(written)) for group in groups[1:]]  # behind the options
        parts = dict(zip(_PARTS_IN_BIBER_2, by_place, strict=False))  # the last may be missing
    family = " ".join(filter(None, (parts.get("prefix"), parts.get("family"))))
    # A family name alone is a team: in braces, which it may have already, it stays together.
    if not parts.get("given"):
        in_braces = argument(family, 0) if family.startswith("{") else None
        if in_braces and in_braces.end + 1 == len(family):
            return family
        return f"{{{family}}}" if family else ""
    return ", ".join(filter(None, (family, parts.get("suffix"), parts["given"])))


def _plain(written: str) -> str:
    """A value without biblatex's own commands, which part initials; those that part pages become signs, `1--9, 12`."""
    with_ranges = _RANGE_SIGN.sub(lambda sign: _RANGES[sign["command"]], written)
    return " ".join(_BIBINIT.sub(" ", with_ranges).split())
