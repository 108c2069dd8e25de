from citelsp.features import document_symbols
from fixture_projects import world


def outline(fixture, path):
    def lines(symbols, depth):
        for it in symbols:
            yield "  " * depth + " | ".join(filter(None, (it.name, it.detail)))
            yield from lines(it.children, depth + 1)

    found = document_symbols.find(world(fixture).project, path)
    return list(lines(found, 0))


def test_sections_as_a_tree():
    fixture = (
        "%% a.tex\n\\section{One}\n\\subsection{Part}\n\\subsubsection{Deep}\n\\subsection{Other}\n\\section{Two}\n"
    )
    assert outline(fixture, "a.tex") == ["One", "  Part", "    Deep", "  Other", "Two"]


def test_levels_may_be_skipped():
    assert outline("%% a.md\n### Deep\n# Top\n### Below\n## Between\n", "a.md") == [
        "Deep",
        "Top",
        "  Below",
        "  Between",
    ]


def test_children_lie_inside_their_parents():
    it = world("%% a.md\n# A\n## B\ntext\n# C\n")
    first, second = document_symbols.find(it.project, "a.md")
    assert first.span.end == second.span.start
    assert first.children[0].span.end <= first.span.end


def test_entries_with_author_year_and_title():
    fixture = r"""
    %% a.bib
    @string{k = {Knuth, Donald}}
    @book{knuth84, author = k, title = {Literate {P}rogramming}, year = 1984}
    @misc{bare}
    """
    assert outline(fixture, "a.bib") == [
        "k | Knuth, Donald",
        "knuth84 | Knuth 1984, Literate Programming",
        "bare",
    ]


def test_macros_among_the_entries():
    fixture = "%% a.bib\n@misc{a, title = {A}}\n@string{acm = {Association}}\n@misc{b, title = {B}}\n"
    assert outline(fixture, "a.bib") == ["a | A", "acm | Association", "b | B"]


def test_symbols_know_their_kind_their_whole_and_what_is_selected():
    it = world("%% a.bib\n@string{x = {X}}\n@misc{b, title = {B}}\n@misc{, title = {C}}\n")
    text = it.project.sources["a.bib"].document.text
    found = document_symbols.find(it.project, "a.bib")
    assert [(to.name, to.kind, to.span.within(text), to.selection.within(text)) for to in found] == [
        ("x", "macro", "@string{x = {X}}", "x"),
        ("b", "entry", "@misc{b, title = {B}}", "b"),
        ("misc", "entry", "@misc{, title = {C}}", ""),
    ]
    it = world("%% a.md\n# A\n## B\ntext\n# C\n")
    text = it.project.sources["a.md"].document.text
    first, last = document_symbols.find(it.project, "a.md")
    assert (first.kind, first.span.within(text), last.name) == ("section", "# A\n## B\ntext\n", "C")
    assert (first.children[0].span.within(text), first.children[0].selection.within(text)) == ("## B\ntext\n", "## B")
    assert document_symbols.find(it.project, "none.md") == []


def test_beyond_a_limit_only_keys_are_given_and_long_titles_are_cut():
    it = world("%% a.bib\n@misc{a, title = {A}}\n@misc{b, title = {B}}\n")
    assert [to.detail for to in document_symbols.find(it.project, "a.bib", 1)] == ["A", ""]
    it = world("%% a.bib\n@string{x = {" + "word " * 30 + "}}\n@misc{a, title = {" + "word " * 30 + "}}\n")
    assert [len(to.detail) for to in document_symbols.find(it.project, "a.bib")] == [75, 75]
