"""What a citekey without an entry, and the sentence around it, say of the work meant: `vaswani2017attention`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citelsp.bibliography.citekey import SKIPPED
from citelsp.bibliography.fold import fold, words
from citelsp.bibliography.record import Record
from citelsp.corpus.words import stems
from citelsp.knowledge import Candidate

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_YEAR_OF_TWO_DIGITS = re.compile(r"(?<!\d)\d\d(?!\d)")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
_INITIALS = re.compile(r"(?<=[a-z])[A-Z]{2,}$")  # of the other authors, in keys of DBLP
_NO_NAMES = frozenset("etal et al and others dblp conf journals misc ref".split())
_THIS_CENTURY = 40  # two digits below it are of this century
_AHEAD = 1.5  # points that the first candidate has more than the second, if it is surely meant
_RELATED = 0.25  # share of the sentence's words in title or abstract, from which on it speaks of the work
_SENTENCE_WORDS = 6  # that are searched with, beside a key that says little
# What a candidate gets points for; the first author and the year are what keys are made of.
_FIRST_AUTHOR = 3.0
_OTHER_AUTHOR = 1.0
_YEAR_BY_DISTANCE = {0: 2.0, 1: 0.5}  # printed and online years differ by one
_OTHER_YEAR = -2.0
_UNKNOWN_YEAR = 9  # years apart, as which a work without a year counts
_TITLE_WORDS = 2.0  # for all of them
_TITLE_BEGINS_SO = 1.5
_SENTENCE = 1.5  # for all of its words


@dataclass(frozen=True, slots=True)
class Guess:
    """`names` may be families of authors, `title` words of the title; a key does not say which is which for certain."""

    names: tuple[str, ...]  # folded
    year: int | None = None
    title: tuple[str, ...] = ()  # folded
    sentence: str = ""

    @property
    def key_words(self) -> tuple[str, ...]:
        """The words of the key itself: with a year what stands before it is names, of which two are enough."""
        in_order = (*self.title, *self.names[:2]) if self.year else (*self.names, *self.title)
        return tuple(dict.fromkeys(in_order))

    @property
    def wording(self) -> str:
        """To search with: what the key says, and if that is little, words of the sentence."""
        says_little = len(self.title) < 2
        sentence = words(self.sentence) if says_little else []
        telling = [word for word in sentence if word not in SKIPPED and len(word) > 3 and stems(word)]
        return " ".join(dict.fromkeys((*self.key_words, *telling[:_SENTENCE_WORDS])))

    @property
    def strict(self) -> str:
        """To search with when every word has to be met."""
        return " ".join(self.key_words) if len(self.key_words) > 1 else self.wording


def read(key: str, sentence: str = "") -> Guess:
    """Guess author, year and words of the title from a citekey, such as `vaswani2017attention`.

    Names stand before the year, words of the title behind it; without a year the first part is a name.  Of a key with
    slashes only the last part is read: `DBLP:conf/nips/VaswaniSPUJGKP17` is Vaswani, 2017.  The guess also has the
    `sentence` that cites the key, "" if there is none.
    """
    written = key.rpartition("/")[2] or key  # all of a key that ends with a slash
    # Two digits may also be a part of a name, as in `covid19vaccine2021`.
    year = _YEAR.search(written) or _YEAR_OF_TWO_DIGITS.search(written)
    if year is None:
        parts = _split_key(written)
        return Guess(tuple(parts[:1]), None, tuple(parts[1:]), sentence)
    before_year = written[: year.start()]
    is_of_dblp = written != key  # such keys have slashes, and initials of the other authors behind the first name
    if is_of_dblp:
        before_year = _INITIALS.sub("", before_year)
    names = _split_key(before_year)
    title = _split_key(written[year.end() :])
    if not names:  # as in `2017vaswani`
        names = title[:1]
        title = title[1:]
    # A single letter is no word: `smith2017a` is the first of two keys.
    return Guess(tuple(names), _complete_year(int(year[0])), tuple(word for word in title if len(word) > 1), sentence)


def rank(guess: Guess, candidates: Sequence[Candidate]) -> tuple[list[Candidate], bool]:
    """Return the candidates, likeliest first, and whether the first one is certainly the work meant.

    It is if all that the key says is true of it and says enough, and it has _AHEAD points more than the second.
    """
    order = sorted(candidates, key=lambda candidate: -score(guess, candidate.record))
    if not order or not _fits_surely(guess, order[0].record):
        return order, False
    if len(order) == 1:
        return order, True
    first, second = order[:2]
    lead = score(guess, first.record) - score(guess, second.record)
    return order, lead >= _AHEAD


def score(guess: Guess, record: Record) -> float:
    """Return points for how well a record fits a guess: first author, year, title and sentence; more is likelier.

    Another author gives fewer points than the first.  A title gives them by the share of the guessed words that it has,
    and more if it begins with them; title and abstract together by the share of the sentence's words.  If a year is
    guessed, the right one and those beside it give points; any other, or none on record, takes some away.
    """
    is_of_first_author = _names_first_author(guess, record)
    points = 0.0
    if is_of_first_author:
        points += _FIRST_AUTHOR
    elif set(guess.names) & set(_fold_families(record)):
        points += _OTHER_AUTHOR
    if guess.year:
        years_apart = min((abs(guess.year - year) for year in record.years), default=_UNKNOWN_YEAR)
        points += _YEAR_BY_DISTANCE.get(years_apart, _OTHER_YEAR)
    # What is no author's name may be a word of the title.
    title_words = guess.title if is_of_first_author else (*guess.title, *guess.names)
    if title_words:
        title = "".join(words(record.title))  # without spaces, as keys run words together: `attentionis`
        points += _TITLE_WORDS * sum(word in title for word in title_words) / len(title_words)
    points += _TITLE_BEGINS_SO * _begins_title(guess, record)
    return points + _SENTENCE * _share_of_sentence(guess, record)


def _fits_surely(guess: Guess, record: Record) -> bool:
    """Return True if all that the key says is true of the work, and it says enough or the sentence speaks of it too."""
    if not (_names_first_author(guess, record) and guess.year in record.years and _begins_title(guess, record)):
        return False
    return len(guess.title) > 1 or _share_of_sentence(guess, record) >= _RELATED


def _names_first_author(guess: Guess, record: Record) -> bool:
    """True if one of the key's names is the first author's, or begins it."""
    families = _fold_families(record)
    names = [name for name in guess.names if len(name) > 1]
    return bool(families) and any(families[0].startswith(name) for name in names)


def _fold_families(record: Record) -> list[str]:
    return [fold(it.family).replace(" ", "").replace("-", "") for it in record.authors]


def _begins_title(guess: Guess, record: Record) -> bool:
    """Return True if the title begins with the key's words, articles and the like left out."""
    meant = "".join(it for it in words(record.title) if it not in SKIPPED)
    return bool(guess.title) and meant.startswith("".join(guess.title))


def _share_of_sentence(guess: Guess, record: Record) -> float:
    """Return the share of the sentence's words, from 0 to 1, that stand in title or abstract."""
    sentence = set(stems(guess.sentence))
    present = set(stems(f"{record.title} {record.abstract}"))
    return len(sentence & present) / len(sentence) if sentence else 0.0


def _split_key(text: str) -> list[str]:
    found = [fold(it) for it in _PART.findall(text)]
    return [it for it in found if it not in _NO_NAMES]


def _complete_year(year: int) -> int:
    return year if year > 99 else year + (2000 if year < _THIS_CENTURY else 1900)
