"""What a citekey without an entry, and the sentence around it, say of the work meant: `vaswani2017attention`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citelsp.bibliography.citekey import SKIPPED
from citelsp.bibliography.fold import fold, words
from citelsp.bibliography.record import Record
from citelsp.corpus.words import stems
from citelsp.knowledge import Candidate

_YEAR = re.compile(r"(?<!\d)(?:(?:19|20)\d\d|\d\d)(?!\d)")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
_INITIALS = re.compile(r"(?<=[a-z])[A-Z]{2,}$")  # of the other authors, in keys of DBLP
_NO_NAMES = frozenset("etal et al and others dblp conf journals misc ref".split())
_THIS_CENTURY = 40  # two digits below it are of this century
_AHEAD = 1.5  # points of the first candidate before the second
_RELATED = 0.25


@dataclass(frozen=True, slots=True)
class Guess:
    """`names` may be families of authors, `title` words of the title; a key does not say which is which for certain."""

    names: tuple[str, ...]  # folded
    year: int | None = None
    title: tuple[str, ...] = ()  # folded
    sentence: str = ""

    @property
    def key_words(self) -> tuple[str, ...]:
        """The words of the key itself."""
        return tuple(dict.fromkeys((*self.title, *self.names[:2]) if self.year else (*self.names, *self.title)))

    @property
    def wording(self) -> str:
        """To search with: what the key says, and if that is little, the sentence."""
        near = words(self.sentence) if len(self.title) < 2 else []
        telling = [it for it in near if it not in SKIPPED and len(it) > 3 and stems(it)]
        return " ".join(dict.fromkeys((*self.key_words, *telling[:6])))

    @property
    def strict(self) -> str:
        """To search with when every word has to be met."""
        return " ".join(self.key_words) if len(self.key_words) > 1 else self.wording


def read(key: str, sentence: str = "") -> Guess:
    """Author, year and words of a key, in the usual orders; of `DBLP:conf/nips/VaswaniSPUJGKP17` the last part."""
    written = key.rpartition("/")[2] or key
    year = _YEAR.search(written)
    if year is None:
        parts = _parts(written)
        return Guess(tuple(parts[:1]), None, tuple(parts[1:]), sentence)
    before_year = written[: year.start()]
    if written != key:
        before_year = _INITIALS.sub("", before_year)
    names = _parts(before_year)
    title = _parts(written[year.end() :])
    if not names:  # as in `2017vaswani`
        names = title[:1]
        title = title[1:]
    return Guess(tuple(names), _full(int(year[0])), tuple(it for it in title if len(it) > 1), sentence)


def ranked(guess: Guess, candidates: Sequence[Candidate]) -> tuple[list[Candidate], bool]:
    """The candidates, likeliest first, and whether the first one is it beyond reasonable doubt."""
    order = sorted(candidates, key=lambda it: -score(guess, it.record))
    if not order or not _fits(guess, order[0].record):
        return order, False
    return order, len(order) < 2 or score(guess, order[0].record) - score(guess, order[1].record) >= _AHEAD


def score(guess: Guess, record: Record) -> float:
    """Points for the first author, the year, words of the title and what the sentence speaks of."""
    is_first = _is_first(guess, record)
    points = 0.0
    if is_first:
        points += 3.0
    elif set(guess.names) & set(_families(record)):
        points += 1.0
    if guess.year:
        years_apart = min((abs(guess.year - it) for it in record.years), default=9)
        points += {0: 2.0, 1: 0.5}.get(years_apart, -2.0)
    # What is no author's name may be a word of the title.
    title_words = guess.title if is_first else (*guess.title, *guess.names)
    if title_words:
        title = "".join(words(record.title))
        points += 2.0 * sum(it in title for it in title_words) / len(title_words)
    return points + 1.5 * _begins(guess, record) + 1.5 * _share(guess, record)


def _fits(guess: Guess, record: Record) -> bool:
    """All that the key says is true of the work, and it says enough, or the sentence speaks of it too."""
    if not (_is_first(guess, record) and guess.year in record.years and _begins(guess, record)):
        return False
    return len(guess.title) > 1 or _share(guess, record) >= _RELATED


def _is_first(guess: Guess, record: Record) -> bool:
    families = _families(record)[:1]
    return any(it == family or family.startswith(it) for it in guess.names if len(it) > 1 for family in families)


def _families(record: Record) -> list[str]:
    return [fold(it.family).replace(" ", "").replace("-", "") for it in record.authors]


def _begins(guess: Guess, record: Record) -> bool:
    """True if the key's words are those that the title begins with, articles and the like left out."""
    meant = "".join(it for it in words(record.title) if it not in SKIPPED)
    return bool(guess.title) and meant.startswith("".join(guess.title))


def _share(guess: Guess, record: Record) -> float:
    """Of the sentence's words, those that stand in title or abstract."""
    sentence = set(stems(guess.sentence))
    present = set(stems(f"{record.title} {record.abstract}"))
    return len(sentence & present) / len(sentence) if sentence else 0.0


def _parts(text: str) -> list[str]:
    found = [fold(it) for it in _PART.findall(text)]
    return [it for it in found if it not in _NO_NAMES]


def _full(year: int) -> int:
    return year if year > 99 else year + (2000 if year < _THIS_CENTURY else 1900)
