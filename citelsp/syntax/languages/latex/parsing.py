"""LaTeX manuscripts: citations, placeholders, files named, headings, title, \\bibitem.

One pattern finds the commands of interest; each is then read from where it stands.  Comments, verbatim text, what
\\iffalse skips and what follows \\end{document} are passed over.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span, begins_line, is_package
from citelsp.syntax import suppressions
from citelsp.syntax.formats.items import BibItem, Placed, ReferenceItem, collect
from citelsp.syntax.languages.latex import (
    abbreviations,
    cite_arguments,
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
from citelsp.syntax.languages.latex.command_definitions import expand_macros, find_short_macros, own_command
from citelsp.syntax.nodes import Entries, Ground, Heading, Link, Sign, Suppression, Syntax

# `% !TeX root = main.tex`
_ROOT = re.compile(r"^[ \t]*%+[ \t]*!?[ \t]*T[eE]X[ \t]+root[ \t]*=[ \t]*(\S[^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
_ROOT_WITHIN = 2000  # characters at the beginning
# \iff is mathematics; \ifthenelse and the tests of etoolbox take their branches as arguments and have no \fi.
_CONDITIONAL = re.compile(
    r"\\(?P<word>if(?!f(?![a-zA-Z@])|thenelse|def(?:empty|void|macro|string)|blank|str|num[a-z]|dim[a-z]|bool|toggle|csdef|entrytype)"
    r"[a-zA-Z@]*|else|fi)(?![a-zA-Z@])"
)
_NOTHING_MORE = re.compile(r"[ \t\r]*(?:%|\n|\Z)")
_ENVIRONMENT_NAME = re.compile(r"[a-zA-Z][\w@-]*")
_LONGEST_LABEL = 50_000  # characters: natbib writes all authors of a paper into it
_MOST_CONDITIONALS = 300  # that are looked through for the end of one
_MOST_TITLES = 10  # that may turn out to hold no words; for each the preamble is looked through for macros
_MACRO = re.compile(r"\\[a-zA-Z@]+")
_PROVIDED = re.compile(r"\\provide[a-zA-Z]*\*?\s*+(?:\{\s*+)?\\(?P<name>[a-zA-Z@]++)")
_DEEPEST_CONDITIONAL = 20  # in each other: if none is ever closed, each would look at as many as there may be
_BEGIN_DOCUMENT = re.compile(r"^[^%\n]*\\begin[ \t]*\{document\}", re.MULTILINE)
# Code between two of the same sign, as in `\verb|code|`; group `mark` is the sign.
_DELIMITED = re.compile(r"[ \t]*(?P<mark>[^\sa-zA-Z*{])(?:(?!(?P=mark))[^\n]){0,2000}(?P=mark)")


@dataclass(slots=True)
class _Reading(cite_arguments.Gathering):
    """What is gathered from one LaTeX document; `opaque` if only TeX can tell some of its keys or files."""

    text: str = ""
    links: list[Link] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    items: list[Placed] = field(default_factory=list)  # entries: of reference lists and of amsrefs
    open_bibitem: int | None = None  # among them, the index of the \bibitem whose end was not come to yet
    hidden: list[Span] = field(default_factory=list)  # verbatim text, branches never read, definitions
    left_out: list[Span] = field(default_factory=list)  # branches to be hidden further on, the next one last
    files: list[filecontents.Contents] = field(default_factory=list)
    families: list[str] = field(default_factory=list)  # names in multibib's \newcites, each with commands of its own
    verbatim: list[str] = field(default_factory=list)  # environments that the document defines as verbatim
    endless: set[str] = field(default_factory=set)  # verbatim environments that no further \end closes
    defined: list[str] = field(default_factory=list)  # own commands that the document defines
    naming: frozenset[str] = frozenset()  # own commands that name bibliographies
    signs: set[Sign] = field(default_factory=set)
    acronyms: dict[str, str] = field(default_factory=dict)
    macros: dict[str, list[str]] | None = None  # their values, by name, once a condition compares one
    title: str = ""
    titles: int = 0  # that were looked at
    date: str = ""
    root: str = ""
    begin: int | None = None  # where \begin{document} ends (0 if there is none), once it was looked for
    is_root: bool = False

    def hide(self, start: int, end: int | None) -> None:
        if end is not None:
            self.hidden.append(Span(start, end))


def parse(document: Document, cite_commands: tuple[str, ...] = (), old: Entries | None = None) -> Syntax:
    """Read everything that is written in a LaTeX document.

    `cite_commands` are the author's own commands that cite, as far as they are known; `old` are the entries that the
    document had before the last edit: an entry whose source is unchanged stays the same object.
    """
    text = document.text
    own_commands = cite_commands
    verbatim: tuple[str, ...] = ()
    reading = _read_commands(document, own_commands, verbatim)
    if reading.families or reading.verbatim or reading.defined:
        # What the document defines (commands, also those of multibib's families, and verbatim environments) shows only
        # by reading it, and the pattern of all commands has to hold it from the beginning: hence a second reading.
        defined = _list_defined(reading)
        # One more than the bound allows, by which the caller sees that there are too many.
        own_commands = tuple(dict.fromkeys((*cite_commands, *islice(defined, bounds.COMMANDS + 1))))
        verbatim = tuple(islice(dict.fromkeys(reading.verbatim), bounds.COMMANDS + 1))
        reading = _read_commands(document, own_commands, verbatim)
    package = is_package(document.path)  # whose \title and macros are for the manuscripts that load it
    return Syntax(
        citations=tuple(reading.citations),
        placeholders=tuple(reading.placeholders),
        arguments=tuple(reading.arguments),
        links=(*reading.links, *literate.includes(text, document.path)),
        headings=tuple(reading.headings),
        suppressions=_suppressions_outside(suppressions.in_tex(text), reading.hidden),
        entries=collect(reading.items, old),
        title="" if package else reading.title,
        date="" if package else reading.date,
        is_root=reading.is_root and not package,
        root=reading.root or _magic_root(text),
        cites_all=reading.cites_all,
        opaque=reading.opaque and not package,
        signs=frozenset(reading.signs),
        acronyms=reading.acronyms,
        cite_commands=tuple(islice(_list_defined(reading), bounds.COMMANDS)),
        written=filecontents.read_entries(text, reading.files),
        ground=Ground(text, tuple(reading.hidden), own_commands, verbatim),
    )


def _read_commands(document: Document, cite_commands: tuple[str, ...], verbatim: tuple[str, ...]) -> _Reading:
    """Read every command of interest, in the order in which they stand.

    `cite_commands` are the author's own commands, `verbatim` the verbatim environments that the document defines.
    Passed over are commands in programs (chunks of R or Haskell), in comments, and in text that an earlier command
    hides.
    """
    text = document.text
    reading = _Reading(text=text)
    own_cites = frozenset(bare(command) for command in cite_commands if not names_bibliographies(command))
    reading.naming = frozenset(bare(command) for command in cite_commands if names_bibliographies(command))
    programs = literate.programs(text, document.path)
    program = next(programs, None)
    skip_to = 0  # commands before this offset are passed over
    comments = grammar.Comments(text)
    for match in effort.iterate(pattern(cite_commands, verbatim).finditer(text)):
        offset, end = match.span()
        while program is not None and program.start <= offset:
            skip_to = max(skip_to, program.end)
            program = next(programs, None)
        skip_to = max(skip_to, _hide_left_out(reading, offset, skip_to))
        if offset < skip_to:
            continue
        # `\\cite` is a line break and a word.
        if text[offset - 1 : offset] == "\\" and grammar.is_escaped(text, offset):
            continue
        if comments.cover(offset, skip_to):
            continue
        name = match["name"]
        if name in CITES:
            cite_arguments.read(text, offset, end, name, reading)
        elif name in ACRONYMS:
            abbreviations.read(text, end, name, reading, reading.acronyms)
        else:
            hidden = _read_command(reading, match, name, own_cites)
            if hidden:
                skip_to = hidden.end
    _hide_left_out(reading, len(text), skip_to)
    _finish_bibitem(reading, len(text))  # of a list that does not end
    if "\\DeclareAcronym" in text:  # what its properties cite was read before the commands that stand in them
        reading.citations.sort(key=lambda citation: citation.span.start)
        reading.placeholders.sort(key=lambda placeholder: placeholder.whole.start)
        reading.arguments.sort(key=lambda argument: argument.span.start)
    return reading


def _hide_left_out(reading: _Reading, offset: int, hidden_to: int) -> int:
    r"""Hide the branches that are to be left out and begin before `offset`; return where the last of them ends, or 0.

    A branch that begins before `hidden_to`, in text that is hidden already, is none: `\verb|\else|`.
    """
    end = 0
    while reading.left_out and reading.left_out[-1].start <= offset:
        branch = reading.left_out.pop()
        if branch.start >= hidden_to:
            reading.hidden.append(branch)
            end = max(end, branch.end)
    return end


def _read_command(reading: _Reading, match: re.Match[str], name: str | None, own_cites: frozenset[str]) -> Span | None:
    r"""Add to `reading` what a command says that is not in the table of cite commands; return the text that it hides.

    `name` is None for `\begin{…}` and `\end{…}`.  Hidden is verbatim text, a branch that TeX never reads, or a
    definition; None if the command hides nothing.  `own_cites` are the author's own cite commands.
    """
    hidden_before = len(reading.hidden)
    command = Span(match.start(), match.end())
    if name is None:
        _read_environment(reading, match, command)
    elif name in own_cites:
        cite_arguments.read(reading.text, command.start, command.end, name, reading)
    elif name in SECTIONS:
        _read_heading(reading, command, SECTIONS[name])
    elif name in INLINE_VERBATIM:
        reading.hide(command.start, _inline_verbatim_end(reading.text, command.end, name))
    elif name in TITLES:
        _read_title(reading, command)
    elif name in DEFINERS:
        _read_definition(reading, command, name, own_cites)
    elif name in _READERS:
        _READERS[name](reading, command)
    else:
        _read_file_links(reading, command, name)
    hides = len(reading.hidden) > hidden_before  # by one span: no command hides two
    return reading.hidden[-1] if hides else None


def _read_environment(reading: _Reading, match: re.Match[str], command: Span) -> None:
    r"""Read the `\begin{…}` or `\end{…}` that `match` found at `command`; `pattern` lists the environments looked for.

    Those that are not named below are verbatim: they are hidden up to their `\end`.
    """
    text = reading.text
    closed = match["close"]
    if closed:
        _finish_bibitem(reading, command.start)
        if closed == "document" and _ends_document(reading, command.start):
            reading.hide(command.end, len(text))  # TeX reads nothing behind it
        return
    environment = match["env"]
    unstarred = environment.removesuffix("*")
    if unstarred in CITE_ENVIRONMENTS:
        cite_arguments.read(text, command.start, command.end, unstarred, reading)
    elif environment == "document":
        # A chapter that names its main document may have \begin{document}, to be compiled alone, and is none itself.
        reading.is_root = reading.is_root or not reading.root
    elif environment == "refsection":  # of biblatex: `\begin{refsection}[a.bib]` names its bibliographies
        _read_file_links(reading, command, environment)
    else:
        _read_verbatim_environment(reading, environment, command)


def _ends_document(reading: _Reading, offset: int) -> bool:
    r"""True if TeX reads nothing behind the `\end{document}` at `offset`.

    One before the `\begin{document}` of a main document stands in a definition, such as
    `\newcommand{\stop}{\printbibliography\end{document}}`.  A part may end what another part begins.
    """
    if not reading.is_root:
        return True
    if reading.begin is None:
        begin = _BEGIN_DOCUMENT.search(reading.text)
        reading.begin = begin.end() if begin else 0
    return offset >= reading.begin


def _read_verbatim_environment(reading: _Reading, environment: str, begin: Span) -> None:
    r"""Hide a verbatim environment, whose `\begin{…}` is `begin`; read the .bib file or the caption that it holds.

    It ends at the first `\end` of its name, whatever stands before that, as it does for TeX.  Without one nothing is
    hidden, and no file read.
    """
    # The listing is verbatim, but its caption among the options is printed and cites; by the usual commands, at least.
    options = grammar.argument(reading.text, begin.end, "[") if environment == "lstlisting" else None
    if options:
        for citing in cite_pattern().finditer(reading.text, *options):
            cite_arguments.read(reading.text, citing.start(), citing.end(), citing["name"], reading)
    # Each further \begin of an endless kind would look for its \end as far as the text goes.
    end = -1 if environment in reading.endless else reading.text.find(f"\\end{{{environment}}}", begin.end)
    if end < 0:
        reading.endless.add(environment)
        return
    if environment.startswith("filecontents"):
        _read_written_file(reading, begin.end, end)
    reading.hide(begin.start, end)


def _read_written_file(reading: _Reading, start: int, end: int) -> None:
    """Note the .bib file that `filecontents` writes, whose arguments and text reach from `start` to `end`."""
    bibliography = filecontents.contents(reading.text, start, end)
    if bibliography:
        reading.files.append(bibliography)
    else:
        # It may write a .tex file that names bibliographies, which are not read here: unknown keys may be theirs.
        reading.opaque = True


def _inline_verbatim_end(text: str, offset: int, name: str) -> int | None:
    r"""Return where the inline code ends whose command `name` ends at `offset`; None if its delimiter is not closed.

    It reads `\lstinline[options]|code|`, `\mintinline[options]{language}{code}` and `\verb*|code|`.
    """
    if name in ("lstinline", "mintinline", "mint"):
        offset = grammar.skip_space(text, offset)
        if text.startswith("[", offset):
            offset = grammar.group_end(text, offset) or offset
        if name != "lstinline":
            language = grammar.argument(text, offset)
            offset = language.end + 1 if language else offset
        if text.startswith("{", offset):
            return grammar.group_end(text, offset)
    star = text.startswith("*", offset)
    delimited = _DELIMITED.match(text, offset + star)
    return delimited.end() if delimited else None


def _leave_branch_out(reading: _Reading, command: Span) -> None:
    r"""Hide the branch that TeX never reads, up to `\else` or `\fi`, of a condition of which it is known if it holds.

    The conditions are `\iffalse`, `\iftrue`, `\if0` and `\if1`, which stand at `command`.  Conditionals inside, and
    those in comments, are passed over.  Nothing is hidden if the condition's own `\else` or `\fi` are not near.
    """
    holds = None if is_being_defined(reading.text, command.start) else _holds(reading, command)
    if holds is None:
        return
    left_out: int | None = None  # where the \else stands of a condition that holds
    depth = 0  # of conditionals that are open inside
    comments = grammar.Comments(reading.text, command.end)
    for match in islice(_CONDITIONAL.finditer(reading.text, command.end), _MOST_CONDITIONALS):
        if comments.cover(match.start()):
            continue
        word = match["word"]
        if word.startswith("if"):
            depth += 1
            if depth > _DEEPEST_CONDITIONAL:
                return
        elif depth > 0:
            if word == "fi":
                depth -= 1
        elif not holds:
            reading.hide(command.start, match.end())
            return
        elif word == "else":  # what stands before it is still to be read: only then is the rest hidden
            left_out = match.start()
        else:
            if left_out is not None:
                reading.left_out.append(Span(left_out, match.end()))
            return


def _holds(reading: _Reading, command: Span) -> bool | None:
    r"""Tell if the condition at `command` holds; None if it compares a macro whose value is not known for certain.

    `\if01` compares two characters: it is false, unless a second 0 follows.  Templates for anonymous review choose so:
    `\newcommand{\blind}{0}`, then `\if0\blind`.
    """
    name = command.within(reading.text).removeprefix("\\if")
    if name in ("true", "false"):
        return name == "true"
    macro = _MACRO.match(reading.text, command.end)
    if macro is None:
        return reading.text[command.end : command.end + 1] == name
    # `\if0` is also written to leave out what follows, be it a command: none that is known here begins with a digit.
    if pattern().match(reading.text, command.end) or _CONDITIONAL.match(reading.text, command.end):
        return False
    if reading.macros is None:
        reading.macros = find_short_macros(reading.text)
        # What is only provided gives way to a definition elsewhere, as on the command line.
        for provided in _PROVIDED.finditer(reading.text):
            reading.macros.pop(provided["name"], None)
    # All definitions of the macro count, as which of them TeX comes to may be decided by a condition, too.
    characters = {value[:1] for value in reading.macros.get(macro[0].removeprefix("\\"), ())}
    # Empty, or another macro, a value leaves it to TeX what is compared; only of a digit that is certain.
    if len(characters) != 1 or not characters <= set("0123456789"):
        return None
    return characters == {name}


def _read_heading(reading: _Reading, command: Span, level: int) -> None:
    title = file_links.after_options(reading.text, command.end)
    if title is None:
        return
    words = grammar.plain(title.within(reading.text))
    if words:
        reading.headings.append(Heading(words, level, Span(command.start, title.end + 1)))


def _read_title(reading: _Reading, command: Span) -> None:
    """Note the manuscript's title, which is the first one that holds words once macros are replaced."""
    title = file_links.after_options(reading.text, command.end)
    if title is None or reading.title or reading.titles >= _MOST_TITLES:
        return
    written = title.within(reading.text)
    if "#" in written:  # the parameter of a macro that sets a title
        return
    reading.titles += 1
    reading.title = grammar.plain(expand_macros(reading.text, written))


def _read_date(reading: _Reading, command: Span) -> None:
    date = grammar.argument(reading.text, command.end)
    if date and not reading.date:
        reading.date = date.within(reading.text).strip()


def _read_document_class(reading: _Reading, command: Span) -> None:
    r"""Note that this is a main document, or by `\documentclass[main.tex]{subfiles}` which is its main document."""
    options = grammar.argument(reading.text, command.end, "[")
    name = grammar.argument(reading.text, options.end + 1 if options else command.end)
    _read_file_links(reading, command, "documentclass")
    if name and name.within(reading.text).strip() == "subfiles":
        reading.root = options.within(reading.text).strip() if options else ""
    else:
        reading.is_root = True


def _magic_root(text: str) -> str:
    """Return the main document that a comment `% !TeX root = …` among the first lines names; "" if none does."""
    match = _ROOT.search(text, 0, _ROOT_WITHIN)
    return match[1] if match else ""


def _read_file_links(reading: _Reading, command: Span, name: str) -> None:
    """Note the files that a command names, and what it says of the program that reads bibliographies."""
    reading.signs.update(processor_signs.read_signs(reading.text, command, name))
    links = file_links.read_links(reading.text, command, name)
    if links is None:  # a name that only TeX can make out
        reading.opaque = True
    else:
        reading.links += links


def _hide_behind_end(reading: _Reading, command: Span) -> None:
    text = reading.text
    # Beside other text on its line it may belong to a definition or a condition, and TeX may never come to it.
    if begins_line(text, command.start) and _NOTHING_MORE.match(text, command.end):
        reading.hide(command.start, len(text))


def _read_short_verbatim(reading: _Reading, _: Span) -> None:
    r"""Note that after `\MakeShortVerb{\|}` any `|\cite{x}|` may be no citation."""
    reading.opaque = True


def _read_new_cites(reading: _Reading, command: Span) -> None:
    r"""Note the families of cite commands that multibib's `\newcites{sec,app}{…}` defines."""
    suffixes = grammar.argument(reading.text, command.end)
    for suffix in suffixes.within(reading.text).split(",") if suffixes else ():
        if suffix.strip().isalpha():  # nothing else can be part of a command's name
            reading.families.append(suffix.strip())


def _read_new_verbatim(reading: _Reading, command: Span) -> None:
    r"""Note a verbatim environment that the document defines; `\newminted{python}{…}` names it `pythoncode`."""
    argument = file_links.after_options(reading.text, command.end)
    name = argument.within(reading.text).strip() if argument else ""
    if _ENVIRONMENT_NAME.fullmatch(name):
        minted = reading.text.startswith("\\newminted", command.start)
        reading.verbatim.append(f"{name}code" if minted else name)


def _list_defined(reading: _Reading) -> Iterable[str]:
    """The cite commands that the document defines, also those of multibib's families, each once."""
    return dict.fromkeys((*_multibib(reading.families), *reading.defined))


def _multibib(families: list[str]) -> list[str]:
    """Return the commands that multibib's \\newcites{name} defines for each of these names: \\citename, say."""
    stems = ("cite", "nocite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear")
    commands: list[str] = []
    for family in dict.fromkeys(families):
        commands += [stem + family for stem in stems]
        commands.append(naming_bibliographies(f"bibliography{family}"))
    return commands


def _read_definition(reading: _Reading, command: Span, definer: str, own_cites: frozenset[str]) -> None:
    """Note a command of the author's own that cites or names bibliographies, and hide its definition."""
    defined = own_command(reading.text, command.end, definer, own_cites, reading.naming)
    if defined:
        reading.hide(command.start, defined.end)
        if defined.name not in CITES:
            reading.defined.append(defined.name)


def _begin_bibitem(reading: _Reading, command: Span) -> None:
    r"""Begin an item of a reference list, `\bibitem[label]{key}`, whose source `_finish_bibitem` adds at its end.

    The item before ends here.  If the key's brace is not closed, or holds no key, no item begins.
    """
    _finish_bibitem(reading, command.start)
    text = reading.text
    offset = grammar.skip_space(text, command.end)
    label_end = grammar.group_end(text, offset, _LONGEST_LABEL) if text.startswith("[", offset) else None
    if label_end:
        # A label may be made by commands such as \citeauthoryear, which cite nothing there.
        reading.hide(offset, label_end)
        offset = label_end
    argument = grammar.argument(text, offset)
    if argument is None:
        return
    key = grammar.without_comments(argument.within(text))
    # A macro makes the key (`\bibitem{#1}`): which keys there are shows only as TeX runs.
    if "#" in key or "\\" in key:
        reading.opaque = True
        return
    key_start = argument.start + len(key) - len(key.lstrip())
    key = key.strip()
    if key:
        reading.open_bibitem = len(reading.items)
        reading.items.append(Placed(command.start, _bibitem_of(key, key_start - command.start)))


def _bibitem_of(key: str, key_start: int, source: str = "") -> ReferenceItem:
    r"""Make the item of a `\bibitem` whose key begins at `key_start` of `source`; the reference follows its brace."""
    key_span = Span(key_start, key_start + len(key))
    body_start = source.find("}", key_span.end) + 1
    written = source[body_start:] if body_start else ""
    body = written.strip()
    body_start += written.find(body)
    return ReferenceItem(key, key_span, source, Span(body_start, body_start + len(body)), "bibitem")


def _read_amsrefs_entry(reading: _Reading, command: Span) -> None:
    r"""Read an entry of amsrefs, `\bib{key}{type}{…}`, into `reading.items`.

    Nothing is added if an argument is not closed, or if no key is written; a key that a macro makes is not known.
    """
    text = reading.text
    key_argument = grammar.argument(text, command.end)
    kind = grammar.argument(text, key_argument.end + 1) if key_argument else None
    body = grammar.argument(text, kind.end + 1) if kind else None
    if not (key_argument and kind and body):
        return
    written = key_argument.within(text)
    if "#" in written or "\\" in written:  # as of \bibitem
        reading.opaque = True
        return
    key = written.strip()
    if not key:
        return
    key_start = key_argument.start + written.index(key) - command.start
    item = BibItem(
        kind.within(text).strip().lower(),
        key,
        Span(key_start, key_start + len(key)),
        text[command.start : body.end + 1],
        inline_entries.amsrefs_values,  # called once a value is asked for
    )
    reading.items.append(Placed(command.start, item))


def _finish_bibitem(reading: _Reading, end: int) -> None:
    r"""Give the open `\bibitem`, if one is, its source, which goes up to `end`: the next one, or the list's end."""
    if reading.open_bibitem is None:
        return
    start, item = reading.items[reading.open_bibitem]
    source = reading.text[start:end].rstrip()
    reading.items[reading.open_bibitem] = Placed(start, _bibitem_of(item.key, item.key_span.start, source))
    reading.open_bibitem = None


def _suppressions_outside(found: list[Suppression], hidden: list[Span]) -> tuple[Suppression, ...]:
    """Return the suppressions that do not stand in hidden text."""
    return tuple(it for it in found if not any(part.start <= it.span.start < part.end for part in hidden))


_READERS = {
    "bib": _read_amsrefs_entry,
    "bibitem": _begin_bibitem,
    "date": _read_date,
    "documentclass": _read_document_class,
    "documentstyle": _read_document_class,
    "endinput": _hide_behind_end,
    "if0": _leave_branch_out,
    "if1": _leave_branch_out,
    "iffalse": _leave_branch_out,
    "iftrue": _leave_branch_out,
    "newcites": _read_new_cites,
    "lstnewenvironment": _read_new_verbatim,
    "DefineVerbatimEnvironment": _read_new_verbatim,
    "newverbatim": _read_new_verbatim,
    "newtcblisting": _read_new_verbatim,
    "newminted": _read_new_verbatim,
    "MakeShortVerb": _read_short_verbatim,
    "DefineShortVerb": _read_short_verbatim,
    "lstMakeShortInline": _read_short_verbatim,
}
