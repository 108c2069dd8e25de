"""The end of a report for people: findings and verdicts counted, what one command fixes, and what was read."""

from collections import Counter
from collections.abc import Sequence

from citelsp.checks.finding import Severity
from citelsp.cli.check_report import UNASKED, Checked
from citelsp.cli.checking import Extent
from citelsp.cli.paint import paint
from citelsp.knowledge import Verdict

_SCREEN = 50  # findings that are read one by one
_GRAVITY: tuple[Severity, ...] = ("error", "warning", "information", "hint")
_REVIEW = " (may change which work is cited)"
_VERDICTS = {  # words, style; in this order
    "verified": ("verified", "good"),
    "mismatch": ("different from the record", "warning"),
    "elsewhere": ("with the identifier of another work", "error"),
    "nowhere": ("with an unknown identifier", "error"),
    "not-found": ("not found", "error"),
    "retracted": ("retracted", "error"),
    "unconfirmed": ("listed nowhere", "information"),
    "unchecked": ("unchecked", "dim"),
    "unasked": ("not looked up", "dim"),
}


def found(checked: Sequence[Checked]) -> str:
    """`8 errors, 31 warnings`."""
    counts = Counter(it.severity for one in checked for it in one.findings)
    parts = [
        f"{counts[name]:,} {name}{'s' if counts[name] > 1 and name != 'information' else ''}"
        for name in _GRAVITY
        if counts[name]
    ]
    return ", ".join(parts) or "No findings"


def by_code(checked: Sequence[Checked]) -> list[str]:
    """A row for each kind of finding, the gravest first; nothing if a screen shows all of them."""
    counts = Counter((it.severity, it.code) for one in checked for it in one.findings)
    if counts.total() <= _SCREEN or len(counts) == 1:
        return []
    ordered = sorted(counts, key=lambda it: (_GRAVITY.index(it[0]), -counts[it], it[1]))
    wide = len(f"{max(counts.values()):,}")
    return [f"  {counts[it]:{wide},}  {paint(f'{it[0]:<11}', it[0])}  {it[1]}" for it in ordered]


def verdicts(checked: Sequence[Checked]) -> list[str]:
    """`70 entries: 61 verified, 7 different from the record, 2 not found`; nothing if there are no entries."""
    every = [verdict for one in checked for _, verdict in one.verdicts()]
    counts = Counter(map(_kind, every))
    date = max((it.date for it in every if it.kind != "unchecked"), default="")
    parts = [paint(f"{counts[kind]:,} {words}", style) for kind, (words, style) in _VERDICTS.items() if counts[kind]]
    outcome = "not looked up" if counts["unasked"] == len(every) else ", ".join(parts)
    return (
        [f"{_number(len(every), 'entry', 'entries')}: {outcome}{f' (checked {date})' if date else ''}"] if every else []
    )


def fixable(safe: int, review: int) -> list[str]:
    """What `--fix` would do now; nothing if that is nothing."""
    if safe and review:
        return [f"{safe:,} fixable with --fix safe, {review:,} more with --fix review{_REVIEW}"]
    if safe or review:
        return [f"{safe or review:,} fixable with --fix {'safe' if safe else f'review{_REVIEW}'}"]
    return []


def read(extent: Extent, changed: int | None = None) -> str:
    """What was read, and how much of it looked at; `changed`: so many entries since a revision, and no others."""
    if extent.received and extent.received == extent.bibliographies and not extent.manuscripts:
        lists = _number(extent.received, "list of references", "lists of references")
        return f"Read {lists} with {_number(extent.of, 'reference', 'references')}{_looked_at(extent, changed)}."
    read = _number(extent.manuscripts, "manuscript file", "manuscript files")
    if extent.manuscripts:
        read += f" with {_number(extent.citations, 'citation', 'citations')}"
    holding = _number(extent.bibliographies, "bibliography", "bibliographies")
    entries = _number(extent.of, "entry", "entries")
    if extent.bibliographies:
        return f"Read {read} and {holding} with {entries}{_looked_at(extent, changed)}."
    return f"Read {read} and {entries if extent.of else holding}{_looked_at(extent, changed)}."


def _looked_at(extent: Extent, changed: int | None) -> str:
    if not extent.of:
        return ""
    if changed is not None:
        return f", of which {changed:,} changed"
    if extent.entries == extent.of:
        return "; the rest was not read" if extent.cut else ""
    if not extent.entries:
        return paint(", none of which is cited: all were skipped", "warning")
    cited = "1 is cited" if extent.entries == 1 else f"{extent.entries:,} are cited"
    others = "the other was" if extent.of - extent.entries == 1 else "the others were"
    return f", of which {cited}; {others} skipped"


def _number(count: int, one: str, several: str) -> str:
    """Nothing stands out."""
    return f"{count:,} {one if count == 1 else several}" if count else paint(f"no {several}", "warning")


def _kind(verdict: Verdict) -> str:
    """The verdict, in which a conflict is one of two things."""
    if verdict == UNASKED:
        return "unasked"
    if verdict.kind != "conflict":
        return verdict.kind
    return "elsewhere" if any(it.leads == "elsewhere" for it in verdict.traced) else "nowhere"
