"""The forms in which a compound may be written: “self-attention”, “self attention”, “selfattention”.

The index holds words as they are written, so that a compound with a hyphen is two of them.  A search asks for the other
forms that titles have; nothing has to be indexed anew.
"""

from itertools import pairwise
from typing import TYPE_CHECKING

from citelsp.corpus.words import STOP, stem, stems, words

if TYPE_CHECKING:
    from citelsp.corpus.engine import Engine
    from citelsp.corpus.store import Store

_MOST = 50  # words whose forms are looked for; people type fewer
_LONGEST = 40  # letters of a compound
_SHORTEST = 2  # letters of its parts: “co-occurrence”
_LOOKED_AT = 10  # works that hold both parts of a word
_PAIRS = 5  # ways to part a word that are looked at


def spread(engine: "Engine", store: "Store", text: str) -> dict[str, float]:
    """The weighted stems to search for: those of the text, and those of its compounds as others write them.

    Two neighbouring words are joined, “self attention” to “selfattention”, if the index holds that; one word is split,
    “selfattention” to “self” and “attention”, if `_split_compound` finds where.
    """
    weights = dict.fromkeys(stems(text), 1.0)
    written = [word for word in words(text)[:_MOST] if len(word) <= _LONGEST]
    for first, second in pairwise(written):
        joined = stem(first + second)
        if engine.holds("text", joined):
            weights[joined] = _weigh_compound(engine, joined, (stem(first), stem(second)))
    for word in written:
        parts = _split_compound(engine, store, word) if word not in STOP else ()
        if parts:
            weights |= dict.fromkeys(parts, 1.0)
            weights[stem(word)] = _weigh_compound(engine, stem(word), parts)
    return weights


def _weigh_compound(engine: "Engine", joined: str, parts: tuple[str, ...]) -> float:
    """What a compound in one word counts, so that a work that writes it so comes no earlier for that."""
    of_parts = sum(engine.rarity("text", it) for it in parts)
    return min(1.0, of_parts / engine.rarity("text", joined))


def _split_compound(engine: "Engine", store: "Store", word: str) -> tuple[str, ...]:
    """The stems of the two words that make up this one and stand side by side in a title; () if there are none.

    Both are more frequent than the word; the most frequent pairs are looked at first, a few of them.
    """
    word_rarity = engine.rarity("text", stem(word))
    pairs = []
    for end in range(_SHORTEST, len(word) - _SHORTEST + 1):
        pair = (stem(word[:end]), stem(word[end:]))
        pair_rarity = max(engine.rarity("text", part) for part in pair)
        if pair_rarity < word_rarity and all(engine.holds("text", part) for part in pair):
            pairs.append((pair_rarity, pair))
    for _, pair in sorted(pairs)[:_PAIRS]:
        hits = engine.search("title", dict.fromkeys(pair, 1.0), _LOOKED_AT)
        rows = store.rows([number for number, _ in hits])
        if any(pair in pairwise(stems(row.work.title)) for row in rows.values()):
            return pair
    return ()
