"""How a corpus on a server fares: its engine's version, its works, its health."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from citelsp.base.text import write_count
from citelsp.sources.search_server import FOREIGN, ForeignAnswerError, SearchServer, UnavailableError

_SECONDS = 10.0
_FORBIDDEN = 403


@dataclass(frozen=True, slots=True)
class ServerState:
    engine: str  # "opensearch 3.8.0"
    index: str  # that the alias leads to
    works: int
    health: str  # "green", "yellow", "red"; "" if this user may not see it

    def sentence(self) -> str:
        health = f"health {self.health}" if self.health else "health not shown to this user"
        return f"{self.engine}, {write_count(self.works, 'work')} in {self.index}, {health}"

    def mapping(self) -> Mapping[str, object]:
        return asdict(self)


async def read(server: SearchServer) -> ServerState:
    """Ask a server for its engine, and for the works and the health of its index.

    UnavailableError if it cannot tell; ForeignAnswerError, a kind of it, if it is no server of this sort.  A user who
    may not ask for the version or the health is told the rest.
    The server says {"version": {"distribution": "opensearch", "number": "3.8.0"}}; Elasticsearch has no distribution.
    """
    try:
        about = await server.root("/?filter_path=version", seconds=_SECONDS)
        engine = f"{about['version'].get('distribution', 'elasticsearch')} {about['version']['number']}"
    except FOREIGN as problem:  # raised by an answer of another form
        raise ForeignAnswerError from problem
    except UnavailableError as problem:
        if problem.status != _FORBIDDEN:
            raise
        # A user that only reads the index may not ask for the version.
        engine = "a server of unknown version"
    answer = await server.index("/_mapping?filter_path=*.mappings._meta", seconds=_SECONDS)
    (counted,) = await server.searches([{"size": 0, "track_total_hits": True}], seconds=_SECONDS)
    try:
        works = int(counted["hits"]["total"]["value"])
        index = ", ".join(answer)
        return ServerState(engine, index, works, await _read_health(server))
    except FOREIGN as problem:  # raised by an answer of another form
        raise ForeignAnswerError from problem


async def _read_health(server: SearchServer) -> str:
    try:
        return str((await server.root("/_cluster/health?filter_path=status", seconds=_SECONDS))["status"])
    except UnavailableError as problem:
        if problem.status != _FORBIDDEN:
            raise
        return ""
