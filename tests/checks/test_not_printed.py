import pytest

import marks
from citelsp.bibliography import bst
from citelsp.checks import not_printed
from citelsp.checks.not_printed import CHECK
from finding_fixtures import check

HEAD = "%% m.tex\n\\documentclass{x}\\bibliographystyle{STYLE}\\bibliography{r}\\nocite{*}\n%% r.bib\n"
PLAIN = HEAD.replace("STYLE", "plain")
OWN = """
ENTRY { author title url } {} { label }  % a comment { with braces
STRINGS { s }
FUNCTION {output} { pop$ "a } string % of both" * }
FUNCTION {format.url} { url empty$ 'skip$ { url output } if$ }
FUNCTION {article} { author output title output }
FUNCTION {online} { article format.url }
FUNCTION {default.type} { article }
READ
ITERATE {call.type$}
"""


def test_a_type_that_the_style_does_not_know():
    fixture = f"""{PLAIN}@online{{a, author = {{A}}, title = {{T}}, url = {{https://a.org}}, organization = {{}}}}
 ^^^^^^ not-printed
@Thesis{{b, author = {{A}}, title = {{T}}, institution = {{I}}, year = 2000}}
 ^^^^^^ not-printed
@article{{c, title = {{T}}, url = {{https://a.org}}}}
@set{{d, entryset = {{a,b}}}}
@IEEEtranBSTCTL{{e, ctluse = {{yes}}}}
"""
    assert [(it.message, it.severity) for it in check(CHECK, fixture)] == [
        ("plain.bst does not know @online: it prints @misc, without url.", "warning"),
        ("plain.bst does not know @thesis: it prints @misc, without institution.", "warning"),
    ]


def test_what_one_pass_keeps_for_another_is_printed():
    style = OWN.replace("{ label }", "{ label list.year }").replace("title url", "title year url")
    style = style.replace("FUNCTION {default", "FUNCTION {presort} { year 'list.year := }\nFUNCTION {default")
    style = style.replace("FUNCTION {article} {", "FUNCTION {article} { list.year output")
    found = bst.parse(style)
    assert found.of("article").fields == {"author", "title", "year"}
    assert "year" not in bst.parse(style.replace("list.year output", "")).of("article").fields


def test_of_two_fields_one_is_printed():
    fixture = f"""{PLAIN}@book{{a, title = {{T}}, volume = 1, number = 2, author = {{A}}, editor = {{E}}}}
                                  ^^^^^^ not-printed
                                                            ^^^^^^ not-printed
@article{{b, volume = 1, number = 2, author = {{A}}, editor = {{E}}}}
@book{{c, volume = 1, number = 2, crossref = {{a}}}}
"""
    messages = [it.message for it in check(CHECK, fixture)]
    assert messages[0] == "plain.bst wants volume or number of a @book, not both: BibTeX warns, and may leave one out."


def test_an_address_that_is_not_printed():
    fixture = f"""{PLAIN}@misc{{a, title = {{T}}, url = {{https://a.org}}}}
                      ^^^ not-printed
@misc{{b, title = {{T}}, url = {{https://a.org}}, howpublished = {{Web}}}}
@manual{{c, title = {{T}}, url = {{https://a.org}}}}
                        ^^^ not-printed
@manual{{d, title = {{T}}, url = {{https://a.org}}, organization = {{O}}}}
"""
    first, second = check(CHECK, fixture)
    assert {first.severity, second.severity} == {"information"}
    assert second.message == r"plain.bst prints no url of a @manual: write \url{…} in note."
    check(CHECK, HEAD.replace("STYLE", "plainurl") + "@misc{a, title = {T}, url = {https://a.org}}\n")


@pytest.mark.parametrize(
    "head",
    [
        HEAD.replace("STYLE", "nobody-has-this-style"),
        "%% m.tex\n\\documentclass{x}\\addbibresource{r.bib}\\nocite{*}\n%% r.bib\n",
        HEAD.replace("\\bib", "% \\bib", 1),
        HEAD.replace(
            "\\bibliographystyle{STYLE}", "\\ifx\\a\\b\\bibliographystyle{plain}\\else\\bibliographystyle{x}\\fi"
        ),
    ],
)
def test_silence_where_the_style_is_not_known(head):
    check(CHECK, head + "@online{a, title = {T}, url = {https://a.org}}\n")


def test_the_authors_own_style_is_read():
    files = {
        "m.tex": r"\documentclass{x}\bibliographystyle{mine}\bibliography{r}\nocite{*}",
        "mine.bst": OWN,
        "r.bib": "@online{a, url = {u}}\n@article{b, url = {u}}\n@book{c, title = {T}, url = {u}}\n",
    }
    found = CHECK.run(marks.project(marks.Marked(files)), None)
    assert [it.message for it in found] == ["mine.bst does not know @book: it prints @article, without url."]


def test_a_style_is_read_without_running_it():
    style = bst.parse(OWN)
    assert style.default == "article"
    assert style.of("online").fields == {"author", "title", "url"}
    assert style.of("article").fields == {"author", "title"}
    assert bst.parse("no style") is None and bst.parse("ENTRY {a}{}{}") is None
    assert {"plain", "plainnat", "IEEEtran"} <= bst.standard().keys()
    assert bst.standard()["plain"].of("book").excluding == (("volume", "number"), ("author", "editor"))
    assert not_printed.CODE == "not-printed"


@pytest.mark.parametrize("place", ["FUNCTION {article}", "READ"])
def test_a_brace_too_many_in_a_style_closes_nothing(place):
    style = bst.parse(OWN.replace(place, f"}} }}\n{place}"))
    assert style.types == bst.parse(OWN).types
