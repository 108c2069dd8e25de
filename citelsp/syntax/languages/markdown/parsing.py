"""Markdown manuscripts as pandoc, Quarto, R Markdown and bookdown read them."""

import re
from dataclasses import dataclass
from heapq import merge
from itertools import chain

from citelsp.base import effort
from citelsp.base.text import Document, LineStarts, Span
from citelsp.syntax import suppressions
from citelsp.syntax.formats import csl, printed_references
from citelsp.syntax.formats.items import collected
from citelsp.syntax.languages.latex import cites
from citelsp.syntax.languages.latex.cite_commands import cite_pattern
from citelsp.syntax.languages.markdown import identifier_citations, myst, notebook_cites, yaml_metadata
from citelsp.syntax.languages.markdown.at_signs import is_prose
from citelsp.syntax.languages.markdown.hidden import Hidden, cut_holes, find, raw
from citelsp.syntax.languages.markdown.indented_code import Placed
from citelsp.syntax.nodes import Citation, Entries, Ground, Heading, KeyArgument, Link, Placeholder, Syntax

_AT = re.compile(
    r"@(?<![^\W_]@)(?:"
    r"(?P<key>\w(?:\w|[:.#$%&\-+?<>~/](?=\w)|[:/](?=/))*)"
    r"|\{(?!\{)(?P<braced>[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
    r"|<(?P<words>[^<>\n]{0,400}(?:\n(?![ \t\r]*\n)[^<>\n]{0,400}){0,2})>"
    r"|(?P<hint>[?<])|(?P<all>\*)|(?P<open>\{?))"
)
_HINT = re.compile(r"[^\[\];\n\\@]*")
_HINT_ON_LINES = re.compile(r"(?:[^\[\];\n\\@]|\n(?![ \t\r]*\n))*")
_HINT_END = re.compile(r"[\[\];@]")
_OPEN_WORDS = re.compile(r"[^<>\[\]{};\n\\@]*")
_TRAILING_MARKS = tuple(":/#+~&-")
_TRAILING = re.compile(r"[:/#+~&\-]*")
_OPEN_BRACE = re.compile(r"[^{}\[\];\n]*")
# Quarto refers to figures and sections by `@fig-x`, pandoc-crossref by `@fig:x`: neither is a key.
_CROSS_REFERENCE = re.compile(
    r"(?:fig|tbl|lst|sec|eq|thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg|tip|nte|wrn|imp|cau|vid|apx|dia)-|"
    r"(?:fig|tbl|tab|sec|eq|lst)s?:",
    re.IGNORECASE,
)
# What a document labels itself, `{#box-x}` or `#| label: box-x`, its filters refer to by whatever prefixes they know.
_LABEL = re.compile(r"(?:\{[ \t]*+#|^[ \t]*+#\|[ \t]*+label[ \t]*+:[ \t]*+)(?P<label>[^\W\d_][\w:.-]*+)", re.MULTILINE)
# `@key [p. 3]`: brackets behind a key are its locator, unless they are a link, a note or a citation.
_LOCATOR = re.compile(r"[ \t]?\n?[ \t]*\[(?P<inner>[^\[\]@^][^\[\]@]{0,400}|)\](?![(\[])")
_SIGNS = [re.compile(it) for it in (r"\[", r"\]", "@")]
_BLANK = re.compile(r"\n[ \t\r]*\n")
_EXAMPLE = re.compile(r"^ {0,3}\(@(?P<label>[\w-]+)\)[ \t]", re.MULTILINE)
_ITEM = re.compile(r"[ \t\r]|[ ]{0,3}\(@|\Z")
# A blank line after the hyphens makes them a rule, but for readers of their own as long as a key follows.
_FRONT = re.compile(
    r"---[ \t\r]*\n(?!(?:[ \t\r]*\n)+(?![\w\"'-]+[ \t]*:|[ \t\r]*\n))"
    r"(?P<body>(?:.*\n)*?)(?:---|\.\.\.)[ \t\r]*(?:\n|\Z)"
)
_LATER_FRONT = re.compile(r"\n[ \t\r]*\n(?=---[ \t\r]*\n(?:#[^\n]*\n)*[A-Za-z_][\w.-]*[ \t]*:)")
_FIRST_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*)")
_HEADING = re.compile(rf"\n{_FIRST_HEADING.pattern}")
_RULE = re.compile(r"\n(?P<rule>=+|-{2,})[ \t\r]*(?=\n|\Z)")
_NO_TITLE = (" ", "\t", ">", "#", "|", "`", "~", "=", "-", ":::", "<")
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*\{[^{}]*\}$")
_INCLUDE = re.compile(r"\{\{<[ \t]*include[ \t]+[\"']?(?P<file>[^\s\"'>]+)[\"']?[ \t]*>\}\}")
_CHILD = re.compile(r"\bchild\s*+=\s*+(?P<files>c?\(?(?:\s*+(?:,\s*+)?[\"'][^\"'\n]+[\"'])+)")
_QUOTED = re.compile(r"[\"'](?P<file>[^\"'\n]+)[\"']")


@dataclass(slots=True)
class _CitationGroup:
    """Brackets in one paragraph; `span` ends after the closing one, or with the paragraph if that is missing."""

    span: Span
    closed: bool = False


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    """Everything that is written in a Markdown document; `old` are the entries it had before."""
    text = document.text
    metadata_spans = metadata_blocks(text)
    metadata = [yaml_metadata.read(text, span) for span in effort.iterate(metadata_spans)]
    not_prose = list(myst.code(text))
    for span, block in zip(metadata_spans, metadata, strict=True):
        # An abstract among the metadata is prose to pandoc, and may cite.
        not_prose += cut_holes(span, _prose(block))
    hidden, infos = find(text, sorted(not_prose))
    tex, verbatim = raw(text, hidden, infos)

    gathering = cites.Gathering()
    _read_keys(text, (hidden, tex, verbatim), gathering)
    _read_roles(text, (hidden, tex, verbatim), infos, gathering)
    for block in metadata:
        if block.nocite:
            _read_nocite(text, block.nocite, gathering)
    _read_tex(text, cite_commands, (hidden, verbatim), tex, gathering)
    identifier_citations.read_links(text, hidden, gathering)
    notebook_cites.read(document, (hidden, verbatim), gathering)
    citations = tuple(sorted(gathering.citations, key=lambda it: it.span.start))

    names_bibliography = any(block.names_bibliography for block in metadata)
    lists = [csl.in_yaml(text, block.references) for block in metadata if block.references]
    items = [*chain.from_iterable(lists), *identifier_citations.entries(citations)]
    if not names_bibliography:
        items += [item for item in printed_references.in_markdown(text) if not hidden.covers(item.start)]
    headings = _headings(text, hidden)
    links = [link for block in metadata for link in block.links]
    titles = [block.title for block in metadata] + [heading.title for heading in headings if heading.level == 1]
    return Syntax(
        citations=citations,
        placeholders=tuple(sorted(gathering.placeholders, key=lambda it: it.span.start)),
        arguments=tuple(sorted(gathering.arguments, key=lambda it: it.span.start)),
        links=(*links, *_includes(text, infos), *myst.links(infos)),
        headings=headings,
        suppressions=tuple(suppressions.in_html(text)),
        entries=collected(sorted(items, key=lambda it: it.start), old),
        title=next(filter(None, titles), ""),
        date=next((block.date for block in metadata if block.date), ""),
        csl=next((block.csl for block in metadata if block.csl), ""),
        lang=next((block.lang for block in metadata if block.lang), ""),
        is_root=names_bibliography,
        labels=frozenset(match["label"] for match in effort.iterate(_LABEL.finditer(text))),
        cites_all=gathering.cites_all or myst.lists_all(text, infos, hidden),
        opaque=gathering.opaque,
        ground=Ground(text, tuple(hidden.spans), (), ()),
    )


def _prose(metadata: yaml_metadata.Metadata) -> list[Span]:
    return [metadata.abstract] if metadata.abstract else []


def metadata_blocks(text: str) -> list[Span]:
    """The YAML blocks without their `---` lines: at the beginning, and later ones behind a blank line."""
    blocks = []
    start = 1 if text.startswith("\ufeff") else 0
    front = _FRONT.match(text, start)
    if front:
        blocks.append(Span(*front.span("body")))
    if "\n---" in text:
        for blank in effort.iterate(_LATER_FRONT.finditer(text, blocks[0].end if blocks else 0)):
            if (not blocks or blank.end() > blocks[-1].end) and (later := _FRONT.match(text, blank.end())):
                blocks.append(Span(*later.span("body")))
    return blocks


def _read_keys(text: str, hidden: tuple[Hidden, ...], gathering: cites.Gathering) -> None:
    groups = _groups(text)
    skip_to = 0
    code = dict[int, Placed]()
    lines = LineStarts(text)
    for match in effort.iterate(_AT.finditer(text)):
        offset = match.start()
        if offset < skip_to or any(it.covers(offset) for it in hidden):
            continue
        if is_prose(text, lines.before(offset), offset, code):
            skip_to = _read_at(text, match, groups.get(offset), gathering)
    # `@label` refers to an example wherever the list stands, even below, so this is decided at the end.
    labels = examples(text)
    if labels:
        gathering.citations = [it for it in gathering.citations if not (it.narrative and it.key in labels)]


def _read_roles(
    text: str, hidden: tuple[Hidden, ...], infos: list[tuple[str, int]], gathering: cites.Gathering
) -> None:
    myst.read_roles(text, hidden, gathering)
    for block in (hidden[0].span_around(offset) for info, offset in infos if info.strip() == "{eval-rst}"):
        if block:
            myst.read_rest(text, block, gathering)


def examples(text: str) -> frozenset[str]:
    """The labels of a numbered list of examples, `(@label) …`, by which the text refers to them."""
    if "(@" not in text:
        return frozenset()
    return frozenset(it["label"] for it in _EXAMPLE.finditer(text) if _ITEM.match(_line_before(text, it.start())))


def _line_before(text: str, offset: int) -> str:
    """The line above the one that starts at `offset`."""
    return text[text.rfind("\n", 0, max(offset - 1, 0)) + 1 : max(offset - 1, 0)]


def _read_at(text: str, match: re.Match[str], group: _CitationGroup | None, gathering: cites.Gathering) -> int:
    """Read one `@` in the brackets around it, if any; return the offset after what it owns."""
    kind = match.lastgroup or ""
    if kind in ("words", "hint"):
        return _read_placeholder(text, match, group, gathering) if group else match.end()
    if kind not in ("key", "braced"):
        _read_open(text, match, group is not None, gathering)
        return match.end()
    start, end = match.span(kind)
    span = typed = Span(start, end)
    key = match[kind]
    if kind == "key":
        if _CROSS_REFERENCE.match(key):
            return end
        # To pandoc a mark at its end is no part of a key, but while `@doe:` is typed completion has to replace it too.
        if text[end : end + 1] in _TRAILING_MARKS and (trailing := _TRAILING.match(text, end)):
            typed = Span(start, trailing.end())
    gathering.arguments.append(KeyArgument(typed, "@", "@"))
    if not key.strip():
        return match.end()
    grouped = group is not None and group.closed
    gathering.citations.append(
        Citation(key, span, "@", group.span) if grouped and group else _narrative(text, match, key, span)
    )
    return match.end()


def _narrative(text: str, match: re.Match[str], key: str, span: Span) -> Citation:
    start = match.start()
    # `-@key` leaves the authors' names out; behind a letter the hyphen is that of a word.
    suppressed = start > 0 and text[start - 1] == "-" and not text[max(start - 2, 0)].isalnum()
    return Citation(key, span, "@", _narrative_whole(text, start - suppressed, match.end()), not suppressed)


def _narrative_whole(text: str, start: int, end: int) -> Span:
    locator = _LOCATOR.match(text, end)
    return Span(start, locator.end() if locator else end)


def _groups(text: str) -> dict[int, _CitationGroup]:
    """The innermost brackets around each `@`, except inline notes (`^[…]`) and footnote marks (`[^…]`)."""
    around: dict[int, _CitationGroup] = {}
    if "@" not in text:
        return around
    groups: dict[int, _CitationGroup] = {}  # that are still open, by their opening
    innermost = [-1]  # of what is open at each depth, the opening; that of a note is the one around it
    blank_lines = (match.start() for match in _BLANK.finditer(text))
    paragraph_end = next(blank_lines, len(text))
    # Plain searches are quicker than one pattern; of millions of brackets only those around an `@` are kept.
    places = ((match.start() for match in pattern.finditer(text)) for pattern in _SIGNS)
    for offset in effort.iterate(merge(*places)):
        while paragraph_end < offset:
            del innermost[1:]
            groups.clear()
            paragraph_end = next(blank_lines, len(text))
        before = text[offset - 1] if offset else ""
        if text[offset] == "@":
            start = innermost[-1]
            if start >= 0:
                around[offset] = groups.setdefault(start, _CitationGroup(Span(start, paragraph_end)))
        elif before == "\\":
            continue
        elif text[offset] == "[":
            is_note = before == "^" or text.startswith("^", offset + 1)
            innermost.append(innermost[-1] if is_note else offset)
        elif len(innermost) > 1:
            start = innermost.pop()
            closed = groups.pop(start, None) if start != innermost[-1] else None
            if closed:
                closed.span = Span(start, offset + 1)
                closed.closed = True
    return around


def _read_placeholder(text: str, match: re.Match[str], group: _CitationGroup, gathering: cites.Gathering) -> int:
    """Read `@<words>`, `@?words` or what is typed of them up to where the group ends; return the end."""
    sign = match.start()
    if match["words"] is not None:
        words = Span(*match.span("words"))
        end = match.end()
        opener = "<"
        is_closed = True
    else:
        opener = "<" if match["hint"] == "<" else "@"
        pattern = _OPEN_WORDS if opener == "<" else _hint(text, match.end(), group.span.end)
        typed = pattern.match(text, match.end(), group.span.end)
        end = typed.end() if typed else match.end()
        words = Span(match.end(), end)
        is_closed = match["hint"] == "?" and group.closed
    whole = Span(group.span.start, group.span.end if group.closed else end)
    hint = " ".join(words.within(text).split())
    gathering.placeholders.append(Placeholder(hint, Span(sign, end), "@", whole, is_closed, before="@"))
    argument = words if opener == "<" else Span(sign + 1, end)
    gathering.arguments.append(KeyArgument(argument, "@", opener))  # type: ignore[arg-type]  # "<" or "@"
    return end


def _hint(text: str, start: int, end: int) -> re.Pattern[str]:
    """The pattern of a hint: words go on over lines only if they end with their item or group."""
    following = _HINT_END.search(text, start, end)
    return _HINT_ON_LINES if following and following[0] in "];" else _HINT


def _read_open(text: str, match: re.Match[str], inside: bool, gathering: cites.Gathering) -> None:
    """Note a key not yet begun: `[@`, `@{`, or a bare `@` at the end of a word."""
    following = text[match.end() : match.end() + 1]
    if match["open"] == "{":
        typed = _OPEN_BRACE.match(text, match.end())
        gathering.arguments.append(KeyArgument(Span(match.end(), typed.end() if typed else match.end()), "@", "@"))
    elif inside or not following or following.isspace() or following in "];":
        gathering.arguments.append(KeyArgument(Span(match.end(), match.end()), "@", "@"))


def _read_nocite(text: str, block: Span, gathering: cites.Gathering) -> None:
    for match in effort.iterate(_AT.finditer(text, block.start, block.end)):
        if match["all"]:
            gathering.cites_all = True
        elif key := match["key"] or match["braced"]:
            span = Span(*match.span("key" if match["key"] else "braced"))
            gathering.citations.append(Citation(key, span, "nocite", Span(match.start(), match.end())))
            gathering.arguments.append(KeyArgument(span, "nocite", "@"))


def _read_tex(
    text: str, cite_commands: tuple[str, ...], hidden: tuple[Hidden, ...], raw_tex: Hidden, gathering: cites.Gathering
) -> None:
    """Gather what LaTeX's cite commands cite, and those that the author defines: `cite_commands`.

    They count in prose, as pandoc takes them for LaTeX, and in `raw_tex`, even where this lies in `hidden`, as code
    blocks of LaTeX do; but not in the rest of `hidden`, which is code and comments.
    """
    # Most texts have none: this is quicker than the pattern.
    if "\\" not in text or ("cite" not in text.lower() and not cite_commands):
        return
    for match in effort.iterate(cite_pattern(cite_commands).finditer(text)):
        offset = match.start()
        if text[max(offset - 1, 0) : offset] == "\\":
            continue  # of `\\cite`, which is a line break and a word
        is_hidden = any(it.covers(offset) for it in hidden)
        if raw_tex.covers(offset) or not is_hidden:
            cites.read(text, offset, match.end(), match["name"], gathering)


def _headings(text: str, hidden: Hidden) -> tuple[Heading, ...]:
    """Headings behind `#`, and those that a line of `=` or `-` underlines, in the order of the text."""
    first = _FIRST_HEADING.match(text)
    others = _HEADING.finditer(text) if "\n" in text else iter(())
    headings: list[Heading] = []
    for match in effort.iterate(chain([first] if first else [], others)):
        title = _unmarked(match["title"])
        start = match.start("marks")
        if title and not hidden.covers(start):
            headings.append(Heading(_heading_title(title), len(match["marks"]), Span(start, match.end())))
    if "\n==" in text or "\n--" in text:
        underlined = (_underlined(text, rule, hidden) for rule in effort.iterate(_RULE.finditer(text)))
        headings += filter(None, underlined)
        headings.sort(key=lambda heading: heading.span.start)
    return tuple(headings)


def _underlined(text: str, rule: re.Match[str], hidden: Hidden) -> Heading | None:
    """The heading that a line of `=` or `-` makes of the single line above it."""
    start = text.rfind("\n", 0, rule.start()) + 1
    title = text[start : rule.start()].strip()
    if not title or _line_before(text, start).strip() or text.startswith(_NO_TITLE, start) or hidden.covers(start):
        return None
    return Heading(_heading_title(title), 1 if rule["rule"][0] == "=" else 2, Span(start, rule.end()))


def _unmarked(title: str) -> str:
    """What is written of a heading without the marks that may stand at its end."""
    title = title.rstrip(" \t\r")
    opened = title.rstrip("#")
    return opened.rstrip(" \t") if opened.endswith((" ", "\t")) else title


def _heading_title(written: str) -> str:
    return _ATTRIBUTES.sub("", written) if written.endswith("}") else written


def _includes(text: str, infos: list[tuple[str, int]]) -> list[Link]:
    """The parts that Quarto's `{{< include x.qmd >}}` and knitr's `child = "x.Rmd"` name."""
    links = []
    if "{{<" in text:
        links += [Link("part", it["file"], Span(*it.span("file"))) for it in _INCLUDE.finditer(text)]
    for info, offset in infos:
        for child in _CHILD.finditer(info):
            for child_file in _QUOTED.finditer(info, *child.span("files")):
                links.append(Link("part", child_file["file"], Span(*child_file.span("file")).moved(offset)))
    return links
