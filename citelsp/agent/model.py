"""The policy with a language model: one question on many titles, and further ones while they show something new.

Half of all runs end with the first answer.  The second question shows what stands further down, since a model that
knows no title gains more by reading on than by searching in its own words; each later one what its words have found.
"""

from collections.abc import Sequence
from dataclasses import replace

from citelsp.agent import certainty, one_question, rules, wording
from citelsp.agent.ask import Asked
from citelsp.agent.one_question import FURTHER, TITLES, Choice
from citelsp.agent.program import Program
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Step, Turn, Usage
from citelsp.agent.wording import fence
from citelsp.corpus.words import stems

_FEWER_TITLES = (20, 8)  # titles, if a question is longer than the model's context
_MOST_HITS = 10  # of a search for the model's words, before what the ranking has further down
_WORTH = 0.1  # probability of the ranking's best work, below which nothing further down is worth a question
_MOST_REPEATED = 2  # searches of one run that were made before, after which rules decide
_SURENESS_OF_OTHERS = "likely"  # of a work that a model names beside its choice, if several are asked for
_LONGEST_SEARCH = 80  # characters of a search
_CHOSE_NONE = "the model says that none of these works fits"


class Model:
    """One run's policy; the chat may be shared by many."""

    name = "model"

    def __init__(
        self, chat: Asked, *, program: Program | None = None, titles: int = TITLES, searches: bool = True
    ) -> None:
        """`program`: the instructions before the question, None for the usual ones.

        `titles`: how many works the first question shows; `searches`: whether words that the model answers with are
        searched for.
        """
        self._chat = chat
        self._program = program
        self._titles = titles
        self._searches = searches
        self._shown: set[str] = set()  # handles of works
        self._answers: list[Choice] = []
        self._problem = ""  # why the model cannot be asked any more
        self._rules = rules.Rules()

    async def propose(self, run: Run) -> Turn:
        """Return the next turn: a search for the place first; then the model is asked while there is something new.

        Once nothing new is left to show, the turn gives up.  If the model cannot be asked, rules go on in its stead.
        If it searches for the same words again and again, the turn is a failed one.
        """
        if not run.steps:
            return Turn(rules.first_actions(run.environment, self._titles + FURTHER))
        if self._problem:
            return await self._go_on_by_rules(run)
        repeated = [it for it in run.steps if _is_repeated(it)]
        if len(repeated) >= _MOST_REPEATED:  # a search is the only action of its turn, so it has one observation
            return Turn(failed=f"the model's answers could not be used: {repeated[-1].observations[0].problem}")
        handles = self._choose_what_to_show(run)
        # Once it is asked even if nothing was found, as it may know the title.  A model that repeated a search is told
        # so, and asked again without anything new.
        may_be_asked = handles or not self._answers or _is_repeated(run.steps[-1])
        if not may_be_asked:
            return self._give_up()
        choice = await self._ask_model(run, handles)
        if choice.problem:
            self._problem = choice.problem
            return await self._go_on_by_rules(run, choice.usage)
        self._answers.append(choice)
        return self._make_turn(run, choice)

    def _choose_what_to_show(self, run: Run) -> list[str]:
        """List the handles of works to show next, none of which the model has seen: at first the best ones by rank.

        After an answer these are the first that the last step found for the model's words; in the second question also
        the next ones by rank.  If no work of the run is probable, those by rank are not worth another question; then
        only works that hold all words of the model are shown.
        """
        ranked = [it for it in wording.rank_found(run) if it not in self._shown]
        if not self._answers:
            return ranked[: self._titles]
        in_last_step = dict.fromkeys(handle for seen in run.steps[-1].observations for handle in seen.handles)
        new = [it for it in in_last_step if it not in self._shown]
        if not _is_promising(run):
            return [it for it in new if _holds_words(run, it, self._answers[-1].words)][:_MOST_HITS]
        # The ranking is read on once, in the second question.
        further = ranked if len(self._answers) == 1 else []
        return list(dict.fromkeys([*new[:_MOST_HITS], *further]))[:FURTHER]

    async def _ask_model(self, run: Run, handles: Sequence[str]) -> Choice:
        """Ask for the model's choice among these works, or among fewer of them if its context is too short for all.

        The works that it was shown are noted, so that they are not shown again.  If even the fewest are too many for
        it, the choice has a `problem`.  `handles`: of the works, W3 and the like.
        """
        spent = Usage()
        remark = self._write_remark(run)
        for count in (len(handles), *(it for it in _FEWER_TITLES if it < len(handles))):
            shown = one_question.Shown(run.environment, run.desk, tuple(handles[:count]), remark)
            choice = await one_question.choose(self._chat, shown, self._program)
            spent = spent.plus(choice.usage)
            if not choice.too_long:
                self._shown.update(handles[:count])
                break
        return replace(choice, usage=spent)

    def _write_remark(self, run: Run) -> str:
        """Write for the model's next question what came of its earlier answers; "" before the first one.

        That is how many works it saw, what it searched for, and what went wrong in the last step.
        """
        if not self._answers:
            return ""
        queries: dict[str, None] = {}
        for step in run.steps:
            for observation in step.observations:
                if observation.action.name == "search":
                    queries[str(observation.action.arguments.get("query"))] = None
        lines = [f"You were shown {len(self._shown)} titles and chose none."]
        if queries:
            lines.append("Searched for: " + ", ".join(fence(it, _LONGEST_SEARCH) for it in queries))
        lines += [it.problem for it in run.steps[-1].observations if it.problem]
        return "\n".join(lines)

    def _make_turn(self, run: Run, choice: Choice) -> Turn:
        """Make the turn that follows from a model's choice: select works, or search for words; no action if neither.

        Words are passed over if searches are switched off.  After a turn without an action `propose` shows further
        works, or gives up.  "sure" of an action is how sure the model is of the work, in a word such as "likely"; it
        says nothing of the other works that it named, so that these get _SURENESS_OF_OTHERS if they are chosen, too.
        """
        chosen = choice.handle or choice.title  # a title that was not shown is looked up by the action
        if chosen:
            actions = [Action("select", {"id": chosen, "sure": choice.sure, "why": choice.why})]
            if choice.handle:
                # If several are to be cited the others are chosen, too; else they are runners-up, without "sure".
                chooses_others = run.environment.most > 1 and not certainty.is_doubtful(choice.sure)
                for handle in choice.others:
                    arguments = {"id": handle, "sure": _SURENESS_OF_OTHERS} if chooses_others else {"id": handle}
                    actions.append(Action("select", arguments))
            return Turn(tuple(actions), choice.why, usage=choice.usage)
        if choice.words and self._searches:
            return Turn((Action("search", {"query": choice.words}),), choice.why, usage=choice.usage)
        return Turn((), choice.why or _CHOSE_NONE, usage=choice.usage)

    def _give_up(self) -> Turn:
        """Give up, as nothing is left to be shown; with the last reason and the last title that the model gave."""
        meant = next((it.title for it in reversed(self._answers) if it.title), "")
        why = next((it.why for it in reversed(self._answers) if it.why), "") or _CHOSE_NONE
        reason = f"“{meant}” seems to be meant and was not found; {why}" if meant else why
        return Turn((Action("give_up", {"reason": reason}),), _CHOSE_NONE)

    async def _go_on_by_rules(self, run: Run, spent: Usage = Usage()) -> Turn:  # noqa: B008  a frozen value
        """Return the turn of the rules, which says why they go on, and what the model's last answers cost."""
        turn = await self._rules.propose(run)
        rationale = f"{self._problem}; rules go on: {turn.rationale}"
        return Turn(turn.actions, rationale, usage=spent, notice=self._problem)


def _is_repeated(step: Step) -> bool:
    """True if the model searched for what was searched for before."""
    return any(it.refused and it.action.name == "search" for it in step.observations)


def _is_promising(run: Run) -> bool:
    """True if the work may stand further down in the ranking, as it hardly does if no work is probable."""
    known = [it.probability for it in run.desk.works.values() if it.probability is not None]
    return not known or max(known) >= _WORTH


def _holds_words(run: Run, handle: str, words: str) -> bool:
    """True if title and abstract of a work hold all words of a search."""
    record = run.desk.works[handle].record
    return set(stems(words)) <= set(stems(f"{record.title} {record.abstract}"))
