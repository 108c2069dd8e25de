"""Works cited at the cursor: the command that a manuscript uses, both forms, a locator, the space before."""

import pytest

from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.features import insert_entry, write_citation
from citelsp.features.values import Refused
from citelsp.knowledge import Candidate
from citelsp.syntax.languages.language import Form
from fixture_projects import world

ADAM = Candidate(Record("corpus", "1", "Adam Optimizes", (Name("Kingma", "D."),), years=(2014,), type="article"))
SGD = Candidate(Record("library", "sgd51", "Gradient"), origins=("library",), key="sgd51")
BIB = "%% refs.bib\n@misc{sgd51, title = {Gradient}}\n"
END = "\n\\bibliography{refs}\n"


def forms(fixture, *works, locator=""):
    it = world(fixture + BIB)
    path, offset = it.cursor
    at = write_citation.place(it.project, path, offset)
    shown = write_citation.preview(it.project, path, at, works or (SGD,), locator)
    return shown if isinstance(shown, Refused) else [form.text for form in shown.forms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["\\cite{sgd51}"]),
        ("\\usepackage{natbib}\n", ["\\citep{sgd51}", "\\citet{sgd51}"]),
        ("\\usepackage[style=apa]{biblatex}\n", ["\\autocite{sgd51}", "\\textcite{sgd51}"]),
        (
            "\\usepackage{biblatex}\n\\parencite{a}\\parencite{b}\\cite{c}\n",
            ["\\parencite{sgd51}", "\\textcite{sgd51}"],
        ),
        ("\\usepackage{natbib}\n\\cite{a}\n", ["\\cite{sgd51}", "\\citet{sgd51}"]),
        ("\\citet{a}\n", ["\\citep{sgd51}", "\\citet{sgd51}"]),
    ],
    ids=["plain", "natbib", "biblatex", "the command used most", "natbib's own \\cite", "a class that loads natbib"],
)
def test_the_commands_are_those_of_the_manuscript(text, expected):
    assert forms(f"%% a.tex\n{text}So |.{END}") == expected


def test_two_works_of_one_entry_are_cited_once():
    again = Candidate(Record("openalex", "W1", "Gradient"), origins=("openalex",), key="sgd51")
    assert forms(f"%% a.tex\nSo |.{END}", SGD, ADAM, again) == ["\\cite{sgd51,kingma2014adam}"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.md", ["[@kingma2014adam; @sgd51, chap. 3]", "@kingma2014adam, @sgd51 [chap. 3]"]),
        ("a.org", ["[cite:@kingma2014adam;@sgd51 chap. 3]", "[cite/t:@kingma2014adam;@sgd51 chap. 3]"]),
        (
            "a.typ",
            [
                "@kingma2014adam @sgd51[chap. 3]",
                '#cite(<kingma2014adam>, form: "prose") #cite(<sgd51>, supplement: [chap. 3], form: "prose")',
            ],
        ),
    ],
)
def test_each_language_has_both_forms(name, expected):
    declared = {"a.md": "---\nbibliography: refs.bib\n---\n", "a.org": "#+bibliography: refs.bib\n\n"}
    bibliography = declared.get(name, '#bibliography("refs.bib")\n\n')
    assert forms(f"%% {name}\n{bibliography}So |.\n", ADAM, SGD, locator="chap. 3") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So |.", ["{cite:p}`kingma2014adam,sgd51`", "{cite:t}`kingma2014adam,sgd51`"]),
        ("{cite}`a` {cite:t}`a` {cite:t}`b` |", ["{cite}`kingma2014adam,sgd51`", "{cite:t}`kingma2014adam,sgd51`"]),
        ("{cite:t}`a,|`", ["kingma2014adam,sgd51"]),
    ],
)
def test_markdown_of_sphinx_cites_by_roles_which_take_no_locator(text, expected):
    assert (
        forms(f"%% a.md\n{text}\n%% _config.yml\nbibtex_bibfiles: [refs.bib]\n", ADAM, SGD, locator="p. 3") == expected
    )


def test_what_follows_is_no_part_of_a_call_of_typst():
    text = '%% a.typ\n#bibliography("refs.bib")\n\nSo |; but\n'
    assert forms(text, ADAM) == ["@kingma2014adam", '#cite(<kingma2014adam>, form: "prose");']


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("a.typ", "So |is it.", ["So @sgd51 is it.", 'So #cite(<sgd51>, form: "prose") is it.']),
        ("a.typ", "So |*is* it.", ["So @sgd51 *is* it.", 'So #cite(<sgd51>, form: "prose") *is* it.']),
        ("a.typ", "So |[is] it.", ["So @sgd51 [is] it.", 'So #cite(<sgd51>, form: "prose") [is] it.']),
        ("a.typ", "So|-called.", ["So #cite(<sgd51>)-called.", 'So #cite(<sgd51>, form: "prose")-called.']),
        ("a.typ", "So|.Then", ["So #cite(<sgd51>);.Then", 'So #cite(<sgd51>, form: "prose");.Then']),
        ("a.typ", "如此|说", ["如此 #cite(<sgd51>)说", '如此 #cite(<sgd51>, form: "prose")说']),
        ("a.typ", "So @<x|>-based", ["So #cite(<sgd51>)-based", 'So #cite(<sgd51>, form: "prose")-based']),
        ("a.md", "So |is it.", ["So [@sgd51] is it.", "So @sgd51 is it."]),
        ("a.typ", "_So|_ it", ["_So #cite(<sgd51>)_ it", '_So #cite(<sgd51>, form: "prose")_ it']),
        ("a.md", "**So|** it.", ["**So [@sgd51]** it.", "**So @sgd51** it."]),
        ("a.md", "So |@a.", ["So [@sgd51] @a.", "So @sgd51 @a."]),
        ("a.md", "So |(is).", ["So [@sgd51] (is).", "So @sgd51 (is)."]),
        ("a.md", "So |[is](x).", ["So [@sgd51] [is](x).", "So @sgd51 [is](x)."]),
        ("a.md", "So|-called.", ["So [@sgd51]-called.", "So @{sgd51}-called."]),
        ("a.org", "So i|s it.", ["So is [cite:@sgd51] it.", "So is [cite/t:@sgd51] it."]),
    ],
)
def test_what_stands_behind_it_is_no_part_of_its_key(name, text, after):
    it = world(f"%% {name}\n{text}\n{BIB}")
    at = write_citation.place(it.project, *it.cursor)
    for textual, expected in zip((False, True), after, strict=True):
        found = write_citation.edits_for(it.project, name, at, [SGD], Form(textual=textual))
        assert it.after(found.change)[name] == f"{expected}\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("@<x|>-based", "#cite(<sgd51>)-based"),
        ("@<x|>.x", "#cite(<sgd51>);.x"),
        ("@<x|>: x", "@sgd51: x"),
        ("@<x|>[p. 2]", "@sgd51[p. 2]"),
    ],
)
def test_a_placeholder_of_typst_is_filled_with_a_key_that_ends_there(text, after):
    it = world(f"%% a.typ\n{text}\n{BIB}")
    found = insert_entry.edits_for(it.project, "a.typ", it.project.placeholder_at(*it.cursor), SGD)
    assert it.after(found.change)["a.typ"] == f"{after}\n"
    found = insert_entry.edits_for_several(it.project, "a.typ", it.project.placeholder_at(*it.cursor), [SGD, SGD, ADAM])
    assert it.after(found.change)["a.typ"] == f"@sgd51 {after.replace('sgd51', 'kingma2014adam')}\n"


@pytest.mark.parametrize(("before", "space"), [("So", " "), ("So ", ""), ("(", ""), ("so~", "")])
def test_a_space_stands_before_it_if_a_word_does(before, space):
    assert forms(f"%% a.tex\n{before}|.{END}") == [f"{space}\\cite{{sgd51}}"]


def test_a_placeholder_that_stands_alone_has_both_forms_under_its_own_command():
    text = f"%% a.tex\n\\usepackage{{natbib}}\nSo \\citealp<gra|d>.{END}"
    assert forms(text) == ["\\citealp{sgd51}", "\\citet{sgd51}"]


def test_a_placeholder_among_other_keys_is_only_filled():
    assert forms(f"%% a.tex\n\\usepackage{{natbib}}\n\\citep[see][]{{sgd51,?gra|d}}{END}", ADAM) == ["kingma2014adam"]


def test_what_nothing_can_write_is_refused():
    it = world(f"%% a.tex\nSo |.{END}" + BIB)
    path, offset = it.cursor
    at = write_citation.place(it.project, path, offset)
    found = write_citation.edits_for(it.project, path, at, [SGD], Form(textual=True))
    assert found == Refused("This document loads no package that cites as a part of the sentence.")


def preview(fixture, *works, **more):
    it = world(fixture)
    path, offset = it.cursor
    return write_citation.preview(it.project, path, write_citation.place(it.project, path, offset), works, **more)


def test_what_becomes_of_the_entries_is_said_in_a_sentence():
    shown = preview(f"%% a.tex\nSo |.{END}{BIB}", SGD)
    assert (shown.adds, shown.entries) == ("No entry is added", "")
    shown = preview(f"%% a.tex\nSo |.{END}{BIB}", ADAM, SGD)
    assert shown.adds == "Adds kingma2014adam to refs.bib"
    assert shown.entries.startswith("@misc{kingma2014adam,") and shown.entries.endswith("}")
    shown = preview("%% a.tex\n\\documentclass{article}\\begin{document}\nSo |.\n\\end{document}\n", ADAM)
    assert shown.adds == "Creates references.bib with kingma2014adam"
    assert shown.entries.startswith("@misc{kingma2014adam,")
    listed = "\\begin{thebibliography}{9}\n\\bibitem{a} A.\n\\end{thebibliography}\n"
    shown = preview("%% a.tex\nSo |.\n" + listed, ADAM)
    assert (shown.adds, shown.entries) == ("Adds kingma2014adam to the list in the text", "")


@pytest.mark.parametrize(
    ("locator", "taken"),
    [
        ("p. 12", True),
        (" chap. 3–4 ", True),
        ("§ 2", False),
        ("x" * 80, True),
        ("x" * 81, False),
        ("12]", False),
        ("sec_2", False),  # to LaTeX it would be a formula
        ("", True),
    ],
)
def test_a_locator_is_short_and_plain(locator, taken):
    shown = preview(f"%% a.tex\nSo |.{END}{BIB}", SGD, locator=locator)
    refused = Refused("A locator is as short as “p. 12” or “chap. 3”, in letters, digits and plain punctuation.")
    assert shown == refused if not taken else not isinstance(shown, Refused)
    if taken and locator:
        assert shown.forms[0].text == f"\\cite[{locator.strip().replace('. ', '.~')}]{{sgd51}}"


def test_only_manuscripts_cite():
    assert preview("%% refs.bib\n@misc{sgd51|, title = {Gradient}}\n", SGD) == Refused("Only a manuscript can cite.")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("So \\cite{sgd|51}, then.", "So \\cite{sgd51} \\cite{sgd51}, then."),
        ("So \\cite[p.~|2]{sgd51}, then.", "So \\cite[p.~2]{sgd51} \\cite{sgd51}, then."),
        ("So |\\cite{sgd51}, then.", "So \\cite{sgd51}\\cite{sgd51}, then."),
        ("So \\cite<gra|d>, then.", "So \\cite{sgd51}, then."),
        ("So \\parencite<gra|d>, then.", "So \\parencite{sgd51}, then."),
        ("So|, then.", "So \\cite{sgd51}, then."),
        ("“|” is it.", "“\\cite{sgd51}” is it."),
        ("So it |is.", "So it \\cite{sgd51} is."),
        ("So i|t is.", "So it \\cite{sgd51} is."),
        ("So it i|s.", "So it is \\cite{sgd51}."),
        ("Vi|ệt so", "Việt \\cite{sgd51} so"),
        ("M|u\u0308ller", "Mu\u0308ller \\cite{sgd51}"),
        ("如此|说", "如此 \\cite{sgd51}说"),
    ],
)
def test_works_are_cited_at_the_cursor(text, after):
    it = world(f"%% a.tex\n{text}{END}{BIB}")
    path, offset = it.cursor
    at = write_citation.place(it.project, path, offset)
    found = write_citation.edits_for(it.project, path, at, [SGD], Form())
    assert (found.key, found.message) == ("sgd51", "Cited sgd51.")
    assert it.after(found.change)["a.tex"].partition("\n")[0] == after


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("a.tex", "So \\cite{|}.", "So \\cite{sgd51,kingma2014adam}."),
        ("a.tex", "So \\cite{a,|}.", "So \\cite{a,sgd51,kingma2014adam}."),
        ("a.tex", "So \\cite{a, |}.", "So \\cite{a, sgd51,kingma2014adam}."),
        ("a.tex", "So \\parencite[p.~3]{|}.", "So \\parencite[p.~3]{sgd51,kingma2014adam}."),
        ("a.md", "So [@|].", "So [@sgd51; @kingma2014adam]."),
        ("a.md", "So [@a; @|].", "So [@a; @sgd51; @kingma2014adam]."),
        ("a.md", "So @| says.", "So @sgd51; @kingma2014adam says."),
        ("a.org", "So [cite:@|].", "So [cite:@sgd51;@kingma2014adam]."),
        ("a.org", "So [cite:|].", "So [cite:@sgd51;@kingma2014adam]."),
        ("a.org", "So [cite/t:|].", "So [cite/t:@sgd51;@kingma2014adam]."),
        ("a.md", "So {cite:p}`|`.", "So {cite:p}`sgd51,kingma2014adam`."),
        ("a.typ", "So @|.", "So @sgd51 @kingma2014adam."),
        ("a.typ", "So #cite(<|>).", "So @sgd51 @kingma2014adam."),
        ("a.typ", "So #cite(<|>);.", "So @sgd51 @kingma2014adam."),
        ("a.typ", "So #cite(|).", "So @sgd51 @kingma2014adam."),
        ("a.md", "So [@a; |].", "So [@a; @sgd51; @kingma2014adam]."),
        ("a.md", "So [|; @a].", "So [@sgd51; @kingma2014adam; @a]."),
        ("a.md", "So [@a; see |].", "So [@a; see ] [@sgd51; @kingma2014adam]."),
        ("a.md", "So [a; |].", "So [a; [@sgd51; @kingma2014adam]]."),
        ("a.org", "So [cite:@a;|].", "So [cite:@a;@sgd51;@kingma2014adam]."),
        ("a.org", "So [cite: @a ; | ; @b ].", "So [cite: @a ; @sgd51;@kingma2014adam ; @b ]."),
        ("a.org", "So [cite:@a; p. 3|].", "So [cite:@a; p. 3] [cite:@sgd51;@kingma2014adam]."),
        ("a.org", "So [cite:see |].", "So [cite:see @sgd51;@kingma2014adam]."),
        ("a.org", "So [cite:@a;|", "So [cite:@a;@sgd51;@kingma2014adam"),
        ("a.org", "So [[cite:|]].", "So [[cite:sgd51,kingma2014adam]]."),
        ("a.org", "So [[citet:a,|]].", "So [[citet:a,sgd51,kingma2014adam]]."),
        ("a.org", "So [[cite:see &|][x]].", "So [[cite:see &sgd51;&kingma2014adam][x]]."),
        ("a.org", "So [[cite:&a;|]].", "So [[cite:&a;&sgd51;&kingma2014adam]]."),
        ("a.org", "So [[cite:&a|;&b]].", "So [[cite:&a;&b]] [cite:@sgd51;@kingma2014adam]."),
        ("a.org", "So cite:|.", "So cite:sgd51,kingma2014adam."),
        ("a.org", "So cite:&a;&|.", "So cite:&a;&sgd51;&kingma2014adam."),
        ("a.org", "I recite:|.", "I recite: [cite:@sgd51;@kingma2014adam]."),
        ("a.org", "So \\cite{|}.", "So \\cite{sgd51,kingma2014adam}."),
    ],
)
def test_an_empty_argument_gets_the_keys_alone(name, text, after):
    it = world(f"%% {name}\n{text}\n{BIB}")
    path, offset = it.cursor
    at = write_citation.place(it.project, path, offset)
    found = write_citation.edits_for(it.project, path, at, [SGD, ADAM], Form())
    assert it.after(found.change)[name].partition("\n")[0] == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('#cite(<|>, form: "prose")', '#cite(<sgd51>, form: "prose")'),
        ('#cite(<>|, form: "prose")', '#cite(<sgd51>, form: "prose")'),
        ('#cite(|, form: "prose")', '#cite(<sgd51>, form: "prose")'),
        ('#cite(form: "prose", supplement: [p. 3], |<>)', '#cite(form: "prose", supplement: [p. 3], <sgd51>)'),
        ('#cite(\n  <|>,\n  form: "prose",\n)', '#cite(\n  <sgd51>,\n  form: "prose",\n)'),
        ("#let both = cite(<|>) + cite(<a>)", "#let both = cite(<sgd51>) + cite(<a>)"),
        ('#cite(label("|"))', '#cite(label("sgd51"))'),
    ],
)
def test_the_key_of_a_call_with_arguments_is_its_label(text, after):
    it = world(f"%% a.typ\n{text}\n{BIB}")
    at = write_citation.place(it.project, *it.cursor)
    found = write_citation.edits_for(it.project, "a.typ", at, [SGD], Form())
    assert it.after(found.change)["a.typ"] == after + "\n"
    refused = Refused("A call with arguments of its own cites one work. Choose one, or cite several beside it.")
    assert write_citation.edits_for(it.project, "a.typ", at, [SGD, ADAM], Form()) == refused


def test_a_key_that_no_label_of_typst_can_hold_is_given_to_its_call_by_name():
    work = Candidate(Record("library", "conf/x", "X"), origins=("library",), key="conf/x")
    it = world('%% a.typ\n#cite(<|>, form: "prose")\n%% refs.bib\n@misc{conf/x, title = {X}}\n')
    at = write_citation.place(it.project, *it.cursor)
    found = write_citation.edits_for(it.project, "a.typ", at, [work], Form())
    assert it.after(found.change)["a.typ"] == '#cite(label("conf/x"), form: "prose")\n'


def test_several_works_at_a_placeholder_of_latex_in_org_are_parted_by_commas():
    it = world(f"%% a.org\n\\cite<gra|d>\n{BIB}")
    found = insert_entry.edits_for_several(it.project, "a.org", it.project.placeholder_at(*it.cursor), [SGD, ADAM])
    assert it.after(found.change)["a.org"] == "\\cite{sgd51,kingma2014adam}\n"


def test_what_stands_raised_has_no_space_before_it():
    assert forms(f"%% a.tex\n\\usepackage{{biblatex}}\\supercite{{a}}So|.{END}")[0] == "\\supercite{sgd51}"


def test_a_form_says_whether_it_is_a_part_of_the_sentence():
    shown = preview(f"%% a.tex\n\\usepackage{{natbib}}\nSo |.{END}{BIB}", SGD, locator="p. 2")
    assert [it.form for it in shown.forms] == [
        Form(locator="p. 2", command="citep"), Form(textual=True, locator="p. 2", command="citet"),
    ]  # fmt: skip
    shown = preview("%% a.md\n---\nbibliography: refs.bib\n---\nSo |.\n" + BIB, SGD)
    assert [it.form for it in shown.forms] == [Form(), Form(textual=True)]
    at = world("%% a.md\n---\nbibliography: refs.bib\n---\nSo |.\n" + BIB)
    placed = write_citation.place(at.project, *at.cursor)
    found = write_citation.edits_for(at.project, "a.md", placed, [SGD], Form(textual=True))
    assert "So @sgd51." in at.after(found.change)["a.md"]
