"""The end of a report for people: findings and verdicts counted, what one command fixes, and what was read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from citelsp import checks
from citelsp.checks.finding import Safety, Severity
from citelsp.cli.check_report import UNASKED, Checked
from citelsp.cli.checking import Extent
from citelsp.cli.paint import paint
from citelsp.knowledge import Verdict
from citelsp.verification.verdict_cache import lacks_its_registry

_SCREEN = 50  # findings that are read one by one
_GRAVITY: tuple[Severity, ...] = ("error", "warning", "information", "hint")
_NAMED = 3  # codes of findings that a count names
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

# Why entries are unchecked, in the words of a report, by the rules of verification that say so.
REASONS = MappingProxyType(
    {
        "as indexes seldom have such works": (
            "is_seldom_indexed", "is_about_another_work", "is_an_edited_volume", "is_pending", "is_in_another_script",
            "is_a_web_page",
        ),
        "as the title cannot be searched for": ("has_no_title", "has_a_title_read_in_doubt", "is_too_short_to_search"),
        "as a service did not answer": (
            "identifier_was_not_heard", "nobody_answered", "broad_index_was_not_heard", "registry_was_not_heard",
            "an_earlier_version_was_not_heard", "its_identifier_was_not_heard", "who_could_tell_was_not_heard",
        ),
        "as a service is disabled": ("broad_index_is_disabled",),
        "found, but not where they are cited": ("is_too_recent", "is_found_elsewhere_alone"),
        "found, with doubts": (
            "one_source_contradicts_it", "nobody_names_its_people", "all_contradict_it_and_none_counts",
        ),
        "on record, but not described": ("is_registered", "is_discussed"),
    }
)  # fmt: skip


def found(checked: Sequence[Checked]) -> str:
    """`8 errors, 31 warnings`."""
    counts: Counter[str] = Counter()
    for of_project in checked:
        counts.update(finding.severity for finding in of_project.findings)
    clauses = []
    for name in _GRAVITY:
        if counts[name]:
            plural = "s" if counts[name] > 1 and name != "information" else ""
            clauses.append(f"{counts[name]:,} {name}{plural}")
    return ", ".join(clauses) or "No findings"


def by_code(checked: Sequence[Checked]) -> list[str]:
    """A row for each kind of finding, the gravest first; nothing if a screen shows all of them."""
    counts = Counter((it.severity, it.code) for one in checked for it in one.findings)
    if counts.total() <= _SCREEN or len(counts) == 1:
        return []
    ordered = sorted(counts, key=lambda it: (_GRAVITY.index(it[0]), -counts[it], it[1]))
    wide = len(f"{max(counts.values()):,}")
    return [f"  {counts[it]:{wide},}  {paint(f'{it[0]:<11}', it[0])}  {it[1]}" for it in ordered]


def verdicts(checked: Sequence[Checked]) -> list[str]:
    """`70 entries: 61 verified, 7 different from the record, 2 not found`; then why entries are unchecked.

    Nothing if there are no entries.
    """
    every = [verdict for one in checked for _, verdict in one.verdicts()]
    counts = Counter(map(_kind, every))
    checked_on = _checked_on(every)
    parts = [paint(f"{counts[kind]:,} {words}", style) for kind, (words, style) in _VERDICTS.items() if counts[kind]]
    outcome = "not looked up" if counts["unasked"] == len(every) else ", ".join(parts)
    if not every:
        return []
    first = f"{_number(len(every), 'entry', 'entries')}: {outcome}{f' ({checked_on})' if checked_on else ''}"
    unchecked = [it for it in every if it.kind == "unchecked" and it != UNASKED]
    return [first, *_unchecked(unchecked), *_unregistered([it for it in every if it.kind == "verified"])]


def _checked_on(every: Sequence[Verdict]) -> str:
    """`checked 2026-01-02`; of cached verdicts the oldest may be months older than the newest, and both are told."""
    dates = {it.date for it in every if it.kind != "unchecked"} - {""}
    if not dates:
        return ""
    first = min(dates)
    last = max(dates)
    return f"checked {last}" if first == last else f"checked from {first} to {last}"


def _unchecked(every: Sequence[Verdict]) -> list[str]:
    """`Unchecked: 12 as indexes seldom have such works, 3 as a service did not answer`; nothing if nobody knows why."""
    reasons = {rule: reason for reason, rules in REASONS.items() for rule in rules}
    counts = Counter(reasons[rule] for it in every if (rule := _decisive(it)) in reasons)
    parts = [f"{count:,} {reason}" for reason, count in counts.most_common()]
    return [f"Unchecked: {', '.join(parts)}"] if parts else []


def _unregistered(verified: Sequence[Verdict]) -> list[str]:
    """How many works were found right while the registry of their DOIs, which knows retractions, was silent."""
    count = sum(map(lacks_its_registry, verified))
    if not count:
        return []
    return [f"Verified without Crossref, which did not answer and would know of retractions: {count:,}"]


def _decisive(verdict: Verdict) -> str:
    """The rule by which an entry is unchecked."""
    excuses = [it.rule for it in verdict.rules if it.subject == "work" and it.effect == "excuses"]
    steps = [it.rule for it in verdict.rules if it.effect == "decides"]
    return next(iter([*excuses, *steps]), "")


def fixable(fixes: Mapping[tuple[Safety, str], int]) -> list[str]:
    """What `--fix` would do now, by the findings that it would end; nothing if that is nothing."""
    safe, review = ({code: count for (it, code), count in fixes.items() if it == level} for level in ("safe", "review"))
    parts = [f"with --fix safe: {_counted(safe)}"] if safe else []
    if review:
        works = " (may change which work is cited)" if _judged_by_records().intersection(review) else ""
        parts.append(f"{'more ' if safe else ''}with --fix review{works}: {_counted(review)}")
    return [f"Fixable {'; '.join(parts)}"] if parts else []


def _judged_by_records() -> frozenset[str]:
    return frozenset(it.code for it in checks.ALL if it.needs == "knowledge")


def _counted(by_code: Mapping[str, int]) -> str:
    """`3 url-as-doi, 2 malformed-name`."""
    ordered = sorted(by_code, key=lambda it: (-by_code[it], it))
    names = [f"{by_code[it]:,} {it}" for it in ordered[:_NAMED]]
    others = sum(by_code[it] for it in ordered[_NAMED:])
    return ", ".join([*names, *([f"{others:,} others"] if others else [])])


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
    rest = "; the rest was not read" if extent.cut else ""
    if extent.entries == extent.of:
        return rest
    if not extent.entries:
        return paint(f", none of which is cited: all were skipped{rest}", "warning")
    cited = "1 is cited" if extent.entries == 1 else f"{extent.entries:,} are cited"
    others = "the other was" if extent.of - extent.entries == 1 else "the others were"
    return f", of which {cited}; {others} skipped{rest}"


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
