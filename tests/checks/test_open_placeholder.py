from citelsp.checks.open_placeholder import CHECK
from finding_fixtures import check


def test_latex():
    found = check(
        CHECK,
        r"""
        %% main.tex
        It works \cite<> and \citep<deep learning>.
                      ^^ open-placeholder
                                   ^^^^^^^^^^^^^^^ open-placeholder
        Real: \cite<see>[p. 3]{key}.
        """,
    )
    assert [it.message for it in found] == [
        "A citation is still to be chosen.",
        "A citation for “deep learning” is still to be chosen.",
    ]


def test_question_marks_are_no_words():
    [finding] = check(CHECK, "%% a.md\nIt works [@???].\n          ^^^^ open-placeholder\n")
    assert finding.message == "A citation is still to be chosen."


def test_markdown():
    check(CHECK, "%% a.md\nIt works [@<scaling laws>].\n          ^^^^^^^^^^^^^^^ open-placeholder\n")
