"""The report of a check: as JSON for machines, one line a finding for people.

Ranges count lines from zero and characters in UTF-16 units, as editors do; the lines for people count from one.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citelsp.bibliography.entry import fingerprint
from citelsp.checks.finding import Finding
from citelsp.cli.paint import paint
from citelsp.knowledge import Knowledge, Record, Verdict
from citelsp.project import Place, Project
from citelsp.server import lines
from citelsp.text import Span

_UNASKED = Verdict("unchecked", "it was not looked up")

Range = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Checked:
    """One project with its findings and the entries that were asked about."""

    project: Project
    knowledge: Knowledge
    findings: Sequence[Finding]
    places: Sequence[Place]


def as_json(every: Iterable[Checked]) -> str:
    checked = list(every)
    report = {
        "version": 1,
        "entries": [_entry(it.knowledge, place) for it in checked for place in it.places],
        "findings": [_finding(it.project, found) for it in checked for found in it.findings],
    }
    return json.dumps(report, ensure_ascii=False, indent=1)


def as_text(every: Iterable[Checked]) -> str:
    found = [(it.project, finding) for it in every for finding in it.findings]
    rows = [line(project, finding) for project, finding in found]
    return "\n".join([*rows, _summary([it for _, it in found])])


def named(path: str) -> str:
    """The path from here, with forward slashes; absolute where it does not lie below."""
    full = Path(path)
    here = Path.cwd()
    return (full.relative_to(here) if full.is_relative_to(here) else full).as_posix()


def _entry(knowledge: Knowledge, place: Place) -> dict[str, Any]:
    verdict = knowledge.verdicts.get(fingerprint(place.entry), _UNASKED)
    return {
        "path": named(place.source.document.path),
        "key": place.node.key,
        "verdict": verdict.kind,
        "reason": verdict.reason,
        "work": work(verdict.record) if verdict.record else None,
        "sources": {"asked": list(verdict.asked), "unavailable": list(verdict.unavailable)},
    }


def work(record: Record) -> dict[str, Any]:
    """A record as the contract names its fields; null where unknown."""
    return {
        "title": record.title,
        "authors": [str(it) for it in record.authors],
        "year": record.year,
        "venue": record.venue or None,
        "doi": record.identifiers.doi or None,
        "arxiv": record.identifiers.arxiv or None,
    }


def _finding(project: Project, finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": named(finding.path),
        "key": finding.key,
        "field": finding.field,
        "cited": finding.cited,
        "recorded": finding.recorded,
        "message": finding.message,
        "range": range_of(project, finding.path, finding.span),
        "fixes": [
            {
                "title": fix.title,
                "safety": fix.safety,
                "edits": [
                    {"path": named(it.path), "range": range_of(project, it.path, it.span), "new_text": it.new_text}
                    for it in fix.edits
                ],
            }
            for fix in finding.fixes
        ],
    }


def range_of(project: Project, path: str, span: Span) -> Range:
    source = project.sources.get(path)
    found = lines.positions(source.document.text if source else "", (span.start, span.end), "utf-16")
    start, end = found[span.start], found[span.end]
    return {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }


def line(project: Project, finding: Finding) -> str:
    start = range_of(project, finding.path, finding.span)["start"]
    where = f"{named(finding.path)}:{start['line'] + 1}:{start['character'] + 1}"
    return (
        f"{where}: {paint(finding.severity, finding.severity)}: {finding.message} {paint(f'[{finding.code}]', 'dim')}"
    )


def _summary(findings: Sequence[Finding]) -> str:
    counts = {it: sum(found.severity == it for found in findings) for it in ("error", "warning", "information", "hint")}
    parts = [
        f"{number} {name}{'s' if number > 1 and name in ('error', 'warning', 'hint') else ''}"
        for name, number in counts.items()
        if number
    ]
    return ", ".join(parts) or "nothing to report"
