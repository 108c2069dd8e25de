"""What the citation graph says: which works are cited by the works near a place, and beside those that its words name.

Four ballots, each with votes for the works that it reaches:

    context, sentence, clause   the references of the citing works whose words are nearest to so much of the text
    beside                      what else is cited by those who cite the works that match the text best
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from citelsp.corpus.store import Citing, Store

VOTERS = {"context": 100, "sentence": 100, "clause": 100, "beside": 80}
_SEEDS = 150
_SPARE = 1.3  # so many more voters are looked at, as some are not admitted

Hits = Sequence[tuple[int, float]]
Votes = dict[int, float]


def looked_at(ballot: str) -> int:
    """How many citing works a ballot needs, some of which will not be admitted."""
    return int(_SPARE * VOTERS[ballot])


def ballots(
    store: Store, nearest: Mapping[str, Hits], seeds: Hits, admits: Callable[[Citing], bool], year: int
) -> tuple[dict[str, Votes], float]:
    """All, by name, and the share of the citing works nearest to the context that was admitted to vote.

    `nearest` holds citing works for all but the last, `seeds` the works that match best.
    """
    shares = _shares(store, seeds[:_SEEDS], year)
    voters = {**nearest, "beside": _citers(shares)}
    found = store.citing(list({n for hits in voters.values() for n, _ in hits}))
    near = {n: it.cites for n, it in found.items() if admits(it)}
    own = {seed: share for seed, (share, _) in shares.items()}
    votes: dict[str, Votes] = {}
    for name, hits in voters.items():
        admitted = [(near[n], score) for n, score in hits if n in near][: VOTERS[name]]
        votes[name] = _votes(admitted, own) if name == "beside" else _votes(_relative(admitted))
    asked = nearest["context"]
    return votes, sum(n in near for n, _ in asked) / (len(asked) or 1)


def _relative(near: Sequence[tuple[Sequence[int], float]]) -> Iterator[tuple[Sequence[int], float]]:
    """Reference lists by the similarity of the citing work to the nearest; each entry of a long list counts less."""
    for cites, score in near:
        # BM25 scores of two places cannot be compared, but what each work has of the place's best can.
        share = score / near[0][1]
        yield cites, share * share / math.sqrt(10 + len(cites))


def _votes(lists: Iterable[tuple[Sequence[int], float]], own: Mapping[int, float] | None = None) -> Votes:
    """The weights of the lists that hold each work, less what it gave them itself, added up."""
    votes: dict[int, float] = {}
    known = votes.get
    for cites, weight in lists:
        for n in cites:  # some thousands for a place: a defaultdict takes a third longer
            votes[n] = known(n, 0.0) + weight
        if own:
            for n in own.keys() & cites:
                votes[n] -= own[n]
    return votes


def _shares(store: Store, seeds: Hits, year: int) -> dict[int, tuple[float, list[int]]]:
    """What each seed that is cited gives to every work that cites it, and which works do."""
    if not seeds:
        return {}
    citers: dict[int, list[int]] = {}
    for cited, citing in store.citers([n for n, _ in seeds], year):
        citers.setdefault(cited, []).append(citing)
    # Half of the last seed's score is zero, so that the last one counts a little still.
    best, least = seeds[0][1], seeds[-1][1] / 2
    strength = {n: (score - least) / (best - least) for n, score in seeds}
    return {n: (strength[n] / math.sqrt(3 + len(works)), works) for n, works in citers.items()}


def _citers(shares: Mapping[int, tuple[float, list[int]]]) -> Hits:
    """The works that cite the most of the best seeds."""
    total: dict[int, float] = {}
    for share, works in shares.values():
        for n in works:
            total[n] = total.get(n, 0.0) + share
    return sorted(total.items(), key=itemgetter(1), reverse=True)[: looked_at("beside")]
