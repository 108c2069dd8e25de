"""The author's own entries at a place: what speaks for each one, and how probable that makes it."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from citelsp.base.footprint import MB, remember, remember_by_object
from citelsp.base.text import Span
from citelsp.bibliography.completion_search import folded_words
from citelsp.bibliography.completion_search.libraries import Libraries, Library
from citelsp.bibliography.completion_search.ranked_search import LibraryQuery
from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold
from citelsp.candidates import due_entries, near_trees, quoting, word_coverage
from citelsp.candidates.due_entries import EntryPlace
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query, cut_to_end
from citelsp.corpus.words import stems, title_key, words
from citelsp.corpus.work import Work, from_entry
from citelsp.corpus.work_features import spelt
from citelsp.knowledge import Candidate, Nearness
from citelsp.syntax import prose
from citelsp.syntax.nodes import EntryNode
from citelsp.syntax.prose import Excerpt
from citelsp.workspace import question as questions
from citelsp.workspace.project import Place, Project
from citelsp.workspace.question import Question
from citelsp.workspace.source import Source

_MOST_ENTRIES = 10  # entries of a list
_MOST_WEIGHED = 60  # entries of each bibliography that are weighed for their words, and for what was said of them
_LEAST_SHARE = 0.25  # share of the question's words, by rarity, below which an entry does not answer a hint
_NAMES_NEAR = 12  # words before a place that may name an author right there
_NAMES_BEFORE = 300  # characters before a place that may name one further off
_YEARS_NEAR = 80  # characters before a place that may hold the year
_NAME_WORDS = 3  # in the name before a title's colon
_WORTH_OF_NEAR_WORD = 2.0  # what a word right before a place counts in an abstract
_FEWEST_TELLING = 100  # entries or keys; fewer do not tell how rare a word is
_NAME = re.compile(r"[^\W\d_][\w'’-]+")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")

# What a unit of each feature adds to the log odds of an entry.  Fitted on 2,278 citations of 62 manuscripts, each
# masked in the whole text and in what stands before it, and once more with its entry taken away;
# `python tests/lab masking` measures it.  That of `due` was fitted last, with the others as they were, on 5,690 places
# of 82 manuscripts; `lab nearness` prints it.
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
    "due",  # stands where the next entry does if works are cited in the order of the bibliography (due_entries)
)
WEIGHTS = (
    1.91, 1.91, 1.78, 1.57, 0.892, 0.311, 0.11, 0.217, 0.044, 0.572, 0.506, 2.45, 1.47, 3.56, 3.03, 0.988, 1.1,
    0.5, 3.27, 4.11, 0.602, 1.66,
)  # fmt: skip
# With a model that tells how near titles lie to the place, its nearness to each of these is a feature, too.
VIEWS = ("sentence", "clause", "window")
# Of “none of these”; one more if all entries are cited, which then have more that speaks for them.
_LOG_ODDS_OF_NONE = 8.0
# Weights draw scores further apart than entries were found right: what a unit of a score counts for a probability, and
# what is added to the log odds of none.  Fitted on 6,580 citations of 171 manuscripts, whole and as first drafts, each
# asked once more without its entry; `lab nearness` prints them.  Less for none would fit a little better there, and
# hold the only entry that shares a word for likely; of few entries less is changed.
SLOPE_BY_WORDS, NONE_BY_WORDS = 0.64, -1.0
# Of the smallest bibliography that this was fitted on; below, all are as likely beforehand.
_FEWEST_ENTRIES = 40
_REACH = 300  # characters of a sentence on either side of a citation
_SHORT = 10  # stems; what longer sentences share counts less
_CITATIONS_ON_EITHER_SIDE = 3  # citations on either side
_ENTRIES_ON_EITHER_SIDE = 3  # entries on either side


@dataclass(frozen=True, slots=True)
class Own:
    """An entry of the author's own."""

    key: str
    work: Work
    chance: float | None = None  # that it is the one meant; unknown if the author says in words what is
    lift: float | None = None  # how many times as likely as any entry of its bibliographies is that


def candidates(project: Project, libraries: Libraries, query: Query, corpus: Corpus | None) -> list[Candidate]:
    """The project's entries that answer a part of the question, best first, as candidates."""
    return [quoting.add_quote(query, candidate(it), corpus) for it in find_answering(project, libraries, query)]


def candidate(own: Own) -> Candidate:
    record = replace(own.work.record(), source="library", id=own.key)
    return Candidate(record, own.chance, ("library",), own.key)


def views(query: Query) -> tuple[str, ...]:
    """The texts of a place that titles are compared with, as VIEWS names them."""
    return tuple(" ".join(it.split()) for it in (query.sentence, query.clause, query.window))


def find_answering(project: Project, libraries: Libraries, query: Query, near: Nearness | None = None) -> list[Own]:
    """Find the project's entries that may answer the question, best first, at most _MOST_ENTRIES; each with its chance.

    If the author wrote a hint, entries are found by its words and the sentence's, and have no chances.  Else `near`, if
    there is one, compares titles with the question by a model.  Entries for which nothing speaks, and those without a
    title, are left out.  `libraries`: by which bibliographies are searched.
    """
    searched = project.libraries(libraries)
    if query.question.hint.strip():
        return _find_by_hint(project, searched, query)
    weighed = weigh_entries(project, searched, query)
    size = sum(len(library) for _, library in searched)
    scores, chances = _score_entries(weighed, near, size)
    speaking_for = [index for index, score in enumerate(scores) if score > 0]
    best = sorted(speaking_for, key=lambda index: -scores[index])[:_MOST_ENTRIES]
    answering = []
    for index in best:
        place = weighed.places[index]
        work = _make_work(place)
        if work:
            lift = chances[index] * size  # times as likely as any entry is beforehand
            answering.append(Own(place.node.key, work, chance=chances[index], lift=lift))
    return answering


class _Scored(NamedTuple):
    """Entries as they are weighed, one number each."""

    scores: list[float]  # log odds; above 0 if anything speaks for the entry
    chances: list[float]  # that it is the one meant


def _score_entries(weighed: "Weighed", near: Nearness | None, size: int) -> _Scored:
    """Sum up what speaks for each entry, and compute how probable that makes it; of `size` entries in all.

    With a model of meaning, `near`, small trees add to the scores; they are calibrated differently then.
    """
    by_words = [math.fsum(map(float.__mul__, WEIGHTS, row)) for row in weighed.rows]
    if near:
        scores = _add_nearness(by_words, weighed, near)
        return _Scored(scores, _compute_chances(scores, weighed.none, near_trees.slope()))
    # The calibration was fitted on larger bibliographies: the fewer entries, the less of it holds.
    share_that_holds = min(1.0, size / _FEWEST_ENTRIES)
    slope = 1.0 + (SLOPE_BY_WORDS - 1.0) * share_that_holds
    none = weighed.none + NONE_BY_WORDS * share_that_holds
    return _Scored(by_words, _compute_chances(by_words, none, slope))


def _compute_chances(scores: Sequence[float], none: float, slope: float) -> list[float]:
    """Turn scores, which are log odds, and that of “none of these” into the probabilities of the entries.

    All are multiplied by `slope` before, as they lie further apart than entries were found right.
    """
    # Subtracted before the exponential, which would overflow for a score of some hundreds.
    highest = max([none, *scores])
    odds = [math.exp(slope * (score - highest)) for score in scores]
    total = math.exp(slope * (none - highest)) + math.fsum(odds)
    return [it / total for it in odds]


def _add_nearness(scores: Sequence[float], weighed: "Weighed", near: Nearness) -> list[float]:
    """Add to the scores what small trees say (`near_trees`), which also look at how near each title lies."""
    nearness = near.compare([it.entry.title for it in weighed.places])
    rows = zip(scores, weighed.rows, nearness, strict=True)
    return [score + near_trees.sum_trees([*row, *views]) for score, row, views in rows]


class Weighed(NamedTuple):
    """The entries that may answer a question."""

    places: list[Place]  # of the entries in their bibliographies
    rows: list[list[float]]  # of each entry its FEATURES
    none: float  # log odds that none of them is meant


def weigh_entries(project: Project, searched: Sequence[tuple[str, Library]], query: Query) -> Weighed:
    """Return the entries that may answer the question, with their features, and the log odds that none does.

    `searched` are the bibliographies, by path.
    """
    around = contexts(project, query)  # what sentences that cite an entry have in common with the question's
    nearby = find_neighbours(project, query.question)  # what is cited nearby, and what stands or is cited beside that
    due = _find_due(project, query.question)
    places = _find_possible(project, searched, query, around, nearby, due)
    rarity = _make_rarity([library for _, library in searched])
    size = max(1, sum(len(library) for _, library in searched))
    share_of_fewest = min(1.0, size / _FEWEST_ENTRIES)  # among few entries, all stand near by chance
    times_cited = {key: times for key, times in around.times.items() if project.find_first(key)}
    # In a bibliography of this manuscript alone, what is not cited yet waits for its place; in a library it does not.
    share_cited = len(times_cited) / size
    question_words = _read_question_words(query, rarity, around.telling)
    cited_titles = _index_cited_titles(project, nearby)

    def features(place: Place) -> list[float]:
        """Return what speaks for an entry, one number each in the order of FEATURES."""
        key = place.node.key
        entry = place.entry
        title = _weigh_stems(entry.title, rarity)
        return [
            *_shared_words(question_words, title, key, entry),
            around.sentence.get(key, 0.0),  # in common with the likest sentence that cites it
            around.clause.get(key, 0.0),
            *_compare_names(question_words, entry),
            share_of_fewest * nearby.cited.get(key, 0.0),  # cited nearby
            _measure_likeness(title, key, cited_titles),
            share_of_fewest * math.log1p(nearby.together.get(key, 0.0)),  # cited beside what is cited nearby
            share_of_fewest * nearby.written(place),  # stands in the file beside what is cited nearby
            0.0 if key in times_cited else share_cited,
            math.log1p(times_cited.get(key, 0)),
            due.get(EntryPlace(place.source.document.path, place.index), 0.0),
        ]

    # Less for few entries, each of which is the likelier beforehand; `size` is 1 at least, so never the log of 0.
    none = _LOG_ODDS_OF_NONE + share_cited + math.log(share_of_fewest)
    return Weighed(places, [features(it) for it in places], none)


def _find_possible(
    project: Project,
    searched: Sequence[tuple[str, Library]],
    query: Query,
    around: "Contexts",
    nearby: "Nearby",
    due: Mapping[EntryPlace, float],
) -> list[Place]:
    """Return the entries that are worth weighing, without those that are cited beside the question.

    These are entries that its words find, that are cited in the sentences most like its own (`around`), that are
    cited or stand near to what is cited there (`nearby`), or whose turn it is (`due`).  `searched` are the
    bibliographies, by path.
    """
    sentence = LibraryQuery("", tuple(dict.fromkeys(folded_words.words(query.sentence))))
    keys: dict[str, None] = {}
    for _, library in searched:
        keys |= dict.fromkeys(node.key for _, node in library.search(sentence, _MOST_WEIGHED))
    # Titles may share no word with the place: what was said where a work was cited finds it as well.
    alike = sorted(around.sentence, key=around.sentence.__getitem__, reverse=True)
    keys |= dict.fromkeys(alike[:_MOST_WEIGHED])
    keys |= dict.fromkeys(standing_near(project, nearby)[:_MOST_WEIGHED])
    keys |= dict.fromkeys(_list_keys(project, due))
    # By the keys of the bibliography, which citations may spell otherwise.
    cited_beside = {place.node.key for place in map(project.find_first, query.question.beside) if place}
    places: dict[str, Place] = {}
    for key in filter(None, keys):
        place = project.find_first(key)
        if place and place.node.key not in cited_beside:
            places[place.node.key] = place
    return list(places.values())


def _index_cited_titles(project: Project, nearby: "Nearby") -> dict[str, list[tuple[str, float]]]:
    """Index the works cited nearby by the stems of their titles; each is its key and how near it is cited."""
    cited_by_stem: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for key, nearness in nearby.cited.items():
        place = project.find_first(key)
        if place is None:
            continue
        for stem in frozenset(stems(place.entry.title)):
            cited_by_stem[stem].append((key, nearness))
    return cited_by_stem


@dataclass(frozen=True, slots=True)
class _QuestionWords:
    """The words of a question: stems with the rarity of their words, and what is written with a capital."""

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


def _read_question_words(query: Query, rarity: Callable[[str], float], telling: Mapping[str, float]) -> _QuestionWords:
    """Read from the question the words that all entries are compared with.

    `rarity` says how rare a word is among the entries; `telling`, by stem, how rare in sentences that cite.  Those of
    `close` and `around` weigh by how near they stand to the place, around it on either side.
    """
    before = query.question.before
    right_before = " ".join(query.clause.split()[-_NAMES_NEAR:])
    return _QuestionWords(
        rarity=rarity,
        sentence=_weigh_stems(query.sentence, rarity),
        clause=_weigh_stems(query.clause, rarity),
        close=query.close_before,
        around=query.view("fading"),
        telling=telling,
        heading=frozenset(stems(query.question.heading)),
        last=query.last_phrase,
        acronyms=query.near_acronyms,
        names=(_find_names(right_before), _find_names(cut_to_end(before, _NAMES_BEFORE))),
        years=frozenset(_YEAR.findall(cut_to_end(before, _YEARS_NEAR))),
    )


def _shared_words(asked: _QuestionWords, title: Mapping[str, float], key: str, entry: Entry) -> list[float]:
    """Return the features that compare words of an entry with those of the question, in the order of FEATURES.

    Of the title counts what share of its words, by rarity, stands close before the place and around it; `covered` is
    the share of the words right before the place that title and key hold, `key_share` that of the key's words in the
    sentence.  The others are rarities, or the length of an acronym that the title spells out.  `title` has the
    stems of the entry's title, each with its rarity; `key` is its citekey.  `asked`: the question's words.
    """
    of_key = _weigh_stems(" ".join(folded_words.key_words([key])), asked.rarity)
    abstract = _stems_of_abstract(entry.value("abstract"))
    only_in_abstract = [(it, rare) for it, rare in asked.sentence.items() if it in abstract and it not in title]
    title_rarity = math.fsum(title.values()) or 1.0
    spelt_length = 0.0
    if asked.acronyms:
        # With and without the small words of the title: “CNN” and “BoW”.
        spelt_length = max(spelt(asked.acronyms, words(entry.title)), spelt(asked.acronyms, stems(entry.title)))
    close = math.fsum(rare * asked.close.get(it, 0.0) for it, rare in title.items()) / title_rarity
    around = math.fsum(rare * asked.around.get(it, 0.0) for it, rare in title.items()) / title_rarity
    covered = _measure_share(asked.clause, title.keys() | of_key.keys())
    key_share = _measure_share(of_key, asked.sentence.keys())
    named = _rarity_of_short_name(asked, entry.title)
    heading = math.fsum(rare for it, rare in title.items() if it in asked.heading)
    telling = math.fsum(asked.telling.get(it, 0.0) for it in title)
    in_abstract = math.fsum(rare * (_WORTH_OF_NEAR_WORD if it in asked.clause else 1) for it, rare in only_in_abstract)
    return [close, around, covered, key_share, named, spelt_length, heading, telling, in_abstract]


def _compare_names(asked: _QuestionWords, entry: Entry) -> list[float]:
    """The features `author`, `author_before`, `coauthor` and `year` of an entry, for a question."""
    families = [fold(it.family) for it in entry.authors[:2]]
    right_before, before = asked.names
    first_right_before = bool(families) and families[0] in right_before
    first_before = bool(families) and families[0] in before
    both_before = len(families) == 2 and all(it in before for it in families)
    dated = str(entry.year) in asked.years
    return [float(first_right_before), float(first_before), float(both_before), float(dated)]


def _measure_likeness(
    title: Mapping[str, float], key: str, cited_titles: Mapping[str, Sequence[tuple[str, float]]]
) -> float:
    """Return the feature `alike`: the share of a title's rare words that the title of a work cited nearby has, too.

    The share is multiplied by how near that work is cited; of several works the highest counts.  The entry itself, of
    this `key`, does not.  `title` has stems with their rarity; `cited_titles` has, by stem, the works cited nearby
    whose titles hold it, each as its key and how near it is.
    """
    shared: dict[str, float] = defaultdict(float)  # by key of a work cited nearby
    for stem, rarity in title.items():
        for cited_key, nearness in cited_titles.get(stem, ()):
            if cited_key != key:
                shared[cited_key] += nearness * rarity
    return max(shared.values(), default=0.0) / (math.fsum(title.values()) or 1.0)


def _measure_share(rarity: Mapping[str, float], there: Set[str]) -> float:
    """Return which share of the stems, each counted by its `rarity`, is `there`; 0 to 1."""
    return math.fsum(rare for it, rare in rarity.items() if it in there) / (math.fsum(rarity.values()) or 1.0)


def _rarity_of_short_name(asked: _QuestionWords, title: str) -> float:
    """The rarity of the name before a title's colon, if it stands among the last words before the citation; else 0."""
    name, colon, _ = title.partition(":")
    if not colon or len(name.split()) > _NAME_WORDS or f" {title_key(name)} " not in asked.last:
        return 0.0
    return max(_weigh_stems(name, asked.rarity).values(), default=0.0)


def _find_by_hint(project: Project, searched: Sequence[tuple[str, Library]], query: Query) -> list[Own]:
    """Find entries by the words of the author's hint and of the sentence, those first that hold most of them.

    At most _MOST_ENTRIES, all with a title.  One that the hint finds may hold few words; one that only the sentence
    finds must hold a share of _LEAST_SHARE of the question's words, by rarity.  One that the sentence cites already is
    offered all the same, as the author may ask for it by its words.  How probable they are is not known, so they have
    no chances.  `searched`: the bibliographies, by path.
    """
    hint = query.question.hint
    sentence = tuple(dict.fromkeys(folded_words.words(query.sentence)))

    def search(wording: LibraryQuery) -> dict[str, tuple[Library, EntryNode]]:
        """Return entries with their bibliographies, by key, which a citation needs."""
        nodes = {}
        for _, library in searched:
            for _, node in library.search(wording, _MOST_WEIGHED):
                # Of several entries with one key only the first: the key would cite it in the place of the others.
                first = project.find_first(node.key) if node.key else None
                if first and first.node == node:
                    nodes[node.key] = (library, node)
        return nodes

    # The hint may be half typed, as `atten`; what it finds stays in the list even if it holds few words of a long
    # sentence.
    of_hint = search(LibraryQuery(hint, sentence))
    works: dict[str, Work] = {}
    texts: dict[str, str] = {}  # title, people and words of the key
    for key, (library, node) in (of_hint | search(LibraryQuery("", sentence))).items():
        work = from_entry(Entry(node, library.strings, project.parent))
        if isinstance(work, Work):
            works[key] = work
            texts[key] = f"{work.title} {' '.join(work.authors)} {' '.join(folded_words.key_words([key]))}"
    whole_texts = [f"{texts[key]} {work.abstract}" for key, work in works.items()]
    sought = word_coverage.weigh_sought_words(query, whole_texts, corpus=None)
    shares = {key: sought.share(texts[key], work.abstract) for key, work in works.items()}
    related = [key for key, share in shares.items() if key in of_hint or share >= _LEAST_SHARE]
    best = sorted(related, key=lambda key: -shares[key])[:_MOST_ENTRIES]
    return [Own(key, works[key]) for key in best]


def _make_work(place: Place) -> Work | None:
    """The work that an entry describes; None if it has no title."""
    work = from_entry(place.entry)
    return work if isinstance(work, Work) else None


def _make_rarity(libraries: Sequence[Library]) -> Callable[[str], float]:
    """Make the function that says how rare a word is among the author's entries; it takes a folded word or a stem."""
    size = max(_FEWEST_TELLING, sum(map(len, libraries)))
    return cache(lambda word: math.log1p(size / (1 + sum(it.count(word) for it in libraries))))


def _weigh_stems(text: str, rarity: Callable[[str], float]) -> dict[str, float]:
    """The stems of a text's words with the rarity of the words."""
    return {stem: rarity(word) for stem, word in _stem_words(text)}


@remember(8 * MB)
def _stems_of_abstract(tex: str) -> Set[str]:
    return frozenset(stems(decode(tex)))


@remember(4 * MB)
def _stem_words(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((stem, word) for word in words(text) for stem in stems(word))


def _find_names(text: str) -> Set[str]:
    return {fold(it) for it in _NAME.findall(text) if it[:1].isupper()}


@dataclass(frozen=True, slots=True)
class Contexts:
    """By key of the bibliography, how much a sentence that cites it has in common with the question, at most."""

    sentence: Mapping[str, float]
    clause: Mapping[str, float]
    times: Mapping[str, int]  # how often each is cited
    telling: Mapping[str, float]  # by stem of the place's sentence, how rare it is where others are cited


def contexts(project: Project, query: Query) -> Contexts:
    """Compare the question with the sentences that cite each entry: works are cited again in similar words.

    Of each entry the sentence counts that shares most rare stems with the question's sentence, and with its clause.
    """
    sentence = frozenset(stems(query.sentence))
    clause = frozenset(stems(query.clause))
    of_place = sentence | clause
    by_key = _compare_citing_sentences(project, of_place)
    # By how many keys each stem is used: a work cited ten times in one phrase does not make its words frequent.
    counts: Counter[str] = Counter()
    for citing in by_key.values():
        counts.update(frozenset[str]().union(*(in_common for in_common, _ in citing)))
    size = max(_FEWEST_TELLING, len(by_key))
    rarity = {stem: math.log1p(size / (1 + counts[stem])) for stem in of_place}

    def most_shared(part: Set[str]) -> Mapping[str, float]:
        """Return by key how much the likest of the sentences that cite it has in common with `part`, by rarity."""
        rare = {it: rarity[it] for it in part}
        return {
            key: max(_measure_shared(in_common, length, rare) for in_common, length in citing)
            for key, citing in by_key.items()
        }

    times = {key: len(citing) for key, citing in by_key.items()}
    return Contexts(
        sentence=most_shared(sentence),
        clause=most_shared(clause),
        times=times,
        telling={it: rarity[it] for it in sentence},
    )


class _CitingSentence(NamedTuple):
    in_common: Set[str]  # stems that it shares with the question
    length: int  # stems that it has


def _compare_citing_sentences(project: Project, of_question: frozenset[str]) -> Mapping[str, Sequence[_CitingSentence]]:
    """Return by key of the bibliography the sentences that cite it, one at least; `of_question` are stems."""
    by_key: defaultdict[str, list[_CitingSentence]] = defaultdict(list)
    meanings = questions.acronyms(project)  # that the manuscript explains, so that they count as their words
    stems_of_part = {it: sentences(it, meanings) for it in project.parts}
    own_key = _make_key_finder(project)
    for source, citation in project.citations():
        sentence_stems = stems_of_part[source][citation.whole]
        in_common = of_question.intersection(sentence_stems)
        by_key[own_key(citation.key)].append(_CitingSentence(in_common, len(sentence_stems)))
    return by_key


def _make_key_finder(project: Project) -> Callable[[str], str]:
    """Make the function that says which key the bibliography has for one that is cited, which may be spelt otherwise.

    A key that no entry has is given back.
    """

    @cache
    def own_key(cited: str) -> str:
        place = project.find_first(cited)
        return place.node.key if place else cited

    return own_key


def _measure_shared(common: Set[str], length: int, rarity: Mapping[str, float]) -> float:
    """The rarity of what is common with a sentence of `length` stems; in a long one it counts less."""
    return sum(rarity[it] for it in common if it in rarity) / math.sqrt(_SHORT + length)


@remember_by_object()  # of a thesis, all chapters but one stay as they are while an author types
def sentences(source: Source, meanings: Mapping[str, str]) -> Mapping[Span, Sequence[str]]:
    """The stems of the sentence around each citation of a document; `meanings` are those of acronyms."""
    stems_of = {}
    for whole in dict.fromkeys(it.whole for it in source.syntax.citations):
        before, after = prose.excerpts(source.document, source.syntax, whole, _REACH, meanings)
        stems_of[whole] = _stem_sentence(before, after)
    return stems_of


@remember(32 * MB)
def _stem_sentence(before: Excerpt, after: Excerpt) -> tuple[str, ...]:
    """The stems of the sentence that stands around the meeting of two excerpts, each once."""
    around = prose.sentence_around(prose.read(before).lstrip(), prose.read(after).rstrip())
    return tuple({stem for part in around for stem in stems(part)})


@dataclass(frozen=True, slots=True)
class Nearby:
    """By key of the bibliography; what is nearer weighs more, the reciprocal of how many citations away it is."""

    cited: Mapping[str, float]
    together: Mapping[str, float]  # cited elsewhere near what is cited here: summed
    places: Mapping[str, tuple[tuple[int, float], ...]]  # by path of a bibliography: where such entries stand in it

    def written(self, place: Place) -> float:
        """Return how near an entry stands in its bibliography to one that is cited nearby, 0 to 1/2."""
        own = place.index
        rows = self.places.get(place.source.document.path, ())
        return max((worth / (1 + abs(index - own)) for index, worth in rows if index != own), default=0.0)


def find_neighbours(project: Project, question: Question) -> Nearby:
    """Find what is cited near to the question, where it stands in its bibliography, and what else is cited beside it.

    Nearness is the reciprocal of the distance: 1 for the next citation, 1/2 for the one behind that.
    """
    nearness: dict[str, float] = {}  # by key
    own_key = _make_key_finder(project)
    for cited, distance in question.near:  # distance in citations, from 1
        key = own_key(cited)
        nearness[key] = max(nearness.get(key, 0.0), 1 / distance)
    places: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for key, near in nearness.items():
        place = project.find_first(key)
        if place:
            places[place.source.document.path].append((place.index, near))
    rows_of_path = {path: tuple(rows) for path, rows in places.items()}
    return Nearby(nearness, _count_cited_together(project, nearness), rows_of_path)


def _count_cited_together(project: Project, nearness: Mapping[str, float]) -> dict[str, float]:
    """Sum, by key, the `nearness` of the works beside which it is cited anywhere in the manuscript.

    `nearness` has the works that are cited near to the question, each with how near it is.
    """
    together: dict[str, float] = defaultdict(float)
    own_key = _make_key_finder(project)
    for source in project.parts:
        # In the order of the text: a few citations on either side are the same paragraph as a rule.
        keys = [own_key(it.key) for it in source.syntax.citations]
        for index, key in enumerate(keys):
            if key not in nearness:
                continue
            for other_key in keys[max(0, index - _CITATIONS_ON_EITHER_SIDE) : index + _CITATIONS_ON_EITHER_SIDE + 1]:
                if other_key != key:
                    together[other_key] += nearness[key]
    return together


def _find_due(project: Project, question: Question) -> Mapping[EntryPlace, float]:
    """Find the entries whose turn it is at the question, by the order in which the manuscript cites."""
    keys = [citation.key for _, citation in project.citations()]
    place_of_key: dict[str, EntryPlace | None] = {}
    for key in frozenset(keys):
        place = project.find_first(key)
        place_of_key[key] = EntryPlace(place.source.document.path, place.index) if place else None
    # Keys that no entry has are left out once it is settled which stand before the question.
    before = [place_of_key[key] for key in keys[: question.cited_before]]
    behind = [place_of_key[key] for key in keys[question.cited_before :]]
    return due_entries.find_due(list(filter(None, before)), list(filter(None, behind)))


def _list_keys(project: Project, places: Iterable[EntryPlace]) -> list[str]:
    """List the keys of the entries at these places, of which some may lie behind the end of a bibliography."""
    keys = []
    for path, position in places:
        entries = project.sources[path].syntax.entries
        if entries is not None and position < len(entries):
            keys.append(entries.node(position).key)
    return keys


def standing_near(project: Project, nearby: Nearby) -> list[str]:
    """Return the keys of entries that are worth weighing because of where they stand, whatever their words.

    First those cited nearby, then those cited elsewhere beside them, then the neighbours of those cited nearby in
    their bibliography.
    """
    together = sorted(nearby.together, key=nearby.together.__getitem__, reverse=True)
    keys = dict.fromkeys([*nearby.cited, *together])
    for path, rows in nearby.places.items():
        entries = project.sources[path].syntax.entries
        if entries is None:
            continue
        for row, _ in rows:  # an entry's index in its bibliography
            first = max(0, row - _ENTRIES_ON_EITHER_SIDE)
            end = min(len(entries), row + _ENTRIES_ON_EITHER_SIDE + 1)
            for index in range(first, end):
                keys.setdefault(entries.node(index).key)
    return [key for key in keys if key]
