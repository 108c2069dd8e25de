"""What speaks for a work at a place, as numbers: the features that the fitted weights (`fitted_weights.py`) sum up.

Features are one row of numbers for each work, each larger if more speaks for it, but for age and being cited beside the
place already, which speak against it.  No number rewards that something is unknown: a missing abstract, year, author or
citation gives zero, or the middle.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from operator import mul

from citelsp.bibliography.fold import fold
from citelsp.corpus.catalogue import Statistics
from citelsp.corpus.graph import BALLOTS, VOTERS
from citelsp.corpus.place_query import Query
from citelsp.corpus.pool import Pool
from citelsp.corpus.store import Sketch
from citelsp.corpus.words import stems, title_key

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
# BM25's constants: k1; b and the stems of an average text, for titles and for abstracts.
_K1 = 1.2
_TITLE_B, _TITLE_LENGTH = 0.5, 8.0
_ABSTRACT_B, _ABSTRACT_LENGTH = 0.75, 100.0
_LONGEST_AGE = 30  # years: older works are as old as this
_MIDDLE_AGE = math.log1p(5)  # of a work without a year
_NO_YEAR = 9999  # from this year on a manuscript has no date
_LONGEST_NAME = 2  # spaces in the name before a title's colon: longer ones are no names
_NO_TITLE = (0.0,) * (_ABSOLUTE.index("close_bigrams") + 1)
_NO_ABSTRACT = (0.0,) * (len(_ABSTRACT_VIEWS) + 1)
_NO_NAME = (0.0,) * 3
_NO_AUTHOR = (0.0,) * 5
_RARE_AT = tuple(map(BALLOTS.index, _RARE))  # places in BALLOTS
_RELATIVE_AT = tuple(map(_ABSOLUTE.index, _RELATIVE))  # places in a row of absolute features
_ENOUGH = 0.4  # share of the rarity from which on there is no doubt
_LEAST = 0.05  # share that any work is granted, as others may cite it beside what is meant
_EARLY = 3  # from this rank on it counts little which it is
_FUSED_SCALE = 60  # of reciprocal ranks, which are divided by 60 and more: the first of one list counts about 1

Table = Mapping[str, tuple[float, ...]]  # columns of numbers by stem of the place; the makers of tables say which


def rows(statistics: Statistics, query: Query, pool: Pool, year: int) -> list[list[float]]:
    """Return a row of features, in the order of NAMES, for every work of a pool, in its order.

    Some features come twice: as they are, and as a share of the largest in the pool.  `statistics` knows how rare words
    are.  `year` is the manuscript's, 9999 if it has none.
    """
    titles = [work.title_stems.split() for work in pool.works]
    every_stem = {stem for title in titles for stem in title}
    title_rarity = {stem: statistics.rarity("title", stem) for stem in every_stem}

    def text_rarity(stem: str) -> float:
        return statistics.rarity("text", stem)

    # What the place has of each stem is worked out once, and looked up for every work.
    title_table = _make_title_table(query, title_rarity)
    abstract_table = _make_abstract_table(query, text_rarity)
    near_and_clause_table = _make_share_table(query, text_rarity)
    # The hits of a search are in the order of their scores, so that their places are their ranks.
    plain_ranks = {n: rank for rank, n in enumerate(pool.plain)}
    absolute_rows = []
    for work, title in zip(pool.works, titles, strict=True):
        in_title = _count_stems(title, title_table)
        in_abstract = _count_stems(work.abstract_stems.split(), abstract_table)
        absolute_rows.append([
            *_compare_title(title, in_title, title_table, title_rarity, query),
            *_compare_abstract(work, in_abstract, abstract_table),
            *_sum_shares(in_title, in_abstract, near_and_clause_table),
            # Scores of the first search: by sentence and title; by all words around the place; by all rankings fused.
            math.sqrt(pool.plain.get(work.n, 0.0)),
            math.sqrt(pool.wide.get(work.n, 0.0)),
            _FUSED_SCALE * pool.fused.get(work.n, 0.0),
            1 / (_EARLY + plain_ranks[work.n]) if work.n in plain_ranks else 0.0,
            *_measure_citations(work, pool, year),
            *_compare_name(work, title, query, statistics),
            *_compare_authors(work, query),
        ])  # fmt: skip
    return _add_relative(absolute_rows)


def unmet(statistics: Statistics, sought: Collection[str], work: Sketch) -> float:
    """Return how far a work falls short of the stems that are sought, as a logarithm; 0 if it has enough of them.

    Stems count by their rarity, which `statistics` knows.  A work that has stems for 0.4 of their rarity has enough;
    with 0.2 it is log 2 short, and with 0.05 or less log 8, which is the most.
    """
    if not sought:
        return 0.0
    rarity = {it: statistics.rarity("text", it) for it in sought}
    present = set(f"{work.title_stems} {work.abstract_stems}".split())
    share = sum(rarity[it] for it in sought if it in present) / (sum(rarity.values()) or 1.0)
    return -math.log(min(1.0, max(_LEAST, share) / _ENOUGH))


def unmet_sentence(statistics: Statistics, query: Query, work: Sketch) -> float:
    """How much of the sentence's rarity a work lacks, as `unmet`; 0 without an abstract, as a title is too short."""
    return unmet(statistics, query.view("sentence"), work) if work.abstract_stems else 0.0


def _add_relative(absolute_rows: list[list[float]]) -> list[list[float]]:
    """Rows of absolute features, completed by the shares that some have of the largest in the pool."""
    if not absolute_rows:
        return []
    largest = [(place, max([row[place] for row in absolute_rows]) + 1e-6) for place in _RELATIVE_AT]
    return [[*row, *[row[place] / top for place, top in largest]] for row in absolute_rows]


def _count_stems(stems_of_work: Sequence[str], table: Table) -> Mapping[str, int]:
    """How often a work holds each stem of a table."""
    counts: dict[str, int] = {}
    for stem in stems_of_work:
        if stem in table:
            counts[stem] = counts.get(stem, 0) + 1
    return counts


def _make_view_table(
    query: Query, views: Sequence[str], rarity: Callable[[str], float]
) -> dict[str, tuple[float, ...]]:
    """The columns of a stem: its weight under each of some views of the place, times its rarity."""
    table: dict[str, tuple[float, ...]] = {}
    weights_by_view = [query.view(it) for it in views]
    for stem in {stem for weights in weights_by_view for stem in weights}:
        rare = rarity(stem)
        table[stem] = tuple([weights.get(stem, 0.0) * rare for weights in weights_by_view])
    return table


def _make_title_table(query: Query, rarity: Mapping[str, float]) -> Table:
    """Return a row for each stem of the question: what it counts in a title that has it.

    Its columns are the weight times rarity of the stem in each of three views of the question (the text around it, the
    manuscript's title, the titles that it cites nearby); then 1 or 0 for each part of the text that has the stem or
    not: clause, nearest words, window, all of the text with the manuscript's title, and the names in the clause.  Stems
    that no title of the pool has are left out; `rarity` has none of them.
    """
    views = _make_view_table(query, _TITLE_VIEWS, lambda it: rarity.get(it, 0.0))
    text = query.view("context").keys() | query.view("manuscript").keys()
    parts = (*[query.view(it) for it in _COVERS], text, query.named)
    in_no_view = (0.0,) * len(_TITLE_VIEWS)
    return {
        stem: (*views.get(stem, in_no_view), *[float(stem in part) for part in parts])
        for stem in views.keys() | set().union(*parts)
        if stem in rarity
    }


def _make_abstract_table(query: Query, rarity: Callable[[str], float]) -> Table:
    """The columns of a stem: _ABSTRACT_VIEWS, then its rarity if it is a name in the clause, or 0."""
    views = _make_view_table(query, _ABSTRACT_VIEWS, rarity)
    return {stem: (*columns, rarity(stem) if stem in query.named else 0.0) for stem, columns in views.items()}


def _make_share_table(query: Query, rarity: Callable[[str], float]) -> Table:
    """Return for each stem its share in all that the words near the citation ask for, and in what its clause asks for.

    A stem asks for its weight there times its rarity.  The shares of all stems add up to 1 in either column; if there
    are no words near the citation, or none in its clause, all shares in that column are 0.
    """
    shares_by_view = []
    for view in (query.close, query.view("clause")):
        worth = {stem: weight * rarity(stem) for stem, weight in view.items()}
        total = math.fsum(worth.values()) or 1.0
        shares_by_view.append({stem: it / total for stem, it in worth.items()})
    near, clause = shares_by_view
    return {stem: (near.get(stem, 0.0), clause.get(stem, 0.0)) for stem in dict.fromkeys((*near, *clause))}


def _sum_shares(in_title: Mapping[str, int], in_abstract: Mapping[str, int], asked: Table) -> tuple[float, float]:
    """How much of what is asked for, near the place and in the clause, a title and abstract hold: shares up to 1."""
    shares = [share for stem, share in asked.items() if stem in in_title or stem in in_abstract]
    return sum([near for near, _ in shares]), sum([clause for _, clause in shares])


def _compare_title(
    title: Sequence[str], counts: Mapping[str, int], table: Table, rarity: Mapping[str, float], query: Query
) -> Sequence[float]:
    """Return the features of a title, from “title~context” to “close_bigrams” of NAMES; all 0 if it shares no stem.

    `title` is its stems, and `counts` says how often it has each stem of `table`, the title table.  The features are
    the square roots of its BM25 scores for each view of the question (the text around it, the manuscript's title, the
    titles that it cites nearby); the share of its rarity that each part of the text has; the rarity of the names that
    it shares with the clause; and the square roots of what `_weigh_shared_pairs` returns.
    """
    if not counts:
        return _NO_TITLE
    norm = _K1 * (1 - _TITLE_B + _TITLE_B * len(title) / _TITLE_LENGTH)
    gains = [count * (_K1 + 1) / (count + norm) for count in counts.values()]
    shared_rarity = [rarity[it] for it in counts]
    total_rarity = sum([rarity[it] for it in set(title)]) or 1.0
    # From a row for each shared stem to a column for each view or part, in the order of `_make_title_table`.
    context, manuscript, cites, *parts, named = zip(*[table[it] for it in counts], strict=True)
    bigrams, close_bigrams = _weigh_shared_pairs(title, rarity, query)
    return [
        math.sqrt(sum(map(mul, gains, context))),
        math.sqrt(sum(map(mul, gains, manuscript))),
        math.sqrt(sum(map(mul, gains, cites))),
        *[sum(map(mul, shared_rarity, part)) / total_rarity for part in parts],
        sum(map(mul, shared_rarity, named)),
        math.sqrt(bigrams),
        math.sqrt(close_bigrams),
    ]


def _weigh_shared_pairs(title: Sequence[str], rarity: Mapping[str, float], query: Query) -> tuple[float, float]:
    """Return the rarity of the pairs of neighbouring stems that a title shares with the text, and with the sentence.

    Pairs of the sentence count only if the text before or behind the place has them, too: none spans the place.
    """
    bigrams = close_bigrams = 0.0
    for pair in query.bigrams.intersection(pairwise(title)):
        both = rarity[pair[0]] + rarity[pair[1]]
        bigrams += both
        if pair in query.close_bigrams:
            close_bigrams += both
    return bigrams, close_bigrams


def _compare_abstract(work: Sketch, counts: Mapping[str, int], table: Table) -> Sequence[float]:
    """Return the features of a work's abstract; all 0 if it shares no stem with the question.

    `counts` says how often it has each stem of `table`, the abstract table.  The features are the square roots of its
    BM25 scores for each view of the question, that is for the weighted stems of some part of its text, and the rarity
    of the names that it shares with the clause.
    """
    if not counts:
        return _NO_ABSTRACT
    length = work.abstract_stems.count(" ") + 1
    norm = _K1 * (1 - _ABSTRACT_B + _ABSTRACT_B * length / _ABSTRACT_LENGTH)
    gains = [count * (_K1 + 1) / (count + norm) for count in counts.values()]
    # From a row for each stem to a column for each view, and one for names.
    *views, named = zip(*[table[it] for it in counts], strict=True)
    return [*[math.sqrt(sum(map(mul, gains, column))) for column in views], sum(named)]


def _measure_citations(work: Sketch, pool: Pool, year: int) -> list[float]:
    """Return the features of citations, “votes_…”, “rare_…”, “recent” and “age” of NAMES; logarithms but for the rare.

    Votes are those of citing works in ballots; the rare ones count more if few works cite this one.  `year` is the
    manuscript's, _NO_YEAR if it has no date: then every work has the middle age, as one without a year has.
    """
    # What a seed gave is taken off its votes again, which may leave a little less than nothing.
    votes = [max(0.0, pool.votes[ballot].get(work.n, 0.0)) for ballot in BALLOTS]
    citations, recent_citations = pool.cited.get(work.n, (0, 0))
    rare = [votes[it] / math.sqrt(3 + citations) for it in _RARE_AT]
    age = _MIDDLE_AGE
    if work.year is not None and year < _NO_YEAR:
        age = math.log1p(min(_LONGEST_AGE, max(0, year - work.year)))
    return [*map(math.log1p, votes[: len(VOTERS)]), *rare, math.log1p(recent_citations), age]


def _compare_name(work: Sketch, title: Sequence[str], query: Query, statistics: Statistics) -> Sequence[float]:
    """The rarity of the name before the title's colon, as _measure_short_name has it.

    Then the letters of the longest acronym that the title spells, of those in the window and of those in the sentence.
    """
    names = _measure_short_name(work.title, query, statistics)
    if not query.acronyms and not query.near_acronyms:
        return [*names, 0.0, 0.0]
    return [*names, spelt(query.acronyms, title), spelt(query.near_acronyms, title)]


def _measure_short_name(title: str, query: Query, statistics: Statistics) -> Sequence[float]:
    """Return the rarity of the name before a title's colon, `BERT` of “BERT: Pre-training of …”, three times.

    The first counts if the sentence has the name, the second if the clause has it, the third if the last words do;
    else each is 0, as all are if the title has no such name.  `statistics` knows how rare words are.
    """
    before_colon, colon, _ = title.partition(":")
    if not colon or before_colon.count(" ") > _LONGEST_NAME:
        return _NO_NAME
    name = title_key(before_colon)
    whole_words = f" {name} "  # phrases are words between spaces
    if whole_words not in query.sentence_phrase:
        return _NO_NAME
    rarity = max((statistics.rarity("title", it) for it in stems(name)), default=0.0)
    return [
        rarity,
        rarity if whole_words in query.clause_phrase else 0.0,
        rarity if whole_words in query.last_phrase else 0.0,
    ]


def spelt(acronyms: Iterable[str], title: Iterable[str]) -> float:
    """The length of the longest acronym of three letters or more that the initials of a title's words spell."""
    initials = "".join([it[0] for it in title])
    return float(max([len(it) for it in acronyms if it in initials], default=0))


def _compare_authors(work: Sketch, query: Query) -> tuple[float, ...]:
    """Return five features that say where the text names the work's authors, 1 for yes and 0 for no; all 0 if nowhere.

    These are: the first author in the window; one of the first two among the nearest words; one of them in the
    sentence; the first anywhere.  The last says that the text cites the first author with the work's year: 1 in the
    sentence of the place, 0.5 before it.
    """
    if not work.authors or not query.all_names:
        return _NO_AUTHOR
    authors = work.authors.split("\n", 2)  # the first two, and the rest
    first = _read_family_name(authors[0])
    # Without a second author it is "", which the text names nowhere.
    first_two = {first, _read_family_name(authors[1] if len(authors) > 1 else "")}
    cited_already = query.cited.get((first, work.year), 0.0) if work.year else 0.0
    return (
        float(first in query.names),
        float(not query.near_names.isdisjoint(first_two)),
        float(not query.sentence_names.isdisjoint(first_two)),
        float(first in query.all_names),
        cited_already,
    )


def _read_family_name(author: str) -> str:
    """The folded family name of "Knuth, Donald E." or "Donald E. Knuth"."""
    family, comma, _ = author.partition(",")
    return fold(family if comma else author.rpartition(" ")[2])
