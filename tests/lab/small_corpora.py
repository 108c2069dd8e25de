"""Fitting the ranking of a small corpus, as an author keeps one, and comparing it with those in use.

    python tests/lab small_corpora CORPUS GOLD QUERIES... --name "what it was fitted on" --out weights.json
        [--papers N] [--elsewhere FILE]

QUERIES and GOLD are those of lab.fitting, CORPUS is large and knows references.  For every source paper
collections of several sizes are made: half of what it cites, what the nearest citing works cite, and what works on
anything cite; some of titles alone, some with abstracts, some with reference lists.  Each query is asked in one of
them if the right work is there, and every other one without it, as an author often lacks it; besides, queries of
another source paper, and sentences of FILE that no work here is about, one a line.  Probabilities are fitted on all.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citelsp.corpus import fitted_weights, pool
from citelsp.corpus.fitted_weights import Weights
from citelsp.corpus.index import Corpus
from citelsp.corpus.store import Row
from citelsp.corpus.words import stems
from citelsp.corpus.work import Work
from citelsp.evals import metrics
from citelsp.evals.page import Section, Table, markdown
from citelsp.evals.questions import objects
from lab import fitting
from lab.fitting import Example

_LEAST = 2  # queries of a source paper
_NEAREST, _OTHERS = 200, 150  # citing works
_EACH = 3  # collections of a paper
_AWAY = 40  # queries of a paper for each of another that is asked beside them
_ELSEWHERE = 1  # sentences of elsewhere for each collection

# Works of test sets are mostly chosen for titles that share words with the sentence.  So that abstracts, which are
# rarer there, and the sentence as a whole keep their say, these features weigh at least so much.  What is cited beside
# the place already is as seldom meant as in a large corpus, whose weight this is.
_AT_LEAST = {"plain": 1.0, "plain/most": 2.0, "abstract~clause": 1.0, "cited": 5.0}
_NONES = range(2, 10)

Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Size:
    """How many works, which share of them the nearest works cite, and what is known of them.

    `described` is the share that has an abstract, 0 for titles alone; if some have one, only works whose abstract
    is known are taken, so that it tells nothing that one lacks it.  `citing`: citing works too, with reference lists.
    """

    works: int
    near: float
    described: float = 0.0
    citing: bool = False


SIZES = (
    Size(30, 1.0), Size(40, 1.0, 0.5), Size(100, 0.8), Size(100, 1.0, 0.3), Size(300, 0.6, citing=True),
    Size(200, 1.0, 1.0, citing=True), Size(700, 0.5), Size(400, 0.6, 0.15), Size(1300, 0.5),
    Size(700, 0.6, 0.7, citing=True), Size(2000, 0.4, citing=True), Size(1500, 0.4, 0.4),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Paper:
    """A source paper: its queries by form (the file's name), and their answers by id."""

    asked: Sequence[tuple[str, Raw]]
    answers: Mapping[str, Raw]

    @property
    def title(self) -> str:
        return next((it["title"] for _, it in self.asked if it.get("title")), "")

    @property
    def cluster(self) -> str:
        return str(self.answers[self.asked[0][1]["id"]]["cluster"])


def papers(gold: Path, queries: Sequence[Path], most: int) -> list[Paper]:
    """Source papers with several queries, at most so many, evenly taken."""
    answers = {it["id"]: it for it in objects(gold)}
    by_cluster: dict[str, list[tuple[str, Raw]]] = defaultdict(list)
    for path in queries:
        for line in objects(path):
            by_cluster[answers[line["id"]]["cluster"]].append((path.stem, line))
    found = [Paper(it, answers) for _, it in sorted(by_cluster.items()) if len(it) >= _LEAST]
    return found[:: max(1, len(found) // most)][:most]


def examples(corpus: Corpus, sources: Sequence[Paper], elsewhere: Sequence[str]) -> Iterator[Example]:
    """Every query in one of its paper's collections, and what has no answer there."""
    chance = random.Random(1)  # noqa: S311
    numbers = corpus.store.all_numbers()
    citing = [n for n, cited in corpus.store.cites(numbers).items() if len(cited)]
    for place, paper in enumerate(sources):
        others = chance.sample(citing, min(len(citing), _OTHERS))
        away = sources[(place + len(sources) // 2) % len(sources)]
        for part in range(_EACH):
            size = SIZES[(place + 5 * part) % len(SIZES)]
            mine = [it for number, it in enumerate(paper.asked) if number % _EACH == part]
            with TemporaryDirectory() as folder, _collected(corpus, paper, size, others, Path(folder)) as small:
                if small.engine.size and pool.is_collection(small.catalogue()):
                    yield from (it for form, asked in mine for it in _asked(small, form, asked, paper.answers))
                    strange = chance.sample(away.asked, min(len(away.asked), 1 + len(mine) // _AWAY))
                    yield from (_strange(small, it, form, away.answers[it["id"]], paper) for form, it in strange)
                    for text in chance.sample(elsewhere, min(len(elsewhere), _ELSEWHERE)):
                        asked = {"id": text, "title": paper.title, "text": text, "set": "elsewhere"}
                        yield _strange(small, asked, "", {"gold": ()}, paper)


def _collected(corpus: Corpus, paper: Paper, size: Size, others: Sequence[int], folder: Path) -> Corpus:
    barred = {n for _, it in paper.asked for n in corpus.store.numbers(it.get("exclude") or ()).values()}
    own = pool.barrier(corpus.catalogue(), "", paper.title, ())
    hits = [n for n, _ in corpus.engine.search("citing", Counter(stems(paper.title)), _NEAREST)]
    known = corpus.store.sketches(hits)
    near = [n for n in hits if n in known and n not in barred and own.admits(known[n])]
    right = {n for _, it in paper.asked for n in corpus.store.numbers(paper.answers[it["id"]]["gold"]).values()}
    chance = random.Random(paper.title)  # noqa: S311
    first = chance.sample(sorted(right), len(right))
    chosen: dict[int, Row] = {}
    for numbers, most in ((first, size.works // 2), (near, int(size.near * size.works)), (others, size.works)):
        more = numbers if numbers is first else _cited(corpus, numbers, citing=size.citing)
        fresh = [it for it in dict.fromkeys(more) if it not in barred and it not in chosen]
        rows = (it for it in fitting.rows(corpus, fresh) if it.work.abstract or not size.described)
        chosen.update((it.n, it) for it in islice(rows, max(0, most - len(chosen))))
    small = Corpus(folder, create=True)
    small.add(_reduced(corpus, it, size, described=chance.random() < size.described) for it in chosen.values())
    return small


def _cited(corpus: Corpus, numbers: Sequence[int], *, citing: bool) -> list[int]:
    cited = corpus.store.cites(numbers)
    return [m for n in numbers for m in (*cited.get(n, ()), *((n,) if citing else ()))]


def _reduced(corpus: Corpus, row: Row, size: Size, *, described: bool) -> Work:
    references = tuple(corpus.store.ids(row.cites)) if size.citing else ()
    return replace(row.work, abstract=row.work.abstract if described else "", references=references)


def _asked(small: Corpus, form: str, asked: Raw, answers: Mapping[str, Raw]) -> Iterator[Example]:
    answer = answers[asked["id"]]
    # By the id, not by chance: the same queries lack their work in every run.
    known, lacked = bool(small.store.numbers(answer["gold"])), sum(asked["id"].encode()) % 2
    if known or lacked:
        yield fitting.example(small, asked, answer, form)
    if known and lacked:
        lacking = {**asked, "exclude": [*(asked.get("exclude") or ()), *answer["gold"], *answer.get("gold_titles", ())]}
        yield fitting.example(small, lacking, answer, form)


def _strange(small: Corpus, asked: Raw, form: str, answer: Raw, paper: Paper) -> Example:
    """A query that does not belong to the paper, in its collection; it counts to the paper's set."""
    set_ = paper.asked[0][1].get("set", "")
    return fitting.example(small, {**asked, "set": set_}, {**answer, "cluster": paper.cluster}, form)


def section(unseen: Sequence[fitting.Judged]) -> Section:
    """How often the right work is first and among ten if it is there, and how honest the probabilities are.

    Of all that was asked, with an answer there or without.  By weights fitted on collections, each without the source
    paper's; by those for passages, which were fitted in a large corpus on these very papers.
    """
    ways = {"fitted": None, "passages'": fitted_weights.fitted_weights("passage")}
    rows = []
    for set_ in sorted({_set(it) for it, _ in unseen}):
        of = [it for it in unseen if _set(it[0]) == set_ and len(it[0].numbers)]
        rows += [(f"{set_}, {name}", *_measured(of, way)) for name, way in ways.items()]
    heads = ("queries, weights", "n", "first", "among ten", "all", "ECE", "AUC", "Brier")
    return Section("In small collections", tables=(Table(heads, tuple(rows)),))


def _set(example: Example) -> str:
    return example.set.partition(":")[2].removesuffix("_multi")


def _measured(of: Sequence[fitting.Judged], way: Weights | None) -> list[str]:
    found = []
    for example, fitted in of:
        weights = way or fitted
        scores = fitting.scored(weights, example)
        order = (-scores).argsort(kind="stable")
        chance = max(fitting.probabilities(weights, example, scores))
        found.append((bool(example.right[order[0]]), bool(example.right[order[:10]].any()), chance))
    there = [number for number, (it, _) in enumerate(of) if it.right.any()]
    clusters = [of[it][0].cluster for it in there]
    shares = [metrics.estimate_mean([float(found[it][at]) for it in there], clusters) for at in (0, 1)]
    right, chances = [it[0] for it in found], [it[2] for it in found]
    error = metrics.calibration_error(chances, right)
    brier = sum((p - y) ** 2 for p, y in zip(chances, right, strict=True)) / len(found)
    return [
        str(len(there)),
        *(f"{100 * it.mean:.1f} ({100 * it.low:.1f}..{100 * it.high:.1f})" for it in shares),
        str(len(found)), f"{100 * error:.1f}", f"{metrics.discrimination(chances, right):.3f}", f"{brier:.4f}",
    ]  # fmt: skip


def main() -> None:
    parser = fitting.arguments(__doc__)
    parser.add_argument("--papers", type=int, default=60, metavar="N", help="source papers")
    parser.add_argument("--elsewhere", type=Path, metavar="FILE", help="sentences that no work is about")
    asked = parser.parse_args()
    elsewhere = asked.elsewhere.read_text(encoding="utf-8").splitlines() if asked.elsewhere else []
    with Corpus(asked.corpus) as corpus:
        found = list(examples(corpus, papers(asked.gold, asked.queries, asked.papers), elsewhere))
    fitted, unseen = fitting.fit_kinds(found, _AT_LEAST, _NONES)
    fitting.save(fitted, fitted_weights.nothing_fits(), asked.name, asked.out)
    print(markdown("Collections", [section(unseen)]))


if __name__ == "__main__":
    main()
