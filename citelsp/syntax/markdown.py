"""Markdown manuscripts as pandoc, Quarto, R Markdown and bookdown read them."""

import re
from collections import deque
from dataclasses import dataclass

from citelsp.syntax import cites, csl, suppressions, yaml_front
from citelsp.syntax.commands import cite_pattern, shape_of
from citelsp.syntax.items import collected
from citelsp.syntax.markdown_hidden import Hidden, find, is_indented_code, is_target
from citelsp.syntax.nodes import Citation, Entries, Heading, KeyArgument, Link, Placeholder, Syntax
from citelsp.text import Document, Span

_AT = re.compile(
    r"(?<![^\W_])(?P<suppressed>-?)@(?:"
    r"(?P<key>\w(?:\w|[:.#$%&\-+?<>~/](?=\w)|[:/](?=/))*)"
    r"|\{(?P<braced>[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
    r"|<(?P<words>[^<>\n]{0,400}(?:\n(?![ \t\r]*\n)[^<>\n]{0,400}){0,2})>"
    r"|(?P<hint>[?<])|(?P<all>\*)|(?P<open>\{?))"
)
_HINT = re.compile(r"(?:[^\[\];\n\\@]|\n(?![ \t\r]*\n)(?=[^\[\];@]*[\];]))*")
_OPEN_WORDS = re.compile(r"[^<>\[\]{};\n\\@]*")
_TRAILING = re.compile(r"[:/#+~&\-]*")
_OPEN_BRACE = re.compile(r"[^{}\[\];\n]*")
_CROSS_REFERENCE = re.compile(
    r"(?:fig|tbl|lst|sec|eq|thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg|tip|nte|wrn|imp|cau|vid|apx|dia)-|"
    r"(?:fig|tbl|tab|sec|eq|lst)s?:",
    re.IGNORECASE,
)
_LOCATOR = re.compile(r"[ \t]?\n?[ \t]*\[(?P<inner>[^\[\]@^][^\[\]@]{0,400}|)\](?![(\[])")
_BRACKETS = re.compile(r"\\.|[\[\]]|\n[ \t\r]*\n", re.DOTALL)
_FRONT = re.compile(r"---[ \t\r]*\n(?P<body>(?:.*\n)*?)(?:---|\.\.\.)[ \t\r]*(?:\n|\Z)")
_LATER_FRONT = re.compile(r"^[ \t\r]*\n(?=---[ \t\r]*\n(?:#[^\n]*\n)*[A-Za-z_][\w.-]*[ \t]*:)", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*?)(?:[ \t]+#+)?[ \t\r]*$", re.MULTILINE)
_SETEXT = re.compile(r"^(?P<title>[^\s>#|`~=-][^\n]*)\n(?P<rule>=+|-{2,})[ \t\r]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}]*\}$")
_INCLUDE = re.compile(r"\{\{<[ \t]*include[ \t]+[\"']?(?P<file>[^\s\"'>]+)[\"']?[ \t]*>\}\}")
_CHILD = re.compile(r"\bchild\s*=\s*(?P<files>c?\(?(?:\s*,?\s*[\"'][^\"'\n]+[\"'])+)")
_QUOTED = re.compile(r"[\"'](?P<file>[^\"'\n]+)[\"']")


@dataclass(slots=True)
class _Group:
    """Brackets in one paragraph; `end` is past the closing one, or the paragraph's end where that is missing."""

    start: int
    end: int
    closed: bool


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    """Everything that is written in a Markdown document; `old` are the entries it had before."""
    text = document.text
    blocks = _metadata_blocks(text)
    metadata = [yaml_front.read(text, it) for it in blocks]
    front_end = blocks[0].end if blocks and text.startswith("---") else 0
    hidden, infos = find(text, front_end)
    found = cites.Found()
    _read_keys(text, hidden, [it for it in blocks if it.start > front_end], found)
    for block in metadata:
        if block.nocite:
            _read_nocite(text, block.nocite, found)
    _read_tex(text, cite_commands, hidden, found)
    headings = _headings(text, hidden)
    lists = [it.references for it in metadata if it.references]
    titles = [it.title for it in metadata] + [it.title for it in headings if it.level == 1]
    return Syntax(
        citations=tuple(sorted(found.citations, key=lambda it: it.span)),
        placeholders=tuple(sorted(found.placeholders, key=lambda it: it.span)),
        arguments=tuple(sorted(found.arguments, key=lambda it: it.span)),
        links=(*(link for it in metadata for link in it.links), *_includes(text, infos)),
        headings=headings,
        suppressions=tuple(suppressions.in_html(text)),
        entries=collected((it for block in lists for it in csl.in_yaml(text, block)), old),
        title=next(filter(None, titles), ""),
        date=next((it.date for it in metadata if it.date), ""),
        is_root=any(it.names_bibliography for it in metadata),
        cites_all=found.cites_all,
        opaque=found.opaque,
    )


def _metadata_blocks(text: str) -> list[Span]:
    blocks = []
    start = 1 if text.startswith("\ufeff") else 0
    if front := _FRONT.match(text, start):
        blocks.append(Span(*front.span("body")))
    if "\n---" in text:
        for blank in _LATER_FRONT.finditer(text, blocks[0].end if blocks else 0):
            if (not blocks or blank.end() > blocks[-1].end) and (later := _FRONT.match(text, blank.end())):
                blocks.append(Span(*later.span("body")))
    return blocks


def _read_keys(text: str, hidden: Hidden, blocks: list[Span], found: cites.Found) -> None:
    groups, around = deque(_groups(text)), list[_Group]()
    skip_to = 0
    for match in _AT.finditer(text):
        at = match.start()
        if at < skip_to or hidden.covers(at) or any(it.start <= at < it.end for it in blocks):
            continue
        while groups and groups[0].start < at:
            around.append(groups.popleft())
        while around and around[-1].end <= at:
            around.pop()
        if _is_prose(text, at, match.end("suppressed")):
            skip_to = _read_at(text, match, around[-1] if around else None, found)


def _is_prose(text: str, at: int, sign: int) -> bool:
    """False where the `@` at `sign` is escaped, or part of code, an address, a link's target or mathematics."""
    if text.startswith("\\", at - 1) and at > 0:
        return False
    line = text.rfind("\n", 0, at) + 1
    if text.startswith((" ", "\t"), line) and is_indented_code(text, at):
        return False
    return not is_target(text, sign)


def _read_at(text: str, match: re.Match[str], group: _Group | None, found: cites.Found) -> int:
    """Reads one `@` in the brackets around it, if any; returns the offset after what it owns."""
    key = match["key"]
    if key is not None and _CROSS_REFERENCE.match(key):
        return match.end()
    if match["words"] is not None or match["hint"]:
        return _read_placeholder(text, match, group, found) if group else match.end()
    if key is None and match["braced"] is None:
        _read_open(text, match, group is not None, found)
        return match.end()
    span = Span(*match.span("braced" if key is None else "key"))
    written = span.within(text)
    trailing = _TRAILING.match(text, span.end) if key is not None else None
    found.arguments.append(KeyArgument(Span(span.start, trailing.end() if trailing else span.end), "@", "@"))
    if written.strip():
        inside = group is not None and group.closed
        whole = Span(group.start, group.end) if group and inside else _narrative_whole(text, match.start(), match.end())
        found.citations.append(Citation(written, span, "@", whole, not inside and not match["suppressed"]))
    return match.end()


def _narrative_whole(text: str, start: int, end: int) -> Span:
    locator = _LOCATOR.match(text, end)
    return Span(start, locator.end() if locator else end)


def _groups(text: str) -> list[_Group]:
    """All brackets in order of their opening, inline notes (`^[…]`) and footnote marks (`[^…]`) left out."""
    groups: list[_Group] = []
    unclosed: list[_Group] = []
    for mark in _BRACKETS.finditer(text):
        character, at = text[mark.start()], mark.start()
        if character == "[":
            group = _Group(at, len(text), closed=False)
            unclosed.append(group)
            if not text.startswith("^", at + 1) and (at == 0 or text[at - 1] != "^"):
                groups.append(group)
        elif character == "]" and unclosed:
            closed = unclosed.pop()
            closed.end, closed.closed = mark.end(), True
        elif character == "\n":
            for it in unclosed:
                it.end = at
            unclosed.clear()
    return groups


def _read_placeholder(text: str, match: re.Match[str], group: _Group, found: cites.Found) -> int:
    sign = match.end("suppressed")
    if match["words"] is not None:
        words, end, opener = Span(*match.span("words")), match.end(), "<"
    else:
        opener = "<" if match["hint"] == "<" else "@"
        typed = (_OPEN_WORDS if opener == "<" else _HINT).match(text, match.end(), group.end)
        end = typed.end() if typed else match.end()
        words = Span(match.end(), end)
    closed = match["words"] is not None or (match["hint"] == "?" and group.closed)
    whole = Span(group.start, group.end if group.closed else end)
    hint = " ".join(words.within(text).split())
    found.placeholders.append(Placeholder(hint, Span(sign, end), "@", whole, closed, before="@"))
    argument = words if opener == "<" else Span(sign + 1, end)
    found.arguments.append(KeyArgument(argument, "@", opener))  # type: ignore[arg-type]  # "<" or "@"
    return end


def _read_open(text: str, match: re.Match[str], inside: bool, found: cites.Found) -> None:
    """A key not yet begun: `[@`, `@{`, or a bare `@` at the end of a word."""
    following = text[match.end() : match.end() + 1]
    if match["open"] == "{":
        typed = _OPEN_BRACE.match(text, match.end())
        found.arguments.append(KeyArgument(Span(match.end(), typed.end() if typed else match.end()), "@", "@"))
    elif inside or not following or following.isspace() or following in "];":
        found.arguments.append(KeyArgument(Span(match.end(), match.end()), "@", "@"))


def _read_nocite(text: str, block: Span, found: cites.Found) -> None:
    for match in _AT.finditer(text, block.start, block.end):
        if match["all"]:
            found.cites_all = True
        elif key := match["key"] or match["braced"]:
            span = Span(*match.span("key" if match["key"] else "braced"))
            found.citations.append(Citation(key, span, "nocite", Span(match.start(), match.end())))
            found.arguments.append(KeyArgument(span, "nocite", "@"))


def _read_tex(text: str, cite_commands: tuple[str, ...], hidden: Hidden, found: cites.Found) -> None:
    """Raw LaTeX cite commands between the prose."""
    if "\\" not in text or ("cite" not in text.lower() and not cite_commands):
        return
    for match in cite_pattern(cite_commands).finditer(text):
        if not hidden.covers(match.start()) and not text.startswith("\\", match.start() - 1):
            cites.read(text, Span(*match.span()), match["name"], shape_of(match["name"]), found)


def _headings(text: str, hidden: Hidden) -> tuple[Heading, ...]:
    found = [
        Heading(_ATTRIBUTES.sub("", it["title"]), len(it["marks"]), Span(*it.span()))
        for it in (_HEADING.finditer(text) if "#" in text else ())
        if it["title"] and not hidden.covers(it.start("marks"))
    ]
    if "\n==" in text or "\n--" in text:
        for it in _SETEXT.finditer(text):
            if not hidden.covers(it.start()):
                level = 1 if it["rule"][0] == "=" else 2
                found.append(Heading(_ATTRIBUTES.sub("", it["title"].strip()), level, Span(*it.span())))
    return tuple(sorted(found, key=lambda it: it.span))


def _includes(text: str, infos: list[tuple[str, int]]) -> list[Link]:
    """Quarto's `{{< include x.qmd >}}` and knitr's `child = "x.Rmd"`."""
    links = []
    if "{{<" in text:
        links += [Link("part", it["file"], Span(*it.span("file"))) for it in _INCLUDE.finditer(text)]
    for info, at in infos:
        for child in _CHILD.finditer(info):
            for it in _QUOTED.finditer(info, *child.span("files")):
                links.append(Link("part", it["file"], Span(*it.span("file")).moved(at)))
    return links
