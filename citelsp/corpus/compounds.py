"""The forms in which a compound may be written: “self-attention”, “self attention”, “selfattention”.

The index holds words as they are written, so that a compound with a hyphen is two of them.  A search asks for the other
forms that titles have; nothing has to be indexed anew.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from citelsp.corpus.catalogue import Wording
from citelsp.corpus.place_query import Query
from citelsp.corpus.words import STOP, stem, stems, words

if TYPE_CHECKING:
    from citelsp.corpus.catalogue import Catalogue, Statistics
    from citelsp.corpus.store import Store
    from citelsp.corpus.word_index import Engine, TextField

_MOST = 50  # words whose forms are looked for; people type fewer
_LONGEST = 40  # letters of a compound
_SHORTEST = 2  # letters of its parts: “co-occurrence”
_LOOKED_AT = 10  # works that hold both parts of a word
_PAIRS = 5  # ways to part a word that are looked at


def spread(engine: "Engine", store: "Store", text: str) -> dict[str, float]:
    """Return the weighted stems to search for: those of the text, and of its compounds as other authors write them.

    Two neighbouring words are joined, “self attention” to “selfattention”, if works write that.  One word is split,
    “selfattention” to “self” and “attention”, if two more frequent words make it up and stand side by side in a title.
    Parts weigh 1; a joined word weighs so that finding it counts no more than finding both parts (`weigh_joined`).
    The index `engine` knows which stems works have and how rare they are, the `store` their titles.
    """

    def holds(stem: str) -> bool:
        return engine.holds("text", stem)

    weights = join_neighbours(engine, holds, text)
    for word in _written(text):
        # Stop words are in no index, and are not searched for.
        parts = _split_compound(engine, store, word) if word not in STOP else ()
        if parts:
            weights |= dict.fromkeys(parts, 1.0)
            weights[stem(word)] = weigh_joined(engine, "text", stem(word), parts)
    return weights


def join_neighbours(statistics: "Statistics", holds: Callable[[str], bool], text: str) -> dict[str, float]:
    """Return the weighted stems of a text, and two neighbouring words as one, “self attention” as “selfattention”.

    `holds` says of the stem of such a word whether works write it.  Stop words are joined, too: “in painting” as
    “inpainting”.
    """
    weights = dict.fromkeys(stems(text), 1.0)
    for first, second in pairwise(_written(text)):
        joined = stem(first + second)
        if holds(joined):
            weights[joined] = weigh_joined(statistics, "text", joined, (stem(first), stem(second)))
    return weights


def _written(text: str) -> list[str]:
    """Return the first words of a text, but for those that are too long to be words."""
    return [it for it in words(text)[:_MOST] if len(it) <= _LONGEST]


def add_joined(catalogue: "Catalogue", query: Query, wording: Wording) -> Wording:
    """Add to a wording the compounds that its text writes with a hyphen, joined: “self-attention” as “selfattention”.

    A wording has the weighted stems to be searched in one field of works.  A joined word that it has already keeps its
    weight.  A compound is left out if the wording has none of its parts, or if no work writes it as one word.  Its
    weight is that of its lightest part in the wording, times a factor of at most 1 by which finding it counts no more
    than finding its parts (`weigh_joined`).
    """
    field = wording.field
    weights = dict(wording.weights)
    for joined, parts in query.compounds.items():  # the stem of the joined word, and those of its parts
        weights_of_parts = [wording.weights[it] for it in parts if it in wording.weights]
        if joined in weights or not weights_of_parts or not catalogue.may_hold(field, joined):
            continue
        weights[joined] = min(weights_of_parts) * weigh_joined(catalogue, field, joined, parts)
    return wording._replace(weights=weights)


def weigh_joined(statistics: "Statistics", field: "TextField", joined: str, parts: tuple[str, ...]) -> float:
    """Weigh a compound in one word, at most 1, so that a work does not come earlier for writing it so."""
    of_parts = sum(statistics.rarity(field, it) for it in parts)
    return min(1.0, of_parts / statistics.rarity(field, joined))


def _split_compound(engine: "Engine", store: "Store", word: str) -> tuple[str, ...]:
    """Return the stems of two words that make up this one and stand side by side in a title; () if there are none.

    Both must be more frequent than the word; the index `engine` tells.  The `_PAIRS` most frequent pairs are tried, the
    most frequent first; a pair is as rare as its rarer part.  Titles are those of the first works, from the `store`,
    that a search for both parts finds.
    """
    # What no work writes is rarest of all: no pair has such a part, and of such a word any two other parts will do.
    word_rarity = engine.rarity("text", stem(word))
    pairs = []
    for end in range(_SHORTEST, len(word) - _SHORTEST + 1):
        pair = (stem(word[:end]), stem(word[end:]))
        pair_rarity = max(engine.rarity("text", part) for part in pair)
        if pair_rarity < word_rarity:
            pairs.append((pair_rarity, pair))
    for _, pair in sorted(pairs)[:_PAIRS]:
        hits = engine.search("title", dict.fromkeys(pair, 1.0), _LOOKED_AT)
        rows = store.rows([number for number, _ in hits])
        if any(pair in pairwise(stems(row.work.title)) for row in rows.values()):
            return pair
    return ()
