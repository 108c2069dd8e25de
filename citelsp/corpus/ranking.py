"""The second stage: what speaks for a work at a place, a weighted sum of it, and how probable that makes the work.

Features are one row of numbers for each work, each larger if more speaks for it, but for age and being cited beside the
place already, which speak against it.  No number rewards that something is unknown: a missing abstract, year, author or
citation gives zero, or the middle.
"""

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from operator import mul
from pathlib import Path
from typing import Any

from citelsp.bibliography.fold import fold
from citelsp.corpus.catalogue import Statistics
from citelsp.corpus.graph import BALLOTS, VOTERS
from citelsp.corpus.pool import Pool, Stage
from citelsp.corpus.query import Kind, Query
from citelsp.corpus.store import Sketch
from citelsp.corpus.words import stems, title_key

_TIMES = "*"
_PRIORS = {"recent", "age"}  # features that look at no word of the place
LINE = ("slope", "offset", "none", "unmet", "works", "fewer")  # fields of Weights that hold numbers
FEWEST = 5000  # works of the smallest corpora that probabilities were fitted in; in smaller ones they are a guess

_TITLE_VIEWS = ("context", "manuscript", "cites")
_ABSTRACT_VIEWS = ("clause", "context")
_COVERS = ("clause", "near", "window")
_RARE = ("context", "sentence", "clause", "bibliography")  # ballots whose votes count more for works that few cite
_ABSOLUTE = (
    *(f"title~{it}" for it in _TITLE_VIEWS), *(f"cover_{it}" for it in (*_COVERS, "all")), "named",
    "bigrams", "close_bigrams",
    *(f"abstract~{it}" for it in _ABSTRACT_VIEWS), "named_abstract",
    "held_near", "held_clause",
    "plain", "wide", "fused", "plain_rank",
    *(f"votes_{it}" for it in VOTERS), *(f"rare_{it}" for it in _RARE), "recent", "age",
    "short_name", "clause_name", "last_name", "acronym", "near_acronym",
    "author", "near_author", "sentence_author", "author_anywhere", "cited",
)  # fmt: skip
_RELATIVE = ("title~manuscript", "plain", "bigrams", "fused")
NAMES = (*_ABSOLUTE, *(f"{it}/most" for it in _RELATIVE))  # the relative as shares of the pool's largest
_TOGETHER = (
    "title~context", "cover_clause", "cover_near", "cover_window", "close_bigrams", "abstract~clause",
    "votes_sentence", "votes_beside", "rare_context", "recent",
    "title~manuscript/most", "plain/most", "bigrams/most", "fused/most",
)  # fmt: skip
# Pairs that say more together than each alone: their products are weighed too.
PAIRS = (*combinations(_TOGETHER, 2), ("recent", "held_clause"))
_K1 = 1.2
_TITLE_B, _TITLE_LENGTH = 0.5, 8.0  # stems of an average title
_ABSTRACT_B, _ABSTRACT_LENGTH = 0.75, 100.0
_MIDDLE_AGE = math.log1p(5)
_NO_TITLE = (0.0,) * (_ABSOLUTE.index("close_bigrams") + 1)
_NO_ABSTRACT = (0.0,) * (len(_ABSTRACT_VIEWS) + 1)
_NO_NAME = (0.0,) * 3
_NO_AUTHOR = (0.0,) * 5
_RARE_AT = tuple(map(BALLOTS.index, _RARE))
_SHARES = tuple(map(_ABSOLUTE.index, _RELATIVE))
_ENOUGH = 0.4  # share of the rarity from which on there is no doubt
_LEAST = 0.05  # share that any work is granted, as others may cite it beside what is meant
_EARLY = 3  # from this rank on it counts little which it is

Table = Mapping[str, tuple[float, ...]]  # stem of the place → weight times rarity under every view, or 1 where held


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted ranking: what features and products of two weigh; the line from log odds to calibrated log odds.

    The odds are those of a work against all others and against none of them, which has a score too.
    """

    weights: tuple[float, ...]  # in the order of NAMES
    pairs: tuple[tuple[int, int, float], ...] = ()  # places of two features in NAMES, and what their product weighs
    slope: float = 1.0
    offset: float = 0.0
    assuring: tuple[tuple[int, float], ...] = ()  # places of features in NAMES, what each of the first work adds
    none: float = -math.inf  # the score of what is no work here
    unmet: float = 0.0  # what each e-fold adds of unmet_sentence
    works: int = 0  # in the corpus that the line was fitted in
    fewer: float = 0.0  # what each e-fold fewer works than those add

    def score(self, row: Sequence[float]) -> float:
        together = [row[one] * row[other] * weight for one, other, weight in self.pairs]
        return math.fsum(map(mul, self.weights, row)) + math.fsum(together)

    def by_name(self) -> dict[str, float]:
        """The weights that are not zero, as `named` takes them."""
        alone = {name: it for name, it in zip(NAMES, self.weights, strict=True) if it}
        return alone | {f"{NAMES[one]}{_TIMES}{NAMES[other]}": it for one, other, it in self.pairs}

    def with_line(self, assuring: Mapping[str, float], **line: Any) -> "Weights":  # noqa: ANN401
        """The same ranking calibrated: `assuring` by names of features, `line` by names of LINE."""
        places = tuple((NAMES.index(name), weight) for name, weight in assuring.items())
        return replace(self, assuring=places, **line)

    def probabilities(
        self, scores: Sequence[float], rows: Sequence[Sequence[float]], works: int, unmet: float = 0.0
    ) -> list[float]:
        """How probably each work is the one meant: the softmax of scores, calibrated by what is known of the first.

        In a corpus of so many works; `unmet` is unmet_sentence of the first work.
        """
        if not scores:
            return []
        top = max(scores)
        first = rows[scores.index(top)]
        offset = self.offset + self.unmet * unmet + math.fsum(first[it] * weight for it, weight in self.assuring)
        # With fewer works around it the first one leads by less evidence, and as often nothing fits.
        if works < self.works:
            offset += self.fewer * math.log(self.works / works)
        raised = [math.exp(it - top) for it in scores]
        total = sum(raised) + math.exp(self.none - top)
        return [self._calibrated(it / total, offset) for it in raised]

    def _calibrated(self, share: float, offset: float) -> float:
        share = min(1 - 1e-9, max(1e-9, share))
        return 1 / (1 + math.exp(-(self.slope * math.log(share / (1 - share)) + offset)))


@lru_cache(maxsize=8)
def fitted(kind: Kind) -> Weights:
    """The weights that come with the package, for one kind of query; `fitted_on` in their file names their data."""
    raw = _file()[kind]
    return named(raw["weights"]).with_line(raw.get("assuring", {}), **{it: raw[it] for it in LINE if it in raw})


def named(weights: Mapping[str, float]) -> Weights:
    """Weights given by names of features, or by two names with an asterisk between them; others are zero."""
    alone = tuple(weights.get(it, 0.0) for it in NAMES)
    products = ((name.partition(_TIMES), it) for name, it in weights.items() if _TIMES in name)
    return Weights(alone, tuple((NAMES.index(one), NAMES.index(other), it) for (one, _, other), it in products))


@lru_cache(maxsize=8)
def weights_at(stage: Stage, kind: Kind) -> Weights:
    """The weights that are used at a stage: before any are fitted, the reciprocal ranks alone."""
    if stage < Stage.WEIGHTS:
        return named({"fused": 1.0})
    if stage >= Stage.PRIORS:
        return fitted(kind)
    last = fitted(kind).by_name()
    return named({name: it for name, it in last.items() if _PRIORS.isdisjoint(name.split(_TIMES))})


def fitted_on() -> str:
    """The data that the weights were fitted on, in words."""
    return "; ".join(dict.fromkeys(it["fitted_on"] for it in _file().values() if isinstance(it, dict)))


def nothing_fits() -> float:
    """The probability of a first candidate below which nothing is said to fit; fitted with the weights."""
    return float(_file()["nothing_fits"])


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return raw


def rows(statistics: Statistics, query: Query, pool: Pool, year: int) -> list[list[float]]:
    """One row of features in the order of NAMES for every work of a pool; `year` is the manuscript's."""
    titles = [work.title_stems.split() for work in pool.works]
    rarity = {stem: statistics.rarity("title", stem) for stem in {stem for title in titles for stem in title}}
    in_titles = _title_table(query, rarity)
    in_abstracts = _abstract_table(query, lambda it: statistics.rarity("text", it))
    asked = _asked(query, lambda it: statistics.rarity("text", it))
    ranks = {n: rank for rank, n in enumerate(pool.plain)}
    found = []
    for work, title in zip(pool.works, titles, strict=True):
        in_title = _counts(title, in_titles)
        in_abstract = _counts(work.abstract_stems.split(), in_abstracts)
        found.append([
            *_title(title, in_title, in_titles, rarity, query),
            *_abstract(work, in_abstract, in_abstracts),
            *_covered(in_title, in_abstract, asked),
            math.sqrt(pool.plain.get(work.n, 0.0)),
            math.sqrt(pool.wide.get(work.n, 0.0)),
            60 * pool.fused.get(work.n, 0.0),
            1 / (_EARLY + ranks[work.n]) if work.n in ranks else 0.0,
            *_graph(work, pool, year),
            *_names(work, title, query, statistics),
            *_authors(work, query),
        ])  # fmt: skip
    return _with_shares(found)


def unmet(statistics: Statistics, sought: Collection[str], work: Sketch) -> float:
    """How much less than enough of the rarity of some stems belongs to those that a work holds, in e-folds; or 0."""
    rarity = {it: statistics.rarity("text", it) for it in sought}
    present = set(f"{work.title_stems} {work.abstract_stems}".split())
    share = sum(rarity[it] for it in sought if it in present) / (sum(rarity.values()) or 1.0)
    return -math.log(min(1.0, max(_LEAST, share) / _ENOUGH)) if sought else 0.0


def unmet_sentence(statistics: Statistics, query: Query, work: Sketch) -> float:
    """How much of the sentence's rarity a work lacks, as `unmet`; 0 without an abstract, as a title is too short."""
    return unmet(statistics, query.view("sentence"), work) if work.abstract_stems else 0.0


def _with_shares(found: list[list[float]]) -> list[list[float]]:
    """Rows of absolute features, completed by those that compare each work with the pool's best."""
    tops = [(it, max([row[it] for row in found]) + 1e-6) for it in _SHARES] if found else []
    return [[*row, *[row[it] / top for it, top in tops]] for row in found]


def _counts(stems_of_work: Sequence[str], table: Table) -> Mapping[str, int]:
    """How often a work holds each stem of a table."""
    counts: dict[str, int] = {}
    for stem in stems_of_work:
        if stem in table:
            counts[stem] = counts.get(stem, 0) + 1
    return counts


def _table(query: Query, names: Sequence[str], rarity: Callable[[str], float]) -> dict[str, tuple[float, ...]]:
    found: dict[str, tuple[float, ...]] = {}
    views = [query.view(it) for it in names]
    for stem in {stem for view in views for stem in view}:
        rare = rarity(stem)
        found[stem] = tuple([view.get(stem, 0.0) * rare for view in views])
    return found


def _title_table(query: Query, rarity: Mapping[str, float]) -> Table:
    """Rows for stems that any title holds: the views, then whether _COVERS, any text, a name in the clause do."""
    views = _table(query, _TITLE_VIEWS, lambda it: rarity.get(it, 0.0))
    text = query.view("context").keys() | query.view("manuscript").keys()
    groups = (*[query.view(it) for it in _COVERS], text, query.named)
    nothing = (0.0,) * len(_TITLE_VIEWS)
    return {
        stem: (*views.get(stem, nothing), *[float(stem in it) for it in groups])
        for stem in views.keys() | set().union(*groups)
        if stem in rarity
    }


def _abstract_table(query: Query, rarity: Callable[[str], float]) -> Table:
    """After the views the rarity of a name in the clause."""
    views = _table(query, _ABSTRACT_VIEWS, rarity)
    return {stem: (*it, rarity(stem) if stem in query.named else 0.0) for stem, it in views.items()}


def _asked(query: Query, rarity: Callable[[str], float]) -> Table:
    """The share of each stem in what the words near the place ask for, by rarity and nearness, and in the clause."""
    parts = []
    for view in (query.close, query.view("clause")):
        weighted = {stem: weight * rarity(stem) for stem, weight in view.items()}
        total = math.fsum(weighted.values()) or 1.0
        parts.append({stem: it / total for stem, it in weighted.items()})
    near, clause = parts
    return {stem: (near.get(stem, 0.0), clause.get(stem, 0.0)) for stem in dict.fromkeys((*near, *clause))}


def _covered(in_title: Mapping[str, int], in_abstract: Mapping[str, int], asked: Table) -> tuple[float, float]:
    """The shares of what is asked for that a title and abstract hold."""
    shares = [share for stem, share in asked.items() if stem in in_title or stem in in_abstract]
    return sum([near for near, _ in shares]), sum([clause for _, clause in shares])


def _title(
    title: Sequence[str], counts: Mapping[str, int], table: Table, rarity: Mapping[str, float], query: Query
) -> Sequence[float]:
    """What speaks for a title.

    Square roots of its BM25 scores under every view; how much of its rarity the place holds; the rarity of shared
    names; that of neighbouring words that it shares with the place.
    """
    if not counts:
        return _NO_TITLE
    norm = _K1 * (1 - _TITLE_B + _TITLE_B * len(title) / _TITLE_LENGTH)
    gains = [count * (_K1 + 1) / (count + norm) for count in counts.values()]
    rare = [rarity[it] for it in counts]
    total = sum([rarity[it] for it in set(title)]) or 1.0
    context, manuscript, cites, *covers, named = zip(*[table[it] for it in counts], strict=True)
    wide = close = 0.0
    for pair in query.bigrams.intersection(pairwise(title)):
        both = rarity[pair[0]] + rarity[pair[1]]
        wide += both
        close += both if pair in query.close_bigrams else 0.0
    return [
        math.sqrt(sum(map(mul, gains, context))),
        math.sqrt(sum(map(mul, gains, manuscript))),
        math.sqrt(sum(map(mul, gains, cites))),
        *[sum(map(mul, rare, it)) / total for it in covers],
        sum(map(mul, rare, named)),
        math.sqrt(wide),
        math.sqrt(close),
    ]


def _abstract(work: Sketch, counts: Mapping[str, int], table: Table) -> Sequence[float]:
    """Square roots of the BM25 scores of an abstract under every view, and the rarity of names that it shares."""
    if not counts:
        return _NO_ABSTRACT
    length = work.abstract_stems.count(" ") + 1
    norm = _K1 * (1 - _ABSTRACT_B + _ABSTRACT_B * length / _ABSTRACT_LENGTH)
    gains = [count * (_K1 + 1) / (count + norm) for count in counts.values()]
    *views, named = zip(*[table[it] for it in counts], strict=True)
    return [*[math.sqrt(sum(map(mul, gains, column))) for column in views], sum(named)]


def _graph(work: Sketch, pool: Pool, year: int) -> list[float]:
    votes = [vote if (vote := voted.get(work.n, 0.0)) > 0 else 0.0 for voted in map(pool.votes.__getitem__, BALLOTS)]
    cited, recent = pool.cited.get(work.n, (0, 0))
    known = work.year is not None and year < 9999
    age = math.log1p(min(30, max(0, year - (work.year or year)))) if known else _MIDDLE_AGE
    rare = [votes[it] / math.sqrt(3 + cited) for it in _RARE_AT]
    return [*map(math.log1p, votes[: len(VOTERS)]), *rare, math.log1p(recent), age]


def _names(work: Sketch, title: Sequence[str], query: Query, statistics: Statistics) -> Sequence[float]:
    names = _short_name(work.title, query, statistics)
    if not query.acronyms and not query.near_acronyms:
        return [*names, 0.0, 0.0]
    return [*names, spelt(query.acronyms, title), spelt(query.near_acronyms, title)]


def _short_name(title: str, query: Query, statistics: Statistics) -> Sequence[float]:
    """The rarity of the name before a title's colon, if the sentence, the clause, the last words hold it."""
    name, colon, _ = title.partition(":")
    if not colon or name.count(" ") > 2 or f" {(short := title_key(name))} " not in query.sentence_phrase:
        return _NO_NAME
    rare = max((statistics.rarity("title", it) for it in stems(short)), default=0.0)
    return [rare, *[rare * (f" {short} " in it) for it in (query.clause_phrase, query.last_phrase)]]


def spelt(acronyms: Iterable[str], title: Iterable[str]) -> float:
    """The length of the longest acronym of three letters or more that the initials of a title's words spell."""
    initials = "".join([it[0] for it in title])
    return float(max([len(it) for it in acronyms if it in initials], default=0))


def _authors(work: Sketch, query: Query) -> tuple[float, ...]:
    """Whether the first author is named at the place, one of the first two near or in the sentence, the first anywhere,
    and how often the first is cited with the year."""
    if not work.authors or not query.all_names:
        return _NO_AUTHOR
    names = work.authors.split("\n", 2)
    first = _family(names[0])
    families = {first, _family(names[1] if names[1:] else "")}
    cited = query.cited.get((first, work.year), 0.0) if work.year else 0.0
    return (
        float(first in query.names),
        float(not query.near_names.isdisjoint(families)),
        float(not query.sentence_names.isdisjoint(families)),
        float(first in query.all_names),
        cited,
    )


def _family(author: str) -> str:
    family, comma, _ = author.partition(",")
    return fold(family if comma else author.rpartition(" ")[2])
