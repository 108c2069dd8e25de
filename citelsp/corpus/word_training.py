"""Vectors of words, trained so that what a work says lies nearer to what it cites than to what others cite.

Contrastive: each of many pairs, a text of a citing work and the title of a cited one, is compared with the titles of
the other pairs.  numpy alone; the same seed gives the same vectors on one machine.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.random import Generator

SIZE = 128  # numbers of a vector
TOGETHER = 1024  # pairs that are compared with each other
_SHARPNESS = 15.0  # by which likeness is multiplied before it is compared
_RATE = 0.05
_TINY = 1e-8

Array = Any  # of numpy, which is imported when it is needed


@dataclass(frozen=True, slots=True)
class Bags:
    """Texts as the numbers of their words: `words` of all of them in a row, and where each text begins, and the end."""

    words: Array
    bounds: Array

    @classmethod
    def collect(cls, texts: Sequence[Sequence[int]]) -> "Bags":
        import numpy as np

        bounds = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(it) for it in texts], out=bounds[1:])
        words = np.fromiter((it for text in texts for it in text), np.int32, int(bounds[-1]))
        return cls(words, bounds)

    def take(self, chosen: Array) -> "Bags":
        """Some of the texts, by their numbers."""
        import numpy as np

        lengths = self.bounds[chosen + 1] - self.bounds[chosen]
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        within = np.arange(bounds[-1]) - np.repeat(bounds[:-1], lengths)
        return Bags(self.words[np.repeat(self.bounds[chosen], lengths) + within], bounds)


def unit_vectors(table: Array, texts: Bags) -> Array:
    """A vector of length one for each text, of zeros if it has no known word."""
    import numpy as np

    sums = _sums(table, texts)
    return sums / (np.linalg.norm(sums, axis=1, keepdims=True) + _TINY)


def _sums(table: Array, texts: Bags) -> Array:
    import numpy as np

    sums = np.zeros((len(texts.bounds) - 1, table.shape[1]), np.float32)
    there = np.flatnonzero(np.diff(texts.bounds))
    if len(there):
        sums[there] = np.add.reduceat(table[texts.words].astype(np.float32), texts.bounds[there], axis=0)
    return sums


@dataclass(frozen=True, slots=True)
class Pairs:
    """What is learnt from: texts of citing works, titles of cited ones, and which belong together."""

    texts: Bags
    titles: Bags
    citing: Sequence[tuple[Array, Array]]  # for each citing work its texts and the titles that it cites


def train(pairs: Pairs, start: Array, seed: int, report: Callable[[int], None], steps: int) -> Array:
    """The vectors of words, beginning with `start`; `report` is told how many pairs were compared."""
    import numpy as np

    table, squares = start.astype(np.float32), np.zeros(start.shape, np.float32)
    for done, (texts, titles) in enumerate(_batches(pairs, np.random.default_rng(seed), steps), 1):
        _learn(table, squares, pairs.texts.take(texts), pairs.titles.take(titles), titles)
        report(done * len(texts))
    return table


def _batches(pairs: Pairs, chance: "Generator", steps: int) -> Iterator[tuple[Array, Array]]:
    """For each step texts and titles that belong together, of a citing work one, as its reasons may be alike."""
    import numpy as np

    count = len(pairs.citing)
    for _ in range(steps):
        chosen = chance.permutation(count)[:TOGETHER]
        some = [(pairs.citing[it], chance.random(2)) for it in chosen]
        texts = np.array([of[int(at * len(of))] for (of, _), (at, _) in some])
        titles = np.array([of[int(at * len(of))] for (_, of), (_, at) in some])
        yield texts, titles


def _learn(table: Array, squares: Array, texts: Bags, cited: Bags, titles: Array) -> None:
    """One step of gradient descent, in place; `titles` says which of the cited are one work."""
    import numpy as np

    asked, found = _sums(table, texts), _sums(table, cited)
    asked_length, found_length = (np.linalg.norm(it, axis=1, keepdims=True) + _TINY for it in (asked, found))
    asked, found = asked / asked_length, found / found_length
    likeness = _SHARPNESS * (asked @ found.T)
    # A title that several cite is right for each of them.
    likeness[(titles[:, None] == titles) & ~np.eye(len(titles), dtype=bool)] = -np.inf
    share = np.exp(likeness - likeness.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    share[np.diag_indices(len(share))] -= 1.0
    share *= _SHARPNESS / len(share)
    slopes = np.concatenate([
        _before_norm(share @ found, asked, asked_length),
        _before_norm(share.T @ asked, found, found_length),
    ])  # fmt: skip
    of = np.repeat(np.arange(len(slopes)), np.concatenate([np.diff(texts.bounds), np.diff(cited.bounds)]))
    _descend(table, squares, np.concatenate([texts.words, cited.words]), slopes[of])


def _before_norm(slopes: Array, units: Array, lengths: Array) -> Array:
    """Slopes by unit vectors as slopes by the vectors that these were before."""
    import numpy as np

    return (slopes - units * np.einsum("ij,ij->i", slopes, units)[:, None]) / lengths


def _descend(table: Array, squares: Array, words: Array, slopes: Array) -> None:
    """A step by Adagrad: the slope of each occurrence of a word is given."""
    import numpy as np

    if not len(words):
        return
    order = np.argsort(words, kind="stable")
    touched, first = np.unique(words[order], return_index=True)
    slope = np.add.reduceat(slopes[order], first, axis=0)
    squares[touched] += slope * slope
    table[touched] -= _RATE * slope / (np.sqrt(squares[touched]) + _TINY)
