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
from citelsp.checks.finding import Finding, Fix, Related
from citelsp.cli.check_report import Range, Ranges, named, ranges
from citelsp.cli.identity import identities
from citelsp.cli.paint import escaped
from citelsp.cli.reports import summary

if TYPE_CHECKING:
    from citelsp.cli.checking import CheckOutcome

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_ROOT = "%SRCROOT%"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SILENCED = (
    "To silence it, write `% citelsp: ignore[{code}] reason`, in Markdown `<!-- citelsp: ignore[{code}] reason -->`, "
    "on the line or alone on the line above."
)


def render(found: "CheckOutcome") -> str:
    """What kept the check from finishing, what was not looked at and what was read are notifications of the tool."""
    where = ranges(found.checked)
    problems = found.problems()
    notes = [*found.notes(), summary.read(found.extent())]
    rules = {it.code: number for number, it in enumerate(ALL)}
    run = {
        "tool": {"driver": driver()},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder in which citelsp ran."}}},
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolExecutionNotifications": [*_notifications("error", problems), *_notifications("note", notes)],
            }
        ],
        "results": [_result(it, mark, where, rules) for it, mark in identities(found.checked, Path.cwd())],
    }
    return escaped(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1))


def _notifications(level: str, sentences: Iterable[str]) -> list[dict[str, Any]]:
    return [{"level": level, "message": _message(it)} for it in sentences]


def driver() -> dict[str, Any]:
    """The tool with its rules."""
    rules = [
        {
            "id": check.code,
            "shortDescription": {"text": check.title},
            "fullDescription": {"text": check.summary},
            "help": {"text": f"{check.summary} {_SILENCED.format(code=check.code)}", "markdown": _page(check.code)},
            "defaultConfiguration": {"level": _LEVELS[check.severity]},
            **({"helpUri": page} if (page := address.of_finding(check.code)) else {}),
        }
        for check in ALL
    ]
    return {
        "name": "citelsp",
        "version": citelsp.__version__,
        "semanticVersion": citelsp.__version__,
        "rules": rules,
        **({"informationUri": address.HOME} if address.HOME else {}),
    }


def _page(code: str) -> str:
    """What explains the finding; its links lead to other pages, which a report does not contain."""
    return _LINK.sub(r"\1", docs.read(docs.of_finding(code)))


def _result(finding: Finding, identity: str, where: Ranges, rules: Mapping[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rules[finding.code],
        "level": _LEVELS[finding.severity],
        "message": _message(finding.message),
        "locations": [{"physicalLocation": _location(finding.path, where(finding.path, finding.span))}],
        "partialFingerprints": {"citelsp/v1": identity},
    }
    if finding.related:
        result["relatedLocations"] = [_related(it, where) for it in finding.related]
    if finding.fixes:
        result["fixes"] = [_fix(it, where) for it in finding.fixes]
    values = {"key": finding.key, "field": finding.field, "cited": finding.cited, "recorded": finding.recorded}
    return result | {"properties": {name: value for name, value in values.items() if value}}


def _related(related: Related, where: Ranges) -> dict[str, Any]:
    place = _location(related.path, where(related.path, related.span))
    return {"physicalLocation": place, "message": _message(related.message)}


def _fix(fix: Fix, where: Ranges) -> dict[str, Any]:
    by_path: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_path.setdefault(edit.path, []).append(edit)
    changes = [
        {"artifactLocation": _artifact(path), "replacements": [_replacement(it, where) for it in _ordered(edits)]}
        for path, edits in by_path.items()
    ]
    return {"description": _message(fix.title), "artifactChanges": changes, "properties": {"safety": fix.safety}}


def _ordered(edits: Iterable[Edit]) -> list[Edit]:
    return sorted(edits, key=lambda it: it.span)


def _replacement(edit: Edit, where: Ranges) -> dict[str, Any]:
    return {"deletedRegion": _region(where(edit.path, edit.span)), "insertedContent": {"text": edit.new_text}}


def _location(path: str, range_: Range) -> dict[str, Any]:
    return {"artifactLocation": _artifact(path), "region": _region(range_)}


def _artifact(path: str) -> dict[str, Any]:
    """From the folder of the run; a file elsewhere by its whole address."""
    name = named(path)
    if Path(name).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(os.fsencode(name)), "uriBaseId": _ROOT}


def _region(range_: Range) -> dict[str, int]:
    """Lines and columns from one; the end column is the one behind the last character."""
    start = range_["start"]
    end = range_["end"]
    return {
        "startLine": start["line"] + 1,
        "startColumn": start["character"] + 1,
        "endLine": end["line"] + 1,
        "endColumn": end["character"] + 1,
    }


def _message(text: str) -> dict[str, str]:
    """Nothing in a title may read as a placeholder or a link of SARIF's own."""
    return {"text": re.sub(r"\{(\d+)\}", r"{{\1}}", text).replace("](", "] (")}
