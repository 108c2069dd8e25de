"""What an agent proposes and sees, as values that can be written down and read again."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from citelsp.knowledge import Candidate, Evidence


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run has cost so far."""

    tokens_in: int = 0
    cached: int = 0  # of tokens_in, read from the endpoint's cache
    tokens_out: int = 0
    usd: float = 0.0
    calls: int = 0  # of the model
    requests: int = 0  # to services
    estimated: bool = False  # some counts are estimates, as an endpoint did not say

    def plus(self, other: "Usage") -> "Usage":
        return Usage(
            self.tokens_in + other.tokens_in,
            self.cached + other.cached,
            self.tokens_out + other.tokens_out,
            self.usd + other.usd,
            self.calls + other.calls,
            self.requests + other.requests,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do; `arguments` are as the policy wrote them and not yet checked."""

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    id: str = ""  # by which an endpoint knows the call


@dataclass(frozen=True, slots=True)
class Observation:
    """What one action brought.  Works are new candidates or known ones again, best first."""

    action: Action
    works: tuple[Candidate, ...] = ()
    handles: tuple[str, ...] = ()  # of the works, once they lie on the desk
    about: str = ""  # the handle of the work that was read
    passages: tuple[Evidence, ...] = ()  # of that work, verbatim
    text: str = ""  # of the manuscript, or a plain answer
    problem: str = ""  # what was wrong; the run goes on
    refused: bool = False  # the action could not be carried out as it was written
    notes: tuple[str, ...] = ()  # services that could not be asked, and why
    requests: int = 0

    def on_desk(self, handles: tuple[str, ...]) -> "Observation":
        return replace(self, handles=handles)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a policy proposes to do next, all at once."""

    actions: tuple[Action, ...] = ()
    rationale: str = ""
    problem: str = ""  # why the policy's answer could not be read
    failed: str = ""  # why the policy cannot go on at all
    notice: str = ""  # what the author should know of this run: the model could not be asked
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Step:
    turn: Turn
    observations: tuple[Observation, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may cost; 0 means no limit."""

    turns: int = 15
    tokens: int = 60_000  # in and out
    usd: float = 0.25
    seconds: float = 120.0
    requests: int = 200  # to services

    def reached(self, turns: int, usage: Usage) -> str:
        """Which limit is reached, for people; "" while none is."""
        spent = (
            (turns, self.turns, "turns"),
            (usage.tokens_in + usage.tokens_out, self.tokens, "tokens"),
            (usage.usd, self.usd, "USD"),
            (usage.requests, self.requests, "requests"),
        )
        return next((f"the limit of {most:g} {what} was reached" for used, most, what in spent if 0 < most <= used), "")
