import xml.etree.ElementTree as ElementTree

from citelsp.evals.page import Figure, Section, Table, html, markdown
from citelsp.evals.plots import Axes, lines, reliability

_SVG = "{http://www.w3.org/2000/svg}"


def _dots(svg: str) -> list[tuple[float, float]]:
    return [(float(it.get("cx")), float(it.get("cy"))) for it in ElementTree.fromstring(svg).iter(f"{_SVG}circle")]  # noqa: S314


def test_a_page_holds_every_cell_command_note_and_figure():
    section = Section("Speed", "bench --all", ("On two cores.",), (Table(("set", "a|b"), (("x <y>", "1"),)),))
    drawn = Section("Curves", figures=(Figure("recall", "Recall", "<svg/>"),))
    page = markdown("Report", [section, drawn])
    assert "| set | a\\|b |\n| --- | --: |\n| x <y> | 1 |" in page
    assert "$ bench --all" in page and "On two cores." in page and "![Recall](recall.svg)" in page
    web = html("Report", [section, drawn])
    assert "<td>x &lt;y&gt;</td><td>1</td>" in web and "<figure><svg/></figure>" in web and "<y>" not in web


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
