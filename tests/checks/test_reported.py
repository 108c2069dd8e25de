"""Of one kind of finding in one file so many are reported, and where that ends is said."""

import pytest

from citelsp import checks
from citelsp.base import bounds
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex import BibEntries
from fixture_projects import project_of

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
    assert [*checks.ahead(project)]
    assert run(project, code) == found


@pytest.mark.parametrize("code", ENTRIES)
def test_as_many_as_are_reported_need_no_such_word(code):
    found = run(project_of({"m.tex": BIBER, "r.bib": library(ENTRIES[code], bounds.REPORTED)}), code)
    assert len(found) == bounds.REPORTED
    assert not any("no more" in it.message for it in found)


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
