"""An `ignore` comment does not silence anything."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import islice

from citelsp.base.text import Edit, Span
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.checks.silencing import Silenced
from citelsp.knowledge import Knowledge
from citelsp.syntax.nodes import Suppression
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "stale-suppression"
_LINE_END = re.compile(r"\r\n?|\n")


def check(project: Project, knowledge: Knowledge, silenced: Silenced, ran: Mapping[str, Check]) -> list[Finding]:
    """Report comments that silence nothing, and codes in them that silence nothing.

    `silenced`: the codes that each comment silenced; `ran`: the checks that could have found something, by code.
    """
    findings: list[Finding] = []
    for source in project.sources.values():
        for comment in source.syntax.suppressions:
            messages = _write_messages(project, knowledge, source, comment, silenced, ran)
            findings += [_make_finding(source, comment, message) for message in messages]
    return findings


def _write_messages(
    project: Project,
    knowledge: Knowledge,
    source: Source,
    comment: Suppression,
    silenced: Silenced,
    ran: Mapping[str, Check],
) -> Iterator[str]:
    """Say that a comment silences nothing, if it names no codes; if it does, say so of each code that it does not.

    `silenced`: the codes that each comment silenced; `ran`: the checks that could have found something, by code.
    Nothing is said as long as a check lacks what it needs, as it may still find something.
    """
    silenced_codes = silenced.get((source.document.path, comment), set())
    if not comment.codes and not silenced_codes:
        usual_checks = [check for check in ran.values() if check.needs != "request"]  # that run without being asked for
        if all(_is_ready(project, knowledge, source, comment, check) for check in usual_checks):
            yield "This comment does not silence any finding."
    for code in comment.codes:
        is_useless = code not in silenced_codes and code in ran
        if is_useless and _is_ready(project, knowledge, source, comment, ran[code]):
            yield f"This comment silences {code}, which is not reported here."


def _is_ready(project: Project, knowledge: Knowledge, source: Source, comment: Suppression, check: Check) -> bool:
    """True if a check has all that it needs, so that its silence where the comment stands proves something."""
    if check.needs == "request":  # most runs do not look for it at all
        return False
    if check.needs == "project":
        return project.closed and source.document.path not in project.shared
    if check.needs == "knowledge":
        return all(content in knowledge.verdicts for content in _find_contents(project, source, comment.covers))
    return True


def _find_contents(project: Project, source: Source, covers: Span) -> Iterator[str]:
    """Yield the contents (hashes of what they say) of the entries that matter to the part that a comment covers.

    Verdicts are found by them.  The entries are those that are cited in it, and the one in which it begins.
    """
    citations = source.syntax.citations
    first = bisect_left(citations, covers.start, key=lambda citation: citation.span.start)
    for citation in islice(citations, first, None):
        if citation.span.start >= covers.end:
            break
        for place in project.find(citation.key):
            yield place.content
    entries = source.syntax.entries
    index = entries.entry_at(covers.start) if entries else None
    if entries is not None and index is not None:
        for place in project.find(entries.node(index).key):
            yield place.content


def _make_finding(source: Source, comment: Suppression, message: str) -> Finding:
    """Report the comment, with the fix that removes it, and its line if nothing else stands there.

    No fix if it names several codes, as the others may silence something.  `message`: what the comment does not
    silence.
    """
    path = source.document.path
    text = source.document.text
    removed = comment.span
    blank_start = removed.start  # of the white space before it on its line
    while blank_start > 0 and text[blank_start - 1] not in "\r\n" and text[blank_start - 1].isspace():
        blank_start -= 1
    begins_line = text[blank_start - 1 : blank_start] in ("", "\n", "\r")
    line_end = _LINE_END.match(text, removed.end)
    if begins_line and line_end:
        removed = Span(blank_start, line_end.end())
    fixes: tuple[Fix, ...] = ()
    if len(comment.codes) < 2:
        fixes = (Fix("Remove the comment", "safe", (Edit(path, removed, ""),)),)
    return Finding(CODE, path, comment.span, message, fixes=fixes, faded=True)


CHECK = Check(CODE, "information", "An `ignore` comment no longer suppresses anything.", check, needs="document")
