"""Markdown manuscripts as pandoc, Quarto, R Markdown and bookdown read them."""

import re
from dataclasses import dataclass
from heapq import merge
from itertools import chain
from typing import Literal

from citelsp.base import effort
from citelsp.base.text import Document, LineStarts, Span
from citelsp.syntax import suppressions
from citelsp.syntax.formats import csl, printed_references
from citelsp.syntax.formats.items import collect
from citelsp.syntax.languages.latex import cite_arguments
from citelsp.syntax.languages.latex.cite_commands import cite_pattern
from citelsp.syntax.languages.latex.grammar import is_escaped
from citelsp.syntax.languages.markdown import identifier_citations, myst, notebook_cites, yaml_metadata
from citelsp.syntax.languages.markdown.at_sign_context import NOT_IN_WORD, is_prose
from citelsp.syntax.languages.markdown.hidden import Hidden, InfoString, cut_holes, find_hidden, find_raw_tex
from citelsp.syntax.languages.markdown.indented_code import LinePlace
from citelsp.syntax.nodes import Citation, Entries, Ground, Heading, KeyArgument, Link, Placeholder, Syntax

# Everything that an `@` can begin: a key, one in braces, `<words>`, half a hint, nocite's `*`, or a key not yet typed.
_AT = re.compile(
    rf"{NOT_IN_WORD}(?:"
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
_TRAILING = re.compile(r"[:/#+~&\-]*")  # several of these
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
_GROUP_SIGNS = [re.compile(it) for it in (r"\[", r"\]", "@")]
_BLANK = re.compile(r"\n[ \t\r]*\n")
# `(@label) An example.`
_EXAMPLE = re.compile(r"^ {0,3}\(@(?P<label>[\w-]+)\)[ \t]", re.MULTILINE)
_BEFORE_EXAMPLE = re.compile(r"[ \t\r]|[ ]{0,3}\(@|\Z")  # a line behind which an example may begin: blank, or one too
# A blank line after the hyphens makes them a rule, but for readers of their own as long as a key follows.
_FRONT = re.compile(
    r"---[ \t\r]*\n(?!(?:[ \t\r]*\n)+(?![\w\"'-]+[ \t]*:|[ \t\r]*\n))"
    r"(?P<body>(?:.*\n)*?)(?:---|\.\.\.)[ \t\r]*(?:\n|\Z)"
)
# A blank line before `---` and the first key of a block of YAML.
_LATER_FRONT = re.compile(r"\n[ \t\r]*\n(?=---[ \t\r]*\n(?:#[^\n]*\n)*[A-Za-z_][\w.-]*[ \t]*:)")
_FIRST_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*)")
_HEADING = re.compile(rf"\n{_FIRST_HEADING.pattern}")
# A line of `===` or `---`.
_RULE = re.compile(r"\n(?P<rule>=+|-{2,})[ \t\r]*(?=\n|\Z)")
# Beginnings of a line of which a line of `=` or `-` below makes no heading.
_NO_TITLE = (" ", "\t", ">", "#", "|", "`", "~", "=", "-", ":::", "<")
# ` {#sec-methods}` at the end of a heading.
_HEADING_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*\{[^{}]*\}$")
# `{{< include chapter.qmd >}}`
_INCLUDE = re.compile(r"\{\{<[ \t]*include[ \t]+[\"']?(?P<file>[^\s\"'>]+)[\"']?[ \t]*>\}\}")
# `child = c("a.Rmd", "b.Rmd")` among the options of a chunk.
_CHILD = re.compile(r"\bchild\s*+=\s*+(?P<files>c?\(?(?:\s*+(?:,\s*+)?[\"'][^\"'\n]+[\"'])+)")
_QUOTED = re.compile(r"[\"'](?P<file>[^\"'\n]+)[\"']")
_COMMENT_OF_TEX = re.compile(r"(?<!\\)(?:\\\\)*%")
_LONGEST_LINE = 2000  # characters that are looked back for a comment


@dataclass(slots=True)
class _CitationGroup:
    """Brackets in one paragraph; `span` ends after the closing one, or with the paragraph if that is missing."""

    span: Span
    closed: bool = False  # the closing bracket is there


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    """Read everything that is written in a Markdown document.

    `cite_commands` are the author's own LaTeX commands that cite; `old` are the entries that the document had before
    the last edit: those that are unchanged stay the same objects.  A text that takes too long raises TooLongError
    (`effort.limit`).
    """
    text = document.text
    metadata_spans = metadata_blocks(text)
    metadata = [yaml_metadata.read(text, span) for span in effort.iterate(metadata_spans)]
    hidden, infos = find_hidden(text, _list_known_hidden(text, metadata_spans, metadata))
    # What pandoc hands on to LaTeX, and of this the verbatim environments.
    tex, verbatim = find_raw_tex(text, hidden, infos)

    gathering = cite_arguments.Gathering()
    _read_keys(text, (hidden, tex, verbatim), gathering)
    myst.read_roles(text, (hidden, tex, verbatim), gathering)
    _read_rest_blocks(text, hidden, infos, gathering)
    for block in metadata:
        if block.nocite:
            _read_nocite(text, block.nocite, gathering)
    _read_tex(text, cite_commands, (hidden, verbatim), tex, gathering)
    identifier_citations.read_links(text, hidden, gathering)
    notebook_cites.read(document, (hidden, verbatim), gathering)
    citations = tuple(sorted(gathering.citations, key=lambda it: it.span.start))

    names_bibliography = any(block.names_bibliography for block in metadata)
    lists = [csl.read_yaml(text, block.references) for block in metadata if block.references]
    items = [*chain.from_iterable(lists), *identifier_citations.entries(citations)]
    # A reference list in the text is a bibliography only if there is no other: it may be the rendered one.
    if not names_bibliography:
        items += [item for item in printed_references.in_markdown(text) if not hidden.covers(item.start)]
    headings = _headings(text, hidden)
    links = [link for block in metadata for link in block.links]
    last_first = metadata[::-1]  # of several blocks that say the same pandoc takes the last
    styles = yaml_metadata.find_styles(metadata)
    titles = [block.title for block in last_first] + [heading.title for heading in headings if heading.level == 1]
    return Syntax(
        citations=citations,
        placeholders=tuple(sorted(gathering.placeholders, key=lambda it: it.span.start)),
        arguments=tuple(sorted(gathering.arguments, key=lambda it: it.span.start)),
        links=(*links, *_includes(text, infos), *myst.links(infos)),
        headings=headings,
        suppressions=tuple(suppressions.in_html(text)),
        entries=collect(sorted(items, key=lambda it: it.start), old),
        title=next(filter(None, titles), ""),
        date=next((block.date for block in last_first if block.date), ""),
        csl=styles.csl,
        citation_style=styles.citation_style,
        lang=next((block.lang for block in last_first if block.lang), ""),
        is_root=names_bibliography,
        # `#| label: x` stands in code, so that `hidden` does not count.
        labels=frozenset(match["label"] for match in effort.iterate(_LABEL.finditer(text))),
        cites_all=gathering.cites_all or myst.lists_all(text, infos, hidden),
        opaque=gathering.opaque,
        ground=Ground(text, tuple(hidden.spans), own=(), verbatim=()),
    )


def _list_known_hidden(text: str, blocks: list[Span], metadata: list[yaml_metadata.Metadata]) -> list[Span]:
    """Return the spans, in order, that are known to hold no prose before the text is looked through.

    They are code that colons fence, and the YAML `blocks`, each with what was read of it in `metadata`.
    """
    spans = list(myst.code(text))
    for block, read in zip(blocks, metadata, strict=True):
        # An abstract or a longer note among the metadata is prose to pandoc, and may cite.
        spans += cut_holes(block, list(read.prose))
    return sorted(spans)


def metadata_blocks(text: str) -> list[Span]:
    """Find the YAML blocks, without their `---` lines: at the beginning, and later ones behind a blank line."""
    blocks: list[Span] = []
    start = 1 if text.startswith("\ufeff") else 0
    front = _FRONT.match(text, start)
    if front:
        blocks.append(Span(*front.span("body")))
    if "\n---" not in text:
        return blocks
    for blank_line in effort.iterate(_LATER_FRONT.finditer(text, blocks[0].end if blocks else 0)):
        # The `---` may be that at the end of the block before, which opens no other.
        is_inside = blocks and blank_line.end() <= blocks[-1].end
        later = None if is_inside else _FRONT.match(text, blank_line.end())
        if later:
            blocks.append(Span(*later.span("body")))
    return blocks


def _read_keys(text: str, hidden: tuple[Hidden, ...], gathering: cite_arguments.Gathering) -> None:
    """Add to `gathering` the citations and placeholders that at signs begin.

    Passed over are those in `hidden`, and those that are part of something else, such as an address.
    """
    groups = _brackets_around(text)
    skip_to = 0  # at signs before this offset belong to a citation that was read
    code = dict[int, LinePlace]()  # what is found out of lines, by where they start
    lines = LineStarts(text)
    for match in effort.iterate(_AT.finditer(text)):
        offset = match.start()
        if offset < skip_to or any(part.covers(offset) for part in hidden):
            continue
        if is_prose(text, lines.before(offset), offset, code):
            skip_to = _read_at(text, match, groups.get(offset), gathering)
    # `@label` refers to an example, `(@label)`, wherever that stands, even below: so this is decided at the end.
    labels = examples(text)
    if labels:
        # To pandoc `[@label]` cites all the same; brackets are then the whole of the citation.
        gathering.citations = [
            citation
            for citation in gathering.citations
            if citation.key not in labels or text.startswith("[", citation.whole.start)
        ]


def _read_rest_blocks(text: str, code: Hidden, infos: list[InfoString], gathering: cite_arguments.Gathering) -> None:
    """Gather what roles of reStructuredText cite in MyST's `{eval-rst}` blocks, which to Markdown are code."""
    for info in infos:
        block = code.span_around(info.offset) if info.text.strip() == "{eval-rst}" else None
        if block:
            myst.read_rest(text, block, gathering)


def examples(text: str) -> frozenset[str]:
    """Return the labels of examples in numbered lists, `(@label) …`, by which the text refers to them."""
    if "(@" not in text:
        return frozenset()
    labels: set[str] = set()
    for example in _EXAMPLE.finditer(text):
        if _BEFORE_EXAMPLE.match(_line_before(text, example.start())):
            labels.add(example["label"])
    return frozenset(labels)


def _line_before(text: str, offset: int) -> str:
    """Return the line above the one that starts at `offset`; "" above the first."""
    return text[text.rfind("\n", 0, max(offset - 1, 0)) + 1 : max(offset - 1, 0)]


def _read_at(text: str, match: re.Match[str], group: _CitationGroup | None, gathering: cite_arguments.Gathering) -> int:
    """Gather the citation or placeholder that one `@` begins; return the offset behind it, from which to read on.

    `group` are the brackets around the `@`; None if it stands in none.  What follows it is a key (`@doe`), one in
    braces (`@{doe}`), the `<words>` or `?words` of a placeholder, or nothing yet; `@*` counts only in `nocite`.
    `gathering.arguments` are the places where keys are typed, at which completion offers some.
    """
    kind = match.lastgroup or ""
    if kind in ("words", "hint"):
        # Only in brackets: `@<` and `@?` in prose are no placeholders.
        return _read_placeholder(text, match, group, gathering) if group else match.end()
    if kind not in ("key", "braced"):
        _note_open_key(text, match, group is not None, gathering)
        return match.end()
    key = match[kind]
    span = typed = Span(*match.span(kind))  # `typed` is what completion replaces
    if kind == "key":
        if _CROSS_REFERENCE.match(key):  # `@fig-x` refers to a figure: nothing is gathered
            return span.end
        # To pandoc a mark at its end is no part of a key, but while `@doe:` is typed completion has to replace it too.
        if text[span.end : span.end + 1] in _TRAILING_MARKS:
            trailing = _TRAILING.match(text, span.end)
            typed = Span(span.start, trailing.end() if trailing else span.end)
    gathering.arguments.append(KeyArgument(typed, "@", "@"))
    if not key.strip():  # `@{}`
        return match.end()
    if group is not None and group.closed:  # brackets that nothing closes are text, and the key in them stands in prose
        citation = Citation(key, span, "@", group.span)
    else:
        citation = _narrative(text, match, key, span)
    gathering.citations.append(citation)
    return match.end()


def _narrative(text: str, match: re.Match[str], key: str, span: Span) -> Citation:
    """Make the citation of a key outside of brackets.

    It is narrative, with the authors' names in the sentence, unless a hyphen leaves them out: `-@key`.
    """
    start = match.start()
    # Behind a letter the hyphen is that of a word.
    names_left_out = start > 0 and text[start - 1] == "-" and not text[max(start - 2, 0)].isalnum()
    if names_left_out:
        start -= len("-")
    locator = _LOCATOR.match(text, match.end())
    whole = Span(start, locator.end() if locator else match.end())
    return Citation(key, span, "@", whole, narrative=not names_left_out)


def _brackets_around(text: str) -> dict[int, _CitationGroup]:
    """Map the offset of each `@` in brackets to the innermost brackets around it.

    An inline note (`^[…]`) or a footnote mark (`[^…]`) does not count as brackets.  Brackets end with their paragraph.
    """
    around: dict[int, _CitationGroup] = {}
    if "@" not in text:
        return around
    groups: dict[int, _CitationGroup] = {}  # that are still open and hold an `@`, by their opening bracket
    # For each bracket that is open, the outermost first, where the group opens to which an `@` in it belongs: there, or
    # if it is a note's, where the brackets around it open.  The -1 before them stands for none.
    openings = [-1]
    blank_lines = (match.start() for match in _BLANK.finditer(text))
    paragraph_end = next(blank_lines, len(text))
    # Plain searches are quicker than one pattern; of millions of brackets only those around an `@` are kept.
    places = ((match.start() for match in pattern.finditer(text)) for pattern in _GROUP_SIGNS)
    for offset in effort.iterate(merge(*places)):
        while paragraph_end < offset:
            del openings[1:]
            groups.clear()
            paragraph_end = next(blank_lines, len(text))
        before = text[offset - 1] if offset else ""
        if text[offset] == "@":
            opening = openings[-1]
            if opening >= 0:
                around[offset] = groups.setdefault(opening, _CitationGroup(Span(opening, paragraph_end)))
        elif before == "\\" and is_escaped(text, offset):
            continue
        elif text[offset] == "[":
            is_note = before == "^" or text.startswith("^", offset + 1)
            openings.append(openings[-1] if is_note else offset)
        elif len(openings) > 1:
            opening = openings.pop()
            is_note = opening == openings[-1]
            group = None if is_note else groups.pop(opening, None)
            if group:
                group.span = Span(opening, offset + 1)
                group.closed = True
    return around


def _read_placeholder(
    text: str, match: re.Match[str], group: _CitationGroup, gathering: cite_arguments.Gathering
) -> int:
    """Gather the placeholder `@<words>` or `@?words`; return the offset at which it ends.

    One that is still being typed reaches to the end of the brackets around it, `group`, at most.  Where its words are
    typed, completion offers works (`gathering.arguments`).
    """
    at_sign = match.start()
    opener: Literal["<", "@"]
    if match["words"] is not None:
        words = Span(*match.span("words"))
        end = match.end()
        opener = "<"
        is_closed = True
    else:
        opener = "<" if match["hint"] == "<" else "@"  # of `@<words` without `>`, or of `@?words`
        pattern = _OPEN_WORDS if opener == "<" else _hint(text, match.end(), group.span.end)
        typed = pattern.match(text, match.end(), group.span.end)
        end = typed.end() if typed else match.end()
        words = Span(match.end(), end)
        # `@?words` end with their group; `@<words` are open until `>` is typed.
        is_closed = opener == "@" and group.closed
    whole = Span(group.span.start, group.span.end if group.closed else end)
    hint = " ".join(words.within(text).split())
    gathering.placeholders.append(Placeholder(hint, Span(at_sign, end), "@", whole, is_closed, before="@"))
    argument = words if opener == "<" else Span(at_sign + len("@"), end)  # of `@?words` with its question mark
    gathering.arguments.append(KeyArgument(argument, "@", opener))
    return end


def _hint(text: str, start: int, end: int) -> re.Pattern[str]:
    """Return the pattern of the words of `@?words`: they go on over lines only if `;` or `]` ends them."""
    following = _HINT_END.search(text, start, end)
    ends_properly = following is not None and following[0] in "];"
    return _HINT_ON_LINES if ends_properly else _HINT


def _note_open_key(text: str, match: re.Match[str], inside: bool, gathering: cite_arguments.Gathering) -> None:
    """Note for completion that a key may be typed here: behind `@{`, an `@` in brackets, or a bare `@` in prose.

    A bare one is followed by a space, `]`, `;` or nothing; behind others nothing is noted.  `inside` is True if the `@`
    stands in brackets.
    """
    start = match.end()
    following = text[start : start + 1]
    if match["open"] == "{":
        typed = _OPEN_BRACE.match(text, start)
        gathering.arguments.append(KeyArgument(Span(start, typed.end() if typed else start), "@", "@"))
    elif inside or not following or following.isspace() or following in "];":
        gathering.arguments.append(KeyArgument(Span(start, start), "@", "@"))


def _read_nocite(text: str, block: Span, gathering: cite_arguments.Gathering) -> None:
    """Gather the keys that the metadata's `nocite: '@a, @b'` names; `@*` cites all entries."""
    for match in effort.iterate(_AT.finditer(text, *block)):
        if match["all"]:
            gathering.cites_all = True
            continue
        group = "key" if match["key"] else "braced"
        key = match[group]
        if key:  # None for what is none, such as `@<words>`: there are no placeholders in metadata
            span = Span(*match.span(group))
            gathering.citations.append(Citation(key, span, "nocite", Span(*match.span())))
            gathering.arguments.append(KeyArgument(span, "nocite", "@"))


def _read_tex(
    text: str,
    cite_commands: tuple[str, ...],
    hidden: tuple[Hidden, ...],
    raw_tex: Hidden,
    gathering: cite_arguments.Gathering,
) -> None:
    r"""Gather what LaTeX's cite commands cite, `\citep{doe}`, and the author's own: `cite_commands`.

    They count in prose, as pandoc takes them for LaTeX, and in `raw_tex`, even if that is hidden as well, as blocks of
    code in LaTeX are; but not in the rest of `hidden`, which is code and comments.
    """
    # Most texts have no such command: this look is quicker than the pattern.
    if "\\" not in text or ("cite" not in text.lower() and not cite_commands):
        return
    for match in effort.iterate(cite_pattern(cite_commands).finditer(text)):
        offset = match.start()
        if is_escaped(text, offset):  # `\\cite`, a backslash and a word
            continue
        is_hidden = any(it.covers(offset) for it in hidden)
        # Only in what LaTeX alone reads `%` begins a comment; in Markdown it is a percent sign.
        is_read = not _is_commented(text, offset) if raw_tex.covers(offset) else not is_hidden
        if is_read:
            cite_arguments.read(text, offset, match.end(), match["name"], gathering)


def _is_commented(text: str, offset: int) -> bool:
    """True if a comment of LaTeX begins before the offset, on its line."""
    nearest = max(offset - _LONGEST_LINE, 0)
    line_start = max(text.rfind("\n", nearest, offset) + 1, nearest)
    return _COMMENT_OF_TEX.search(text, line_start, offset) is not None


def _headings(text: str, hidden: Hidden) -> tuple[Heading, ...]:
    """Find the headings behind `#`, and those that a line of `=` or `-` underlines, in the order of the text."""
    first = _FIRST_HEADING.match(text)  # on the first line, before which no line break stands
    others = _HEADING.finditer(text) if "\n" in text else iter(())
    headings: list[Heading] = []
    for match in effort.iterate(chain([first] if first else [], others)):
        title = _unmarked(match["title"])
        start = match.start("marks")
        if title and not hidden.covers(start):  # number signs alone, which a title may follow, are no heading yet
            headings.append(Heading(_heading_title(title), len(match["marks"]), Span(start, match.end())))
    if "\n==" in text or "\n--" in text:
        underlined = (_underlined_heading(text, rule, hidden) for rule in effort.iterate(_RULE.finditer(text)))
        headings += filter(None, underlined)
        headings.sort(key=lambda heading: heading.span.start)
    return tuple(headings)


def _underlined_heading(text: str, rule: re.Match[str], hidden: Hidden) -> Heading | None:
    """Return the heading that a line of `=` or `-`, `rule`, makes of the single line above it; None if it makes none.

    A paragraph of several lines is no heading to pandoc, nor is a list, a quotation, a table or what is `hidden`.
    """
    start = text.rfind("\n", 0, rule.start()) + 1
    title = text[start : rule.start()].strip()
    is_single_line = not _line_before(text, start).strip()
    if not title or not is_single_line or text.startswith(_NO_TITLE, start) or hidden.covers(start):
        return None
    level = 1 if rule["rule"].startswith("=") else 2
    return Heading(_heading_title(title), level, Span(start, rule.end()))


def _unmarked(title: str) -> str:
    """Return a heading without the number signs that may close it, `# Title #`; behind a letter they belong to it."""
    title = title.rstrip(" \t\r")
    without_signs = title.rstrip("#")
    return without_signs.rstrip(" \t") if without_signs.endswith((" ", "\t")) else title


def _heading_title(written: str) -> str:
    """Return a heading without the attributes behind it: `Methods {#sec-methods}`."""
    return _HEADING_ATTRIBUTES.sub("", written) if written.endswith("}") else written


def _includes(text: str, infos: list[InfoString]) -> list[Link]:
    """Return links to the parts that Quarto's `{{< include x.qmd >}}` and knitr's `child = "x.Rmd"` name.

    knitr's stands in an info string, as an option of a chunk.  Quarto replaces its own everywhere, in code, too.
    """
    links: list[Link] = []
    if "{{<" in text:
        links += [Link("part", match["file"], Span(*match.span("file"))) for match in _INCLUDE.finditer(text)]
    for info in infos:
        for child in _CHILD.finditer(info.text):
            for file in _QUOTED.finditer(info.text, *child.span("files")):
                links.append(Link("part", file["file"], Span(*file.span("file")).moved(info.offset)))
    return links
