"""The author's own entries at a place: how much of what it asks each one answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.library import reading
from citelsp.bibliography.library.index import Libraries
from citelsp.bibliography.library.segment import Query as LibraryQuery
from citelsp.candidates import relevance
from citelsp.candidates.contexts import Contexts
from citelsp.corpus import evidence, imports
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query
from citelsp.corpus.work import Work
from citelsp.knowledge import Candidate
from citelsp.project import Project

_MOST = 10  # entries
_LOOKED_AT = 60  # entries of each bibliography that are weighed
_RELATED = 0.25  # share of the question's words, by rarity, below which an entry does not answer it
_FAINT = 0.02  # the same where no hint says what is meant: the author's own works are few, and one of them is likely
_SAID = 0.2  # of what the entry's own words count
_LEAD, _WORDS, _BASE = 2.5, 2.8, 1.8  # from an entry's lead and words to its log odds
_USUAL = 0.1  # what the last entries of a full list weigh


@dataclass(frozen=True, slots=True)
class Own:
    """An entry of the author's own, with the share of the question's words that it answers."""

    key: str
    work: Work
    share: float
    said: float = 0.0  # share of the sentence that another one holds which cites it
    chance: float | None = None  # that it is the one meant; unknown where the author says in words what is

    @property
    def weight(self) -> float:
        return self.share + _SAID * self.said


def candidates(
    project: Project, libraries: Libraries, query: Query, corpus: Corpus | None, around: Contexts | None
) -> list[Candidate]:
    """The project's entries that answer a part of the question, best first, as candidates."""
    return [candidate(query, it, corpus) for it in near(project, libraries, query, around)]


def candidate(query: Query, own: Own, corpus: Corpus | None) -> Candidate:
    """An entry with the passage of it that speaks for it."""
    quote = evidence.best(own.work, query, lambda it: corpus.engine.rarity("text", it) if corpus else 1.0)
    record = replace(own.work.record(), source="library", id=own.key)
    return Candidate(record, own.chance, ("library",), own.key, (replace(quote, source="library"),))


def near(project: Project, libraries: Libraries, query: Query, around: Contexts | None) -> list[Own]:
    """The project's entries that answer a part of the question, best first."""
    hint = query.question.hint
    sentence = tuple(dict.fromkeys(reading.words(query.sentence)))
    wordings = [LibraryQuery(hint, sentence)] if hint.strip() else []
    wordings.append(LibraryQuery("", sentence))
    nodes = {
        node.key: (library, node)
        for _, library in project.libraries(libraries)
        for wording in wordings
        for _, node in library.search(wording, _LOOKED_AT)
        if node.key
    }
    entries = {key: Entry(node, library.strings, project.parent) for key, (library, node) in nodes.items()}
    said: Mapping[str, float] = around.said if around else {}
    nearest = sorted(said, key=said.__getitem__, reverse=True)[:_LOOKED_AT]
    entries |= {it.node.key: it.entry for key in nearest if key not in entries for it in project.find(key)[:1]}
    entries = {key: it for key, it in entries.items() if key not in query.question.beside}
    works = {key: work for key, it in entries.items() if isinstance(work := imports.from_entry(it), Work)}
    texts = {
        key: f"{it.title} {' '.join(it.authors)} {' '.join(reading.key_words([key]))}" for key, it in works.items()
    }
    measure = relevance.of(query, [f"{texts[key]} {it.abstract}" for key, it in works.items()], None)
    found = [
        Own(key, work, measure.share(texts[key], work.abstract), said.get(key, 0.0)) for key, work in works.items()
    ]
    least = _RELATED if hint.strip() else _FAINT
    best = sorted((it for it in found if it.weight >= least), key=lambda it: -it.weight)[:_MOST]
    return _with_chances(best) if around else best


def _with_chances(best: Sequence[Own]) -> list[Own]:
    """The same with probabilities: by each one's share of all that is listed, and of the sentence's words.

    Fitted on 359 citations in 13 public manuscripts, each asked for once more with its own entry taken away.
    """
    total = sum(it.weight for it in best) + _USUAL * (_MOST - len(best))
    odds = (_LEAD * math.log(it.weight / (total - it.weight)) + _WORDS * it.share + _BASE for it in best)
    return [replace(it, chance=1 / (1 + math.exp(-odd))) for it, odd in zip(best, odds, strict=True)]
