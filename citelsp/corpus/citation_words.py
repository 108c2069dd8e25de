"""Vectors of words that a corpus's own citations taught, beside it: no model, no network, a tenth of a millisecond.

One file holds a line of JSON, the words, each on a line, and their vectors, little-endian float16.  It names the
vectors of the works, which lie where `dense` has them; so a reader sees the old ones or the new.  If they brought
nothing, the line of JSON is all there is.  What cannot be read counts as not there.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from citelsp.base import atomic
from citelsp.corpus import dense, word_training
from citelsp.corpus.dense import Array, Vector, Vectors
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.word_training import Bags
from citelsp.corpus.words import stems

FILE = "citation-words"
LONGEST = 100  # words of a text; what stands behind them is left out
NUMBER = "<f2"  # numpy's name of a vector's numbers
_LONGEST_LINE = 10_000  # bytes of JSON
_AT_ONCE = 8192  # works


@dataclass(frozen=True, slots=True)
class Gains:
    """What they brought on citations that were held out: shares of places, without them and with them."""

    places: int = 0
    first: tuple[float, float] = (0.0, 0.0)
    among_ten: tuple[float, float] = (0.0, 0.0)
    surely: bool = False  # that the right work comes earlier is no chance

    @property
    def helps(self) -> bool:
        return self.surely and self.first[1] >= self.first[0] and self.among_ten[1] >= self.among_ten[0]


@dataclass(frozen=True, slots=True)
class Description:
    """What the line of JSON says."""

    vectors: str  # their name
    gains: Gains
    weight: float = 0.0  # what a unit of nearness adds to the score of a work: `search_place.add_nearness`
    citing: int = 0  # works whose citations taught them
    words: int = 0

    @property
    def is_used(self) -> bool:
        return bool(self.words) and self.gains.helps


@dataclass(frozen=True, slots=True)
class CitationWords:
    """Words and their vectors."""

    numbers: Mapping[str, int] = field(repr=False)
    table: Array = field(repr=False)  # words by numbers

    def encode(self, texts: Sequence[Sequence[str]]) -> Array:
        """Return a vector for each text, given by its stems: of length one, or zero if no word is known."""
        known = self.numbers
        bags = [[known[it] for it in text if it in known][:LONGEST] for text in texts]
        return word_training.unit_vectors(self.table, Bags.collect(bags))


def asked_words(query: Query) -> list[str]:
    """List the stems whose vectors stand for a place: those of the manuscript's title and of the sentence."""
    return stems(query.wording)


def give_vectors(corpus: Corpus, words: CitationWords, name: str, report: Callable[[int], None]) -> int:
    """Make vectors of the titles of all works and write them, under the name `name`; return how many were made.

    A work whose title has not changed since its vector was made (`dense.mark`, a hash of it, tells) keeps that.  If no
    word of a title is among the `words`, its vector is zero.  `report` is told how many works were looked at.
    CorpusError if the disk is full.
    """
    vectors = Vectors.open_named(corpus, name)
    mark_of = vectors.marks()  # by number of a work: what was embedded before
    numbers = corpus.store.all_numbers()
    made = 0
    for start in range(0, len(numbers), _AT_ONCE):
        works = corpus.store.sketches(numbers[start : start + _AT_ONCE]).values()
        fresh = [it for it in works if mark_of.get(it.n) != dense.mark(it.title)]
        if fresh:
            keys = [(it.n, dense.mark(it.title)) for it in fresh]
            encoded = words.encode([it.title_stems.split() for it in fresh])
            with corpus.store.writing():  # the corpus's lock: one process at a time may append
                vectors.append(keys, encoded)
        made += len(fresh)
        report(start + len(works))
    return made


def describe(corpus: Corpus) -> Description | None:
    """Return what was learnt from a corpus's citations; None if that was not tried, or if its file cannot be read."""
    path = corpus.path / FILE
    try:
        return _describe(path, path.stat().st_mtime_ns)
    except OSError:
        return None


def find_direction(corpus: Corpus, query: Query) -> tuple[Vector, float] | None:
    """Return the vector of a place, and what nearness to it weighs; None if nothing was learnt that helps.

    None, too, if what was learnt cannot be read, if numpy is not installed, or if no word of the place has a vector.
    """
    known = describe(corpus)
    if known is None or not known.is_used or find_spec("numpy") is None:
        return None
    words = _read_words(corpus)
    values = words.encode([asked_words(query)])[0] if words else None
    if values is None or not values.any():
        return None
    return Vector(known.vectors, values.tolist()), known.weight


def give_missing_vectors(corpus: Corpus) -> None:
    """Give works that were added since their vectors, if what was learnt is used.  CorpusError as ever."""
    known = describe(corpus)
    if known is None or not known.is_used or not find_spec("numpy"):
        return
    words = _read_words(corpus)
    if words:
        give_vectors(corpus, words, known.vectors, lambda _: None)


def save(corpus: Corpus, description: Description, words: CitationWords | None) -> None:
    """Write what was learnt to its file, in place of what was learnt before; OSError if the disk is full.

    The file has a line of JSON, which `_describe` reads; then each word on a line, and the table of their vectors.
    `description` says how much was learnt and how well it did in a test.  `words` is None if they did not help: then
    the line of JSON is all.  Readers see the old file or the new one.
    """
    gains = description.gains
    line = {
        "vectors": description.vectors, "weight": description.weight,
        "citing": description.citing, "words": description.words,
        "places": gains.places, "first": gains.first, "among_ten": gains.among_ten, "surely": gains.surely,
    }  # fmt: skip
    lines = [json.dumps(line).encode()]
    table = b""
    if words:
        lines += [it.encode() for it in words.numbers]
        table = words.table.astype(NUMBER).tobytes()
    atomic.write(corpus.path / FILE, b"\n".join([*lines, table]))


def _read_words(corpus: Corpus) -> CitationWords | None:
    path = corpus.path / FILE
    with suppress(OSError, ValueError):
        return _read_file(path, path.stat().st_mtime_ns)
    return None


@lru_cache(maxsize=4)
def _describe(path: Path, changed: int) -> Description | None:  # noqa: ARG001  what changed is read anew
    """Read the first line of a file; None if `save` did not write it so.  OSError if the file cannot be read."""
    with path.open("rb") as file:
        line = file.readline(_LONGEST_LINE)
    try:
        raw: dict[str, Any] = json.loads(line)
        first, among_ten = ((float(raw[it][0]), float(raw[it][1])) for it in ("first", "among_ten"))
        gains = Gains(int(raw["places"]), first, among_ten, bool(raw["surely"]))
        return Description(str(raw["vectors"]), gains, float(raw["weight"]), int(raw["citing"]), int(raw["words"]))
    except (ValueError, TypeError, LookupError, RecursionError):
        return None


@lru_cache(maxsize=2)
def _read_file(path: Path, changed: int) -> CitationWords:
    """Read the words of a file, with their vectors; ValueError if the file is not whole.

    `changed`: its time of change, by which a new version is not taken from the cache.
    """
    import numpy as np

    description = _describe(path, changed)
    data = path.read_bytes()
    if description is None:
        raise ValueError(path)
    # The file has a line of JSON, a line for each word, and the table.  Split no further than there are words: the
    # table may hold the byte of a line's end.
    _, *words, table_bytes = data.split(b"\n", description.words + 1)
    table = np.frombuffer(table_bytes, NUMBER).reshape(len(words), word_training.SIZE)
    if len(words) != description.words or not np.isfinite(table).all():
        raise ValueError(path)
    return CitationWords({it.decode(): row for row, it in enumerate(words)}, table)
