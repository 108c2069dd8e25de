"""One document of a project: its text, its syntax, and what follows from these alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from citelsp.base.text import Document
from citelsp.bibliography import similar_keys
from citelsp.syntax import languages
from citelsp.syntax.bibtex.blocks import Track
from citelsp.syntax.bibtex.further_keys import aliases_of, may_hold_aliases
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.languages.language import Language
from citelsp.syntax.languages.latex import command_definitions
from citelsp.syntax.languages.markdown import myst
from citelsp.syntax.nodes import Syntax


@dataclass(frozen=True, eq=False)
class Source:
    """A document with its syntax.  Sources are equal only to themselves, so facts can be kept per source."""

    document: Document
    syntax: Syntax
    open: bool = False  # held by the editor
    writable: bool = True  # by us: not a file without write permission, outside the workspace, or that a program makes
    encoding: str = "utf-8"  # of the file; of what the editor holds it is not known

    def __post_init__(self) -> None:
        if self.language.derived:
            object.__setattr__(self, "writable", False)

    @cached_property
    def language(self) -> Language:
        return languages.language_of(self.document)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of all entries in their order; "" for an entry that has none."""
        entries = self.syntax.entries
        if not entries:
            return ()
        return tuple([entries.node(index).key for index in range(len(entries))])

    @cached_property
    def with_own_files(self) -> "Source":
        """Return the same document with the entries of the .bib files that it writes itself.

        If it has other entries already, or writes no such files, it becomes opaque instead: no key in it is called
        undefined.
        """
        syntax = self.syntax
        written = self.syntax.written
        if written is not None and written.entries is not None and syntax.entries is written.entries:
            return self  # another link leads to them, too
        if written is None or syntax.entries is not None:
            own = replace(syntax, opaque=True)
        else:
            own = replace(syntax, entries=written.entries, strings=written.strings)
        return replace(self, syntax=own)

    @cached_property
    def with_roles_alone(self) -> "Source":
        return replace(self, syntax=myst.roles_alone(self.syntax))

    @cached_property
    def keys_by_length(self) -> similar_keys.ByLength:
        return similar_keys.group_by_length(self.keys)

    @cached_property
    def similar(self) -> dict[str, list[str]]:
        """Map keys to those of `keys` that look like them, as far as somebody asked; kept while no key changes."""
        return self.syntax.entries.similar if isinstance(self.syntax.entries, BibEntries) else {}

    @cached_property
    def file_macros(self) -> Mapping[str, Sequence[str]]:
        return command_definitions.find_short_macros(self.document.text)

    @cached_property
    def commented(self) -> "Source | None":
        """Return the entries in comments, which BibTeX reads, as a source of their own; None if there are none."""
        entries = self.syntax.entries
        if not isinstance(entries, BibEntries) or not entries.commented.nodes:
            return None
        in_comments = BibEntries(entries.commented, Track(), Track(), Track())
        return replace(self, syntax=Syntax(entries=in_comments, strings=self.syntax.strings))

    @cached_property
    def aliases(self) -> Mapping[str, int]:
        """Map each further key of an entry (biblatex `ids`) to the index of its entry, of several to the last one's.

        Empty for bibliographies in other formats than BibTeX.
        """
        entries = self.syntax.entries
        if not isinstance(entries, BibEntries):
            return {}
        # Few bibliographies have aliases: one search of the text spares asking each of 50,000 entries.
        if not entries.known(aliases_of) and not may_hold_aliases(self.document.text):
            entries.presume(aliases_of)  # notes that no entry has any
        aliases: dict[str, int] = {}
        for index, keys in entries.values_of(aliases_of):
            aliases |= dict.fromkeys(keys, index)
        return aliases
