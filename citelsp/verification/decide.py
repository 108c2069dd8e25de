"""From answers to a verdict, by the rules of positive evidence.

A field is wrong only if every record that speaks of it disagrees; a work is unknown only if every required source
answered that it has none; an identifier leads elsewhere only if its own registrar says so.  Whatever could not be
asked leaves the entry unchecked.  Each step of `STEPS` decides, or leaves it to the next one.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date

from citelsp.base.settings import SERVICES
from citelsp.base.text import enumerate_names
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.group_names import holds_commas
from citelsp.bibliography.identifiers import CALLED, PREPRINT_DOIS
from citelsp.bibliography.merge_records import merge
from citelsp.bibliography.record import Record
from citelsp.bibliography.retractions import find_retractions
from citelsp.bibliography.tolerant_comparison.author_lists import AuthorComparison
from citelsp.bibliography.tolerant_comparison.outcome import FieldComparison
from citelsp.bibliography.tolerant_comparison.people import is_a_broken_list, list_people, read_authors
from citelsp.knowledge import Difference, Holding, Ruling, Traced, Verdict, VerdictKind
from citelsp.verification import age, plan
from citelsp.verification.binding import is_led_to_without_a_title, stands_at_the_place_that_is_cited
from citelsp.verification.case import Case
from citelsp.verification.control import withdraw_mute_answers
from citelsp.verification.differences import (
    are_other_versions,
    claims_unconfirmed_venue,
    list_opponents,
    rests_on_silence,
)
from citelsp.verification.evidence import Answers, Bound, Weighed
from citelsp.verification.excuses import identifier, unknown
from citelsp.verification.excuses.fitness import Abstention, find_abstention, is_short
from citelsp.verification.excuses.venue import its_registry_lacks_it
from citelsp.verification.untitled import has_no_title

_WITHOUT_TITLE = {it.__name__ for it in (stands_at_the_place_that_is_cited, is_led_to_without_a_title)}
_NOBODY = "no source that answered has a work of this title"
_TELLING = ("title", "authors", "venue")  # that say which work it is, and where it was published
_TELLING_WORDS = 6  # of a title, below which works of other people may well have the same one
_LEFT_OPEN = ("year", "venue", "volume", "number", "pages", "publisher")  # in which versions of one work may differ

Step = Callable[[Case, Verdict], Verdict | None]


def verdict(entry: Entry, answers: Answers, services: Collection[str], today: date | None = None) -> Verdict:
    """The verdict that these answers allow, by the first of STEPS that comes to one."""
    case = Case(entry, withdraw_mute_answers(answers), services, today or date.today())
    known = _summarise_answers(case)
    # The last step always comes to one.
    step, judged = next((step, judged) for step in STEPS if (judged := step(case, known)))
    return replace(judged, rules=_rules(case, judged, step.__name__))


def _summarise_answers(case: Case) -> Verdict:
    """Put what the answers say into a verdict, whose kind and reason STEPS decide afterwards.

    Its `record` is merged from the records of what may be the cited publication; if there are none, from all that are
    the entry's work (`weighed.bound`).  Its `differences` are the fields in which these contradict it, without those
    that somebody who was not heard might explain.
    """
    weighed = case.weighed
    records = tuple(bound.record for bound in weighed.bound)
    of_the_cited_one = tuple(bound.record for bound in weighed.bound if bound.tells_where)
    return Verdict(
        "verified",
        record=_merged(of_the_cited_one or records),
        records=records,
        traced=weighed.traced,
        differences=tuple(_difference_of(view, case) for view in _list_believed(case.differences, case)),
        asked=weighed.answered,
        unavailable=tuple(service for service, _ in weighed.unavailable),
        date=case.today.isoformat(),
        holding=_holding(case),
    )


def _holding(case: Case) -> Holding | None:
    """Return what a registry has of the journal if nobody has the work; None otherwise, or if that is not known."""
    found = None if case.weighed.bound else unknown.holding(case)
    if found is None or found.state not in ("held", "thin"):
        return None
    return Holding(found.service, found.title, case.entry.year or 0, found.count)


def _rules(case: Case, found: Verdict, step: str) -> tuple[Ruling, ...]:
    """List the rules that spoke: on which record is the work, on identifiers, on each field, and which one decided."""
    weighed = case.weighed
    fields = (ruling for outcome in case.outcomes.values() for ruling in outcome.rulings) if weighed.bound else ()
    unasked = (Ruling("identifier", it.__name__, "leaves open") for it in identifier.UNASKED if it(case.entry))
    return (*_bonds(weighed), *weighed.excused, *unasked, *fields, *found.rules, Ruling("work", step, "decides"))


def _bonds(weighed: Weighed) -> list[Ruling]:
    """List the rules by which records are the work; if none is, the rule by which the nearest one is not."""
    sources: dict[str, dict[str, None]] = {}
    for bound in weighed.bound:
        sources.setdefault(bound.rule, {})[bound.record.source] = None
    if sources:
        return [Ruling("work", rule, "binds", tuple(who)) for rule, who in sources.items()]
    return [Ruling("work", it.rule, "keeps apart", (it.record.source,)) for it in weighed.others[:1]]


def _judged_as(known: Verdict, kind: VerdictKind, reason: str, *rules: Ruling) -> Verdict:
    return replace(known, kind=kind, reason=reason, rules=rules)


def _abstained(known: Verdict, abstention: Abstention) -> Verdict:
    return _judged_as(known, abstention.kind, abstention.reason, Ruling("work", abstention.rule, "excuses"))


def is_retracted(_case: Case, known: Verdict) -> Verdict | None:
    """A notice in Crossref, PubMed, Europe PMC, OpenAlex or arXiv says that the work was retracted."""
    notices = find_retractions(it for record in known.records for it in record.updates)
    if not notices:
        return None
    return _judged_as(known, "retracted", f"{notices[0].kind} recorded by {_title(notices[0].source)}")


def _title(source: str) -> str:
    """Return the name of a service as people know it."""
    return SERVICES.get(source, source)


def an_earlier_version_was_not_heard(case: Case, known: Verdict) -> Verdict | None:
    """An arXiv id goes astray only if every version of the preprint could be asked about."""
    astray = [it for it in case.weighed.traced if it.leads != "here"]
    is_preprint = bool(astray) and all(it.name == "arxiv" for it in astray)
    if is_preprint and plan.is_preprint_unheard(case.entry, case.answers):
        return _judged_as(known, "unchecked", unknown.tell_silence(["arxiv"], case))
    return None


def its_identifier_goes_astray(case: Case, known: Verdict) -> Verdict | None:
    """Its own registrar says so."""
    astray = [it for it in case.weighed.traced if it.leads != "here"]
    if not astray:
        return None
    reason = _tell_where_they_lead(astray, known)
    if not case.weighed.bound and unknown.find_excuse(case) is None:
        unlisted = replace(known, is_unknown=True, alternatives=tuple(merge(case.weighed.near)))
        return _judged_as(unlisted, "conflict", f"{reason}, and {_NOBODY}")
    return _judged_as(known, "conflict", reason)


def nobody_has_it(case: Case, known: Verdict) -> Verdict | None:
    """Nobody who should have the work has it."""
    if case.weighed.bound:
        return None
    if abstention := unknown.find_excuse(case):
        is_by_title = abstention.rule == unknown.is_on_record_by_others.__name__
        namesakes = tuple(merge(unknown.list_namesakes(case))) if is_by_title else ()
        return _abstained(replace(known, alternatives=namesakes), abstention)
    return _judged_as(replace(known, alternatives=tuple(merge(case.weighed.near))), "not-found", _NOBODY)


def all_records_contradict_it(case: Case, known: Verdict) -> Verdict | None:
    """Every record that has something to say on it contradicts the entry, and enough of them count."""
    differences = known.differences or tuple(_difference_of(it, case) for it in _list_believed(_alone(case), case))
    if not differences:
        return None
    reason = f"differs in {enumerate_names(it.field for it in differences)}"
    return _judged_as(replace(known, differences=differences), "mismatch", reason)


def its_identifier_was_not_heard(case: Case, known: Verdict) -> Verdict | None:
    """Whoever could say where the entry's identifier leads could not be asked."""
    silent = plan.list_unanswered(case.entry, case.answers)
    return _judged_as(known, "unchecked", unknown.tell_silence(silent, case)) if silent else None


def one_source_contradicts_it(case: Case, known: Verdict) -> Verdict | None:
    """If one source alone has another title or people, or under a DOI another year or place, the entry is unchecked.

    Where and when a work with a DOI came out its registry knows, and who gives the DOI has the place from there.
    """
    unlisted = _list_unlisted(case)  # fields of which an index that was not heard might have told more
    # `suspicions`: all fields in which a source contradicts the entry, if only one.
    possible = [it for it in case.suspicions if it.field not in unlisted]
    serious = [it for it in possible if it.field not in _LEFT_OPEN or _is_registered_otherwise(it, case)]
    if not serious:
        return None
    differing = " and ".join(_who_differs(case, it) for it in serious)
    return _judged_as(known, "unchecked", f"differs from {differing}, which no other service confirms")


def _is_registered_otherwise(view: FieldComparison, case: Case) -> bool:
    """Whether a record with a publisher's DOI, of what may be the cited publication, disagrees in this field."""
    opposed = [it for it in case.weighed.bound if it.tells_where and it.comparison.outcome(view.field) == "different"]
    dois = [it.record.identifiers.doi for it in opposed]
    return any(it and not it.startswith(PREPRINT_DOIS) for it in dois)


def _who_differs(case: Case, view: FieldComparison) -> str:
    """`OpenAlex and Semantic Scholar in title`."""
    return f"{' and '.join(map(_title, list_opponents(case.weighed, view)))} in {view.field}"


def who_could_tell_was_not_heard(case: Case, known: Verdict) -> Verdict | None:
    """A doubt that another service might have settled, which did not answer, leaves the entry unchecked."""
    is_doubtful = bool(case.suspicions) or claims_unconfirmed_venue(case.weighed)
    return (
        _judged_as(known, "unchecked", unknown.tell_silence(known.unavailable, case))
        if is_doubtful and known.unavailable
        else None
    )


def is_too_recent(case: Case, known: Verdict) -> Verdict | None:
    """For two years the silence of indexes on a publication says nothing, nor does the year of its preprint."""
    if not _is_unindexed(case):
        return None
    return _judged_as(known, "unchecked", "found as a preprint only; indexes may lack recent proceedings")


def is_found_elsewhere_alone(case: Case, known: Verdict) -> Verdict | None:
    """Only another printing of the work was found: that verifies nothing of the cited one."""
    if not are_other_versions(case.weighed):
        return None
    other = next(it.record for it in case.weighed.bound if it.is_elsewhere)
    place = other.venue or ("a book" if other.type in ("book", "chapter") else "another place")
    return _judged_as(known, "unchecked", f"found in {place}, {other.year}, but not where it is cited")


def nobody_names_its_people(case: Case, known: Verdict) -> Verdict | None:
    """People are verified by no record that names nobody, or whose list broke and lost most of those cited."""
    cited = read_authors(case.entry)
    if not cited or any(_names_people(it, len(cited)) for it in case.weighed.bound):
        return None
    return _judged_as(known, "unchecked", "found, but no service clearly names its authors")


def _names_people(bound: Bound, cited: int) -> bool:
    """Whether the record names people to compare with: of a list that broke, half of those `cited`, or no others."""
    if bound.comparison.field("authors").rule != is_a_broken_list.__name__:
        return bool(bound.record.authors)
    people = bound.comparison.people
    is_garbled = any(map(holds_commas, bound.record.authors))
    is_cut_off = not (is_garbled or people.dropped or people.replaced)
    return people.shared > 0 and (is_cut_off or 2 * people.shared >= cited)


def all_contradict_it_and_none_counts(case: Case, known: Verdict) -> Verdict | None:
    """A title, people or a venue that every record contradicts are not verified, even if no rule reports them.

    Not if a record names the cited publication beside its own: that speaks for the entry, whatever else differs.  The
    venue of a preprint and that of its publication do not contradict one another.
    """
    records = case.weighed.bound
    if any(it.publication == "listed" for it in records):  # as publications.py calls it
        return None
    for field in _TELLING:
        outcomes = {bound.comparison.outcome(field) for bound in records}
        outcomes.discard("unknown")
        if field == "venue":
            outcomes.discard("preprint")
        if outcomes == {"different"}:
            return _judged_as(known, "unchecked", f"no record agrees in {field}")
    return None


def nothing_contradicts(case: Case, known: Verdict) -> Verdict:
    """The work was found, and nothing that was compared contradicts the entry."""
    return replace(known, reason=_tell_without_title(case))


def _tell_without_title(case: Case) -> str:
    """Say by what a work was found whose title was not compared, so that nobody takes it for compared; "" if it was."""
    rules = {it.rule for it in case.weighed.bound}
    if rules.isdisjoint(_WITHOUT_TITLE):
        return ""
    what_is_missing = "no title is given" if has_no_title(case.entry) else "no title was read for certain"
    if any(it.by == "title" for it in case.weighed.bound):
        return f"{what_is_missing}; journal, volume, first page and first author are those of the work"
    return f"{what_is_missing}; its identifier leads to a work by its first author"


STEPS: tuple[Step, ...] = (
    is_retracted,
    an_earlier_version_was_not_heard,
    its_identifier_goes_astray,
    nobody_has_it,
    all_records_contradict_it,
    its_identifier_was_not_heard,
    one_source_contradicts_it,
    who_could_tell_was_not_heard,
    is_too_recent,
    is_found_elsewhere_alone,
    nobody_names_its_people,
    all_contradict_it_and_none_counts,
    nothing_contradicts,
)


def _list_believed(views: Sequence[FieldComparison], case: Case) -> list[FieldComparison]:
    """Return the fields in which records contradict the entry, without those that who was not heard might explain."""
    is_unindexed = _is_unindexed(case)
    # Whether the index that has everything of the venue has answered, if there is one that may be asked.
    is_heard = plan.is_heard_at_home(case.entry, case.answers, case.services)
    disbelieved = _list_unlisted(case)  # fields
    if is_unindexed:  # the year on record may be the preprint's
        disbelieved.add("year")
    # Crossref's silence alone speaks against the venue: it may lack a recent work, which the venue's own index has.
    if rests_on_silence(case.weighed) and (age.is_recent(case.entry, case.today) or not is_heard):
        disbelieved.add("venue")
    if plan.is_preprint_unheard(case.entry, case.answers):  # a version of it may have had the cited ones
        disbelieved.update(("title", "authors"))
    believed = [view for view in views if view.field not in disbelieved]
    if is_heard and not is_unindexed:
        return believed
    # Of a venue the outcome "preprint" says that only the preprint is on record: the index of the venue, if it was not
    # heard, or any index later, may have the publication.
    return [view for view in believed if view.outcome != "preprint"]


def _list_unlisted(case: Case) -> set[str]:
    """Return the fields of which an index that lists all printings might have told that the cited one is another."""
    is_unheard = plan.is_listing_unheard(case.entry, case.weighed, case.answers)
    return {"year", "venue"} if is_unheard else set()


def _is_unindexed(case: Case) -> bool:
    """True if a work was found as a preprint only, and is so recent that indexes may not have its publication yet.

    False if the entry names no year or no publication, or if its year lies further ahead than the next.
    """
    year = case.entry.year
    if not year or year > case.today.year + 1 or not age.is_recent(case.entry, case.today):
        return False
    # `certain=False`: also if so many sources know the preprint alone that the venue would count as wrong.
    return claims_unconfirmed_venue(case.weighed, certain=False)


def _difference_of(view: FieldComparison, case: Case) -> Difference:
    """Return the difference with its witnesses; for authors, also who is missing and who does not belong."""
    people = _compared_people(view, case) if view.field == "authors" else None
    return Difference(
        field=view.field,
        cited=view.cited,
        recorded=view.recorded,
        sources=_list_witnesses(view, case),
        detail=_tell_who_differs(people) if people else "",
        are_all_others=people is not None and not people.shared,
    )


def _compared_people(view: FieldComparison, case: Case) -> AuthorComparison | None:
    """Return the comparison of the cited people with those of the record whose list of authors the view shows."""
    for bound in case.weighed.bound:
        if list_people(bound.record.authors) == view.recorded:
            return bound.comparison.people
    return None


def _list_witnesses(view: FieldComparison, case: Case) -> tuple[str, ...]:
    """Return the sources on whose word the field is reported, by name; if no rule names them, all who disagree.

    If Crossref lacks the work in a venue of which it has all papers, the witnesses are those who have it elsewhere.
    """
    rulings = case.outcomes[view.field].rulings
    reports = [it for it in rulings if it.effect == "reports" and it.rule != its_registry_lacks_it.__name__]
    witnesses = {source for it in reports for source in it.sources}
    return tuple(sorted(witnesses)) or list_opponents(case.weighed, view)


def _tell_who_differs(people: AuthorComparison) -> str:
    """Say how the cited authors differ: `left out: J. Doe; not an author: A. Smith; in another order`.

    Only the parts that are so are said.
    """
    if not people.shared:
        return "all of them are other people"
    # `replaced` pairs a cited name with the recorded one that stands in its place.
    added = [*people.added, *(cited for cited, _ in people.replaced)]
    dropped = [*people.dropped, *(recorded for _, recorded in people.replaced)]
    parts: list[str] = []
    if dropped:
        parts.append(f"left out: {list_people(dropped)}")
    if added:
        parts.append(f"not an author: {list_people(added)}")
    if people.reordered:
        parts.append("in another order")
    return "; ".join(parts)


def _tell_where_they_lead(astray: Sequence[Traced], known: Verdict) -> str:
    """`the arXiv id and the DOI do not exist`, or of each where it leads."""
    called = [f"the {CALLED[it.name]}" for it in astray]
    if all(it.leads == "nowhere" for it in astray):
        names = list(dict.fromkeys(called))
        return f"{enumerate_names(names)} {'does' if len(names) == 1 else 'do'} not exist"
    return enumerate_names(dict.fromkeys(f"{name} {_lead(it, known)}" for name, it in zip(called, astray, strict=True)))


def _lead(traced: Traced, known: Verdict) -> str:
    if traced.leads == "nowhere":
        return "does not exist"
    return f"leads to {known.call_other(traced)}"


def _alone(case: Case) -> list[FieldComparison]:
    """Return the differences that are certain although one source alone tells of them."""
    if _is_all_there_is(case):
        return case.suspicions
    of_the_work = {"title", "authors"} if _belongs_to_others(case) else set()
    return [it for it in case.suspicions if it.field in of_the_work or _is_to_come(it, case)]


def _is_all_there_is(case: Case) -> bool:
    """Nobody who should has a work of the cited title; the one that was found differs in that alone."""
    required = [it for it in plan.BROAD if it in case.services]
    asked = len(required) >= 2 and set(required) <= set(case.weighed.searched)
    is_unfit = find_abstention(case.entry) or is_short(case.entry)
    if not asked or is_unfit or all(it.is_of_the_preprint for it in case.weighed.bound):
        return False
    return [it.field for it in case.suspicions] == ["title"]


def _is_to_come(view: FieldComparison, case: Case) -> bool:
    """True for a cited year beyond the next one: any source's word is enough against it."""
    return view.field == "year" and int(view.cited) > case.today.year + 1


def _belongs_to_others(case: Case) -> bool:
    """True if all who should have the cited work lack it, and what was found differs in too much to be it.

    An index may be wrong about who wrote a work, but hardly also about its title, its year or its venue.  Something was
    found: if nothing was, the step `nobody_has_it` has decided before.
    """
    # The silence of the indexes has to mean something for an entry like this one.
    if unknown.broad_index_was_not_heard(case) or find_abstention(case.entry) or unknown.is_new(case):
        return False
    # Several works may share a short title; and there may be another reason why those who answered lack the work.
    if len(words(case.entry.title)) < _TELLING_WORDS or unknown.find_gap(case):
        return False
    for bound in case.weighed.bound:  # records of a work with this title
        # It has other authors, and was found by its title and not by an identifier of the entry.
        is_by_others = bound.binding == "other people" and bound.by == "title"
        other_facts = [bound.comparison.outcome(field) for field in ("title", "year", "venue")]
        if not is_by_others or "different" not in other_facts:
            return False
    return True


def _merged(records: tuple[Record, ...]) -> Record | None:
    """One record of these; if they turn out to be of several works, of the one that most sources name."""
    if not records:
        return None
    works = merge(list(records))
    return max(works, key=lambda work: len(work.origins.get("title", ())))
