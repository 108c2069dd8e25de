"""References in orders and signs that no form knows are read by the labels of their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography.reference_reading import read, word_labels

# Each in a style that `forms` does not read, or not surely: `[people]` and `<title>` as they are to be read.
UNMET = {
    "Italian": "[Byron Ada et Knuth Donald], <Detection of engines among looms>, in «Annali», XII (1975), pp. 503–517",
    "dashes": "[BYRON A., KNUTH D]: <Detection of engines among looms>. – J. Eng. 98: 503–517, 1975",
    "editors": "[Byron A, Knuth D], eds. <Distributed engines for looms>. New York, NY: ACM Press; 1993.",
}


@pytest.mark.parametrize("marked", UNMET.values(), ids=UNMET)
def test_references_that_no_form_reads_are_labelled(marked):
    text = marked.translate(str.maketrans("", "", "[]<>"))
    people, title = marked[marked.find("[") + 1 : marked.find("]")], marked[marked.find("<") + 1 : marked.find(">")]
    labelled = word_labels.read_labels(text)
    assert labelled.people and labelled.people.text == people
    assert labelled.title and labelled.title.text == title
    assert text[labelled.title.start : labelled.title.end] == title


def test_what_only_labels_tell_is_not_sure():
    reading = read("Byron Ada et Knuth Donald, Detection of engines, in «Annali», XII (1975), pp. 503–517", "plain")
    assert (reading.fields["title"], reading.unsure) == ("Detection of engines", {"author", "title"})


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "Byron, A., & Knuth, D. (2022). Do engines think? A diary study of engines. Memoirs of Engines, 9(2), 1–9.",
            "Do engines think? A diary study of engines",
        ),
        (
            "D. Lowe, S. Gard, Notes not bust! Why they are none, The British Journal for Notes 58 (2007) 709–754.",
            "Notes not bust! Why they are none",
        ),
    ],
)
def test_a_title_that_form_and_labels_agree_on_is_sure(text, title):
    reading = read(text, "plain")
    assert (reading.fields["title"], reading.unsure) == (title, frozenset())


def test_words_of_the_title_are_nobody():
    fields = read("World Report of Engines. 2nd ed., New York: Penguin, Oct. 1987. Print.", "plain").fields
    assert "author" not in fields


def test_a_reference_without_a_title_gets_none():
    fields = read("Byron, A. K., & Knuth, D. E. 2019, ApJ, 123, 45", "plain").fields
    assert "title" not in fields and fields["journal"] == "ApJ"


@given(st.text(max_size=300))
def test_of_any_text_parts_are_read_as_they_stand(text):
    labelled = word_labels.read_labels(text)
    for span in (labelled.people, labelled.title):
        if span:
            assert text[span.start : span.end] == span.text
            assert 0 <= span.chance <= 1.000001


def test_more_words_than_a_reference_has_are_not_read():
    assert word_labels.read_labels("engine " * (word_labels.MOST_WORDS + 1)) == word_labels.Labelled(None, None)


def test_whoever_took_a_wrong_title_took_wrong_people():
    fields = read(
        "Roe, J. R & Byron, H 1965 Engines at low numbers: with looms to be applied. Springer.", "plain"
    ).fields
    assert (fields["title"], fields["author"]) == (
        "Engines at low numbers: with looms to be applied",
        "Roe, J. R and Byron, H",
    )
