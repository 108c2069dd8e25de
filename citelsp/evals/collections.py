"""Fitting the ranking of a small corpus, as an author keeps one, and comparing it with those in use.

    python -m citelsp.evals.collections CORPUS GOLD QUERIES... --name "what it was fitted on" --out weights.json
        [--papers N]

QUERIES and GOLD are those of citelsp.evals.fitting, CORPUS is large and knows references.  For every source paper
collections of several sizes are made: what the paper cites, among all that the nearest citing works cite; some hold the
citing works too, some also what works on anything cite.  Each query is asked in one of them, every other one also
without the works that are right, as an author often lacks them: probabilities are fitted on both.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citelsp.corpus import pool, ranking
from citelsp.corpus.index import Corpus
from citelsp.corpus.ranking import Weights
from citelsp.corpus.words import stems
from citelsp.evals import fitting, metrics
from citelsp.evals.fitting import Example
from citelsp.evals.page import Section, Table, markdown
from citelsp.evals.questions import objects

_LEAST = 2  # queries of a source paper
_AT_ONCE = 2000

Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Size:
    """How many of the nearest citing works, and of others, tell what is collected.

    With the citing works themselves or without; all works, or only those with an abstract, as reference managers keep.
    """

    near: int
    others: int = 0
    with_citing: bool = False
    described: bool = False


SIZES = (
    Size(3), Size(12, with_citing=True), Size(6, 10),
    Size(6, described=True), Size(25, described=True, with_citing=True), Size(12, 20, described=True),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Paper:
    """A source paper: its queries by form (the file's name), and their answers by id."""

    asked: Sequence[tuple[str, Raw]]
    answers: Mapping[str, Raw]

    @property
    def title(self) -> str:
        return next((it["title"] for _, it in self.asked if it.get("title")), "")


def papers(gold: Path, queries: Sequence[Path], most: int) -> list[Paper]:
    """Source papers with several queries, at most so many, evenly taken."""
    answers = {it["id"]: it for it in objects(gold)}
    by_cluster: dict[str, list[tuple[str, Raw]]] = defaultdict(list)
    for path in queries:
        for it in objects(path):
            by_cluster[answers[it["id"]]["cluster"]].append((path.stem, it))
    found = [Paper(it, answers) for _, it in sorted(by_cluster.items()) if len(it) >= _LEAST]
    return found[:: max(1, len(found) // most)][:most]


def examples(corpus: Corpus, given: Sequence[Paper]) -> Iterator[Example]:
    """Every query in one of its paper's collections, and every other one without what is right."""
    chance = random.Random(1)  # noqa: S311
    numbers = corpus.store.all_numbers()
    citing = [n for n, cited in corpus.store.cites(numbers).items() if len(cited)]
    for paper in given:
        others = chance.sample(citing, min(len(citing), max(it.others for it in SIZES)))
        for place, size in enumerate(SIZES):
            mine = [it for number, it in enumerate(paper.asked) if number % len(SIZES) == place]
            with TemporaryDirectory() as folder, _collected(corpus, paper, size, others, Path(folder)) as small:
                if pool.is_collection(small):
                    yield from (it for form, asked in mine for it in _asked(small, form, asked, paper))


def _collected(corpus: Corpus, paper: Paper, size: Size, others: Sequence[int], folder: Path) -> Corpus:
    barred = {n for _, it in paper.asked for n in corpus.store.numbers(it.get("exclude") or ()).values()}
    own = pool.barrier(corpus, "", paper.title, ())
    hits = [n for n, _ in corpus.engine.search("citing", Counter(stems(paper.title)), 2 * size.near)]
    known = corpus.store.sketches(hits)
    near = [n for n in hits if n in known and n not in barred and own.admits(known[n])][: size.near]
    told = [*near, *others[: size.others]]
    cited = corpus.store.cites(told)
    right = {n for _, it in paper.asked for n in corpus.store.numbers(paper.answers[it["id"]]["gold"]).values()}
    chosen = [*sorted(right), *(m for n in told for m in cited.get(n, ())), *(told if size.with_citing else ())]
    numbers = [it for it in dict.fromkeys(chosen) if it not in barred]
    small = Corpus(folder, create=True)
    parts = (corpus.rows(numbers[it : it + _AT_ONCE]) for it in range(0, len(numbers), _AT_ONCE))
    small.add(row.work for part in parts for row in part if row.work.abstract or not size.described)
    return small


def _asked(small: Corpus, form: str, asked: Raw, paper: Paper) -> Iterator[Example]:
    answer = paper.answers[asked["id"]]
    yield fitting.example(small, asked, answer, form)
    if sum(asked["id"].encode()) % 2:
        lacking = {**asked, "exclude": [*(asked.get("exclude") or ()), *answer["gold"], *answer.get("gold_titles", ())]}
        yield fitting.example(small, lacking, answer, form)


def section(unseen: Sequence[fitting.Judged]) -> Section:
    """How often the right work is found where it is there.

    By weights fitted on collections, each without the source paper's; by those in use for collections; by those for
    passages, which were fitted in a large corpus on these very papers.
    """
    there = [(it, weights) for it, weights in unseen if it.right.any()]
    ways: dict[str, Callable[[Weights], Weights]] = {
        "fitted on collections": lambda weights: weights,
        "in use for collections": lambda _: ranking.fitted("collection"),
        "in use for passages": lambda _: ranking.fitted("passage"),
    }
    rows = []
    for set_ in sorted({it.set for it, _ in there}):
        of = [(it, weights) for it, weights in there if it.set == set_]
        for name, way in ways.items():
            found = [_hits(it, way(weights)) for it, weights in of]
            shares = [metrics.bootstrap(column, [it.cluster for it, _ in of]) for column in zip(*found, strict=True)]
            cells = (f"{100 * it.mean:.1f} ({100 * it.low:.1f}..{100 * it.high:.1f})" for it in shares)
            rows.append((f"{set_}, {name}", str(len(of)), *cells))
    return Section("In small collections", tables=(Table(("queries, weights", "n", "Hit@1", "Hit@5"), tuple(rows)),))


def _hits(example: Example, weights: Weights) -> tuple[float, float]:
    order = (-fitting.scored(weights, example)).argsort(kind="stable")
    return float(example.right[order[:1]].any()), float(example.right[order[:5]].any())


def main() -> None:
    parser = fitting.arguments(__doc__)
    parser.add_argument("--papers", type=int, default=60, metavar="N", help="source papers")
    asked = parser.parse_args()
    with Corpus(asked.corpus) as corpus:
        given = list(examples(corpus, papers(asked.gold, asked.queries, asked.papers)))
    fitted, unseen = fitting.fit_kinds(given)
    fitting.save(fitted, ranking.nothing_fits(), asked.name, asked.out)
    print(markdown("Collections", [section(unseen)]))  # noqa: T201


if __name__ == "__main__":
    main()
