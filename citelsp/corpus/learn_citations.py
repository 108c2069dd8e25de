"""Learning from a corpus's own citations how near its works lie to a text: `citelsp corpus embed --from-citations`.

Of the works whose references are known a part is held out.  The others' titles and abstracts, each beside the titles
that they cite, teach vectors of words (`word_training`); every work gets the vector of its title; and the citations
that were held out say what that brings.  Only if it brings something is it used.

Nothing changes for readers before the end: what an interruption leaves behind is no more than a folder that nobody
reads, which the next run removes.
"""

import math
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b

from citelsp.base.text import write_count
from citelsp.corpus import citation_words, dense, search_place, word_training
from citelsp.corpus.citation_words import CitationWords, Description, Gains
from citelsp.corpus.dense import Array, Nearest, Vector, Vectors
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.pool import barrier
from citelsp.corpus.store import CorpusError, Row, Sketch
from citelsp.corpus.word_training import Bags, Pairs
from citelsp.corpus.words import stem
from citelsp.corpus.words import words as split_words
from citelsp.syntax.prose import sentences
from citelsp.workspace.question import Question

FEWEST = 100  # citing works, those held out among them, without which nothing can be learnt
_MOST_CITING = 15_000  # citing works that are learnt from, as their titles lie in memory
_MOST_CITED = 100  # works that one of them cites
_WORDS_OF_PART = 15  # of an abstract: so many in a row are one text
_MOST_PARTS = 20  # of one abstract
_ONE_UNSEEN_OF, _MOST_UNSEEN = 10, 600  # one citing work of so many is not learnt from, and so many at most
_FEWEST_TEXTS = 3  # that hold a word, or it is not learnt
_MOST_WORDS = 60_000
_READ_AT_ONCE = 8192  # works
_ROUNDS = 20  # how often each cited title is seen, as a rule, unless these are many
_MOST_STEPS = 600
_SHORTEN = 5.0  # lengths of the first vectors of words are their rarities over this
_TINY = 1e-8
_WEIGHTS = (0.0, 0.1, 0.2, 0.4, 0.8)  # of nearness, of which one half of the places held out chooses
_SAMPLES = 1000  # of places, drawn with repetition, by which chance is told from gain
_SURE = 40  # one of so many samples may be chance
_BEGUN = "citation vectors"  # state of the store: the names of the vectors that were begun, one a line
_LOCK = "learning.lock"  # an empty file
_FORMAT = 1  # of training: another gives other vectors

Report = Callable[[str, int], None]  # what is being done, and how much of it is


@dataclass(frozen=True, slots=True)
class Citing:
    """A work, and those that it cites."""

    work: Sketch
    cites: Sequence[int]


def learn(
    corpus: Corpus, seed: int, report: Report, start: Callable[[Sequence[str]], Array] | None = None
) -> Description:
    """Learn from the citations of a corpus, measure what that brings, write it, and return its description.

    Vectors of words are written, and used from then on, only if they help; if not, only the measurement is written.
    Some papers are held out: nothing is learnt from them, and on their citations is measured what the vectors bring.
    `seed` decides all that is drawn by chance.  `report` is told how far it is: a word for the step, and a count.
    `start` gives for words the vectors that they begin with; without it these are random.  CorpusError if there is too
    little to learn from, if another process learns from it now, or if the disk is full.
    """
    with _keep_others_out(corpus):
        chance = random.Random(seed)  # noqa: S311 - to draw by chance, nothing secret
        taught, unseen = _divide(corpus, chance)
        usable = len(taught) + len(unseen)
        if usable < FEWEST:
            papers = write_count(usable, "paper")
            raise CorpusError(f"references are known of {papers} with a cited one here: {FEWEST} are needed")
        words = _train(corpus, taught, seed=seed, chance=chance, report=report, start=start)
        description = Description(_name_vectors(words), Gains(), citing=len(taught), words=len(words.numbers))
        _note_begun(corpus, description.vectors)  # if this run is killed, the next one removes its vectors
        try:
            citation_words.give_vectors(corpus, words, description.vectors, lambda count: report("works", count))
            description = _measure(corpus, words, description, _make_places(corpus, unseen, chance), report)
            with corpus.store.writing():
                citation_words.save(corpus, description, words if description.is_used else None)
        finally:
            _remove_unused(corpus)
        return description


@contextmanager
def _keep_others_out(corpus: Corpus) -> Iterator[None]:
    """Let nobody else learn from the corpus meanwhile: each would remove the vectors that the other one makes.

    CorpusError if somebody else does so now, or if the corpus cannot be written.
    """
    try:
        # SQLite has locks on every system, and they end with the process.
        lock = sqlite3.connect(corpus.path / _LOCK, timeout=0, isolation_level=None)
    except sqlite3.OperationalError as problem:
        raise CorpusError(f"cannot write to {corpus.path}: {problem}") from problem
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise CorpusError(f"cannot write to {corpus.path}: {problem}") from problem
            raise CorpusError(
                "another process learns from this corpus's citations: try again when it has finished"
            ) from problem
        yield


def _note_begun(corpus: Corpus, name: str) -> None:
    """Write down the name of the vectors that are made now, so that the next run finds those of a killed one."""
    _remove_unused(corpus)
    names = [*corpus.store.state(_BEGUN).split("\n"), name]
    with corpus.store.writing():
        corpus.store.set_state(_BEGUN, "\n".join(names).strip())


def _remove_unused(corpus: Corpus) -> None:
    """Remove the vectors that were begun and are not used; the names of those that are still there stay noted."""
    used = citation_words.describe(corpus)
    begun = [name for name in corpus.store.state(_BEGUN).split("\n") if name]
    for name in begun:
        if used is None or not used.is_used or used.vectors != name:
            shutil.rmtree(Vectors.open_named(corpus, name).directory, ignore_errors=True)
    left = [name for name in begun if Vectors.open_named(corpus, name).directory.exists()]
    with corpus.store.writing():
        corpus.store.set_state(_BEGUN, "\n".join(left))


def _divide(corpus: Corpus, chance: random.Random) -> tuple[list[Citing], list[Citing]]:
    """Draw works that cite others of the corpus; return those that are learnt from, and those that are held out.

    Of each only the cited works that are in the corpus themselves.
    """
    usable = _restrict_to_corpus(corpus, _draw_citing(corpus, chance))
    chance.shuffle(usable)
    unseen = min(_MOST_UNSEEN, len(usable) // _ONE_UNSEEN_OF)
    return usable[unseen:], usable[:unseen]


def _draw_citing(corpus: Corpus, chance: random.Random) -> list[Citing]:
    """Draw by `chance` some works whose references are known, each with some of its references, but never itself."""
    numbers = corpus.store.citing_numbers()
    sample = sorted(chance.sample(numbers, min(len(numbers), _MOST_CITING)))
    drawn: list[Citing] = []
    for start in range(0, len(sample), _READ_AT_ONCE):
        part = sample[start : start + _READ_AT_ONCE]
        works = corpus.store.sketches(part)
        cites = corpus.store.cites(part)
        for n in part:
            others = [cited for cited in cites[n] if cited != n]
            drawn.append(Citing(works[n], chance.sample(others, min(len(others), _MOST_CITED))))
    return drawn


def _restrict_to_corpus(corpus: Corpus, citing: Sequence[Citing]) -> list[Citing]:
    """Return the works that cite at least one work of the corpus, each with the cited ones that are in it."""
    every_cited = {cited for work in citing for cited in work.cites}
    in_corpus = set(corpus.store.works_among([*every_cited]))
    within: list[Citing] = []
    for work in citing:
        cited_here = [cited for cited in work.cites if cited in in_corpus]
        if cited_here:
            within.append(Citing(work.work, cited_here))
    return within


def _train(
    corpus: Corpus,
    taught: Sequence[Citing],
    *,
    seed: int,
    chance: random.Random,
    report: Report,
    start: Callable[[Sequence[str]], Array] | None,
) -> CitationWords:
    """Train vectors of words on which works cite which: of the words of `taught` works and of the titles they cite.

    `seed` decides the first vectors and the order of training, `chance` the parts of abstracts that are used.  `start`
    makes a model's vectors of words, to begin with these instead.  `report` is told how many citations were compared.
    CorpusError if no words can be learnt.
    """
    cited_numbers = sorted({number for citing in taught for number in citing.cites})
    title_of = _read_title_stems(corpus, cited_numbers)  # by number of a work
    texts = [f"{citing.work.title_stems} {citing.work.abstract_stems}" for citing in taught]
    texts += title_of.values()
    counts = _count_words(texts)
    row_of = {stem: row for row, stem in enumerate(sorted(counts))}  # in the table of vectors
    rarity = [math.log(len(texts) / counts[stem]) for stem in row_of]
    vectors_of_model = None
    if start:
        numbers = [*title_of, *(citing.work.n for citing in taught)]
        vectors_of_model = start(_choose_written_forms(corpus, numbers, row_of))
    table = _make_first_vectors(rarity, seed, vectors_of_model)
    pairs = _collect_pairs(taught, title_of, row_of, chance)
    if not pairs.citing:
        raise CorpusError(f"no word is shared by {_FEWEST_TEXTS} papers that cite or are cited: nothing can be learnt")
    steps = _count_steps(pairs, len(taught))
    table = word_training.train(pairs, table, seed, lambda count: report("citations", count), steps)
    return CitationWords(row_of, table.astype(citation_words.NUMBER))


def _count_steps(pairs: Pairs, citing: int) -> int:
    """Count the steps that show each cited title some twenty times; at most _MOST_STEPS.

    A step shows one cited title of each of TOGETHER citing works, or of all if there are fewer.
    """
    titles = len(pairs.titles.bounds)  # one more: where each begins, and where the last ends
    return min(_MOST_STEPS, 1 + _ROUNDS * titles // min(citing, word_training.TOGETHER))


def _count_words(texts: Iterable[str]) -> dict[str, int]:
    """Count the texts that hold each stem; keep the most frequent of the stems that several texts hold."""
    counts = Counter[str]()
    for text in texts:
        counts.update(set(text.split()))
    usual = [stem for stem, count in counts.items() if count >= _FEWEST_TEXTS]
    usual.sort(key=lambda stem: (-counts[stem], stem))
    return {stem: counts[stem] for stem in usual[:_MOST_WORDS]}


def _read_title_stems(corpus: Corpus, numbers: Sequence[int]) -> dict[int, str]:
    """Return the stems of works' titles, with spaces between them, by the works' numbers."""
    title_of: dict[int, str] = {}
    for start in range(0, len(numbers), _READ_AT_ONCE):
        sketches = corpus.store.sketches(numbers[start : start + _READ_AT_ONCE])
        title_of |= {n: it.title_stems for n, it in sketches.items()}
    return title_of


def _choose_written_forms(corpus: Corpus, works: Sequence[int], stems: Collection[str]) -> list[str]:
    """Choose for each stem the word that the titles of these works mostly write, "learning" for "learn".

    A model knows words, not stems.  A stem that no title writes stays as it is.  The words are in the order of `stems`.
    """
    counts_of: dict[str, Counter[str]] = {it: Counter() for it in stems}
    for start in range(0, len(works), _READ_AT_ONCE):
        for work in corpus.store.sketches(works[start : start + _READ_AT_ONCE]).values():
            for word in split_words(work.title):
                counts = counts_of.get(stem(word))
                if counts is not None:
                    counts[word] += 1
    # Of equally frequent words the last in the alphabet, so that every run chooses the same.
    return [max(counts, key=lambda word: (counts[word], word), default=it) for it, counts in counts_of.items()]


def _make_first_vectors(rarity: Sequence[float], seed: int, from_model: Array | None) -> Array:
    """Make a vector to begin with for each word, in the order of `rarity`; the rarer the word, the longer its vector.

    They are random, or those of a model (`from_model`, one a row) brought to our size: of these the principal
    components are taken, the largest first, and padded with zeros if a model's vectors have fewer numbers than ours.
    """
    import numpy as np

    size = word_training.SIZE
    if from_model is None:
        table = np.random.default_rng(seed).standard_normal((len(rarity), size))
    else:
        centred = np.asarray(from_model, np.float64)
        centred = centred - centred.mean(axis=0)
        _, ascending = np.linalg.eigh(centred.T @ centred)
        components = ascending[:, ::-1][:, :size]  # `eigh` gives the smallest first
        table = centred @ components
        table = np.pad(table, ((0, 0), (0, size - table.shape[1])))
    lengths = np.linalg.norm(table, axis=1, keepdims=True) + _TINY
    return (table / lengths * np.array(rarity)[:, None] / _SHORTEN).astype(np.float32)


def _collect_pairs(
    taught: Sequence[Citing], title_of: dict[int, str], row_of: dict[str, int], chance: random.Random
) -> Pairs:
    """Collect for each citing work its texts, which are its title and parts of its abstract, and the titles it cites.

    A text is a list of its words, given by their rows in the table of vectors (`row_of`).  Words without a row are
    left out, and so are citing works without any text or cited title left; titles that only these cite stay, and are
    never drawn.  `taught`: the citing works.  `chance` draws the parts of a long abstract.
    """
    import numpy as np

    def word_rows(stems: str) -> list[int]:
        return [row_of[it] for it in stems.split() if it in row_of][: citation_words.LONGEST]

    texts: list[list[int]] = []
    titles: list[list[int]] = []
    place_of: dict[int, int] = {}  # of a cited work's title in `titles`, by the work's number
    citing = []
    for work in taught:
        abstract = word_rows(work.work.abstract_stems)
        parts = [abstract[at : at + _WORDS_OF_PART] for at in range(0, len(abstract), _WORDS_OF_PART)]
        parts = chance.sample(parts, min(len(parts), _MOST_PARTS))
        own_texts = [part for part in (word_rows(work.work.title_stems), *parts) if part]
        for n in work.cites:
            title = word_rows(title_of[n]) if n not in place_of else []
            if title:
                place_of[n] = len(titles)
                titles.append(title)
        cited_titles = [place_of[n] for n in work.cites if n in place_of]
        if own_texts and cited_titles:
            places_of_texts = np.arange(len(texts), len(texts) + len(own_texts))
            citing.append((places_of_texts, np.array(cited_titles)))
            texts += own_texts
    return Pairs(Bags.collect(texts), Bags.collect(titles), citing)


def _name_vectors(words: CitationWords) -> str:
    """Name the vectors of works by a hash of the words: vectors made with other words cannot be compared with them."""
    digest = blake2b("\n".join(words.numbers).encode(), digest_size=8)
    digest.update(words.table.tobytes())
    return f"citations of this corpus {_FORMAT} {digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of a work that was held out: half of what it cites is known, as in a manuscript half written."""

    question: Question
    right: frozenset[int]  # numbers of the other half
    excluded: Sequence[str]  # ids of the known half, and its own


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ranks of the right works of a place, from 1, as far as they are in the list."""

    ranks: Sequence[int]
    right: int  # how many works are right

    @property
    def worth(self) -> float:
        """More the earlier they stand."""
        return sum(1 / it for it in self.ranks)


def _make_places(corpus: Corpus, unseen: Sequence[Citing], chance: random.Random) -> list[Place]:
    numbers = [it.work.n for it in unseen]
    rows = {row.n: row for row in corpus.rows(numbers)}
    return [_make_place(corpus, rows[it.work.n], it.cites, chance) for it in unseen if it.work.n in rows]


def _make_place(corpus: Corpus, citing: Row, cites: Sequence[int], chance: random.Random) -> Place:
    """Make a place for a citation in a work that was held out, at the end of a sentence drawn from its abstract.

    Without an abstract it is at the end of the title.  The first half of `cites`, the numbers of works that it cites,
    counts as cited already; the other half is what has to be found.  `chance` draws the sentence.
    """
    half = len(cites) // 2
    cited_already = corpus.rows(cites[:half])
    text = citing.work.abstract[: dense.LONGEST] or citing.work.title
    end = chance.choice([it.end for it in sentences(text)] or [len(text)])
    before = text[:end].rstrip(" .")  # a citation stands before the full stop
    question = Question(
        before,
        text[len(before) :],
        title=citing.work.title,
        date=citing.work.published,
        cites=tuple(it.work.title for it in cited_already),
    )
    excluded = [citing.work.id, *(it.work.id for it in cited_already)]
    return Place(question, frozenset(cites[half:]), excluded)


def _measure(
    corpus: Corpus, words: CitationWords, description: Description, places: Sequence[Place], report: Report
) -> Description:
    """Add to the description what the vectors bring at places held out, and the weight that is best at all of them.

    A place held out is a citation from which nothing was learnt: the works cited there are to be found.  The weight is
    how much nearness of vectors counts beside the score by words.  Without places the description is returned as it is:
    it has no gains, so the vectors are not used.
    """
    without: list[Outcome] = []
    by_weight: list[list[Outcome]] = []  # for each place, in the order of _WEIGHTS
    for count, place in enumerate(places, 1):
        by_words, with_vectors = _find_right(corpus, words, description.vectors, place)
        without.append(by_words)
        by_weight.append(with_vectors)
        report("places held out", count)
    if not places:
        return description
    with_them = _take_chosen_elsewhere(by_weight)
    # Each pair is without the vectors, and with them; `surely` says whether the gain is beyond chance.
    gains = Gains(
        places=len(places),
        first=(_share_first(without), _share_first(with_them)),
        among_ten=(_share_among_ten(without), _share_among_ten(with_them)),
        surely=_is_sure([new.worth - old.worth for new, old in zip(with_them, without, strict=True)]),
    )
    return replace(description, gains=gains, weight=_WEIGHTS[_choose_weight(by_weight)])


def _take_chosen_elsewhere(by_weight: Sequence[Sequence[Outcome]]) -> list[Outcome]:
    """Return for each place its outcome with the weight that is best at other places, so that no gain is by choice.

    The even places choose the weight for the odd ones, and the other way round.  Given are the outcomes of each place,
    in the order of _WEIGHTS.
    """
    even = by_weight[0::2]
    odd = by_weight[1::2] or by_weight  # of one place alone there is no other half
    for_even = _choose_weight(odd)
    for_odd = _choose_weight(even)
    return [outcomes[for_odd if at % 2 else for_even] for at, outcomes in enumerate(by_weight)]


def _find_right(corpus: Corpus, words: CitationWords, vectors: str, place: Place) -> tuple[Outcome, list[Outcome]]:
    """Search for a place, and return where the right works stand: by words alone, and with each of _WEIGHTS.

    `vectors`: the name of the works' vectors, which are weighed in.  If no word of the place has a vector, they bring
    nothing, and the outcome is the same with each weight.
    """
    catalogue = corpus.catalogue()
    query = Query(place.question)
    # Which works may be found: none later than the manuscript, not the manuscript itself, none that is excluded.
    rule = barrier(catalogue, place.question.date, place.question.title, place.excluded)
    scored = search_place.score(catalogue, query, rule)
    by_words = _rank_right(scored.pool.works, scored.scores, place.right)
    values = words.encode([citation_words.asked_words(query)])[0]
    if not values.any():
        return by_words, [by_words] * len(_WEIGHTS)
    near = Nearest(corpus, Vector(vectors, values.tolist()))
    # Searched again: the nearest works are candidates, too, even if they share no word with the place.
    scored = search_place.score(catalogue, query, rule, near=near)
    scores_by_weight = [search_place.add_nearness(scored, replace(near, weight=weight)) for weight in _WEIGHTS]
    return by_words, [_rank_right(scored.pool.works, scores, place.right) for scores in scores_by_weight]


def _rank_right(works: Sequence[Sketch], scores: Sequence[float], right: frozenset[int]) -> Outcome:
    order = sorted(range(len(scores)), key=lambda it: -scores[it])
    return Outcome([rank for rank, at in enumerate(order, 1) if works[at].n in right], len(right))


def _choose_weight(by_weight: Sequence[Sequence[Outcome]]) -> int:
    """Return the position in _WEIGHTS of the weight that finds the right works earliest; the first of equal ones.

    Given are the outcomes of each place, in the order of _WEIGHTS.
    """
    worth = [sum(outcomes[at].worth for outcomes in by_weight) for at in range(len(_WEIGHTS))]
    return worth.index(max(worth))


def _share_first(outcomes: Sequence[Outcome]) -> float:
    """Return the share of the places at which a right work comes first."""
    return sum(1 in it.ranks for it in outcomes) / len(outcomes)


def _share_among_ten(outcomes: Sequence[Outcome]) -> float:
    """Return the mean share of the right works that is among the first ten; of ten, if more are right."""
    shares = [sum(rank <= 10 for rank in it.ranks) / min(it.right, 10) for it in outcomes]
    return sum(shares) / len(outcomes)


def _is_sure(gains: Sequence[float]) -> bool:
    """Return True if a mean above zero is hardly chance: it is in all but one of forty samples of the places."""
    chance = random.Random(0)  # noqa: S311
    sums = sorted(sum(chance.choices(gains, k=len(gains))) for _ in range(_SAMPLES))
    return sums[_SAMPLES // _SURE] > 0
