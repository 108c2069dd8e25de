from citelsp.features import export_entries
from fixture_projects import project_of
from marks import parse


def exported(fixture, by="key"):
    found = export_entries.export(project_of(parse(fixture).files), by)
    assert found.text.startswith(export_entries.HEADER)
    return found, found.text.removeprefix(export_entries.HEADER).replace("\n\n", "\n").strip().splitlines()


def test_what_is_cited_with_what_it_names_and_uses():
    found, lines = exported(r"""
%% main.tex
\cite{part, gone}
%% refs.bib
@string{acm = {ACM}}
@string{proc = {Proceedings of } # acm}
@string{unused = {x}}
@misc{other}
@proceedings{vol, title = proc}
@inproceedings{Part, crossref = {vol}, xdata = {shared}, month = jan}
@xdata{shared, xdata = {deep}}
@xdata{deep, note = {xdata=single-note}}
@xdata{single, note = {N}}
@preamble{"\newcommand{\x}{}"}
""")
    assert lines == [
        "@string{acm = {ACM}}",
        "@string{proc = {Proceedings of } # acm}",
        '@preamble{"\\newcommand{\\x}{}"}',
        "@xdata{deep, note = {xdata=single-note}}",
        "@inproceedings{Part, crossref = {vol}, xdata = {shared}, month = jan}",
        "@xdata{shared, xdata = {deep}}",
        "@xdata{single, note = {N}}",
        "@proceedings{vol, title = proc}",
    ]
    assert (found.entries, found.undefined, found.foreign) == (5, ("gone",), ())


def test_a_macro_that_means_something_else_in_another_file_is_written_out():
    _, lines = exported(r"""
%% main.tex
\cite{a,b}
%% one.bib
@string{pub = {One}}
@misc{a, note = pub # { Press}}
%% two.bib
@string{pub = {Two} # { and {T}wo}}
@misc{b, note = pub # { Press}}
""")
    assert lines == [
        "@string{pub = {One}}",
        "@misc{a, note = pub # { Press}}",
        "@misc{b, note = {Two and {T}wo} # { Press}}",
    ]


def test_all_of_several_entries_with_one_key_the_first():
    _, lines = exported(
        r"""
%% main.tex
\nocite{*}
%% one.bib
@misc{b, year = 1901}
@misc{a, year = 1902}
%% two.bib
@misc{b, year = 1903}
""",
        "year",
    )
    assert lines == ["@misc{b, year = 1901}", "@misc{a, year = 1902}"]


def test_groups_of_jabref_stay():
    _, lines = exported(r"""
%% main.tex
\cite{a}
%% refs.bib
% Encoding: UTF-8
@Article{a, groups = {G}}
@Comment{jabref-meta: databaseType:bibtex;}
@comment{old}
""")
    assert lines == ["@Article{a, groups = {G}}", "@Comment{jabref-meta: databaseType:bibtex;}"]


def test_of_nothing_the_header_alone_is_written():
    found, lines = exported("%% main.tex\nx\n")
    assert (lines, found.entries, found.text) == ([], 0, export_entries.HEADER + "\n")


def test_line_breaks_are_those_of_the_first_bibliography():
    files = {"main.tex": "\\cite{a,b}", "r.bib": "@misc{b}\r\n@misc{a}\r\n"}
    text = export_entries.export(project_of(files)).text
    assert text == f"{export_entries.HEADER}\r\n\r\n@misc{{a}}\r\n\r\n@misc{{b}}\r\n"


def test_what_is_in_a_list_of_another_format_is_left_out_and_named():
    found, lines = exported('%% main.md\n[@a; @b]\n%% r.bib\n@misc{a}\n%% s.json\n[{"id": "b", "title": "B"}]\n')
    assert (lines, found.foreign, found.undefined, found.entries) == (["@misc{a}"], ("b",), (), 1)


def test_one_entry_alone_stands_behind_its_macros_or_says_itself_what_it_rests_on():
    bib = {
        "r.bib": "@string{x = {X} # y}@string{y = {Y}}@misc{a, note = x}"
        "@inbook{b, title = {B}, crossref = {c}}@book{c, year = 2001}"
    }
    project = project_of(bib)
    alone = {it.node.key: export_entries.export_one(project, it) for it in project.entries()}
    assert alone["a"] == "@string{y = {Y}}\n@string{x = {X} # y}\n@misc{a, note = x}\n"
    assert "crossref" not in alone["b"] and "2001" in alone["b"] and "{b,\n" in alone["b"]
