"""What is left once a comment that silences nothing is removed."""

import pytest

from citelsp.base.text import apply
from citelsp.checks import run
from citelsp.checks.stale_suppression import CODE
from citelsp.knowledge import Knowledge
from fixture_projects import project_of

IGNORE = "% citelsp: ignore[undefined-citation]"
BIB = "@misc{a, title = {A}}\n"


def removed(text):
    """The text after the fix; the number of fixes if it is not one."""
    project = project_of({"m.tex": text, "r.bib": BIB})
    finding, *_ = [it for it in run(project, Knowledge()) if it.code == CODE]
    return apply(text, finding.fixes[0].edits) if len(finding.fixes) == 1 else len(finding.fixes)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{IGNORE}\n\\cite{{a}}\n", "\\cite{a}\n"),
        (f"One.\n{IGNORE}\n\\cite{{a}}\n", "One.\n\\cite{a}\n"),
        (f"One.\r\n{IGNORE}\r\n\\cite{{a}}\r\n", "One.\r\n\\cite{a}\r\n"),
        (f"One.\n  \t{IGNORE}\n\\cite{{a}}\n", "One.\n\\cite{a}\n"),
        (f"\\cite{{a}}\n{IGNORE}", "\\cite{a}\n"),
        (f"{IGNORE}\r\\cite{{a}}\rTwo.\n", "\\cite{a}\rTwo.\n"),
        (f"{IGNORE}\r\\cite{{a}}", "\\cite{a}"),
        (f"One.\r{IGNORE}\r\\cite{{a}}\rTwo.\n", "One.\r\\cite{a}\rTwo.\n"),
        (f"One.\n\n{IGNORE}\n\nTwo \\cite{{a}}.\n", "One.\n\n\nTwo \\cite{a}.\n"),
        ("\\cite{a}\n% citelsp: ignore[undefined-citation, unknown-work]\n", 0),
    ],
)
def test_removed(before, after):
    assert removed(before) == after
