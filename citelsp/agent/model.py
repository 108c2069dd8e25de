"""The policy with a language model: one question on many titles first; a search by turns if that leaves something.

Half of all runs end with the first answer.  A second question shows what stands further down, since a model that
knows no title gains more by reading on than by searching in its own words.
"""

from collections.abc import Sequence

from citelsp.agent import certainty, one_question, rules, wording
from citelsp.agent.chat import Chat
from citelsp.agent.one_question import FURTHER, TITLES, Choice
from citelsp.agent.program import Program
from citelsp.agent.run import Run
from citelsp.agent.searching import Searching
from citelsp.agent.steps import Action, Turn, Usage

_QUESTIONS = 2  # before a search by turns
_FEWER = (20, 8)  # titles, if a question is longer than the model's context
_FIRST_HITS = 10  # of a search for the model's words, before what the ranking has further down
_SEVERAL = "likely"  # how sure a model is of a work that it names beside its choice, if several are asked for
_NONE = "the model says that none of these works fits"


class Model:
    """One run's policy; the chat may be shared by many."""

    name = "model"

    def __init__(
        self,
        chat: Chat,
        *,
        program: Program | None = None,
        titles: int = TITLES,
        searches: bool = True,
        demonstration: bool = True,
    ) -> None:
        """`program`: what is said before the question; `searches`: whether a search may follow it."""
        self._chat = chat
        self._program = program
        self._titles = titles
        self._searches = searches
        self._demonstration = demonstration
        self._shown: set[str] = set()
        self._answers: list[Choice] = []
        self._search: Searching | None = None
        self._lost = ""  # why the model cannot be asked any more
        self._rules = rules.Rules()

    async def propose(self, run: Run) -> Turn:
        if not run.steps:
            return Turn(rules.first_look(run.environment, self._titles + FURTHER))
        if self._lost:
            return await self._by_rules(run)
        if self._search:
            return await self._search.propose(run)
        handles = self._unseen(run)
        if self._answers and (len(self._answers) >= _QUESTIONS or not handles):
            return await self._ended(run)
        choice = await self._asked(run, handles)
        if choice.problem:
            self._lost = choice.problem
            return await self._by_rules(run, choice.usage)
        self._answers.append(choice)
        return self._turn(run, choice)

    def _unseen(self, run: Run) -> list[str]:
        """What is shown next: what the last step found for the model's words, then what the ranking has."""
        last = [handle for seen in run.steps[-1].observations for handle in seen.handles] if self._answers else []
        fresh = [it for it in dict.fromkeys(last) if it not in self._shown][:_FIRST_HITS]
        order = dict.fromkeys([*fresh, *(it for it in wording.ranked(run) if it not in self._shown)])
        return list(order)[: FURTHER if self._answers else self._titles]

    async def _asked(self, run: Run, handles: Sequence[str]) -> Choice:
        """The model's choice among these works, or among fewer of them if it cannot take so many."""
        spent = Usage()
        for count in (len(handles), *(it for it in _FEWER if it < len(handles))):
            choice = await one_question.choose(self._chat, run.environment, run.desk, handles[:count], self._program)
            spent = spent.plus(choice.usage)
            if not choice.too_long:
                self._shown.update(handles[:count])
                run.desk.shown = self._shown
                break
        return one_question.costing(choice, spent)

    def _turn(self, run: Run, choice: Choice) -> Turn:
        if chosen := choice.handle or choice.title:
            first = Action("select", {"id": chosen, "sure": choice.sure, "why": choice.why})
            doubted = certainty.is_doubtful(choice.sure)
            several = run.environment.most > 1 and not doubted
            others = (Action("select", {"id": it} | ({"sure": _SEVERAL} if several else {})) for it in choice.others)
            return Turn((first, *others) if choice.handle else (first,), choice.why, usage=choice.usage)
        if choice.words and self._searches:
            return Turn((Action("search", {"query": choice.words}),), choice.why, usage=choice.usage)
        return Turn((), choice.why or _NONE, usage=choice.usage)

    async def _ended(self, run: Run) -> Turn:
        """What follows the last question: a search by turns if the model knows what to look for, else nothing."""
        last = self._answers[-1]
        if self._searches and (last.title or last.words):
            self._search = Searching(self._chat, shown=self._shown, demonstration=self._demonstration)
            return await self._search.propose(run)
        meant = next((it.title for it in reversed(self._answers) if it.title), "")
        why = next((it.why for it in reversed(self._answers) if it.why), "") or _NONE
        reason = f"“{meant}” seems to be meant and was not found; {why}" if meant else why
        return Turn((Action("give_up", {"reason": reason}),), _NONE)

    async def _by_rules(self, run: Run, spent: Usage = Usage()) -> Turn:  # noqa: B008  a frozen value
        turn = await self._rules.propose(run)
        return Turn(turn.actions, f"{self._lost}; rules go on: {turn.rationale}", usage=spent, notice=self._lost)
