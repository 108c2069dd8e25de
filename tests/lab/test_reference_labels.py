"""What a bibliography tells of the words of a reference that was printed from it."""

import random

import pytest

from citelsp.bibliography.reference_reading import word_labels
from lab import reference_labels
from lab.printed_references import entries

BIB = """@article{a, author = {Byron, Ada and de Vries, Hugo}, title = {Notes on the engine},
  journal = {Memoirs of Looms}, volume = 31, year = 1843, pages = {1--9}}"""


def label(text):
    ((_, entry),) = entries(BIB, "bibtex")
    printed = reference_labels.make_printed("notes", "thesis", text, "plain", entry)
    labels = reference_labels.label(printed)
    return labels and [(it.text, name) for it, name in zip(word_labels.split_words(printed.text), labels, strict=True)]


@pytest.mark.parametrize(
    ("text", "people", "title", "venue"),
    [
        ("Byron, A., de Vries, H.: Notes on the engine. Memoirs of Looms 31, 1–9 (1843)",
         "Byron , A . , de Vries , H", "Notes on the engine", "Memoirs of Looms"),
        ("A. Byron and H. de Vries (1843), “Notes on the Engine”, in Memoirs of Looms, vol. 31.",
         "A . Byron and H . de Vries", "Notes on the Engine", "Memoirs of Looms"),
        ("BYRON A, DE VRIES H. 1843, Memoirs of Looms, 31, 1", "BYRON A , DE VRIES H", "", "Memoirs of Looms"),
    ],
)  # fmt: skip
def test_words_are_labelled_by_the_entry(text, people, title, venue):
    labelled = label(text)
    for name, words in (("A", people), ("T", title), ("V", venue), ("Y", "1843")):
        assert " ".join(word for word, own in labelled if own == name) == words


@pytest.mark.parametrize(
    "text",
    [
        "Byron, A. Notes on the engines of others. Memoirs of Looms 31 (1843)",
        "Knuth, D. Notes on the engine. Memoirs of Looms 31 (1843)",
    ],
)
def test_of_another_reference_an_entry_tells_nothing(text):
    assert label(text) is None


def test_entries_are_drawn_of_each_manuscript(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "refs.bib").write_text(BIB * 60, encoding="utf-8")
    drawn = reference_labels.draw_entries(tmp_path, random.Random(1))  # noqa: S311  a draw to be repeated
    assert [it[0] for it in drawn] == ["one"] * 40 + ["two"] * 40
    assert drawn[0][1] == "article"


def test_weights_are_fitted_as_they_are_read():
    pytest.importorskip("pycrfsuite")
    ((_, entry),) = entries(BIB, "bibtex")
    text = "Byron, A., de Vries, H.: Notes on the engine. Memoirs of Looms 31, 1–9 (1843)"
    printed = reference_labels.make_printed("notes", "thesis", text, "plain", entry)
    weights = reference_labels.fit([(printed, reference_labels.label(printed))] * 20)
    assert set(weights["features"]) == set(weights["behind"]) == set(word_labels.LABELS)
    assert weights["features"]["T"] and weights["behind"]["A"]
