"""The user's endpoints as the server holds them: a model, embeddings, reranking, corpora on servers.

Connected at first use and then kept; closed when no settings name them any more and nothing uses them.
"""

from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citelsp.base.settings import Settings

if TYPE_CHECKING:
    from citelsp.agent.chat import Chat
    from citelsp.corpus.ranking_endpoints import Helpers
    from citelsp.corpus.servers import Servers

_Key = tuple[object, ...]  # what of the settings says which endpoints there are


@dataclass
class Opened:
    """One set of endpoints, and how many use it now."""

    chat: "Chat | None"
    helpers: "Helpers"
    servers: "Servers"
    users: int = 0

    async def aclose(self) -> None:
        if self.chat:
            await self.chat.aclose()
        await self.helpers.aclose()
        await self.servers.aclose()


class Endpoints:
    """The sets that are open, by what of the settings names them."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        """`warn` tells the author what an endpoint did not do."""
        self._warn = warn
        self._opened: dict[_Key, Opened] = {}
        self._named: Collection[_Key] | None = None  # None until settings were read

    @asynccontextmanager
    async def opened(self, settings: Settings) -> AsyncIterator[Opened]:
        """Open the endpoints of these settings, or take those that are open; they stay so until the block ends.

        They stay open afterwards, too, as long as the current settings name them.
        """
        key = _make_key(settings)
        # Connections stay between searches: opening one to another host takes several round trips.
        if key not in self._opened:
            self._opened[key] = self._open(settings)
        opened = self._opened[key]
        opened.users += 1
        try:
            yield opened
        finally:
            opened.users -= 1
            await self._close_unused()

    async def keep(self, named: Iterable[Settings]) -> None:
        """Close what none of these settings names; what is in use, at the end of its use."""
        self._named = {_make_key(it) for it in named}
        await self._close_unused()

    async def _close_unused(self) -> None:
        """Close what no settings name any more and nothing uses; nothing as long as no settings were read."""
        if self._named is None:
            return
        named = self._named
        unused = [key for key, opened in self._opened.items() if key not in named and not opened.users]
        for key in unused:
            await self._opened.pop(key).aclose()

    def _open(self, settings: Settings) -> Opened:
        from citelsp.agent import start
        from citelsp.corpus.ranking_endpoints import helpers
        from citelsp.corpus.servers import servers

        ranking = helpers(settings, lambda problem: self._warn(f"citelsp: {problem}"))
        return Opened(start.open_chat(settings), ranking, servers(settings))


def _make_key(settings: Settings) -> _Key:
    servers = tuple(sorted(settings.corpus.servers.items()))
    return settings.model, settings.embeddings, settings.rerank, servers, settings.offline
