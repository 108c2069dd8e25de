from dataclasses import replace

from citelsp.base.text import Span
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.features import code_actions, complete_placeholder, insert_entry
from citelsp.features.values import Refused
from citelsp.knowledge import Candidate, Suggestion
from citelsp.workspace import question as questions
from fixture_projects import world

ADAM = Candidate(Record("corpus", "1", "Adam Optimizes", (Name("Kingma", "D."),), years=(2014,), type="article"))
TWIN = Candidate(Record("corpus", "2", "Adam Optimizes More", (Name("Kingma", "D."),), years=(2014,), type="article"))
HELD = Candidate(Record("library", "sgd51", "Gradient"), key="sgd51")
TEX = "%% a.tex\nSo \\cite<so|rt>.\n\\bibliography{refs}\n"
BIB = "%% refs.bib\n@misc{sgd51, title = {Gradient}}\n"


def accepted(fixture, *candidates):
    it = world(fixture)
    placeholder = it.project.placeholder_at(*it.cursor)
    insertion = insert_entry.edits_for_several(it.project, it.cursor[0], placeholder, candidates)
    return insertion if isinstance(insertion, Refused) else (insertion.key, it.after(insertion.change))


def test_all_keys_and_all_entries_in_one_change():
    keys, texts = accepted(TEX + BIB, ADAM, HELD, TWIN)
    assert keys == "kingma2014adam,sgd51,kingma2014adama"
    assert "\\cite{kingma2014adam,sgd51,kingma2014adama}." in texts["a.tex"]
    assert texts["refs.bib"].startswith("@misc{sgd51, title = {Gradient}}\n")
    assert [texts["refs.bib"].count(it) for it in ("{kingma2014adam,", "{kingma2014adama,", "@misc{sgd51")] == [1, 1, 1]


def test_two_works_of_one_entry_are_cited_once():
    again = Candidate(replace(HELD.record, source="openalex", id="W1"), key="sgd51")
    keys, texts = accepted(TEX + BIB, HELD, ADAM, again)
    assert keys == "sgd51,kingma2014adam"
    assert "\\cite{sgd51,kingma2014adam}." in texts["a.tex"]


def test_in_markdown():
    _, texts = accepted("%% a.md\n---\nbibliography: refs.bib\n---\nSo [@<so|rt>].\n" + BIB, ADAM, HELD)
    assert "So [@kingma2014adam; @sgd51]." in texts["a.md"]


def test_in_latex_within_markdown():
    _, texts = accepted("%% a.md\n---\nbibliography: refs.bib\n---\nSo \\cite<so|rt>.\n" + BIB, ADAM, HELD)
    assert "So \\cite{kingma2014adam,sgd51}." in texts["a.md"]


def test_in_braces():
    _, texts = accepted("%% a.tex\nSo \\cite{?so|rt}.\n\\bibliography{refs}\n" + BIB, HELD, ADAM)
    assert "\\cite{sgd51,kingma2014adam}." in texts["a.tex"]


def test_a_new_bibliography_holds_them_all():
    _, texts = accepted("%% a.tex\n\\begin{document}\nSo \\cite<so|rt>.\n\\end{document}\n", ADAM, TWIN)
    [new] = [text for path, text in texts.items() if path.endswith(".bib")]
    assert new.count("@") == 2 and "\n}\n\n@" in new
    assert texts["a.tex"].count("\\bibliography{") == 1


def test_a_list_offers_them_together_after_the_single_works():
    it = world(TEX + BIB)
    path, offset = it.cursor
    place = it.project, path, it.project.placeholder_at(path, offset), offset
    offers = complete_placeholder.offers(*place, Suggestion((ADAM, HELD, TWIN), together=2))
    assert [work.key for work in offers.joint.works] == ["kingma2014adam", "sgd51"]
    assert offers.joint.new_text == "{kingma2014adam,sgd51}"
    assert complete_placeholder.offers(*place, Suggestion((ADAM, HELD))).joint is None


def test_no_other_work_takes_the_place_of_one_that_cannot_be_added():
    it = world(f"%% untitled:/new.tex{TEX[8:]}{BIB}@misc{{other, title = {{Other}}}}\n", read_only=("refs.bib",))
    path, offset = it.cursor
    other = Candidate(Record("library", "other", "Other"), key="other")
    suggestion = Suggestion((ADAM, HELD, other), together=2)
    offers = complete_placeholder.offers(it.project, path, it.project.placeholder_at(path, offset), offset, suggestion)
    assert [work.key for work in offers.items] == ["sgd51", "other"] and offers.joint is None


def test_the_light_bulb_offers_them_together_behind_each_of_them_as_lists_do():
    it = world(TEX + BIB)
    path, offset = it.cursor
    question = questions.placeholder_question(it.project, path, it.project.placeholder_at(path, offset)).key
    lists = {question: Suggestion((ADAM, HELD, TWIN), together=2)}
    one, other, first, *_ = code_actions.actions(it.project, lists, [], path, Span(offset, offset))
    assert one.title.startswith("Cite Kingma 2014") and other.title.startswith("Cite Gradient")
    assert first.title.startswith("Cite 2 works together: Kingma 2014; Gradient")
    assert "\\cite{kingma2014adam,sgd51}." in it.after(first.change)["a.tex"]
    assert code_actions.resolve(it.project, lists, path, first.token) == first.change
