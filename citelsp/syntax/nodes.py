"""What is written in a document: the values that every parser gives.

Spans count in the document, except inside an EntryNode, where they count from the entry's own start,
so that an entry stays the same value when text above it changes.  What a manuscript holds by the thousand is a named
tuple, which is made in half the time of a frozen dataclass.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from citelsp.base.text import Span

Reader = Literal["bibtex", "biber", "pandoc", "typst", ""]  # of bibliographies
Reduced = Literal["", "time", "keys", "files", "commands"]  # it took too long to read; it cites or names too many
# Of who reads them.  biblatex: biber does; backend: biblatex has BibTeX do it; style: BibTeX's, which biblatex refuses;
# bibliography: a command of both; roles: Sphinx, to which in Markdown roles alone cite.
Sign = Literal["biblatex", "backend", "style", "bibliography", "roles"]

_BY_DIALECT: Mapping[str, Reader] = {"bibtex": "bibtex", "biblatex": "biber"}


class Citation(NamedTuple):
    """One mention of one citekey."""

    key: str
    span: Span  # of the key alone
    command: str  # "cite", "parencites"; "@" in Markdown
    whole: Span  # of the command with all its arguments, or of the bracketed group
    narrative: bool = False  # the authors' names stand in the sentence: \textcite, @key


@dataclass(frozen=True, slots=True)
class Placeholder:
    r"""A citation is still to be chosen: `\cite<words>`, `\cite{?words}`, `[@<words>]`, `[@?words]`."""

    words: str
    span: Span  # what an answer replaces: `<words>` after the command, `?words` in braces, `@<words>` in Markdown
    command: str
    whole: Span
    closed: bool = True  # False while `>` or the closing bracket is not yet typed
    before: str = ""  # what an inserted key needs around it: "{" and "}" in `\cite<>`, "@" in Markdown
    after: str = ""  # in Typst ";" if what follows would go on with a call


class KeyArgument(NamedTuple):
    """Where citekeys are typed, finished or not; completion asks for the one at the cursor."""

    span: Span  # from after `{`, `,` or `@` up to the end of what belongs to this key, spaces included
    command: str
    opener: Literal["{", ",", "@", "<"]  # what stands before it


@dataclass(frozen=True, slots=True)
class Link:
    """A file that the document names: another part of the manuscript, or a bibliography."""

    kind: Literal["part", "package", "bibliography", "metadata"]  # metadata: YAML that may name bibliographies
    target: str  # as written, macros and globs included; of a package with its ending
    span: Span
    base: str = ""  # \import's directory; "subfile" documents resolve like any other part
    # In LaTeX the end of the list that a further bibliography could be added to; in Typst where the innermost bracket
    # around the name opens.
    insert_at: int | None = None
    label: str = ""  # by which sections of biblatex name the bibliography too
    handed_on: bool = False  # in Typst to a template, which counts the path from its own folder


@dataclass(frozen=True, slots=True)
class Heading:
    title: str
    level: int
    span: Span


@dataclass(frozen=True, slots=True)
class Suppression:
    """`% citelsp: ignore[code, code] reason` or `<!-- citelsp: ignore[code] -->`; no codes means all."""

    codes: tuple[str, ...]
    span: Span  # of the comment
    covers: Span  # of the lines it silences: its own, or the next one where it stands alone


@dataclass(frozen=True, slots=True)
class Field:
    """`name = value` of an entry; spans count from the entry's start."""

    name: str  # in lower case
    name_span: Span
    value_span: Span  # with its braces or quotes, all parts of a `#` concatenation
    span: Span  # from the name up to the value's end


@dataclass(frozen=True, slots=True)
class EntryProblem:
    """Something malformed in an entry."""

    message: str
    span: Span
    serious: bool = True  # False if BibTeX and biber read the entry all the same
    mend: tuple[Span, str] | None = None  # a replacement in the entry that can only be what was meant
    reader: Reader = ""  # the only one to which it matters
    ignored_by: Reader = ""  # the only one to which it does not
    equal_field: str = ""  # that stands several times with one value: BibTeX warns if its style has such a field


class EntryNode(Protocol):
    """An item of a bibliography as written: a BibTeX entry, a \\bibitem, an element of CSL data.

    Immutable; parsed further only when asked; the same object as long as its source is unchanged.
    """

    @property
    def kind(self) -> str: ...  # "article", in lower case; "bibitem"; CSL types are given as BibTeX types
    @property
    def key(self) -> str: ...
    @property
    def key_span(self) -> Span: ...
    @property
    def source(self) -> str: ...  # the entry's own text, from `@` to its closing brace
    def fields(self) -> Sequence[Field]: ...
    def raw(self, name: str) -> str: ...  # the value as written, outermost braces or quotes removed; "" if absent
    def problems(self) -> Sequence[EntryProblem]: ...


class Entries(Protocol):
    """The entries of one document in their order, with their places."""

    @property
    def cut(self) -> bool: ...  # more follow, which a bound left unread

    def __len__(self) -> int: ...
    def node(self, index: int) -> EntryNode: ...
    def start(self, index: int) -> int: ...  # offset of the entry in the document
    def by_key(self, key: str) -> Sequence[int]: ...  # indices of the entries with exactly this key
    def entry_at(self, offset: int) -> int | None: ...  # index of the entry that an offset stands in or touches


@dataclass(frozen=True, slots=True)
class Written:
    """Bibliographies that a LaTeX document writes; `filecontents` replaces a file that is there only if told to."""

    names: tuple[str, ...]  # of the files, as written
    overwrites: bool
    entries: Entries | None
    strings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a manuscript was read from, for whoever reads its prose, or in LaTeX an edit of it alone."""

    text: str
    # What is no prose: code, comments, settings.  No citation counts there, but what else was read there, such as
    # links, a title or `citelsp: ignore`, does.
    hidden: tuple[Span, ...]
    own: tuple[str, ...]  # commands that it defines or the settings name, and verbatim environments
    verbatim: tuple[str, ...]
    parts: "Mapping[tuple[str, bool], Syntax]" = field(default_factory=dict)  # what each cell of a notebook says


@dataclass(frozen=True, slots=True)
class Syntax:
    """All that is written in one document."""

    citations: tuple[Citation, ...] = ()
    placeholders: tuple[Placeholder, ...] = ()  # in order by where their citations start and end
    arguments: tuple[KeyArgument, ...] = ()
    links: tuple[Link, ...] = ()
    headings: tuple[Heading, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    entries: Entries | None = None  # .bib, CSL, thebibliography, `references:`
    strings: dict[str, str] = field(default_factory=dict)  # @string macros by name in lower case, values as written
    title: str = ""  # of the manuscript: \title, YAML title, first `# heading`
    date: str = ""  # as written in \date or YAML date; "" when not given
    csl: str = ""  # the file of the CSL style that YAML names, as written
    citation_style: str = ""  # the same by pandoc's other name for it, which counts only if nothing names one by `csl`
    lang: str = ""  # of the manuscript, as YAML has it
    is_root: bool = False  # \documentclass, \begin{document}, or YAML that names a bibliography
    root: str = ""  # the main document that this part names: `% !TeX root = …`, \documentclass[…]{subfiles}
    cites_all: bool = False  # \nocite{*}, `nocite: '@*'`
    signs: frozenset[Sign] = frozenset()  # in LaTeX, and in the settings of Sphinx
    cite_commands: tuple[str, ...] = ()  # defined here, to be read as such in the other parts too
    acronyms: Mapping[str, str] = field(default_factory=dict)  # what each stands for, by the key that prints it
    labels: frozenset[str] = frozenset()  # of figures and sections, which Typst refers to as it cites
    opaque: bool = False  # holds citations or links that cannot be read, as in macro definitions: the namespace is open
    reduced: Reduced = ""  # why only its keys are known: see citelsp.syntax.bounded_parse
    written: Written | None = field(default=None, repr=False, compare=False)
    ground: Ground | None = field(default=None, repr=False, compare=False)

    def placeholders_near(self, part: Span) -> Sequence[Placeholder]:
        """Return the placeholders that share a character with a part of the document, or stand next to it."""
        low = bisect_left(self.placeholders, part.start, key=lambda it: it.whole.end)
        high = bisect_right(self.placeholders, part.end, low, key=lambda it: it.whole.start)
        return self.placeholders[low:high]


def reader_of(parts: Sequence[tuple[Syntax, Reader | None]], dialect: str, *, unsure: bool) -> Reader:
    """Tell which program reads the bibliographies of a manuscript; "" if several do, or if it is not known.

    It is not known either if LaTeX that tells nothing stands beside Markdown, say.  `parts` are the documents, each
    with the program that reads for its language; None for LaTeX, as there the commands tell.  `dialect` is that of the
    settings, and counts if no document tells anything; `unsure` is True if not all of the manuscript was read.
    """
    in_tex = [syntax for syntax, reader in parts if reader is None]
    signs = frozenset[Sign]().union(*(syntax.signs for syntax in in_tex))
    readers = _readers_of_tex(in_tex, signs, unsure=unsure)
    for syntax, reader in parts:
        if reader is None:
            continue
        # Org that names them as LaTeX does is for LaTeX, with whichever of the two if no style tells.
        names_as_tex = "bibliography" in syntax.signs
        readers.add(_by_signs(syntax.signs - {"bibliography"}) if names_as_tex else reader)
    nothing_tells = not signs and not readers - {""}
    if nothing_tells:
        return _BY_DIALECT.get(dialect, "")
    return readers.pop() if len(readers) == 1 else ""


def _readers_of_tex(in_tex: Sequence[Syntax], signs: Collection[Sign], *, unsure: bool) -> set[Reader]:
    """Return the programs of which these LaTeX documents tell by their signs, all of which are in `signs`.

    Several if their main documents differ ("" for one that tells of both), else one, or "" if they do not tell it;
    empty if there is no document.
    """
    if not in_tex:
        return set()
    # A part may be shared by a thesis for biber and a paper for BibTeX: then what it says is not added to theirs.
    by_roots = {_by_signs(syntax.signs) for syntax in in_tex if syntax.is_root and syntax.signs}
    if len(by_roots) > 1:
        return by_roots
    # \bibliography alone says nothing while parts are unread: biblatex knows that command too.
    may_be_biblatex = unsure and signs == {"bibliography"}
    return {"" if may_be_biblatex else _by_signs(signs)}


def _by_signs(signs: Collection[Sign]) -> Reader:
    """Return the program of which these signs in LaTeX tell; "" if they tell of none, or of both."""
    if "biblatex" not in signs:
        return "bibtex" if signs else ""
    if "style" in signs:  # which biblatex refuses: one of the two stands in a condition
        return ""
    return "bibtex" if "backend" in signs else "biber"
