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


def test_a_section_ends_with_its_last_words_before_the_next_of_its_level():
    text = "### Deep\na\n# Top\n\n\n## Below\nb\n\n# Last\nc\n\n"
    assert folded("a.md", text) == ["### Deep\na", "# Top\n\n\n## Below\nb", "## Below\nb", "# Last\nc"]
    assert folding_ranges.find(project_of({"a.md": text}), "none.md") == []


def test_of_very_many_entries_only_the_whole_is_folded():
    entry = "@misc{a,\n t = {1\n 2}\n}\n"
    assert [len(folded("r.bib", entry * it)) for it in (2000, 2001)] == [4000, 2001]
