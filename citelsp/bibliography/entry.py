"""An entry as a reader understands it: macros resolved, TeX decoded, names parsed, parents inherited."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.syntax.nodes import EntryNode


@dataclass(frozen=True)
class Entry:
    """Decoded, read-only view of one entry.  Everything is computed at first use."""

    node: EntryNode
    strings: Mapping[str, str] = field(default_factory=dict)
    parent: "Callable[[str], EntryNode | None] | None" = None  # by key, for crossref and xdata

    @property
    def key(self) -> str:
        return self.node.key

    @property
    def kind(self) -> str:
        return self.node.kind

    def text(self, name: str) -> str:
        """A field's value as Unicode, TeX and braces removed, spaces collapsed; "" if absent."""
        raise NotImplementedError

    @cached_property
    def title(self) -> str:
        raise NotImplementedError

    @cached_property
    def authors(self) -> tuple[Name, ...]:
        raise NotImplementedError

    @property
    def authors_truncated(self) -> bool:
        """`and others`."""
        raise NotImplementedError

    @cached_property
    def year(self) -> int | None:
        raise NotImplementedError

    @property
    def venue(self) -> str:
        """journal, journaltitle, booktitle, else howpublished, institution, school, publisher."""
        raise NotImplementedError

    @cached_property
    def identifiers(self) -> Identifiers:
        """From doi, eprint, url, isbn, pmid, note …, normalised."""
        raise NotImplementedError


def fingerprint(entry: Entry) -> str:
    """A hash of what the entry says of its work: unchanged by moving, reformatting, rekeying."""
    raise NotImplementedError
