"""One fixture, one call: what a check finds is marked in the text, and every mark is found.

What else a finding says is in `tests/checks/fixture_findings.txt`.
"""

import os

import marks
import whole_findings
from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.base.text import apply
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge


def check(of: Check, fixture: str, settings: Settings | None = None) -> list[Finding]:
    """Runs one check on a marked-up fixture, suppressions and severities aside, and compares it with the marks."""
    marked = marks.parse(fixture)
    found = of.run(marks.project(marked, settings=settings), Knowledge())
    _compare(marked, found)
    return found


def check_all(fixture: str, settings: Settings | None = None) -> list[Finding]:
    """Runs everything that `checks.run` does."""
    marked = marks.parse(fixture)
    found = checks.run(marks.project(marked, settings=settings), Knowledge())
    _compare(marked, found)
    return found


def fixed(fixture: str, finding: Finding, title: str) -> str:
    """The text of the finding's document after the fix of this title."""
    fix = next(it for it in finding.fixes if it.title == title)
    return apply(marks.parse(fixture).files[finding.path], fix.edits)


def _compare(marked: marks.Marked, found: list[Finding]) -> None:
    places = [(it.path.replace(os.sep, "/"), it.span.start, it.span.end, it.code) for it in found]
    assert sorted(places) == sorted(marked.ranges)
    whole_findings.compare(marked, found)
