"""The report as JSON for programs, version 1."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from citelsp.checks.finding import Finding, Fix
from citelsp.cli.paint import escape_json
from citelsp.cli.report_parts import Ranges, ranges, show_path, work
from citelsp.cli.reports.naming import address
from citelsp.knowledge import Ruling, Verdict
from citelsp.workspace.project import Place

if TYPE_CHECKING:
    from citelsp.cli.check_outcome import CheckOutcome, Extent
    from citelsp.cli.fix import Mending


def render(outcome: "CheckOutcome", explanation: str = "") -> str:
    """Write the whole report as JSON, with each entry and each finding on a line of its own, for `grep` and `diff`.

    "read" counts the documents, citations and entries that were looked at; "notes" says what was not.  What kept the
    check from finishing (`problems`) is not in it: the command says that on standard error.  `explanation`: how the
    verdicts of one key came about; "" if that was not asked for.
    """
    where = ranges(outcome.checked)  # gives the range of a path and span
    entries: list[dict[str, Any]] = []
    findings: list[dict[str, Any]] = []
    for checked in outcome.checked:
        entries += [_write_entry(place, verdict) for place, verdict in checked.verdicts()]
        findings += [_write_finding(finding, where) for finding in checked.findings]
    members = [
        '"version": 1',
        f'"read": {_write_value(_write_counts(outcome.extent()))}',
        f'"notes": {_write_value(outcome.notes())}',
        f'"entries": [{_write_lines(entries)}]',
        f'"findings": [{_write_lines(findings)}]',
    ]
    if explanation:
        members.append(f'"explanation": {_write_value(explanation)}')
    return "{\n " + ",\n ".join(members) + "\n}"


def _write_counts(extent: "Extent") -> dict[str, int]:
    """Return how much was read, for JSON; without `received`, which is said in words alone."""
    return {name: count for name, count in asdict(extent).items() if name != "received"}


def render_fixes(mending: "Mending") -> str:
    """What fixes would make of files: the whole texts, and which bytes they are made of."""
    files = [
        {
            "path": path,
            "sha256": sha256(mending.originals[path].data or b"").hexdigest(),
            "text": mending.texts[path],
        }
        for path in mending.changed()
    ]
    return _write_value({"version": 1, "fixes": mending.applied, "diff": mending.diff(), "files": files})


def _write_value(value: object) -> str:
    """Return a value as JSON on one line."""
    return escape_json(json.dumps(value, ensure_ascii=False))


def _write_lines(values: Iterable[dict[str, Any]]) -> str:
    """Return the inside of a list in JSON, a value a line; "" if there are none."""
    written = ",\n".join(f"  {_write_value(it)}" for it in values)
    return f"\n{written}\n " if written else ""


def _write_ruling(ruling: Ruling) -> dict[str, Any]:
    """Return a rule that spoke; what it does not say is left out."""
    members = {"subject": ruling.subject, "rule": ruling.rule, "effect": ruling.effect, "sources": list(ruling.sources)}
    return {name: value for name, value in members.items() if value}


def _write_entry(place: Place, verdict: Verdict) -> dict[str, Any]:
    """Return an entry with its verdict, for JSON; "address" is there only if a library such as Zotero can show it.

    "checked", a date, and "work", the record, are null if the verdict has none: nobody was asked, or nothing was found.
    """
    members: dict[str, Any] = {
        "path": show_path(place.source.document.path),
        "key": place.node.key,
        "verdict": verdict.kind,
        "reason": verdict.reason,
        "checked": verdict.date or None,
        "rules": [_write_ruling(it) for it in verdict.rules],
        "work": work(verdict.record) if verdict.record else None,
        "sources": {"asked": list(verdict.asked), "unavailable": list(verdict.unavailable)},
    }
    in_zotero = address(place)
    if in_zotero:
        members["address"] = in_zotero
    return members


def _write_finding(finding: Finding, where: Ranges) -> dict[str, Any]:
    """Return a finding, for JSON; what it lacks is null, and without fixes there is an empty list.

    `where` gives the range of a path and span.
    """
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": show_path(finding.path),
        "key": finding.key or None,
        "field": finding.field,
        "cited": finding.cited,
        "recorded": finding.recorded,
        "message": finding.message,
        "range": where(finding.path, finding.span),
        "fixes": [_write_fix(fix, where) for fix in finding.fixes],
    }


def _write_fix(fix: Fix, where: Ranges) -> dict[str, Any]:
    edits = [
        {"path": show_path(edit.path), "range": where(edit.path, edit.span), "new_text": edit.new_text}
        for edit in fix.edits
    ]
    return {"title": fix.title, "safety": fix.safety, "edits": edits}
