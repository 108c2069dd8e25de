"""The report as SARIF 2.1.0 (OASIS), for code scanning: rules, results, fixes, regions in UTF-16 columns."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import citelsp
from citelsp.base import address, docs
from citelsp.base.text import Edit
from citelsp.checks import ALL
from citelsp.checks.finding import Check, Finding, Fix, Related
from citelsp.cli.finding_identity import identities
from citelsp.cli.paint import escape_json
from citelsp.cli.report_parts import Range, Ranges, ranges, show_path
from citelsp.cli.reports import summary

if TYPE_CHECKING:
    from citelsp.cli.check_outcome import CheckOutcome

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# Of SARIF, by severity.
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_ROOT = "%SRCROOT%"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")  # in Markdown
_HOW_TO_SILENCE = (
    "To silence it, write `% citelsp: ignore[{code}] reason`, in Markdown `<!-- citelsp: ignore[{code}] reason -->`, "
    "on the line or alone on the line above."
)


def render(outcome: "CheckOutcome") -> str:
    """Write the report as SARIF, with one run.

    Its notifications tell what kept the check from finishing (`problems`), what was not looked at and what was read.  A
    run with problems counts as not successful, whatever it found; findings alone do not count against it.
    Characters that would move a terminal's cursor are written as escapes (`escape_json`).
    """
    where = ranges(outcome.checked)
    problems = outcome.problems()
    notes = [*outcome.notes(), summary.read(outcome.extent(), outcome.changed())]
    rule_indexes = {check.code: index for index, check in enumerate(ALL)}  # in the list of rules that `driver` writes
    results = [
        _make_result(finding, identity, where, rule_indexes)
        for finding, identity in identities(outcome.checked, Path.cwd())
    ]
    run = {
        "tool": {"driver": driver()},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder in which citelsp ran."}}},
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolExecutionNotifications": [
                    *_make_notifications("error", problems),
                    *_make_notifications("note", notes),
                ],
            }
        ],
        "results": results,
    }
    return escape_json(
        json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1)
    )


def _make_notifications(level: str, sentences: Iterable[str]) -> list[dict[str, Any]]:
    return [{"level": level, "message": _make_message(it)} for it in sentences]


def driver() -> dict[str, Any]:
    """SARIF's `toolComponent` for citelsp: its version, and a rule for each check in the order of `checks.ALL`."""
    component: dict[str, Any] = {
        "name": "citelsp",
        "version": citelsp.__version__,
        "semanticVersion": citelsp.__version__,
        "rules": [_make_rule(check) for check in ALL],
    }
    if address.HOME:
        component["informationUri"] = address.HOME
    return component


def _make_rule(check: Check) -> dict[str, Any]:
    """Make SARIF's `reportingDescriptor` for a check; without a link to its page if citelsp's pages have no address."""
    how_to_silence = _HOW_TO_SILENCE.format(code=check.code)
    rule: dict[str, Any] = {
        "id": check.code,
        "shortDescription": {"text": check.title},
        "fullDescription": {"text": check.summary},
        "help": {"text": f"{check.summary} {how_to_silence}", "markdown": _write_page(check.code)},
        "defaultConfiguration": {"level": _LEVELS[check.severity]},
    }
    page = address.finding_address(check.code)
    if page:
        rule["helpUri"] = page
    return rule


def _write_page(code: str) -> str:
    """Return the page that explains the finding, without links: a report lacks the pages that they lead to."""
    return _LINK.sub(r"\1", docs.read(docs.finding_page(code)))


def _make_result(finding: Finding, identity: str, where: Ranges, rule_indexes: Mapping[str, int]) -> dict[str, Any]:
    """Make SARIF's `result` for a finding; what it lacks is left out.

    `identity`: a text by which another run knows the finding again.  `where` gives the range of a path and span.
    `rule_indexes`: at which place of the list of rules each code stands.
    """
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule_indexes[finding.code],
        "level": _LEVELS[finding.severity],
        "message": _make_message(finding.message),
        "locations": [{"physicalLocation": _make_location(finding.path, where(finding.path, finding.span))}],
        "partialFingerprints": {"citelsp/v1": identity},
    }
    if finding.related:
        result["relatedLocations"] = [_make_related(it, where) for it in finding.related]
    if finding.fixes:
        result["fixes"] = [_make_fix(it, where) for it in finding.fixes]
    values = {"key": finding.key, "field": finding.field, "cited": finding.cited, "recorded": finding.recorded}
    result["properties"] = {name: value for name, value in values.items() if value}
    return result


def _make_related(related: Related, where: Ranges) -> dict[str, Any]:
    place = _make_location(related.path, where(related.path, related.span))
    return {"physicalLocation": place, "message": _make_message(related.message)}


def _make_fix(fix: Fix, where: Ranges) -> dict[str, Any]:
    """Make SARIF's `fix`: for each file its replacements, in the order of their places.

    Whether it is safe or to be reviewed stands in its `properties`, as SARIF has no word for it.
    `where` gives the range of a path and span.
    """
    edits_by_path: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        edits_by_path.setdefault(edit.path, []).append(edit)
    changes = []
    for path, edits in edits_by_path.items():
        ordered = sorted(edits, key=lambda edit: edit.span)
        changes.append(
            {"artifactLocation": _make_artifact(path), "replacements": [_make_replacement(it, where) for it in ordered]}
        )
    return {"description": _make_message(fix.title), "artifactChanges": changes, "properties": {"safety": fix.safety}}


def _make_replacement(edit: Edit, where: Ranges) -> dict[str, Any]:
    return {"deletedRegion": _make_region(where(edit.path, edit.span)), "insertedContent": {"text": edit.new_text}}


def _make_location(path: str, range_: Range) -> dict[str, Any]:
    return {"artifactLocation": _make_artifact(path), "region": _make_region(range_)}


def _make_artifact(path: str) -> dict[str, Any]:
    """Name a file by its path from the folder of the run; one that lies elsewhere by its whole address."""
    name = show_path(path)
    if Path(name).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(os.fsencode(name)), "uriBaseId": _ROOT}


def _make_region(range_: Range) -> dict[str, int]:
    """Lines and columns from one; the end column is the one behind the last character."""
    start = range_["start"]
    end = range_["end"]
    return {
        "startLine": start["line"] + 1,
        "startColumn": start["character"] + 1,
        "endLine": end["line"] + 1,
        "endColumn": end["character"] + 1,
    }


def _make_message(text: str) -> dict[str, str]:
    """Nothing in a title may read as a placeholder or a link of SARIF's own."""
    return {"text": re.sub(r"\{(\d+)\}", r"{{\1}}", text).replace("](", "] (")}
