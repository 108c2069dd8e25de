"""Whether a service that lacks something can be believed: it is asked for something that it certainly has.

A service whose answers broke says "nothing found" to everything.  How many works of a list it lacks tells nothing of
that, as lists are invented as a whole; so who has brought no work in a run is asked once for one that everybody has.
doi.org is asked for a DOI of the same registrar, which the prefix tells.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.sources import service_specs
from citelsp.verification.evidence import Answer, Answers
from citelsp.verification.question import Question

TITLE = "Densely Connected Convolutional Networks"  # one of the most cited papers, with a DOI
AUTHORS = (Name("Huang", "Gao"), Name("Liu", "Zhuang"), Name("van der Maaten", "Laurens"))
YEAR = 2017
DOI = "10.1109/cvpr.2017.243"
AGENCIES = MappingProxyType(  # a DOI of each registrar; doi.org answers from what each of them has registered
    {
        "Crossref": DOI,
        "DataCite": "10.48550/arxiv.1706.03762",
        "mEDRA": "10.1430/8105",
        "JaLC": "10.11467/isss2003.7.1_11",
        "KISTI": "10.5012/bkcs.2013.34.10.2889",
        "ISTIC": "10.3866/pku.whxb201112303",
        "OP": "10.2903/j.efsa.2014.3550",
    }
)
ARXIV = "1706.03762"
_WHY = "its answers cannot be trusted now, as it does not find a well-known work"
_HOLDERS = frozenset({"crossref", "semantic_scholar", "openalex", "dblp"})


def questions(answers: Answers) -> list[Question]:
    """Return the controls that are still to be asked of services whose silence a verdict would rest on.

    A control asks for something that the service has, to see whether its silence can be believed.
    """
    needed = (it for question, answer in answers.items() for it in _controls(question, answer, answers))
    return [it for it in dict.fromkeys(needed) if it not in answers]


def withdraw_mute_answers(answers: Answers) -> Mapping[Question, Answer]:
    """Return the answers to the entry's own questions, without those to controls.

    If a service did not find what it certainly has, its silence counts for nothing: it becomes unavailable.
    """
    broken = {it for it, answer in answers.items() if _is_broken(it, answer)}
    own = {it: answer for it, answer in answers.items() if not it.is_control}
    if not broken:
        return own
    doubtful = {it for it, answer in own.items() if not broken.isdisjoint(_controls(it, answer, answers))}
    return {it: _doubted(it) if it in doubtful else answer for it, answer in own.items()}


def agency_of(question: Question) -> str:
    """Return the registrar of the DOI that is asked for as a control; "" for any other question."""
    return next((agency for agency, doi in AGENCIES.items() if question.kind == "exists" and doi == question.value), "")


def _is_broken(question: Question, answer: Answer) -> bool:
    """Whether a service lacks what it certainly has; a prefix may be nobody's."""
    return question.is_control and question.kind != "agency" and isinstance(answer.lookup, Absent)


def _doubted(question: Question) -> Answer:
    return Answer(Unavailable(question.service, _WHY))


def _controls(question: Question, answer: Answer, answers: Answers) -> Iterator[Question]:
    """Yield the next control of a question to which a service had nothing; none if the question needs none."""
    if question.is_control or not isinstance(answer.lookup, Absent):
        return
    if question.kind == "exists":
        yield _of_doi(question.value, answers)
    elif question.kind == "arxiv" and question.service == "arxiv":
        yield Question("arxiv", "arxiv", ARXIV, is_control=True)
    elif question.kind == "title" and question.service in _HOLDERS:
        people = service_specs.find_spec(question.service).people
        yield Question(question.service, "title", TITLE, AUTHORS[:people], YEAR if people else None, is_control=True)


def _of_doi(doi: str, answers: Answers) -> Question:
    """Return the control of a DOI: first who registers the DOIs of its prefix, then a known DOI of that registrar."""
    prefix = Question("doi", "agency", doi.partition("/")[0], is_control=True)
    if prefix not in answers:
        return prefix
    lookup = answers[prefix].lookup
    agency = lookup.agency if isinstance(lookup, Found) else ""
    return Question("doi", "exists", AGENCIES.get(agency, DOI), is_control=True)
