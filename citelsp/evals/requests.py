"""Counting what is asked of the services."""

from citelsp.sources.ask import Sources


def counted(sources: Sources) -> list[object]:
    """A list that grows by every request these sources send from now on."""
    sent: list[object] = []

    async def note(request: object) -> None:
        sent.append(request)

    sources.client.connections().event_hooks["request"].append(note)
    return sent
