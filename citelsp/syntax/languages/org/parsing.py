"""Org manuscripts: citations of Org 9.5 (`[cite/t:see @a p. 3; @b]`), of org-ref (`cite:a,b`), and of LaTeX."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax import suppressions
from citelsp.syntax.formats import printed_references
from citelsp.syntax.formats.items import collected
from citelsp.syntax.languages.latex import cites
from citelsp.syntax.languages.latex.cite_commands import cite_pattern
from citelsp.syntax.languages.markdown.hidden import Hidden
from citelsp.syntax.nodes import Citation, Entries, Ground, Heading, KeyArgument, Link, Placeholder, Sign, Syntax

_LINE = re.compile(
    r"^(?:[ \t]*(?:"
    r"\#\+begin_(?P<block>src|example|export|comment|latex|html|ascii|beamer)(?=\s)"
    r"|\#\+(?P<keyword>\w+)(?:\[[^\]\n]*\])?:[ \t]*(?P<value>[^\n]*)"
    r"|(?P<remark>\#|:)(?=[ \t\r\n]|\Z)[^\n]*"
    r"|:(?P<drawer>properties|logbook):[ \t\r]*$)"
    r"|(?P<stars>\*+)[ \t]+(?P<heading>[^\n]*))",
    re.MULTILINE | re.IGNORECASE,
)
_END = re.compile(r"^[ \t]*(?:\#\+end_(?P<block>\w+)|:(?P<drawer>end):)", re.MULTILINE | re.IGNORECASE)
_EXPORT = re.compile(r"[ \t]*\#\+begin_export[ \t]+latex\b", re.IGNORECASE)
_COMMENT = re.compile(r"(?:[A-Z]+[ \t]+)?COMMENT(?=\s|\Z)")
_TAGS = re.compile(r":(?P<tags>[\w@#%:]+):[ \t\r]*\Z")
# Patterns begin with a sign or a word and look back from there: a search for that is several times as quick.
_OPENS_CODE = re.compile(r"[=~](?:(?<=[-\s('\"{][=~])|(?<=^[=~]))(?=\S)", re.MULTILINE)
_CLOSES_CODE = re.compile(r"[=~](?<=\S[=~])(?=[-\s.,:;!?'\")}\[\\]|\Z)")
_LONGEST_CODE = 800  # characters
_REF = r"(?<![\w\\/.:-]cite)(?P<ref>p\*?|t\*?|author|year|):"
_CITE = re.compile(
    rf"cite(?:(?<=\[cite)(?P<style>/[\w-]+)?(?:/[\w-]+)?:(?=[^\[\]\n@]*+(?:\n[^\[\]\n@]*+)?(?:@|\[))|{_REF})"
)
_LONGEST = 4000  # characters of a citation that is still being typed
_LONGEST_TAGS = 500
_MOST = 5000  # of one line that names files
_BRACKET = re.compile(r"[\[\]]|\n[ \t\r]*\n")
_ITEM = re.compile(r"(?:[^@;\[\]]|\[[^\[\]]*\])*(?:(?P<at>@)(?P<rest>(?:[^;\[\]]|\[[^\[\]]*\])*))?(?:;|\Z)")
_KEY = re.compile(r"[\w.:?!`'/*@+|(){}<>&^$#%~-]+")
_HINT = re.compile(r"\?[^;]*|<[^<>;]*>?")
_REF_KEYS = re.compile(r"[\w:./+-]*\w(?:,[\w:./+-]*\w)*|&[\w:./+-]*\w(?:;&[\w:./+-]*\w)*")
_IN_LINK = re.compile(r"[^\[\]\n]{0,2000}(?=\])")  # with words around the keys
_REF_KEY = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_MARKED_KEY = re.compile(r"&(?P<key>[\w:./+-]*\w)")
_REF_BIBLIOGRAPHY = re.compile(
    r":(?:(?<=(?<![\w\\/.+-])bibliography:)|(?<=(?<![\w\\/.+-])addbibresource:))(?P<files>[^\s\[\]<>]+)"
)
_FILE = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_TEX_BIBLIOGRAPHY = re.compile(r"\\(?:bibliography|addbibresource)(?:\[[^\[\]\n]*\])?\{(?P<files>[^{}\n]*)\}")
_STEM_AND_STYLE = re.compile(r"(?P<plain>(?:[^\s\"/]*/)*[^\s\"./]+)[ \t]+(?!.*\.(?:bib|json|ya?ml)(?:\s|$))\S")
_QUOTED = re.compile(r"\"(?P<quoted>[^\"\n]+)\"|(?P<plain>[^\s\"]\S*(?:[ \t]+[^\s:]\S*)*)")
_INCLUDED = re.compile(r"\"(?P<quoted>[^\"\n:]+)[^\"\n]*\"[ \t\r]*(?:\Z|:|\d)|(?P<plain>[^\s\"]+)[ \t\r]*\Z")
_NARRATIVE = frozenset({"/t", "/text", "/a", "/author"})
_BRACKETED = frozenset({"citep", "citep*"})
_STYLE = re.compile(r"(?:\\bibliographystyle[ \t]*+\{|\bbibliographystyle:)[^\s{}]")
_PARTED = re.compile(r"\n[ \t\r]*\n|\n[ \t]*(?:\*+[ \t]|#|\|)")  # no code reaches beyond


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    """Everything that is written in an Org document."""
    text = document.text
    outline = _Outline(text)
    hidden = Hidden(_merged([*outline.hidden, *_code(text, Hidden(_merged(outline.hidden)))]))
    found = cites.Gathering()
    _read(text, hidden, found)
    _read_tex(text, cite_commands, hidden, found)
    for_tex = (*_of_org_ref(text, hidden), *_of_tex(text, hidden, outline.tex))
    links = (*outline.links, *for_tex)
    has_own = any(it.kind == "bibliography" for it in links)
    listed = [] if has_own else [it for it in printed_references.in_org(text) if not hidden.covers(it.start)]
    return Syntax(
        citations=tuple(sorted(found.citations, key=lambda it: it.span.start)),
        placeholders=tuple(sorted(found.placeholders, key=lambda it: it.span.start)),
        arguments=tuple(sorted(found.arguments, key=lambda it: it.span.start)),
        links=links,
        headings=tuple(outline.headings),
        suppressions=tuple(suppressions.in_org(text)),
        title=" ".join(filter(None, outline.titles))
        or next((it.title for it in outline.headings if it.level == 1), ""),
        date=outline.date,
        entries=collected(listed, old),
        is_root=has_own,
        cites_all=found.cites_all,
        opaque=found.opaque,
        signs=frozenset(_signs(text, hidden) if for_tex else ()),
        ground=Ground(text, tuple(hidden.spans), (), ()),
    )


def _signs(text: str, hidden: Hidden) -> Iterator[Sign]:
    """What tells the reader of a bibliography that is named as LaTeX names it: BibTeX, if a style of its is named."""
    yield "bibliography"
    if "biblatex" not in text and any(not hidden.covers(it.start()) for it in _STYLE.finditer(text)):
        yield "style"


class _Outline:
    """What the lines of a document say: keywords, headings, what is no prose."""

    def __init__(self, text: str) -> None:
        self.hidden: list[Span] = []
        self.tex: list[Span] = []  # what only LaTeX reads, its preamble too
        self.links: list[Link] = []
        self.headings: list[Heading] = []
        self.titles: list[str] = []
        self.date = ""
        self._since = 0  # where the last heading stands
        self._ends: dict[str, list[int]] = {}  # of blocks and, under "", of drawers
        for ended in _END.finditer(text):
            self._ends.setdefault((ended["block"] or "").lower(), []).append(ended.end())
        end, unseen = 0, 0  # of what is hidden; the level of the heading whose text is not exported
        for line in effort.iterate(_LINE.finditer(text)):
            if line.start() < end:
                continue
            if line["block"]:
                end = self._hide(line.start(), self._end_of(line["block"].lower(), line.end()))
                if line["block"].lower() == "latex" or _EXPORT.match(text, line.start()):
                    self.tex.append(Span(line.start(), end))
            elif line["drawer"]:
                end = self._hide(line.start(), self._end_of("", line.end()))
            elif line["remark"]:
                end = self._hide(line.start(), line.end())
            elif line["keyword"]:
                end = self._keyword(line)
            else:
                unseen = self._heading(line, unseen)
        if unseen:
            self._hide(self._since, len(text))

    def _hide(self, start: int, end: int) -> int:
        if end > start:
            self.hidden.append(Span(start, end))
        return end

    def _end_of(self, name: str, start: int) -> int:
        """The end of the block of this name that begins before `start`; 0 if nothing ends it."""
        ends = self._ends.get(name, [])
        index = bisect_right(ends, start)
        return ends[index] if index < len(ends) else 0

    def _keyword(self, line: re.Match[str]) -> int:
        """Read `#+keyword: value`; return where to read on: titles and captions are prose, the rest is hidden."""
        name = line["keyword"].lower()
        value = line["value"][:_MOST].rstrip()
        offset = line.start("value")
        if name == "title":
            self.titles.append(value.strip())
        elif name == "date":
            self.date = self.date or value
        elif name == "bibliography":
            file = _STEM_AND_STYLE.match(value) or _QUOTED.match(value)
            if file:
                self._link("bibliography", file, offset)
        elif name in ("include", "setupfile"):
            file = _INCLUDED.match(value)
            if file:
                self._link("part", file, offset)
        if name in ("title", "caption", "subtitle"):
            return 0
        if name in ("latex", "latex_header", "latex_header_extra"):
            self.tex.append(Span(offset, line.end()))
        return self._hide(line.start(), line.end())

    def _link(self, kind: str, file: re.Match[str], offset: int) -> None:
        group = "quoted" if file.groupdict().get("quoted") else "plain"
        self.links.append(Link(kind, file[group], Span(*file.span(group)).moved(offset)))  # type: ignore[arg-type]

    def _heading(self, line: re.Match[str], unseen: int) -> int:
        level = len(line["stars"])
        written = line["heading"]
        if unseen and level > unseen:
            return unseen
        if unseen:
            self._hide(self._since, line.start())
        self.headings.append(Heading(written.strip(), level, Span(line.start("stars"), line.end())))
        self._since = line.start()
        tags = _TAGS.search(written, max(0, len(written) - _LONGEST_TAGS))
        unexported = tags is not None and "noexport" in tags["tags"].split(":")
        return level if unexported or _COMMENT.match(written) else 0


def _merged(spans: list[Span]) -> list[Span]:
    """The spans in order and apart."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start < found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def _code(text: str, hidden: Hidden) -> Iterator[Span]:
    """What stands as `=code=` or `~code~`."""
    if "=" not in text and "~" not in text:
        return
    closers: dict[str, list[int]] = {"=": [], "~": []}
    for match in _CLOSES_CODE.finditer(text):
        closers[match[0]].append(match.start())
    end = 0
    for match in effort.iterate(_OPENS_CODE.finditer(text)):
        offset = match.start()
        ends = closers[match[0]]
        index = bisect_right(ends, offset + 1)
        if offset < end or index == len(ends) or ends[index] - offset > _LONGEST_CODE or hidden.covers(offset):
            continue
        if not _PARTED.search(text, offset, ends[index]):
            end = ends[index] + 1
            yield Span(offset, end)


def _read(text: str, hidden: Hidden, gathering: cites.Gathering) -> None:
    end = 0
    closing = _closing(text) if "[cite" in text else {}
    for match in effort.iterate(_CITE.finditer(text)):
        bracketed = match["ref"] is None
        offset = match.start() - bracketed
        if offset >= end and not hidden.covers(offset):
            end = (
                _read_cite(text, match, closing.get(offset, -1), gathering)
                if bracketed
                else _read_ref(text, match, gathering)
            )


def _read_cite(text: str, match: re.Match[str], end: int, gathering: cites.Gathering) -> int:
    """Read `[cite:…]`, whose bracket closes at `end`, if ever; its end."""
    name = f"cite{match['style'] or ''}"
    start = match.end()
    whole = Span(match.start() - 1, end + 1 if end >= 0 else _line_end(text, start))
    offset = start
    limit = end if end >= 0 else whole.end
    while item := _ITEM.match(text, offset, limit):
        if item["at"]:
            _read_item(text, Span(*item.span("rest")), name, whole, end >= 0, gathering)
        if item.end() in (offset, limit):
            break
        offset = item.end()
    return whole.end


def _read_item(text: str, rest: Span, name: str, whole: Span, closed: bool, gathering: cites.Gathering) -> None:
    """Read what stands behind an `@` in a citation: `<words>` or `?words` of a placeholder, a key, or nothing yet."""
    hint = _HINT.match(text, rest.start, rest.end)
    if hint:
        written = hint[0]
        is_in_angles = written.startswith("<")
        span = Span(rest.start - 1, rest.start + len(written.rstrip()))
        is_finished = closed and (written.startswith("?") or written.endswith(">"))
        words = " ".join(written.strip("<>?").split())
        gathering.placeholders.append(Placeholder(words, span, name, whole, is_finished, before="@"))
        if is_in_angles:
            inner = Span(rest.start + 1, span.end - written.endswith(">"))
            gathering.arguments.append(KeyArgument(inner, name, "<"))
        else:
            gathering.arguments.append(KeyArgument(Span(rest.start, span.end), name, "@"))
        return
    key = _KEY.match(text, rest.start, rest.end)
    span = Span(*key.span()) if key else Span(rest.start, rest.start)
    gathering.arguments.append(KeyArgument(span, name, "@"))
    if not key:
        return
    if key[0] == "*":
        gathering.cites_all = True
    elif closed:
        is_narrative = name.removeprefix("cite") in _NARRATIVE
        gathering.citations.append(Citation(key[0], span, name, whole, is_narrative))


def _read_ref(text: str, match: re.Match[str], gathering: cites.Gathering) -> int:
    """Read org-ref's `cite:a,b`, `cite:&a;&b` or `[[cite:see &a p. 3;&b]]`; its end."""
    linked = text.startswith("[[", max(0, match.start() - 2))
    keys = (_IN_LINK if linked else _REF_KEYS).match(text, match.end())
    if keys is None:
        return match.end()
    whole = Span(match.start(), keys.end())
    name = f"cite{match['ref']}"
    marked = [it.span("key") for it in _MARKED_KEY.finditer(text, *keys.span())]
    for span in map(Span._make, marked or (it.span() for it in _REF_KEY.finditer(text, *keys.span()))):
        gathering.arguments.append(KeyArgument(span, name, ","))
        gathering.citations.append(Citation(span.within(text), span, name, whole, name not in _BRACKETED))
    return keys.end()


def _closing(text: str) -> dict[int, int]:
    """Where the brackets of each paragraph open and close."""
    found: dict[int, int] = {}
    unclosed: list[int] = []
    for match in effort.iterate(_BRACKET.finditer(text)):
        if match[0] == "[":
            unclosed.append(match.start())
        elif match[0] != "]":
            unclosed.clear()
        elif unclosed:
            found[unclosed.pop()] = match.start()
    return found


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start, start + _LONGEST)
    return end if end >= 0 else min(len(text), start + _LONGEST)


def _read_tex(text: str, cite_commands: tuple[str, ...], hidden: Hidden, gathering: cites.Gathering) -> None:
    """Read LaTeX cite commands between the prose."""
    if "\\" not in text or ("cite" not in text.lower() and not cite_commands):
        return
    for match in effort.iterate(cite_pattern(cite_commands).finditer(text)):
        offset = match.start()
        if text[max(offset - 1, 0) : offset] != "\\" and not hidden.covers(offset):
            cites.read(text, offset, match.end(), match["name"], gathering)


def _of_org_ref(text: str, hidden: Hidden) -> Iterator[Link]:
    """The bibliographies that org-ref's links name."""
    for match in _REF_BIBLIOGRAPHY.finditer(text) if "bib" in text else ():
        if not hidden.covers(match.start()):
            for file in _FILE.finditer(match["files"]):
                yield Link("bibliography", file[0], Span(*file.span()).moved(match.start("files")))


def _of_tex(text: str, hidden: Hidden, tex: list[Span]) -> Iterator[Link]:
    """The bibliographies that LaTeX's own commands name: between the prose, and in what only LaTeX reads."""
    only_tex = Hidden(tex)
    for match in _TEX_BIBLIOGRAPHY.finditer(text) if "\\" in text and "bib" in text else ():
        offset = match.start()
        if (only_tex.covers(offset) or not hidden.covers(offset)) and "%" not in text[
            text.rfind("\n", 0, offset) + 1 : offset
        ]:
            for file in _FILE.finditer(match["files"]):
                yield Link("bibliography", file[0], Span(*file.span()).moved(match.start("files")))
