"""What a folder itself keeps from being reported: by its settings, and by comments in its documents.

Who checks somebody else's folder must read it: a gate that a submission can switch off is none.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.checks.finding import Finding, Severity
from citelsp.cli.check_report import shown

_LEVELS: Mapping[Severity, int] = {"off": 0, "hint": 1, "information": 2, "warning": 3, "error": 4}
_SERIOUS = _LEVELS["warning"]  # and above: what a command fails by


@dataclass(frozen=True)
class SwitchedOff:
    """The checks that a folder's settings make less of than the user does."""

    origin: str  # the path of the settings
    user: Settings
    folder: Settings

    @cached_property
    def codes(self) -> frozenset[str]:
        """Those switched off, or made too light to fail a command."""
        return frozenset(it.code for it in checks.ALL if self._is_lowered(it.code, it.severity))

    @property
    def off(self) -> frozenset[str]:
        return frozenset(it for it in self.codes if self.folder.checks.severity[it] == "off")

    def _is_lowered(self, code: str, usual: Severity) -> bool:
        before = self.user.checks.severity.get(code, usual)
        now = self.folder.checks.severity.get(code)
        if now is None or before == "off":
            return False
        return now == "off" or _LEVELS[now] < _SERIOUS <= _LEVELS[before]


@dataclass
class Hidden:
    """What was found and not reported, or reported as nothing that matters."""

    by_settings: dict[str, list[Finding]] = field(default_factory=dict)  # origin → findings
    by_comments: list[Finding] = field(default_factory=list)

    def notes(self) -> list[str]:
        """A sentence for each file of settings, and one for all comments."""
        settings = [_sentence(f"{shown(origin)} plays down", it) for origin, it in self.by_settings.items() if it]
        return settings + ([_sentence("comments silence", self.by_comments)] if self.by_comments else [])


def _sentence(doing: str, findings: Iterable[Finding]) -> str:
    found = list(findings)
    codes = sorted({it.code for it in found})
    named = ", ".join(codes[:3]) + (f" and {len(codes) - 3} more" if len(codes) > 3 else "")
    count, they = ("1 finding", "it") if len(found) == 1 else (f"{len(found)} findings", "them")
    return f"{doing} {count} ({named}); --untrusted reports {they}"
