"""Typst as its own lexer reads it; what is expected here was compared with Typst 0.13 and its compiler."""

import pytest

from citelsp.base.settings import Settings
from citelsp.base.text import Document
from citelsp.features import complete_keys, definition, rename
from citelsp.features.values import Refused
from citelsp.syntax import languages, parse
from finding_fixtures import check_all
from fixture_projects import world


def read(text):
    return parse(Document("a.typ", text, "typst"))


def keys(text):
    return [it.key for it in read(text).citations]


@pytest.mark.parametrize(
    ("text", "named", "opaque"),
    [
        ('#bibliography("a.bib", style: folder + "b.csl")', ["a.bib"], False),
        ('#bibliography(folder + "a.bib", style: "b.csl")', [], True),
        ('#bibliography("folder/" + name, style: "b.csl")', [], True),
        ('#include "chapters/" + name', [], True),
        ('#include folder + "b.typ"', [], True),
        ('#import folder + "b.typ": x', [], False),
    ],
)
def test_names_that_are_put_together(text, named, opaque):
    found = read(text)
    assert ([it.target for it in found.links], found.opaque) == (named, opaque)


@pytest.mark.parametrize(
    ("arguments", "lists_all"),
    [
        ('"a.bib", full: true', True),
        ('full : true, "a.bib"', True),
        ('"a.bib", full: all', True),
        ('"a.bib", full: false', False),
        ('"a.bib", title: true', False),
        ('"a.bib", title: f(full: true)', False),
    ],
)
def test_a_full_bibliography_cites_all(arguments, lists_all):
    assert read(f"#bibliography({arguments})").cites_all == lists_all
    assert read(f"#set bibliography({arguments})").cites_all == lists_all


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("As @knuth84 says.", ["knuth84"]),
        ("As @knuth84. And @a:b: c @d-e-- f.", ["knuth84", "a:b", "d-e--"]),
        ("@a[p. 3] @b [not its own]", ["a", "b"]),
        ("@a[see @b[x]]", ["a", "b"]),
        ("mail@home.org", ["home.org"]),
        (r"mail\@home.org", []),
        ("@ a, @, @", []),
        ('#cite(<a>) #cite(<b>, supplement: [p. 2 @c], form: "prose")', ["a", "b", "c"]),
        ('#cite(label("DBLP:a/b"))', ["DBLP:a/b"]),
        ("#citep(<a>) #prose-cite(<b>)", ["a", "b"]),
        ('#cite("a", "b", style: "apa") #cite("") #citation-style("x")', ["a", "b"]),
        ("#ref(<a>) #link(<b>)[x]", ["a"]),
        ("`@no` ```py\n@no\n``` ``@yes``", ["yes"]),
        ("// @no\n@yes /* @no /* @no */ @no */ @a", ["yes", "a"]),
        ('$ @no #text[@yes] "@no" $ @a', ["yes", "a"]),
        ("https://a.org/@no @yes", ["yes"]),
        ('#let x = "@no"; @yes', ["yes"]),
        ("#let f(x) = {\n  let y = [@a]\n  @no\n}\n@b", ["a", "b"]),
        ("#if x [ @a ] else [ @b ] @c", ["a", "b", "c"]),
        ("#if f[x] == 1 [ @a ] @b #for x in (1, 2) { [@c] } @d #context [@e] @f", list("abcdef")),
        ("#f([@a])[@b].x @c #x.y @d", ["a", "b", "c", "d"]),
        ('#figure(image("x.png"), caption: [As @a.]) <fig:b> @fig:b', ["a"]),
        ("= Title <sec>\nSee @sec and @a.", ["a"]),
        ("#figure(x, label: <l>) @l @a", ["a"]),
        ("#f(<l>) @l @a", ["l", "l", "a"]),  # the project knows whether it is a key
        ("[ ] ] @a", ["a"]),
        ("#cite(<a <b>) #f(<c d>) @c", ["b", "c"]),
        ("$ /* @no $ */ x $ @a $ // @no $\n y$ @b a/b @c /x", ["a", "b", "c"]),
        ("#<x> @x @a < @b > @c <d> @d <@e <> @f", ["a", "b", "c", "e", "f"]),
        ('#"@no" @a #`@no` @b #$ @no $ @c #{ let x = "@no" } @d', ["a", "b", "c", "d"]),
        ('#context { let x = "@no" } @a #context [@b] #context "@no" @c', ["a", "b", "c"]),
        ('$ \\$$ @a $ \\" @no $ @b x: @c http:@d', ["a", "b", "c", "d"]),
        ("x ```\n@c ` @d\n``` @e", ["e"]),
        ("@a $ half a formula", ["a"]),
        ("#cite(<a\n= Next\n@b", ["b"]),
        ("#f(half\n\n#let x = 1\n@b", ["b"]),
        ("#f[ #g(half @no ] @b", ["b"]),  # content ends whatever is open in it
        ("#f[ #g((1, 2 @no ] @b", ["b"]),
        ("#f[ #let x = (1 @no ] @b", ["b"]),
        ("#f(half @no ] @no", []),
        ('#let l = ((key: "API"), (key: "b",), ("k", 1)); #let d = (ml: (short: "ML"))\n@API @ml @k', ["k"]),
    ],
)
def test_citations(text, cited):
    assert keys(text) == cited


def test_the_whole_of_a_citation():
    text = "x @a[see @b] y #cite(<c>, supplement: [p. 2]) z"
    found = [it.whole.within(text) for it in read(text).citations]
    assert found == ["@a[see @b]", "@b", "#cite(<c>, supplement: [p. 2])"]
    text = "#cite(<a>, supplement: [#f(x ] @b) @c"
    assert [it.whole.within(text) for it in read(text).citations] == [text[:-3], "@c"]


@pytest.mark.parametrize(
    ("text", "command", "narrative"),
    [
        ('#cite(<a>, form: "prose")', "cite", True),
        ('#cite(form: "prose", <a>)', "cite", True),
        ('#cite(<a>, form: "year")', "cite", False),
        ("#cite(<a>, form: none)", "nocite", False),
        ('#cite(\n  form: none,\n  label("a"),\n)', "nocite", False),
        ("#cite(<a>, style: none)", "cite", False),
        ("#f(form: none)[#cite(<a>)]", "cite", False),
    ],
)
def test_the_form_of_a_citation(text, command, narrative):
    assert [(it.key, it.command, it.narrative) for it in read(text).citations] == [("a", command, narrative)]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ('#bibliography("a.bib", style: "ieee.csl", title: "R")', [("bibliography", "a.bib")]),
        ('#bibliography(("a.bib", "b.yml"))', [("bibliography", "a.bib"), ("bibliography", "b.yml")]),
        ('#show: t.with(bib: bibliography("a.yml"))', [("bibliography", "a.yml")]),
        ('#show: t.with(refs: "a.bib")', [("bibliography", "a.bib")]),
        ('#include("x.typ")', [("part", "x.typ")]),
        ('#include "ch/1.typ"\n#import "t.typ": *', [("part", "ch/1.typ"), ("part", "t.typ")]),
        ('#show: t.with(bib: "/a.yml", data: "b.yml")', [("bibliography", "/a.yml")]),
        ('#import "@preview/x:1.0.0": y', []),
        ('// #bibliography("a.bib")', []),
    ],
)
def test_files(text, links):
    assert [(it.kind, it.target) for it in read(text).links] == links


def test_placeholders():
    text = "a @<deep nets> b @?[more\u00a0words] c @<> d @<open"
    found = read(text).placeholders
    assert [(it.words, it.closed) for it in found] == [
        ("deep nets", True),
        ("more words", True),
        ("", True),
        ("open", False),
    ]
    assert [it.span.within(text) for it in found] == ["@<deep nets>", "@?[more\u00a0words]", "@<>", "@<open"]


def test_a_title_and_headings():
    syntax = read('#set document(title: "On nets")\n= First <a>\n== Second\n')
    assert syntax.title == "On nets"
    assert read('#outline(depth: f(1), title: "Contents")\n#show: t.with(title: [On nets])').title == "On nets"
    assert read("#outline(title: [Contents])\n= On nets").title == "On nets"
    assert [(it.title, it.level) for it in syntax.headings] == [("First", 1), ("Second", 2)]


def test_labels_of_other_parts_are_no_citations():
    check_all("""
        %% main.typ
        See @fig:a, @known, @api:long, @gone.
                                        ^^^^ undefined-citation
        #include "b.typ"
        #bibliography("refs.bib")
        %% b.typ
        #figure(x) <fig:a>
        #let terms = ((key: "api"),)
        %% refs.bib
        @book{known, author = {A. Uthor}, title = {A}, publisher = {P}, year = 2000}
    """)


def test_a_prefix_before_a_label_cites_nothing():
    """As i-figured numbers a figure `<plan>` for `@fig:plan`, whatever the template calls the prefix."""
    check_all("""
        %% main.typ
        #figure(x) <plan>
        $ x $ <ratio>
        See @fig:plan, @eqt:ratio, @fig:other and @known.
                                    ^^^^^^^^^ undefined-citation
        #bibliography("refs.bib")
        %% refs.bib
        @book{known, author = {A. Uthor}, title = {A}, publisher = {P}, year = 2000}
    """)


PROJECT = """
%% main.typ
{}
#bibliography("refs.bib")
%% refs.bib
@book{{knuth84, title = {{Literate Programming}}}}
@book{{DBLP:conf/x/Y, title = {{Slashes}}}}
"""


def accepted(text):
    it = world(PROJECT.format(text))
    found = complete_keys.complete(it.project, complete_keys.Libraries(), *it.cursor)
    text = it.project.sources["main.typ"].document.text
    first = found.items[0]
    return text[: found.span.start] + first.new_text + text[found.span.end :].split("\n")[0]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("See @lit|", "See @knuth84"),
        ("See @|", "See @knuth84"),
        ("See #cite(<kn|>)", "See #cite(<knuth84>)"),
        ("See #cite(<kn|", "See #cite(<knuth84"),
        ('See #cite(label("DB|"))', 'See #cite(label("DBLP:conf/x/Y"))'),
        ("See @DBL|", 'See #cite(label("DBLP:conf/x/Y"))'),
    ],
)
def test_completion(text, after):
    assert accepted(text) == after


def test_a_key_that_no_label_can_be_is_refused():
    it = world(PROJECT.format("See @knuth|84"))
    assert isinstance(rename.edits_for(it.project, *it.cursor, "a/b"), Refused)
    assert len(rename.edits_for(it.project, *it.cursor, "knuth:1984")) == 2


def test_definition_of_a_key():
    it = world(PROJECT.format("See @knuth|84[p. 2]"))
    assert [at.path for at in definition.find(it.project, *it.cursor).targets] == ["refs.bib"]


def test_it_is_typst_by_its_ending_and_by_its_id():
    assert languages.language_of_path("a.typ").name == languages.language_of_path("untitled", "typst").name == "typst"
    assert Settings().beside == ()


@pytest.mark.parametrize(
    ("text", "opaque"),
    [
        ('= Head #label("sec-" + x)', True),
        ('[= Head #label("sec-" + x)]', True),
        ('#link(label("sec-" + x))[see]', False),
        ('#let f(n) = ref(label("sec-" + n))', False),
        ("x #label(s)", True),
        ('x #label("s")', False),
        ("#let f = label(s)", False),
        ("#{ label(s) }", False),
    ],
)
def test_labels_that_only_typst_can_tell(text, opaque):
    assert read(text).opaque == opaque
