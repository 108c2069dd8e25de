"""The policy without a model: search in several wordings, follow references, read, weigh, and abstain when unsure."""

from collections import Counter
from collections.abc import Sequence

from citelsp.agent import fusion, weighing
from citelsp.agent.conclusion import LISTED
from citelsp.agent.environment import Environment
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Observation, Turn
from citelsp.corpus.words import stem, stems, words

SURE = 0.9  # probability at which the first search is enough
FITS = 0.18  # below this no work is said to fit
_EXPANDED, _READ, _WEIGHED = 4, 8, 40
_LONG, _SHORT = 7, 3  # words of a wording
_MET, _TOP = 0.3, 3  # share of the words; works of which one should hold it


class Rules:
    """Deterministic: the same observations give the same turns."""

    name = "rules"

    def __init__(self, fits: float = FITS) -> None:
        self._fits = fits

    async def propose(self, run: Run) -> Turn:
        if not run.steps:
            return Turn(opening(run.environment), "search the place itself and several wordings of it")
        if (found := _services_said(run)) is not None:
            return Turn(_as_services_say(run, found), "what the services know decides with it")
        best = nearest(run)
        if len(run.steps) == 1 and best and (run.desk.works[best[0]].probability or 0.0) < SURE and run.turns_left > 1:
            return Turn(_closer(run, best), "follow the references of the nearest works and read them")
        conclusion = self._conclusion(run, best)
        if run.environment.online is not None and run.turns_left > 1:
            return Turn((_services(conclusion),), "search the services")
        return Turn(conclusion, "weigh what was found")

    def _conclusion(self, run: Run, best: Sequence[str]) -> tuple[Action, ...]:
        if run.environment.corpus is None and any(run.desk.works[it].probability is not None for it in best):
            return _as_library_says(run, best[:LISTED], self._fits)
        chances = _weighed(run, best)
        ranked = sorted(chances, key=lambda it: -chances[it])[:LISTED]
        if not ranked:
            return (Action("give_up", {"reason": _nothing(run)}),)
        if run.environment.corpus is None or all(run.desk.works[it].probability is None for it in best[:_WEIGHED]):
            return _uncalibrated(run, ranked)
        chosen = tuple(Action("select", {"id": it, "probability": chances[it]}) for it in ranked)
        if chances[ranked[0]] < self._fits:
            return (*chosen, Action("give_up", {"reason": "no work found is probable enough"}))
        return chosen


def _weighed(run: Run, best: Sequence[str]) -> dict[str, float]:
    """Probabilities of the works found; with a corpus, of the author's own entries too."""
    corpus, own, priors = run.environment.corpus, _seen(run, "search_library"), _seen(run, "match_place")
    weighed = [it for it in best if corpus is None or run.desk.works[it].origins != ("library",)][:_WEIGHED]
    chances = weighing.probabilities(run.environment, run.desk, {it: priors.get(it) for it in weighed}, links(run))
    if corpus is None or not own:
        return chances
    near = dict(sorted(chances.items(), key=lambda it: -it[1])[:LISTED])
    said = bool(run.environment.question.hint.strip())
    return fusion.pooled(list(own.items()), near, corpus.engine.size, said=said)


def _seen(run: Run, action: str) -> dict[str, float | None]:
    """The works that the first action of this name found, best first, with the probabilities that it gave them."""
    steps = (seen for step in run.steps for seen in step.observations if seen.action.name == action)
    seen = next(steps, None)
    return dict(zip(seen.handles, (it.probability for it in seen.works), strict=True)) if seen else {}


def _as_library_says(run: Run, ranked: Sequence[str], fits: float) -> tuple[Action, ...]:
    """Without a corpus the author's library says how probable its entries are; of other works nothing is known."""
    pairs = [(it, run.desk.works[it].probability) for it in ranked]
    chosen = tuple(Action("select", {"id": it, "probability": chance}) for it, chance in pairs)
    if (pairs[0][1] or 0.0) < fits:
        return (*chosen, Action("give_up", {"reason": "no work found is probable enough"}))
    return chosen


def _uncalibrated(run: Run, ranked: Sequence[str]) -> tuple[Action, ...]:
    """Without a corpus nothing says how probable a work is; one near the top has to share enough words."""
    chosen = tuple(Action("select", {"id": it}) for it in ranked)
    if any(weighing.met(run.environment, run.desk.works[it]) >= _MET for it in ranked[:_TOP]):
        return chosen
    return (*chosen, Action("give_up", {"reason": "no work found shares enough words with this sentence"}))


def _services(conclusion: Sequence[Action]) -> Action:
    """A search of the services that knows what would be answered without them."""
    works = [(it.arguments["id"], it.arguments.get("probability")) for it in conclusion if it.name == "select"]
    doubt = next((it.arguments["reason"] for it in conclusion if it.name == "give_up"), "")
    return Action("match_services", {"works": works, "doubt": doubt})


def _services_said(run: Run) -> Observation | None:
    return next((it for it in run.steps[-1].observations if it.action.name == "match_services"), None)


def _as_services_say(run: Run, found: Observation) -> tuple[Action, ...]:
    """The works in the order in which they came, with the probabilities that are known."""
    chances = {it.record.title: it.probability for it in found.works}
    pairs = ((it, chances.get(run.desk.works[it].record.title)) for it in found.handles[:LISTED])
    chosen = [Action("select", {"id": it, "probability": chance}) for it, chance in pairs]
    doubt = found.text or ("" if chosen else _nothing(run))
    return (*chosen, *([Action("give_up", {"reason": doubt})] if doubt else []))


def opening(environment: Environment) -> tuple[Action, ...]:
    """The place itself, and its wordings among the author's entries, in titles and abstracts, and in full texts."""
    wordings = variants(environment)
    actions = [Action("match_place")] if environment.corpus else []
    if environment.library:
        actions.append(Action("search_library", {"query": environment.query.sentence}))
    if environment.corpus or environment.services:
        actions += [Action("search", {"query": it}) for it in wordings[:3]]
        actions += [Action("search_text_snippet", {"query": it}) for it in wordings[:1]]
    return tuple(actions)


def variants(environment: Environment) -> list[str]:
    """Wordings of what is looked for: the hint, the words before the marker, the rarest words of the sentence."""
    query, rarity = environment.query, environment.rarity

    def rarest(text: str, count: int) -> str:
        known = [it for it in dict.fromkeys(words(text)) if stems(it)]
        kept = set(sorted(known, key=lambda it: -rarity(stem(it)))[:count])
        return " ".join(it for it in known if it in kept)

    wordings = (
        rarest(environment.question.hint, _LONG),
        rarest(query.clause, _LONG),
        rarest(query.sentence, _LONG),
        rarest(query.near, _SHORT),
        rarest(f"{environment.question.title} {query.sentence}", _LONG),
    )
    return list(dict.fromkeys(filter(None, wordings)))


def nearest(run: Run) -> list[str]:
    """Handles by the probability that the corpus gives them, then by how often searches found them."""
    desk = run.desk
    return sorted(desk.works, key=lambda it: (-(desk.works[it].probability or 0.0), -desk.seen.get(it, 0.0)))


def _closer(run: Run, best: Sequence[str]) -> tuple[Action, ...]:
    question = run.environment.query.sentence
    mixed = list(dict.fromkeys([*best[: _READ // 2], *sorted(best, key=lambda it: -run.desk.seen[it])]))[:_READ]
    reading = [Action("find_in_text", {"id": it, "query": question}) for it in mixed]
    following = [Action("expand_references", {"id": it}) for it in mixed[:_EXPANDED]]
    return (*reading, *following, *(Action("expand_citations", {"id": it}) for it in mixed[:1]))


def links(run: Run) -> Counter[str]:
    """For each handle how many works that were followed cite it."""
    steps = (seen for step in run.steps for seen in step.observations if seen.action.name == "expand_references")
    return Counter(handle for seen in steps for handle in seen.handles)


def _nothing(run: Run) -> str:
    notes = dict.fromkeys(note for step in run.steps for seen in step.observations for note in seen.notes)
    return "nothing was found" + (f" ({'; '.join(notes)})" if notes else "")
