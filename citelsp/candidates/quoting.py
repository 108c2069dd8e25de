"""The passage of a work that speaks for it at a place, looked for when somebody looks at the work.

Not for each list: full texts of ten papers would be read at every letter.
"""

from dataclasses import replace

from citelsp.candidates import word_coverage
from citelsp.corpus import passages
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.knowledge import Candidate, Suggestion
from citelsp.workspace.question import Question


def quote_each(question: Question, suggestion: Suggestion, corpus: Corpus | None) -> Suggestion:
    """The suggestion with a passage of each work."""
    found = tuple(add_quote(Query(question), it, corpus) for it in suggestion.candidates)
    return replace(suggestion, candidates=found)


def add_quote(query: Query, candidate: Candidate, corpus: Corpus | None) -> Candidate:
    """The candidate with a passage of its title, abstract or full text, unless it has one already."""
    record = candidate.record
    if candidate.evidence:
        return candidate
    text = corpus.fulltext(record.id) if corpus and record.source == "corpus" else ""
    found = passages.best(record, query, word_coverage.rarity(corpus), text)
    return replace(candidate, evidence=(replace(found, source=record.source),))
