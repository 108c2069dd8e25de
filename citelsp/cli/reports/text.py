"""The report for people: one line a finding, then what is known of the entries."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import get_args

from citelsp.checks.finding import Finding
from citelsp.cli.paint import paint
from citelsp.cli.report import Checked, positions, ranges, shown, told
from citelsp.cli.reports.groups import Group, parted
from citelsp.knowledge import VerdictKind
from citelsp.text import still

_ALWAYS = frozenset({"verified", "mismatch", "not-found", "unchecked"})
_STYLES = {"verified": "good", "mismatch": "warning", "unchecked": "dim"}


def render(checked: Sequence[Checked], *, verbose: bool = False) -> str:
    """`verbose` also tells why entries are unchecked, and lists what one command would mend, however much it is."""
    where = ranges(checked)
    rows = []
    for one in checked:
        single, groups = parted(one.findings, verbose=verbose)
        rows += [told(it, where(it.path, it.span)) for it in single]
        rows += [_together(it) for it in groups]
    if verbose:
        rows += [row for one in checked for row in _unchecked(one)]
    return "\n".join([*rows, *summary(checked)])


def summary(checked: Sequence[Checked]) -> list[str]:
    """`118 verified, 1 mismatch, 1 not found, 0 unchecked`, and the findings counted."""
    rows = [_counted([it for one in checked for it in one.findings])]
    verdicts = [verdict for one in checked for _, verdict in one.verdicts()]
    if not verdicts:
        return rows
    counts: Counter[str] = Counter(it.kind for it in verdicts)
    parts = [
        paint(f"{counts[kind]} {kind.replace('-', ' ')}", _STYLES.get(kind, "error") if counts[kind] else "dim")
        for kind in get_args(VerdictKind)
        if counts[kind] or kind in _ALWAYS
    ]
    date = max(it.date for it in verdicts)
    return [*rows, ", ".join(parts) + (f" ({date})" if date else "")]


def _together(group: Group) -> str:
    first = group.first
    return f"{shown(first.path)}: {paint(first.severity, first.severity)}: {group} {paint(f'[{first.code}]', 'dim')}"


def _unchecked(checked: Checked) -> Iterator[str]:
    unchecked = [(place, verdict) for place, verdict in checked.verdicts() if verdict.kind == "unchecked"]
    where = positions(checked, [(it.source.document.path, it.span) for it, _ in unchecked])
    for place, verdict in unchecked:
        path = place.source.document.path
        line = where(path, place.span)["start"]["line"] + 1
        said = f"{place.node.key or 'an entry without a key'}: {verdict.reason}"
        yield f"{shown(path)}:{line}: {paint('unchecked', 'dim')}: {still(said)}"


def _counted(findings: Sequence[Finding]) -> str:
    counts = Counter(it.severity for it in findings)
    parts = [
        f"{counts[name]} {name}{'s' if counts[name] > 1 and name != 'information' else ''}"
        for name in ("error", "warning", "information", "hint")
        if counts[name]
    ]
    return ", ".join(parts) or "nothing to report"
