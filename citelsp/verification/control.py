"""Whether a service that lacks something can be believed: it is asked for something that it certainly has.

A service whose answers broke says "nothing found" to everything.  How many works of a list it lacks tells nothing of
that, as lists are invented as a whole; so who has brought no work in a run is asked once for one that everybody has.
"""

from collections.abc import Mapping

from citelsp.bibliography.names import Name
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.sources import registry
from citelsp.verification.evidence import Answer, Answers
from citelsp.verification.question import Question

TITLE = "Densely Connected Convolutional Networks"  # one of the most cited papers, with a DOI
AUTHORS = (Name("Huang", "Gao"), Name("Liu", "Zhuang"), Name("van der Maaten", "Laurens"))
YEAR = 2017
DOI = "10.1109/cvpr.2017.243"
ARXIV = "1706.03762"
_WHY = "its answers cannot be trusted now, as it does not find a well-known work"
_HOLDERS = frozenset({"crossref", "semantic_scholar", "openalex", "dblp"})


def questions(answers: Answers) -> list[Question]:
    """What to ask of those whose silence a verdict would rest on, and who have found nothing for it."""
    return [it for it in dict.fromkeys(filter(None, map(_control, answers, answers.values()))) if it not in answers]


def believed(answers: Answers) -> Mapping[Question, Answer]:
    """The answers of the entry itself; where a service does not find what it certainly has, it could not be asked."""
    mute = {it for it, answer in answers.items() if it.is_control and not isinstance(answer.lookup, Found)}
    broken = {it for it in mute if not isinstance(answers[it].lookup, Unavailable)}
    own = {it: answer for it, answer in answers.items() if not it.is_control}
    if not broken:
        return own
    return {it: _doubted(it) if _control(it, answer) in broken else answer for it, answer in own.items()}


def _doubted(question: Question) -> Answer:
    return Answer(Unavailable(question.service, _WHY))


def _control(question: Question, answer: Answer) -> Question | None:
    """The control of a question that was answered with nothing; None if it needs none."""
    return _of(question) if isinstance(answer.lookup, Absent) else None


def _of(question: Question) -> Question | None:
    """The same question for the known work; None if this service or question has none."""
    if question.kind == "exists":
        return Question("doi", "exists", DOI, is_control=True)
    if question.kind == "arxiv" and question.service == "arxiv":
        return Question("arxiv", "arxiv", ARXIV, is_control=True)
    if question.kind != "title" or question.service not in _HOLDERS:
        return None
    people = registry.SERVICES[question.service].people
    return Question(question.service, "title", TITLE, AUTHORS[:people], YEAR if people else None, is_control=True)
