"""What the services are being asked about."""

import time
from collections.abc import Iterable

PATIENCE = 600.0  # seconds before what could not be asked is asked again by itself


class Asking:
    """The contents that are being asked about, and when each was last asked about."""

    def __init__(self) -> None:
        self.now: set[str] = set()
        self.tried: dict[str, float] = {}  # content → when, by the clock of time.monotonic
        self.number = 0  # of the batches begun
        self.outage = False  # somebody did not answer, and the author was told so

    def forget(self) -> None:
        """Ask about everything again when it is next saved."""
        self.tried.clear()

    def note(self, contents: Iterable[str]) -> None:
        """Remember that these were asked about just now; what may be asked again anyway is forgotten."""
        now = time.monotonic()
        recent = {content: at for content, at in self.tried.items() if now - at < PATIENCE}
        self.tried = recent | dict.fromkeys(contents, now)

    def rested(self, content: str) -> bool:
        """True if it was never asked about, or long enough ago to ask again unbidden."""
        asked_at = self.tried.get(content, float("-inf"))
        return time.monotonic() - asked_at >= PATIENCE
