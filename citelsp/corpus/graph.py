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

from citelsp.corpus.catalogue import Catalogue, Hits, Seeds, share_strength
from citelsp.corpus.store import Citing

VOTERS = {"context": 100, "sentence": 100, "clause": 100, "beside": 80}
BALLOTS = (*VOTERS, "bibliography")
_SEEDS = 150
_SHARERS = 100  # citing works that share most with the manuscript
_FADE = 10.0  # works cited nearer to the place, after which one counts half
_FEW = 30  # works: of so few cited ones chance decides half of what they share with others
_SPARE = 1.3  # so many more voters are looked at, as some are not admitted

Votes = dict[int, float]  # by number of a work


def looked_at(ballot: str) -> int:
    """Say how many citing works to look at for a ballot, as some will not be admitted."""
    return int(_SPARE * VOTERS[ballot])


def nearest(
    catalogue: Catalogue, near: Mapping[str, Hits], admits: Callable[[Citing], bool]
) -> tuple[dict[str, Votes], float]:
    """Count the votes of the citing works that are near to the place: for each ballot, by number of the work voted for.

    `near` has a ballot for each text that they were searched by, the words around the place (“context”), its sentence
    and its clause: the citing works found, best first, with their scores.  `admits` says which may vote, by their date
    for example; the first of them do, as many as VOTERS says.  Also returns what share of the hits of “context” may
    vote, by which the caller trusts the ballots; 0 if there are none.
    """
    every_number = {number for hits in near.values() for number, _ in hits}
    cites_of = _read_admitted_lists(catalogue, every_number, admits)
    votes: dict[str, Votes] = {}
    for name, hits in near.items():
        scored_lists = [(cites_of[number], score) for number, score in hits if number in cites_of]
        # Each votes for all that it cites: the nearer its score to the best one's, the more; the longer its list, the
        # less for each.
        votes[name] = _count_votes(_weigh_by_score(scored_lists[: VOTERS[name]]))
    context = near["context"]
    may_vote = sum(number in cites_of for number, _ in context)
    return votes, may_vote / (len(context) or 1)


def seeds(matching: Hits, cited: Sequence[int]) -> dict[str, Seeds]:
    """Return the seeds of the last two ballots, “beside” and “bibliography”; without works cited, of “beside” alone.

    `matching`: the works that match the text best, with their scores, the best first.  `cited`: those that the
    manuscript cites, the nearest to the place first.
    """
    seeds_of = {"beside": Seeds(_scale_strengths(matching[:_SEEDS]), looked_at("beside"))}
    if cited:
        nearness = {n: _FADE / (_FADE + place) for place, n in enumerate(cited)}
        seeds_of["bibliography"] = Seeds(nearness, int(_SPARE * _SHARERS))
    return seeds_of


def trust(cited: Sequence[int]) -> float:
    """Say how far the ballot `bibliography` can be trusted, from 0 to 1: less if the manuscript cites few works."""
    return len(cited) / (len(cited) + _FEW)


def cast_ballots(
    catalogue: Catalogue,
    ballots: Mapping[str, Seeds],
    admits: Callable[[Citing], bool],
    years: tuple[int, int],
    likely: Callable[[], Sequence[int]],
) -> dict[str, Votes]:
    """Count the votes of the last two ballots: “beside” and, if `ballots` has it, “bibliography”.

    The works that cite the seeds of a ballot vote, for all that they cite.  Seeds are works that stand for the place:
    of “beside” those that match its words best, of “bibliography” those that the manuscript cites, for which nobody
    votes there.  `admits` says which may vote.  `years`: from the first on citations count as recent; works published
    until the second may vote.  `likely` gives works of which sketches will be asked for next: a server sends these in
    the same answer.
    """
    since, until = years
    co_citations = catalogue.co_citations(ballots, since, until, likely)
    every_number = {number for found in co_citations.values() for number, _ in found.citers}
    cites_of = _read_admitted_lists(catalogue, every_number, admits)
    scored_lists: dict[str, list[tuple[Sequence[int], float]]] = {}  # by ballot: what its voters cite, with their score
    for name, found in co_citations.items():
        scored_lists[name] = [(cites_of[number], score) for number, score in found.citers if number in cites_of]
    # Citers come best first.  A list of “beside” weighs what its seeds gave it, so that this can be taken off a seed's
    # own votes; in “bibliography” no seed gets votes, and lists weigh by their citing works' scores.
    votes = {"beside": _count_votes(scored_lists["beside"][: VOTERS["beside"]], co_citations["beside"].shares)}
    if "bibliography" in scored_lists:
        cited = list(ballots["bibliography"].strengths)
        votes["bibliography"] = _count_bibliography_votes(scored_lists["bibliography"], cited)
    return votes


def _count_bibliography_votes(scored_lists: Sequence[tuple[Sequence[int], float]], cited: Sequence[int]) -> Votes:
    """Count the votes of the works that share most with the manuscript; all less if it cites few works of the corpus.

    No vote for what the manuscript cites already: that is found among its own entries.
    """
    own = frozenset(cited)
    factor = trust(cited)
    votes = _count_votes(_weigh_by_score(scored_lists[:_SHARERS]))
    return {n: factor * vote for n, vote in votes.items() if n not in own}


def estimate_ballots(
    catalogue: Catalogue, near: Mapping[str, Hits], ballots: Mapping[str, Seeds], admits: Callable[[Citing], bool]
) -> dict[str, Votes]:
    """Estimate the last two ballots by the citing works that are near, which are known without asking a server.

    The estimate only says which works to ask a server for along with the ballots: so it may be rough.
    """
    every_number = {n for hits in near.values() for n, _ in hits}
    cites_of = _read_admitted_lists(catalogue, every_number, admits)
    return {name: _count_expected_votes(cites_of, seeds.strengths) for name, seeds in ballots.items()}


def _count_expected_votes(cites_of: Mapping[int, Sequence[int]], strengths: Mapping[int, float]) -> Votes:
    """Count the votes of a ballot as if these were all citing works; `cites_of` has what each of them cites.

    This estimates what a server would count, without asking it.  `strengths`: the ballot's seeds, by how strongly each
    stands for the place.  A work that cites seeds votes with the sum of what they give it; a seed gives each of its
    citers the less, the more they are (`share_strength`).
    """
    seeds_cited: dict[int, Collection[int]] = {}
    for n, cites in cites_of.items():
        seeds_of_work = strengths.keys() & cites
        if seeds_of_work:
            seeds_cited[n] = seeds_of_work
    citations = Counter(chain.from_iterable(seeds_cited.values()))
    shares = {seed: share_strength(strengths[seed], count) for seed, count in citations.items()}
    scores = {n: sum(map(shares.__getitem__, seeds_of_work)) for n, seeds_of_work in seeds_cited.items()}
    most = VOTERS["beside"]  # also for the other ballot, whose voters are a few more (_SHARERS): a guess will do
    voters = sorted(scores, key=scores.__getitem__, reverse=True)[:most]
    return _count_votes([(cites_of[n], scores[n]) for n in voters], shares)


def _read_admitted_lists(
    catalogue: Catalogue, numbers: Collection[int], admits: Callable[[Citing], bool]
) -> dict[int, Sequence[int]]:
    """Return the reference lists of those that may vote, by number."""
    return {n: it.cites for n, it in catalogue.citing(list(numbers)).items() if admits(it)}


def _scale_strengths(seeds: Hits) -> dict[int, float]:
    """Strengths from 1 for the best seed down, by number; a score of half of the last seed's would be zero.

    So the last one counts a little still.
    """
    if not seeds:
        return {}
    best = seeds[0][1]
    zero = seeds[-1][1] / 2
    return {n: (score - zero) / (best - zero) for n, score in seeds}


def _weigh_by_score(scored_lists: Sequence[tuple[Sequence[int], float]]) -> Iterator[tuple[Sequence[int], float]]:
    """Reference lists with their weights, given with the scores of the citing works, the best first.

    The weight is the square of the score's share in the best one, and less for each entry of a long list.
    """
    for cites, score in scored_lists:
        # BM25 scores of two places cannot be compared, but what each work has of the place's best can.
        share = score / scored_lists[0][1]
        yield cites, share * share / math.sqrt(10 + len(cites))


def _count_votes(
    weighted_lists: Iterable[tuple[Sequence[int], float]], seed_shares: Mapping[int, float] | None = None
) -> Votes:
    """Return for each work the sum of the weights of the reference lists that hold it.

    `seed_shares` is given if the lists were found by what they cite: then the weight of a list is the sum of what some
    works in it, the seeds, gave it.  A seed does not vote for itself, so what it gave is taken off its own votes.
    """
    votes: dict[int, float] = {}
    votes_so_far = votes.get
    for cites, weight in weighted_lists:
        for n in cites:  # some thousands for a place: a defaultdict takes a third longer
            votes[n] = votes_so_far(n, 0.0) + weight
        if seed_shares:
            for seed in seed_shares.keys() & cites:
                votes[seed] -= seed_shares[seed]
    return votes
