"""Org manuscripts: citations of Org 9.5 (`[cite/t:see @a p. 3; @b]`), of org-ref (`cite:a,b`), and of LaTeX."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax import suppressions
from citelsp.syntax.formats import printed_references
from citelsp.syntax.formats.items import collect
from citelsp.syntax.languages.latex import cite_arguments
from citelsp.syntax.languages.latex.cite_commands import CITES, cite_pattern
from citelsp.syntax.languages.latex.grammar import Comments
from citelsp.syntax.languages.markdown.hidden import Hidden
from citelsp.syntax.nodes import Citation, Entries, Ground, Heading, KeyArgument, Link, Placeholder, Sign, Syntax

# A line that is not simply prose: of a block, a keyword, a comment or result, a drawer, a heading.
_LINE = re.compile(
    r"^(?:[ \t]*(?:"
    r"\#\+begin_(?P<block>src|example|export|comment|latex|html|ascii|beamer)(?=\s)"
    r"|\#\+(?P<keyword>\w+)(?:\[[^\]\n]*\])?:[ \t]*(?P<value>[^\n]*)"
    r"|(?P<remark>\#|:)(?=[ \t\r\n]|\Z)[^\n]*"
    r"|:(?P<drawer>properties|logbook):[ \t\r]*$)"
    r"|(?P<stars>\*+)[ \t]+(?P<heading>[^\n]*))",
    re.MULTILINE | re.IGNORECASE,
)
# `#+end_src` or `:end:`
_END = re.compile(r"^[ \t]*(?:\#\+end_(?P<block>\w+)|:(?P<drawer>end):)", re.MULTILINE | re.IGNORECASE)
_EXPORT = re.compile(r"[ \t]*\#\+begin_export[ \t]+latex\b", re.IGNORECASE)
# `@@comment: words@@` in a line.
_COMMENTED = re.compile(r"@@comment:(?:(?!@@)[^\n])*@@")
# `TODO COMMENT` at the beginning of a heading: it is not exported.
_COMMENT = re.compile(r"(?:[A-Z]+[ \t]+)?COMMENT(?=\s|\Z)")
# `:noexport:draft:` at the end of a heading.
_TAGS = re.compile(r":(?P<tags>[\w@#%:]+):[ \t\r]*\Z")
# Patterns begin with a sign or a word and look back from there: a search for that is several times as quick.
_OPENS_CODE = re.compile(r"[=~](?:(?<=[-\s('\"{][=~])|(?<=^[=~]))(?=\S)", re.MULTILINE)
_CLOSES_CODE = re.compile(r"[=~](?<=\S[=~])(?=[-\s.,:;!?'\")}\[\\]|\Z)")
_LONGEST_CODE = 800  # characters
# `cite` as Org writes it, in brackets, with or before an `@`; and in the name of one of org-ref's links, `parencite:`.
_CITE = re.compile(
    r"[Cc]ite(?:(?<=\[cite)(?P<style>/[\w-]+)?(?:/[\w-]+)?:(?=[^\[\]\n@]*+(?:\n[^\[\]\n@]*+)?(?:@|\[))"
    r"|(?P<ref>[a-zA-Z]{0,20}\*?):)"
)
# What may stand before `cite` in such a name, up to which nothing of another word does.
_REF_BEGINNING = re.compile(r"(?<![\w\\/.:-])[a-zA-Z]{0,20}\Z")
_LONGEST_REF = 40  # characters of the name of a link
_LONGEST_TYPED = 4000  # characters of a citation that is still being typed
_LONGEST_TAGS = 500  # characters
_LONGEST_VALUE = 5000  # characters of a line that names files
_BRACKET = re.compile(r"[\[\]]|\n[ \t\r]*\n")
# A citation's piece up to the semicolon: words, and behind an `@` the key with more words.
_ITEM = re.compile(r"(?:[^@;\[\]]|\[[^\[\]]*\])*(?:(?P<at>@)(?P<behind>(?:[^;\[\]]|\[[^\[\]]*\])*))?(?:;|\Z)")
_KEY = re.compile(r"[\w.:?!`'/*@+|(){}<>&^$#%~-]+")
_HINT = re.compile(r"\?[^;]*|<[^<>;]*>?")
# `a,b` or `&a;&b` behind `cite:`.
_REF_KEYS = re.compile(r"[\w:./+-]*\w(?:,[\w:./+-]*\w)*|&[\w:./+-]*\w(?:;&[\w:./+-]*\w)*")
_IN_LINK = re.compile(r"[^\[\]\n]{0,2000}(?=\])")  # with words around the keys
_LINK_END = re.compile(r"\](?:\[[^\[\]]{0,2000}\])?\]")
_REF_KEY = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_MARKED_KEY = re.compile(r"&(?P<key>[\w:./+-]*\w)")
# `bibliography:refs.bib` of org-ref.
_REF_BIBLIOGRAPHY = re.compile(
    r":(?:(?<=(?<![\w\\/.+-])bibliography:)|(?<=(?<![\w\\/.+-])addbibresource:))(?P<files>[^\s\[\]<>]+)"
)
_FILE = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_TEX_BIBLIOGRAPHY = re.compile(r"\\(?:bibliography|addbibresource)(?:\[[^\[\]\n]*\])?\{(?P<files>[^{}\n]*)\}")
# `#+bibliography: refs plain`, as an older Org wrote it, and not several files.
_STEM_AND_STYLE = re.compile(r"(?P<plain>(?:[^\s\"/]*/)*[^\s\"./]+)[ \t]+(?!.*\.(?:bib|json|ya?ml)(?:\s|$))\S")
# A name in quotes, or words up to an option, ` :style plain`.
_FILE_NAME = re.compile(r"\"(?P<quoted>[^\"\n]+)\"|(?P<plain>[^\s\"]\S*(?:[ \t]+[^\s:]\S*)*)")
# `"chapter.org::*Heading"` or `chapter.org`, behind `#+include:`.
_INCLUDED = re.compile(r"\"(?P<quoted>[^\"\n:]+)[^\"\n]*\"[ \t\r]*(?:\Z|:|\d)|(?P<plain>[^\s\"]+)[ \t\r]*\Z")
_NARRATIVE = frozenset({"/t", "/text", "/a", "/author"})
_NARRATIVE_REFS = frozenset({"cite", "citeyear"})  # beside the commands that are narrative in LaTeX
_STYLE = re.compile(r"(?:\\bibliographystyle[ \t]*+\{|\bbibliographystyle:)[^\s{}]")
_PARTED = re.compile(r"\n[ \t\r]*\n|\n[ \t]*(?:\*+[ \t]|#|\|)")  # no code reaches beyond


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    """Read everything that is written in an Org document.

    `cite_commands` are the author's own LaTeX commands that cite; `old` are the entries that the document had before
    the last edit: those that are unchanged stay the same objects.  A text that takes too long raises TooLongError
    (`effort.limit`).
    """
    text = document.text
    outline = _Outline(text)
    code = _find_code(text, Hidden(_merged(outline.hidden)))
    # What is no prose, so that no citation counts there.  Keywords, exports for LaTeX with their citations and files,
    # and comments that silence findings are part of it, and are read nevertheless.
    commented = [Span(*match.span()) for match in _COMMENTED.finditer(text)]
    hidden = Hidden(_merged([*outline.hidden, *code, *commented]))
    gathering = cite_arguments.Gathering()
    _read_citations(text, hidden, gathering)
    _read_tex(text, cite_commands, hidden, outline, gathering)
    as_in_latex = (*_bibliographies_of_org_ref(text, hidden), *_bibliographies_of_tex(text, hidden, outline.tex))
    links = (*outline.links, *as_in_latex)
    names_bibliography = any(link.kind == "bibliography" for link in links)
    # A reference list in the text is a bibliography only if there is no other: it may be the rendered one.
    references = [] if names_bibliography else printed_references.in_org(text)
    visible_references = [reference for reference in references if not hidden.covers(reference.start)]
    title = " ".join(filter(None, outline.titles))  # Org reads several `#+title:` as one
    first_heading = next((heading.title for heading in outline.headings if heading.level == 1), "")
    return Syntax(
        citations=tuple(sorted(gathering.citations, key=lambda it: it.span.start)),
        placeholders=tuple(sorted(gathering.placeholders, key=lambda it: it.span.start)),
        arguments=tuple(sorted(gathering.arguments, key=lambda it: it.span.start)),
        links=links,
        headings=tuple(outline.headings),
        suppressions=tuple(suppressions.in_org(text)),
        title=title or first_heading,
        date=outline.date,
        entries=collect(visible_references, old),
        is_root=names_bibliography,
        cites_all=gathering.cites_all,
        opaque=gathering.opaque,
        signs=frozenset(_signs(text, hidden) if as_in_latex else ()),
        ground=Ground(text, tuple(hidden.spans), own=(), verbatim=()),
    )


def _signs(text: str, hidden: Hidden) -> Iterator[Sign]:
    """Yield the signs of which program reads a bibliography that is named as LaTeX names it.

    "style" says that it is BibTeX: a style is named, and biblatex is not.
    """
    yield "bibliography"
    if "biblatex" in text:
        return
    if any(not hidden.covers(style.start()) for style in _STYLE.finditer(text)):
        yield "style"


class _Outline:
    """What the lines of a document say: keywords, headings, what is no prose."""

    def __init__(self, text: str) -> None:
        """Read `text` line by line; what a line hides (a block, a drawer) is passed over up to its end."""
        self.hidden: list[Span] = []
        self.tex: list[Span] = []  # what only LaTeX reads, its preamble too
        self.unexported: list[Span] = []  # headings that are not exported, each with all that it holds
        self.links: list[Link] = []
        self.headings: list[Heading] = []
        self.titles: list[str] = []
        self.date = ""
        self._last_heading = 0  # the offset of its line
        self._ends: dict[str, list[int]] = {}  # where blocks end, by their names, and under "" where drawers do
        for end in _END.finditer(text):
            self._ends.setdefault((end["block"] or "").lower(), []).append(end.end())
        hidden_to = 0  # lines before this offset are hidden
        unexported = 0  # the level of the heading, if any, that is not exported with all below it
        for line in effort.iterate(_LINE.finditer(text)):
            if line.start() < hidden_to:
                continue
            if line["block"]:
                block = line["block"].lower()
                hidden_to = self._hide(line.start(), self._end_of(block, line.end()))
                is_for_tex = block == "latex" or _EXPORT.match(text, line.start())
                if is_for_tex and hidden_to:  # one without an end is prose
                    self.tex.append(Span(line.start(), hidden_to))
            elif line["drawer"]:
                hidden_to = self._hide(line.start(), self._end_of("", line.end()))
            elif line["remark"]:
                hidden_to = self._hide(line.start(), line.end())
            elif line["keyword"]:
                hidden_to = self._read_keyword(line)
            else:
                unexported = self._read_heading(line, unexported)
        if unexported:  # the last heading is not exported, and goes on to the text's end
            self._leave_out_heading(len(text))

    def _leave_out_heading(self, end: int) -> None:
        """Hide the last heading with all that it holds, up to `end`."""
        self.unexported.append(Span(self._last_heading, end))
        self._hide(self._last_heading, end)

    def _hide(self, start: int, end: int) -> int:
        """Hide a part of the text, if there is an end to it; return the end."""
        if end > start:
            self.hidden.append(Span(start, end))
        return end

    def _end_of(self, name: str, start: int) -> int:
        """Return the end of the block of this name that begins before `start`; 0 if nothing ends it."""
        ends = self._ends.get(name, [])
        index = bisect_right(ends, start)
        return ends[index] if index < len(ends) else 0

    def _read_keyword(self, line: re.Match[str]) -> int:
        """Read `#+keyword: value`, and hide it unless it is prose, as a title or a caption is.

        Return the end of what is hidden; 0 if nothing is.
        """
        name = line["keyword"].lower()
        value = line["value"][:_LONGEST_VALUE].rstrip()
        value_start = line.start("value")
        if name == "title":
            self.titles.append(value.strip())
        elif name == "date":
            self.date = self.date or value
        elif name == "bibliography":
            self._add_link("bibliography", _STEM_AND_STYLE.match(value) or _FILE_NAME.match(value), value_start)
        elif name in ("include", "setupfile"):
            self._add_link("part", _INCLUDED.match(value), value_start)
        if name in ("title", "caption", "subtitle"):
            return 0
        if name in ("latex", "latex_header", "latex_header_extra"):
            self.tex.append(Span(value_start, line.end()))
        return self._hide(line.start(), line.end())

    def _add_link(self, kind: str, file: re.Match[str] | None, value_start: int) -> None:
        """Note a file that a keyword names, if it names one; `file` is a match in its value."""
        if file is None:
            return
        group = "quoted" if file.groupdict().get("quoted") else "plain"
        span = Span(*file.span(group)).moved(value_start)
        self.links.append(Link(kind, file[group], span))  # type: ignore[arg-type]  # one of Link's kinds

    def _read_heading(self, line: re.Match[str], unexported: int) -> int:
        """Note a heading; if it ends what stands under one that is not exported, hide that.

        Headings under such a one are not noted.  `unexported` is the level of the heading above that is not exported,
        with all below it; 0 if there is none.  Returned is the same for the lines that follow.
        """
        level = len(line["stars"])
        title = line["heading"]
        if unexported and level > unexported:  # it stands below the heading that is not exported
            return unexported
        if unexported:  # here ends what that heading holds
            self._leave_out_heading(line.start())
        self.headings.append(Heading(title.strip(), level, Span(line.start("stars"), line.end())))
        self._last_heading = line.start()
        tags = _TAGS.search(title, max(0, len(title) - _LONGEST_TAGS))
        has_noexport_tag = tags is not None and "noexport" in tags["tags"].split(":")
        is_exported = not has_noexport_tag and not _COMMENT.match(title)
        return 0 if is_exported else level


def _merged(spans: list[Span]) -> list[Span]:
    """Return the spans in order and apart: those that overlap become one."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _find_code(text: str, hidden: Hidden) -> Iterator[Span]:
    """Find `=code=` and `~code~`, each in one paragraph and not too long, but for what begins in `hidden`."""
    if "=" not in text and "~" not in text:
        return
    closers: dict[str, list[int]] = {"=": [], "~": []}
    for match in _CLOSES_CODE.finditer(text):
        closers[match[0]].append(match.start())
    code_end = 0
    for match in effort.iterate(_OPENS_CODE.finditer(text)):
        offset = match.start()
        offsets = closers[match[0]]
        index = bisect_right(offsets, offset + 1)  # of the first behind at least one character of code
        if offset < code_end or index == len(offsets):
            continue
        closer = offsets[index]
        if closer - offset > _LONGEST_CODE or hidden.covers(offset):
            continue
        if not _PARTED.search(text, offset, closer):  # the paragraph does not end in between
            code_end = closer + 1
            yield Span(offset, code_end)


def _read_citations(text: str, hidden: Hidden, gathering: cite_arguments.Gathering) -> None:
    """Gather the citations of Org, `[cite:@a]`, and of org-ref, `cite:a`, but for those in `hidden`."""
    read_to = 0
    closing = _closing_brackets(text) if "[cite" in text else {}
    for match in effort.iterate(_CITE.finditer(text)):
        in_brackets = match["ref"] is None
        name_start = match.start() if in_brackets else _start_of_ref(text, match)
        if name_start is None:
            continue
        offset = name_start - len("[") if in_brackets else name_start
        if offset < read_to or hidden.covers(offset):  # it stands within a citation that was read, or is no prose
            continue
        if in_brackets:
            read_to = _read_cite(text, match, closing.get(offset), gathering)
        else:
            read_to = _read_ref(text, Span(name_start, match.end() - len(":")), gathering)


def _start_of_ref(text: str, match: re.Match[str]) -> int | None:
    """Return where the name of org-ref's link begins in which `cite` matched; None if it is none.

    These links have the names of LaTeX's commands: `parencite:a` is exported as a command of that name.
    """
    beginning = _REF_BEGINNING.search(text, max(0, match.start() - _LONGEST_REF), match.start())
    if beginning is None:
        return None
    name = text[beginning.start() : match.end()].rstrip("*:")
    return beginning.start() if name in CITES else None


def _read_cite(text: str, match: re.Match[str], closing: int | None, gathering: cite_arguments.Gathering) -> int:
    """Gather what `[cite/style:see @a p. 3; @b]` cites, and return the offset at which it ends.

    `match` is its beginning up to the colon.  Its bracket closes at `closing`; if that is None it is still being typed,
    and reaches to the end of its line.
    """
    name = f"cite{match['style'] or ''}"
    closed = closing is not None
    limit = closing if closing is not None else _line_end(text, match.end())
    whole = Span(match.start() - len("["), limit + len("]") if closed else limit)
    offset = match.end()
    while True:
        item = _ITEM.match(text, offset, limit)
        if item is None:  # a bracket stands in it that nothing closes: the rest is left unread
            break
        if item["at"]:
            _read_item(text, Span(*item.span("behind")), name, whole, closed, gathering)
        if item.end() in (offset, limit):  # nothing is left to read, or an empty item, which would be read for ever
            break
        offset = item.end()
    return whole.end


def _read_item(
    text: str, behind: Span, name: str, whole: Span, closed: bool, gathering: cite_arguments.Gathering
) -> None:
    """Gather what stands behind an `@` in a citation: `<words>` or `?words` of a placeholder, a key, or nothing yet.

    `name` is the citation's command (`cite/t`) and `whole` its span; keys are cited only once it is `closed`.
    `gathering.arguments` are the places where keys are typed, at which completion offers some.
    """
    hint = _HINT.match(text, behind.start, behind.end)
    if hint:
        _add_placeholder(hint, name, whole, closed, gathering)
        return
    key = _KEY.match(text, behind.start, behind.end)
    span = Span(*key.span()) if key else Span(behind.start, behind.start)
    gathering.arguments.append(KeyArgument(span, name, "@"))
    if not key or not closed:
        return
    if key[0] == "*":  # as in `[cite/n:@*]`, whatever the style
        gathering.cites_all = True
    else:
        is_narrative = name.removeprefix("cite") in _NARRATIVE
        gathering.citations.append(Citation(key[0], span, name, whole, is_narrative))


def _add_placeholder(
    hint: re.Match[str], name: str, whole: Span, closed: bool, gathering: cite_arguments.Gathering
) -> None:
    """Add to `gathering` the placeholder `@?words` or `@<words>`; `hint` is what stands behind its `@`.

    `name`, `whole` and `closed` are those of the citation around it.  Where the words are typed, completion offers
    works (`gathering.arguments`).
    """
    written = hint[0]
    span = Span(hint.start() - len("@"), hint.start() + len(written.rstrip()))
    words = " ".join(written.strip("<>?").split())
    in_angles = written.startswith("<")
    is_finished = closed and (not in_angles or written.endswith(">"))
    gathering.placeholders.append(Placeholder(words, span, name, whole, is_finished, before="@"))
    if in_angles:
        end = span.end - len(">") if written.endswith(">") else span.end
        gathering.arguments.append(KeyArgument(Span(hint.start() + len("<"), end), name, "<"))
    else:
        gathering.arguments.append(KeyArgument(Span(hint.start(), span.end), name, "@"))


def _read_ref(text: str, name_span: Span, gathering: cite_arguments.Gathering) -> int:
    """Gather org-ref's `cite:a,b`, `cite:&a;&b`, `[[cite:see &a p. 3;&b]]` or `nocite:*`; return where it ends.

    `name_span` is the link's name, up to its colon, and one of those in CITES.  If no key follows, nothing is gathered,
    and it ends behind the colon.
    """
    in_link = text.startswith("[[", max(0, name_span.start - len("[[")))
    keys_start = name_span.end + len(":")
    name = name_span.within(text)
    command = name.rstrip("*")  # as the tables of commands have it
    if command == "nocite" and text.startswith("*", keys_start):
        gathering.cites_all = True
        return keys_start + len("*")
    keys = (_IN_LINK if in_link else _REF_KEYS).match(text, keys_start)
    if keys is None:
        return keys_start
    whole = _find_whole_link(text, name_span.start, keys.end()) if in_link else Span(name_span.start, keys.end())
    is_narrative = command in _NARRATIVE_REFS or CITES[command].narrative
    spans = [Span(*key.span("key")) for key in _MARKED_KEY.finditer(text, *keys.span())]
    if "&" not in keys[0]:  # of org-ref's older way
        spans = [Span(*key.span()) for key in _REF_KEY.finditer(text, *keys.span())]
    for span in spans:
        gathering.arguments.append(KeyArgument(span, name, ","))  # of the first, too, which no sign of its own precedes
        gathering.citations.append(Citation(span.within(text), span, name, whole, is_narrative))
    return keys.end()


def _find_whole_link(text: str, name_start: int, keys_end: int) -> Span:
    """Return what `[[cite:a]]` is as a whole, with the brackets and a description, `[[cite:a][p. 3]]`."""
    behind = _LINK_END.match(text, keys_end)
    return Span(name_start - len("[["), behind.end() if behind else keys_end)


def _closing_brackets(text: str) -> dict[int, int]:
    """Map the offset of each `[` to that of its `]`; absent if no `]` closes it in its paragraph."""
    closing: dict[int, int] = {}
    unclosed: list[int] = []
    for match in effort.iterate(_BRACKET.finditer(text)):
        if match[0] == "[":
            unclosed.append(match.start())
        elif match[0] != "]":  # the paragraph ends
            unclosed.clear()
        elif unclosed:
            closing[unclosed.pop()] = match.start()
    return closing


def _line_end(text: str, start: int) -> int:
    """Return where the line ends, or after _LONGEST_TYPED characters, as no citation being typed is longer."""
    end = text.find("\n", start, start + _LONGEST_TYPED)
    return end if end >= 0 else min(len(text), start + _LONGEST_TYPED)


def _read_tex(
    text: str, cite_commands: tuple[str, ...], hidden: Hidden, outline: _Outline, gathering: cite_arguments.Gathering
) -> None:
    r"""Gather what LaTeX's cite commands cite, `\citep{doe}`, and the author's own: `cite_commands`.

    They count in prose, and in what only LaTeX reads, `#+latex: \nocite{doe}`, unless a heading that is not exported
    holds it; but not in the rest of `hidden`.
    """
    if "\\" not in text or ("cite" not in text.lower() and not cite_commands):
        return
    only_tex = Hidden(outline.tex)
    unexported = Hidden(outline.unexported)
    comments = Comments(text)
    for match in effort.iterate(cite_pattern(cite_commands).finditer(text)):
        offset = match.start()
        if text[max(offset - 1, 0) : offset] == "\\":
            continue
        # Only in what LaTeX alone reads `%` begins a comment; in Org it is a percent sign.
        if only_tex.covers(offset):
            is_read = not unexported.covers(offset) and not comments.cover(offset)
        else:
            is_read = not hidden.covers(offset)
        if is_read:
            cite_arguments.read(text, offset, match.end(), match["name"], gathering)


def _bibliographies_of_org_ref(text: str, hidden: Hidden) -> Iterator[Link]:
    """Yield links to the bibliographies that org-ref's links name, `bibliography:refs.bib`."""
    for match in _REF_BIBLIOGRAPHY.finditer(text) if "bib" in text else ():
        if not hidden.covers(match.start()):
            yield from _links_to_files(match)


def _links_to_files(match: re.Match[str]) -> Iterator[Link]:
    """Yield links to the bibliographies that stand, between commas, in the group `files` of a match."""
    for file in _FILE.finditer(match["files"]):
        yield Link("bibliography", file[0], Span(*file.span()).moved(match.start("files")))


def _bibliographies_of_tex(text: str, hidden: Hidden, tex: list[Span]) -> Iterator[Link]:
    r"""Yield links to the bibliographies that LaTeX's own commands name, `\bibliography{refs}`.

    They count in the prose, and in `tex`, which only LaTeX reads, even where this lies in `hidden`.
    """
    if "\\" not in text or "bib" not in text:
        return
    only_tex = Hidden(tex)
    comments = Comments(text)
    for match in _TEX_BIBLIOGRAPHY.finditer(text):
        offset = match.start()
        # Only in what LaTeX alone reads `%` begins a comment; in Org it is a percent sign.
        is_read = not comments.cover(offset) if only_tex.covers(offset) else not hidden.covers(offset)
        if is_read:
            yield from _links_to_files(match)
