"""What is found wrong: one module per check, each a function of the project and of what is known of the world.

A check is pure and cannot fail.  It never asks anybody: what is not yet known it passes over.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from citelsp.base import bounds, effort
from citelsp.base.settings import Level
from citelsp.base.text import Span
from citelsp.checks import (
    contradicted_claim,
    dangling_reference,
    dead_link,
    duplicate_entry,
    foreign_encoding,
    foreign_markup,
    identifier_conflict,
    malformed_date,
    malformed_entry,
    malformed_identifier,
    malformed_name,
    malformed_url,
    missing_bibliography,
    missing_field,
    missing_identifier,
    not_printed,
    open_placeholder,
    overclaimed,
    published_version,
    refused_by_typst,
    retracted_work,
    reversed_pages,
    shared_identifier,
    silencing,
    stale_suppression,
    stray_text,
    unconfirmed_work,
    undefined_citation,
    undefined_string,
    unescaped_character,
    unfinished_entry,
    unjudged,
    unknown_identifier,
    unknown_work,
    unpaired_bracket,
    unprotected_capitals,
    unused_entry,
    url_as_doi,
    wrong_authors,
    wrong_pages,
    wrong_title,
    wrong_venue,
    wrong_year,
)
from citelsp.checks.finding import Check, Finding, Note
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Project

ALL: tuple[Check, ...] = (
    contradicted_claim.CHECK,
    dangling_reference.CHECK,
    dead_link.CHECK,
    duplicate_entry.CHECK,
    foreign_encoding.CHECK,
    foreign_markup.CHECK,
    identifier_conflict.CHECK,
    malformed_entry.CHECK,
    malformed_date.CHECK,
    malformed_identifier.CHECK,
    malformed_name.CHECK,
    malformed_url.CHECK,
    missing_bibliography.CHECK,
    missing_field.CHECK,
    missing_identifier.CHECK,
    not_printed.CHECK,
    open_placeholder.CHECK,
    overclaimed.CHECK,
    published_version.CHECK,
    refused_by_typst.CHECK,
    retracted_work.CHECK,
    reversed_pages.CHECK,
    shared_identifier.CHECK,
    stale_suppression.CHECK,
    stray_text.CHECK,
    undefined_citation.CHECK,
    undefined_string.CHECK,
    unfinished_entry.CHECK,
    unescaped_character.CHECK,
    unknown_identifier.CHECK,
    unknown_work.CHECK,
    unpaired_bracket.CHECK,
    unconfirmed_work.CHECK,
    unprotected_capitals.CHECK,
    unused_entry.CHECK,
    url_as_doi.CHECK,
    wrong_authors.CHECK,
    wrong_pages.CHECK,
    wrong_title.CHECK,
    wrong_venue.CHECK,
    wrong_year.CHECK,
)


class Report(NamedTuple):
    """What the checks found, by path and place."""

    findings: list[Finding]
    silenced: list[Finding]  # by comments


def run(
    project: Project,
    knowledge: Knowledge,
    paths: Collection[str] | None = None,
    codes: Collection[str] | None = None,
) -> list[Finding]:
    """Run the checks; return what `report` reports, without what comments silence.

    `paths` and `codes` choose the documents and the checks; None stands for all.
    """
    return report(project, knowledge, paths, codes).findings


def report(
    project: Project,
    knowledge: Knowledge,
    paths: Collection[str] | None = None,
    codes: Collection[str] | None = None,
    *,
    heeds_comments: bool = True,
) -> Report:
    """Run the checks; return what they report, and beside it what comments silence; severities are the settings'.

    `paths` and `codes` choose the documents and the checks; None stands for all.  Documents at other paths are looked
    at all the same, as what is wrong in one may show in another.  Without `heeds_comments` no comment silences
    anything, and none is reported as stale.  Of a check for which no time is left nothing is reported, and a finding
    says so.
    """
    severities = project.settings.checks.severity
    checks = {
        check.code: check
        for check in ALL
        if severities.get(check.code) != "off" and (codes is None or check.code in codes)
    }
    # Whether a comment silences anything is known only once the other checks have run.
    stale = checks.pop(stale_suppression.CODE, None)
    findings, first_ended = _run_in_time(project, knowledge, checks)
    if first_ended:
        findings.append(_report_ended(project, first_ended))
    # Nobody edits a file that is made from others, such as a compiled list of references (.bbl).
    findings = [_without_fixes_of_derived(project, finding) for finding in findings]
    silenced: list[Finding] = []
    if heeds_comments:
        findings, silenced, by_comment = silencing.split(project, findings)
        if stale and not first_ended:  # what was not looked for may be what a comment silences
            findings += stale.run(project, knowledge, by_comment, checks)
    return Report(_select_shown(findings, severities, paths), _select_shown(silenced, severities, paths))


def _run_in_time(project: Project, knowledge: Knowledge, checks: Mapping[str, Check]) -> tuple[list[Finding], str]:
    """Run checks while there is time; return their findings, and the code of the first that was ended, "" if none was.

    What an ended one had found is lost.  Those behind it are still tried, as some need no long loops.
    """
    findings: list[Finding] = []
    first_ended = ""
    with effort.limit(bounds.CHECKING):
        for code, check in checks.items():
            try:
                findings += check.run(project, knowledge)
            except effort.TooLongError:
                first_ended = first_ended or code
    return findings, first_ended


def _select_shown(
    findings: Iterable[Finding], severities: Mapping[str, Level], paths: Collection[str] | None
) -> list[Finding]:
    """Return the findings at `paths`, all if that is None, with the severities of the settings, sorted."""
    leveled = (replace(it, severity=severities.get(it.code, it.severity)) for it in findings)
    shown = [it for it in leveled if it.severity != "off" and (paths is None or it.path in paths)]
    return sorted(shown, key=lambda finding: (finding.path, finding.span, finding.code))


def _without_fixes_of_derived(project: Project, finding: Finding) -> Finding:
    """Take from a finding the fixes in documents that are made from others, as a compiled list (.bbl) is."""
    if not finding.fixes:
        return finding
    derived = {path for path, source in project.sources.items() if source.language.derived}
    fixes = tuple(fix for fix in finding.fixes if derived.isdisjoint(edit.path for edit in fix.edits))
    return replace(finding, fixes=fixes)


def _report_ended(project: Project, code: str) -> Finding:
    """Report that the check of this `code` was ended; in the largest document, which likely took the time."""
    largest = max(project.sources.values(), key=lambda source: len(source.document.text))
    message = f"citelsp checks for {bounds.CHECKING:g} seconds: it looked for no more from here on."
    return Finding(code, largest.document.path, Span(0, 0), message, severity="information")


def notes(project: Project) -> list[Note]:
    """What was not looked at and why."""
    of_reading = [Note("", it) for it in project.problems]
    return [*of_reading, *unjudged.notes(project), *unused_entry.note_unreported(project)]
