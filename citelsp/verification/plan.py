"""What to ask next of an entry, and when to stop.

Identifiers come first, and whatever else can be asked by identifier, as many entries then share a request.  An entry
without one is searched by title in one service after another, the likeliest first, and if nobody has the title, by
its people.  A record that agrees ends it; a difference is only believed when other sources were asked and do not take
the entry's side.
"""

import re
from collections.abc import Collection

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import DATACITE_DOIS, PREPRINT_DOIS
from citelsp.bibliography.tolerant_comparison.people import is_a_broken_list, read_authors
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.verification import control, journals
from citelsp.verification.differences import (
    are_other_versions,
    claims_unconfirmed_venue,
    differences,
    list_opponents,
    suspicions,
)
from citelsp.verification.evidence import (
    ARXIV_DOI,
    Answers,
    Bound,
    Weighed,
    find_own_identifier,
    identifiers_of,
)
from citelsp.verification.excuses.fitness import find_abstention, find_exemption, is_too_short_to_search
from citelsp.verification.excuses.identifier import (
    isbn_is_looked_up_of_books_alone,
    pmid_beside_a_doi_is_not_looked_up,
)
from citelsp.verification.question import Question, search
from citelsp.verification.untitled import cites_a_place, has_no_title, search_at_place
from citelsp.verification.weighing import weigh
from citelsp.verification.witnesses import CURATED

BROAD = ("crossref", "semantic_scholar", "openalex")  # each has most works of every field
_BROAD_WITHOUT_DOI = ("semantic_scholar", "openalex", "crossref")  # the same for works that seldom have a DOI
_SPECIAL = ("dblp", "arxiv", "europepmc")
_WITHOUT_DOI = frozenset(
    "NeurIPS ICML ICLR COLT AISTATS UAI CoRL ACML JMLR TMLR PMLR MLSys USENIX-Security OSDI NSDI arXiv COLM".split()
)
_OF_PLACES = ("crossref", "openalex")  # who can be asked for what stands at a place in print
_OPINIONS = 3  # sources heard at most on a difference
_MOST_VERSIONS = 6  # of a preprint that are looked at: the first ones, and the latest


def questions(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """Return the next questions, all independent of each other; none if the verdict can be given.

    Questions about the entry come first.  If the verdict then rests on what services lack, controls ask these for works
    that they certainly have: the silence of a service that lacks such a work, too, does not count.
    """
    heard = control.withdraw_mute_answers(answers)
    about_entry = _plan_for_entry(entry, heard, services)
    if about_entry:
        return about_entry
    # By all answers, as `heard` is without those to controls, by which it is seen what is still to be asked.
    controls = control.questions(answers) if _rests_on_absence(entry, heard) else ()
    return _choose_unanswered(controls, answers, services)


def _rests_on_absence(entry: Entry, answers: Answers) -> bool:
    """Whether it matters that a service has nothing: nobody has the work, or an identifier leads nowhere."""
    weighed = weigh(answers)
    if any(it.leads == "elsewhere" for it in weighed.traced):
        return False
    is_unknown = not weighed.bound and not find_exemption(entry)
    return is_unknown or any(it.leads == "nowhere" for it in weighed.traced)


def _plan_for_entry(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """Return the questions to ask next about the entry itself; none if nothing is left.

    Its identifiers are looked up first.  Then a work that was not found is searched for.  For one that was found a
    second source is asked if its records contradict the entry, are of another version or of a preprint alone, or name
    nobody; else only whether a cited preprint was published, and what the registrar of its DOI says.  `weighed.bound`
    are the records that are the entry's work.
    """
    if has_no_title(entry):
        return _plan_without_title(entry, answers, services)
    if is_too_short_to_search(entry):  # the title, and there is no identifier
        return ()
    steps = (
        _look_up_own_identifiers(entry),
        _look_up_silent_arxiv_at_datacite(entry, answers),
        _look_up_doubtful_doi(entry, answers),
        _look_up_earlier_versions(entry, answers),
    )
    for candidates in steps:
        fresh = _choose_unanswered(candidates, answers, services)
        if fresh:
            return fresh
    weighed = weigh(answers)
    if not weighed.bound:
        # The place in print (journal, volume, page) is surer than a title that was not read for certain.
        at_place = _search_at_its_place(entry, answers, services) if "title" in entry.unsure else ()
        return at_place or _next_search(entry, weighed, answers, services)
    if agrees(weighed) and not _is_anonymous(entry, weighed):
        return _choose_unanswered(
            [*_ask_whether_published(entry), *_look_up_at_registrar(entry, weighed)], answers, services
        )
    return _plan_second_opinion(entry, weighed, answers, services)


def _next_search(entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """Return one search for a work that was not found yet: by its title, by its people, then for its journal.

    Empty if nothing is left to search for.
    """
    leads_to_another_work = any(it.leads == "elsewhere" for it in weighed.traced)
    # If an identifier leads elsewhere, the search is only for the right identifier: two broad indexes are enough.
    if leads_to_another_work and len(set(BROAD) & set(weighed.searched)) >= 2:
        return ()
    candidates = [*_list_title_searches(entry, weighed, services), *_search_by_people(entry, weighed, services)]
    fresh = _choose_unanswered(candidates, answers, services)
    if fresh:
        return fresh[:1]
    # Not of a work that indexes may well lack, nor before Crossref and an aggregator have lacked it.
    if find_abstention(entry) or not journals.is_worth_asking(weighed):
        return ()
    return tuple(journals.next_questions(entry, answers, services))


def _plan_without_title(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """Return the questions to ask next about an entry without a title; none if nothing is left.

    Its identifiers are looked up first, and the earlier versions of a preprint whose people are others than those
    cited.  If these lead to nothing in print, one search is made for what stands at its place: journal, volume, first
    page.
    """
    for candidates in (
        _look_up_own_identifiers(entry),
        _look_up_silent_arxiv_at_datacite(entry, answers),
        _look_up_doubtful_doi(entry, answers),
        _look_up_earlier_versions(entry, answers),
    ):
        fresh = _choose_unanswered(candidates, answers, services)
        if fresh:
            return fresh
    is_in_print = any(not bound.is_preprint for bound in weigh(answers).bound)
    return () if is_in_print else _search_at_its_place(entry, answers, services)


def _search_at_its_place(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """Return a search for what stands at the entry's place in print; the next service of _OF_PLACES is asked.

    Empty if one of them has answered or all were asked, or if the entry does not say all that is needed (authors, year,
    journal, volume, first page).
    """
    if not cites_a_place(entry):
        return ()
    for service in _OF_PLACES:
        if service not in services:
            continue
        question = search_at_place(service, entry)
        if question not in answers:
            return (question,)
        has_answered = not isinstance(answers[question].lookup, Unavailable)
        if has_answered:
            return ()
    return ()


def _choose_unanswered(
    candidates: Collection[Question], answers: Answers, services: Collection[str]
) -> tuple[Question, ...]:
    """Return those of the questions that were not answered yet, and whose services may be asked."""
    return tuple(it for it in candidates if it.service in services and it not in answers)


def _look_up_own_identifiers(entry: Entry) -> list[Question]:
    """Return lookups of the entry's own identifiers, each at the service that is likeliest to know it.

    An arXiv DOI is not asked for, as the entry has its arXiv id as well.
    """
    own = entry.identifiers
    lookups: list[Question] = []
    if own.doi and not own.doi.startswith(ARXIV_DOI):
        lookups.append(Question("crossref", "doi", own.doi))
    if own.arxiv:
        lookups.append(Question("arxiv", "arxiv", own.arxiv))
    # Two rules that `citelsp help policy` lists say which of these are left out.
    if own.pmid and not pmid_beside_a_doi_is_not_looked_up(entry):
        lookups.append(Question("europepmc", "pmid", own.pmid))
    if own.isbn and not isbn_is_looked_up_of_books_alone(entry):
        lookups.append(Question("openlibrary", "isbn", own.isbn))
    return lookups


def _ask_whether_published(entry: Entry) -> list[Question]:
    """Return a lookup that tells whether what is cited as a preprint was published, as arXiv seldom knows."""
    arxiv = entry.identifiers.arxiv
    return [Question("semantic_scholar", "arxiv", arxiv)] if arxiv and _may_be_a_preprint(entry) else []


def _may_be_a_preprint(entry: Entry) -> bool:
    """True if an entry says of no place in print."""
    return not entry.venue or venues.is_preprint_server(entry.venue)


def _look_up_at_registrar(entry: Entry, weighed: Weighed) -> list[Question]:
    """Return a lookup, one at most, at Crossref of what a search found elsewhere: it knows the place and retractions.

    A preprint's DOI is looked up only if the entry may be a preprint itself, which may have been withdrawn.
    """
    if any(identifiers_of(entry)) or any(it.record.source == "crossref" for it in weighed.bound):
        return []
    # Crossref has no DOI of DATACITE_DOIS, whatever the entry is.
    of_others = DATACITE_DOIS if _may_be_a_preprint(entry) else PREPRINT_DOIS
    dois = (it.record.identifiers.doi for it in weighed.bound)
    return [Question("crossref", "doi", it) for it in dois if it and not it.startswith(of_others)][:1]


def _look_up_doubtful_doi(entry: Entry, answers: Answers) -> list[Question]:
    """Return the lookup of a DOI that Crossref lacks or could not tell: first at doi.org, whether it exists at all.

    If it does, or doi.org did not answer, it may be DataCite's.
    """
    doi = entry.identifiers.doi
    asked = answers.get(Question("crossref", "doi", doi))
    if not doi or asked is None or not isinstance(asked.lookup, Absent | Unavailable):
        return []
    exists = answers.get(Question("doi", "exists", doi))
    if exists is None:
        return [Question("doi", "exists", doi)]
    return [] if isinstance(exists.lookup, Absent) else [Question("datacite", "doi", doi)]


def _look_up_silent_arxiv_at_datacite(entry: Entry, answers: Answers) -> list[Question]:
    """Return the lookup at DataCite, which knows arXiv's preprints by their DOIs, of one for which arXiv was silent."""
    asked = answers.get(Question("arxiv", "arxiv", entry.identifiers.arxiv))
    silent = asked is not None and isinstance(asked.lookup, Unavailable)
    return [Question("datacite", "doi", ARXIV_DOI + entry.identifiers.arxiv)] if silent else []


def list_unanswered(entry: Entry, answers: Answers) -> list[str]:
    """List the services that could not say where an identifier of the entry leads, if nobody else could either."""
    silent = []
    for question in _look_up_own_identifiers(entry):
        exists = Question("doi", "exists", question.value)
        lookups = {it: answers[it] for it in answers if it == exists or find_own_identifier(entry, it) == question.kind}
        if not any(isinstance(answer.lookup, Found) for it, answer in lookups.items() if it != exists):
            silent += [it.service for it, answer in lookups.items() if isinstance(answer.lookup, Unavailable)]
    return list(dict.fromkeys(silent))


def is_registered(entry: Entry, answers: Answers) -> bool:
    """Whether somebody knows one of the entry's identifiers, whatever of."""
    exists = Question("doi", "exists", entry.identifiers.doi)
    asked = [it for it in answers if it == exists or find_own_identifier(entry, it)]
    return any(isinstance(answers[it].lookup, Found) for it in asked)


def _look_up_earlier_versions(entry: Entry, answers: Answers) -> list[Question]:
    """Return lookups of a preprint's earlier versions, if the latest has another title or other authors than the entry.

    The entry may agree with an earlier one.  Empty if arXiv has not answered yet, or has one version alone.
    """
    arxiv = entry.identifiers.arxiv
    latest = answers.get(Question("arxiv", "arxiv", arxiv))
    record = latest.traced.record if latest and latest.traced else None
    version = re.search(r"v(\d+)$", record.id) if record else None  # arXiv's ids of records end with it
    if latest is None or version is None:
        return []
    for bound in latest.bound:  # the latest version agrees: nothing else needs to be asked
        title_and_people = (bound.comparison.outcome("title"), bound.comparison.outcome("authors"))
        if "different" not in title_and_people:
            return []
    earlier = range(1, min(int(version[1]), _MOST_VERSIONS))
    return [Question("arxiv", "arxiv", f"{arxiv}v{number}") for number in earlier]


def _list_title_searches(entry: Entry, weighed: Weighed, services: Collection[str]) -> list[Question]:
    """Return the searches by title for a work that was not found, in the order in which they are to be made.

    The broad indexes come first, then the service that is at home in the work's field, which may know more.  If one of
    the broad ones did not answer, the services of all fields are asked instead.  Searches that were made already are
    among them: the caller drops these (`_choose_unanswered`).
    """
    broad = _BROAD_WITHOUT_DOI if not entry.venue or _is_without_doi(entry) else BROAD
    silent = {service for service, _ in weighed.unavailable}
    special: tuple[str, ...]
    if silent & set(BROAD):
        special = _SPECIAL
    elif find_exemption(entry) and not entry.is_pending:
        # Of a work of a kind that indexes seldom have, the silence of a fourth service says nothing either.  But a work
        # that waits to be published (`is_pending`) may be at arXiv.
        special = ()
    else:
        special = _choose_special_index(entry, services)
    # Semantic Scholar knows what has a DOI as well as Crossref: whichever is free is asked first.
    may_ask_semantic_scholar = "semantic_scholar" in services and "semantic_scholar" not in {*silent, *weighed.searched}
    searches: list[Question] = []
    for service in (*broad, *special):
        may_stand_in = service == "crossref" and may_ask_semantic_scholar
        searches.append(search(service, entry, instead=("semantic_scholar",) if may_stand_in else ()))
    return searches


def _is_without_doi(entry: Entry) -> bool:
    return bool(venues.identify(entry.venue).series & _WITHOUT_DOI)


def _search_by_people(entry: Entry, weighed: Weighed, services: Collection[str]) -> list[Question]:
    """If nobody has the title: what else these people published in those years, as the title may be wrong."""
    everywhere = set(BROAD) & set(services) <= set(weighed.searched)
    if not everywhere or len(read_authors(entry)) < 2 or not entry.year:
        return []
    return [Question("crossref", "people", entry.title, entry.authors[:3], entry.year)]


def list_required(entry: Entry, services: Collection[str]) -> list[str]:
    """List the services that must have answered before a work is said to be unknown.

    They are the broad indexes and the one that knows the work's field best.
    """
    return [it for it in dict.fromkeys((*BROAD, *_choose_special_index(entry, services))) if it in services]


def _choose_special_index(entry: Entry, services: Collection[str]) -> tuple[str, ...]:
    """Return the service that knows the entry's field best, as a tuple of one."""
    if not entry.venue or venues.is_preprint_server(entry.venue):
        return ("arxiv",)
    if entry.kind == "article" and not venues.identify(entry.venue).series:
        return ("europepmc",)
    return ("dblp",) if "dblp" in services else ("arxiv",)


def _is_anonymous(entry: Entry, weighed: Weighed) -> bool:
    """True if the entry names people, and no record that was found says clearly enough whether these wrote it."""
    return bool(entry.authors) and not any(_tells_people(entry, it) for it in weighed.bound)


def _tells_people(entry: Entry, bound: Bound) -> bool:
    """Whether its list is whole, or broke and still names everybody who is cited."""
    if bound.comparison.field("authors").rule == is_a_broken_list.__name__:
        return bound.comparison.people.shared >= len(read_authors(entry))
    return bool(bound.record.authors)


def agrees(weighed: Weighed) -> bool:
    """The work was found, nothing contradicts the entry, and what was found is no preprint or other version alone."""
    doubtful = suspicions(weighed) or claims_unconfirmed_venue(weighed) or are_other_versions(weighed)
    return bool(weighed.bound) and not doubtful


def _plan_second_opinion(
    entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str]
) -> tuple[Question, ...]:
    """Return the questions to ask next about a work whose records contradict the entry, or name no authors.

    Empty if enough is heard.  First come all lookups by the identifiers on record, then, if venue or year is in doubt,
    a search at an index of all printings, then one search at a time, at services that were not heard yet.
    """
    # Only other publications of the work were found, as of another year, which say nothing against the entry: search
    # for the cited one.  Suspicions are fields in which at least one source contradicts it.
    if are_other_versions(weighed) and not suspicions(weighed):
        return _choose_unanswered(_list_title_searches(entry, weighed, services), answers, services)[:1]
    # Those that could not be asked are among them, as they are not asked again.
    heard = {bound.record.source for bound in weighed.bound} | {service for service, _ in weighed.unavailable}
    recorded = [bound.record.identifiers for bound in weighed.bound]
    doi = next((identifiers.doi for identifiers in recorded if identifiers.doi), "")
    arxiv = next((identifiers.arxiv for identifiers in recorded if identifiers.arxiv), "")
    lookups = [question for question in _list_lookups(doi, arxiv) if question.service not in heard]
    fresh_lookups = _choose_unanswered(lookups, answers, services)
    if fresh_lookups:
        return fresh_lookups
    listings = _choose_unanswered(_searches_of_all_printings(entry, weighed), answers, services)
    if listings:
        return listings
    # Without a curated index no venue is wrong: of a doubted venue one is asked though the rest is settled.
    if is_settled(weighed) and not _is_uncurated(weighed):
        return ()
    order = _order_for_second_opinion(entry, weighed, services, has_doi=bool(doi))
    searches = [search(service, entry) for service in order if service not in heard]
    return _choose_unanswered(searches, answers, services)[:1]


def _order_for_second_opinion(entry: Entry, weighed: Weighed, services: Collection[str], *, has_doi: bool) -> list[str]:
    """List the services to search for a second opinion: the broad indexes, then the one that knows the entry's field.

    That one comes first if it is curated, and the venue is doubted and no curated index was heard: without such an
    index no venue is wrong, and with one no third source is needed.
    """
    broad = BROAD if has_doi else _BROAD_WITHOUT_DOI
    special = _choose_special_index(entry, services)
    if _is_uncurated(weighed) and CURATED.issuperset(special):
        return [*special, *broad]
    return [*broad, *special]


def _list_lookups(doi: str, arxiv: str) -> list[Question]:
    """Return all lookups of a work by its DOI and arXiv id, each "" if it is not known.

    The broad indexes are asked by the DOI; if there is none, those that can by the arXiv id, by which arXiv is asked in
    any case.
    """
    lookups = [Question(service, "doi", doi) for service in BROAD if doi]
    if arxiv:
        lookups.append(Question("arxiv", "arxiv", arxiv))
    if arxiv and not doi:
        lookups.append(Question("semantic_scholar", "arxiv", arxiv))
        lookups.append(Question("openalex", "doi", ARXIV_DOI + arxiv))
    return lookups


def _searches_of_all_printings(entry: Entry, weighed: Weighed) -> list[Question]:
    """Return a search at an index that lists all printings of a work, if its venue or its year is in doubt.

    The records so far may be of another printing than the cited one, of the preprint alone, or of what the same people
    published under the same title in another year.  It is one search at most; empty if neither is in doubt, or no such
    index covers it.
    """
    suspected = suspicions(weighed)
    doubted_venue = [difference for difference in suspected if difference.field == "venue"]
    is_preprint_alone = any(difference.outcome == "preprint" for difference in doubted_venue)
    if claims_unconfirmed_venue(weighed) or is_preprint_alone:
        return _search_index_of_venue(entry)
    is_of_another_year = any(it.field == "year" and it.outcome == "different" for it in suspected)
    # What the entry's own identifier leads to is the cited printing.
    if not (doubted_venue or is_of_another_year) or any(identifiers_of(entry)):
        return []
    if doubted_venue and _is_without_doi(entry):  # in Crossref, which lists works by their DOIs, it would not be
        return _search_index_of_venue(entry)
    # If the work has a DOI, so have its other printings, the poster and the paper: Crossref's hits list them all.
    has_doi = any(bound.record.identifiers.doi for bound in weighed.bound)
    return [search("crossref", entry)] if has_doi else []


def is_preprint_unheard(entry: Entry, answers: Answers) -> bool:
    """Whether the preprint whose id the entry gives, or an earlier version, should have been heard, and could not."""
    versions = (Question("arxiv", "arxiv", entry.identifiers.arxiv), *_look_up_earlier_versions(entry, answers))
    return any(it in answers and isinstance(answers[it].lookup, Unavailable) for it in versions)


def is_listing_unheard(entry: Entry, weighed: Weighed, answers: Answers) -> bool:
    """Whether an index that lists all printings of a work was asked, as venue or year are in doubt, and failed."""
    searches = _searches_of_all_printings(entry, weighed)
    return any(it in answers and isinstance(answers[it].lookup, Unavailable) for it in searches)


def _search_index_of_venue(entry: Entry) -> list[Question]:
    """Return a search at the index that has everything of the entry's venue: DBLP for computing; else empty."""
    return [search("dblp", entry)] if venues.is_of_computing(entry.venue) else []


def is_heard_at_home(entry: Entry, answers: Answers, services: Collection[str]) -> bool:
    """Whether who has everything of the venue answered, if there is such an index and it may be asked."""
    candidates = [it for it in _search_index_of_venue(entry) if it.service in services]
    return all(it in answers and not isinstance(answers[it].lookup, Unavailable) for it in candidates)


def _is_uncurated(weighed: Weighed) -> bool:
    """The cited venue is doubted, and nobody who names venues as they are printed has been heard on it."""
    doubted = any(it.field == "venue" and it.outcome == "different" for it in suspicions(weighed))
    return doubted and not any(it.record.source in CURATED for it in weighed.bound)


def is_settled(weighed: Weighed) -> bool:
    """Enough sources were heard on every difference, or two who are enough to believe it."""
    opinions = {it.record.source for it in weighed.bound}
    if len(opinions) >= _OPINIONS + ("arxiv" in opinions):
        return True
    if claims_unconfirmed_venue(weighed) or not suspicions(weighed):
        return False
    certain = {it.field for it in differences(weighed)}
    return all(it.field in certain and len(list_opponents(weighed, it)) >= 2 for it in suspicions(weighed))
