"""The author's own entries at a place: what speaks for each one, and how probable that makes it."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache

from citelsp.base.footprint import MB, remembered
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold
from citelsp.bibliography.library import extract
from citelsp.bibliography.library.libraries import Libraries, Library
from citelsp.bibliography.library.segment import LibraryQuery
from citelsp.candidates import relevance
from citelsp.corpus import passages
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query
from citelsp.corpus.words import stems, words
from citelsp.corpus.work import Work, from_entry
from citelsp.knowledge import Candidate
from citelsp.syntax import prose
from citelsp.syntax.nodes import Citation, EntryNode
from citelsp.workspace.project import Place, Project, Source
from citelsp.workspace.question import Question

_MOST = 10  # entries
_LOOKED_AT = 60  # entries of each bibliography that are weighed for their words, and for what was said of them
_RELATED = 0.25  # share of the question's words, by rarity, below which an entry does not answer a hint
_WIDE = 1500  # characters before a place
_NEAR = 12  # words before a place
_NEARER = 2.0  # what a word right before a place counts in an abstract
_TELLING = 100  # entries or keys; fewer do not tell how rare a word is
_NAME = re.compile(r"[^\W\d_][\w'’-]+")

# What a unit of each feature adds to the log odds of an entry.  Fitted on 1,303 citations of 34 public manuscripts,
# masked one at a time, each once more with its entry taken away; `python -m citelsp.evals.masking` measures it.
FEATURES = (
    "sentence",  # rarity of the words that title and key share with the sentence
    "clause",  # the same with the words right before the place
    "title",  # share of the title's rarity that the sentence holds
    "wide",  # rarity of the words that the title shares with the paragraphs before
    "abstract",  # rarity of the further words that the abstract shares with the sentence, more right before the place
    "said",  # what a sentence that cites the entry shares with this one
    "said_clause",  # and with the words right before the place
    "author",  # the first author is named right before the place
    "cited",  # cited nearby
    "together",  # cited elsewhere beside what is cited nearby
    "written",  # stands in the bibliography beside what is cited nearby
)
WEIGHTS = (0.12, 0.177, 2.32, 0.029, 0.031, 0.447, 0.384, 3.55, 1.15, 0.38, 4.46)
_NONE, _MORE, _USUAL = 6.76, 0.37, 150  # log odds of “none of these” among so many entries, and for each e-fold of them
_FEWEST = 40  # entries of the smallest bibliography that this was fitted on; below, all are as likely beforehand
_REACH = 300  # characters of a sentence on either side of a citation
_SHORT = 10  # stems; what longer sentences share counts less
_TOGETHER = 3  # citations on either side
_NEXT = 3  # entries on either side


@dataclass(frozen=True, slots=True)
class Own:
    """An entry of the author's own."""

    key: str
    work: Work
    chance: float | None = None  # that it is the one meant; unknown if the author says in words what is


def candidates(project: Project, libraries: Libraries, query: Query, corpus: Corpus | None) -> list[Candidate]:
    """The project's entries that answer a part of the question, best first, as candidates."""
    return [candidate(query, it, corpus) for it in near(project, libraries, query)]


def candidate(query: Query, own: Own, corpus: Corpus | None) -> Candidate:
    """An entry with the passage of it that speaks for it."""
    quote = passages.best(own.work, query, relevance.rarity(corpus))
    record = replace(own.work.record(), source="library", id=own.key)
    return Candidate(record, own.chance, ("library",), own.key, (replace(quote, source="library"),))


def near(project: Project, libraries: Libraries, query: Query) -> list[Own]:
    """The project's entries that answer a part of the question, best first."""
    searched = project.libraries(libraries)
    if query.question.hint.strip():
        return _by_hint(project, searched, query)
    found, rows = weighed(project, searched, query)
    scores = [math.fsum(map(float.__mul__, WEIGHTS, row)) for row in rows]
    none = _none(sum(len(library) for _, library in searched))
    # Subtracted before the exponential, which would overflow for a score of some hundreds.
    most = max([none, *scores])
    total = math.exp(none - most) + math.fsum(math.exp(it - most) for it in scores)
    best = sorted((at for at, it in enumerate(scores) if it > 0), key=lambda it: -scores[it])[:_MOST]
    works = ((found[it].node.key, _work(found[it]), math.exp(scores[it] - most) / total) for it in best)
    return [Own(key, work, chance) for key, work, chance in works if work]


def _none(size: int) -> float:
    return _NONE + _MORE * math.log(max(size, _FEWEST) / _USUAL) + math.log(min(max(size, 1), _FEWEST) / _FEWEST)


def weighed(
    project: Project, searched: Sequence[tuple[str, Library]], query: Query
) -> tuple[list[Place], list[list[float]]]:
    """The entries that may be meant at a place, each with its FEATURES."""
    around, stands = contexts(project, query), nearby(project, query.question)
    sentence = tuple(dict.fromkeys(extract.words(query.sentence)))
    keys = dict.fromkeys(
        node.key for _, library in searched for _, node in library.search(LibraryQuery("", sentence), _LOOKED_AT)
    )
    # Titles may share no word with the place: what was said where a work was cited finds it as well.
    keys |= dict.fromkeys(sorted(around.sentence, key=around.sentence.__getitem__, reverse=True)[:_LOOKED_AT])
    keys |= dict.fromkeys(standing_near(project, stands)[:_LOOKED_AT])
    others = (it for it in keys if it and it not in query.question.beside)
    places = [place for it in others if (place := project.first(it))]
    rarity = _rarity([library for _, library in searched])
    many = min(1.0, sum(len(library) for _, library in searched) / _FEWEST)  # among few, all stand near by chance
    asked, clause = _rare(query.sentence, rarity), frozenset(stems(query.clause))
    wide = frozenset(stems(query.question.before[-_WIDE:]))
    named = _named(" ".join(query.clause.split()[-_NEAR:]))

    def features(place: Place) -> list[float]:
        entry, key = place.entry, place.node.key
        title = _rare(entry.title, rarity)
        names = title | _rare(" ".join(extract.key_words([key])), rarity)
        abstract = frozenset(stems(entry.text("abstract"))) - title.keys()
        return [
            math.fsum(worth for it, worth in names.items() if it in asked),
            math.fsum(worth for it, worth in names.items() if it in clause),
            math.fsum(worth for it, worth in title.items() if it in asked) / (math.fsum(title.values()) or 1.0),
            math.fsum(worth for it, worth in title.items() if it in wide),
            math.fsum(asked[it] * (_NEARER if it in clause else 1) for it in asked.keys() & abstract),
            around.sentence.get(key, 0.0),
            around.clause.get(key, 0.0),
            float(any(fold(it.family) in named for it in entry.authors[:1])),
            many * stands.cited.get(key, 0.0),
            many * math.log1p(stands.together.get(key, 0.0)),
            many * stands.written(place),
        ]

    return places, [features(it) for it in places]


def _by_hint(project: Project, searched: Sequence[tuple[str, Library]], query: Query) -> list[Own]:
    """The entries by the share of the words asked for that each holds; those that the author left count most."""
    hint, sentence = query.question.hint, tuple(dict.fromkeys(extract.words(query.sentence)))

    def found(wording: LibraryQuery) -> dict[str, tuple[Library, EntryNode]]:
        hits = ((library, node) for _, library in searched for _, node in library.search(wording, _LOOKED_AT))
        return {node.key: (library, node) for library, node in hits if node.key}

    # What the words themselves find, half typed as they may be, stays however long the sentence is.
    asked = found(LibraryQuery(hint, sentence))
    nodes = asked | found(LibraryQuery("", sentence))
    entries = {key: Entry(node, library.strings, project.parent) for key, (library, node) in nodes.items()}
    works = {key: work for key, it in entries.items() if isinstance(work := from_entry(it), Work)}
    texts = {
        key: f"{found.title} {' '.join(found.authors)} {' '.join(extract.key_words([key]))}"
        for key, found in works.items()
    }
    measure = relevance.of(query, [f"{texts[key]} {it.abstract}" for key, it in works.items()], None)
    shares = {key: measure.share(texts[key], it.abstract) for key, it in works.items()}
    related = (it for it in shares if it in asked or shares[it] >= _RELATED)
    best = sorted(related, key=lambda it: -shares[it])[:_MOST]
    return [Own(it, works[it]) for it in best]


def _work(place: Place) -> Work | None:
    work = from_entry(place.entry)
    return work if isinstance(work, Work) else None


def _rarity(libraries: Sequence[Library]) -> Callable[[str], float]:
    """How rare a word is among the author's entries, folded or its stem."""
    size = max(_TELLING, sum(map(len, libraries)))
    return cache(lambda word: math.log1p(size / (1 + sum(it.count(word) for it in libraries))))


def _rare(text: str, rarity: Callable[[str], float]) -> dict[str, float]:
    """The stems of a text's words with the rarity of the words."""
    return {stem: rarity(word) for word in words(text) for stem in stems(word)}


def _named(text: str) -> Iterable[str]:
    return {fold(it) for it in _NAME.findall(text) if it[:1].isupper()}


@dataclass(frozen=True, slots=True)
class Contexts:
    """By key, how much the sentences that cite it have in common with a place: the most that one of them has."""

    sentence: Mapping[str, float]
    clause: Mapping[str, float]


def contexts(project: Project, query: Query) -> Contexts:
    """What the manuscript says where it cites its entries: a work is cited again in words like those before."""
    by_key: dict[str, list[frozenset[str]]] = defaultdict(list)
    for source, citation in project.citations():
        by_key[citation.key].append(_around(source, citation))
    counts = Counter(stem for sentences in by_key.values() for stem in frozenset().union(*sentences))

    def shared(stems_of_place: Set[str]) -> Mapping[str, float]:
        # Counted by key: a work cited ten times in one phrase does not make its words common.
        rarity = {it: math.log1p(max(_TELLING, len(by_key)) / (1 + counts[it])) for it in stems_of_place}
        return {key: max(_shared(it, rarity) for it in sentences) for key, sentences in by_key.items()}

    return Contexts(shared(frozenset(stems(query.sentence))), shared(frozenset(stems(query.clause))))


def _shared(sentence: Iterable[str], rarity: Mapping[str, float]) -> float:
    sentence = frozenset(sentence)
    return sum(rarity[it] for it in sentence & rarity.keys()) / math.sqrt(_SHORT + len(sentence))


def _around(source: Source, citation: Citation) -> frozenset[str]:
    found = prose.around(source.document, source.syntax, citation.whole, _REACH)
    return _stems(found.before, found.after)


@remembered(32 * MB)
def _stems(before: str, after: str) -> frozenset[str]:
    return frozenset(stem for part in prose.sentence_around(before, after) for stem in stems(part))


@dataclass(frozen=True, slots=True)
class Nearby:
    """By key; what is nearer weighs more, the reciprocal of how many citations away it is."""

    cited: Mapping[str, float]
    together: Mapping[str, float]  # cited elsewhere near what is cited here: summed
    places: Mapping[str, tuple[tuple[int, float], ...]]  # by path of a bibliography: where such entries stand in it

    def written(self, place: Place) -> float:
        """How near an entry stands to one of those cited here, in its bibliography."""
        rows = self.places.get(place.source.document.path, ())
        return max((worth / (1 + abs(at - place.index)) for at, worth in rows if at != place.index), default=0.0)


def nearby(project: Project, question: Question) -> Nearby:
    """Entries cited there, cited elsewhere beside those, or next to those in the bibliography."""
    cited: dict[str, float] = {}
    for key, distance in question.near:
        cited[key] = max(cited.get(key, 0.0), 1 / distance)
    together: dict[str, float] = defaultdict(float)
    for source in project.parts:
        # In the order of the text: a few citations on either side are the same paragraph as a rule.
        keys = [it.key for it in source.syntax.citations]
        for at, key in enumerate(keys):
            if worth := cited.get(key):
                for other in keys[max(0, at - _TOGETHER) : at + _TOGETHER + 1]:
                    if other != key:
                        together[other] += worth
    places: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for key, worth in cited.items():
        if place := project.first(key):
            places[place.source.document.path].append((place.index, worth))
    return Nearby(cited, together, {path: tuple(rows) for path, rows in places.items()})


def standing_near(project: Project, nearby: Nearby) -> list[str]:
    """Entries worth weighing because of where they stand, whatever their words."""
    found = dict.fromkeys((*nearby.cited, *sorted(nearby.together, key=nearby.together.__getitem__, reverse=True)))
    for path, rows in nearby.places.items():
        entries = project.sources[path].syntax.entries
        for at, _ in rows if entries is not None else ():
            for index in range(max(0, at - _NEXT), min(len(entries or ()), at + _NEXT + 1)):
                found.setdefault(entries.node(index).key if entries else "")
    return [it for it in found if it]
