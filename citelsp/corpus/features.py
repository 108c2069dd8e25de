"""What speaks for a work at a place: one row of numbers per work, each larger where more speaks for it, age excepted.

No number rewards that something is unknown: a missing abstract, year, author or citation gives zero, or the middle.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from operator import mul

from citelsp.bibliography.fold import fold
from citelsp.corpus.engine import Engine
from citelsp.corpus.graph import VOTERS
from citelsp.corpus.pool import Pool
from citelsp.corpus.query import Query
from citelsp.corpus.store import Sketch
from citelsp.corpus.words import stems, title_key

_VIEWS = ("clause", "context", "manuscript")
_COVERS = ("clause", "near", "window", "manuscript")
_ABSOLUTE = (
    *(f"title~{it}" for it in _VIEWS),
    *(f"abstract~{it}" for it in _VIEWS),
    "plain", "wide", "fused",
    "bigrams", "close_bigrams", *(f"cover_{it}" for it in _COVERS), "named",
    *(f"votes_{it}" for it in VOTERS), "votes_rare", "popularity", "recent", "age",
    "short_name", "acronym", "near_acronym",
    "author", "near_author", "sentence_author",
)  # fmt: skip
_RELATIVE = (  # counted a second time as a share of the pool's largest
    "title~clause", "title~context", "title~manuscript", "abstract~clause", "abstract~context",
    "plain", "wide", "fused", "bigrams", "cover_window", *(f"votes_{it}" for it in VOTERS), "votes_rare",
)  # fmt: skip
NAMES = (*_ABSOLUTE, *(f"{it}/most" for it in _RELATIVE), "agreement")
_AGREEING = ("fused", "title~manuscript")  # whose shares are multiplied
_K1 = 1.2
_TITLE_B, _TITLE_LENGTH = 0.5, 8.0  # stems of an average title
_ABSTRACT_B, _ABSTRACT_LENGTH = 0.75, 100.0
_MIDDLE_AGE = math.log1p(5)
_NOTHING = (0.0,) * len(_VIEWS)
_UNCOVERED = (0.0,) * (len(_COVERS) + 1)
_SHARES = tuple(map(_ABSOLUTE.index, _RELATIVE))
_BOTH = tuple(map(_RELATIVE.index, _AGREEING))

Table = Mapping[str, tuple[float, ...]]  # stem of the place → weight times rarity under every view, or 1 where held


def rows(engine: Engine, query: Query, pool: Pool, year: int) -> list[list[float]]:
    """One row of features in the order of NAMES for every work of a pool; `year` is the manuscript's."""
    titles = _table(query, lambda it: engine.rarity("title", it))
    abstracts = _table(query, lambda it: engine.rarity("text", it))
    covers = _covers(query)
    found = [
        [
            *_bm25(title := work.title_stems.split(), titles, _TITLE_B, _TITLE_LENGTH),
            *_bm25(work.abstract_stems.split(), abstracts, _ABSTRACT_B, _ABSTRACT_LENGTH),
            math.sqrt(pool.plain.get(work.n, 0.0)),
            math.sqrt(pool.wide.get(work.n, 0.0)),
            60 * pool.fused.get(work.n, 0.0),
            *_title(title, covers, query, engine),
            *_graph(work, pool, year),
            *_names(work, title, query, engine),
            *_authors(work, query),
        ]
        for work in pool.works
    ]
    return with_shares(found)


def with_shares(found: list[list[float]]) -> list[list[float]]:
    """Rows of absolute features, completed by those that compare each work with the pool's best."""
    tops = [max([row[it] for row in found], default=0.0) + 1e-6 for it in _SHARES]
    shares = [[row[it] / top for it, top in zip(_SHARES, tops, strict=True)] for row in found]
    return [[*row, *share, share[_BOTH[0]] * share[_BOTH[1]]] for row, share in zip(found, shares, strict=True)]


def _table(query: Query, rarity: Callable[[str], float]) -> Table:
    found: dict[str, tuple[float, ...]] = {}
    views = [query.view(it) for it in _VIEWS]
    for stem in {stem for view in views for stem in view}:
        rare = rarity(stem)
        found[stem] = tuple([view.get(stem, 0.0) * rare for view in views])
    return found


def _covers(query: Query) -> Table:
    """Whether each view of _COVERS holds a stem, and whether it is part of a name in the clause."""
    held = (*[query.view(it) for it in _COVERS], query.named)
    return {stem: tuple([float(stem in it) for it in held]) for it in held for stem in it}


def _bm25(text: Sequence[str], table: Table, b: float, average: float) -> Sequence[float]:
    """Square roots of the BM25 scores of a text under every view."""
    counts: dict[str, int] = {}
    for stem in text:
        if stem in table:
            counts[stem] = counts.get(stem, 0) + 1
    if not counts:
        return _NOTHING
    norm = _K1 * (1 - b + b * len(text) / average)
    gains = [count * (_K1 + 1) / (count + norm) for count in counts.values()]
    return [math.sqrt(sum(map(mul, gains, column))) for column in zip(*[table[it] for it in counts], strict=True)]


def _title(title: Sequence[str], covers: Table, query: Query, engine: Engine) -> list[float]:
    """Neighbouring words that title and place share; how much of the title's rarity the place holds; shared names."""
    rarity = {it: engine.rarity("title", it) for it in title}
    wide = close = 0.0
    for pair in query.bigrams.intersection(pairwise(title)):
        rare = rarity[pair[0]] + rarity[pair[1]]
        wide += rare
        close += rare if pair in query.close_bigrams else 0.0
    shared = rarity.keys() & covers.keys()
    if not shared:
        return [math.sqrt(wide), math.sqrt(close), *_UNCOVERED]
    values, total = [rarity[it] for it in shared], sum(rarity.values()) or 1.0
    *held, named = [sum(map(mul, values, column)) for column in zip(*[covers[it] for it in shared], strict=True)]
    return [math.sqrt(wide), math.sqrt(close), *[it / total for it in held], named]


def _graph(work: Sketch, pool: Pool, year: int) -> list[float]:
    votes = [max(0.0, pool.votes[it].get(work.n, 0.0)) for it in VOTERS]
    cited, recent = pool.cited.get(work.n, (0, 0))
    known = work.year is not None and year < 9999
    age = math.log1p(min(30, max(0, year - (work.year or year)))) if known else _MIDDLE_AGE
    rare = votes[0] / math.sqrt(3 + cited)
    return [*map(math.log1p, votes), rare, math.log1p(cited), math.log1p(recent), age]


def _names(work: Sketch, title: Sequence[str], query: Query, engine: Engine) -> list[float]:
    initials = "".join([it[0] for it in title])
    return [
        _short_name(work.title, query, engine),
        _spelt(query.acronyms, initials),
        _spelt(query.near_acronyms, initials),
    ]


def _short_name(title: str, query: Query, engine: Engine) -> float:
    """The rarity of the name before a title's colon, where the sentence holds it."""
    name, colon, _ = title.partition(":")
    if not colon or name.count(" ") > 2 or f" {(short := title_key(name))} " not in query.sentence_phrase:
        return 0.0
    return max((engine.rarity("title", it) for it in stems(short)), default=0.0)


def _spelt(acronyms: frozenset[str], initials: str) -> float:
    """The length of the longest acronym of three letters or more that a title's initials spell."""
    return float(max([len(it) for it in acronyms if it in initials], default=0))


def _authors(work: Sketch, query: Query) -> tuple[float, float, float]:
    if not work.authors or not query.names:
        return 0.0, 0.0, 0.0
    families = {first := _family((names := work.authors.split("\n", 2))[0]), _family(names[1] if names[1:] else "")}
    near, close = not query.near_names.isdisjoint(families), not query.sentence_names.isdisjoint(families)
    return float(first in query.names), float(near), float(close)


def _family(author: str) -> str:
    family, comma, _ = author.partition(",")
    return fold(family if comma else author.rpartition(" ")[2])
