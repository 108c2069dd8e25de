"""From answers to a verdict, by the rules of positive evidence.

A field is wrong only if every record that speaks of it disagrees; a work is unknown only if every required source
answered that it has none; an identifier leads elsewhere only if its own registrar says so.  Whatever could not be
asked leaves the entry unchecked.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from citelsp.base.settings import SERVICES
from citelsp.bibliography.authors import AuthorComparison
from citelsp.bibliography.compare import FieldComparison, listed
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.identifiers import CALLED
from citelsp.bibliography.merge import merge
from citelsp.bibliography.record import Record
from citelsp.knowledge import Difference, Verdict
from citelsp.verification import coverage, plan
from citelsp.verification.differences import (
    against,
    are_other_versions,
    claims_unconfirmed_venue,
    differences,
    is_of_the_preprint,
    rests_on_silence,
    suspicions,
)
from citelsp.verification.weighing import Answers, Weighed, weigh

_NOBODY = "no source has a work of this title"
_LAG = 2  # years that indexes may take to list proceedings
_LEFT_OPEN = ("year", "venue", "volume", "number", "pages", "publisher")  # where versions of one work may differ


def verdict(entry: Entry, answers: Answers, services: Collection[str], today: date | None = None) -> Verdict:
    """The verdict that these answers allow."""
    weighed, today = weigh(answers), today or date.today()
    records = tuple(it.record for it in weighed.bound)
    unindexed = _unindexed(entry, weighed, today)
    unheard = _unheard(entry, weighed, answers, services, today) | unindexed
    contradicted = [it for it in differences(weighed) if not unheard & {it.field, it.outcome}]
    known = Verdict(
        "verified",
        record=_merged(tuple(it.record for it in weighed.bound if it.tells_where) or records),
        records=records,
        traced=weighed.traced,
        differences=tuple(_difference_of(it, weighed) for it in contradicted),
        asked=weighed.answered,
        unavailable=tuple(name for name, _ in weighed.unavailable),
        date=today.isoformat(),
    )
    notices = [it for record in records for it in record.updates if it.kind in ("retraction", "withdrawal", "removal")]
    astray = [it for it in weighed.traced if it.leads != "here"]
    if notices:
        return replace(known, kind="retracted", reason=f"{notices[0].kind} recorded by {notices[0].source}")
    if astray and all(it.name == "arxiv" for it in astray) and plan.is_preprint_unheard(entry, answers):
        return replace(known, kind="unchecked", reason=_why(["arxiv"], weighed))
    if astray:
        reason = _astray(astray[0].name, astray[0].leads)
        unbound = None if weighed.bound else _unbound(entry, weighed, answers, services, known)
        if unbound and unbound.kind == "not-found":
            return replace(unbound, kind="conflict", reason=f"{reason}, and {_NOBODY}", is_unknown=True)
        return replace(known, kind="conflict", reason=reason)
    if not weighed.bound:
        return _unbound(entry, weighed, answers, services, known)
    if not known.differences:
        certain = [it for it in _alone(entry, weighed, answers, services, today) if it.field not in unheard]
        known = replace(known, differences=tuple(_difference_of(it, weighed) for it in certain))
    if known.differences:
        return replace(known, kind="mismatch", reason="differs in " + ", ".join(it.field for it in known.differences))
    if silent := plan.unanswered(entry, answers):
        return replace(known, kind="unchecked", reason=_why(silent, weighed))
    doubts = suspicions(weighed)
    if serious := [it for it in doubts if it.field not in _LEFT_OPEN]:
        differing = " and ".join(f"{' and '.join(against(weighed, it))} in {it.field}" for it in serious)
        return replace(known, kind="unchecked", reason=f"differs from {differing}, which no other service confirms")
    if (doubts or claims_unconfirmed_venue(weighed)) and known.unavailable:  # who could have told is asked again
        return replace(known, kind="unchecked", reason=_why(known.unavailable, weighed))
    if unindexed:
        return replace(known, kind="unchecked", reason="found as a preprint only; indexes may lack recent proceedings")
    if are_other_versions(weighed):
        other = next(it.record for it in weighed.bound if it.is_elsewhere)
        where = other.venue or "a book"
        return replace(known, kind="unchecked", reason=f"found in {where}, {other.year}, but not where it is cited")
    return known


def _unheard(entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str], today: date) -> set[str]:
    """The differences, by field or outcome, on which somebody who might explain them could not be asked."""
    is_heard = plan.is_heard_at_home(entry, answers, services)
    found = set() if is_heard else {"preprint"}
    if rests_on_silence(weighed) and (_is_recent(entry, today) or not is_heard):
        found |= {"venue"}
    return found | ({"title", "authors"} if plan.is_preprint_unheard(entry, answers) else set())


def _is_recent(entry: Entry, today: date) -> bool:
    """Of proceedings that indexes may lack: their silence says nothing."""
    return entry.year is not None and entry.year >= today.year - _LAG


def _unindexed(entry: Entry, weighed: Weighed, today: date) -> set[str]:
    """Of recent proceedings the silence of indexes says nothing, nor does the year of the preprint that they have."""
    if not entry.year or not _is_recent(entry, today) or not claims_unconfirmed_venue(weighed, certain=False):
        return set()
    return {"preprint", "year"} if entry.year <= today.year + 1 else set()


def _difference_of(view: FieldComparison, weighed: Weighed) -> Difference:
    """The difference with its witnesses; for authors, who is missing and who does not belong."""
    people = next((it.comparison.people for it in weighed.bound if listed(it.record.authors) == view.recorded), None)
    return Difference(
        field=view.field,
        cited=view.cited,
        recorded=view.recorded,
        sources=against(weighed, view),
        detail=_who(people) if view.field == "authors" and people else "",
    )


def _who(people: AuthorComparison) -> str:
    added = [*people.added, *(cited for cited, _ in people.replaced)]
    dropped = [*people.dropped, *(recorded for _, recorded in people.replaced)]
    parts = [f"left out: {listed(dropped)}" if dropped else "", f"not an author: {listed(added)}" if added else ""]
    return "; ".join(filter(None, [*parts, "in another order" if people.reordered else ""]))


def _astray(name: str, leads: str) -> str:
    return f"the {CALLED[name]} leads to another work" if leads == "elsewhere" else f"the {CALLED[name]} does not exist"


def _unbound(entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str], known: Verdict) -> Verdict:
    """No record is this work: unknown, if everybody who should know answered; else unchecked with the reason."""
    if silent := plan.unanswered(entry, answers):
        return replace(known, kind="unchecked", reason=_why(silent, weighed))
    if reason := coverage.unfit(entry) or ("too new to be indexed for certain" if _is_new(entry, known.date) else ""):
        return replace(known, kind="unchecked", reason=reason)
    if plan.is_registered(entry, answers):
        return replace(known, kind="unchecked", reason="its identifier is registered, but no service says for what")
    if off := [it for it in plan.BROAD if it not in services]:  # each of them knows works that nobody else finds
        names = f"{' and '.join(SERVICES[it] for it in off)} {'is' if len(off) == 1 else 'are'}"
        return replace(known, kind="unchecked", reason=f"cannot be reported as unknown while {names} disabled")
    if missing := [it for it in plan.required(entry, services) if it not in weighed.searched]:
        return replace(known, kind="unchecked", reason=_why(missing, weighed))
    if reason := coverage.uncovered(entry, weighed, answers):
        return replace(known, kind="unchecked", reason=reason)
    return replace(known, kind="not-found", reason=_NOBODY, alternatives=tuple(merge(weighed.near)))


def _alone(
    entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str], today: date
) -> list[FieldComparison]:
    """The differences that are certain although one source alone tells of them."""
    doubts, year = suspicions(weighed), date.isoformat(today)
    if _is_all_there_is(entry, weighed, services):
        return doubts
    others = {"title", "authors"} if _belongs_to_others(entry, weighed, answers, services, year) else set()
    return [it for it in doubts if it.field in others or _is_to_come(it, year)]


def _is_all_there_is(entry: Entry, weighed: Weighed, services: Collection[str]) -> bool:
    """Nobody who should has a work of the cited title; the one that was found differs in that alone."""
    required = [it for it in plan.BROAD if it in services]
    asked = len(required) >= 2 and set(required) <= set(weighed.searched)
    fit = not (coverage.unfit(entry) or coverage.is_short(entry) or all(map(is_of_the_preprint, weighed.bound)))
    return asked and fit and [it.field for it in suspicions(weighed)] == ["title"]


def _is_to_come(view: FieldComparison, today: str) -> bool:
    """A year that is not yet: any source's word is enough against it."""
    return view.field == "year" and int(view.cited) > int(today[:4]) + 1


def _is_new(entry: Entry, today: str) -> bool:
    """Of this year; what bears a later one is not new but wrong."""
    return str(entry.year) == today[:4]


def _why(silent: Collection[str], weighed: Weighed) -> str:
    why = dict(weighed.unavailable)
    return "; ".join(f"{SERVICES[it]}: {why.get(it, 'not asked')}" for it in silent)


def _belongs_to_others(entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str], today: str) -> bool:
    """The cited work is unknown to all who should have it; what was found agrees in too little to be it.

    Who wrote it may be wrong in an index; not that, and where or when it came out, or what it is called.
    """
    unheard = set(plan.required(entry, services)) - set(weighed.searched)
    unfit = coverage.unfit(entry) or _is_new(entry, today) or len(words(entry.title)) < 6
    strangers = all(it.binding == "other people" and it.by == "title" for it in weighed.bound)
    if unheard or unfit or not strangers or coverage.uncovered(entry, weighed, answers):
        return False
    return all("different" in map(it.comparison.outcome, ("title", "year", "venue")) for it in weighed.bound)


def _merged(records: tuple[Record, ...]) -> Record | None:
    if not records:
        return None
    works = merge(list(records))
    return max(works, key=lambda it: len(it.origins.get("title", ())))
