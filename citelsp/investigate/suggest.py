"""Works for a placeholder from what is on this machine: the project's own entries and the embedded corpus."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from weakref import ref

from citelsp.agent import fusion
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.library import reading
from citelsp.bibliography.library.index import Libraries
from citelsp.bibliography.library.segment import Query as LibraryQuery
from citelsp.corpus import evidence, imports
from citelsp.corpus import suggest as corpus_suggest
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query
from citelsp.corpus.words import title_key
from citelsp.corpus.work import Work
from citelsp.features import completion, duplicates
from citelsp.investigate import contexts, relevance
from citelsp.investigate.contexts import Contexts
from citelsp.knowledge import Candidate, Suggestion
from citelsp.project import Project, Source
from citelsp.question import Question

_MOST = 10  # candidates
_LOOKED_AT = 60  # entries of each bibliography that are weighed
_RELATED = 0.25  # share of the question's words, by rarity, below which an entry does not answer it
_FAINT = 0.02  # the same where no hint says what is meant: the author's own works are few, and one of them is likely
_SAID = 0.2  # of what the entry's own words count
_LEAD, _WORDS, _BASE = 2.5, 2.8, 1.8  # from an entry's lead and words to its log odds
_USUAL = 0.1  # what the last entries of a full list weigh
_FITS = 0.18  # probability from which on an entry is said to fit
_PROBABLE = 0.5  # by the corpus, above which a work fits a place without a hint
_TOP = 3  # works of which one should fit


@dataclass(frozen=True, slots=True)
class _Held:
    """An entry of the author's own, with the share of the question's words that it answers."""

    key: str
    work: Work
    share: float
    said: float = 0.0  # share of the sentence that another one holds which cites it
    chance: float | None = None  # that it is the one meant; unknown where the author says in words what is

    @property
    def weight(self) -> float:
        return self.share + _SAID * self.said


@dataclass(frozen=True, slots=True)
class Basis:
    """What a list is made of on this machine: equal as long as neither a bibliography nor the corpus changes."""

    entries: tuple["ref[Source]", ...]
    corpus: int


def basis(project: Project, corpus: Corpus | None) -> Basis:
    return Basis(tuple(map(ref, project.defining)), corpus.generation if corpus else -1)


def suggest(project: Project, question: Question, libraries: Libraries, corpus: Corpus | None) -> Suggestion:
    """Works for a placeholder from the project's own entries and the corpus, best first, at most ten.

    Abstains where the best one meets neither the hint nor enough of the sentence, or the corpus finds it improbable.
    Takes some ten milliseconds; asks no network.
    """
    began = time.perf_counter()
    query = Query(question)
    around, nothing = contexts.of(project, query), Suggestion(abstained=True)
    found = corpus_suggest.suggest(corpus, question, k=_MOST, exclude=question.beside) if corpus else nothing
    held = _held(project, libraries, query, around)
    candidates = _joined(query, held, owned(project, found).candidates, corpus)
    usage = {"seconds": time.perf_counter() - began}
    if not candidates:
        return Suggestion(
            abstained=True, reason="neither your bibliography nor the corpus holds a work on this", usage=usage
        )
    if held and held[0].chance is not None:
        unsure = "" if (candidates[0].probability or 0.0) >= _FITS else "nothing stands out for this sentence"
        return Suggestion(candidates, abstained=bool(unsure), reason=unsure, usage=usage)
    if found.abstained and corpus and not any(it.share >= _RELATED for it in held):
        return Suggestion(candidates, abstained=True, reason=found.reason, usage=usage)
    return judged(Suggestion(candidates, usage=usage), query, corpus)


def judged(found: Suggestion, query: Query, corpus: Corpus | None) -> Suggestion:
    """The same, abstaining where no work near the top meets the hint, or the sentence, in enough of its words."""
    texts = [relevance.text_of(it.record) for it in found.candidates]
    measure = relevance.of(query, texts, corpus)
    if any((it.probability or 0.0) >= _PROBABLE for it in found.candidates[:_TOP] if not query.question.hint.strip()):
        return found
    if any(measure.fits(it) for it in texts[:_TOP]):
        return found
    asked = f"“{query.question.hint.strip()}”" if query.question.hint.strip() else "this sentence"
    return replace(found, abstained=True, reason=f"no work found shares enough words with {asked}")


def owned(project: Project, found: Suggestion) -> Suggestion:
    """The same with the key of its entry for every work that the project's bibliographies hold, and that said."""
    return replace(found, candidates=tuple(_owned(project, it) for it in found.candidates))


def _owned(project: Project, candidate: Candidate) -> Candidate:
    if candidate.key or (held := duplicates.find(project, candidate.record)) is None:
        return candidate
    return replace(candidate, key=held.node.key, origins=tuple(dict.fromkeys(("library", *candidate.origins))))


def of_library(
    project: Project, libraries: Libraries, query: Query, corpus: Corpus | None, around: Contexts | None
) -> list[Candidate]:
    """The project's entries that answer a part of the question, best first, as candidates."""
    return [_own(query, it, corpus) for it in _held(project, libraries, query, around)]


def _held(project: Project, libraries: Libraries, query: Query, around: Contexts | None) -> list[_Held]:
    """The project's entries that answer a part of the question, best first."""
    hint = query.question.hint
    sentence = tuple(dict.fromkeys(reading.words(query.sentence)))
    wordings = [LibraryQuery(hint, sentence)] if hint.strip() else []
    wordings.append(LibraryQuery("", sentence))
    nodes = {
        node.key: (library, node)
        for _, library in completion.of_project(project, libraries)
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
    held = [
        _Held(key, work, measure.share(texts[key], work.abstract), said.get(key, 0.0)) for key, work in works.items()
    ]
    least = _RELATED if hint.strip() else _FAINT
    best = sorted((it for it in held if it.weight >= least), key=lambda it: -it.weight)[:_MOST]
    return _with_chances(best) if around else best


def _with_chances(best: Sequence[_Held]) -> list[_Held]:
    """The same with probabilities: by each one's share of all that is listed, and of the sentence's words.

    Fitted on 359 citations in 13 public manuscripts, each asked for once more with its own entry taken away.
    """
    total = sum(it.weight for it in best) + _USUAL * (_MOST - len(best))
    odds = (_LEAD * math.log(it.weight / (total - it.weight)) + _WORDS * it.share + _BASE for it in best)
    return [replace(it, chance=1 / (1 + math.exp(-odd))) for it, odd in zip(best, odds, strict=True)]


def _joined(
    query: Query, held: Sequence[_Held], found: Sequence[Candidate], corpus: Corpus | None
) -> tuple[Candidate, ...]:
    """Entries and works of the corpus in one order, the most probable first; without a corpus the entries."""
    own = {title_key(it.work.title): it for it in held}
    called = {it.key: name for name, it in own.items()}
    offered = {name: _own(query, it, corpus) for name, it in own.items()}
    chances: dict[str, float] = {}
    for it in found:
        name = called.get(it.key) or title_key(it.record.title)
        chances[name] = it.probability or 0.0
        entry = own.get(name)
        offered[name] = replace(it, key=entry.key, origins=("library", *it.origins)) if entry and not it.key else it
    if corpus is None or not own:
        return tuple(offered.values())[:_MOST]
    said, pairs = bool(query.question.hint.strip()), [(name, it.chance) for name, it in own.items()]
    pooled = fusion.pooled(pairs, chances, corpus.engine.size, said=said)
    best = sorted(offered, key=lambda it: -pooled[it])[:_MOST]
    return tuple(replace(offered[it], probability=pooled[it]) for it in best)


def _own(query: Query, held: _Held, corpus: Corpus | None) -> Candidate:
    quote = evidence.best(held.work, query, lambda it: corpus.engine.rarity("text", it) if corpus else 1.0)
    record = replace(held.work.record(), source="library", id=held.key)
    quoted = (replace(quote, source="library"),)
    return Candidate(record, held.chance, ("library",), key=held.key, evidence=quoted)
