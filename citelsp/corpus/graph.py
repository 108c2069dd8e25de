"""What the citation graph says: which works are cited by the works near a place, and beside those that its words name.

Five ballots, each with votes for the works that it reaches:

    context, sentence, clause   the references of the citing works whose words are nearest to so much of the text
    beside                      what else is cited by those who cite the works that match the text best
    bibliography                and by those who cite most of what the manuscript cites, more of what is nearest
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from citelsp.corpus.catalogue import Catalogue, Hits, Seeds
from citelsp.corpus.store import Citing

VOTERS = {"context": 100, "sentence": 100, "clause": 100, "beside": 80}
BALLOTS = (*VOTERS, "bibliography")
_SEEDS = 150
_SHARERS = 100  # citing works that share most with the manuscript
_FADE = 10.0  # works cited nearer to the place, after which one counts half
_FEW = 30  # works: of so few cited ones chance decides half of what they share with others
_SPARE = 1.3  # so many more voters are looked at, as some are not admitted

Votes = dict[int, float]


def looked_at(ballot: str) -> int:
    """How many citing works a ballot needs, some of which will not be admitted."""
    return int(_SPARE * VOTERS[ballot])


def nearest(
    catalogue: Catalogue, near: Mapping[str, Hits], admits: Callable[[Citing], bool]
) -> tuple[dict[str, Votes], float]:
    """The ballots of the citing works that are near, by name, and the share of those near the context that may vote."""
    numbers = {n for hits in near.values() for n, _ in hits}
    admitted = _admitted(catalogue, numbers, admits)
    votes: dict[str, Votes] = {}
    for name, hits in near.items():
        scored = [(admitted[n], score) for n, score in hits if n in admitted]
        votes[name] = _votes(_relative(scored[: VOTERS[name]]))
    context = near["context"]
    may_vote = sum(n in admitted for n, _ in context)
    return votes, may_vote / (len(context) or 1)


def seeds(matching: Hits, cited: Sequence[int]) -> dict[str, Seeds]:
    """What the last two ballots begin with: the works that match best, and those that the manuscript cites, if any.

    These are given the nearest to the place first.
    """
    found = {"beside": Seeds(_strengths(matching[:_SEEDS]), looked_at("beside"))}
    if cited:
        nearness = {n: _FADE / (_FADE + place) for place, n in enumerate(cited)}
        found["bibliography"] = Seeds(nearness, int(_SPARE * _SHARERS))
    return found


def trust(cited: Sequence[int]) -> float:
    """How far the ballot `bibliography` can be trusted, from 0 to 1."""
    return len(cited) / (len(cited) + _FEW)


def cast_ballots(
    catalogue: Catalogue,
    ballots: Mapping[str, Seeds],
    admits: Callable[[Citing], bool],
    years: tuple[int, int],
    likely: Callable[[], Sequence[int]],
) -> dict[str, Votes]:
    """The last two ballots, as far as they have seeds; `years` and `likely` as Catalogue.beside takes them."""
    found = catalogue.co_citations(ballots, *years, likely)
    known = _admitted(catalogue, {n for _, voters in found.values() for n, _ in voters}, admits)
    voting = {name: [(known[n], score) for n, score in voters if n in known] for name, (_, voters) in found.items()}
    votes = {"beside": _votes(voting["beside"][: VOTERS["beside"]], found["beside"][0])}
    if "bibliography" in voting:
        votes["bibliography"] = _bibliography(voting["bibliography"], list(ballots["bibliography"].strengths))
    return votes


def _bibliography(voting: Sequence[tuple[Sequence[int], float]], cited: Sequence[int]) -> Votes:
    """No vote for what the manuscript cites already: that is found among its own entries.  All less by the trust."""
    own = frozenset(cited)
    less = trust(cited)
    return {n: less * vote for n, vote in _votes(_relative(voting[:_SHARERS])).items() if n not in own}


def expected(
    catalogue: Catalogue, near: Mapping[str, Hits], ballots: Mapping[str, Seeds], admits: Callable[[Citing], bool]
) -> dict[str, Votes]:
    """The last two ballots as far as the citing works that are near can tell, which are known without asking."""
    known = _admitted(catalogue, {n for hits in near.values() for n, _ in hits}, admits)
    return {name: _expected(known, it.strengths) for name, it in ballots.items()}


def _expected(known: Mapping[int, Sequence[int]], strengths: Mapping[int, float]) -> Votes:
    cited = {n: seeds_cited for n, cites in known.items() if (seeds_cited := strengths.keys() & cites)}
    citations = Counter(chain.from_iterable(cited.values()))
    shares = {n: strengths[n] / math.sqrt(3 + count) for n, count in citations.items()}
    scores = {n: sum(map(shares.__getitem__, seeds_cited)) for n, seeds_cited in cited.items()}
    voters = sorted(scores, key=scores.__getitem__, reverse=True)[: VOTERS["beside"]]
    return _votes([(known[n], scores[n]) for n in voters], shares)


def _admitted(
    catalogue: Catalogue, numbers: Collection[int], admits: Callable[[Citing], bool]
) -> dict[int, Sequence[int]]:
    """The reference lists of those that may vote."""
    return {n: it.cites for n, it in catalogue.citing(list(numbers)).items() if admits(it)}


def _strengths(seeds: Hits) -> dict[int, float]:
    """By number, 1 for the first; half of the last seed's score is zero, so that the last one counts a little still."""
    if not seeds:
        return {}
    best = seeds[0][1]
    least = seeds[-1][1] / 2
    return {n: (score - least) / (best - least) for n, score in seeds}


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
