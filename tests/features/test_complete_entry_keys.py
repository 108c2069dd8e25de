"""Where a key of another entry is typed in a bibliography."""

import pytest

from citelsp.features import complete_entry_keys
from fixture_projects import world


@pytest.mark.parametrize(
    ("field", "typed", "opener"),
    [
        ("crossref = {|}", "", "{"),
        ("crossref = {kn|uth}", "knuth", "{"),
        ("crossref = {a, k|n}", "a, kn", "{"),  # one key
        ('xdata = "k|n"', "kn", "{"),
        ("related = {a|b, c}", "ab", "{"),
        ("related = {ab,c|d, e}", "cd", ","),
        ("related = {ab, c|d}", " cd", ","),
        ("related = {ab, cd, e|f, gh}", " ef", ","),
        ("entryset = {ab,|}", "", ","),
    ],
)
def test_the_key_at_the_cursor(field, typed, opener):
    it = world("%% r.bib\n@set{s, " + field + "}\n")
    path, offset = it.cursor
    source = it.project.sources[path]
    found = complete_entry_keys.argument_at(source, offset)
    assert (found.span.within(source.document.text), found.command, found.opener) == (typed, field.split()[0], opener)


@pytest.mark.parametrize(
    "typed", ["crossref = {|", "crossref = {kn|", "related = {ab,c|", "crossref = {k|n\n  title = {x}"]
)
def test_in_an_entry_that_nothing_closes_yet(typed):
    it = world("%% r.bib\n@set{s, " + typed)
    path, offset = it.cursor
    found = complete_entry_keys.argument_at(it.project.sources[path], offset)
    assert found.command == typed.split()[0]
    assert found.span.start <= offset <= found.span.end


@pytest.mark.parametrize("typed", ["crossref = {kn}, title = {x|", "crossref = {kn}, ti|", "crossref = {kn}|"])
def test_behind_a_value_that_is_closed_there_is_none(typed):
    it = world("%% r.bib\n@set{s, " + typed)
    assert complete_entry_keys.argument_at(it.project.sources[it.cursor[0]], it.cursor[1]) is None


@pytest.mark.parametrize("field", ["title = {k|n}", "crossref = k|n", "cross|ref = {kn}", "crossref = |{kn}"])
def test_elsewhere_there_is_none(field):
    it = world("%% r.bib\n@set{s, " + field + "}\n")
    assert complete_entry_keys.argument_at(it.project.sources[it.cursor[0]], it.cursor[1]) is None
