"""The report as workflow commands, which GitHub shows beside the lines of a pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base.text import still
from citelsp.checks.finding import Finding, with_key
from citelsp.cli.report_parts import Range, ranges, show_path
from citelsp.cli.reports import summary
from citelsp.cli.reports.groups import Group, split_by_routine
from citelsp.cli.reports.naming import place_of

if TYPE_CHECKING:
    from citelsp.cli.check_outcome import CheckOutcome
    from citelsp.cli.report_parts import Checked

# Of GitHub, by severity.
_COMMANDS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def render(outcome: "CheckOutcome", *, verbose: bool = False) -> str:
    """Write the report for GitHub Actions: a workflow command for each finding, then notes and the summary.

    GitHub finds files by paths relative to the repository's root.  If GitHub does not name the root, or citelsp runs
    outside it, paths are relative to the current folder.  Columns count UTF-16 units.  GitHub shows only ten notices
    of a step: many of one kind become one command, unless `verbose` (see `split_by_routine`).  What kept the check from
    finishing (`problems`) the command says on standard error, which the log of a job has, too.
    """
    checked = outcome.checked
    where = ranges(checked)
    root = os.environ.get("GITHUB_WORKSPACE")
    base = Path(root) if root and Path.cwd().is_relative_to(root) else Path.cwd()
    rows = []
    for of_project in checked:
        single, groups = split_by_routine(of_project.findings, verbose=verbose)
        rows += [_write_command(it, where(it.path, it.span), base, _find_key(of_project, it)) for it in single]
        rows += [_write_group(it, base) for it in groups]
    rows += [f"note: {_escape_data(note)}" for note in outcome.notes()]
    rows.append(outcome.unread_sentence() or summary.found(checked))
    rows += [*summary.verdicts(checked), summary.read(outcome.extent(), outcome.changed())]
    return "\n".join(rows)


def _find_key(checked: "Checked", finding: Finding) -> str:
    """Return the key of the entry that a finding is about; "" if it is about none."""
    place = place_of(checked.project, finding)
    return place.node.key if place else ""


def _write_command(finding: Finding, where: Range, base: Path, key: str) -> str:
    """Write the workflow command for one finding at `where`; its path is relative to `base`.

    `where` counts lines and characters from 0, GitHub from 1.  `key`, of the finding's entry, stands before a message
    that does not name it; it is "" if the finding is about no entry.
    """
    start = where["start"]
    end = where["end"]
    properties: dict[str, str | int] = {
        "file": show_path(finding.path, base),
        "line": start["line"] + 1,
        "endLine": end["line"] + 1,
    }
    is_within_line = start["line"] == end["line"]
    if is_within_line:  # GitHub ignores the columns of an annotation of several lines
        properties["col"] = start["character"] + 1
        properties["endColumn"] = end["character"] + 1
    return _write_finding(finding, properties, with_key(finding.message, key))


def _write_group(group: Group, base: Path) -> str:
    return _write_finding(group.first, {"file": show_path(group.first.path, base)}, str(group))


def _write_finding(finding: Finding, properties: Mapping[str, str | int], message: str) -> str:
    titled = {**properties, "title": f"citelsp: {finding.code}"}
    listed = ",".join(f"{name}={_escape_property(str(value))}" for name, value in titled.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_escape_data(message)}"


def _escape_data(written: str) -> str:
    return still(written.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _escape_property(written: str) -> str:
    return _escape_data(written).replace(":", "%3A").replace(",", "%2C")
