"""What speaks for a work at a place: one row of numbers per work, each larger where more speaks for it, age excepted.

No number rewards that something is unknown: a missing abstract, year, author or citation gives zero, or the middle.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise

from citelsp.corpus.engine import Engine
from citelsp.corpus.pool import Pool
from citelsp.corpus.query import VIEWS, Query
from citelsp.corpus.store import Row
from citelsp.corpus.words import stems, title_key, words

NAMES = (
    *(f"title~{it}" for it in VIEWS),
    *(f"abstract~{it}" for it in VIEWS),
    "plain", "fused", "bigrams", "close_bigrams",
    "votes_few", "votes", "votes_window", "votes_sentence", "votes_rare", "popularity", "age",
    "short_name", "acronym", "near_acronym", "whole_title",
    "cover_sentence", "cover_window", "cover_manuscript",
    "author", "author_year", "near_author",
)  # fmt: skip
_K1 = 1.2
_TITLE_B, _TITLE_LENGTH = 0.5, 8.0  # stems of an average title
_ABSTRACT_B, _ABSTRACT_LENGTH = 0.75, 100.0
_MIDDLE_AGE = math.log1p(5)


@lru_cache(maxsize=50_000)
def title_stems(title: str) -> tuple[str, ...]:
    return tuple(stems(title))


def rows(engine: Engine, query: Query, pool: Pool, year: int) -> list[list[float]]:
    """One row of features in the order of NAMES for every work of a pool."""
    titles = _weights(query, lambda it: engine.rarity("title", it))
    abstracts = _weights(query, lambda it: engine.rarity("text", it))
    return [
        [
            *_bm25(title_stems(row.work.title), titles, _TITLE_B, _TITLE_LENGTH),
            *_abstract(row.work.abstract, abstracts),
            math.sqrt(pool.plain.get(row.n, 0.0)),
            60 * pool.fused.get(row.n, 0.0),
            *_bigrams(title_stems(row.work.title), query, engine),
            *_graph(row, pool, year),
            *_names(row, query, engine),
            *_cover(title_stems(row.work.title), titles, engine),
            *_authors(row, query),
        ]
        for row in pool.rows
    ]


def _weights(query: Query, rarity: Callable[[str], float]) -> dict[str, tuple[float, ...]]:
    """For each stem of the place its weight times its rarity under every view."""
    found: dict[str, tuple[float, ...]] = {}
    for stem in dict.fromkeys(stem for view in query.views for stem in view):
        rare = rarity(stem)
        found[stem] = tuple(view.get(stem, 0.0) * rare for view in query.views)
    return found


def _bm25(text: tuple[str, ...], table: Mapping[str, tuple[float, ...]], b: float, average: float) -> list[float]:
    """Square roots of the BM25 scores of a text under every view."""
    total = [0.0] * len(VIEWS)
    norm = _K1 * (1 - b + b * len(text) / average)
    for stem, count in Counter(it for it in text if it in table).items():
        gain = count * (_K1 + 1) / (count + norm)
        total = [it + gain * weight for it, weight in zip(total, table[stem], strict=True)]
    return [math.sqrt(it) for it in total]


def _abstract(abstract: str, table: Mapping[str, tuple[float, ...]]) -> list[float]:
    if not abstract:
        return [0.0] * len(VIEWS)
    return _bm25(tuple(stems(abstract)), table, _ABSTRACT_B, _ABSTRACT_LENGTH)


def _bigrams(title: tuple[str, ...], query: Query, engine: Engine) -> tuple[float, float]:
    wide = close = 0.0
    for pair in pairwise(title):
        if pair in query.bigrams:
            rare = engine.rarity("title", pair[0]) + engine.rarity("title", pair[1])
            wide += rare
            close += rare if pair in query.close_bigrams else 0.0
    return math.sqrt(wide), math.sqrt(close)


def _graph(row: Row, pool: Pool, year: int) -> list[float]:
    votes = [it.get(row.n, 0.0) for it in pool.votes]
    cited = pool.cited.get(row.n, 0)
    known = row.work.year
    age = math.log1p(min(30, max(0, year - known))) if known and year < 9999 else _MIDDLE_AGE
    return [*map(math.log1p, votes), votes[1] / math.sqrt(3 + cited), math.log1p(cited), age]


def _names(row: Row, query: Query, engine: Engine) -> list[float]:
    title = row.work.title
    key = title_key(title)
    name, colon, _ = title.partition(":")
    short = title_key(name)
    named = colon and 0 < len(short.split()) <= 3 and f" {short} " in query.sentence_phrase
    rare = max((engine.rarity("title", it) for it in stems(short)), default=0.0) if named else 0.0
    initials = "".join(it[0] for it in words(title))
    content = "".join(it[0] for it in title_stems(title))
    return [
        rare,
        _spelt(query.acronyms, initials, content),
        _spelt(query.near_acronyms, initials, content),
        float(" " in key and f" {key} " in query.phrase),
    ]


def _spelt(acronyms: frozenset[str], *initials: str) -> float:
    """The length of the longest acronym of three letters or more that a title's initials spell."""
    return float(max((len(it) for it in acronyms if len(it) > 2 and any(it in run for run in initials)), default=0))


def _cover(title: tuple[str, ...], table: Mapping[str, tuple[float, ...]], engine: Engine) -> list[float]:
    """The share of a title's rarity that sentence, window and manuscript title hold."""
    rarities = {it: engine.rarity("title", it) for it in set(title)}
    total = sum(rarities.values())
    if not total:
        return [0.0, 0.0, 0.0]
    held = [(table[it], rare) for it, rare in rarities.items() if it in table]
    return [
        sum(rare for weights, rare in held if weights[VIEWS.index(view)]) / total
        for view in ("sentence", "window", "manuscript")
    ]


def _authors(row: Row, query: Query) -> list[float]:
    families = [_family(it) for it in row.work.authors[:2]]
    cited = float(bool(families) and families[0] in query.names)
    return [
        cited,
        cited * float(str(row.work.year) in query.years),
        float(any(it in query.near_names for it in families)),
    ]


def _family(author: str) -> str:
    family, comma, _ = author.partition(",")
    return (family if comma else author.rpartition(" ")[2]).lower()
