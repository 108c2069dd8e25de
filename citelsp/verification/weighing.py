"""Which of the records that came back are the work that an entry means.

A record is bound before anything is compared; an answer is judged once, and all answers are weighed together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from citelsp.bibliography import record_quality, venues
from citelsp.bibliography.as_recorded import as_recorded
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.group_names import are_teams
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import author_lists, titles
from citelsp.bibliography.tolerant_comparison.all_fields import Comparison, compare
from citelsp.bibliography.tolerant_comparison.people import is_a_broken_list
from citelsp.bibliography.tolerant_comparison.venue import find_venue_name
from citelsp.knowledge import Found, Lookup, Ruling, Traced, Unavailable
from citelsp.verification import publications, untitled
from citelsp.verification.binding import bind
from citelsp.verification.evidence import Answer, Answers, Binding, Bound, Other, Weighed, find_own_identifier
from citelsp.verification.excuses import identifier
from citelsp.verification.question import Kind, Question

_LIKE = 0.55  # titles less alike than this are no candidates for one another
_OTHERS = 8  # records of other works at most that are looked at again


def judge(entry: Entry, question: Question, lookup: Lookup) -> Answer:
    """Sort the records that a service answered into those that are the entry's work (bound) and other works.

    If one of the entry's identifiers was asked for, the answer also says where it leads.  This is done once for each
    answer, as comparing costs more than all the rest.
    """
    bound: list[Bound] = []
    others: list[Other] = []
    for recorded in lookup.records if isinstance(lookup, Found) else ():
        judged = _judge_record(entry, question, _under_cited_title(entry, recorded))
        if isinstance(judged, Bound):
            bound.append(judged)
        else:
            others.append(judged)
    trail = identifier.trace(entry, question, lookup, bound)
    return Answer(lookup, tuple(bound), tuple(others), trail.traced, trail.excuse)


def _judge_record(entry: Entry, question: Question, record: Record) -> Bound | Other:
    """Tell whether a record that answers the question is the entry's work, and then which publication of it."""
    by = find_own_identifier(entry, question) or "title"  # the entry's identifier that was asked for, if it was one
    # A DOI that was asked for and is not the entry's own was found in a record of the work.
    is_by_the_works_doi = by == "title" and question.kind == "doi"
    # A printed reference was cut into fields by signs: title, venue and people are read anew by this record.
    read = _without_misread_title(as_recorded(entry, record), record)
    comparison = compare(read, record)
    # Whether it is the work, by title and people, and the rule that says so.
    bond = bind(read, record, comparison, by_identifier=by != "title", by_the_works_doi=is_by_the_works_doi)
    if bond.binding == "other":
        return Other(record, _nearness(comparison), bond.rule)
    # For other people's names alone `tell_publication` might call it a reprint, which contradicts nothing.
    may_be_another = bond.binding != "other people" and _may_be_another_publication(by, comparison)
    # Unless another publication of the work is possible, the record is taken for the cited one.
    publication = publications.tell_publication(record, comparison, entry.kind) if may_be_another else "cited"
    return Bound(
        record,
        comparison,
        bond.binding,
        by,
        cited_as=_cited_kind(entry),
        cited_in=_says_where(entry),
        publication=publication,
        rule=bond.rule,
        unsure=entry.unsure,
    )


def _cited_kind(entry: Entry) -> str:
    """Return the entry's kind; `software` also for a @misc by a team, which keeps bringing it out under one name."""
    return "software" if entry.kind == "misc" and are_teams(entry.authors) else entry.kind


def _under_cited_title(entry: Entry, record: Record) -> Record:
    """Return the record under the one of its titles that the entry gives; unchanged if the entry gives none of them."""
    for title in (record.title, *record.other_titles) if record.other_titles else ():
        if titles.compare(entry.title, title) in ("same", "looser"):
            return replace(record, title=title)
    return record


def _without_misread_title(entry: Entry, record: Record) -> Entry:
    """Return the entry without its title if this was misread, and unchanged if not.

    It was misread if it was not read for certain, and differs from that of a record which stands at the entry's place
    in print: only one work begins at one page of one volume of a journal.  As the list of authors ends where the title
    begins, those that were read need not be all; hence `and others`.
    """
    if "title" not in entry.unsure:
        return entry
    comparison = compare(entry, record)
    has_the_title = comparison.outcome("title") in ("same", "looser")
    if has_the_title or not untitled.stands_at_its_place(entry, record, comparison):
        return entry
    misread = {"title": "", "author": f"{entry.value('author')} and others"}
    return replace(entry, stated=tuple((dict(entry.stated) | misread).items()))


def _may_be_another_publication(by: Kind, comparison: Comparison) -> bool:
    """True unless the entry's own identifier, by which a record was found, says that it is the cited publication.

    `by` is "title" if no identifier of the entry led to the record.
    """
    if by == "title":
        return True
    if by == "arxiv":
        # To an arXiv id aggregators give where the work was printed, which may be elsewhere than cited.
        return comparison.outcome("venue") == "different"
    return publications.is_printed_twice(comparison)


def weigh(answers: Answers) -> Weighed:
    """Sum up all answers to an entry's questions: which records are its work, where its identifiers lead, who spoke.

    A service is named once for all that it answered, and once for each reason why it did not; the order in which
    answers came does not matter.
    """
    ordered = sorted(answers.items(), key=lambda pair: _place_of(pair[0]))
    bound: list[Bound] = []
    traced: list[Traced] = []
    answered: dict[str, None] = {}
    unavailable: dict[tuple[str, str], None] = {}
    searched: list[str] = []
    for question, answer in ordered:
        bound += answer.bound
        if answer.traced:
            traced.append(answer.traced)
        if isinstance(answer.lookup, Unavailable):
            unavailable[question.service, answer.lookup.why] = None
            continue
        answered[question.service] = None
        if question.kind == "title":
            searched.append(question.service)
    # Of all records of the work those count that fit it best; then it is seen, by what they say together, whether their
    # lists of authors are whole, and of which publication each is.
    closest = _confirm_lists(_keep_closest(bound))
    return Weighed(
        bound=_doubt_reprints(_place_by_doi(closest)),
        # Without those that go astray only by doubtful answers: of these `doubt` names a rule, else it gives "".
        traced=tuple(lead for lead in traced if not identifier.doubt(lead, traced, answers)),
        others=_list_nearest([answer for _, answer in ordered]),
        excused=(*_list_excuses(ordered), *_list_doubts(traced, answers)),
        answered=tuple(answered),
        unavailable=tuple(unavailable),
        searched=tuple(searched),
    )


def _place_of(question: Question) -> tuple[bool, str, str, str]:
    """Return the key by which answers are sorted: lookups before searches, then by service, kind and value."""
    return question.is_search, question.service, question.kind, question.value


def _list_nearest(answers: Sequence[Answer]) -> tuple[Other, ...]:
    """Return the other works that came back and might be meant, at most _OTHERS, the likeliest first."""
    others = list[Other]()
    for answer in answers:
        others += (it for it in answer.others if it.nearness >= _LIKE)
    return tuple(sorted(others, key=lambda it: -it.nearness)[:_OTHERS])


def _list_excuses(answers: Sequence[tuple[Question, Answer]]) -> Iterator[Ruling]:
    for question, answer in answers:
        if answer.excuse:
            yield Ruling("identifier", answer.excuse, "excuses", (question.service,))


def _list_doubts(traced: Sequence[Traced], answers: Answers) -> list[Ruling]:
    """List the rules by which it is doubtful that an identifier leads elsewhere, or nowhere, as some source says.

    What is doubtful is not held against the entry.  Left out are identifiers of which some source says so beyond doubt.
    """
    doubted = [(lead, identifier.doubt(lead, traced, answers)) for lead in traced]  # with "" if no rule holds
    beyond_doubt = {lead.name for lead, rule in doubted if lead.leads != "here" and not rule}
    sources_by_rule: dict[str, list[str]] = {}
    for lead, rule in doubted:
        if rule and lead.name not in beyond_doubt:
            sources_by_rule.setdefault(rule, []).append(lead.source)
    return [Ruling("identifier", rule, "excuses", tuple(dict.fromkeys(it))) for rule, it in sources_by_rule.items()]


def _nearness(comparison: Comparison) -> float:
    """Return how likely another work is meant: by its title, and more if people, year and venue are the cited ones."""
    people = comparison.people
    known = people.same and people.shared >= 2 and comparison.outcome("year") in ("same", "looser")
    return comparison.likeness + (0.5 if known else 0) + (0.2 if known and comparison.outcome("venue") == "same" else 0)


def _keep_closest(bound: list[Bound]) -> tuple[Bound, ...]:
    """Keep the records with the closest binding that any has: the others are works of like title, and are dropped.

    Kept are also those to which the entry's own identifier leads, and those with the DOI of a closest record that names
    nobody, as that is silent on whose work it is.
    """
    order: tuple[Binding, ...] = ("same", "reworded", "other people")  # the closest first
    closest = next((binding for binding in order if any(it.binding == binding for it in bound)), None)
    nameless = {it.record.identifiers.doi for it in bound if it.binding == closest and not it.record.authors} - {""}

    def is_of_the_work(one: Bound) -> bool:
        return one.binding == closest or one.by != "title" or one.record.identifiers.doi in nameless

    return tuple(filter(is_of_the_work, bound))


def _confirm_lists(bound: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """Let people differ from the entry's where a list that seemed to be cut off is whole after all.

    It is whole if a source that lists everybody names the same people.
    """
    complete = [it for it in bound if it.record.source in record_quality.COMPLETE]
    whole = [it.record.authors for it in complete if it.comparison.outcome("authors") == "different"]
    return tuple(_compare_people(it) if _is_confirmed(it, whole) else it for it in bound) if whole else bound


def _is_confirmed(bound: Bound, whole: Sequence[Sequence[Name]]) -> bool:
    comparison = bound.comparison
    has_broken_list = comparison.field("authors").rule == is_a_broken_list.__name__
    if not has_broken_list or comparison.people.same:
        return False
    return any(author_lists.compare(bound.record.authors, people).same for people in whole)


def _compare_people(bound: Bound) -> Bound:
    """Return the record with its people as "different" from those cited, so that they may contradict the entry."""
    compared = []
    for field in bound.comparison.fields:
        is_of_people = field.field == "authors"
        compared.append(replace(field, outcome="different", rule="") if is_of_people else field)
    return replace(bound, comparison=replace(bound.comparison, fields=tuple(compared)))


def _place_by_doi(bound: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """Take a record that does not say where it came out for the publication that others have under its DOI.

    A DOI is of one publication, so any of its records tells.  Only publications other than the cited one count here.
    """
    elsewhere = {it.record.identifiers.doi: it.publication for it in bound if it.is_elsewhere}
    placed: list[Bound] = []
    for one in bound:
        doi = one.record.identifiers.doi
        is_silent = one.publication == "unsure" and one.comparison.outcome("venue") == "unknown"
        placed.append(replace(one, publication=elsewhere[doi]) if is_silent and doi and doi in elsewhere else one)
    return tuple(placed)


def _doubt_reprints(bound: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """DBLP lists every printing in the venues that it holds: if it has the work, and not that one, there is none."""
    listed = [it for it in bound if it.record.source == "dblp" and it.record.type != "preprint"]
    if not listed or not all(it.publication == "reprint" and _is_in_dblp(it) for it in listed):
        return bound
    return tuple(replace(it, publication="unsure") if it.publication == "reprint" else it for it in bound)


def _is_in_dblp(bound: Bound) -> bool:
    return venues.is_of_computing(bound.comparison.field("venue").cited)


def _says_where(entry: Entry) -> bool:
    """True if the entry says where its work was published: a venue, or for want of one a volume and pages."""
    place = find_venue_name(entry)
    return not venues.is_preprint_server(place) if place else bool(entry.text("volume") and entry.text("pages"))
