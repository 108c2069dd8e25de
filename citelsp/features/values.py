"""Small values that several features share, and the few words in which a reader is told of a work."""

from collections.abc import Sequence
from dataclasses import dataclass
from os.path import basename

from citelsp.base.settings import SERVICES
from citelsp.base.text import Edit, Span
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record

_LEAST_TITLE = 14  # characters, in a row


# Probabilities, beyond which no percentage is told.
_NEARLY_CERTAIN = 0.99
_NEARLY_IMPOSSIBLE = 0.01


@dataclass(frozen=True, slots=True)
class Location:
    """A place to go to: `span` is what the cursor selects, `whole` the entry, section or file around it."""

    path: str
    span: Span
    whole: Span


@dataclass(frozen=True, slots=True)
class Refused:
    """What was asked cannot be done, and why, in a sentence for the author."""

    reason: str


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that does not exist yet, with its whole text."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """Edits of existing documents, their spans counted in the text before, and files to create: all or nothing."""

    edits: tuple[Edit, ...] = ()
    files: tuple[NewFile, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.edits or self.files)


def author_year(authors: Sequence[Name], year: int | None, *, truncated: bool = False) -> str:
    """`Knuth 1984`, `Vaswani et al. 2017`, `Curry and Howard`, `2001`; "" if nothing is known.

    `truncated`: there are more authors than these.
    """
    families = [name.family for name in authors if name.family]
    are_many = len(families) > 2 or (truncated and families)
    who = f"{families[0]} et al." if are_many else " and ".join(families)
    return " ".join(filter(None, (who, str(year) if year else "")))


def short_people(authors: Sequence[Name]) -> str:
    """`Knuth`, `Vaswani+`: for a row of a list."""
    families = [name.family for name in authors if name.family]
    return f"{families[0]}+" if len(families) > 1 else "".join(families)


def label(entry: Entry) -> str:
    """Author and year of an entry; an editor stands in for a missing author as in a printed list."""
    return author_year(entry.authors, entry.year, truncated=entry.authors_truncated)


def name_of(record: Record) -> str:
    """By which an editor names a work that was offered."""
    return f"{record.source}:{record.id}"


def places(origins: Sequence[str]) -> str:
    """`your .bib, your corpus, Semantic Scholar`."""
    own = {"library": "your .bib", "corpus": "your corpus"}
    return ", ".join(dict.fromkeys(own.get(it) or SERVICES.get(it, it) for it in origins))


def likelihood(probability: float) -> str:
    """In whole percent; nothing is certain before the author has looked."""
    if probability > _NEARLY_CERTAIN:
        return "over 99%"
    if probability < _NEARLY_IMPOSSIBLE:
        return "under 1%"
    return f"{probability:.0%}"


def percent(probability: float) -> str:
    """The same in at most four characters, for a row of a list."""
    return likelihood(probability).replace("over ", ">").replace("under ", "<")


def file_name(path: str) -> str:
    """The last part of a path, for sentences."""
    return basename(path)  # noqa: PTH119  a Path interns each of its parts


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words, with an ellipsis if something was cut.

    A text without spaces, as in Chinese, is cut where the room ends; so is one that would lose half of what has room.
    """
    if len(text) <= limit:
        return text
    beginning = text[: limit - 1]
    whole_words = beginning.rpartition(" ")[0]
    shown = whole_words if 2 * len(whole_words) >= len(beginning) else beginning
    return shown.rstrip(" ,;:.–-") + "…"


def fit_title(title: str, width: int, least: int = _LEAST_TITLE) -> str:
    """The beginning of a title for a row of a list, which has no room to lose between words."""
    width = max(least, width)
    return title if len(title) <= width else f"{title[: width - 1].rstrip(' ,;:.–-')}…"


def overlap(one: Span, other: Span) -> bool:
    """True if the two share a character, or an empty one stands inside or at an end of the other."""
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end
