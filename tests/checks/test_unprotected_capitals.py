import pytest

import marks
from citelsp.checks.unprotected_capitals import CHECK
from finding_fixtures import check, fixed

HEAD = "%% m.tex\n\\documentclass{x}\\bibliographystyle{STYLE}\\bibliography{r}\n%% r.bib\n"
PLAIN = HEAD.replace("STYLE", "plain")


def test_acronyms_are_put_in_braces():
    fixture = f"""{PLAIN}@article{{k, title = {{Training BERT: mRNA and {{DNA}} of GPT-4 for McDonald}}}}
                              ^^^^ unprotected-capitals
"""
    [finding] = check(CHECK, fixture)
    assert finding.severity == CHECK.severity
    assert finding.message == "“BERT” and 3 more are not in braces: the style prints “bert”."
    text = fixed(fixture, finding, "Put the capitals in braces")
    assert "{Training {BERT}: {mRNA} and {DNA} of {GPT-4} for {McDonald}}" in text


@pytest.mark.parametrize(
    "entry",
    [
        "@article{k, title = {Bayesian learning: A study of $O(N)$ and {\\L}ukasz}}",
        "@article{k, title = {{Training BERT}}}",
        "@article{k, title = {DEEP LEARNING OF CELLS}}",
        "@book{k, title = {Training BERT}}",
        "@article{k, journal = {IEEE}, title = {A B}}",
        "@article{k, title = {The \\LaTeX companion}}",
    ],
)
def test_what_stays(entry):
    check(CHECK, f"{PLAIN}{entry}\n")


@pytest.mark.parametrize(
    "head",
    [
        HEAD.replace("STYLE", "IEEEtran"),
        HEAD.replace("STYLE", "mine"),
        "%% m.tex\n\\documentclass{x}\\addbibresource{r.bib}\n%% r.bib\n",
        "%% r.bib\n",
    ],
)
def test_only_with_a_style_that_is_known_to_do_so(head):
    check(CHECK, f"{head}@article{{k, title = {{Training BERT}}}}\n")


@pytest.mark.parametrize(
    ("title", "printed"),
    [("NetConfEval of routers", "Netconfeval"), ("Learning: GPUs first", "Gpus"), ("Of BERT", "bert")],
)
def test_the_first_letter_of_a_title_and_behind_a_colon_stays(title, printed):
    fixture = f"{PLAIN}@article{{k, title = {{{title}}}}}\n"
    [finding] = CHECK.run(marks.project(marks.parse(fixture)), None)
    assert finding.message.endswith(f"the style prints “{printed}”.")
