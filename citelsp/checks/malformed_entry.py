"""An entry that BibTeX or biber cannot read, or read otherwise than it looks."""

from collections.abc import Callable, Collection, Container, Iterator
from functools import partial
from itertools import chain

from citelsp.base.text import Edit, Span
from citelsp.checks.finding import Check, Finding, Fix, Severity, limit_findings
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import IGNORE, BibNode
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.syntax.nodes import Entries, EntryNode, EntryProblem, Reader
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "malformed-entry"


def check(project: Project, _: Knowledge) -> list[Finding]:
    """Report what the parsers stumbled over in each bibliography, as far as the program that reads it minds.

    In a .bib file that may be in entries, in other blocks (@string and the like), and in what is never closed.  Of each
    file only so many findings are reported (`limit_findings`).
    """
    findings: list[Finding] = []
    readers = {"", project.reader}  # "" stands for every reader
    matters = partial(_matters, project)
    for source in project.defining:
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            in_entries = _find_in_entries(project, source, entries, matters)
            in_blocks = _find_in_blocks(source, entries, readers)
            open_blocks = _find_open_blocks(source, entries, project.reader)
            findings += limit_findings(chain(in_entries, in_blocks, open_blocks))
        elif entries is not None:
            findings += limit_findings(_find_in_items(project, source, entries))
    return findings


def _matters(project: Project, problem: EntryProblem) -> bool:
    """True if whoever reads the bibliographies minds the problem.

    A problem may matter to one reader alone (`problem.reader`), or to all but one (`ignored_by`); both are "" if it
    matters to all.  A field that stands several times with one value (`equal_field`, "" for any other problem) matters
    to BibTeX only if its style may print such a field; a style that is not known may.
    """
    is_others = problem.reader not in ("", project.reader)
    is_ignored = bool(project.reader) and problem.ignored_by == project.reader
    if is_others or is_ignored:
        return False
    if not problem.equal_field or project.bibtex_style is None:
        return True
    _, style = project.bibtex_style
    return problem.equal_field in style.fields


def _find_in_entries(
    project: Project, source: Source, entries: BibEntries, matters: Callable[[EntryProblem], bool]
) -> Iterator[Finding]:
    """Report the problems of entries of which `matters` is true; of an entry that never ends only the first."""
    judged = project.judged(source)
    # Asked by `each_value`, the entries of a .bib file have their problems kept across edits of others; items of other
    # formats keep their own (`_find_in_items`).
    for index, problems in entries.each_value(_list_problems, project.list_parsed(source)):
        node = entries.node(index)
        reported = [problem for problem in problems if matters(problem) and _is_reported(index, problem, judged)]
        if not node.closed:
            # What else seems wrong with an entry that never ends follows from that, which `problems` names first.
            reported = reported[:1]
        for problem in reported:
            yield _make_finding(source, node, entries.start(index), problem)


def _find_in_items(project: Project, source: Source, items: Entries) -> Iterator[Finding]:
    judged = project.judged(source)
    for index in project.list_parsed(source):
        node = items.node(index)
        for problem in node.problems():
            if _is_reported(index, problem, judged):
                yield _make_finding(source, node, items.start(index), problem)


def _is_reported(index: int, problem: EntryProblem, judged: Collection[int]) -> bool:
    """True if the problem of the entry `index` is reported: beside the `judged` entries only what is not read at all.

    `Project.list_parsed` has entries that nothing cites, of which a program minds only what it cannot read.
    """
    return problem.serious or index in judged


def _list_problems(node: BibNode) -> list[EntryProblem]:
    return node.problems()


def _make_finding(source: Source, node: EntryNode, start: int, problem: EntryProblem) -> Finding:
    """Make the finding of a problem of the entry `node`, which begins at `start`, an offset in the document.

    `problem.mend`, a span of the entry and the text that belongs there, becomes its fix; None if nobody knows one.
    """
    path = source.document.path
    fixes: tuple[Fix, ...] = ()
    if problem.mend:
        span, new_text = problem.mend
        title = "Remove “,”"  # nothing else is ever removed
        if new_text:
            verb = "Write" if span.start < span.end else "Insert"
            title = f"{verb} “{new_text}”"
        fixes = (Fix(title, "safe", (Edit(path, span.moved(start), new_text),)),)
    severity: Severity = "usual" if problem.serious else "warning"
    return Finding(
        CODE,
        path,
        problem.span.moved(start),
        f"{problem.message}.",
        key=node.key or None,
        fixes=fixes,
        severity=severity,
    )


def _find_in_blocks(source: Source, entries: BibEntries, readers: Container[str]) -> Iterator[Finding]:
    """The problems of each @string and @preamble that matter to these readers."""
    blocks = entries.specials
    for node, start in zip(blocks.nodes, blocks.starts, strict=True):
        problem = node.block_problem() if node.kind in ("string", "preamble") else None
        if problem and problem.reader in readers:
            yield _make_finding(source, node, start, problem)


def _find_open_blocks(source: Source, entries: BibEntries, reader: Reader) -> list[Finding]:
    """Report blocks that are never closed: @string, @preamble, and @comment if the reader skips it as a block."""
    blocks = entries.specials
    findings = []
    for index in blocks.watched:  # those that are not closed, and comments to citelsp
        node = blocks.nodes[index]
        if node.kind == IGNORE:  # such a comment, `% citelsp: ignore`, ends with its line
            continue
        if node.kind == "comment" and not _swallows_entries(node, reader):
            continue
        start = blocks.starts[index]
        span = Span(start, start + len(f"@{node.kind}"))
        findings.append(Finding(CODE, source.document.path, span, f"This @{node.kind} is never closed."))
    return findings


def _swallows_entries(comment: BibNode, reader: Reader) -> bool:
    """True if the reader takes what follows a @comment for a part of it; to BibTeX its text stands between entries.

    biber and pandoc look for the brace that closes it, Typst for any closing brace.
    """
    # One that is cut off for its length may still be closed: only one without an end counts.
    if not comment.endless:
        return False
    return reader in ("biber", "pandoc") or (reader == "typst" and "}" not in comment.source)


CHECK = Check(
    CODE,
    "error",
    "An entry cannot be read: a brace is not closed, the key or a comma is missing, or (as a "
    "warning) a field appears twice.",
    check,
    facts=lambda *_: [_list_problems],
    of_parsed=True,
)
