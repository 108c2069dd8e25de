"""The passage of a work that speaks for it at a place, quoted character by character."""

import math
from collections.abc import Callable, Iterator

from citelsp.corpus import passages
from citelsp.corpus.query import Query
from citelsp.corpus.words import stems
from citelsp.corpus.work import Work
from citelsp.knowledge import Evidence
from citelsp.syntax import sentences

_LONGEST = 600


def best(work: Work, query: Query, rarity: Callable[[str], float], text: str = "") -> Evidence:
    """The sentence of abstract or full text that shares the rarest words with the place; the title if none does."""
    weights = {**dict.fromkeys(query.view("window"), 0.5), **dict.fromkeys(query.view("sentence"), 1.0)}
    parts = [("abstract", work.abstract), *((it.section or "full text", it.text) for it in passages.split(text))]
    scored = [(_shared(it, weights, rarity), where, it) for where, part in parts for it in _sentences(part)]
    score, where, quote = max(scored, key=lambda it: it[0], default=(0.0, "", ""))
    return Evidence(quote, where, "corpus") if score > 0 else Evidence(work.title, "title", "corpus")


def _sentences(passage: str) -> Iterator[str]:
    for span in sentences.sentences(passage):
        quote = span.within(passage)
        # Shorter ones are numbers and headings, longer ones tables and lists that a PDF ran together.
        if 20 <= len(quote) <= _LONGEST:
            yield quote


def _shared(quote: str, weights: dict[str, float], rarity: Callable[[str], float]) -> float:
    stems_of_quote = set(stems(quote))
    return sum(weights[it] * rarity(it) for it in stems_of_quote if it in weights) / math.sqrt(10 + len(stems_of_quote))
