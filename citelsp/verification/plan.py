"""What to ask next of an entry, and when to stop.

Identifiers come first, and whatever else can be asked by identifier, as many entries then share a request.  An entry
without one is searched by title in one service after another, the likeliest first, and if nobody has the title, by
its people.  A record that agrees ends it; a difference is only believed when other sources were asked and do not take
the entry's side.
"""

import re
from collections.abc import Collection

from citelsp.bibliography import venues
from citelsp.bibliography.compare import is_a_broken_list, readable
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import PREPRINT_DOIS
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
from citelsp.verification.fields.fitness import find_abstention, find_exemption, is_too_short_to_search
from citelsp.verification.fields.identifier import (
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
_MOST_VERSIONS = 6  # of a preprint that are asked for


def questions(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """The next questions, all independent of each other; none if the verdict can be given."""
    heard = control.withdraw_mute_answers(answers)
    if asked := _about(entry, heard, services):
        return asked
    controls = control.questions(answers) if _rests_on_absence(entry, heard) else ()
    return _fresh(controls, answers, services)


def _rests_on_absence(entry: Entry, answers: Answers) -> bool:
    """Whether it matters that a service has nothing: nobody has the work, or an identifier leads nowhere."""
    weighed = weigh(answers)
    if any(it.leads == "elsewhere" for it in weighed.traced):
        return False
    is_unknown = not weighed.bound and not find_exemption(entry)
    return is_unknown or any(it.leads == "nowhere" for it in weighed.traced)


def _about(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """What to ask about the entry itself."""
    if has_no_title(entry):
        return _without_title(entry, answers, services)
    if not checkable(entry):
        return ()
    weighed = weigh(answers)
    for candidates in (_own(entry), _mirrored(entry, answers), _doubtful(entry, answers), _versions(entry, answers)):
        if fresh := _fresh(candidates, answers, services):
            return fresh
    if not weighed.bound:
        return _next_search(entry, weighed, answers, services)
    if agrees(weighed) and not _is_anonymous(entry, weighed):
        return _fresh([*_published(entry), *_registered(entry, weighed)], answers, services)
    return _second(entry, weighed, answers, services)


def _next_search(entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """One search for a work that was not found yet: by title, by people, then whether its journal is held at all."""
    astray = any(it.leads == "elsewhere" for it in weighed.traced)
    if astray and len(set(BROAD) & set(weighed.searched)) >= 2:  # the search is for the right identifier alone
        return ()
    candidates = [*_searches(entry, weighed, services), *_by_people(entry, weighed, services)]
    if fresh := _fresh(candidates, answers, services):
        return fresh[:1]
    if find_abstention(entry) or not journals.is_worth_asking(weighed):
        return ()
    return tuple(journals.questions(entry, answers, services))


def _without_title(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """By identifiers, and if these lead to nothing in print, by the place there: at the first service that answers."""
    for candidates in (_own(entry), _mirrored(entry, answers), _doubtful(entry, answers)):
        if fresh := _fresh(candidates, answers, services):
            return fresh
    is_in_print = any(not it.is_preprint for it in weigh(answers).bound)
    if is_in_print or not cites_a_place(entry):
        return ()
    for service in _OF_PLACES:
        question = search_at_place(service, entry)
        if service not in services or (question in answers and isinstance(answers[question].lookup, Unavailable)):
            continue
        return () if question in answers else (question,)
    return ()


def _fresh(candidates: Collection[Question], answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    return tuple(it for it in candidates if it.service in services and it not in answers)


def checkable(entry: Entry) -> str:
    """The title to look for; "" if services cannot be expected to know the entry."""
    return entry.title if not is_too_short_to_search(entry) else ""


def _own(entry: Entry) -> list[Question]:
    """Lookups of the entry's own identifiers, each at who registers them; an arXiv DOI is asked for as its arXiv id."""
    own = entry.identifiers
    found = []
    if own.doi and not own.doi.startswith(ARXIV_DOI):
        found.append(Question("crossref", "doi", own.doi))
    if own.arxiv:
        found.append(Question("arxiv", "arxiv", own.arxiv))
    if own.pmid and not pmid_beside_a_doi_is_not_looked_up(entry):
        found.append(Question("europepmc", "pmid", own.pmid))
    if own.isbn and not isbn_is_looked_up_of_books_alone(entry):
        found.append(Question("openlibrary", "isbn", own.isbn))
    return found


def _published(entry: Entry) -> list[Question]:
    """Whether what is cited as a preprint has been published, as arXiv seldom knows."""
    arxiv = entry.identifiers.arxiv
    claimed = not entry.venue or venues.is_preprint_server(entry.venue)
    return [Question("semantic_scholar", "arxiv", arxiv)] if claimed and arxiv else []


def _registered(entry: Entry, weighed: Weighed) -> list[Question]:
    """The registry's own record of what a search found elsewhere: it knows the place in print, and retractions."""
    if any(identifiers_of(entry)) or any(it.record.source == "crossref" for it in weighed.bound):
        return []
    dois = (it.record.identifiers.doi for it in weighed.bound)
    return [Question("crossref", "doi", it) for it in dois if it and not it.startswith(PREPRINT_DOIS)][:1]


def _doubtful(entry: Entry, answers: Answers) -> list[Question]:
    """A DOI that Crossref lacks may be registered elsewhere, or not at all: doi.org knows."""
    doi = entry.identifiers.doi
    asked = answers.get(Question("crossref", "doi", doi))
    if not doi or asked is None or not isinstance(asked.lookup, Absent | Unavailable):
        return []
    exists = answers.get(Question("doi", "exists", doi))
    if exists is None:
        return [Question("doi", "exists", doi)]
    return [] if isinstance(exists.lookup, Absent) else [Question("datacite", "doi", doi)]


def _mirrored(entry: Entry, answers: Answers) -> list[Question]:
    """DataCite knows arXiv's preprints by their DOIs."""
    asked = answers.get(Question("arxiv", "arxiv", entry.identifiers.arxiv))
    silent = asked is not None and isinstance(asked.lookup, Unavailable)
    return [Question("datacite", "doi", ARXIV_DOI + entry.identifiers.arxiv)] if silent else []


def list_unanswered(entry: Entry, answers: Answers) -> list[str]:
    """Services that could not say where an identifier of the entry leads, where nobody else could."""
    silent = []
    for question in _own(entry):
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


def _versions(entry: Entry, answers: Answers) -> list[Question]:
    """Earlier versions of a preprint whose latest one has another title or other authors than the entry."""
    latest = answers.get(Question("arxiv", "arxiv", entry.identifiers.arxiv))
    record = latest.traced.record if latest and latest.traced else None
    version = re.search(r"v(\d+)$", record.id) if record else None  # arXiv's ids of records end with it
    if latest is None or version is None:
        return []
    for bound in latest.bound:
        if "different" not in (bound.comparison.outcome("title"), bound.comparison.outcome("authors")):
            return []
    earlier = range(1, min(int(version[1]), _MOST_VERSIONS))
    return [Question("arxiv", "arxiv", f"{entry.identifiers.arxiv}v{it}") for it in earlier]


def _searches(entry: Entry, weighed: Weighed, services: Collection[str]) -> list[Question]:
    """Services to search by title, the one that most likely knows this kind of work first.

    What three broad indexes do not have, one that is at home in the field may know; if one of the three did not
    answer, all the others are asked instead.  No fourth is asked for what indexes seldom have, as its silence would say
    nothing; works that wait to be published excepted, which may be at arXiv.
    """
    broad = _BROAD_WITHOUT_DOI if not entry.venue or _is_without_doi(entry) else BROAD
    silent = {name for name, _ in weighed.unavailable}
    special: tuple[str, ...]
    if silent & set(BROAD):
        special = _SPECIAL
    elif find_exemption(entry) and not entry.is_pending:
        special = ()
    else:
        special = _at_home(entry, services)
    # Semantic Scholar knows what has a DOI as well as Crossref: whichever is free is asked first.
    is_open = "semantic_scholar" in services and "semantic_scholar" not in {*silent, *weighed.searched}
    instead_of_crossref = ("semantic_scholar",) if is_open else ()
    return [search(it, entry, instead_of_crossref if it == "crossref" else ()) for it in (*broad, *special)]


def _is_without_doi(entry: Entry) -> bool:
    return bool(venues.identify(entry.venue).series & _WITHOUT_DOI)


def _by_people(entry: Entry, weighed: Weighed, services: Collection[str]) -> list[Question]:
    """If nobody has the title: what else these people published in those years, as the title may be wrong."""
    everywhere = set(BROAD) & set(services) <= set(weighed.searched)
    if not everywhere or len(readable(entry)) < 2 or not entry.year:
        return []
    return [Question("crossref", "people", entry.title, entry.authors[:3], entry.year)]


def list_required(entry: Entry, services: Collection[str]) -> list[str]:
    """Who must have answered before a work is said to be unknown: the broad indexes, and who knows the field best."""
    return [it for it in dict.fromkeys((*BROAD, *_at_home(entry, services))) if it in services]


def _at_home(entry: Entry, services: Collection[str]) -> tuple[str, ...]:
    """The service that knows the entry's field best."""
    if not entry.venue or venues.is_preprint_server(entry.venue):
        return ("arxiv",)
    if entry.kind == "article" and not venues.identify(entry.venue).series:
        return ("europepmc",)
    return ("dblp",) if "dblp" in services else ("arxiv",)


def _is_anonymous(entry: Entry, weighed: Weighed) -> bool:
    """The entry names people, and no record that was found says clearly enough whether these wrote it."""
    return bool(entry.authors) and not any(_tells_people(entry, it) for it in weighed.bound)


def _tells_people(entry: Entry, bound: Bound) -> bool:
    """Whether its list is whole, or broke and still names everybody who is cited."""
    if bound.comparison.field("authors").rule == is_a_broken_list.__name__:
        return bound.comparison.people.shared >= len(readable(entry))
    return bool(bound.record.authors)


def agrees(weighed: Weighed) -> bool:
    """Nothing that was found of the work contradicts the entry; where its identifiers lead is known for certain."""
    doubtful = suspicions(weighed) or claims_unconfirmed_venue(weighed) or are_other_versions(weighed)
    return bool(weighed.bound) and not doubtful


def _second(entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """Other sources' views of the work found: all that can be asked by its identifiers, then one search at a time."""
    if are_other_versions(weighed) and not suspicions(weighed):
        return _fresh(_searches(entry, weighed, services), answers, services)[:1]
    heard = {it.record.source for it in weighed.bound} | {name for name, _ in weighed.unavailable}
    recorded = [it.record.identifiers for it in weighed.bound]
    doi = next((it.doi for it in recorded if it.doi), "")
    arxiv = next((it.arxiv for it in recorded if it.arxiv), "")
    candidates = [Question(it, "doi", doi) for it in BROAD if doi]
    if arxiv:
        candidates += [Question("arxiv", "arxiv", arxiv)]
    if arxiv and not doi:
        candidates += [Question("semantic_scholar", "arxiv", arxiv), Question("openalex", "doi", ARXIV_DOI + arxiv)]
    if lookups := [it for it in _fresh(candidates, answers, services) if it.service not in heard]:
        return tuple(lookups)
    if listing := _fresh(_listing(entry, weighed), answers, services):
        return listing
    if is_settled(weighed) and not _is_uncurated(weighed):
        return ()
    order = [*(BROAD if doi else _BROAD_WITHOUT_DOI), *_at_home(entry, services)]
    if _is_uncurated(weighed):  # without a curated index no venue is wrong, and with one no third source is needed
        order.sort(key=lambda it: it not in CURATED or it in BROAD)
    searches = _fresh([search(it, entry) for it in order], answers, services)
    return tuple(it for it in searches if it.service not in heard)[:1]


def _listing(entry: Entry, weighed: Weighed) -> list[Question]:
    """Who lists all printings, where what one search led to may be another than the cited one, or its preprint.

    What has a DOI is in Crossref's list of hits, the poster as well as the paper.
    """
    doubted_venue = [it for it in suspicions(weighed) if it.field == "venue"]
    if claims_unconfirmed_venue(weighed) or any(it.outcome == "preprint" for it in doubted_venue):
        return _index_of(entry)
    if not doubted_venue or any(identifiers_of(entry)):
        return []
    if _is_without_doi(entry):
        return _index_of(entry)
    return [search("crossref", entry)] if any(it.record.identifiers.doi for it in weighed.bound) else []


def is_preprint_unheard(entry: Entry, answers: Answers) -> bool:
    """Whether the preprint whose id the entry gives, or an earlier version, should have been heard, and could not."""
    versions = (Question("arxiv", "arxiv", entry.identifiers.arxiv), *_versions(entry, answers))
    return any(it in answers and isinstance(answers[it].lookup, Unavailable) for it in versions)


def _index_of(entry: Entry) -> list[Question]:
    """Who has everything that appeared in a great venue."""
    return [search("dblp", entry)] if venues.is_of_computing(entry.venue) else []


def is_heard_at_home(entry: Entry, answers: Answers, services: Collection[str]) -> bool:
    """Whether who has everything of the venue answered, if there is such an index and it may be asked."""
    candidates = [it for it in _index_of(entry) if it.service in services]
    return all(it in answers and not isinstance(answers[it].lookup, Unavailable) for it in candidates)


def _is_uncurated(weighed: Weighed) -> bool:
    """Nobody who names venues as they are printed has been heard on the cited one."""
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
