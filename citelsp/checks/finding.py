"""What a check reports, and what can be done about it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from citelsp.base import bounds
from citelsp.base.text import Edit, Span

if TYPE_CHECKING:
    from citelsp.syntax.bibtex.parsing import Fact
    from citelsp.workspace.project import Project
    from citelsp.workspace.source import Source

_AGREEING = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")

Severity = Literal["error", "warning", "information", "hint", "off", "usual"]  # “usual”: its check says which
SERIOUS: frozenset[Severity] = frozenset({"error", "warning"})  # by which a command fails
Safety = Literal["safe", "review"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends a finding.  Safe: cannot change which work is cited.  Review: shown as a diff, confirmed."""

    title: str
    safety: Safety
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a finding."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    path: str
    span: Span
    message: str
    key: str | None = None
    field: str | None = None
    cited: str | None = None
    recorded: str | None = None
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    faded: bool = False  # drawn as unnecessary
    severity: Severity = "usual"  # that of its check, which writes one only to depart from it


def with_key(message: str, key: str | None) -> str:
    """Put the entry's key before a message that does not name it, for a list that shows the message without the entry.

    `key`: None or "" if the message is about no entry.
    """
    words = {word.strip("“”‘’.,:;()") for word in message.split()}
    return f"{key}: {message}" if key and key not in words else message


def limit_findings(found: Iterable[Finding]) -> list[Finding]:
    """Return as many of the findings of one kind in one document as are reported; if more, the last one says so."""
    first = list(islice(found, bounds.REPORTED + 1))
    if len(first) > bounds.REPORTED:
        first[-1] = make_bound_finding(first[-1].code, first[-1].path, first[-1].span)
    return first


def make_bound_finding(code: str, path: str, span: Span, kind: str = "of these") -> Finding:
    """Make the finding that says that a bound ended the search; `kind` are the things counted."""
    message = f"citelsp stops at {bounds.REPORTED:,} {kind}: it looked for no more from here on."
    return Finding(code, path, span, message, severity="information")


@dataclass(frozen=True, slots=True)
class Note:
    """What was not looked at in a document and why."""

    path: str  # "" for none in particular
    text: str  # one that says the same of several documents is printed once
    keys: int = 0  # that no entry has and that are not reported; `{keys}` in the text

    def sentence(self, keys: int, documents: int) -> str:
        """With so many keys, of so many documents; `{one|several}` in the text stands for words that agree."""
        text = _AGREEING.sub(lambda it: it[1] if documents == 1 else it[2], self.text)
        return text.replace("{keys}", "one key" if keys == 1 else f"{keys} keys")


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of finding.  Tables, SARIF and the head of its page take code, severity and meaning from here."""

    code: str
    severity: Severity
    summary: str  # what it means, in whole sentences
    find: Callable[..., "list[Finding]"]  # (project, knowledge) → findings
    needs: Literal["document", "project", "knowledge", "request"] = "knowledge"  # without which silence is no proof
    facts: "Callable[[Project, Source], Iterable[Fact[Any]]]" = lambda *_: ()  # that it asks of entries, one by one
    of_parsed: bool = False  # whether it asks of all entries whose syntax matters, not only of those that are judged

    def run(self, *known: object) -> "list[Finding]":
        """Run the check; return its findings, each with a severity in the place of "usual"."""
        return [replace(it, severity=self.severity) if it.severity == "usual" else it for it in self.find(*known)]

    @property
    def title(self) -> str:
        """The first sentence, without its full stop."""
        return self.summary.partition(". ")[0].rstrip(".")
