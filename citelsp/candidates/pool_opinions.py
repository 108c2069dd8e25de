"""The one order of the works at a place: opinions pooled in log odds, each by how much it tells."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from citelsp import decision
from citelsp.candidates.gather import LISTED, Gathered
from citelsp.corpus import pool
from citelsp.corpus.words import title_key
from citelsp.knowledge import Candidate

_NOTHING = 0.7  # times as likely as any entry, below which nothing speaks for one
_LEAST = 1e-4  # the probability that any work has at least, as 0 has no logarithm


@dataclass(frozen=True, slots=True)
class OpinionWeights:
    """Log odds against “none of these”: of an entry, of a work of the corpus, and more for what is both."""

    own: float
    own_scale: float  # for each unit of the entry's log odds; where these are unknown, less for each place
    found: float
    found_scale: float
    both: float
    both_rare: float  # for each unit of the logarithm of the corpus's size: in a large one it is no chance


# Rounded from a fit on 1,104 citations of 95 public manuscripts beside a corpus of 574,759 works, each also as in a
# first draft, and each once more without its entry.  Both are calibrated, so that each counts about as much as it says:
# `own_scale` is a little less than the likeliest (0.99), with which first works are right less often than is said.
UNHINTED = OpinionWeights(own=0.15, own_scale=0.9, found=-0.25, found_scale=1.0, both=1.35, both_rare=0.16)
# The same beside a collection on one subject, as an author's own PDFs are, where words alone tell much: rounded from
# fits on 1,348 places of 135 papers, half of them with the work meant among the author's entries.  By weights near to
# UNHINTED an entry is first 2 times more in 100 if it is there, and a work 4 times less if its entry is gone.
BESIDE_COLLECTION = OpinionWeights(own=-0.9, own_scale=0.41, found=0.2, found_scale=1.0, both=1.0, both_rare=0.16)
# The same if the author says in a few words what is meant: 462 places.
HINTED = OpinionWeights(own=1.5, own_scale=0.1, found=2.0, found_scale=1.25, both=0.5, both_rare=0.08)

# Set by reason.  On 449 places of public manuscripts, with half of the works, none or all of them here and services
# imitated by three searches, the right work is first in 13.2 of 100; with values fitted on the other half in 12.0.
_FIRST_OF_SERVICES = 1.5  # log odds that a work gains if it is the first of every service
_ONLY_ONLINE, _SHARE = -8.0, 5.0  # log odds of a work that only services know, and for the share of the words it holds
_MEANT = 4.0  # log odds for a work whose title the author wrote into the placeholder


def rank_works(works: Sequence[Gathered], corpus: int, *, hinted: bool, listed: int = LISTED) -> list[Candidate]:
    """Order the works, best first, each with the probability that it is the one meant, None if that is not known.

    At most `listed` works of this machine are given, and as many that only services know.  How probable these are
    nobody has measured: they have a place in the order, and no probability.

    `corpus`: how many works it has, 0 if there is none; `hinted`: the author wrote words into the placeholder.
    """
    chances = compute_probabilities(works, corpus, hinted=hinted)
    by_chance = sorted(range(len(works)), key=lambda index: -chances[index])
    is_measured = is_known(works, corpus)
    candidates = []
    for index in _choose_places(works, by_chance, listed):
        work = works[index]
        probability = chances[index] if is_measured and work.is_here else None
        candidates.append(replace(work.candidate, probability=probability))
    return candidates


def _choose_places(works: Sequence[Gathered], order: Sequence[int], listed: int) -> list[int]:
    """Choose the works to list, as indices into `works`; `order` has those of all works, best first.

    Without works that only services know, these are the first `listed`.  Otherwise up to `listed` of those works are
    added, since whoever searches wants to see what was found, and entries for which nothing speaks are left out.  The
    best work of this machine, works of the corpus, and entries that fit keep their place; other entries come last: the
    author saw them before.
    """
    online = [it for it in order if not works[it].is_here][:listed]
    if not online:
        return list(order[:listed])
    here = [it for it in order if works[it].is_here and _is_spoken_for(works[it])][:listed]
    largest_share = max(works[it].share for it in online)
    last = [it for it in here[1:] if not _keeps_place(works[it], largest_share)]
    first = {*online, *here}.difference(last)
    return [*(it for it in order if it in first), *last]


def _is_spoken_for(work: Gathered) -> bool:
    """True if something speaks for a work: corpus, services, the author, or a lift that is unknown or large."""
    others = work.corpus is not None or work.services or work.meant
    return bool(others or work.lift is None or work.lift >= _NOTHING)


def _keeps_place(work: Gathered, online_share: float) -> bool:
    """True for a work of the corpus, and for an entry that fits.

    An entry fits by its chance; without one, as the author wrote a hint, if it holds as many of the hint's words as the
    best work that services found (`online_share`).
    """
    if work.corpus is not None:
        return True
    return work.share >= online_share if work.own is None else work.own >= decision.FITS


def is_known(works: Sequence[Gathered], corpus: int) -> bool:
    """Whether anything tells how probable works are: a corpus, or the sentence among the author's own entries."""
    return corpus > 0 or any(it.own is not None for it in works)


def compute_probabilities(works: Sequence[Gathered], corpus: int, *, hinted: bool) -> list[float]:
    """Compute the probability of each work; what is lacking to a sum of one is the probability of “none of these”.

    `corpus` is how many works it has.  If only the corpus, or only the ranking of the author's entries, says anything,
    its probabilities stay as they are: they are calibrated, and pooling would only add doubt.  Else all are pooled:
    what entries, corpus and services say of a work is added up as log odds.  `hinted`: the author wrote words into the
    placeholder.
    """
    others_speak = any(it.services or it.meant for it in works)
    only_corpus_speaks = not others_speak and all(it.place is None for it in works)
    if only_corpus_speaks:
        by_corpus = [it.corpus or 0.0 for it in works]
        # Two corpora, one of them on a server, may hold more than one for probable.
        total = max(1.0, math.fsum(by_corpus))
        return [it / total for it in by_corpus]
    only_entries_speak = not others_speak and not corpus and all(it.own is not None for it in works)
    if only_entries_speak:
        return [it.own or 0.0 for it in works]
    weights = _choose_weights(corpus, hinted=hinted)
    scores = [_log_odds_of(it, weights, corpus) for it in works]
    # Zero is “none of these”, against which the odds of all works stand.
    highest = max([0.0, *scores])
    odds = [math.exp(it - highest) for it in scores]
    total = math.exp(-highest) + sum(odds)
    return [it / total for it in odds]


def _choose_weights(works_in_corpus: int, *, hinted: bool) -> OpinionWeights:
    if hinted:
        return HINTED
    return BESIDE_COLLECTION if 0 < works_in_corpus < pool.COLLECTION else UNHINTED


def _log_odds_of(work: Gathered, weights: OpinionWeights, works_in_corpus: int) -> float:
    """Return the log odds that a work is meant, against “none of these”: what entries, corpus and services say, added.

    Of a work, `place` is its rank among the author's entries, `own` its chance among them, `corpus` its probability by
    the corpus (None if it is not there), `share` that of the words asked for which it has, `meant` whether the author
    wrote its title, and `services` how far up services have it.  One that is both an entry and in the corpus gets
    more.  `weights`: how much each of these says.
    """
    by_services = _FIRST_OF_SERVICES * work.services + _MEANT * work.meant
    if not work.is_here:
        return _ONLY_ONLINE + _SHARE * work.share + by_services
    odds = 0.0
    if work.place is not None:
        odds += weights.own + _opinion_of_entries(weights, work.place, work.own)
    if work.corpus is not None:
        odds += weights.found + weights.found_scale * _log_odds(work.corpus)
    if work.place is not None and work.corpus is not None:
        odds += weights.both + weights.both_rare * math.log(max(works_in_corpus, 1))
    return odds + by_services


def _opinion_of_entries(weights: OpinionWeights, place: int, chance: float | None) -> float:
    """Return the log odds that an entry gets from its chance, or, if that is None, from its place in the list."""
    return -weights.own_scale * place if chance is None else weights.own_scale * _log_odds(chance)


def _log_odds(chance: float) -> float:
    chance = min(1 - _LEAST, max(_LEAST, chance))
    return math.log(chance / (1 - chance))


def rerank_works(
    works: Sequence[Candidate], scores: Mapping[str, float], named: Sequence[Candidate]
) -> list[Candidate]:
    """Order works by a reranker's scores, which are by title key; those whose titles the author wrote stay first.

    There is one score at least.  Works without one come last.  Scores are no probabilities, so each place keeps its
    own, whatever work holds it now.
    """
    least = min(scores.values()) - 1
    score_of = {id(it): scores.get(title_key(it.record.title), least) for it in works}
    order = sorted(works, key=lambda it: (it not in named, -score_of[id(it)]))
    return [replace(it, probability=holder.probability) for it, holder in zip(order, works, strict=True)]
