"""What is told once for many: information that one command fixes, or that is the same of each, buries nothing else."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from citelsp import checks
from citelsp.checks import unused_entry
from citelsp.checks.finding import SERIOUS, Finding

_FEW = 5  # of one kind in one file, which are listed
_SUMMARIES = {it.code: it.title for it in checks.ALL}


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one kind in one file, each with a safe fix, or of entries that nobody cites."""

    findings: Sequence[Finding]

    @property
    def first(self) -> Finding:
        return self.findings[0]

    def __str__(self) -> str:
        count = len(self.findings)
        if self.first.code == unused_entry.CODE:
            keys = ", ".join(it.key or "" for it in self.findings[:_FEW])
            return f"{count:,} entries are not cited: {keys} and {count - _FEW:,} more (--verbose lists them)"
        return f"{_SUMMARIES[self.first.code]}: {count:,} times (--fix safe fixes them, --verbose lists them)"


class Parted(NamedTuple):
    single: list[Finding]  # to be told one by one
    groups: list[Group]


def split_by_routine(findings: Iterable[Finding], *, verbose: bool) -> Parted:
    """Part findings into those to be told one by one, and groups to be told in one line each.

    A group has more than `_FEW` findings of one kind in one file, which are neither errors nor warnings, and routine:
    a safe fix ends them, or they are of entries that nobody cites.  If the report is `verbose`, there are no groups.
    Those to be told one by one are sorted by their place; groups are in the order of their first findings.
    """
    routine: dict[tuple[str, str], list[Finding]] = defaultdict(list)  # by path and code
    single: list[Finding] = []
    for finding in findings:
        if verbose or finding.severity in SERIOUS or not _is_routine(finding):
            single.append(finding)
        else:
            routine[finding.path, finding.code].append(finding)
    groups: list[Group] = []
    for of_one_kind in routine.values():
        if len(of_one_kind) > _FEW:
            groups.append(Group(of_one_kind))
        else:
            single += of_one_kind
    return Parted(sorted(single, key=lambda it: (it.path, it.span, it.code)), groups)


def _is_routine(finding: Finding) -> bool:
    """Return True for what nobody reads one by one: what a safe fix ends, and entries that nobody cites."""
    return finding.code == unused_entry.CODE or any(it.safety == "safe" for it in finding.fixes)
