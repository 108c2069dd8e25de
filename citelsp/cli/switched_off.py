"""What a folder itself keeps from being reported: by its settings, and by comments in its documents.

Who checks somebody else's folder must read it: a gate that a submission can switch off is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.base.text import write_count
from citelsp.checks.finding import SERIOUS, Finding, Severity
from citelsp.cli.report_parts import show_on_one_line

_NAMED = 3  # codes in one sentence


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
        """Those of `codes` that are not run at all."""
        return frozenset(it for it in self.codes if self.folder.checks.severity[it] == "off")

    def _is_lowered(self, code: str, usual: Severity) -> bool:
        """True if the folder switches the check off that the user has on, or makes it too light to fail a command.

        `usual`: its severity where the user's settings say nothing.
        """
        of_user = self.user.checks.severity.get(code, usual)
        of_folder = self.folder.checks.severity.get(code)
        if of_folder is None or of_user == "off":
            return False
        return of_folder == "off" or (of_user in SERIOUS and of_folder not in SERIOUS)


@dataclass
class Hidden:
    """What was found and not reported, or reported as nothing that matters."""

    by_settings: dict[str, list[Finding]] = field(default_factory=dict)  # origin → findings
    by_comments: list[Finding] = field(default_factory=list)

    def notes(self) -> list[str]:
        """A sentence for each file of settings, and one for all comments; none for what hides nothing."""
        sentences = []
        for settings_path, findings in self.by_settings.items():
            if findings:
                sentences.append(_write_sentence(f"{show_on_one_line(settings_path)} plays down", findings))
        if self.by_comments:
            sentences.append(_write_sentence("comments silence", self.by_comments))
        return sentences


def _write_sentence(beginning: str, findings: Sequence[Finding]) -> str:
    """`comments silence 2 findings (unused-entry); --untrusted reports them`."""
    codes = sorted({it.code for it in findings})
    more = f" and {len(codes) - _NAMED} more" if len(codes) > _NAMED else ""
    named = ", ".join(codes[:_NAMED]) + more
    them = "it" if len(findings) == 1 else "them"
    return f"{beginning} {write_count(len(findings), 'finding')} ({named}); --untrusted reports {them}"
