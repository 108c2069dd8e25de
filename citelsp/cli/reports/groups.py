"""What is told once for many: information that one command would mend need not bury the rest of a report."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from citelsp import checks
from citelsp.checks.finding import Finding

_FEW = 5  # of one kind in one file, which are listed
_SUMMARIES = {it.code: it.summary.rstrip(".") for it in checks.ALL}


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one kind in one file, each of which has a safe fix."""

    first: Finding
    count: int

    def __str__(self) -> str:
        return f"{_SUMMARIES[self.first.code]}: {self.count} times (--fix safe mends them, --verbose lists them)"


def parted(findings: Iterable[Finding], *, verbose: bool) -> tuple[list[Finding], list[Group]]:
    """Findings to be told one by one, and those told together; all one by one where the report is `verbose`."""
    kinds: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    single = []
    for it in findings:
        if verbose or it.severity in ("error", "warning") or not _is_safe(it):
            single.append(it)
        else:
            kinds[it.path, it.code].append(it)
    single += [it for kind in kinds.values() if len(kind) <= _FEW for it in kind]
    groups = [Group(it[0], len(it)) for it in kinds.values() if len(it) > _FEW]
    return sorted(single, key=lambda it: (it.path, it.span, it.code)), groups


def _is_safe(finding: Finding) -> bool:
    return any(it.safety == "safe" for it in finding.fixes)
