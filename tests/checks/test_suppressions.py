import pytest

from citelsp.base.settings import Checks, Settings
from finding_fixtures import check_all, fixed


def test_a_comment_silences_its_line_or_the_next():
    check_all(r"""
        %% main.tex
        \cite{a, gone} % citelsp: ignore[undefined-citation] will come
        % citelsp: ignore
        \cite{lost}
        \cite{left}
              ^^^^ undefined-citation
        %% refs.bib
        @book{a, author = {A. Uthor}, title = {A}, publisher = {P}, year = 2000}
    """)


def test_stale_comments_are_reported_and_can_be_removed():
    fixture = r"""
        %% main.tex
        \cite{a} % citelsp: ignore[undefined-citation]
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stale-suppression
        %% refs.bib
        @book{a, author = {A. Uthor}, title = {A}, publisher = {P}, year = 2000}
    """
    [finding] = check_all(fixture)
    assert fixed(fixture, finding, "Remove the comment") == "\\cite{a} \n"


@pytest.mark.parametrize(
    ("line", "stale"),
    [("Plain text.", True), (r"\input{gone}", False), (r"\cite{a}", False)],
    ids=["nothing is found there", "the namespace is open", "nothing is known of the world yet"],
)
def test_a_comment_without_codes_is_stale_if_every_check_could_have_found_something(line, stale):
    mark = f"{' ' * len(line)} {'^' * 17} stale-suppression\n" if stale else ""
    head = "%% main.tex\n\\documentclass{article} \\bibliography{refs}\n\\cite{a}\n"
    entry = "@book{a, author = {A. Uthor}, title = {A}, publisher = {P}, year = 2000}"
    check_all(f"{head}{line} % citelsp: ignore\n{mark}%% refs.bib\n{entry}\n")


@pytest.mark.parametrize(
    "text",
    [
        r"\cite{a} % citelsp: ignore[undefined-citation]" + "\n\\input{gone}",
        r"\cite{a} % citelsp: ignore[retracted-work]",
    ],
    ids=["the namespace is open", "nothing is known of the world yet"],
)
def test_silence_that_proves_nothing(text):
    head = "%% main.tex\n\\documentclass{article} \\bibliography{refs}\n"
    check_all(f"{head}{text}\n%% refs.bib\n@misc{{a, author = {{A}}, title = {{A}}, year = 2000}}\n")


def test_severities_are_the_settings():
    settings = Settings(checks=Checks(severity={"undefined-citation": "error", "open-placeholder": "off"}))
    fixture = r"""
        %% main.tex
        \cite{gone} \cite<>
              ^^^^ undefined-citation
        %% refs.bib
        @book{a, author = {A. Uthor}, title = {A}, publisher = {P}, year = 2000} % citelsp: ignore[unused-entry]
    """
    [finding] = check_all(fixture, settings)
    assert finding.severity == "error"
