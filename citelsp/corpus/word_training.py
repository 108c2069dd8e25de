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
_RATE = 0.05  # of learning: what a first step changes a number by, at most
_TINY = 1e-8  # keeps zeros from a division by zero

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

    sums = _sum_words(table, texts)
    return sums / (np.linalg.norm(sums, axis=1, keepdims=True) + _TINY)


def _sum_words(table: Array, texts: Bags) -> Array:
    """For each text the sum of its words' vectors, which are the rows of the table; zeros for a text without words."""
    import numpy as np

    sums = np.zeros((len(texts.bounds) - 1, table.shape[1]), np.float32)
    with_words = np.flatnonzero(np.diff(texts.bounds))
    if len(with_words):
        vectors = table[texts.words].astype(np.float32)
        sums[with_words] = np.add.reduceat(vectors, texts.bounds[with_words], axis=0)
    return sums


@dataclass(frozen=True, slots=True)
class Pairs:
    """What is learnt from: texts of citing works, titles of cited ones, and which belong together."""

    texts: Bags
    titles: Bags
    citing: Sequence[tuple[Array, Array]]  # for each citing work its texts and the titles that it cites


def train(pairs: Pairs, start: Array, seed: int, report: Callable[[int], None], steps: int) -> Array:
    """The vectors of words after so many steps from `start` on; `report` is told how many pairs were compared."""
    import numpy as np

    table = start.astype(np.float32)
    squares = np.zeros(start.shape, np.float32)
    batches = _draw_batches(pairs, np.random.default_rng(seed), steps)
    for done, (texts, titles) in enumerate(batches, 1):
        _take_step(table, squares, pairs.texts.take(texts), pairs.titles.take(titles), titles)
        report(done * len(texts))
    return table


def _draw_batches(pairs: Pairs, chance: "Generator", steps: int) -> Iterator[tuple[Array, Array]]:
    """Yield for each step the numbers of at most TOGETHER texts, and of a cited title for each, drawn by chance.

    Each citing work gives one text and one title only: what it says of several works may be alike, and then each of
    these titles would be right.
    """
    import numpy as np

    for _ in range(steps):
        chosen = chance.permutation(len(pairs.citing))[:TOGETHER]
        texts: list[int] = []
        titles: list[int] = []
        for number in chosen:
            own_texts, cited_titles = pairs.citing[number]
            which_text, which_title = chance.random(2)
            texts.append(own_texts[int(which_text * len(own_texts))])
            titles.append(cited_titles[int(which_title * len(cited_titles))])
        yield np.array(texts), np.array(titles)


def _take_step(table: Array, squares: Array, texts: Bags, cited: Bags, titles: Array) -> None:
    """Take one step of gradient descent, which changes `table`, the vectors of words, and `squares`, Adagrad's sums.

    The vector of a text or a title is the sum of those of its words.  `cited` are titles: each text is to lie nearer to
    that at its own position than to the others.  `titles` has the numbers of these titles, which tell repeated ones.
    """
    import numpy as np

    text_sums = _sum_words(table, texts)
    cited_sums = _sum_words(table, cited)
    text_lengths = np.linalg.norm(text_sums, axis=1, keepdims=True) + _TINY
    cited_lengths = np.linalg.norm(cited_sums, axis=1, keepdims=True) + _TINY
    text_units = text_sums / text_lengths
    cited_units = cited_sums / cited_lengths
    errors = _compute_errors(text_units, cited_units, titles) * (_SHARPNESS / len(titles))
    slopes = np.concatenate([
        _undo_norm(errors @ cited_units, text_units, text_lengths),
        _undo_norm(errors.T @ text_units, cited_units, cited_lengths),
    ])  # fmt: skip
    # Each word of a sum has the slope of the sum.
    words_of_each = np.concatenate([np.diff(texts.bounds), np.diff(cited.bounds)])
    sum_of_word = np.repeat(np.arange(len(slopes)), words_of_each)
    _descend(table, squares, np.concatenate([texts.words, cited.words]), slopes[sum_of_word])


def _compute_errors(text_units: Array, cited_units: Array, titles: Array) -> Array:
    """Return for each text, in a row, how much too like each title is: the softmax over all titles, less 1 for its own.

    The arguments are unit vectors of texts and titles, and the numbers of the titles, which tell repeated ones.
    """
    import numpy as np

    likeness = _SHARPNESS * (text_units @ cited_units.T)
    # A title that several cite is right for each of them: at other positions it is left out of their comparison.
    is_right_too = (titles[:, None] == titles) & ~np.eye(len(titles), dtype=bool)
    likeness[is_right_too] = -np.inf
    errors = np.exp(likeness - likeness.max(axis=1, keepdims=True))
    errors /= errors.sum(axis=1, keepdims=True)
    errors[np.diag_indices(len(errors))] -= 1.0
    return errors


def _undo_norm(slopes: Array, units: Array, lengths: Array) -> Array:
    """Slopes by unit vectors as slopes by the vectors that these were before."""
    import numpy as np

    return (slopes - units * np.einsum("ij,ij->i", slopes, units)[:, None]) / lengths


def _descend(table: Array, squares: Array, words: Array, slopes: Array) -> None:
    """A step by Adagrad, which changes `table` and `squares`; `slopes` has a row for each occurrence of a word."""
    import numpy as np

    if not len(words):
        return
    order = np.argsort(words, kind="stable")
    touched, first_places = np.unique(words[order], return_index=True)
    slope = np.add.reduceat(slopes[order], first_places, axis=0)
    squares[touched] += slope * slope
    table[touched] -= _RATE * slope / (np.sqrt(squares[touched]) + _TINY)
