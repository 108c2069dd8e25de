import json
import os
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import marks
from citelsp.base.settings import Settings, Writing
from citelsp.base.text import apply
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.features import complete_placeholder, declarations, insert_entry, write_targets
from citelsp.features.values import Change, Refused
from citelsp.knowledge import Candidate, Suggestion
from fixture_projects import project_of, world

RECORD = Record(
    "crossref",
    "10.1000/q",
    "Quicksort & Company",
    (Name("Hoare", "C. A. R."),),
    years=(1962,),
    venue="The Computer Journal",
    type="article-journal",
    identifiers=Identifiers(doi="10.1000/q"),
)
CANDIDATE = Candidate(RECORD)
TEX = (
    "%% a.tex\n\\documentclass{article}\n\\begin{document}\nSo \\cite<so|rt>.\n\\bibliography{refs}\n\\end{document}\n"
)


ZOTERO = "".join(f"@misc{{z{n},\n  file = {{/home/me/Zotero/storage/AB{n}/p.pdf}}\n}}\n" for n in range(3))


@pytest.mark.parametrize(("entries", "target"), [(ZOTERO, "references.bib"), (ZOTERO + "@misc{own}\n" * 9, "a.bib")])
def test_what_zotero_exported_is_not_written_to(entries, target):
    it = world(f"%% a.tex\n\\documentclass{{x}}|\n%% a.bib\n{entries}")
    found = write_targets.find(it.project, "a.tex", exists=lambda _: False)
    assert found.path == target


def accepted(fixture, candidate=CANDIDATE, **kwargs):
    it = world(fixture, **kwargs)
    placeholder = it.project.placeholder_at(*it.cursor)
    insertion = insert_entry.edits_for(it.project, it.cursor[0], placeholder, candidate)
    assert not isinstance(insertion, Refused)
    return it, insertion, it.after(insertion.change)


def test_citation_and_entry():
    _, insertion, after = accepted(TEX + "%% refs.bib\n@misc{a,\n  title = {A},\n}\n")
    assert f"So \\cite{{{insertion.key}}}.\n" in after["a.tex"]
    assert after["refs.bib"].startswith("@misc{a,\n  title = {A},\n}\n")
    [new] = project_of(after).find(insertion.key)
    assert (new.entry.title, new.entry.year, new.entry.identifiers.doi) == ("Quicksort & Company", 1962, "10.1000/q")
    assert insertion.message == f"Added {insertion.key} to refs.bib."


def test_key_is_free():
    _, first, after = accepted(TEX + "%% refs.bib\n@misc{a}\n")
    other = f"@misc{{{first.key}, title = {{Another}}, year = 1962, author = {{Hoare, X.}}}}"
    _, second, after = accepted(TEX + f"%% refs.bib\n{other}\n")
    assert second.key != first.key
    assert after["refs.bib"].count(first.key + ",") == 1


@pytest.mark.parametrize(
    "entry",
    [
        "@misc{mine, doi = {https://doi.org/10.1000/Q}}",
        "@misc{mine, title = {{QUICK}sort \\& {Company}}, author = {Hoare, Tony}, year = 1961}",
    ],
)
def test_a_work_that_is_there_is_cited_and_not_added(entry):
    _, insertion, after = accepted(TEX + f"%% refs.bib\n{entry}\n")
    assert (insertion.key, insertion.bibliography, set(after)) == ("mine", "", {"a.tex"})
    assert "\\cite{mine}" in after["a.tex"]


@pytest.mark.parametrize(
    "entry",
    [
        "@misc{mine, doi = {10.1000/q2}}",
        "@misc{mine, title = {Quicksort \\& Company}, author = {Doe, Jane}, year = 1962}",
        "@misc{mine, title = {Quicksort \\& Company}, author = {Hoare, Tony}, year = 1990}",
    ],
)
def test_another_work_is_not_taken_for_it(entry):
    _, insertion, after = accepted(TEX + f"%% refs.bib\n{entry}\n")
    assert insertion.key != "mine"
    assert after["refs.bib"].startswith(entry)


def test_key_of_the_library_is_used():
    _, insertion, after = accepted(TEX + "%% refs.bib\n@misc{own}\n", Candidate(RECORD, key="own"))
    assert set(after) == {"a.tex"}
    assert insertion.message == "own is already in the bibliography."


def test_markdown():
    _, insertion, after = accepted(
        "%% a.md\n---\nbibliography: refs.bib\n---\nSo [see @<so|rt>].\n%% refs.bib\n@misc{a}\n"
    )
    assert after["a.md"].endswith(f"So [see @{insertion.key}].\n")


def target_of(fixture, write_to="", read_only=()):
    settings = Settings(writing=Writing(write_to=write_to))
    _, insertion, after = accepted(fixture, settings=settings, read_only=read_only)
    return insertion.bibliography, after


def test_last_declared_that_is_ours_to_write():
    several = TEX + "%% a.bib\n@misc{a}\n%% b.bib\n@misc{b}\n%% c.bib\n% Exported with Better BibTeX\n@misc{c}\n"
    assert target_of(several)[0] == "b.bib"
    assert target_of(several, read_only=("b.bib",))[0] == "a.bib"
    assert target_of(several, "a.bib")[0] == "a.bib"


def test_new_file_for_bibtex():
    bare = "%% a.tex\n\\documentclass{article}\n\\begin{document}\nSo \\cite<|>.\n\\end{document}\n"
    path, after = target_of(bare)
    assert path == "references.bib"
    assert after["a.tex"].endswith(".\n\\bibliographystyle{plain}\n\\bibliography{references}\n\\end{document}\n")
    assert after["references.bib"].startswith("@article{")


def test_new_file_for_biblatex():
    bare = "%% d/a.tex\n\\usepackage[style=apa]{biblatex} % y\n\\begin{document}\nSo \\cite<|>.\n\\end{document}\n"
    path, after = target_of(bare)
    assert path == "d/references.bib"
    assert "{biblatex} % y\n\\addbibresource{references.bib}\n\\begin" in after["d/a.tex"]


@pytest.mark.parametrize(
    ("head", "declared"),
    [
        ("", "---\nbibliography: references.bib\n---\n\n"),
        ("---\ntitle: x\n---\n", "---\ntitle: x\nbibliography: references.bib\n---\n"),
        ("---\n---\n", "---\nbibliography: references.bib\n---\n"),
    ],
)
def test_new_file_for_markdown(head, declared):
    _, after = target_of(f"%% a.md\n{head}So [@<|>].\n")
    assert after["a.md"].startswith(declared + "So [@")


@pytest.mark.parametrize(
    ("before", "after_"),
    [
        ("bibliography: z.bib", "bibliography: [z.bib, references.bib]"),
        ("bibliography: [y.bib, 'z.bib']", "bibliography: [y.bib, 'z.bib', references.bib]"),
        ("bibliography:\n  - y.bib\n  - z.bib", "bibliography:\n  - y.bib\n  - z.bib\n  - references.bib"),
        ("bibliography:\n- 'z.bib' # z", "bibliography:\n- 'z.bib' # z\n- references.bib"),
        ('bibliography: [\n  "z.bib",\n]', 'bibliography: [\n  "z.bib", references.bib,\n]'),
    ],
)
def test_declared_beside_an_export(before, after_):
    _, after = target_of(f"%% a.md\n---\n{before}\n---\nSo [@<|>].\n%% z.bib\n% exported by Zotero\n@misc{{z}}\n")
    assert after["a.md"].startswith(f"---\n{after_}\n---\n")


def test_declared_beside_an_export_in_latex():
    export = "%% refs.bib\n% exported by Zotero\n@misc{z}\n"
    assert "\\bibliography{refs,references}\n" in target_of(TEX + export)[1]["a.tex"]
    biblatex = TEX.replace("\\bibliography{refs}", "\\addbibresource[glob]{refs.bib}")
    assert (
        "\\addbibresource[glob]{refs.bib}\n\\addbibresource{references.bib}\n"
        in target_of(biblatex + export)[1]["a.tex"]
    )


@pytest.mark.parametrize(
    ("before", "after_"),
    [
        ("\\bibliography{y,\n  refs}", "\\bibliography{y,\n  refs,references}"),
        ("\\bibliography{y, % why\n  refs%\n}", "\\bibliography{y, % why\n  refs,references%\n}"),
        (r"\bibliography{\subfix{refs}}", r"\bibliography{\subfix{refs},references}"),
        ("\\addbibresource{%\n  refs.bib%\n}", "\\addbibresource{%\n  refs.bib%\n}\n\\addbibresource{references.bib}"),
        (r"\newrefsection[refs.bib]", r"\newrefsection[refs.bib,references.bib]"),
    ],
)
def test_declared_in_lists_of_several_lines(before, after_):
    export = "%% refs.bib\n% exported by Zotero\n@misc{z}\n"
    tex = target_of(TEX.replace(r"\bibliography{refs}", before) + export)[1]["a.tex"]
    assert f"{after_}\n\\end{{document}}" in tex


ROOT = "%% a.tex\n\\documentclass{x}\n\\begin{document}\n\\input{b}\n\\end{document}\n"
PART = "%% b.tex\nSo \\cite<|>.\n"


def test_nothing_is_declared_in_a_root_that_is_read_only():
    it = world(ROOT + PART, read_only=("a.tex",))
    placeholder = it.project.placeholder_at(*it.cursor)
    refused = insert_entry.edits_for(it.project, "b.tex", placeholder, CANDIDATE)
    assert refused == Refused("references.bib would have to be named in a.tex, which is read-only.")
    declared = "\\bibliography{refs}\n%% refs.bib\n% exported by Zotero\n"
    _, after = target_of(ROOT + PART + declared, read_only=("a.tex",))
    assert "\\bibliography{refs,references}" in after["b.tex"]


def test_a_bibliography_is_declared_beside_the_last_that_stands_in_a_document_of_ours():
    fixture = f"{ROOT}{PART}\\bibliography{{refs}}\n%% c.tex\n\\bibliography{{refs}}\n%% refs.bib\n"
    _, after = target_of(f"{fixture}% exported by Zotero\n", read_only=("c.tex",))
    assert set(after) == {"b.tex", "references.bib"}


def test_no_second_list_is_declared_beside_one_that_is_read_only():
    """BibTeX refuses a second \\bibliography; \\addbibresource may be repeated."""
    fixture = f"{ROOT}%% b.tex\nSo \\cite<|>.\n\\bibliography{{refs}}\n%% refs.bib\n% exported by Zotero\n"
    it = world(fixture, read_only=("b.tex",))
    refused = declarations.edit_for(it.project, "b.tex", "references.bib")
    assert refused == Refused("references.bib would have to be named in b.tex, which is read-only.")
    biblatex = world(fixture.replace("bibliography{refs}", "addbibresource{refs.bib}"), read_only=("b.tex",))
    assert declarations.edit_for(biblatex.project, "b.tex", "references.bib").path == "a.tex"


def test_declarations_keep_the_line_breaks_of_the_file():
    text = "\\usepackage{biblatex}\r\n\\begin{document}\r\n\\cite{?}\r\n\\end{document}\r\n"
    edit = declarations.edit_for(project_of({"a.tex": text}), "a.tex", "r.bib")
    assert apply(text, [edit]) == text.replace("tex}", "tex}\r\n\\addbibresource{r.bib}")


def test_a_bibliography_elsewhere_is_declared_by_its_whole_path():
    files = {"/w/a.tex": "\\usepackage{biblatex}\n\\begin{document}\n\\end{document}\n"}
    edits = [declarations.edit_for(project_of(files), "/w/a.tex", it) for it in ("/w/s/r.bib", "/home/r.bib")]
    assert [it.new_text.strip() for it in edits] == ["\\addbibresource{s/r.bib}", "\\addbibresource{/home/r.bib}"]


def test_thebibliography_gets_an_item():
    fixture = r"""
    %% a.tex
    So \cite<|>.
    \begin{thebibliography}{9}
    \bibitem{a} A. B.
    \end{thebibliography}
    """
    _, insertion, after = accepted(fixture)
    item = "Hoare, C. A. R. (1962). Quicksort \\& Company. The Computer Journal."
    assert f"A. B.\n\\bibitem{{{insertion.key}}} {item}\n\\end" in after["a.tex"]
    assert set(after) == {"a.tex"}
    _, insertion, after = accepted(fixture.replace("A. B.\n    ", "A. B. "))
    assert f"A. B. \n\\bibitem{{{insertion.key}}} {item}\n\\end{{" in after["a.tex"]


def test_bibliography_named_but_not_there_yet():
    it = marks.parse(
        "%% m/a.tex\n\\documentclass{article}\\input{s/b}\n%% m/s/b.tex\nSo \\cite<|>.\\bibliography{bib/r}\n"
    )
    project = marks.project(it, "m/s/b.tex")
    insertion = insert_entry.add_record(project, "m/s/b.tex", RECORD)
    assert [new.path for new in insertion.change.files] == [os.path.normpath("m/bib/r.bib")]
    assert insertion.change.edits == ()


def test_csl_json():
    fixture = '%% a.md\n---\nbibliography: r.json\n---\nSo [@<|>].\n%% r.json\n[\n  {"id": "a", "title": "A"}\n]\n'
    it = marks.parse(fixture)
    insertion = insert_entry.add_record(marks.project(it), "a.md", RECORD)
    [edit] = insertion.change.edits
    items = json.loads(apply(it.files["r.json"], [edit]))
    assert [item["id"] for item in items] == ["a", insertion.key]


def test_record_under_a_given_key():
    it = world(TEX + "%% refs.bib\n@misc{a}\n")
    insertion = insert_entry.add_record(it.project, "a.tex", RECORD, "wanted")
    after = it.after(insertion.change)
    assert set(after) == {"refs.bib"}
    assert project_of(after).find("wanted")


@settings(deadline=None)
@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=40),
    st.text(alphabet='@{}"%#\\,= \r\nab1', max_size=60),
)
def test_no_byte_of_the_bibliography_changes(title, written):
    project = project_of({"r.bib": written})
    record = Record("crossref", "1", title, (Name("Doe", "Jane"),), years=(2001,), type="article-journal")
    insertion = insert_entry.add_record(project, "r.bib", record)
    if not insertion.bibliography:
        return
    [edit] = insertion.change.edits
    assert edit.span.start == edit.span.end


@pytest.mark.parametrize(
    "entry",
    [
        "@misc{mine, title = {QUICKSORT \\& COMPANY}, author = {HOARE, C.}, year = 1962}",
        "@misc{mine, title = {{Quicksort, \\& {C}ompany}}, author = {Hoare, C.}, date = {1962-01}}",
        '@misc{mine, year = {1962}, booktitle = {Other}, title = "Quicksort {\\&} {C}ompany"}',
        "@misc{mine, title = {Quicksort}, url = {https://doi.org/10.1000/Q}}",
    ],
)
def test_a_work_is_recognised_however_it_is_written(entry):
    _, insertion, after = accepted(TEX + f"%% refs.bib\n{entry}\n")
    assert (insertion.key, set(after)) == ("mine", {"a.tex"})


def test_a_paper_and_its_journal_version_are_two_works():
    entry = "@misc{mine, title = {Quicksort \\& Company}, author = {Hoare, C.}, year = 1961, doi = {10.1000/other}}"
    _, insertion, _ = accepted(TEX + f"%% refs.bib\n{entry}\n")
    assert insertion.key != "mine"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\n\nA\n\n---\n", "---\nbibliography: r.bib\n---\n\n---\n\nA\n\n---\n"),
        ("\ufeffA\n", "\ufeff---\nbibliography: r.bib\n---\n\nA\n"),
        ("% T\n  t\n% A\n\nA\n", "% T\n  t\n% A\n\n---\nbibliography: r.bib\n---\n\nA\n"),
        ("+++\nt = 1\n+++\nA\n", "+++\nt = 1\n+++\n\n---\nbibliography: r.bib\n---\nA\n"),
        ("---\nbibliography: # no\n---\n", "---\nbibliography: r.bib # no\n---\n"),
        ("---\r\nbibliography: []\r\n---\r\n", "---\r\nbibliography: r.bib\r\n---\r\n"),
        ("---\nbibliography: null\nt: 1\n---\n", "---\nbibliography: r.bib\nt: 1\n---\n"),
    ],
)
def test_declarations_in_odd_markdown(before, after):
    edit = declarations.edit_for(project_of({"a.md": before}), "a.md", "r.bib")
    assert apply(before, [edit]) == after
    [link] = project_of({"a.md": after}).sources["a.md"].syntax.links
    assert (link.kind, link.target) == ("bibliography", "r.bib")


def test_declarations_beside_required_biblatex_and_verbatim_ends():
    required = "\\documentclass{x}\n\\RequirePackage{biblatex}\n\\begin{document}\n"
    edit = declarations.edit_for(project_of({"a.tex": required}), "a.tex", "r.bib")
    assert edit.new_text == "\n\\addbibresource{r.bib}"
    quoted = "\\begin{verbatim}\n\\end{document}\n\\end{verbatim}\n"
    text = quoted + "A\n\\end{document}\n"
    edit = declarations.edit_for(project_of({"a.tex": text}), "a.tex", "r.bib")
    assert edit.span.start == text.rindex("\\end{doc")


SAVE_FIRST = "Save this document first: its .bib is created beside it."


@pytest.mark.parametrize("more", ["", "\\bibliography{refs}\n", "\\addbibresource{refs.bib}\n"])
def test_a_document_that_was_never_saved_gets_no_file(more):
    it = world(f"%% untitled:/new.tex\n{more}So \\cite<so|rt>.\n")
    path, offset = it.cursor
    placeholder = it.project.placeholder_at(path, offset)
    assert insert_entry.edits_for(it.project, path, placeholder, CANDIDATE) == Refused(SAVE_FIRST)
    assert insert_entry.add_record(it.project, path, RECORD) == Refused(SAVE_FIRST)
    offers = complete_placeholder.offers(it.project, path, placeholder, offset, Suggestion((CANDIDATE,)))
    assert (offers.items, offers.reason) == ((), SAVE_FIRST)


def test_a_list_in_a_document_that_was_never_saved_takes_the_entry():
    items = "\\begin{thebibliography}{9}\n\\bibitem{one} One.\n\\end{thebibliography}\n"
    _, insertion, after = accepted(f"%% untitled:/new.tex\nSo \\cite<so|rt>.\n{items}")
    assert list(after) == ["untitled:/new.tex"]
    assert f"\\bibitem{{{insertion.key}}}" in after["untitled:/new.tex"]


def test_what_happens_is_said():
    _, insertion, _ = accepted("%% a.tex\n\\documentclass{x}\n\\begin{document}\nSo \\cite<|>.\n\\end{document}\n")
    assert insertion.message == f"Created references.bib with {insertion.key}: the manuscript declares no bibliography."
    assert insertion.entry == insertion.additions.files[0].text.strip() and insertion.bibliography == "references.bib"
    ris = "TY  - JOUR\nTI  - On Trout\nER  - \n"
    _, insertion, _ = accepted(f"%% a.tex\nSo \\cite<|>.\n\\addbibresource{{refs.ris}}\n%% refs.ris\n{ris}")
    assert insertion.message.endswith("the manuscript declares no bibliography that can be written.")
    held = Candidate(RECORD, key="a")
    _, insertion, after = accepted(TEX + "%% refs.bib\n@misc{a}\n", held)
    assert (insertion.message, insertion.bibliography) == ("a is already in the bibliography.", "")
    assert (set(after), insertion.additions) == ({"a.tex"}, Change())
    listed = "%% a.tex\nSo \\cite<|>.\n\\begin{thebibliography}{9}\n\\bibitem{a} A.\n\\end{thebibliography}\n"
    _, insertion, _ = accepted(listed)
    assert (insertion.message, insertion.bibliography) == (f"Added {insertion.key} to a.tex.", "a.tex")
    assert insertion.entry.startswith(f"\\bibitem{{{insertion.key}}} Hoare")


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ((), ""),
        (("correction", "concern"), ""),
        (("retraction",), "This work was retracted, says Crossref."),
        (("correction", "withdrawal", "retraction"), "This work was withdrawn, says Crossref."),
        (("removal",), "This work was removed by its publisher, says Crossref."),
    ],
)
def test_what_speaks_against_a_work_is_said_before_it_is_cited(kinds, said):
    assert insert_entry.caution(replace(RECORD, updates=tuple(Update(it, "crossref") for it in kinds))) == said


def test_a_json_bibliography_takes_one_new_entry_at_a_time():
    it = world('%% a.md\n---\nbibliography: r.json\n---\nSo [@<|>].\n%% r.json\n[\n  {"id": "a", "title": "A"}\n]\n')
    placeholder = it.project.placeholder_at(*it.cursor)
    other = Candidate(replace(RECORD, title="Another Sort", identifiers=Identifiers()))
    several = insert_entry.edits_for_several(it.project, "a.md", placeholder, [CANDIDATE, other])
    assert several == Refused("A JSON bibliography takes one new entry at a time.")
    known = Candidate(Record("library", "a", "A"), key="a")
    one = insert_entry.edits_for_several(it.project, "a.md", placeholder, [CANDIDATE, known])
    assert one.key.endswith(",a") and one.message == f"Cited {one.key.replace(',', ', ')}."


def test_what_zotero_calls_a_work_is_its_key_if_that_is_free():
    zotero = Candidate(replace(RECORD, source="zotero"), key="hoareQuick1962")
    it = world(TEX + "%% refs.bib\n@misc{hoareQuick1962}\n")
    assert insert_entry.keys_for(it.project, [zotero]) == ["hoare1962quicksort"]
    it = world(TEX + "%% refs.bib\n@misc{a}\n")
    assert insert_entry.keys_for(it.project, [zotero]) == ["hoareQuick1962"]
    other = replace(zotero, record=replace(RECORD, title="Another Sort", source="zotero", identifiers=Identifiers()))
    assert insert_entry.keys_for(it.project, [zotero, other]) == ["hoareQuick1962", "hoare1962another"]


@pytest.mark.parametrize(
    ("head", "bib", "dialect", "field"),
    [
        ("", "@misc{a}\n", "auto", "journal ="),
        ("\\usepackage{biblatex}\n", "@misc{a}\n", "auto", "journaltitle ="),
        ("\\usepackage{biblatex}\n", "@article{a, journal = {J}, year = 2001}\n", "auto", "journal ="),
        ("", "@misc{a}\n", "biblatex", "journaltitle ="),
    ],
)
def test_an_entry_is_written_in_the_dialect_of_its_file_else_of_the_manuscript(head, bib, dialect, field):
    fixture = f"%% a.tex\n\\documentclass{{x}}\n{head}So \\cite<|>.\n%% refs.bib\n{bib}"
    _, insertion, _ = accepted(fixture, settings=Settings(writing=Writing(dialect=dialect)))
    assert field in insertion.entry.replace("  ", " ")
