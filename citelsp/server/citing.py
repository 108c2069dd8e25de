"""What was found for one placeholder: its works for an editor's own picker, those picked cited, the search told."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.features import code_actions, questions
from citelsp.features.values import Refused, author_year
from citelsp.server import commands, moment, refusal, suggestions

if TYPE_CHECKING:
    from citelsp.knowledge import Suggestion
    from citelsp.server.server import Server
    from citelsp.syntax.nodes import Placeholder

_Json = dict[str, object]


async def works(ls: "Server", arguments: Sequence[object]) -> list[_Json]:
    """The works found for a placeholder, {"uri", "position"}: each {"work", "title", "who", "key", "quote", "fits"}.

    `fits` marks those that go together.
    """
    at, placeholder = await _at(ls, arguments)
    found = await suggestions.of(ls, at, placeholder)
    return [
        {
            "work": f"{it.record.source}:{it.record.id}",
            "title": it.record.title,
            "who": author_year(it.record.authors, it.record.year),
            "key": it.key,
            "quote": it.evidence[0].quote if it.evidence else "",
            "fits": rank < found.together and not found.abstained,
        }
        for rank, it in enumerate(found.candidates)
    ]


async def cite(ls: "Server", arguments: Sequence[object]) -> str:
    """Cite works at a placeholder, {"uri", "position", "works": [names]}, in one edit with their entries."""
    at, placeholder = await _at(ls, arguments)
    argument = arguments[0]
    named = argument.get("works") if isinstance(argument, dict) else None
    if not isinstance(named, list) or not named:
        raise refusal.failed("citelsp.cite needs the works to cite")
    insertion = code_actions.cite(at.project, at.knowledge, at.path, placeholder, list(map(str, named)))
    if isinstance(insertion, Refused):
        raise refusal.failed(insertion.reason)
    await commands.apply(ls, at, insertion.change, insertion.message)
    return insertion.key


async def explain(ls: "Server", arguments: Sequence[object]) -> str:
    """How the works for a placeholder, {"uri", "position"}, were found, in plain lines."""
    at, placeholder = await _at(ls, arguments)
    found = at.knowledge.suggestions.get(questions.of(at.project, at.path, placeholder))
    if found is None or not found.trajectory:
        raise refusal.failed("no search for this placeholder is written down yet")
    return await ls.projects.work(lambda _: _told(found))


def _told(found: "Suggestion") -> str:
    from citelsp.agent import trajectory

    try:
        return trajectory.explain(trajectory.read(Path(found.trajectory)))
    except trajectory.UnreadableTrajectoryError as problem:
        raise refusal.failed(str(problem)) from problem


async def _at(ls: "Server", arguments: Sequence[object]) -> "tuple[moment.Moment, Placeholder]":
    match arguments:
        case [{"uri": str(uri), "position": {"line": int(line), "character": int(character)}}]:
            at = await moment.at(ls, uri, types.Position(line, character))
        case _:
            raise refusal.failed('this command needs {"uri", "position"}')
    placeholder = at.project.placeholder_at(at.path, at.offset)
    if placeholder is None:
        raise refusal.failed("no placeholder stands here")
    return at, placeholder
