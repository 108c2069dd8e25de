"""The report for people.

Every finding begins a line with `path:line:column: severity:`, as compilers do, so that a click, `grep` and an editor's
matcher find it.  In a pipe it is one line and names its reference; on a terminal the findings of one reference stand
below its name, and lines are wrapped between words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from citelsp.base.text import Span, still
from citelsp.checks.finding import Finding
from citelsp.cli.paint import paint, wrap
from citelsp.cli.report_parts import UNASKED, Checked, Ranges, positions, ranges, show_on_one_line
from citelsp.cli.reports.groups import Group, split_by_routine
from citelsp.cli.reports.naming import place_of, reference
from citelsp.workspace.project import Place

_Names = Mapping[tuple[str, int] | None, str]  # of entries, by the path of their bibliography and their index in it
_SINGLE, _TOGETHER, _UNCHECKED = range(3)  # kinds of rows in the order in which a file's are told


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the report: a finding, several that are told together, or why an entry is unchecked."""

    path: str
    head: str  # path, place and severity
    severity: str
    message: str
    code: str = ""
    place: Place | None = None  # the entry that it is about

    @property
    def entry_place(self) -> tuple[str, int] | None:
        """By which rows are about the same entry: its path and index; None if the row is about no entry."""
        return (self.place.source.document.path, self.place.index) if self.place else None


def render(checked: Sequence[Checked], width: int = 0, *, verbose: bool = False) -> str:
    """Write all findings: on a terminal under headings, in lines of at most `width` characters.

    `width` is 0 for a pipe, which gets each finding on one line with its path, for other programs.  With `verbose` the
    report also tells why entries are unchecked, and lists one by one what is otherwise told together.
    """
    rows = list(_make_rows(checked, verbose=verbose))
    # Make each entry's name once, though it may have many findings: that reads the whole entry.
    places = {it.entry_place: it.place for it in rows if it.place}
    names = {entry_place: reference(place, width) for entry_place, place in places.items()}
    if width:
        return "\n".join(_write_under_headings(rows, names, width))
    return "\n".join(_write_on_one_line(row, names) for row in rows)


def _make_rows(checked: Sequence[Checked], *, verbose: bool) -> Iterator[_Row]:
    """Make the rows of the report, sorted by path.

    In each file come first single findings, then groups (each of many findings of one code), then (`verbose`) why
    entries are unchecked; each of these by place, a group by that of its first finding.
    """
    where = ranges(checked)
    rows: list[tuple[tuple[str, int, Span], _Row]] = []  # with what they are sorted by
    for of_project in checked:
        single, groups = split_by_routine(of_project.findings, verbose=verbose)
        rows += [((it.path, _SINGLE, it.span), _make_row(of_project, it, where)) for it in single]
        rows += [((it.first.path, _TOGETHER, it.first.span), _make_group_row(it)) for it in groups]
        if verbose:
            unchecked = _make_unchecked_rows(of_project)  # all with a place: the condition is for the type checker
            rows += [((it.path, _UNCHECKED, it.place.span), it) for it in unchecked if it.place]
    for _, row in sorted(rows, key=lambda keyed: keyed[0]):
        yield row


def _make_row(checked: Checked, finding: Finding, where: Ranges) -> _Row:
    start = where(finding.path, finding.span)["start"]
    place = f"{show_on_one_line(finding.path)}:{start['line'] + 1}:{start['character'] + 1}"
    about = place_of(checked.project, finding)
    return _Row(finding.path, place, finding.severity, finding.message, finding.code, about)


def _make_group_row(group: Group) -> _Row:
    first = group.first
    return _Row(first.path, show_on_one_line(first.path), first.severity, str(group), first.code)


def _make_unchecked_rows(checked: Checked) -> Iterator[_Row]:
    """Yield rows on why entries are unchecked; not of those that were not looked up, which the summary tells of."""
    asked = [(place, verdict) for place, verdict in checked.verdicts() if verdict != UNASKED]
    unchecked = [(place, verdict) for place, verdict in asked if verdict.kind == "unchecked"]
    where = positions(checked, [(place.source.document.path, place.span) for place, _ in unchecked])
    for place, verdict in unchecked:
        path = place.source.document.path
        line = where(path, place.span)["start"]["line"] + 1
        yield _Row(path, f"{show_on_one_line(path)}:{line}", "unchecked", verdict.reason, place=place)


def _write_on_one_line(row: _Row, names: _Names) -> str:
    """Write everything on one line, with the name of the entry in it."""
    return _write_line(row, f"{names[row.entry_place]}: " if row.entry_place else "")


def _write_under_headings(rows: Sequence[_Row], names: _Names, width: int) -> Iterator[str]:
    """Yield the lines for a terminal: each reference as a heading, above what is said of it.

    A reference has several headings if rows about others stand between its own.  Rows about no reference have none,
    and are set off by an empty line.
    """
    previous: tuple[str, int] | None = None  # the entry of the row before
    for number, row in enumerate(rows):
        is_of_another = row.entry_place != previous
        if is_of_another and number > 0:
            yield ""
        if is_of_another and row.entry_place:
            yield paint(names[row.entry_place], "bold")
        yield wrap(_write_line(row), width)
        previous = row.entry_place


def _write_line(row: _Row, about: str = "") -> str:
    """`refs.bib:3:1: warning: …message… [code]`; `about` stands before the message."""
    code = f" {paint(f'[{row.code}]', 'dim')}" if row.code else ""
    message = still(" ".join(row.message.split()))
    return f"{row.head}: {paint(row.severity, row.severity)}: {about}{message}{code}"
