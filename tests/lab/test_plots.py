"""Line plots: what stands where, and that no name can break them."""

import xml.etree.ElementTree as ElementTree

from lab.plots import Axes, lines, reliability

_SVG = "{http://www.w3.org/2000/svg}"


def _dots(svg: str) -> list[tuple[float, float]]:
    return [(float(it.get("cx")), float(it.get("cy"))) for it in ElementTree.fromstring(svg).iter(f"{_SVG}circle")]  # noqa: S314


def test_a_higher_value_stands_higher_and_further_right():
    (low, high) = _dots(lines("t", Axes("k", "recall", (0, 10)), {"a": [(1, 0.1), (9, 0.9)]}))
    assert low[0] < high[0] and low[1] > high[1]


def test_names_cannot_break_the_picture():
    svg = lines("<b> & co", Axes("x", "y"), {'"><script>': [(0.5, 0.5)]})
    assert '"><script>' in [it.text for it in ElementTree.fromstring(svg).iter(f"{_SVG}text")]  # noqa: S314


def test_what_lies_outside_is_not_drawn():
    assert len(_dots(lines("t", Axes("x", "y"), {"a": [(0.5, 0.5), (2.0, 0.5)]}))) == 1


def test_honest_answers_lie_on_the_diagonal():
    svg = reliability("t", [0.25] * 4 + [0.75] * 4, [True, False, False, False, True, True, True, False])
    first, second = _dots(svg)
    corner = _dots(lines("t", Axes("x", "y"), {"a": [(0.25, 0.25), (0.75, 0.75)]}))
    assert [first, second] == corner
