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
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from citelsp.corpus import citation_words, dense, search_place, word_training
from citelsp.corpus.citation_words import CitationWords, Description, Gains
from citelsp.corpus.dense import Array, Nearest, Vector, Vectors
from citelsp.corpus.index import Corpus
from citelsp.corpus.pool import barrier
from citelsp.corpus.query import Query
from citelsp.corpus.store import CorpusError, Row, Sketch
from citelsp.corpus.word_training import Bags, Pairs
from citelsp.corpus.words import stem
from citelsp.corpus.words import words as split_words
from citelsp.syntax.prose import sentences
from citelsp.workspace.question import Question

FEWEST = 100  # citing works, without which nothing can be learnt
_MOST = 15_000  # citing works that are learnt from, as their titles lie in memory
_MOST_CITED = 100  # works that one of them cites
_PART = 15  # words of an abstract that are one text
_MOST_PARTS = 20  # of one work
_UNSEEN, _MOST_UNSEEN = 10, 600  # one citing work of so many, and so many at most
_RARE = 3  # texts that hold a word, without which it is not learnt
_MOST_WORDS = 60_000
_AT_ONCE = 8192
_ROUNDS = 20  # how often each citation is seen, unless these are many
_MOST_STEPS = 600
_WEIGHTS = (0.0, 0.1, 0.2, 0.4, 0.8)  # of nearness, of which one half of the places held out chooses
_SAMPLES = 1000
_BEGUN = "citation vectors"  # state of the store: names of vectors that were made
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
    """Learn from the citations of a corpus, measure that, and keep it if it helps; what came of it.

    `start` gives words the vectors that they begin with.  CorpusError if there is too little to learn from, or the disk
    takes no more.
    """
    chance = random.Random(seed)  # noqa: S311 - to draw by chance, nothing secret
    taught, unseen = _divide(corpus, chance)
    if len(taught) < FEWEST:
        raise CorpusError(
            f"references are known of {len(taught) + len(unseen)} papers with a cited one here: {FEWEST} are needed"
        )
    words = _train(corpus, taught, (seed, chance), report, start)
    known = Description(_name(words), Gains(), citing=len(taught), words=len(words.numbers))
    _begin(corpus, known)
    try:
        citation_words.give_vectors(corpus, words, known.vectors, lambda it: report("works", it))
        known = _measure(corpus, words, known, _places(corpus, unseen, chance), report)
        with corpus.store.writing():
            citation_words.save(corpus, known, words if known.is_used else None)
    finally:
        _remove_unused(corpus)
    return known


def _begin(corpus: Corpus, known: Description) -> None:
    """Write down which vectors are made now: whoever is killed removes nothing."""
    _remove_unused(corpus)
    with corpus.store.writing():
        corpus.store.set_state(_BEGUN, "\n".join([*corpus.store.state(_BEGUN).split("\n"), known.vectors]).strip())


def _remove_unused(corpus: Corpus) -> None:
    """Remove vectors that were made and are not used."""
    used = citation_words.describe(corpus)
    begun = corpus.store.state(_BEGUN).split("\n")
    for name in filter(None, begun):
        if used is None or not used.is_used or used.vectors != name:
            shutil.rmtree(Vectors.open_named(corpus, name).directory, ignore_errors=True)
    left = [it for it in begun if it and Vectors.open_named(corpus, it).directory.exists()]
    with corpus.store.writing():
        corpus.store.set_state(_BEGUN, "\n".join(left))


def _divide(corpus: Corpus, chance: random.Random) -> tuple[list[Citing], list[Citing]]:
    """The works that cite works of the corpus: those that are learnt from, and those that are held out."""
    numbers = corpus.store.citing_numbers()
    sample = sorted(chance.sample(numbers, min(len(numbers), _MOST)))
    citing: list[Citing] = []
    for start in range(0, len(sample), _AT_ONCE):
        part = sample[start : start + _AT_ONCE]
        works = corpus.store.sketches(part)
        cites = corpus.store.cites(part)
        for n in part:
            others = [cited for cited in cites[n] if cited != n]
            citing.append(Citing(works[n], chance.sample(others, min(len(others), _MOST_CITED))))
    every_cited = {cited for work in citing for cited in work.cites}
    in_corpus = set(corpus.store.works_among([*every_cited]))
    usable: list[Citing] = []
    for work in citing:
        cited_there = [cited for cited in work.cites if cited in in_corpus]
        if cited_there:
            usable.append(Citing(work.work, cited_there))
    chance.shuffle(usable)
    unseen = min(_MOST_UNSEEN, len(usable) // _UNSEEN)
    return usable[unseen:], usable[:unseen]


def _train(
    corpus: Corpus,
    taught: Sequence[Citing],
    drawn: tuple[int, random.Random],
    report: Report,
    start: Callable[[Sequence[str]], Array] | None,
) -> CitationWords:
    titles = _titles(corpus, sorted({n for it in taught for n in it.cites}))
    counts = _count_words([*(f"{it.work.title_stems} {it.work.abstract_stems}" for it in taught), *titles.values()])
    numbers = {word: at for at, word in enumerate(sorted(counts))}
    rarity = [math.log((len(taught) + len(titles)) / counts[word]) for word in numbers]
    seed, chance = drawn
    known = start(_written(corpus, [*titles, *(it.work.n for it in taught)], numbers)) if start else None
    table = _start(rarity, seed, known)
    pairs = _pairs(taught, titles, numbers, chance)
    steps = min(_MOST_STEPS, 1 + _ROUNDS * len(pairs.titles.bounds) // min(len(taught), word_training.TOGETHER))
    table = word_training.train(pairs, table, seed, lambda it: report("citations", it), steps)
    return CitationWords(numbers, table.astype("<f2"))


def _count_words(texts: Iterable[str]) -> dict[str, int]:
    """How many texts hold each stem; of stems that are not rare the most frequent."""
    counts = Counter[str]()
    for text in texts:
        counts.update(set(text.split()))
    usual = [stem for stem, count in counts.items() if count >= _RARE]
    usual.sort(key=lambda stem: (-counts[stem], stem))
    return {stem: counts[stem] for stem in usual[:_MOST_WORDS]}


def _titles(corpus: Corpus, numbers: Sequence[int]) -> dict[int, str]:
    """The stems of titles, by number."""
    found: dict[int, str] = {}
    for start in range(0, len(numbers), _AT_ONCE):
        sketches = corpus.store.sketches(numbers[start : start + _AT_ONCE])
        found |= {n: it.title_stems for n, it in sketches.items()}
    return found


def _written(corpus: Corpus, works: Sequence[int], stems: Collection[str]) -> list[str]:
    """Each stem as the titles of some works mostly write it: a model knows words, not stems."""
    forms: dict[str, Counter[str]] = {it: Counter() for it in stems}
    for start in range(0, len(works), _AT_ONCE):
        for work in corpus.store.sketches(works[start : start + _AT_ONCE]).values():
            for word in split_words(work.title):
                if (known := forms.get(stem(word))) is not None:
                    known[word] += 1
    return [max(found, key=lambda it: (found[it], it), default=it) for it, found in forms.items()]


def _start(rarity: Sequence[float], seed: int, known: Array) -> Array:
    """Vectors to begin with, each as long as its word is rare: drawn by chance, or those of a model, shortened."""
    import numpy as np

    size = word_training.SIZE
    if known is None:
        table = np.random.default_rng(seed).standard_normal((len(rarity), size))
    else:
        known = np.asarray(known, np.float64)
        known = known - known.mean(axis=0)
        directions = np.linalg.eigh(known.T @ known)[1][:, ::-1][:, :size]
        table = known @ directions
        table = np.pad(table, ((0, 0), (0, size - table.shape[1])))
    lengths = np.linalg.norm(table, axis=1, keepdims=True) + 1e-8
    return (table / lengths * np.array(rarity)[:, None] / 5).astype(np.float32)


def _pairs(taught: Sequence[Citing], titles: dict[int, str], numbers: dict[str, int], chance: random.Random) -> Pairs:
    """Texts of each citing work, its title and parts of its abstract, beside the titles that it cites."""
    import numpy as np

    def known(text: str) -> list[int]:
        return [numbers[it] for it in text.split() if it in numbers][: citation_words.LONGEST]

    texts: list[list[int]] = []
    cited: dict[int, int] = {}
    bags: list[list[int]] = []
    citing = []
    for work in taught:
        abstract = known(work.work.abstract_stems)
        parts = [abstract[at : at + _PART] for at in range(0, len(abstract), _PART)]
        parts = chance.sample(parts, min(len(parts), _MOST_PARTS))
        mine = [part for part in (known(work.work.title_stems), *parts) if part]
        for n in work.cites:
            if n not in cited and (bag := known(titles[n])):
                cited[n] = len(bags)
                bags.append(bag)
        theirs = [cited[n] for n in work.cites if n in cited]
        if mine and theirs:
            citing.append((np.arange(len(texts), len(texts) + len(mine)), np.array(theirs)))
            texts += mine
    return Pairs(Bags.collect(texts), Bags.collect(bags), citing)


def _name(words: CitationWords) -> str:
    """What the vectors of works are called: those of other words are not to be compared."""
    digest = blake2b("\n".join(words.numbers).encode(), digest_size=8)
    digest.update(words.table.tobytes())
    return f"citations of this corpus {_FORMAT} {digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of a work that was held out: half of what it cites is known, as in a manuscript half written."""

    question: Question
    right: frozenset[int]  # the other half
    excluded: Sequence[str]  # ids of the known half, and its own


@dataclass(frozen=True, slots=True)
class Found:
    """The ranks of the right works of a place, as far as they are in the list."""

    ranks: Sequence[int]
    right: int  # how many works are right

    @property
    def worth(self) -> float:
        """More the earlier they stand."""
        return sum(1 / it for it in self.ranks)


def _places(corpus: Corpus, unseen: Sequence[Citing], chance: random.Random) -> list[Place]:
    numbers = [it.work.n for it in unseen]
    rows = {row.n: row for row in corpus.rows(numbers)}
    return [_place(corpus, rows[it.work.n], it.cites, chance) for it in unseen if it.work.n in rows]


def _place(corpus: Corpus, citing: Row, cites: Sequence[int], chance: random.Random) -> Place:
    known = corpus.rows(cites[: len(cites) // 2])
    text = citing.work.abstract[: dense.LONGEST] or citing.work.title
    end = chance.choice([it.end for it in sentences(text)] or [len(text)])
    before = text[:end].rstrip(" .")
    question = Question(
        before,
        text[len(before) :],
        title=citing.work.title,
        date=citing.work.published,
        cites=tuple(it.work.title for it in known),
    )
    right = frozenset(cites[len(cites) // 2 :])
    return Place(question, right, [citing.work.id, *(it.work.id for it in known)])


def _measure(
    corpus: Corpus, words: CitationWords, known: Description, places: Sequence[Place], report: Report
) -> Description:
    """What the vectors bring at some places, each with the weight that the other half of the places would choose."""
    without: list[Found] = []
    found: list[list[Found]] = []  # for each place by weight
    for at, place in enumerate(places, 1):
        plain, near = _find(corpus, words, known, place)
        without.append(plain)
        found.append(near)
        report("places held out", at)
    if not places:
        return known
    halves = [found[start::2] or found for start in (0, 1)]
    chosen = [_best_weight(it) for it in halves[::-1]]
    with_them = [found[at][chosen[at % 2]] for at in range(len(places))]
    gains = Gains(
        len(places),
        (_first(without), _first(with_them)),
        (_among_ten(without), _among_ten(with_them)),
        _is_sure([new.worth - old.worth for new, old in zip(with_them, without, strict=True)]),
    )
    return replace(known, gains=gains, weight=_WEIGHTS[_best_weight(found)])


def _find(corpus: Corpus, words: CitationWords, known: Description, place: Place) -> tuple[Found, list[Found]]:
    """Where the right works stand by words, and with vectors by each weight."""
    catalogue = corpus.catalogue()
    query = Query(place.question)
    rule = barrier(catalogue, place.question.date, place.question.title, place.excluded)
    scored = search_place.score(catalogue, query, rule)
    plain = _found(scored.pool.works, scored.scores, place.right)
    values = words.encode([citation_words.asked_words(query)])[0]
    if not values.any():
        return plain, [plain] * len(_WEIGHTS)
    near = Nearest(corpus, Vector(known.vectors, values.tolist()))
    scored = search_place.score(catalogue, query, rule, near=near)
    raised = [search_place.add_nearness(scored, replace(near, weight=it)) for it in _WEIGHTS]
    return plain, [_found(scored.pool.works, it, place.right) for it in raised]


def _found(works: Sequence[Sketch], scores: Sequence[float], right: frozenset[int]) -> Found:
    order = sorted(range(len(scores)), key=lambda it: -scores[it])
    return Found([rank for rank, at in enumerate(order, 1) if works[at].n in right], len(right))


def _best_weight(found: Sequence[Sequence[Found]]) -> int:
    """Which of the weights finds the right works earliest; the first of those that are alike."""
    worth = [sum(of[at].worth for of in found) for at in range(len(_WEIGHTS))]
    return worth.index(max(worth))


def _first(found: Sequence[Found]) -> float:
    """In what share of the places a right work comes first."""
    return sum(1 in it.ranks for it in found) / len(found)


def _among_ten(found: Sequence[Found]) -> float:
    """What share of the right works is among ten, or of ten if more are right."""
    return sum(sum(rank <= 10 for rank in it.ranks) / min(it.right, 10) for it in found) / len(found)


def _is_sure(gains: Sequence[float]) -> bool:
    """Whether a mean above zero is hardly chance: in all but one of forty samples of the places it is."""
    chance = random.Random(0)  # noqa: S311
    sums = sorted(sum(chance.choices(gains, k=len(gains))) for _ in range(_SAMPLES))
    return sums[_SAMPLES // 40] > 0
