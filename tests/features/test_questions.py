import pytest

from citelsp.features import questions
from worlds import world


def asked(fixture):
    it = world(fixture)
    [placeholder] = it.project.sources["a." + ("md" if "a.md" in it.project.sources else "tex")].syntax.placeholders
    return questions.of(it.project, next(iter(it.project.sources)), placeholder).split("\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two \\cite<> three. Four.", "Two three."),
        ("As Doe et al. say, e.g. here \\cite<>, it is. Next.", "As Doe et al. say, e.g. here, it is."),
        ("Para one\n\n\\emph{Two} \\cite<> \\citep[p.~3]{x} end % note\n\nthree", "Two end"),
        ("\\section{Head}\nText~\\cite<>.", "Text."),
    ],
)
def test_the_sentence_around_it(text, sentence):
    assert asked(f"%% a.tex\n{text}\n") == [sentence]


def test_title_and_hint_words():
    assert asked("%% a.md\n---\ntitle: On Things\n---\nThey matter [@<doe 1999>]. So.\n") == [
        "On Things",
        "They matter.",
        "doe 1999",
    ]
