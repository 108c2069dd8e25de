"""The project at a glance, for editors that show it in a panel."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from citelsp.base.text import on_one_line
from citelsp.features import overview
from citelsp.features.values import Location
from citelsp.server.state import snapshot
from citelsp.server.wire import arguments as args
from citelsp.server.wire import to_lsp
from citelsp.server.wire.to_lsp import Places

if TYPE_CHECKING:
    from citelsp.base.text import Span
    from citelsp.server.server import Server

_Json = dict[str, object]


async def command(ls: "Server", arguments: Sequence[object]) -> _Json:
    """What `features.overview` finds for a document given by its URI, places as {"uri", "range"}."""
    moment = await snapshot.take(ls, args.document("citelsp.overview", arguments))
    found = await ls.projects.work(lambda _: overview.find(moment.project, moment.knowledge))
    place = _written(moment.places, found)
    return {
        "summary": found.summary,
        "references": [
            {
                "key": reference.key,
                "title": on_one_line(reference.title),
                "who": on_one_line(reference.who),
                "verdict": reference.verdict,
                "reason": on_one_line(reference.reason),
                "place": place(reference.place),
                "cited": [place(where) for where in reference.cited],
            }
            for reference in found.references
        ],
        "gaps": [{"words": on_one_line(it.words), "place": place(it.place)} for it in found.gaps],
    }


def _written(places: Places, shown: overview.Overview) -> Callable[[Location], _Json]:
    """Writes places of the overview; the positions in each document are worked out together."""
    locations = [it.place for it in shown.references] + [it.place for it in shown.gaps]
    for reference in shown.references:
        locations += reference.cited
    # Each question for positions goes through the document: one for all places of it.
    spans: dict[str, list[Span]] = {}
    for location in locations:
        spans.setdefault(location.path, []).append(location.span)
    ranges = {path: places.ranges(path, of_path) for path, of_path in spans.items()}

    def write(location: Location) -> _Json:
        range_ = ranges[location.path][location.span]
        return {"uri": places.uri(location.path), "range": to_lsp.written(range_)}

    return write
