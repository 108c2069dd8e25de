"""Which works may be shown at a place, by the date-and-source rule: what it forbids no action may ever show."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from citelsp.bibliography.record import Record
from citelsp.corpus.words import names_one_work, title_key
from citelsp.corpus.work import arxiv_month, is_after

_YEAR = 4  # characters of a date that is a year alone
_SHARED = 0.8  # of the words of two titles that begin with one name, from which on they are of one work


@dataclass(frozen=True)
class Rule:
    """Nothing later than the manuscript, to the month if both are known; never itself; nothing excluded.

    If only the year of print is known a work may be a year later: it was to be read before it was printed.
    """

    date: str = ""  # of the manuscript, "YYYY", "YYYY-MM" or "YYYY-MM-DD"; "": any date will do
    title: str = ""  # of the manuscript
    exclude: frozenset[str] = frozenset()  # ids, citekeys, DOIs, arXiv ids or titles

    def admits(self, record: Record) -> bool:
        if title_key(record.title) in self._titles or not self._names.isdisjoint(_names(record)):
            return False
        if self.title and is_earlier_title(record.title, self.title):
            return False
        date = earliest_date(record)
        if len(date) == _YEAR and date.isdigit():
            date = str(int(date) - 1)
        return not (self.date and is_after(date, self.date))

    @cached_property
    def _titles(self) -> frozenset[str]:
        return frozenset(filter(None, map(title_key, (self.title, *self.exclude))))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(it.casefold() for it in self.exclude)


def is_earlier_title(title: str, own: str) -> bool:
    """True if a work seems to be the manuscript, whose title is `own`, under the title of another version.

    "Position: X" is X, if X has three words or more; of "NAME: X" and "NAME: Y", with one name of one word, X and Y
    must share nearly all words.  False for a title with a subtitle more, which is often another work of the same
    authors.
    """
    label, colon, after_label = title.partition(":")
    own_label, own_colon, own_after_label = own.partition(":")
    if colon and own_colon and title_key(label) == title_key(own_label):
        return " " not in title_key(label) and _share_words(title_key(after_label), title_key(own_after_label))
    # Each title as it is, and without a label of one word: `Position:`.
    forms = {title_key(title), title_key(after_label) if _is_one_word(label) else ""}
    own_forms = {title_key(own), title_key(own_after_label) if _is_one_word(own_label) else ""}
    return any(map(names_one_work, forms & own_forms))  # shared by both, and of three words or more


def _is_one_word(label: str) -> bool:
    return len(label.split()) == 1


def _share_words(key: str, other_key: str) -> bool:
    """Whether two title keys share nearly all of the words of the longer one."""
    words = set(key.split())
    other_words = set(other_key.split())
    return len(words & other_words) >= _SHARED * max(len(words), len(other_words), 1)


def earliest_date(record: Record) -> str:
    """The earliest date known of a work, as precise as it is known; "" if unknown."""
    dates = [record.date, arxiv_month(record.identifiers.arxiv), *map(str, record.years)]
    earliest_year = min((it[:_YEAR] for it in dates if it), default="")
    return max((it for it in dates if it[:_YEAR] == earliest_year), key=len, default="")


def _names(record: Record) -> Iterator[str]:
    names = record.identifiers
    for name in (record.id, names.doi, names.arxiv, names.openalex, names.s2, names.acl, names.pmid):
        if name:
            yield name.casefold()
