"""The report as workflow commands, which GitHub shows beside the lines of a pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base.text import still
from citelsp.checks.finding import Finding
from citelsp.cli.check_report import Range, named, ranges
from citelsp.cli.reports import summary
from citelsp.cli.reports.groups import Group, parted
from citelsp.cli.reports.naming import place_of

if TYPE_CHECKING:
    from citelsp.cli.check_report import Checked
    from citelsp.cli.checking import CheckOutcome

_COMMANDS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def render(found: "CheckOutcome", *, verbose: bool = False) -> str:
    """Paths count from the repository's root if GitHub says it, else from here; columns in UTF-16 units.

    GitHub shows ten notices of a step: of many of one kind only `verbose` lists each.
    """
    checked = found.checked
    where = ranges(checked)
    root = os.environ.get("GITHUB_WORKSPACE")
    base = Path(root) if root and Path.cwd().is_relative_to(root) else Path.cwd()
    rows = []
    for one in checked:
        single, groups = parted(one.findings, verbose=verbose)
        rows += [_command(it, where(it.path, it.span), base, _about(one, it)) for it in single]
        rows += [_write_group(it, base) for it in groups]
    rows += (f"note: {_data(it)}" for it in found.notes())
    return "\n".join([*rows, summary.found(checked), *summary.verdicts(checked), summary.read(found.extent())])


def _about(checked: "Checked", finding: Finding) -> str:
    """The entry's key, where the message does not give it."""
    place = place_of(checked.project, finding)
    key = place.node.key if place else ""
    return f"{key}: " if key and key not in finding.message else ""


def _command(finding: Finding, where: Range, base: Path, about: str) -> str:
    start = where["start"]
    end = where["end"]
    properties: dict[str, str | int] = {
        "file": named(finding.path, base),
        "line": start["line"] + 1,
        "endLine": end["line"] + 1,
    }
    if start["line"] == end["line"]:  # GitHub drops columns of other annotations
        properties |= {"col": start["character"] + 1, "endColumn": end["character"] + 1}
    return _written(finding, properties, f"{about}{finding.message}")


def _write_group(group: Group, base: Path) -> str:
    return _written(group.first, {"file": named(group.first.path, base)}, str(group))


def _written(finding: Finding, properties: Mapping[str, str | int], message: str) -> str:
    titled = {**properties, "title": f"citelsp: {finding.code}"}
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in titled.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(message)}"


def _data(written: str) -> str:
    return still(written.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(written: str) -> str:
    return _data(written).replace(":", "%3A").replace(",", "%2C")
