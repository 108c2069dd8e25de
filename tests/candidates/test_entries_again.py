"""A list after a keystroke costs what the keystroke changed, however many citations the manuscript has."""

import time
from dataclasses import replace

import pytest

from citelsp.base.text import Document
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.bibliography.same_work import marks
from citelsp.candidates import entries, warm_up
from citelsp.corpus.place_query import Query
from citelsp.syntax import parse
from citelsp.workspace import question as questions
from citelsp.workspace.source import Source
from fixture_projects import project_of

REFS = "".join(f"@misc{{k{it}, title = {{Title of {it}}}}}\n" for it in range(20))


def chapter(number, citations):
    """Sentences that occur nowhere else."""
    return "\n\n".join(
        f"In {number} of {it} harps and oars, {number * it} sirens sang again \\cite{{k{it % 20}}}, said the sailor."
        for it in range(citations)
    )


def cost(project, libraries):
    """The CPU that the list takes at the one placeholder in `a.tex`."""
    [placeholder] = project.sources["a.tex"].syntax.placeholders
    query = Query(questions.placeholder_question(project, "a.tex", placeholder))
    began = time.thread_time()
    entries.find_answering(project, libraries, query)
    return time.thread_time() - began


def typed(project, letters):
    old = project.sources["a.tex"].document
    document = Document("a.tex", old.text.replace("Glaciers", f"Glaciers {letters}"), old.language)
    return replace(project, sources={**project.sources, "a.tex": Source(document, parse(document), open=True)})


def manuscript(chapters, citations):
    many = citations // (chapters or 1)
    files = {f"{it}.tex": chapter(it, many) for it in range(1, chapters + 1)}
    text = f"Glaciers calve where they float \\cite<>.\n\n{'' if chapters else chapter(0, many)}"
    return project_of({"a.tex": text, **files, "refs.bib": REFS})


@pytest.mark.parametrize(("chapters", "citations"), [(0, 2400), (10, 800)])
def test_the_second_list_reads_no_sentence_again_that_stayed_as_it_was(chapters, citations):
    project, libraries = manuscript(chapters, citations), Libraries()
    project.libraries(libraries)
    first = cost(project, libraries)
    again = [cost(typed(project, "x" * it), libraries) for it in range(1, 4)]
    assert min(again) < first / 3


def test_the_first_list_reads_no_sentence_that_was_read_ahead():
    project, libraries = manuscript(0, 2300), Libraries()
    project.libraries(libraries)
    began = time.thread_time()
    assert len(list(warm_up.sentences(project))) == 1  # document
    assert len(list(warm_up.copies(project))) == 2  # 20 entries, of which marks are asked and gathered
    spent = time.thread_time() - began
    assert project.sources["refs.bib"].syntax.entries.known(marks)
    assert cost(project, libraries) < spent / 3


def test_sentences_are_read_again_with_an_acronym_that_changed():
    def meaning(words):
        known = project_of({**files, "b.tex": rf"\newacronym{{cl}}{{CL}}{{{words}}}"})
        same = replace(known, sources={**known.sources, "a.tex": source})
        return entries.contexts(same, Query(questions.Question("Glaciers calve", "")))

    files = {"a.tex": r"\input{b}\gls{cl} float \cite{k1}. \cite<>", "refs.bib": REFS}
    source = project_of({**files, "b.tex": ""}).sources["a.tex"]
    assert meaning("glaciers calve").sentence["k1"] > meaning("rivers flow").sentence["k1"]
