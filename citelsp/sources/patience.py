"""How long one question of the author may wait in vain."""

from collections.abc import Iterable
from dataclasses import dataclass

from citelsp.base import bounds
from citelsp.knowledge import Lookup, Unavailable
from citelsp.sources import registry

SLOW = 5.0  # seconds after which a request that failed is not made again at once
LIMIT = bounds.ENTRY  # waiting for one's turn at a service that answers is not in vain


@dataclass
class Patience:
    """What is left of it.  Services that are asked at the same time are waited for once."""

    left: float = LIMIT
    _step: float = 0.0

    def refusal(self, service: str) -> Unavailable | None:
        """Why a service is not asked any more: it could take longer than there is time."""
        if registry.SERVICES[service].timeout <= self.left:
            return None
        return Unavailable(service, f"not asked within {LIMIT:g} s, because other services did not answer")

    def step(self) -> None:
        """What is heard from now on was asked after what was heard before."""
        self._step = 0.0

    def heard(self, lookups: Iterable[Lookup]) -> None:
        self.lose(max((it.lost for it in lookups if isinstance(it, Unavailable)), default=0.0))

    def lose(self, seconds: float) -> None:
        """One of the services that are asked in this step took so long for nothing."""
        # Services of one step hang side by side: only what exceeds the slowest so far is further time.
        self.left -= max(0.0, seconds - self._step)
        self._step = max(self._step, seconds)
