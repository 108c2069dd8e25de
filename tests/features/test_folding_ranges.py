from citelsp.features import folding_ranges
from fixture_projects import project_of


def folded(path, text):
    return [it.within(text) for it in folding_ranges.find(project_of({path: text}), path)]


def test_entries_blocks_and_long_fields():
    text = "@string{a = {b}}\n@misc{a,\n  t = {1},\n  u = {2\n 3}\n}\n@misc{b}\n@comment{\n}\n"
    assert folded("r.bib", text) == ["@misc{a,\n  t = {1},\n  u = {2\n 3}\n}", "u = {2\n 3}", "@comment{\n}"]


def test_sections():
    text = "# A\nx\n## B\ny\n\n# C\n"
    assert folded("a.md", text) == ["# A\nx\n## B\ny", "## B\ny"]
