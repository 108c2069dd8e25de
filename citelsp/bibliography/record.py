"""What a source says of a work: the value that services, bibliographies and the corpus all speak in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name


@dataclass(frozen=True, slots=True)
class Update:
    """A notice that concerns a work after its publication."""

    kind: Literal["retraction", "withdrawal", "concern", "correction", "removal"]
    source: str
    date: str = ""  # "YYYY-MM-DD" or a prefix of it
    doi: str = ""  # of the notice
    note: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """What one source says of a work, or, merged, what several say together.  Empty means: the source does not say."""

    source: str  # "crossref", "corpus", "library", "merged"
    id: str  # in that source; in the corpus its id, in the library the citekey
    title: str  # subtitle included after ": "
    authors: tuple[Name, ...] = ()
    authors_complete: bool = True  # False if the source is known to cut the list
    authors_ordered: bool = True  # False if the source is known to sort them
    years: tuple[int, ...] = ()  # every legitimate one (print, online, preprint), the one to cite first
    date: str = ""  # earliest known publication, "YYYY", "YYYY-MM" or "YYYY-MM-DD"
    other_titles: tuple[str, ...] = ()  # as its registrar lists them: the original one, translations
    venue: str = ""
    venue_aliases: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()  # other venues in which the source says that the work came out as well
    type: str = ""  # CSL type: "article-journal", "paper-conference", "preprint", "book", "chapter", "thesis", …
    identifiers: Identifiers = field(default_factory=Identifiers)
    volume: str = ""
    issue: str = ""
    pages: str = ""  # "12-34", or the article number
    publisher: str = ""
    primary_class: str = ""  # of a preprint, as arXiv names it: "cs.CL"
    abstract: str = ""
    url: str = ""
    open_access: tuple[str, ...] = ()  # URLs of full texts, best first
    updates: tuple[Update, ...] = ()
    references: tuple[str, ...] = ()  # identifiers or corpus ids of cited works
    citation_count: int | None = None
    origins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # merged: field → the sources that say so
    disputed: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)  # field → (source, other value)
    asked: str = ""  # "YYYY-MM-DD" of the answer
    published: str = ""  # when the version to cite came out, where that is later than `date`; written as `date`

    @property
    def issued(self) -> str:
        """When the version to cite came out, as far as it is known."""
        return self.published or self.date

    @property
    def year(self) -> int | None:
        return self.years[0] if self.years else None
