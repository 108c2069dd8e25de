"""The policy without a model: search in several wordings, follow references, read, weigh, and abstain when unsure."""

from collections import Counter
from collections.abc import Mapping, Sequence

from citelsp import decision
from citelsp.agent import work_scores
from citelsp.agent.environment import Environment
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Turn
from citelsp.candidates import pool_opinions
from citelsp.candidates.gather import Gathered
from citelsp.corpus.words import stem, stems, words
from citelsp.decision import Grounds

SURE = 0.9  # probability at which the first search is enough
_MOST_EXPANDED = 4  # works whose references are followed
_MOST_READ = 8  # works
_MOST_WEIGHED = 40  # works
_WORDINGS_FOR_TITLES, _WORDINGS_FOR_TEXTS = 3, 1  # how many wordings of a place are searched for
_MATCHED = 30  # works of corpora for the place
_WORDS_OF_LONG, _WORDS_OF_SHORT = 7, 3  # words of a wording
_LEAST_COVERED = 0.3  # share of the words that a work of unknown probability should hold


class Rules:
    """Deterministic: the same observations give the same turns."""

    name = "rules"

    async def propose(self, run: Run) -> Turn:
        """Search; look closer at the nearest works, unless the best is likely enough or no turn is left; decide."""
        if not run.steps:
            return Turn(opening_actions(run.environment), "search the place itself and several wordings of it")
        best = nearest_handles(run)
        if len(run.steps) == 1 and best and run.turns_left > 1:  # one to look closer, and one to decide
            is_sure = (run.desk.works[best[0]].probability or 0.0) >= SURE
            if not is_sure:
                return Turn(_look_closer(run, best), "follow the references of the nearest works and read them")
        return decide(run)


def decide(run: Run) -> Turn:
    """Select the works of a list from those that the run found, best first; if not even the best fits, also give up.

    Then the selected works are still listed, as the nearest ones.  Order and decision are made as for the list that an
    editor gets at once, but with what the run has read since.  A work fits if it is probable enough; if its probability
    is not known, one of the first works must have a large enough share (_LEAST_COVERED) of the words around the place.
    """
    environment = run.environment
    works = _weigh_all(run, nearest_handles(run))
    # By `id`, since `rank_works` gives back the same record objects, and no handles.
    handle_of = {id(run.desk.works[handle].record): handle for handle in works}
    has_hint = bool(environment.question.hint.strip())  # entries, corpus and services are weighed otherwise then
    ranked = pool_opinions.rank_works(
        tuple(works.values()), environment.size, hinted=has_hint, listed=environment.listed
    )
    grounds = Grounds(
        nothing=_say_nothing(run), meets=lambda work: work_scores.covered_share(environment, work) >= _LEAST_COVERED
    )
    doubt = decision.decide(ranked, grounds).reason  # "" if something fits
    actions = [_select(handle_of[id(it.record)], it.probability) for it in ranked]
    if doubt:
        actions.append(Action("give_up", {"reason": doubt}))
    return Turn(tuple(actions), "weigh what was found")


def _select(handle: str, chance: float | None) -> Action:
    """The action that selects a work, with its probability if that is known."""
    arguments: dict[str, object] = {"id": handle}
    if chance is not None:
        arguments["probability"] = chance
    return Action("select", arguments)


def _weigh_all(run: Run, best: Sequence[str]) -> dict[str, Gathered]:
    """Return by handle the works to rank, with what is known of each from the author's own entries and from the corpus.

    Of an entry that is its rank (`place`, from 0) and its probability (`own`, None if it has none).  Of every work that
    was found elsewhere than among the entries alone, in the corpus or by services, it is the probability after what was
    read (`corpus`).  `best` are handles, those of the works nearest to the place first.  If there is no corpus, what
    services found is weighed by its rank instead.
    """
    chance_of_entry = _list_results_of(run, "search_library")
    if not run.environment.has_corpus:
        return _weigh_by_services(run, best, chance_of_entry)
    chance_in_corpus = _weigh_anew(run, best)
    place_of_entry = {handle: place for place, handle in enumerate(chance_of_entry)}
    gathered = {}
    for handle in dict.fromkeys((*chance_of_entry, *chance_in_corpus)):
        gathered[handle] = Gathered(
            run.desk.works[handle],
            place=place_of_entry.get(handle),
            own=chance_of_entry.get(handle),
            corpus=chance_in_corpus.get(handle),
        )
    return gathered


def _weigh_anew(run: Run, best: Sequence[str]) -> dict[str, float]:
    """Return the likeliest works by handle, as many as a list has, with their probabilities after what was read.

    Only the first _MOST_WEIGHED of the handles `best` are weighed.  What was found among the author's entries alone is
    left out, as it has its probability from there.
    """
    desk = run.desk
    chance_before = _list_results_of(run, "match_place")
    not_entries_alone = [handle for handle in best if desk.works[handle].origins != ("library",)]
    priors = {handle: chance_before.get(handle) for handle in not_entries_alone[:_MOST_WEIGHED]}
    chances = work_scores.weigh_works(run.environment, desk, priors, count_links(run))
    likeliest = sorted(chances.items(), key=lambda item: -item[1])
    return dict(likeliest[: run.environment.listed])


def _weigh_by_services(run: Run, best: Sequence[str], own: Mapping[str, float | None]) -> dict[str, Gathered]:
    """Return by handle the works to rank if there is no corpus: what services found counts by how far up they had it.

    That is a number from 0 to 1; 1 is for the work that searches had furthest up, and most often.  `share` says which
    share of the words around the place a work holds: a service gives no probability, so its works are weighed by that,
    too.  `best` are handles of works.  `own`: those of the author's entries, best first, with their probabilities;
    these count as entries alone, whether services found them or not.
    """
    desk = run.desk
    place_of_entry = {handle: place for place, handle in enumerate(own)}
    most_seen = max(desk.seen.values(), default=1.0)
    gathered = {}
    for handle in best:
        seen = 0.0 if handle in own else desk.seen.get(handle, 0.0)
        gathered[handle] = Gathered(
            desk.works[handle],
            place=place_of_entry.get(handle),
            own=own.get(handle),
            services=seen / most_seen,
            share=work_scores.covered_share(run.environment, desk.works[handle]),
        )
    return gathered


def _list_results_of(run: Run, action: str) -> dict[str, float | None]:
    """Return the handles that the first action of this name found, best first, with the probabilities that it gave.

    Empty if there was no such action.
    """
    for step in run.steps:
        for seen in step.observations:
            if seen.action.name == action:
                return dict(zip(seen.handles, (work.probability for work in seen.works), strict=True))
    return {}


def opening_actions(environment: Environment) -> tuple[Action, ...]:
    """Return searches of corpora by the place, of entries by its sentence, and of titles and texts by its wordings."""
    wordings = word_variants(environment)
    actions = [Action("match_place", {"limit": max(_MATCHED, environment.listed)})] if environment.has_corpus else []
    if environment.library:
        actions.append(Action("search_library", {"query": environment.query.sentence}))
    if environment.corpus or environment.services:
        actions += [Action("search_words", {"query": it}) for it in wordings[:_WORDINGS_FOR_TITLES]]
        actions += [Action("search_text_snippet", {"query": it}) for it in wordings[:_WORDINGS_FOR_TEXTS]]
    return tuple(actions)


def first_actions(environment: Environment, works: int) -> tuple[Action, ...]:
    """Return what to do before a model is asked: find so many works of corpora for the place, and search the entries.

    Without a corpus the model speaks first: it may know the title, and its words are better than any that are taken
    from the sentence without knowing how rare they are.
    """
    actions = [Action("recall")] if environment.earlier else []
    actions += [Action("match_place", {"limit": works})] if environment.has_corpus else []
    if environment.library:
        actions.append(Action("search_library", {"query": environment.query.sentence}))
    return tuple(actions)


def word_variants(environment: Environment) -> list[str]:
    """Return queries for what is looked for, the most telling one first, each once; none of them is empty.

    They are made of the rarest words of the hint, of the words before the place, of the sentence, of the few right
    before the place, and of the sentence with the manuscript's title.
    """
    query = environment.query
    rarity = environment.rarity

    def rarest(text: str, count: int) -> str:
        """Return the `count` rarest words of a text, in their order in it."""
        with_stems = [it for it in dict.fromkeys(words(text)) if stems(it)]
        by_rarity = sorted(with_stems, key=lambda word: -rarity(stem(word)))
        chosen = set(by_rarity[:count])
        return " ".join(it for it in with_stems if it in chosen)

    wordings = (
        rarest(environment.question.hint, _WORDS_OF_LONG),
        rarest(query.clause, _WORDS_OF_LONG),
        rarest(query.sentence, _WORDS_OF_LONG),
        rarest(query.nearest_words, _WORDS_OF_SHORT),
        rarest(f"{environment.question.title} {query.sentence}", _WORDS_OF_LONG),
    )
    return list(dict.fromkeys(filter(None, wordings)))


def nearest_handles(run: Run) -> list[str]:
    """Order handles by the probability that the corpus gives them, then by how far up searches found them."""
    desk = run.desk
    return sorted(desk.works, key=lambda it: (-(desk.works[it].probability or 0.0), -desk.seen.get(it, 0.0)))


def _look_closer(run: Run, best: Sequence[str]) -> tuple[Action, ...]:
    """Read the nearest works and those that most searches found; follow the links of the first of them.

    `best` are handles, those of the nearest works first.
    """
    question = run.environment.query.sentence
    most_seen = sorted(best, key=lambda it: -run.desk.seen[it])
    read = list(dict.fromkeys([*best[: _MOST_READ // 2], *most_seen]))[:_MOST_READ]
    reading = [Action("find_in_text", {"id": it, "query": question}) for it in read]
    following = [Action("expand_references", {"id": it}) for it in read[:_MOST_EXPANDED]]
    return (*reading, *following, *(Action("expand_citations", {"id": it}) for it in read[:1]))


def count_links(run: Run) -> Counter[str]:
    """Count for each handle how many of the works whose references were followed cite it."""
    steps = (seen for step in run.steps for seen in step.observations if seen.action.name == "expand_references")
    return Counter(handle for seen in steps for handle in seen.handles)


def _say_nothing(run: Run) -> str:
    notes = dict.fromkeys(note for step in run.steps for seen in step.observations for note in seen.notes)
    return "nothing was found" + (f" ({'; '.join(notes)})" if notes else "")
