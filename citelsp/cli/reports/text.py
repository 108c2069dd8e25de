"""The report for people.

Every finding begins a line with `path:line:column: severity:`, as compilers do, so that a click, `grep` and an editor's
matcher find it.  In a pipe it is one line and names its reference; on a terminal the findings of one reference stand
below its name, and lines are wrapped between words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from citelsp.base.text import still
from citelsp.checks.finding import Finding
from citelsp.cli.check_report import UNASKED, Checked, Ranges, positions, ranges, shown
from citelsp.cli.paint import paint, wrapped
from citelsp.cli.reports.groups import Group, parted
from citelsp.cli.reports.naming import place_of, reference
from citelsp.workspace.project import Place

_Names = Mapping[tuple[str, int] | None, str]  # of entries, by path and index


@dataclass(frozen=True, slots=True)
class _Row:
    """A finding or what is told together, and the entry that it is about."""

    path: str
    head: str  # path, place and severity
    severity: str
    message: str
    code: str = ""
    place: Place | None = None

    @property
    def entry_place(self) -> tuple[str, int] | None:
        """The entry's path and index."""
        return (self.place.source.document.path, self.place.index) if self.place else None


def render(checked: Sequence[Checked], width: int = 0, *, verbose: bool = False) -> str:
    """`width`: of the terminal, 0 in a pipe.  `verbose` also tells why entries are unchecked, and lists what is
    otherwise told together."""
    rows = list(_rows(checked, verbose=verbose))
    # An entry of many findings is read once, however long it is.
    places = {it.entry_place: it.place for it in rows if it.place}
    names = {about: reference(place, width) for about, place in places.items()}
    return "\n".join(_grouped(rows, names, width) if width else (_write_row(it, names) for it in rows))


def _rows(checked: Sequence[Checked], *, verbose: bool) -> Iterator[_Row]:
    """By path; in each file the findings by place, what is told together, and why entries are unchecked."""
    where = ranges(checked)
    rows = []
    for one in checked:
        single, groups = parted(one.findings, verbose=verbose)
        rows += [((it.path, 0, it.span), _single(one, it, where)) for it in single]
        rows += [((it.first.path, 1, it.first.span), _group_row(it)) for it in groups]
        if verbose:
            rows += [((it.path, 2, it.place.span), it) for it in _unchecked(one) if it.place]
    yield from (row for _, row in sorted(rows, key=lambda it: it[0]))


def _single(checked: Checked, finding: Finding, where: Ranges) -> _Row:
    start = where(finding.path, finding.span)["start"]
    place = f"{shown(finding.path)}:{start['line'] + 1}:{start['character'] + 1}"
    about = place_of(checked.project, finding)
    return _Row(finding.path, place, finding.severity, finding.message, finding.code, about)


def _group_row(group: Group) -> _Row:
    first = group.first
    return _Row(first.path, shown(first.path), first.severity, str(group), first.code)


def _unchecked(checked: Checked) -> Iterator[_Row]:
    """None for entries that nobody was asked about: the last lines say so of all."""
    every = [(place, verdict) for place, verdict in checked.verdicts() if verdict.kind == "unchecked"]
    unchecked = [it for it in every if it[1] != UNASKED]
    where = positions(checked, [(it.source.document.path, it.span) for it, _ in unchecked])
    for place, verdict in unchecked:
        path = place.source.document.path
        line = where(path, place.span)["start"]["line"] + 1
        yield _Row(path, f"{shown(path)}:{line}", "unchecked", verdict.reason, place=place)


def _write_row(row: _Row, names: _Names) -> str:
    """On one line that says everything."""
    return _line(row, f"{names[row.entry_place]}: " if row.entry_place else "")


def _grouped(rows: Sequence[_Row], names: _Names, width: int) -> Iterator[str]:
    """Each reference as a heading above what is said of it."""
    before: tuple[str, int] | None = None
    for number, row in enumerate(rows):
        if row.entry_place != before and number:
            yield ""
        if row.entry_place and row.entry_place != before:
            yield paint(names[row.entry_place], "bold")
        yield wrapped(_line(row), width)
        before = row.entry_place


def _line(row: _Row, about: str = "") -> str:
    code = f" {paint(f'[{row.code}]', 'dim')}" if row.code else ""
    message = still(" ".join(row.message.split()))
    return f"{row.head}: {paint(row.severity, row.severity)}: {about}{message}{code}"
