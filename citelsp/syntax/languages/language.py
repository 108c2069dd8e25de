"""What a language is: the one value that everything else asks, instead of comparing names.

A language of manuscripts names how it is read and all that is written in it; none of that has a default, so that
nothing can be forgotten.  A new language is one package beside this module and one row in `citelsp.syntax.languages`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from citelsp.base.text import Document, Span
from citelsp.syntax.nodes import Entries, Link, Placeholder, Reader, Syntax

# Where files that a document names are looked for: as TeX does, from the main document and along TEXINPUTS; as pandoc
# and Quarto do, from any directory around, with metadata beside; or from the document that names them and nowhere else.
Search = Literal["kpathsea", "pandoc", "document"]


class Parse(Protocol):
    def __call__(self, document: Document, cite_commands: tuple[str, ...], old: Entries | None, /) -> Syntax:
        """What is written in a document; it never fails.  Entries like those of `old` stay the same objects."""
        ...


class Reparse(Protocol):
    def __call__(self, old: Syntax, document: Document, span: Span, new_text: str, /) -> Syntax | None:
        """Equal to `parse(document)`, whose text had something else at `span` before; None if that is not known."""
        ...


class Naming(NamedTuple):
    """A name of a file that is being typed where a manuscript declares a bibliography or a style."""

    typed: str  # before the cursor
    endings: tuple[str, ...]  # of the files that may be meant
    bare: bool = False  # the ending is left out


class Replacement(NamedTuple):
    span: Span
    new_text: str


class Declare(Protocol):
    def __call__(self, text: str, hidden: Sequence[Span], name: str, texts: Iterable[str], /) -> Replacement:
        """Name one more bibliography in a main document that names none; `texts`: of all parts in this language."""
        ...


class DeclareBeside(Protocol):
    def __call__(self, text: str, link: Link, name: str, /) -> Replacement:
        """Name one more bibliography beside the one that `link` names."""
        ...


class Form(NamedTuple):
    """How works are cited together: beside the sentence or as a part of it, and at what place of the last of them."""

    textual: bool = False
    locator: str = ""  # "p. 4": letters, digits and plain punctuation
    command: str = ""  # of LaTeX, without its backslash; the usual one if none is named
    follows: str = ""  # the beginning of what stands behind it in the text
    role: str = ""  # in Markdown of Sphinx, by which it cites


@dataclass(frozen=True, slots=True, kw_only=True)
class ManuscriptLanguage:
    """What is read and written in the manuscripts of one language."""

    # How they are read
    skim: Callable[[Document], str]  # what is left if only the lines count that name files or a main document
    markup: Callable[[], re.Pattern[str]]  # what is no prose, by the groups that `markup.without` knows
    body: Callable[[str, int, int], int]  # where between two offsets the text of the second begins: behind a preamble
    reader: Reader | None  # of their bibliographies; None if the documents' own signs tell
    search: Search
    names: Callable[[str, str], tuple[str, ...]]  # of files that a link of a kind may mean, by its target, best first
    certain: bool  # what looks like a citation is none of something else, as a name behind an at sign may be

    # What is written in them
    cite: Callable[[Sequence[str], Form], str]  # a citation that stands alone
    placeholder: Callable[[str], str]  # with words, as an author types it
    fill: Callable[[Placeholder, Sequence[str]], str]  # what replaces it by the keys of one citation
    comment: Callable[[str], str]
    declare: Declare
    declare_beside: DeclareBeside
    declared_by: str  # for people: the ways to declare one
    naming: Callable[[str, int], Naming | None]  # what is being typed before an offset
    # Where at an offset keys may stand in a citation that has none there, if it is not read as an argument anyway.  One
    # whose span is the whole citation, with nothing `before` it, is written anew.
    empty: Callable[[str, int], Placeholder | None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BibliographyFormat:
    """What can be done with bibliographies of one format."""

    written: bool  # works are added to them
    by_field: bool  # entries are laid out, sorted, completed and repaired field by field
    by_ending: bool = False  # a file with its ending is one, even if it is empty or broken
    derived: bool = False  # made from another document: checked, and never edited
    keyless: bool = False  # entries may lack keys, which their reader makes up
    begins: Callable[[str], bool] | None = None  # so does a list, if files with the same ending may be others
    declare_beside: DeclareBeside | None = None  # of files that may also hold settings which name bibliographies
    parted_by_commas: bool = False  # one stands between two entries, and none behind the last


class Editors(NamedTuple):
    """What editors call a language; their lists are written from this by `editors/lists.py`."""

    vscode: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # id, name for people, endings if VS Code brings none
    neovim: tuple[str, ...] = ()  # file types
    emacs: tuple[str, ...] = ()  # modes
    helix: tuple[tuple[str, str], ...] = ()  # name, and the server that is usual for it, if any
    sublime: tuple[str, ...] = ()  # scopes
    triggers: str = ""  # characters that open Sublime's list
    kate: tuple[str, ...] = ()  # modes of highlighting
    files: tuple[str, ...] = ()  # names, if the language is that of many other files too
    cells: tuple[str, ...] = ()  # VS Code's languages of the cells in which a notebook holds it


NO_EDITOR = Editors()


def plain_names(kind: str, target: str) -> tuple[str, ...]:
    """The target itself; a bibliography's may lack its ending."""
    if kind == "bibliography" and not target.lower().endswith((".bib", ".json", ".yaml", ".yml")):
        return (target + ".bib", target)
    return (target,)


def same_key(_text: str, span: Span, key: str) -> Replacement:
    return Replacement(span, key)


def no_problem(_key: str) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language of manuscripts, or a format of bibliographies; neither for what citelsp does not know."""

    name: str  # that documents carry
    title: str  # for people
    endings: tuple[str, ...]  # of file names, in lower case, the usual one first
    editors: Editors = NO_EDITOR
    programs: frozenset[str] = frozenset()  # that may serve it in the same editor: the setting `beside`
    parse: Parse
    reparse: Reparse | None = None
    # A key in place of the one at a span of a text; more than the span is replaced if the key needs another form.
    key: Callable[[str, Span, str], Replacement] = same_key
    key_problem: Callable[[str], str] = no_problem  # a sentence if a key cannot be written; "" if it can
    manuscript: ManuscriptLanguage | None = None
    bibliography: BibliographyFormat | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """By which editors call it in the protocol."""
        return tuple(dict.fromkeys((self.name, *(it[0] for it in self.editors.vscode), *self.editors.neovim)))

    @property
    def search(self) -> Search | None:
        """How the files are found that its documents name; None if it is none of manuscripts."""
        return self.manuscript.search if self.manuscript else None

    @property
    def by_field(self) -> bool:
        return self.bibliography is not None and self.bibliography.by_field

    @property
    def by_ending(self) -> bool:
        """True if a document's ending alone says that it is a bibliography."""
        return self.bibliography is not None and self.bibliography.by_ending

    @property
    def derived(self) -> bool:
        """True if its documents are made from others, which an author writes instead."""
        return self.bibliography is not None and self.bibliography.derived

    @property
    def written(self) -> bool:
        """True if works are added to its documents."""
        return self.bibliography is not None and self.bibliography.written
