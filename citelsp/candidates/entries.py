"""The author's own entries at a place: what speaks for each one, and how probable that makes it."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache

from citelsp.base.footprint import MB, remembered, remembered_by_object
from citelsp.base.text import Span
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold
from citelsp.bibliography.library import extract
from citelsp.bibliography.library.libraries import Libraries, Library
from citelsp.bibliography.library.segment import LibraryQuery
from citelsp.bibliography.tex import decode
from citelsp.candidates import near_trees, quoting, relevance
from citelsp.corpus.index import Corpus
from citelsp.corpus.query import Query, cut_to_end
from citelsp.corpus.ranking import spelt
from citelsp.corpus.words import stems, title_key, words
from citelsp.corpus.work import Work, from_entry
from citelsp.knowledge import Candidate, Nearness
from citelsp.syntax import prose
from citelsp.syntax.nodes import EntryNode
from citelsp.syntax.prose import Excerpt
from citelsp.workspace import question as questions
from citelsp.workspace.project import Place, Project
from citelsp.workspace.question import Question
from citelsp.workspace.source import Source

_MOST = 10  # entries
_LOOKED_AT = 60  # entries of each bibliography that are weighed for their words, and for what was said of them
_RELATED = 0.25  # share of the question's words, by rarity, below which an entry does not answer a hint
_NEAR = 12  # words before a place
_BEFORE = 300  # characters before a place
_DATED = 80  # characters before a place
_NAME_WORDS = 3  # in the name before a title's colon
_NEARER = 2.0  # what a word right before a place counts in an abstract
_TELLING = 100  # entries or keys; fewer do not tell how rare a word is
_NAME = re.compile(r"[^\W\d_][\w'’-]+")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")

# What a unit of each feature adds to the log odds of an entry.  Fitted on 2,278 citations of 62 manuscripts, each
# masked in the whole text and in what stands before it, and once more with its entry taken away;
# `python tests/lab masking` measures it.
FEATURES = (
    "close",  # share of the title's rarity that the words before the place hold, each by how near it stands
    "around",  # the same with all words around the place, which fade more slowly
    "covered",  # share of the rarity of the words right before the place that title and key hold
    "key",  # share of the key's rarity that the sentence holds
    "named",  # rarity of the name before the title's colon among the last words before the place
    "spelt",  # length of the acronym in the sentence that the initials of the title spell
    "heading",  # rarity of the words that the title shares with the section's heading
    "telling",  # rarity, in the sentences that cite, of the words that the title shares with this one
    "abstract",  # rarity of the further words that the abstract shares with the sentence, more right before the place
    "said",  # what a sentence that cites the entry shares with this one
    "said_clause",  # and with the words right before the place
    "author",  # the first author is named right before the place
    "author_before",  # the first author is named in the sentences before it
    "coauthor",  # and the second one there, too
    "year",  # the year stands right before the place
    "cited",  # cited nearby
    "alike",  # share of the title's rarity that the title of a work cited nearby holds
    "together",  # cited elsewhere beside what is cited nearby
    "written",  # stands in the bibliography beside what is cited nearby
    "uncited",  # cited nowhere yet: the share of the entries that are cited
    "often",  # how often it is cited, as a logarithm
)
WEIGHTS = (
    1.91, 1.91, 1.78, 1.57, 0.892, 0.311, 0.11, 0.217, 0.044, 0.572, 0.506, 2.45, 1.47, 3.56, 3.03, 0.988, 1.1,
    0.5, 3.27, 4.11, 0.602,
)  # fmt: skip
# With a model that tells how near titles lie to the place, its nearness to each of these is a feature, too.
VIEWS = ("sentence", "clause", "window")
_NONE = 8.0  # log odds of “none of these”; one more if all entries are cited, which then have more that speaks for them
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
    lift: float | None = None  # how many times as likely as any entry of its bibliographies is that


def candidates(project: Project, libraries: Libraries, query: Query, corpus: Corpus | None) -> list[Candidate]:
    """The project's entries that answer a part of the question, best first, as candidates."""
    return [quoting.quoted(query, candidate(it), corpus) for it in find_answering(project, libraries, query)]


def candidate(own: Own) -> Candidate:
    record = replace(own.work.record(), source="library", id=own.key)
    return Candidate(record, own.chance, ("library",), own.key)


def views(query: Query) -> tuple[str, ...]:
    """The texts of a place that titles are compared with, as VIEWS names them."""
    return tuple(" ".join(it.split()) for it in (query.sentence, query.clause, query.window))


def find_answering(project: Project, libraries: Libraries, query: Query, near: Nearness | None = None) -> list[Own]:
    """The project's entries that answer a part of the question, best first; `near` says how near their titles lie."""
    searched = project.libraries(libraries)
    if query.question.hint.strip():
        return _by_hint(project, searched, query)
    found, rows, none = weigh_entries(project, searched, query)
    scores = [math.fsum(map(float.__mul__, WEIGHTS, row)) for row in rows]
    if near:
        nearness = near.compare([it.entry.title for it in found])
        more = (near_trees.added([*row, *it]) for row, it in zip(rows, nearness, strict=True))
        scores = [score + it for score, it in zip(scores, more, strict=True)]
    slope = near_trees.slope() if near else 1.0
    # Subtracted before the exponential, which would overflow for a score of some hundreds.
    most = max([none, *scores])
    total = math.exp(slope * (none - most)) + math.fsum(math.exp(slope * (it - most)) for it in scores)
    best = sorted((at for at, it in enumerate(scores) if it > 0), key=lambda it: -scores[it])[:_MOST]
    works = ((found[it].node.key, _work(found[it]), math.exp(slope * (scores[it] - most)) / total) for it in best)
    size = sum(len(library) for _, library in searched)
    return [Own(key, work, chance, chance * size) for key, work, chance in works if work]


def weigh_entries(
    project: Project, searched: Sequence[tuple[str, Library]], query: Query
) -> tuple[list[Place], list[list[float]], float]:
    """The entries that may be meant at a place, each with its FEATURES; the log odds that none of them is."""
    around, nearby = contexts(project, query), find_neighbours(project, query.question)
    places = _find_possible(project, searched, query, around, nearby)
    rarity = _rarity([library for _, library in searched])
    size = max(1, sum(len(library) for _, library in searched))
    many = min(1.0, size / _FEWEST)  # among few, all stand near by chance
    # In a bibliography of this manuscript alone, what is not cited yet waits for its place; in a library it does not.
    often = {place.node.key: times for key, times in around.times.items() if (place := project.find_first(key))}
    waiting = len(often) / size
    asked = _place_words(query, rarity, around.telling)
    cited_titles = _index_cited_titles(project, nearby)

    def features(place: Place) -> list[float]:
        key, entry = place.node.key, place.entry
        title = _rare(entry.title, rarity)
        return [
            *_shared_words(asked, title, key, entry),
            around.sentence.get(key, 0.0),
            around.clause.get(key, 0.0),
            *_named_there(asked, entry),
            many * nearby.cited.get(key, 0.0),
            _alike(title, key, cited_titles),
            many * math.log1p(nearby.together.get(key, 0.0)),
            many * nearby.written(place),
            0.0 if key in often else waiting,
            math.log1p(often.get(key, 0)),
        ]

    return places, [features(it) for it in places], _NONE + waiting + math.log(many)


def _find_possible(
    project: Project,
    searched: Sequence[tuple[str, Library]],
    query: Query,
    around: "Contexts",
    nearby: "Nearby",
) -> list[Place]:
    """The entries that words find, that were cited in like sentences, or that stand near; none cited beside it."""
    sentence = LibraryQuery("", tuple(dict.fromkeys(extract.words(query.sentence))))
    keys: dict[str, None] = {}
    for _, library in searched:
        keys |= dict.fromkeys(node.key for _, node in library.search(sentence, _LOOKED_AT))
    # Titles may share no word with the place: what was said where a work was cited finds it as well.
    alike = sorted(around.sentence, key=around.sentence.__getitem__, reverse=True)
    keys |= dict.fromkeys(alike[:_LOOKED_AT])
    keys |= dict.fromkeys(standing_near(project, nearby)[:_LOOKED_AT])
    others = (it for it in keys if it and it not in query.question.beside)
    return [place for it in others if (place := project.find_first(it))]


def _index_cited_titles(project: Project, nearby: "Nearby") -> dict[str, list[tuple[str, float]]]:
    """The works cited nearby, each with how near, by the stems of their titles."""
    found: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for key, worth in nearby.cited.items():
        if place := project.find_first(key):
            for stem in frozenset(stems(place.entry.title)):
                found[stem].append((key, worth))
    return found


@dataclass(frozen=True, slots=True)
class _PlaceWords:
    """The words of a place: stems with the rarity of their words, and what is written with a capital."""

    rarity: Callable[[str], float]
    sentence: Mapping[str, float]
    clause: Mapping[str, float]
    close: Mapping[str, float]  # instead, how near before the place each stands
    around: Mapping[str, float]  # and how near on either side, which fades more slowly
    telling: Mapping[str, float]  # rarity of those of the sentence in the sentences that cite
    heading: Set[str]
    last: str  # words before the place, as a phrase
    acronyms: Set[str]
    names: tuple[Set[str], Set[str]]  # right before the place, and in the sentences before
    years: Set[str]  # right before the place


def _place_words(query: Query, rarity: Callable[[str], float], telling: Mapping[str, float]) -> _PlaceWords:
    before = query.question.before
    return _PlaceWords(
        rarity,
        _rare(query.sentence, rarity),
        _rare(query.clause, rarity),
        query.close_before,
        query.view("fading"),
        telling,
        frozenset(stems(query.question.heading)),
        query.last_phrase,
        query.near_acronyms,
        (_named(" ".join(query.clause.split()[-_NEAR:])), _named(cut_to_end(before, _BEFORE))),
        frozenset(_YEAR.findall(cut_to_end(before, _DATED))),
    )


def _shared_words(asked: _PlaceWords, title: Mapping[str, float], key: str, entry: Entry) -> list[float]:
    """The features that look at words of an entry: those before `said`."""
    of_key = _rare(" ".join(extract.key_words([key])), asked.rarity)
    abstract = _abstract(entry.value("abstract"))
    further = [(it, worth) for it, worth in asked.sentence.items() if it in abstract and it not in title]
    whole = math.fsum(title.values()) or 1.0
    return [
        math.fsum(worth * asked.close.get(it, 0.0) for it, worth in title.items()) / whole,
        math.fsum(worth * asked.around.get(it, 0.0) for it, worth in title.items()) / whole,
        _share(asked.clause, title.keys() | of_key.keys()),
        _share(of_key, asked.sentence.keys()),
        _name(asked, entry.title),
        max(spelt(asked.acronyms, it(entry.title)) for it in (words, stems)) if asked.acronyms else 0.0,
        math.fsum(worth for it, worth in title.items() if it in asked.heading),
        math.fsum(asked.telling.get(it, 0.0) for it in title),
        math.fsum(worth * (_NEARER if it in asked.clause else 1) for it, worth in further),
    ]


def _named_there(asked: _PlaceWords, entry: Entry) -> list[float]:
    """The features that look for its people and its year."""
    people = [fold(it.family) for it in entry.authors[:2]]
    near, before = ([it in names for it in people] for names in asked.names)
    dated = str(entry.year) in asked.years
    return [*map(float, (any(near[:1]), any(before[:1]), len(before) == 2 and all(before), dated))]


def _alike(title: Mapping[str, float], key: str, theirs: Mapping[str, Sequence[tuple[str, float]]]) -> float:
    shared: dict[str, float] = defaultdict(float)
    for stem, rare in title.items():
        for other, worth in theirs.get(stem, ()):
            if other != key:
                shared[other] += worth * rare
    return max(shared.values(), default=0.0) / (math.fsum(title.values()) or 1.0)


def _share(rare: Mapping[str, float], there: Set[str]) -> float:
    return math.fsum(worth for it, worth in rare.items() if it in there) / (math.fsum(rare.values()) or 1.0)


def _name(asked: _PlaceWords, title: str) -> float:
    """The rarity of the name before a title's colon, if it stands among the last words before the place."""
    name, colon, _ = title.partition(":")
    if not colon or len(name.split()) > _NAME_WORDS or f" {title_key(name)} " not in asked.last:
        return 0.0
    return max(_rare(name, asked.rarity).values(), default=0.0)


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
    measure = relevance.score_relevance(query, [f"{texts[key]} {it.abstract}" for key, it in works.items()], None)
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
    return {stem: rarity(word) for stem, word in _stemmed(text)}


@remembered(8 * MB)
def _abstract(tex: str) -> Set[str]:
    return frozenset(stems(decode(tex)))


@remembered(4 * MB)
def _stemmed(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((stem, word) for word in words(text) for stem in stems(word))


def _named(text: str) -> Set[str]:
    return {fold(it) for it in _NAME.findall(text) if it[:1].isupper()}


@dataclass(frozen=True, slots=True)
class Contexts:
    """By key, how much the sentences that cite it have in common with a place: the most that one of them has."""

    sentence: Mapping[str, float]
    clause: Mapping[str, float]
    times: Mapping[str, int]  # how often each is cited
    telling: Mapping[str, float]  # by stem of the place's sentence, how rare it is where others are cited


def contexts(project: Project, query: Query) -> Contexts:
    """What the manuscript says where it cites its entries: a work is cited again in words like those before."""
    sentence, clause = frozenset(stems(query.sentence)), frozenset(stems(query.clause))
    # Of each sentence that cites a key what it has in common with the place, and of how many stems.
    by_key: dict[str, list[tuple[Set[str], int]]] = defaultdict(list)
    meanings = questions.acronyms(project)
    of_part = {it: sentences(it, meanings) for it in project.parts}
    for source, citation in project.citations():
        sentence_stems = of_part[source][citation.whole]
        by_key[citation.key].append(((sentence | clause).intersection(sentence_stems), len(sentence_stems)))
    counts = Counter(it for found in by_key.values() for it in frozenset[str]().union(*(common for common, _ in found)))

    # Counted by key: a work cited ten times in one phrase does not make its words common.
    rarity = {it: math.log1p(max(_TELLING, len(by_key)) / (1 + counts[it])) for it in sentence | clause}

    def shared(of_place: Set[str]) -> Mapping[str, float]:
        worth = {it: rarity[it] for it in of_place}
        return {key: max(_shared(*it, worth) for it in found) for key, found in by_key.items()}

    times = {key: len(found) for key, found in by_key.items()}
    return Contexts(shared(sentence), shared(clause), times, {it: rarity[it] for it in sentence})


def _shared(common: Set[str], length: int, rarity: Mapping[str, float]) -> float:
    return sum(rarity[it] for it in common if it in rarity) / math.sqrt(_SHORT + length)


@remembered_by_object()  # of a thesis, all chapters but one stay as they are while an author types
def sentences(source: Source, meanings: Mapping[str, str]) -> Mapping[Span, Sequence[str]]:
    """The stems of the sentence around each citation of a document; `meanings` are those of acronyms."""
    wholes = dict.fromkeys(it.whole for it in source.syntax.citations)
    sides = ((it, prose.excerpts(source.document, source.syntax, it, _REACH, meanings)) for it in wholes)
    return {whole: _stems(*both) for whole, both in sides}


@remembered(32 * MB)
def _stems(before: Excerpt, after: Excerpt) -> tuple[str, ...]:
    around = prose.sentence_around(prose.read(before).lstrip(), prose.read(after).rstrip())
    return tuple({stem for part in around for stem in stems(part)})


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


def find_neighbours(project: Project, question: Question) -> Nearby:
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
        if place := project.find_first(key):
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
