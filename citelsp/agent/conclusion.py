"""How runs end: what was selected and what else was found, ranked; several runs for one claim made one answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile

from citelsp import decision
from citelsp.agent import calls, certainty
from citelsp.agent.environment import Desk
from citelsp.agent.harmless_text import make_plain
from citelsp.agent.run import Run
from citelsp.agent.steps import Observation
from citelsp.candidates.gather import LISTED
from citelsp.knowledge import Candidate, Evidence, Suggestion

_LONGEST_TITLE = 300  # characters


def conclude(run: Run, stopped: str) -> Suggestion:
    """Make the suggestion of a run that ended: what was selected, in that order, then what else was found.

    The suggestion abstains, with the reason, if the policy (a model or rules) gave up, only guesses, or selected
    nothing.  `stopped` says why the run could not go on; "" if it ended by itself.  Of the suggestion, `together` says
    how many of the first works are to be cited at once, `further` whether another search might find more, `undecided`
    why rules chose in the model's stead, and `meant` which title the model named that was not found.
    """
    selected = [it for it in run.ending if it.about in run.desk.works]  # what the last step selected
    chosen = _read_choices(run, selected)
    notice = next((it.turn.notice for it in run.steps if it.turn.notice), "")  # why rules chose in the model's stead
    others = _list_others(run, chosen, notice)
    listed = [*chosen.values(), *others][: run.environment.listed]
    gave_up = next((it.text for it in run.ending if it.action.name == "give_up"), "")  # the reason
    refusal = _find_refusal(gave_up, selected, stopped)
    remarks = [it for it in dict.fromkeys((stopped, notice, *_list_silent_corpora(run))) if it and it not in refusal]
    together = _count_together(run, list(chosen.values()))
    # Nothing else is to be looked for once a policy gave up, or chose fewer works than were asked for; but a model that
    # could not choose this time may find more next time.
    is_exhausted = bool(gave_up) or together < run.environment.most
    further = bool(notice) or not is_exhausted
    # It abstains if there is a refusal, and gives that and the remarks as its reason.
    suggestion = decision.suggest_chosen(
        [_add_quote(run, it) for it in listed],
        refusal,
        "; ".join(remarks),
        further=further,
        together=together,
    )
    title_sought = "" if selected else _read_sought_title(run)
    return replace(suggestion, usage=_tell_usage(run), undecided=notice, meant=title_sought)


def _read_choices(run: Run, selected: Sequence[Observation]) -> dict[str, Candidate]:
    """Return the selected works by handle; if the first one has no reason, it gets what was said beside the choice."""
    chosen = {it.about: calls.read_choice(run.desk, it) for it in selected}
    if selected:
        first = selected[0].about
        chosen[first] = replace(chosen[first], why=chosen[first].why or _read_thought(run))
    return chosen


def _list_others(run: Run, chosen: Mapping[str, Candidate], notice: str) -> list[Candidate]:
    """List what was found and not chosen, best first; `notice` says why rules chose in the model's stead, or is ""."""
    works = run.desk.works
    order = sorted(works, key=lambda it: _sort_key(run.desk, it, searched=bool(chosen)))
    others = [works[it] for it in order if it not in chosen]
    # How probable the ranking held works says nothing any more once a model has seen them and chose others, or none.
    is_weighed = chosen or (run.usage.calls and not notice)
    return [replace(it, probability=None) for it in others] if is_weighed else others


def _tell_usage(run: Run) -> dict[str, float]:
    """Return what a run used up, as `Suggestion.usage` names it; `estimated` is there if tokens were not counted."""
    usage = run.usage
    spent: dict[str, float] = {
        "turns": len(run.steps),
        "tokens_in": usage.tokens_in,
        "tokens_cached": usage.cached,
        "tokens_out": usage.tokens_out,
        "usd": round(usage.usd, 6),
        "requests": usage.requests,
    }
    if usage.estimated:
        spent["estimated"] = 1
    return spent


def _read_sought_title(run: Run) -> str:
    """Return the last title that the model gave and under which no work was found; "" if there is none."""
    tried = (seen for step in run.steps for seen in step.observations if seen.action.name == "select")
    titles = [str(it.action.arguments.get("id") or "") for it in tried if it.refused]
    return make_plain(titles[-1], _LONGEST_TITLE) if titles else ""


def _count_together(run: Run, chosen: Sequence[Candidate]) -> int:
    """Count how many of the first works are to be cited together: several only if several were asked for."""
    sure = takewhile(lambda it: it.probability is not None and it.probability >= certainty.FITS, chosen)
    return max(1, min(run.environment.most, len(list(sure))))


def _find_refusal(gave_up: str, selected: Sequence[Observation], stopped: str) -> str:
    """Say why nothing is suggested; "" if something was selected that can be taken.

    `gave_up`: the reason that the policy gave, "" if it did not give up; `stopped`: why the run could not go on, or "".
    The first choice is not taken if the model itself holds it for improbable.
    """
    if gave_up:
        return gave_up
    if not selected:
        return stopped or "nothing was chosen"
    is_doubtful = certainty.is_doubtful(selected[0].action.arguments.get("sure"))
    return "the model only guesses" if is_doubtful else ""


def _list_silent_corpora(run: Run) -> list[str]:
    """List the corpora that did not answer for the place: without them the suggestion may lack what fits best."""
    seen = (seen for step in run.steps for seen in step.observations if seen.action.name == "match_place")
    return [note for it in seen for note in it.notes]


def _read_thought(run: Run) -> str:
    """Return what the model wrote beside its choice; "" of rules, whose turns only say what they do."""
    return run.steps[-1].turn.rationale if run.steps and run.steps[-1].turn.usage.calls else ""


def combine(suggestions: Sequence[Suggestion]) -> Suggestion:
    """Make one suggestion out of several for one claim, of which each excluded the works that earlier ones chose.

    There is at least one.  The chosen works come first, in the order of choice, and `together` says how many they are;
    behind them stands what the first suggestion found, without probabilities.  If there is but one, or none of them
    chose a work, the first comes back as it is.  `further`, whether another search might find more, is as the last
    suggestion says.
    """
    # A run shares out all probability among the works that are left, so a later choice would look as sure as the first.
    chosen = _cap_chances(chosen_works(suggestions))
    first = suggestions[0]
    if len(suggestions) == 1 or not chosen:
        return first
    names = {it.record.title for it in chosen}
    others = [replace(it, probability=None) for it in first.candidates if it.record.title not in names]
    listed = max(LISTED, len(first.candidates))  # as many as usual, or as the first suggestion has
    # The reason of a run that abstained is left out, as it only means that nothing else fits; unless another search
    # might find more.
    reasons = dict.fromkeys(it.reason for it in suggestions if it.reason and (it.further or not it.abstained))
    return Suggestion(
        candidates=tuple([*chosen, *others][:listed]),
        reason="; ".join(reasons),
        usage=_add_up_usage(suggestions),
        together=min(len(chosen), listed),
        further=suggestions[-1].further,
    )


def _add_up_usage(suggestions: Sequence[Suggestion]) -> dict[str, float]:
    """Add up what runs used up, by name; `estimated`, which only says that a run has it, may be more than 1."""
    usage: dict[str, float] = {}
    for suggestion in suggestions:
        for name, amount in suggestion.usage.items():
            usage[name] = usage.get(name, 0) + amount
    return usage


def chosen_works(found: Sequence[Suggestion]) -> list[Candidate]:
    """Return the works that were chosen, in the order of choice."""
    return [work for it in found if not it.abstained for work in it.candidates[: it.together]]


def _cap_chances(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Lower probabilities so that no work is more probable than one before it; unknown ones stay unknown."""
    known = [it.probability for it in chosen if it.probability is not None]
    least = iter(accumulate(known, min))
    return [it if it.probability is None else replace(it, probability=next(least)) for it in chosen]


def _sort_key(desk: Desk, handle: str, *, searched: bool) -> tuple[float, float]:
    """Order works by probability, then by how far up searches had them; if `searched`, by the latter alone."""
    return 0.0 if searched else -(desk.works[handle].probability or 0.0), -desk.seen.get(handle, 0.0)


def _add_quote(run: Run, candidate: Candidate) -> Candidate:
    """Give a candidate one quote: its own, else the sentence of its text nearest to the place, else its title."""
    if candidate.evidence:
        return replace(candidate, evidence=candidate.evidence[:1])
    handle = run.desk.lay([candidate])[0]  # it lies there already: this gives its handle back
    quotable = [it for it in run.desk.quotable(handle) if it.where != "title"]
    best = run.environment.nearest(quotable)
    title = Evidence(candidate.record.title, "title", candidate.record.source)
    return replace(candidate, evidence=(best[0] if best else title,))
