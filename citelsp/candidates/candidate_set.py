"""The list for a placeholder: everything that was gathered, ranked, and whether it fits."""

import time
from collections.abc import Sequence
from dataclasses import replace

from citelsp import decision
from citelsp.candidates import gather, pool_opinions, word_coverage
from citelsp.candidates.gather import Here
from citelsp.corpus import fitted_weights
from citelsp.corpus.words import title_key
from citelsp.decision import Grounds
from citelsp.knowledge import Answers, Candidate, Found, Lookup, Suggestion, Unavailable, tell_why_silent
from citelsp.sources import find_work

_HERE = ("library", "corpus")  # origins on this machine


def suggest(here: Here, answers: Answers = Answers()) -> Suggestion:  # noqa: B008  a frozen value
    """List the works for a question, best first, and decide whether one fits.

    `here` is what this machine has, `answers` what services, servers and models answered so far; without any, this is
    the list that is shown at once.  What a search by a model chose comes before everything else.
    """
    if answers.servers:
        here = gather.joined_by(here, answers.servers)
    hint = here.query.question.hint.strip()
    lookups = answers.lookups
    candidates = pool_opinions.rank_works(gather.works(here, lookups), here.size, hinted=bool(hint), listed=here.listed)
    if answers.scores:  # a reranker's
        # What the author named by its title stays first, whatever the reranker says.
        titled = [it for it in candidates if hint and find_work.is_titled(hint, it.record)]
        candidates = pool_opinions.rerank_works(candidates, answers.scores, titled)
    suggestion = decision.decide(candidates, _state_grounds(here, candidates, lookups))
    unanswered = [f"the corpus {it.name} did not answer: {it.why}" for it in answers.servers if it.why]
    reasons = [suggestion.reason, *unanswered]
    suggestion = replace(suggestion, reason="; ".join(filter(None, reasons)))
    if answers.search:
        suggestion = _put_choice_first(here, suggestion, answers.search)
    silent = tuple(it.source for it in lookups if isinstance(it, Unavailable))
    return replace(suggestion, complete=answers.complete, usage=answers.usage, silent=silent)


def _state_grounds(here: Here, candidates: Sequence[Candidate], lookups: Sequence[Lookup]) -> Grounds:
    """Gather what `decision.decide` needs to say whether one of the candidates fits the question.

    `calibrated`: probabilities alone decide.  They were fitted without services, and in corpora of FEWEST works or
    more.  Without any corpus (`size` is 0) they are those of the author's entries, which were fitted on their own; to a
    hint there are none.  If they do not decide, it is enough that one of the first candidates `meets` the question by
    its words.
    """
    sought = word_coverage.weigh_sought_words(
        here.query, [word_coverage.text_of(it.record) for it in candidates], here.corpus
    )
    hint = here.query.question.hint.strip()
    return Grounds(
        nothing=_say_nothing_found(lookups) if lookups else _say_nothing_here(here),
        meets=lambda it: sought.fits(word_coverage.text_of(it.record)),
        calibrated=not lookups and (not here.size or here.size >= fitted_weights.FEWEST),
        asked=f"“{hint}”" if hint else "this sentence",
    )


def _put_choice_first(here: Here, suggestion: Suggestion, search: Suggestion) -> Suggestion:
    """Put the works that a search by a model chose before those of the suggestion.

    If no model chose (`search.undecided` says why not, if one was asked), and no more than one work was chosen, the
    list stays as it is, and only `_explain_no_choice` adds to it.  Else taken over from the search are how many of its
    works are to be cited `together`, whether it might find `further` ones, the file of its record (`trajectory`), and,
    if the model refused, the title that was `meant`.  `here`: what this machine has for the question.
    """
    asked_a_model = bool(search.usage.get("tokens_in"))
    # Several works at once are a choice, whoever made it: rules choose them one after another, in the model's stead.
    chose_several = search.together >= 2
    if not chose_several and (search.undecided or not asked_a_model):
        return _explain_no_choice(suggestion, search)
    # A model that says that nothing fits may still name the nearest works, with a reason (`why`) for each.
    chosen = [it for it in search.candidates[: search.together] if it.why or not search.abstained]
    if here.project:  # under the keys of the author's own entries, if there are such
        chosen = [gather.add_own_key(here.project, it) for it in chosen]
    titles = {title_key(it.record.title) for it in chosen}
    keys = {it.key for it in chosen if it.key}  # an entry may have another title than the record that was chosen
    others = [it for it in suggestion.candidates if title_key(it.record.title) not in titles and it.key not in keys]
    # How probable the others were is no longer true, now that something was chosen.
    listed = [*chosen, *(replace(it, probability=None) for it in others)]
    # The list stays as long as it was, which may be more than `here.listed` works: services add as many.
    listed = listed[: max(here.listed, len(suggestion.candidates))]
    refusal = search.reason if search.abstained else ""
    remark = "" if search.abstained else search.reason
    decided = decision.suggest_chosen(listed, refusal, remark, further=search.further)
    return replace(
        decided,
        together=len(chosen) or 1,  # one at least, as of any list
        trajectory=search.trajectory,
        meant=search.meant if search.abstained else "",
    )


def _explain_no_choice(suggestion: Suggestion, search: Suggestion) -> Suggestion:
    """Leave the list as it is, with the search's `trajectory`; add to its reason why the model could not choose.

    If the model was not asked, the search's reason counts only where the list has none of its own.
    """
    reason = suggestion.reason or search.reason
    if search.undecided:
        reason = "; ".join(filter(None, [suggestion.reason, search.undecided]))
    return replace(suggestion, reason=reason, trajectory=search.trajectory, undecided=search.undecided)


def lookups(candidates: Sequence[Candidate]) -> tuple[Lookup, ...]:
    """Sort the works that a search found by the services that had them, as if each had been asked for its own."""
    services = dict.fromkeys(name for it in candidates for name in it.origins if name not in _HERE)
    return tuple(Found(name, tuple(it.record for it in candidates if name in it.origins)) for name in services)


def _say_nothing_here(here: Here) -> str:
    """Say in which of bibliography and corpus no work was found; only what was looked at is named."""
    if here.project is not None and any(it.syntax.entries for it in here.project.defining):
        both = "neither your bibliography nor the corpus has a work on this"
        return both if here.size else "your bibliography has no work on this"
    return "the corpus has no work on this" if here.size else "no entries were found, so nothing was searched"


def _say_nothing_found(lookups: Sequence[Lookup]) -> str:
    """Say why services found nothing: that they have no such work, or that they did not answer, and who did not."""
    missing = [it for it in lookups if isinstance(it, Unavailable)]
    if not missing:
        return "the services found no work on this"
    why_silent = tell_why_silent((it.source, _say_trouble(it)) for it in missing)
    if len(missing) == len(lookups):
        return f"no service answered ({why_silent})"
    return f"the services that answered found no work on this ({why_silent})"


def _say_trouble(lookup: Unavailable) -> str:
    """Say why a service did not answer, and until when nobody asks it again."""
    until = f" until {time.strftime('%H:%M', time.localtime(lookup.until))}" if lookup.until else ""
    return f"{lookup.why}{until}"
