"""Small line plots as SVG: recall curves, reliability diagrams, latencies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from citelsp.evals.metrics import group_by_bin

_WIDTH, _HEIGHT = 460, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 34, 48
_COLOURS = ("#1f5fbf", "#c2571a", "#2c8a4b", "#8a3fb0", "#b0263c", "#5b6472")
_TICKS = 5
_FONT = 'font-family="system-ui, sans-serif" font-size="11" text-anchor="middle" fill="#1d2430"'
_END = 'text-anchor="end"'

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Axes:
    """Labels and the range of each axis; what lies outside is not drawn."""

    x: str
    y: str
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point stands in the picture."""
        across = (x - self.x_range[0]) / ((self.x_range[1] - self.x_range[0]) or 1)
        up = (y - self.y_range[0]) / ((self.y_range[1] - self.y_range[0]) or 1)
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)

    def holds(self, x: float, y: float) -> bool:
        return self.x_range[0] <= x <= self.x_range[1] and self.y_range[0] <= y <= self.y_range[1]


def lines(title: str, axes: Axes, series: Mapping[str, Points], *, diagonal: bool = False) -> str:
    """One line with dots for each series, named in the corner."""
    parts = [_text(_WIDTH / 2, 18, title, 'font-size="14"'), *_frame(axes)]
    if diagonal:
        ends = (axes.place(axes.x_range[0], axes.y_range[0]), axes.place(axes.x_range[1], axes.y_range[1]))
        parts.append(_line(*ends, "#9aa3b2", dashed=True))
    for number, (name, points) in enumerate(series.items()):
        parts += _series(axes, name, points, number)
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_FONT} role="img">{"".join(parts)}</svg>'


def reliability(title: str, probabilities: Sequence[float], right: Sequence[bool]) -> str:
    """How often answers of each stated probability are right, over ten equal bins; on the diagonal is honest."""
    bins = group_by_bin(probabilities, right)
    points = [(sum(p for p, _ in it) / len(it), sum(c for _, c in it) / len(it)) for _, it in sorted(bins.items())]
    return lines(title, Axes("stated probability", "share that is right"), {"": points}, diagonal=True)


def _frame(axes: Axes) -> list[str]:
    parts = []
    for tick in range(_TICKS + 1):
        x = axes.x_range[0] + (axes.x_range[1] - axes.x_range[0]) * tick / _TICKS
        y = axes.y_range[0] + (axes.y_range[1] - axes.y_range[0]) * tick / _TICKS
        across, up = axes.place(x, axes.y_range[0]), axes.place(axes.x_range[0], y)
        parts.append(_line(up, axes.place(axes.x_range[1], y), "#e3e7ee"))
        parts.append(_text(across[0], across[1] + 16, f"{x:g}"))
        parts.append(_text(up[0] - 6, up[1] + 4, f"{y:g}", _END))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 10, axes.x))
    turned = f'transform="rotate(-90 14 {(_HEIGHT - _BOTTOM + _TOP) / 2:g})"'
    parts.append(_text(14, (_HEIGHT - _BOTTOM + _TOP) / 2, axes.y, turned))
    return parts


def _series(axes: Axes, name: str, points: Points, number: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    drawn = [axes.place(x, y) for x, y in points if axes.holds(x, y)]
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn)
    parts = [f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>']
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in drawn]
    if name:
        up = _HEIGHT - _BOTTOM - 8 - 16 * number
        parts.append(_text(_WIDTH - _RIGHT - 4, up, name, f'{_END} fill="{colour}"'))
    return parts


def _line(start: tuple[float, float], end: tuple[float, float], colour: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    ends = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    return f'<line {ends} stroke="{colour}"{dash}/>'


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {attributes}>{escape(text)}</text>'
