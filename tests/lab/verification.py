"""How many wrong references are found, how many right ones accused, and how many repairs restore the truth.

    python tests/lab verification CASES SET... --config NAME=FILE [--config NAME=FILE ...] [--every N] [--stop N]

CASES holds SET.bib, and SET.jsonl with one case a line: `key`, `code`, `expect` (accuse, silent, either), `disputed`,
`fields` (what is wrong) and `truth` (title, authors, year, venue, doi, arxiv, volume, pages, publisher).  Each NAME is
a run of `citelsp check` with those settings; the accusations that a later run makes and the first does not are counted:
services that fail must not add any.  Every check is made a second time with what the first one learnt and the settings
of the first NAME: that asks only what was missing.  With --stop it is broken off after so many requests and begun anew.
"""

import argparse
import asyncio
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers, normal_arxiv, normal_doi
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.checks import profiles
from citelsp.cli.check_outcome import CheckOutcome
from citelsp.cli.run_checks import Checking
from citelsp.cli.targets import Workplace
from citelsp.evals.metrics import Interval, estimate_mean
from citelsp.evals.page import Section, Table, markdown, number, percent
from citelsp.evals.requests import count_requests
from citelsp.sources.ask_services import Sources
from citelsp.sources.clean import display_name
from citelsp.syntax.nodes import EntryNode, Syntax

_ACCUSING = ("mismatch", "conflict", "not-found", "retracted")


@dataclass(frozen=True, slots=True)
class Case:
    set: str
    key: str
    code: str
    expect: str  # accuse, silent, either
    disputed: bool
    fields: tuple[str, ...]
    truth: Record | None


@dataclass(frozen=True, slots=True)
class Run:
    """What one configuration said of every case, by key."""

    name: str
    cases: tuple[Case, ...]
    accused: frozenset[str]
    abstained: frozenset[str]
    restored: Mapping[str, bool]  # key → whether every wrong field is true after its repair
    harmed: frozenset[str]
    requests: int
    seconds: float
    cpu: float
    again: int = 0  # requests of a second run, which knows what the first one learnt
    completed: frozenset[str] = frozenset()  # accused by the second run
    unrecorded: frozenset[str] = frozenset()  # a wrong field is one that the record found says nothing of


def cases(directory: Path, name: str) -> list[Case]:
    lines = (directory / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_case(name, json.loads(it)) for it in lines]


def _case(name: str, raw: Mapping[str, Any]) -> Case:
    truth = _record(raw["truth"]) if raw.get("truth") else None
    fields = tuple(raw.get("fields", ()))
    return Case(name, raw["key"], raw["code"], raw["expect"], bool(raw.get("disputed")), fields, truth)


def _record(raw: Mapping[str, Any]) -> Record:
    return Record(
        source="truth",
        id="",
        title=raw.get("title") or "",
        authors=tuple(map(display_name, raw.get("authors") or ())),
        years=(int(raw["year"]),) if raw.get("year") else (),
        venue=raw.get("venue") or "",
        identifiers=Identifiers(doi=normal_doi(raw.get("doi") or ""), arxiv=normal_arxiv(raw.get("arxiv") or "")),
        volume=raw.get("volume") or "",
        issue=raw.get("number") or "",
        pages=raw.get("pages") or "",
        publisher=raw.get("publisher") or "",
    )


async def run(
    name: str, settings: tuple[Path, Path], bibliographies: Mapping[str, str], every: Sequence[Case], stop: int = 0
) -> Run:
    """Two checks of these bibliographies (set → text) with the user's settings at these paths, from an empty cache.

    The first one is broken off after `stop` requests and begun anew; 0: it is not.
    """
    with TemporaryDirectory() as place:
        paths = [Path(place) / f"{it}.bib" for it in bibliographies]
        for path, text in zip(paths, bibliographies.values(), strict=True):
            path.write_bytes(text.encode())
        first_run, second_run = (argparse.Namespace(paths=paths, config=it) for it in settings)
        broken = await _checked(first_run, Path(place), stop) if stop else _Check()
        first = await _checked(first_run, Path(place), mends=True)
        second = await _checked(second_run, Path(place))
    texts = {path.stem: first.texts.get(str(path), bibliographies[path.stem]) for path in paths}
    before, after = _entries(bibliographies), _entries(texts)
    return Run(
        name,
        tuple(every),
        first.accused,
        first.abstained,
        restored={it.key: _whole(it, after) for it in every if it.expect == "accuse" and it.fields and it.truth},
        harmed=frozenset(it.key for it in every if it.expect == "silent" and _is_harmed(it, before, after)),
        requests=broken.requests + first.requests,
        seconds=first.seconds,
        cpu=first.cpu,
        again=second.requests,
        completed=second.accused,
        unrecorded=frozenset(it.key for it in every if not _tells(first.works.get(it.key), it.fields)),
    )


@dataclass(frozen=True, slots=True)
class _Check:
    accused: frozenset[str] = frozenset()
    abstained: frozenset[str] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict)  # path → text with every repair
    works: Mapping[str, Record] = field(default_factory=dict)  # what was found, by key
    requests: int = 0
    seconds: float = 0.0
    cpu: float = 0.0


async def _checked(arguments: argparse.Namespace, place: Path, stop: int = 0, *, mends: bool = False) -> _Check:
    """One check with the cache below `place`; nothing but its requests, if it is broken off after `stop` of them."""
    workplace = Workplace(arguments)
    sources = Sources(workplace.settings(), directory=place / "cache")
    checking = Checking(workplace, sources)
    task = asyncio.ensure_future(checking.check())
    sent = count_requests(sources, stop, task.cancel)
    try:
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.wait([task])
        if task.cancelled():
            return _Check(requests=len(sent))
        found = await task
        took, cpu, requests = time.perf_counter() - began, time.process_time() - cpu, len(sent)
        texts = (await checking.mend(found, "review"))[1].texts if mends else {}
    finally:
        await sources.aclose()
    accused, abstained = _accused(found)
    verdicts = (pair for one in found.checked for pair in one.verdicts())
    works = {place.entry.key: verdict.record for place, verdict in verdicts if verdict.record}
    return _Check(accused, abstained - accused, texts, works, requests, took, cpu)


def _accused(found: CheckOutcome) -> tuple[frozenset[str], frozenset[str]]:
    """The keys accused by a verdict or a serious finding about the work, and those not settled."""
    verdicts = [(place.entry.key, verdict.kind) for one in found.checked for place, verdict in one.verdicts()]
    findings = (it for one in found.checked for it in one.findings if _is_of_a_work(it.code))
    accused = {key for key, kind in verdicts if kind in _ACCUSING}
    accused |= {it.key for it in findings if it.key and it.severity in ("error", "warning")}
    return frozenset(accused), frozenset(key for key, kind in verdicts if kind == "unchecked")


def _is_of_a_work(code: str) -> bool:
    """Rather than of what the bibliography looks like."""
    return code.startswith("wrong-") or code in profiles.CODES["identity"]


def _entries(texts: Mapping[str, str]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for path, text in texts.items():
        read = syntax.parse(Document(path, text, "bibtex"))
        found |= {it.key: Entry(it, read.strings) for it in _nodes(read)}
    return found


def _nodes(read: Syntax) -> Iterator[EntryNode]:
    return map(read.entries.node, range(len(read.entries))) if read.entries else iter(())


def _is_true(entry: Entry, field: str, truth: Record) -> bool:
    if field in ("doi", "arxiv"):
        return bool(getattr(entry.identifiers, field) == getattr(truth.identifiers, field))
    if field == "year":
        return entry.year in truth.years
    return compare(entry, truth).outcome(field) in ("same", "looser")


def _tells(record: Record | None, fields: Iterable[str]) -> bool:
    """Whether the record, where there is one, could be the source of a repair of all these fields."""
    known = {"doi": "identifiers", "arxiv": "identifiers", "number": "issue"}
    return record is None or all(getattr(record, known.get(it, it), "") for it in fields)


def _whole(case: Case, after: Mapping[str, Entry]) -> bool:
    truth = case.truth
    return truth is not None and case.key in after and all(_is_true(after[case.key], it, truth) for it in case.fields)


def _is_harmed(case: Case, before: Mapping[str, Entry], after: Mapping[str, Entry]) -> bool:
    truth = case.truth
    if truth is None or case.key not in before:
        return False
    names = [it for it in ("title", "authors", "year", "venue", "doi") if it != "doi" or truth.identifiers.doi]
    fields = [it for it in names if _is_true(before[case.key], it, truth)]
    return case.key not in after or not all(_is_true(after[case.key], it, truth) for it in fields)


@dataclass(frozen=True, slots=True)
class Score:
    """Of the cases that must be accused and those that must not; 'either' counts in neither."""

    n: int
    recall: Interval | None
    false_positives: Interval | None
    mcc: float | None
    abstained: float


def score(of: Iterable[Case], run: Run) -> Score:
    every = list(of)
    hits = [float(it.key in run.accused) for it in every if it.expect == "accuse"]
    alarms = [float(it.key in run.accused) for it in every if it.expect == "silent"]
    silent = sum(it.key in run.abstained for it in every) / max(1, len(every))
    return Score(len(every), _mean(hits), _mean(alarms), matthews(hits, alarms), silent)


def _mean(values: Sequence[float]) -> Interval | None:
    return estimate_mean(values, range(len(values))) if values else None


def matthews(hits: Sequence[float], alarms: Sequence[float]) -> float | None:
    """Matthews' correlation of what was accused (1) with what had to be; None if one kind is absent."""
    tp, fp = sum(hits), sum(alarms)
    fn, tn = len(hits) - tp, len(alarms) - fp
    spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / math.sqrt(spread) if spread else None


def section(runs: Sequence[Run], command: str) -> Section:
    tables = (_scores(runs), _codes(runs), _costs(runs))
    note = "Intervals: 95 %, bootstrap over references. An abstention counts as silence."
    left_out = (
        f"Restored: of the wrong fields that a record tells of; {len(runs[0].unrecorded)} references are left out."
    )
    return Section("Verification", command, (note, left_out), tables)


def _scores(runs: Sequence[Run]) -> Table:
    head = ("run and set", "n", "recall", "false positives", "MCC", "abstained", "restored", "harmed")
    return Table(head, tuple(row for it in runs for row in _score_rows(it)))


def _score_rows(run: Run) -> Iterator[tuple[str, ...]]:
    named: dict[str, Callable[[Case], bool]] = {"all": lambda _: True}
    for name in dict.fromkeys(it.set for it in run.cases):
        named[name] = lambda case, name=name: case.set == name  # type: ignore[misc]
    named["all, disputed labels left out"] = lambda case: not case.disputed
    for name, belongs in named.items():
        of = [it for it in run.cases if belongs(it)]
        found = score(of, run)
        repairs = [run.restored[it.key] for it in of if it.key in run.restored]
        restored = percent(sum(repairs) / len(repairs)) if repairs else "–"
        harmed = str(sum(it.key in run.harmed for it in of))
        rates = (_interval(found.recall), _interval(found.false_positives), number(found.mcc))
        yield f"{run.name}: {name}", str(found.n), *rates, percent(found.abstained), restored, harmed


def _interval(interval: Interval | None) -> str:
    return f"{percent(interval.mean)} ({100 * interval.low:.1f}–{100 * interval.high:.1f})" if interval else "–"


def _codes(runs: Sequence[Run]) -> Table:
    of: dict[str, list[Case]] = {}
    for case in runs[0].cases:
        of.setdefault(f"{case.set} {case.code}, {case.expect}", []).append(case)
    rows = [(name, str(len(of[name])), *(_share(of[name], it) for it in runs)) for name in sorted(of)]
    return Table(("code and what is expected", "n", *(f"accused, {it.name}" for it in runs)), tuple(rows))


def _share(of: Sequence[Case], run: Run) -> str:
    return percent(sum(it.key in run.accused for it in of) / len(of))


def _costs(runs: Sequence[Run]) -> Table:
    head = ("run", "requests a reference", "CPU s a reference", "s a reference", "requests of a second run",
            "accused otherwise then", "accusations new to this run")  # fmt: skip
    rows = []
    for run in runs:
        n = max(1, len(run.cases))
        fresh = len(run.accused - runs[0].accused)
        each = (run.requests / n, run.cpu / n, run.seconds / n)
        rows.append(
            (run.name, *map(number, each), str(run.again), str(len(run.completed ^ runs[0].accused)), str(fresh))
        )
    return Table(head, tuple(rows))


def measure(
    directory: Path, sets: Sequence[str], configs: Mapping[str, Path], every: int = 1, stop: int = 0
) -> list[Run]:
    """A run for each configuration over every so many-th case of the sets.

    Repairs are counted of what the records that the first one finds tell.
    """
    found = [it for name in sets for it in cases(directory, name)[::every]]
    texts = {it: _only((directory / f"{it}.bib").read_text(encoding="utf-8"), found) for it in sets}
    first = next(iter(configs.values()))
    runs = [asyncio.run(run(name, (path, first), texts, found, stop)) for name, path in configs.items()]
    left_out = runs[0].unrecorded
    return [replace(it, restored={k: done for k, done in it.restored.items() if k not in left_out}) for it in runs]


def _only(text: str, of: Iterable[Case]) -> str:
    """The entries of these cases."""
    keys = {it.key for it in of}
    read = syntax.parse(Document("cases.bib", text, "bibtex"))
    return "\n\n".join(it.source for it in _nodes(read) if it.key in keys) + "\n"


def command(sets: Sequence[str], named: Iterable[str], every: int) -> str:
    """What makes such runs, whatever the files are called here."""
    settings = " ".join(f"--config {it}=FILE" for it in configs(named))
    return f"python tests/lab verification CASES {' '.join(sets)} {settings} --every {every}"


def configs(named: Iterable[str]) -> dict[str, Path]:
    """NAME=FILE, in their order."""
    return {name: Path(file) for name, _, file in (it.rpartition("=") for it in named)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Count what a check finds, misses, accuses wrongly and repairs.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--config", action="append", required=True, metavar="NAME=FILE")
    parser.add_argument("--every", type=int, default=1, help="of how many cases one is taken")
    parser.add_argument("--stop", type=int, default=0, help="requests after which a check is broken off and begun anew")
    arguments = parser.parse_args()
    runs = measure(arguments.directory, arguments.sets, configs(arguments.config), arguments.every, arguments.stop)
    print(markdown("Verification", [section(runs, command(arguments.sets, arguments.config, arguments.every))]))


if __name__ == "__main__":
    main()
