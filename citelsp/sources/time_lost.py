"""How long one question of the author may wait in vain.

A question goes to services in steps: those of one step are asked at the same time, the next step follows when all have
answered.  Time in which a service brought nothing is lost; time in which one waits for one's turn is not.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from citelsp.base import bounds
from citelsp.knowledge import Lookup, Unavailable
from citelsp.sources import service_specs

SLOW = 5.0  # seconds after which a request that failed is not made again at once
LIMIT = bounds.ENTRY  # waiting for one's turn at a service that answers is not in vain


@dataclass
class Patience:
    """The seconds that one question may still lose."""

    left: float = LIMIT
    _lost_in_step: float = 0.0  # by the slowest service of the present step

    def refusal(self, service: str) -> Unavailable | None:
        """Why a service is not asked any more, as it could take longer than there is time; None if it may be asked."""
        if service_specs.find_spec(service).timeout <= self.left:
            return None
        return Unavailable(service, f"not asked within {LIMIT:g} s, because other services did not answer")

    def begin_step(self) -> None:
        """The services that are asked from now on are asked after those before."""
        self._lost_in_step = 0.0

    def count_lost(self, lookups: Iterable[Lookup]) -> None:
        """Take off what the slowest of these services, asked in this step, took for nothing."""
        self.lose(max((it.lost for it in lookups if isinstance(it, Unavailable)), default=0.0))

    def lose(self, seconds: float) -> None:
        """Take off what one of the services that are asked in this step took for nothing."""
        # Services of one step hang side by side: only what exceeds the slowest so far is further time.
        self.left -= max(0.0, seconds - self._lost_in_step)
        self._lost_in_step = max(self._lost_in_step, seconds)
