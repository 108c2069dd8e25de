"""How the cost of a question grows with a cluster's works, and what that says of more works than were tried."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

_BEYOND = (10_000_000, 100_000_000, 280_000_000)


@dataclass(frozen=True)
class Point:
    """Among so many works.  Of the processor, in milliseconds a question."""

    works: int
    gigabytes: float  # of the index, without copies
    plain_nodes: float  # of one BM25 question
    nodes: float
    client: float
    p95: float  # on the clock


def noted(notes: Path) -> list[Point]:
    """What an earlier run wrote down, by works."""
    lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else ()
    return sorted((Point(**json.loads(it)) for it in lines), key=lambda it: it.works)


def note(notes: Path, point: Point) -> None:
    with notes.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(point)) + "\n")


def table(points: Sequence[Point]) -> str:
    """What was measured, and if there are two points or more what they say of more works."""
    lines = ["| works | index, GB | nodes, one BM25 question, ms | nodes, a question, ms | client, ms | p95, ms |"]
    lines += ["|--:|--:|--:|--:|--:|--:|"]
    lines += [
        f"| {it.works:,} | {it.gigabytes:.2f} | {it.plain_nodes:.1f} | {it.nodes:.1f} |"
        f" {it.client:.1f} | {it.p95:.0f} |"
        for it in points
    ]
    if len(points) > 1:
        lines += ["", *_extrapolated(*points[-2:])]
    return "\n".join(lines)


def _extrapolated(less: Point, more: Point) -> list[str]:
    """Two ways to go on; what is true lies between them if the curve bends as it did."""
    each = (more.nodes - less.nodes) / (more.works - less.works)
    power = math.log(more.nodes / less.nodes) / math.log(more.works / less.works)
    size = more.gigabytes / more.works
    lines = [f"| works | index, GB | nodes, at {1e6 * each:.1f} ms a million | nodes, as works to the {power:.2f} |"]
    lines += ["|--:|--:|--:|--:|"]
    for works in (it for it in _BEYOND if it > more.works):
        straight, bent = more.nodes + each * (works - more.works), more.nodes * (works / more.works) ** power
        lines.append(f"| {works:,} | {size * works:.0f} | {straight:,.0f} | {bent:,.0f} |")
    return lines
