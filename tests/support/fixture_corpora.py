"""The project's small corpus, and questions to it."""

from pathlib import Path

from citelsp.workspace.question import Question

DEMONSTRATION = Path(__file__).parent.parent.parent / "fixtures" / "demo" / "corpus.jsonl"
_TITLE = "Finding the Paper behind a Claim: Citation Assistance in the Editor"
_SENTENCES = (
    "Embeddings trained on the citation graph place papers that cite one another close together",
    "The confidence shown is calibrated with a temperature fitted on held-out contexts",
    "a ranking function that follows from the probabilistic model of relevance",
    "two papers are related when later papers cite both of them",
    "Language models overlook what stands in the middle of a long prompt",
    "Dense retrieval compares a question with passages by their vectors",
)
QUESTIONS = [Question(before=it, after="", title=title) for it in _SENTENCES for title in ("", _TITLE)]
QUESTIONS += [Question(before=it, after="", title=_TITLE, date="2019") for it in _SENTENCES[:2]]
