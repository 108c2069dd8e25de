"""One run as its policy sees it."""

from dataclasses import dataclass, field

from citelsp.agent import calls
from citelsp.agent.environment import Desk, Environment
from citelsp.agent.steps import Limits, Observation, Step, Usage


@dataclass
class Run:
    """What a policy sees: the place, the desk, all steps so far."""

    environment: Environment
    limits: Limits
    desk: Desk = field(default_factory=Desk)
    steps: list[Step] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    @property
    def turns_left(self) -> int:
        return self.limits.turns - len(self.steps) if self.limits.turns else 1000  # a limit of 0 is none

    @property
    def ending(self) -> list[Observation]:
        """What the last step selected, and that it gave up; empty while the run goes on."""
        last = self.steps[-1].observations if self.steps else ()
        return [it for it in last if it.action.name in calls.ENDING and not it.problem]
