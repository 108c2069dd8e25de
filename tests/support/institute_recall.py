"""What a server's index finds beside the embedded one, question by question; what is known is not asked again."""

import asyncio
import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from citelsp.corpus import pool, search_place
from citelsp.corpus.catalogue import Catalogue
from citelsp.corpus.index import Corpus
from citelsp.corpus.search_place import Ranked
from citelsp.corpus.servers import ServerCorpus
from citelsp.evals import metrics, questions
from citelsp.evals.questions import LabelledPlace
from citelsp.sources.search_server import UnavailableError

_DEEP = 1000
_TRIES, _REST = 10, 20.0  # seconds
_CUTS = {"R@1": 1, "R@10": 10, f"pool@{_DEEP}": _DEEP}
_CHANCE = "probability"  # of the first


@dataclass(frozen=True)
class Recalls:
    """One question: what each index found, by the names of _CUTS, and how probable it called its first."""

    asked: LabelledPlace
    embedded: Mapping[str, float]
    server: Mapping[str, float]
    same_first: bool

    def line(self) -> str:
        found = {"embedded": self.embedded, "server": self.server, "same_first": self.same_first}
        return json.dumps({"set": self.asked.set, "id": self.asked.id, **found}) + "\n"


def noted(notes: Path | None, asked: Sequence[LabelledPlace]) -> list[Recalls]:
    """What an earlier run wrote down of these questions."""
    raw = questions.objects(notes) if notes and notes.exists() else ()
    known = {(it["set"], it["id"]): (it["embedded"], it["server"], it["same_first"]) for it in raw}
    return [Recalls(it, *known[it.set, it.id]) for it in asked if (it.set, it.id) in known]


def compare(folder: Path, server: ServerCorpus, notes: Path | None, asked: Sequence[LabelledPlace]) -> list[Recalls]:
    """What the embedded index in a folder finds, and the server, which is closed; each is written down at once."""

    async def run() -> list[Recalls]:
        found = []
        with Corpus(folder) as corpus:
            for one in asked:
                here = corpus.catalogue()
                own = search_place.rank(here, one.asked, exclude=one.exclude)
                ours = _thousand(here, own)
                ranked, theirs = await _patiently(server, one)
                both = _recalls(one, ours, own), _recalls(one, theirs, ranked)
                found.append(Recalls(one, *both, ours[:1] == theirs[:1]))
                if notes:
                    with notes.open("a", encoding="utf-8") as out:
                        out.write(found[-1].line())
        await server.aclose()
        return found

    return asyncio.run(run())


async def _patiently(server: ServerCorpus, one: LabelledPlace) -> tuple[Ranked, list[str]]:
    """A server that is too busy to answer has not been judged."""
    for attempt in range(_TRIES):
        try:
            catalogue, ranked = await server.rank(one.asked, one.exclude)
            return ranked, await asyncio.to_thread(_thousand, catalogue, ranked)
        except UnavailableError:
            if attempt + 1 == _TRIES:
                raise
            await asyncio.sleep(_REST)
    raise AssertionError


def _thousand(catalogue: Catalogue, ranked: Ranked) -> list[str]:
    """The ids of the first stage, as a batch's answer lists them."""
    numbers = [ranked.pool.works[it].n for it in ranked.order]
    numbers += pool.find_next_best(catalogue, ranked.query, ranked.pool, ranked.rule, _DEEP - len(numbers))
    return catalogue.ids(numbers)


def _recalls(asked: LabelledPlace, ids: Sequence[str], ranked: Ranked) -> dict[str, float]:
    named = {id_: number for number, work in enumerate(asked.gold) for id_ in work.ids}
    found = [named.get(it, it) for it in ids]
    recalls = {name: metrics.recall(found, range(len(asked.gold)), most) for name, most in _CUTS.items()}
    return recalls | {_CHANCE: ranked.probabilities[ranked.order[0]] if ranked.order else 0.0}


def table(found: Sequence[Recalls]) -> str:
    """By set, in percent; the differences paired, with intervals of 95 %, source papers resampled."""
    lines = ["| set | n | | embedded | server | difference | same first |", "|---|--:|---|--:|--:|--:|--:|"]
    for name in dict.fromkeys(it.asked.set for it in found):
        part = [it for it in found if it.asked.set == name]
        clusters = [it.asked.cluster for it in part]
        same = 100 * sum(it.same_first for it in part) / len(part)
        for cut in _CUTS:
            ours, theirs = [it.embedded[cut] for it in part], [it.server[cut] for it in part]
            gap = metrics.paired_difference(theirs, ours, clusters)
            lines.append(
                f"| {name} | {len(part)} | {cut} | {100 * statistics.mean(ours):.1f} |"
                f" {100 * statistics.mean(theirs):.1f} |"
                f" {100 * gap.mean:+.1f} ({100 * gap.low:+.1f}..{100 * gap.high:+.1f}) | {same:.0f} |"
            )
        errors = [_calibration_error([getattr(it, where) for it in part]) for where in ("embedded", "server")]
        lines.append(
            f"| {name} | {len(part)} | calibration error | {errors[0]:.1f} | {errors[1]:.1f} |"
            f" {errors[1] - errors[0]:+.1f} | |"
        )
    return "\n".join(lines)


def _calibration_error(found: Sequence[Mapping[str, float]]) -> float:
    return 100 * metrics.calibration_error([it[_CHANCE] for it in found], [it["R@1"] > 0 for it in found])
