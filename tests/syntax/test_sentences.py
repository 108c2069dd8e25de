import pytest

from citelsp.syntax import prose


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("It is so.", " Next.", ("It is so.", "")),
        ("Birds fly. It is so ", ", as we know. Next.", ("It is so ", ", as we know.")),
        ("It is so. ", " shows why. Next.", ("", " shows why.")),
        ("It is so. ", " Others differ.", ("It is so. ", "")),
        ("It is as in Fig. ", " of their paper. Next.", ("It is as in Fig. ", " of their paper.")),
        ("It is as in Fig. ", " Others differ.", ("It is as in Fig. ", " Others differ.")),
        ("After no. ", " of the list", ("", " of the list")),
        ("After no. ", " 3 of it", ("After no. ", " 3 of it")),
        ("Above.\n\nIt is ", " so.\n\nBelow.", ("It is ", " so.")),
    ],
)
def test_the_sentence_around_a_place(before, after, sentence):
    assert prose.sentence_around(before, after) == sentence
