"""What is reported: so many of one kind in one file, and where that ends is said; each check's usual severity."""

import ast
from pathlib import Path

import pytest

from citelsp import checks
from citelsp.base import bounds, effort
from citelsp.base.settings import Settings
from citelsp.checks import ALL, ahead
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.include_graph import build
from fixture_projects import project_of
from syntax_trees import nodes

MANY = bounds.REPORTED + 5
BIBER = "\\documentclass{x}\\addbibresource{r.bib}\\nocite{*}"
ENTRIES = {
    "unescaped-character": "title = {A % b}",
    "malformed-name": "author = {A, B, C, D, E}",
    "malformed-date": "date = {2000-13-45}",
    "malformed-entry": "title = {A} year = 2000",
    "malformed-identifier": "doi = {10.1}",
    "dangling-reference": "xref = {gone}",
    "undefined-string": "title = gone",
    "missing-field": "author = {A}, title = {A}",
}


BIBTEX = "\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}\\nocite{*}"


def library(fields, count):
    return "".join(f"@book{{k{it}, {fields}}}\n" for it in range(count))


def run(project, code):
    return checks.run(project, Knowledge(), codes={code})


@pytest.mark.parametrize("code", ENTRIES)
def test_a_last_finding_says_that_there_are_more(code):
    project = project_of({"m.tex": BIBER, "r.bib": library(ENTRIES[code], MANY)})
    found = run(project, code)
    assert len(found) == bounds.REPORTED + 1
    assert (found[-1].severity, found[-1].fixes) == ("information", ())
    assert f"{bounds.REPORTED:,}" in found[-1].message
    # No fewer once all entries were asked.
    assert [*ahead.prepare(project)]
    assert run(project, code) == found


@pytest.mark.parametrize("code", ENTRIES)
def test_as_many_as_are_reported_need_no_such_word(code):
    found = run(project_of({"m.tex": BIBER, "r.bib": library(ENTRIES[code], bounds.REPORTED)}), code)
    assert len(found) == bounds.REPORTED
    assert not any("no more" in it.message for it in found)


def test_a_last_hint_says_that_there_are_more():
    entries = library("title = {Notes on a GPU of it}", MANY).replace("@book", "@misc")
    found = run(project_of({"m.tex": BIBTEX, "r.bib": entries}), "unprotected-capitals")
    assert len(found) == bounds.REPORTED + 1
    assert f"{bounds.REPORTED:,}" in found[-1].message


REPEATED = {
    "one key": lambda it: f"@book{{k, title = {{A{it}}}}}\n",
    "one work": lambda it: f"@book{{k{it}, title = {{A long enough title {it // 2}}}, doi = {{10.1000/{it // 2}}}}}\n",
}


@pytest.mark.parametrize("entry", REPEATED.values(), ids=REPEATED)
def test_a_last_finding_says_that_more_entries_may_repeat_others(entry):
    found = run(project_of({"m.tex": BIBER, "r.bib": "".join(map(entry, range(2 * MANY)))}), "duplicate-entry")
    assert len(found) == bounds.REPORTED + 1
    assert [it.severity for it in found if "no more" in it.message] == ["information"]


def test_an_item_nested_too_deep_is_named():
    deep = "- id: a\n  title: " + "[" * 200 + "]" * 200 + "\n- id: b\n  title: B\n"
    found = run(
        project_of({"m.md": "---\nbibliography: r.yaml\nnocite: '@*'\n---\n", "r.yaml": deep}), "malformed-entry"
    )
    assert [(it.key, it.message) for it in found] == [("a", "citelsp reads no item of more than 100 levels.")]


def test_a_title_that_is_not_compared_to_its_end_is_named():
    [found] = run(project_of({"r.bib": f"@book{{a, title = {{{'A ' * 5001}}}}}\n"}), "malformed-entry")
    assert found.message == "citelsp compares the first 10,000 characters of this field only."


def test_checks_end_once_their_time_is_spent():
    """No comment is stale because of it."""
    library_of = f"% citelsp: ignore[missing-field]\n{library('author = {A}', 200)}"
    project = project_of({"m.tex": BIBER, "r.bib": library_of})
    with effort.limit(0):
        found = checks.run(project, Knowledge())
    sentence = "citelsp checks for 20 seconds: it looked for no more from here on."
    assert [(it.path, it.severity, it.message) for it in found] == [("r.bib", "information", sentence)]
    assert len(checks.run(project, Knowledge())) > 100


def test_entries_beyond_are_not_asked():
    project = project_of({"r.bib": library("title = {A}", MANY)})
    entries = project.defining[0].syntax.entries
    assert isinstance(entries, BibEntries)
    asked = []

    def fact(node):
        asked.append(node.key)
        return (node.key,)

    each = entries.each_value(fact, range(MANY))
    assert [next(each)[1] for _ in range(3)] == [("k0",), ("k1",), ("k2",)]
    assert asked == ["k0", "k1", "k2"]
    assert len([*each]) == MANY - 3
    assert entries.known(fact)
    assert len(asked) == MANY


@pytest.mark.parametrize("check", ALL, ids=lambda it: it.code)
def test_a_check_writes_its_usual_severity_once(check):
    path = Path(checks.__file__).parent / f"{check.code.replace('-', '_')}.py"
    written = [it for it in nodes(path) if isinstance(it, ast.Constant) and it.value == check.severity]
    assert len(written) == 1, (
        f"{path.name} writes “{check.severity}” {len(written)} times: write it in its CHECK alone, where one word "
        "changes it; a Finding has it by itself, and names a severity only to depart from it"
    )


def test_of_entries_that_typst_parses_all_are_asked_ahead(tmp_path):
    (tmp_path / "m.typ").write_text('@k0 #bibliography("r.bib")', encoding="utf-8")
    (tmp_path / "r.bib").write_text(library("title = {A}", 1500), encoding="utf-8")
    (tmp_path / "m.tex").write_text(BIBER.replace("*", "k0"), encoding="utf-8")
    files = DiskFiles([str(tmp_path)], environment={})
    typst = build(files, str(tmp_path / "m.typ"), Settings())
    steps_of_each_check = 5  # of 300 entries
    of_parsed = [check.code for check in ALL if check.of_parsed]
    assert of_parsed == ["malformed-entry", "refused-by-typst", "undefined-string"]
    assert len([*ahead.prepare(typst)]) == len(of_parsed) * steps_of_each_check
    biber = build(files, str(tmp_path / "m.tex"), Settings())
    assert not [*ahead.prepare(biber)]
