from citelsp.bibliography.completion_search import libraries as library_index
from citelsp.features import workspace_symbols
from fixture_projects import world

FIXTURE = """
%% a.bib
@book{knuth84, author = {Knuth, Donald}, title = {Literate Programming}, year = 1984}
@misc{turing36, author = {Turing, Alan}, title = {On Computable Numbers}, year = 1936}
%% b.bib
@string{acm = {ACM Programming Press}}
@misc{other, author = {Doe, Jane}, title = {Programming Turing Machines}, year = 2001}
"""


def found(words, limit=100):
    sources = world(FIXTURE).project.sources
    libraries = [(path, library_index.build(it.syntax.entries, it.syntax.strings)) for path, it in sources.items()]
    return workspace_symbols.find(libraries, words, limit)


def test_words_in_any_order_over_all_bibliographies():
    first = found("programming knuth")[0]
    assert (first.path, first.key) == ("a.bib", "knuth84")
    assert {it.key for it in found("turing")} == {"turing36", "other"}
    assert found("1984 literate")[0].detail == "Knuth 1984, Literate Programming"


def test_place_is_of_the_key():
    [it] = found("computable")
    assert it.span.within(world(FIXTURE).project.sources["a.bib"].document.text) == "turing36"


def test_bounded():
    assert len(found("", limit=2)) <= 2
    assert found("zzzzqqq") == []


def test_macros_and_kinds():
    [macro] = found("acm press")
    assert (macro.path, macro.key, macro.kind, macro.detail) == ("b.bib", "acm", "macro", "ACM Programming Press")
    assert [it.key for it in found("@string programming")] == ["acm"]
    assert [it.key for it in found("@misc programming")] == ["other"]
    assert [it.key for it in found("@Book")] == ["knuth84"]
