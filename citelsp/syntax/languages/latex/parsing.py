"""LaTeX manuscripts: citations, placeholders, files named, headings, title, \\bibitem.

One pattern finds the commands of interest; each is then read from where it stands.  Comments, verbatim text, what
\\iffalse skips and what follows \\end{document} are passed over.
"""

import re
from dataclasses import dataclass, field
from itertools import islice

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span, begins_line, is_package
from citelsp.syntax import suppressions
from citelsp.syntax.formats.items import BibItem, Placed, ReferenceItem, collected
from citelsp.syntax.languages.latex import (
    abbreviations,
    cites,
    file_links,
    filecontents,
    grammar,
    inline_entries,
    literate,
    processor_signs,
)
from citelsp.syntax.languages.latex.cite_commands import (
    ACRONYMS,
    CITE_ENVIRONMENTS,
    CITES,
    DEFINERS,
    INLINE_VERBATIM,
    SECTIONS,
    TITLES,
    bare,
    cite_pattern,
    is_being_defined,
    names_bibliographies,
    naming_bibliographies,
    pattern,
)
from citelsp.syntax.languages.latex.command_definitions import expanded, own_command
from citelsp.syntax.nodes import Entries, Ground, Heading, Link, Sign, Suppression, Syntax

_ROOT = re.compile(r"^[ \t]*%+[ \t]*!?[ \t]*T[eE]X[ \t]+root[ \t]*=[ \t]*(\S[^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
# \iff is mathematics; \ifthenelse and the tests of etoolbox take their branches as arguments and have no \fi.
_CONDITIONAL = re.compile(
    r"\\(?P<word>if(?!f(?![a-zA-Z@])|thenelse|def(?:empty|void|macro|string)|blank|str|num|bool|toggle|csdef|entrytype)"
    r"[a-zA-Z@]*|else|fi)(?![a-zA-Z@])"
)
_NOTHING_MORE = re.compile(r"[ \t\r]*(?:%|\n|\Z)")
_ENVIRONMENT_NAME = re.compile(r"[a-zA-Z][\w@-]*")
_LONGEST_LABEL = 50_000  # characters: natbib writes all authors of a paper into it
_MOST_CONDITIONALS = 300
_MOST_TITLES = 10  # that may turn out to hold no words; for each the preamble is looked through for macros
_DEEPEST = 20  # of conditionals in each other: where none is ever closed, each would look at as many as there may be
_DELIMITED = re.compile(r"[ \t]*(?P<mark>[^\sa-zA-Z*{])(?:(?!(?P=mark))[^\n]){0,2000}(?P=mark)")


@dataclass(slots=True)
class _Reading(cites.Gathering):
    """What is gathered from one LaTeX document."""

    text: str = ""
    links: list[Link] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    bibitems: list[tuple[int, str]] = field(default_factory=list)
    items: list[Placed] = field(default_factory=list)
    hidden: list[Span] = field(default_factory=list)
    files: list[filecontents.Contents] = field(default_factory=list)
    families: list[str] = field(default_factory=list)
    verbatim: list[str] = field(default_factory=list)
    endless: set[str] = field(default_factory=set)  # environments that no further \end closes
    defined: list[str] = field(default_factory=list)
    naming: frozenset[str] = frozenset()  # own commands that name bibliographies
    signs: set[Sign] = field(default_factory=set)
    acronyms: dict[str, str] = field(default_factory=dict)
    title: str = ""
    titles: int = 0  # that were looked at
    date: str = ""
    root: str = ""
    is_root: bool = False

    def hide(self, start: int, end: int | None) -> None:
        if end is not None:
            self.hidden.append(Span(start, end))


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    """Everything that is written in a LaTeX document; `old` are the entries it had before."""
    text = document.text
    own = cite_commands
    verbatim = tuple[str, ...]()
    reading = _read(document, own, verbatim)
    if reading.families or reading.verbatim or reading.defined:
        defined = dict.fromkeys((*_multibib(reading.families), *reading.defined))
        own = tuple(dict.fromkeys((*cite_commands, *islice(defined, bounds.COMMANDS + 1))))
        verbatim = tuple(sorted(islice(dict.fromkeys(reading.verbatim), bounds.COMMANDS + 1)))
        # What the document defines shows only by reading it, and the one pattern has to know it: hence a second time.
        reading = _read(document, own, verbatim)
    package = is_package(document.path)
    return Syntax(
        citations=tuple(reading.citations),
        placeholders=tuple(reading.placeholders),
        arguments=tuple(reading.arguments),
        links=(*reading.links, *literate.includes(text, document.path)),
        headings=tuple(reading.headings),
        suppressions=_visible(suppressions.in_tex(text), reading.hidden),
        entries=collected(reading.items, old),
        title="" if package else reading.title,
        date="" if package else reading.date,
        is_root=reading.is_root and not package,
        root=reading.root or _magic_root(text),
        cites_all=reading.cites_all,
        opaque=reading.opaque and not package,
        signs=frozenset(reading.signs),
        acronyms=reading.acronyms,
        cite_commands=tuple(islice(dict.fromkeys(reading.defined), bounds.COMMANDS)),
        written=filecontents.written(text, reading.files),
        ground=Ground(text, tuple(reading.hidden), own, verbatim),
    )


def _read(document: Document, cite_commands: tuple[str, ...], verbatim: tuple[str, ...]) -> _Reading:
    text = document.text
    reading = _Reading(text=text)
    chunks = literate.programs(text, document.path)
    own = frozenset(bare(it) for it in cite_commands if not names_bibliographies(it))
    reading.naming = frozenset(bare(it) for it in cite_commands if names_bibliographies(it))
    skip_to, chunk, percent, clear = 0, next(chunks, None), -1, 0  # no comment from its line's beginning to `clear`
    for match in effort.iterate(pattern(cite_commands, verbatim).finditer(text)):
        offset, end = match.span()
        while chunk is not None and chunk.start <= offset:
            skip_to, chunk = max(skip_to, chunk.end), next(chunks, None)
        if offset < skip_to or (text[offset - 1 : offset] == "\\" and grammar.is_escaped(text, offset)):
            continue
        if percent < offset:
            line = max(text.rfind("\n", clear, offset) + 1, clear, skip_to)
            if grammar.is_comment(text, line, offset):
                skip_to = _found(text, "\n", offset)
                continue
            clear = offset
            percent = _found(text, "%", offset)
        name = match["name"]
        if name in CITES:
            cites.read(text, offset, end, name, reading)
        elif name in ACRONYMS:
            abbreviations.read(text, end, name, reading, reading.acronyms)
        elif hides := _read_command(reading, match, name, own):
            skip_to = hides.end
    _finish_bibitem(reading, len(text))
    if "\\DeclareAcronym" in text:  # whose properties are read before the commands in them
        reading.citations.sort(key=lambda it: it.span.start)
        reading.arguments.sort(key=lambda it: it.span.start)
    return reading


def _found(text: str, sign: str, start: int) -> int:
    """The first such sign from `start` on, or the text's end."""
    found = text.find(sign, start)
    return found if found >= 0 else len(text)


def _read_command(reading: _Reading, match: re.Match[str], name: str | None, own: frozenset[str]) -> Span | None:
    """Read a command that is no known cite command; return the text that it hides."""
    hidden = len(reading.hidden)
    command = Span(match.start(), match.end())
    if name is None:
        _environment(reading, match, command)
    elif name in own:
        if not is_being_defined(reading.text, command.start):
            cites.read(reading.text, command.start, command.end, name, reading)
    elif name in SECTIONS:
        _heading(reading, command, SECTIONS[name])
    elif name in INLINE_VERBATIM:
        reading.hide(command.start, _inline_verbatim_end(reading.text, command.end, name))
    elif name in TITLES:
        _title(reading, command)
    elif name in DEFINERS:
        _definition(reading, command, name, own)
    elif name in _READERS:
        _READERS[name](reading, command)
    else:
        _links(reading, command, name)
    return reading.hidden[-1] if len(reading.hidden) > hidden else None


def _environment(reading: _Reading, match: re.Match[str], command: Span) -> None:
    text = reading.text
    close = match["close"]
    env = match["env"]
    if close:
        _finish_bibitem(reading, command.start)
        if close == "document":
            reading.hide(command.end, len(text))
        return
    if env.removesuffix("*") in CITE_ENVIRONMENTS:
        cites.read(text, command.start, command.end, env.removesuffix("*"), reading)
        return
    if env == "document":
        reading.is_root = reading.is_root or not reading.root
        return
    if env == "refsection":
        _links(reading, command, env)
        return
    end = -1 if env in reading.endless else text.find(f"\\end{{{env}}}", command.end)
    # A file that is no .bib may be a part with bibliographies of its own, which nobody reads: keys may come from there.
    if env.startswith("filecontents") and end >= 0:
        written = filecontents.contents(text, command.end, end)
        reading.files += [written] if written else []
        reading.opaque = reading.opaque or written is None
    # The listing is verbatim, but its caption among the options is printed and cites.
    if env == "lstlisting" and (options := grammar.argument(text, command.end, "[")):
        for caption in cite_pattern().finditer(text, *options):
            cites.read(text, caption.start(), caption.end(), caption["name"], reading)
    if end >= 0:
        reading.hide(command.start, end)
    else:
        # Each further \begin of the kind would look for its \end as far as the text goes.
        reading.endless.add(env)


def _inline_verbatim_end(text: str, offset: int, name: str) -> int | None:
    if name in ("lstinline", "mintinline", "mint"):
        offset = grammar.skip_space(text, offset)
        if text.startswith("[", offset):
            offset = grammar.group_end(text, offset) or offset
        if name != "lstinline":
            language = grammar.argument(text, offset)
            offset = language.end + 1 if language else offset
        if text.startswith("{", offset):
            return grammar.group_end(text, offset)
    match = _DELIMITED.match(text, offset + text.startswith("*", offset))
    return match.end() if match else None


def _false_branch(reading: _Reading, command: Span) -> None:
    if reading.text.startswith("0", command.end):  # \if00 holds
        return
    depth = 0
    for match in islice(_CONDITIONAL.finditer(reading.text, command.end), _MOST_CONDITIONALS):
        word = match["word"]
        if word.startswith("if"):
            depth += 1
            if depth > _DEEPEST:
                return
        elif depth == 0:
            reading.hide(command.start, match.end())
            return
        elif word == "fi":
            depth -= 1


def _heading(reading: _Reading, command: Span, level: int) -> None:
    title = file_links.after_options(reading.text, command.end)
    if title and (words := grammar.plain(title.within(reading.text))):
        reading.headings.append(Heading(words, level, Span(command.start, title.end + 1)))


def _title(reading: _Reading, command: Span) -> None:
    title = file_links.after_options(reading.text, command.end)
    if title and not reading.title and reading.titles < _MOST_TITLES and "#" not in title.within(reading.text):
        reading.titles += 1
        reading.title = grammar.plain(expanded(reading.text, title.within(reading.text)))


def _date(reading: _Reading, command: Span) -> None:
    date = grammar.argument(reading.text, command.end)
    if date and not reading.date:
        reading.date = date.within(reading.text).strip()


def _document_class(reading: _Reading, command: Span) -> None:
    offset = grammar.skip_space(reading.text, command.end)
    options = grammar.argument(reading.text, offset, "[")
    name = grammar.argument(reading.text, options.end + 1 if options else offset)
    _links(reading, command, "documentclass")
    if name and name.within(reading.text).strip() == "subfiles":
        reading.root = options.within(reading.text).strip() if options else ""
    else:
        reading.is_root = True


def _magic_root(text: str) -> str:
    match = _ROOT.search(text, 0, 2000)
    return match[1] if match else ""


def _links(reading: _Reading, command: Span, name: str) -> None:
    reading.signs.update(processor_signs.read_signs(reading.text, command, name))
    found = file_links.read_links(reading.text, command, name)
    reading.opaque = reading.opaque or found is None
    reading.links += found or []


def _end_of_input(reading: _Reading, command: Span) -> None:
    text = reading.text
    # Beside other text on its line it may belong to a definition or a condition, and TeX may never come to it.
    if begins_line(text, command.start) and _NOTHING_MORE.match(text, command.end):
        reading.hide(command.start, len(text))


def _short_verbatim(reading: _Reading, _: Span) -> None:
    r"""Note that after `\MakeShortVerb{\|}` any `|\cite{x}|` may be no citation."""
    reading.opaque = True


def _new_cites(reading: _Reading, command: Span) -> None:
    suffixes = grammar.argument(reading.text, command.end)
    if suffixes and suffixes.within(reading.text).strip():
        reading.families += [it.strip() for it in suffixes.within(reading.text).split(",") if it.strip().isalpha()]


def _new_verbatim(reading: _Reading, command: Span) -> None:
    name = file_links.after_options(reading.text, command.end)
    written = name.within(reading.text).strip() if name else ""
    if _ENVIRONMENT_NAME.fullmatch(written):
        minted = reading.text.startswith("newminted", command.start + 1)
        reading.verbatim.append(f"{written}code" if minted else written)


def _multibib(families: list[str]) -> list[str]:
    """The commands that multibib's \\newcites{name} defines."""
    stems = ("cite", "nocite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear")
    commands: list[str] = []
    for family in dict.fromkeys(families):
        commands += [stem + family for stem in stems]
        commands.append(naming_bibliographies(f"bibliography{family}"))
    return commands


def _definition(reading: _Reading, command: Span, definer: str, own: frozenset[str]) -> None:
    """Note a command of the author's own; what stands in its definition is no citation and names no file."""
    found = own_command(reading.text, command.end, definer, own, reading.naming)
    if found:
        reading.hide(command.start, found.end)
        if found.name not in CITES:
            reading.defined.append(found.name)


def _bibitem(reading: _Reading, command: Span) -> None:
    _finish_bibitem(reading, command.start)
    text = reading.text
    offset = grammar.skip_space(text, command.end)
    if text.startswith("[", offset) and (end := grammar.group_end(text, offset, _LONGEST_LABEL)):
        reading.hide(offset, end)  # the label may be made by commands such as \citeauthoryear, which cite nothing there
        offset = end
    key = grammar.argument(text, offset)
    if key is None:
        return
    written = grammar.without_comments(key.within(text))
    # A key that a macro makes: which ones there are shows only as TeX runs.
    if "#" in written or "\\" in written:
        reading.opaque = True
    elif name := written.strip():
        start = key.start + written.index(name)
        reading.bibitems.append((command.start, name))
        reading.items.append(Placed(command.start, _bibitem_of(name, start - command.start)))


def _bibitem_of(key: str, key_start: int, source: str = "") -> ReferenceItem:
    start = source.find("}", key_start + len(key)) + 1
    written = source[start:] if start else ""
    body = written.strip()
    start += written.find(body)
    return ReferenceItem(key, Span(key_start, key_start + len(key)), source, Span(start, start + len(body)), "bibitem")


def _amsrefs(reading: _Reading, command: Span) -> None:
    r"""Read amsrefs' `\bib{key}{type}{…}`."""
    text = reading.text
    key = grammar.argument(text, command.end)
    kind = grammar.argument(text, key.end + 1) if key else None
    body = grammar.argument(text, kind.end + 1) if kind else None
    if not (key and kind and body) or not key.within(text).strip() or "#" in key.within(text):
        return
    name = key.within(text).strip()
    start = key.start + key.within(text).index(name) - command.start
    source = text[command.start : body.end + 1]
    item = BibItem(
        kind.within(text).strip().lower(), name, Span(start, start + len(name)), source, inline_entries.amsrefs_values
    )
    reading.items.append(Placed(command.start, item))


def _finish_bibitem(reading: _Reading, end: int) -> None:
    """Give the last \\bibitem its source, which ends where the next one starts."""
    if not reading.bibitems:
        return
    start, key = reading.bibitems.pop()
    item = _bibitem_of(key, reading.items[-1].item.key_span.start, reading.text[start:end].rstrip())
    reading.items[-1] = Placed(start, item)


def _visible(found: list[Suppression], hidden: list[Span]) -> tuple[Suppression, ...]:
    return tuple(it for it in found if not any(span.start <= it.span.start < span.end for span in hidden))


_READERS = {
    "bib": _amsrefs,
    "bibitem": _bibitem,
    "date": _date,
    "documentclass": _document_class,
    "documentstyle": _document_class,
    "endinput": _end_of_input,
    "if0": _false_branch,
    "iffalse": _false_branch,
    "newcites": _new_cites,
    "lstnewenvironment": _new_verbatim,
    "DefineVerbatimEnvironment": _new_verbatim,
    "newverbatim": _new_verbatim,
    "newtcblisting": _new_verbatim,
    "newminted": _new_verbatim,
    "MakeShortVerb": _short_verbatim,
    "DefineShortVerb": _short_verbatim,
    "lstMakeShortInline": _short_verbatim,
}
