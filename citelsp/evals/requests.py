"""Counting what is asked of the services."""

from collections.abc import Callable

from citelsp.sources.ask_services import Sources


def count_requests(sources: Sources, most: int = 0, reached: Callable[[], object] = bool) -> list[object]:
    """A list that grows by every request these sources send from now on; with the `most`-th, `reached` is called."""
    sent: list[object] = []

    async def note(request: object) -> None:
        sent.append(request)
        if len(sent) == most:
            reached()

    sources.client.connections.pool().event_hooks["request"].append(note)
    return sent
