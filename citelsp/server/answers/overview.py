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
    """Return the overview of the project of a document, given by its URI.

    {"summary", "references": [{"key", "title", "who", "verdict", "reason", "settled", "place", "cited": [places]}],
    "gaps": [{"words", "place"}]}, a place as {"uri", "range"}.  References are entries, with what verification came to
    ("verdict", null if it was not run; "reason" why), whether a comment or the settings silence all of that
    ("settled"), where they stand ("place") and are cited.  "who": authors and year.  Gaps are placeholders, that is,
    citations still to be filled.
    """
    moment = await snapshot.take(ls, args.document("citelsp.overview", arguments))
    shown = await ls.projects.work(lambda _: overview.find(moment.project, moment.knowledge))
    write_place = _make_place_writer(moment.places, shown)
    return {
        "summary": shown.summary,
        "references": [
            {
                "key": reference.key,
                "title": on_one_line(reference.title),
                "who": on_one_line(reference.who),
                "verdict": reference.verdict,
                "reason": on_one_line(reference.reason),
                "settled": reference.settled,
                "place": write_place(reference.place),
                "cited": [write_place(where) for where in reference.cited],
            }
            for reference in shown.references
        ],
        "gaps": [{"words": on_one_line(gap.words), "place": write_place(gap.place)} for gap in shown.gaps],
    }


def _make_place_writer(places: Places, shown: overview.Overview) -> Callable[[Location], _Json]:
    """Return a function that writes a place of the overview as JSON; the positions of all are worked out here."""
    locations = [reference.place for reference in shown.references] + [gap.place for gap in shown.gaps]
    for reference in shown.references:
        locations += reference.cited
    # To work out positions the whole document is read: once for all places of it.
    spans: dict[str, list[Span]] = {}
    for location in locations:
        spans.setdefault(location.path, []).append(location.span)
    ranges = {path: places.ranges(path, of_path) for path, of_path in spans.items()}

    def write(location: Location) -> _Json:
        range_ = ranges[location.path][location.span]
        return {"uri": places.uri(location.path), "range": to_lsp.write_range(range_)}

    return write
