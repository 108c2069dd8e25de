"""What to ask next of an entry, and when to stop.

Identifiers come first, in batches that cost a fraction of a request each.  An entry without one is searched by title in
one service after another, the likeliest first.  A record that agrees ends it; a difference is only believed when a
second source does not contradict it.
"""

from collections.abc import Collection

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.knowledge import Absent, Unavailable
from citelsp.verification.differences import claims_unconfirmed_venue, differences
from citelsp.verification.question import Answers, Question
from citelsp.verification.weighing import Weighed, weigh

_WITHOUT_DOI = frozenset(
    "NeurIPS ICML ICLR COLT AISTATS UAI CoRL ACML JMLR TMLR PMLR MLSys USENIX-Security OSDI NSDI arXiv COLM".split()
)
_SEARCH = ("crossref", "semantic_scholar", "openalex", "dblp", "arxiv", "europepmc")
OPINIONS = 2  # further sources asked about a difference


def questions(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """The next questions, all independent of each other; none where the verdict can be given."""
    if not checkable(entry):
        return ()
    first = tuple(it for it in _own(entry) if it.service in services and it not in answers)
    if first:
        return first
    weighed = weigh(entry, answers)
    if doubt := tuple(it for it in _doubtful(entry, answers) if it.service in services and it not in answers):
        return doubt
    if not weighed.bound:
        return _search(entry, answers, services)
    if agrees(weighed):
        return ()
    return _second(entry, weighed, answers, services)


def checkable(entry: Entry) -> str:
    """The title to look for; "" where services cannot be expected to know the entry."""
    return entry.title if any(identifiers_of(entry)) or len(words(entry.title)) >= 3 else ""


def identifiers_of(entry: Entry) -> tuple[str, ...]:
    own = entry.identifiers
    return own.doi, own.arxiv, own.pmid, own.isbn


def _own(entry: Entry) -> list[Question]:
    own = entry.identifiers
    found = []
    if own.doi:
        found.append(Question("crossref", "doi", own.doi))
    if own.arxiv:
        found.append(Question("arxiv", "arxiv", own.arxiv))
    if own.pmid and not own.doi:
        found.append(Question("europepmc", "pmid", own.pmid))
    if own.isbn and not (own.doi or own.arxiv) and entry.kind in ("book", "collection", "mvbook"):
        found.append(Question("openlibrary", "isbn", own.isbn))
    return found


def _doubtful(entry: Entry, answers: Answers) -> list[Question]:
    """A DOI that Crossref lacks may be registered elsewhere, or not at all: doi.org knows."""
    doi = entry.identifiers.doi
    if not doi or not isinstance(answers.get(Question("crossref", "doi", doi)), Absent | Unavailable):
        return []
    exists = Question("doi", "exists", doi)
    if exists not in answers:
        return [exists]
    return [] if isinstance(answers[exists], Absent) else [Question("datacite", "doi", doi)]


def _search(entry: Entry, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """The next service to search; one at a time, since the first usually knows."""
    asked = [it for it in answers if it.kind == "title"]
    wanted = [Question(it, "title", entry.title) for it in order(entry) if it in services]
    return tuple(it for it in wanted if it not in asked)[:1]


def order(entry: Entry) -> tuple[str, ...]:
    """Services to search by title, the one that most likely knows this kind of work first."""
    venue = venues.identify(entry.venue)
    if venue.series & _WITHOUT_DOI or not entry.venue:
        return ("semantic_scholar", "openalex", "crossref", "arxiv", "dblp", "europepmc")
    return _SEARCH


def agrees(weighed: Weighed) -> bool:
    """Nothing that was asked contradicts the entry."""
    return (
        bool(weighed.bound)
        and all(it.leads == "here" for it in weighed.traced)
        and not differences(weighed)
        and not claims_unconfirmed_venue(weighed)
    )


def _second(entry: Entry, weighed: Weighed, answers: Answers, services: Collection[str]) -> tuple[Question, ...]:
    """Another source's view of the work found, by its identifier where it has one."""
    known = [it.record.identifiers for it in weighed.bound]
    doi = next((it.doi for it in known if it.doi), "")
    arxiv = next((it.arxiv for it in known if it.arxiv), "")
    opinions = {it.record.source for it in weighed.bound}
    if len(opinions) > OPINIONS:
        return ()
    wanted = [Question("crossref", "doi", doi)] if doi else []
    wanted += [Question("semantic_scholar", "doi", doi)] if doi else []
    wanted += [Question("openalex", "doi", doi)] if doi else []
    wanted += [Question("arxiv", "arxiv", arxiv), Question("semantic_scholar", "arxiv", arxiv)] if arxiv else []
    wanted += [Question(it, "title", entry.title) for it in order(entry)]
    silent = {it.service for it, answer in answers.items() if isinstance(answer, Unavailable)}
    fresh = [
        it for it in wanted if it not in answers and it.service in services and it.service not in opinions | silent
    ]
    return tuple(fresh[:1])
