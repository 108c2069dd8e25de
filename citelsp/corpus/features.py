"""What speaks for a work at a place: one row of numbers per work, each larger where more speaks for it, age excepted.

No number rewards that something is unknown: a missing abstract, year, author or citation gives zero, or the middle.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from operator import mul

from citelsp.bibliography.fold import fold
from citelsp.corpus.engine import Engine
from citelsp.corpus.pool import Pool
from citelsp.corpus.query import Query
from citelsp.corpus.store import Sketch
from citelsp.corpus.words import stems, title_key

_VIEWS = ("window", "clause", "fading", "context", "manuscript")
_ABSOLUTE = (
    *(f"title~{it}" for it in _VIEWS),
    *(f"abstract~{it}" for it in _VIEWS),
    "plain", "fused",
    "bigrams", "close_bigrams", "cover_window", "cover_manuscript",
    "votes_few", "votes", "votes_window", "votes_sentence", "votes_rare", "popularity", "age",
    "short_name", "acronym", "near_acronym",
    "author", "near_author",
)  # fmt: skip
_RELATIVE = (  # counted a second time as a share of the pool's largest
    "title~clause", "title~fading", "title~context", "title~manuscript", "abstract~clause", "abstract~context",
    "plain", "fused", "bigrams", "cover_window", "votes", "votes_window", "votes_sentence", "votes_rare",
)  # fmt: skip
NAMES = (*_ABSOLUTE, *(f"{it}/most" for it in _RELATIVE))
_K1 = 1.2
_TITLE_B, _TITLE_LENGTH = 0.5, 8.0  # stems of an average title
_ABSTRACT_B, _ABSTRACT_LENGTH = 0.75, 100.0
_MIDDLE_AGE = math.log1p(5)
_NOTHING = (0.0,) * len(_VIEWS)
_WINDOW, _MANUSCRIPT = map(_VIEWS.index, ("window", "manuscript"))
_SHARES = tuple(map(_ABSOLUTE.index, _RELATIVE))

Table = Mapping[str, tuple[float, ...]]  # stem of the place → weight times rarity under every view


def rows(engine: Engine, query: Query, pool: Pool, year: int) -> list[list[float]]:
    """One row of features in the order of NAMES for every work of a pool; `year` is the manuscript's."""
    titles = _table(query, lambda it: engine.rarity("title", it))
    abstracts = _table(query, lambda it: engine.rarity("text", it))
    found = [
        [
            *_bm25(title := work.title_stems.split(), titles, _TITLE_B, _TITLE_LENGTH),
            *_bm25(work.abstract_stems.split(), abstracts, _ABSTRACT_B, _ABSTRACT_LENGTH),
            math.sqrt(pool.plain.get(work.n, 0.0)),
            60 * pool.fused.get(work.n, 0.0),
            *_title(title, titles, query, engine),
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
    return [[*row, *[row[it] / top for it, top in zip(_SHARES, tops, strict=True)]] for row in found]


def _table(query: Query, rarity: Callable[[str], float]) -> Table:
    found: dict[str, tuple[float, ...]] = {}
    views = [query.view(it) for it in _VIEWS]
    for stem in {stem for view in views for stem in view}:
        rare = rarity(stem)
        found[stem] = tuple([view.get(stem, 0.0) * rare for view in views])
    return found


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


def _title(title: Sequence[str], table: Table, query: Query, engine: Engine) -> list[float]:
    """Neighbouring words that title and place share; the share of the title's rarity that the place holds."""
    rarity = {it: engine.rarity("title", it) for it in title}
    wide = close = 0.0
    for pair in query.bigrams.intersection(pairwise(title)):
        rare = rarity[pair[0]] + rarity[pair[1]]
        wide += rare
        close += rare if pair in query.close_bigrams else 0.0
    window = manuscript = 0.0
    for stem in rarity.keys() & table.keys():
        weights = table[stem]
        window += rarity[stem] if weights[_WINDOW] else 0.0
        manuscript += rarity[stem] if weights[_MANUSCRIPT] else 0.0
    total = sum(rarity.values()) or 1.0
    return [math.sqrt(wide), math.sqrt(close), window / total, manuscript / total]


def _graph(work: Sketch, pool: Pool, year: int) -> list[float]:
    votes = [it.get(work.n, 0.0) for it in pool.votes]
    cited = pool.cited.get(work.n, 0)
    known = work.year is not None and year < 9999
    age = math.log1p(min(30, max(0, year - (work.year or year)))) if known else _MIDDLE_AGE
    return [*map(math.log1p, votes), votes[1] / math.sqrt(3 + cited), math.log1p(cited), age]


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


def _authors(work: Sketch, query: Query) -> tuple[float, float]:
    if not work.authors or not query.names:
        return 0.0, 0.0
    families = [_family(it) for it in work.authors.split("\n", 2)[:2]]
    return float(families[0] in query.names), float(any(it in query.near_names for it in families))


def _family(author: str) -> str:
    family, comma, _ = author.partition(",")
    return fold(family if comma else author.rpartition(" ")[2])
