"""What each measurement is held to: the report lists every bar with its figure and whether it is met."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median

from citelsp.evals import metrics, prediction
from citelsp.evals.metrics import Interval
from citelsp.evals.page import Bar, Section, Table
from citelsp.evals.prediction import Judged, PredictedWork
from lab import masking, verification
from lab.masking import MaskedOutcome
from lab.overhead import Runs
from lab.verification import Case, Run

# Of fewer, one case would be more than ten of a hundred.
_FEWEST = 10  # cases of a kind, for its share to say something
_OFTEN_UNRECORDED = "H6"  # places, volumes and pages: of many, no record says anything

# What is asked of a run, by its name: shares in percent; a negative number is the most, a positive one the least.
_VERIFICATION: Mapping[str, Mapping[str, float]] = {
    "clean": {
        "wrong references found, %": 96,
        "right references accused, %": -0.5,
        "Matthews' correlation, %": 96,
        "of the kind of error found least, %": 90,
        "of the kind of right references accused most, %": -1,
        "repairs that restore the truth, of fields on record, %": 95,
        "requests a reference": -1.01,
        "seconds a reference": -0.10,
    },
    "life": {
        "wrong references found, %": 92,
        "right references accused, %": -0.5,
        "Matthews' correlation, %": 93,
        "left unchecked, %": -6,
        "repairs that restore the truth, of fields on record, %": 92,
    },
    "withdrawn": {"wrong references found, %": 98},
    "museum": {"wrong references found, %": 95, "right references accused, %": -2},
}
_FOUND: Mapping[str, Mapping[str, float]] = {  # percent of a set's right works
    "wild": {"R@1": 22, "R@10": 45},
    "citerag": {"R@1": 24, "R@10": 50},
    "aclarc": {"R@1": 16, "R@10": 36},
}
_MASKED: Mapping[int, float] = {1: 40, 10: 75}  # percent of the right entries among the first so many
_PREDICTION: Mapping[str, float] = {"candidates that do not exist, %": 0}
_CALIBRATION = 4  # percent, of the probability of first candidates
_PLACES = ("citerag", "aclarc")  # sets of places in texts; the others are questions in words
_AGENT = {"tokens in, median": -2_600, "of them cached, %": 75, "ms of CPU, median": -150}
_ANSWERS = {"wrong when sure": -10, "answered": 40, "abstaining without": 80}  # percent
_COMPARED = ("R@1", "R@10")
_CORPUS = {  # s and ms of CPU, MB: rows of the benchmark's table that begin so
    "s to build the corpus": -120,
    "MB resident at most while building": -1_500,
    "ms to open it": -50,
    "ms to look a title up, median": -2,
    "ms from a place to ranked works, median": -40,
    "ms from a place to ranked works, 95th percentile": -100,
    "s on the clock to add 500 PDF files": -180,
}
_START: Mapping[str, float] = {  # s of CPU: what the rows of the benchmark's table hold
    "`citelsp --version`": -0.08,
    "`citelsp check": -0.30,
    "`initialize`": -0.30,
}
_SPEED: Mapping[int, Mapping[str, float]] = {  # ms of CPU, kB and MB: rows of the benchmark's table
    1_000: {"ms a keystroke, median": -2, "ms a keystroke, 95th percentile": -8},
    10_000: {
        "ms to the answer of `initialize`": -300,
        "ms from open to the first list": -400,
        "ms a keystroke, median": -3,
        "ms a keystroke, 95th percentile": -8,
        "MB resident": -130,
    },
    50_000: {
        "ms from open to the first list": -1_200,
        "ms from open to the first list, at the second start": -400,
        "ms a keystroke, median": -3,
        "ms a keystroke, 95th percentile": -8,
        "kB of the largest answer": -60,
        "MB resident": -350,
        "ms a keystroke in 500 kB LaTeX": -15,
    },
}


_WHY = {  # what falls short for a known reason, by how it ends
    "museum: wrong references found, %": "one needs an answer that was not recorded",
    "by a scripted model: of them cached, %": "asked for when a search went on by turns; now questions are short",
    "by rules: abstaining without": "by words alone that takes answering at most 8 of 100 places",
}


def verified(runs: Iterable[Run]) -> Iterator[Bar]:
    """The bars of the runs whose names have some."""
    for run in runs:
        if run.name in _VERIFICATION:
            yield from _compared(run.name, _VERIFICATION[run.name], _values(run))


def _compared(of: str, asked: Mapping[str, float], measured: Mapping[str, float]) -> Iterator[Bar]:
    for what, bar in asked.items():
        if what in measured:
            why = next((why for end, why in _WHY.items() if f"{of}: {what}".endswith(end)), "")
            yield Bar(f"{of}: {what}", measured[what], abs(bar), bar <= 0, why)


def _values(run: Run) -> dict[str, float]:
    found = verification.score(run.cases, run)
    count = len(run.cases)
    values = {
        "left unchecked, %": 100 * found.abstained,
        "requests a reference": run.requests / count,
        "seconds a reference": run.seconds / count,
    }
    if found.recall:
        values["wrong references found, %"] = 100 * found.recall.mean
        values["of the kind of error found least, %"] = 100 * min(_shares(run, "accuse"), default=1.0)
    if found.false_positives:
        values["right references accused, %"] = 100 * found.false_positives.mean
        values["of the kind of right references accused most, %"] = 100 * max(_shares(run, "silent"), default=0.0)
    if found.mcc is not None:
        values["Matthews' correlation, %"] = 100 * found.mcc
    if run.restored:
        values["repairs that restore the truth, of fields on record, %"] = (
            100 * sum(run.restored.values()) / len(run.restored)
        )
    return values


def _shares(run: Run, expect: str) -> Iterator[float]:
    """The share that is accused of each kind of case that must be, or must not; labels in dispute apart."""
    kinds: dict[tuple[str, str], list[Case]] = {}
    for case in run.cases:
        if case.expect == expect and case.code != _OFTEN_UNRECORDED and not case.disputed:
            kinds.setdefault((case.set, case.code), []).append(case)
    return (sum(it.key in run.accused for it in of) / len(of) for of in kinds.values() if len(of) >= _FEWEST)


def steady(runs: Sequence[Run]) -> Iterator[Bar]:
    """The bars of the runs after the first, whose services fail: they accuse nobody whom the first does not."""
    for run in runs[1:]:
        yield Bar(
            f"{run.name}: accusations that {runs[0].name} does not make",
            len(run.accused - runs[0].accused),
            0,
            most=True,
        )


def predicted(sets: Mapping[str, Sequence[Judged]], exists: Callable[[PredictedWork], bool]) -> Iterator[Bar]:
    for name, answers in sets.items():
        if name in _FOUND:
            found = {metric: 100 * interval.mean for metric, interval in prediction.means(answers).items()}
            yield from _compared(name, _FOUND[name], found)
        measured = {"candidates that do not exist, %": 100 * prediction.hallucinated_share(answers, exists)}
        yield from _compared(name, _PREDICTION, measured)
        chances, right = prediction.confidences(answers)
        if name in _PLACES and chances:
            yield _calibrated(name, chances, right)


def _calibrated(name: str, chances: Sequence[float], right: Sequence[bool]) -> Bar:
    """The bar of a set's calibration error, with the reason if so many honest probabilities would have it as well."""
    error = 100 * metrics.calibration_error(chances, right)
    by_chance = 100 * metrics.error_by_chance(chances).high
    why = f"chance alone brings up to {by_chance:.1f}" if error <= by_chance else ""
    return Bar(f"{name}: calibration error of the first candidate, %", error, _CALIBRATION, most=True, why=why)


def masked(found: Sequence[MaskedOutcome]) -> Iterator[Bar]:
    for most, interval in masking.shares(found).items():
        if most in _MASKED:
            yield Bar(f"own bibliography: right entry among {most}, %", 100 * interval.mean, _MASKED[most])


def better(differences: Mapping[str, Mapping[str, Interval]], other: str) -> Iterator[Bar]:
    """Of the mean differences to another system, by set and metric: above zero if texts are asked about, and
    nowhere below it."""
    for name, found in differences.items():
        for metric in _COMPARED:
            least, what = (found[metric].low, "lower") if name in _PLACES else (found[metric].high, "upper")
            yield Bar(f"{name}: {metric} minus that of {other}, {what} end of the interval", 100 * least, 0)


def resolved(runs: Mapping[str, Runs]) -> Iterator[Bar]:
    for name, runs_of in runs.items():
        read = [found.usage.get("tokens_in", 0) for found in runs_of.found]
        measured = {"ms of CPU, median": median(runs_of.costs)}
        if total := sum(read):
            measured |= {
                "tokens in, median": median(read),
                "of them cached, %": 100 * runs_of.total("tokens_cached") / total,
            }
        yield from _compared(name, _AGENT, measured)


def answered(sets: Mapping[str, Mapping[str, float]]) -> Iterator[Bar]:
    """The bars of the agent's rules: never below the corpus alone, above it if the right work has an abstract."""
    for name, found in sets.items():
        if name.partition(",")[0] in _PLACES:
            end, what = ("least", "lower") if "," in name else ("most", "upper")
            yield Bar(
                f"{name}: R@1 minus that of the corpus alone, {what} end of the interval", found[f"gain, {end}"], 0
            )
            yield from _compared(f"{name}, by rules", {} if "," in name else _ANSWERS, found)


def started(table: Table) -> Iterator[Bar]:
    """The bars of the table that the benchmark of a start prints: what, ours, times Python's own."""
    for what, value, _ in table.rows:
        if asked := [bar for part, bar in _START.items() if part in what]:
            yield from _compared(what, {"s of CPU": asked[0]}, {"s of CPU": float(value)})


def fast(table: Table) -> Iterator[Bar]:
    """The bars of the table that the editor's benchmark prints: entries, what, ours."""
    for entries, what, value, *_ in table.rows:
        asked = _SPEED.get(int(entries.replace(",", "")), {})
        yield from _compared(
            f"{entries} entries", {what: asked[what]} if what in asked else {}, {what: float(value.rstrip("%"))}
        )


def indexed(table: Table) -> Iterator[Bar]:
    """The bars of the table that the corpus's benchmark prints: works, what, ours."""
    for works, what, value in table.rows:
        asked = {begin: bar for begin, bar in _CORPUS.items() if what.startswith(begin)}
        yield from _compared(f"{works} works", asked, dict.fromkeys(asked, float(value)))


def asked(sections: Sequence[Section]) -> Section:
    """The bars of all sections, those that are not met first."""
    bars = sorted((it for section in sections for it in section.bars), key=lambda it: it.reached)
    rows = ((it.what, f"{'≤' if it.most else '≥'} {it.asked:g}", f"{it.measured:.4g}", _result(it)) for it in bars)
    reached = sum(it.reached for it in bars)
    note = (
        f"{reached} of {len(bars)} are met. Times are this machine's; beside a peer in the same minutes they say more."
    )
    return Section("Asked and measured", notes=(note,), tables=(Table(("what", "asked", "measured", ""), tuple(rows)),))


def _result(bar: Bar) -> str:
    return "met" if bar.reached else f"short: {bar.why}" if bar.why else "short"
