"""The end of a report for people: findings and verdicts counted, what one command fixes, and what was read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from citelsp import checks
from citelsp.base.text import write_count
from citelsp.checks.finding import Safety, Severity
from citelsp.cli.check_outcome import Extent
from citelsp.cli.paint import paint
from citelsp.cli.report_parts import UNASKED, Checked
from citelsp.knowledge import Verdict
from citelsp.verification.verdict_cache import lacks_its_registry

_SCREEN = 50  # findings that are read one by one, and need no table of their kinds
GRAVITY: tuple[Severity, ...] = ("error", "warning", "information", "hint")
_NAMED = 3  # codes of findings that a count names
_VERDICTS = {  # by `_name_verdict`: the words of the summary and the style they are painted in; told in this order
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
        "without a title, and not found by journal, volume and page": ("is_not_found_at_its_place",),
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
    """`8 errors, 31 warnings`, the gravest first, of all findings; “No findings” if there are none."""
    counts: Counter[str] = Counter()
    for of_project in checked:
        counts.update(finding.severity for finding in of_project.findings)
    clauses = []
    for name in GRAVITY:
        if counts[name]:
            plural = "s" if counts[name] > 1 and name != "information" else ""
            clauses.append(f"{counts[name]:,} {name}{plural}")
    return ", ".join(clauses) or "No findings"


def by_code(checked: Sequence[Checked]) -> list[str]:
    """Write a row for each kind of finding, by code and severity, the gravest first.

    No rows if all findings fit a screen, which then shows them, or are of one kind, which `found` counts.
    """
    counts: Counter[tuple[Severity, str]] = Counter()
    for of_project in checked:
        counts.update((finding.severity, finding.code) for finding in of_project.findings)
    if counts.total() <= _SCREEN or len(counts) == 1:
        return []
    width = len(f"{max(counts.values()):,}")
    rows = []
    # The gravest first; of equally grave ones the most frequent; of these by name.
    for severity, code in sorted(counts, key=lambda it: (GRAVITY.index(it[0]), -counts[it], it[1])):
        rows.append(f"  {counts[severity, code]:{width},}  {paint(f'{severity:<11}', severity)}  {code}")
    return rows


def verdicts(checked: Sequence[Checked]) -> list[str]:
    """Write `70 entries: 61 verified, 7 different from the record, 2 not found`; then sentences about some of them.

    These say why entries are unchecked although services were asked, and how many were verified without their registry,
    as it did not answer.  If services were asked of no entry, the line is `70 entries: not looked up`.  An empty list
    if there are no entries.
    """
    every = [verdict for of_project in checked for _, verdict in of_project.verdicts()]
    if not every:
        return []
    counts = Counter(map(_name_verdict, every))
    if counts["unasked"] == len(every):
        outcome = "not looked up"
    else:
        outcome = ", ".join(
            paint(f"{counts[kind]:,} {words}", style) for kind, (words, style) in _VERDICTS.items() if counts[kind]
        )
    checked_on = _tell_when(every)
    first = f"{_write_number(len(every), 'entry', 'entries')}: {outcome}{f' ({checked_on})' if checked_on else ''}"
    # `UNASKED` is the verdict of an entry of which nobody was asked: that needs no reason.
    unchecked = [it for it in every if it.kind == "unchecked" and it != UNASKED]
    verified = [it for it in every if it.kind == "verified"]
    return [first, *_tell_unchecked(unchecked), *_tell_unregistered(verified)]


def _tell_when(every: Sequence[Verdict]) -> str:
    """`checked 2026-01-02`; "" if no verdict has a day.  Days of unchecked ones do not count: nothing was checked then.

    Of cached verdicts the oldest may be months older than the newest, and both are told.
    """
    dates = {it.date for it in every if it.kind != "unchecked" and it.date}
    if not dates:
        return ""
    first = min(dates)
    last = max(dates)
    return f"checked {last}" if first == last else f"checked from {first} to {last}"


def _tell_unchecked(verdicts_without: Sequence[Verdict]) -> list[str]:
    """`Unchecked: 12 as indexes seldom have such works, 3 as a service did not answer`, the most frequent first.

    Entries whose rule has no words in REASONS are left out; an empty list if all are.
    """
    reason_of_rule = {rule: reason for reason, rules in REASONS.items() for rule in rules}
    counts: Counter[str] = Counter()
    for verdict in verdicts_without:
        rule = _find_decisive_rule(verdict)
        if rule in reason_of_rule:
            counts[reason_of_rule[rule]] += 1
    parts = [f"{count:,} {reason}" for reason, count in counts.most_common()]
    return [f"Unchecked: {', '.join(parts)}"] if parts else []


def _tell_unregistered(verified: Sequence[Verdict]) -> list[str]:
    """Say how many works were verified while the registry of their DOIs, which knows retractions, did not answer."""
    count = sum(map(lacks_its_registry, verified))
    if not count:
        return []
    return [f"Verified without Crossref, which did not answer and would know of retractions: {count:,}"]


def _find_decisive_rule(verdict: Verdict) -> str:
    """The rule by which an entry is unchecked: the first that excuses such a work, else the first that decides; ""
    if none did."""
    excusing = [it.rule for it in verdict.rules if it.subject == "work" and it.effect == "excuses"]
    deciding = [it.rule for it in verdict.rules if it.effect == "decides"]
    return next(iter([*excusing, *deciding]), "")


def fixable(fixes: Mapping[tuple[Safety, str], int]) -> list[str]:
    """Write one line on how many findings `--fix` would end now; an empty list if none.

    `fixes`: how many there are, by their safety and the code of their findings.  A fix to review may be one that writes
    what a record says; as that may be the wrong record, a warning says so.  --fix review applies the safe ones, too, so
    those to review are `more` beside them.
    """
    safe = {code: count for (safety, code), count in fixes.items() if safety == "safe"}
    review = {code: count for (safety, code), count in fixes.items() if safety == "review"}
    parts = []
    if safe:
        parts.append(f"with --fix safe: {_count_codes(safe)}")
    if review:
        may_change_work = bool(_list_checks_by_records().intersection(review))
        warning = " (may change which work is cited)" if may_change_work else ""
        parts.append(f"{'more ' if safe else ''}with --fix review{warning}: {_count_codes(review)}")
    return [f"Fixable {'; '.join(parts)}"] if parts else []


def _list_checks_by_records() -> frozenset[str]:
    """Return the codes of checks that compare with what services say, whose fixes write their words."""
    return frozenset(it.code for it in checks.ALL if it.needs == "knowledge")


def _count_codes(by_code: Mapping[str, int]) -> str:
    """`3 url-as-doi, 2 malformed-name`: the most frequent by name, the others in one number."""
    ordered = sorted(by_code, key=lambda code: (-by_code[code], code))
    names = [f"{by_code[code]:,} {code}" for code in ordered[:_NAMED]]
    others = sum(by_code[code] for code in ordered[_NAMED:])
    if others:
        names.append("1 other" if others == 1 else f"{others:,} others")
    return ", ".join(names)


def read(extent: Extent, changed: int | None = None) -> str:
    """Write `Read 3 manuscript files with 40 citations and 1 bibliography with 70 entries, of which …`.

    `extent` counts what was read; its `of` is the number of all entries.  `changed`: how many entries changed since a
    revision, if only these were looked at; None if no revision was named.
    """
    looked_at = _tell_what_was_read(extent, changed)
    # Papers such as PDFs were checked, and nothing else: readers know these as lists of references.
    are_all_received = extent.received and extent.received == extent.bibliographies and not extent.manuscripts
    if are_all_received:
        lists = _write_number(extent.received, "list of references", "lists of references")
        return f"Read {lists} with {_write_number(extent.of, 'reference', 'references')}{looked_at}."
    manuscripts = _write_number(extent.manuscripts, "manuscript file", "manuscript files")
    if extent.manuscripts:
        manuscripts += f" with {_write_number(extent.citations, 'citation', 'citations')}"
    bibliographies = _write_number(extent.bibliographies, "bibliography", "bibliographies")
    entries = _write_number(extent.of, "entry", "entries")
    if extent.bibliographies:
        return f"Read {manuscripts} and {bibliographies} with {entries}{looked_at}."
    # A manuscript may hold its entries itself.
    return f"Read {manuscripts} and {entries if extent.of else bibliographies}{looked_at}."


def _tell_what_was_read(extent: Extent, changed: int | None) -> str:
    """Write how many of the entries were looked at, to stand behind their number; "" if all were and no file was cut.

    If a file was cut, the last words say that the rest was not read.  `changed`: how many entries changed since a
    revision, if only these were looked at.  If it is None, as no revision was named, entries that a manuscript does not
    cite are those that were not looked at.
    """
    if not extent.of:  # no entries at all
        return ""
    unread = "; the rest was not read" if extent.cut else ""
    if changed is not None:
        return f", of which {changed:,} changed{unread}"
    if extent.entries == extent.of:
        return unread
    if not extent.entries:
        return paint(f", none of which is cited: all were skipped{unread}", "warning")
    cited = "1 is cited" if extent.entries == 1 else f"{extent.entries:,} are cited"
    others = "the other was" if extent.of - extent.entries == 1 else "the others were"
    return f", of which {cited}; {others} skipped{unread}"


def _write_number(count: int, one: str, several: str) -> str:
    """`1 entry`, `3 entries`; painted as a warning if there are none, which is seldom meant."""
    if not count:
        return paint(f"no {several}", "warning")
    return write_count(count, one, several)


def _name_verdict(verdict: Verdict) -> str:
    """Return the verdict as a name in `_VERDICTS`, which has two for a conflict and one more for what was not asked."""
    if verdict == UNASKED:
        return "unasked"
    if verdict.kind != "conflict":
        return verdict.kind
    return "elsewhere" if any(it.leads == "elsewhere" for it in verdict.traced) else "nowhere"
