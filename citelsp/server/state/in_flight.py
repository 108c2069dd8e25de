"""What the services are being asked about."""

import time
from collections.abc import Iterable

PATIENCE = 600.0  # seconds before what could not be asked is asked again by itself


class Asking:
    """The contents that are being asked about, and when each was last asked about."""

    def __init__(self) -> None:
        self.now: set[str] = set()
        self.tried: dict[str, float] = {}
        self.number = 0  # of the batches begun
        self.outage = False  # somebody did not answer, and the author was told so

    def forget(self) -> None:
        """Ask about everything again when it is next saved."""
        self.tried.clear()

    def note(self, keys: Iterable[str]) -> None:
        """Remember that these keys were asked about just now."""
        now = time.monotonic()
        recent = {it: at for it, at in self.tried.items() if now - at < PATIENCE}  # the others have rested
        self.tried = recent | dict.fromkeys(keys, now)

    def rested(self, key: str) -> bool:
        """True if it was never asked about, or long enough ago to ask again unbidden."""
        return time.monotonic() - self.tried.get(key, -PATIENCE) >= PATIENCE
