"""The scores of predictions as sections of a page: tables with intervals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from citelsp.corpus import fitted_weights
from citelsp.corpus.pool import Stage
from citelsp.evals import metrics, prediction
from citelsp.evals.metrics import Interval
from citelsp.evals.page import Section, Table, percent
from citelsp.evals.prediction import Judged, PredictedWork

_SHOWN = ("R@1", "R@5", "R@10", "R@20", "R@100", "MRR@10", "NDCG@20", "PACA@20")
_METRICS_OF_STAGES = ("R@1", "R@10", "R@100")
_HOW_INTERVALS = "Intervals of 95 %: source papers resampled 1,000 times."
_BY_CHANCE = (
    "ECE by chance: what so many answers have, 95 % of the time within the interval, where each is right with the very "
    "probability stated and independent of the others. Places of one source paper are not, so it is somewhat larger."
)
_HOW_STAGES = (
    "Sentence, title, variants and graph are ranked by reciprocal rank fusion of what they find, without fitted "
    "weights. Weights are the fitted ones of all features with those of the priors at zero, not fitted anew; priors "
    "(how many recent works cite a work, and its age) complete what is used everywhere else."
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What else is known: whether a candidate exists, research categories by id, another system's answers."""

    exists: Callable[[PredictedWork], bool]
    categories: Mapping[str, str]
    others: Sequence[Judged] = ()
    other: str = ""  # its name


def sections(command: str, answers: Sequence[Judged], facts: Facts) -> list[Section]:
    """All parts of an evaluation in one page; sets are reported apart and never averaged over."""
    sets = by_set(answers)
    found = [
        Section("What is found", command, (_HOW_INTERVALS,), (_make_table(sets),)),
        Section("How sure it is", notes=(_BY_CHANCE,), tables=(_tabulate_sureness(sets, facts),)),
    ]
    if facts.others:
        found.append(_compare_systems(sets, facts))
    return found


def ablation(command: str, judged: Mapping[Stage, Sequence[Judged]]) -> Section:
    """Return the section that shows what each stage of the search adds, with a row for each set of questions and stage.

    `judged` has the same questions for each stage, answered by the search up to it.  `command` is shown as that by
    which the page was made.
    """
    sets_of_stages = {stage: by_set(answers) for stage, answers in judged.items()}
    set_names: dict[str, None] = {}
    for sets in sets_of_stages.values():
        set_names |= dict.fromkeys(sets)
    rows = []
    for set_name in set_names:
        for stage, sets in sets_of_stages.items():
            means = prediction.means(sets[set_name])
            label = stage.name.lower() if stage is Stage.SENTENCE else f"+ {stage.name.lower()}"
            cells = [with_interval(means[metric]) for metric in _METRICS_OF_STAGES]
            rows.append((set_name, label, str(len(sets[set_name])), *cells))
    table = Table(("set", "up to", "n", *_METRICS_OF_STAGES), tuple(rows))
    fitted = (
        f"Weights were fitted on: {fitted_weights.fitted_on()}. On these questions the last two rows are no fair test."
    )
    return Section("What each stage adds", command, (_HOW_INTERVALS, _HOW_STAGES, fitted), (table,))


def by_set(answers: Sequence[Judged]) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for answer in answers:
        found.setdefault(answer.question.set, []).append(answer)
    return found


def _make_table(sets: Mapping[str, Sequence[Judged]]) -> Table:
    rows = []
    for name, part in sets.items():
        means = prediction.means(part)
        rows.append((name, str(len(part)), *(with_interval(means[it]) for it in _SHOWN)))
    return Table(("set", "n", *_SHOWN), tuple(rows))


def with_interval(found: Interval) -> str:
    return f"{100 * found.mean:.1f} ({100 * found.low:.1f}..{100 * found.high:.1f})"


def _tabulate_sureness(sets: Mapping[str, Sequence[Judged]], facts: Facts) -> Table:
    """Return the table that shows how far probabilities can be believed, with a row for each set of questions.

    `sets` has the questions of each set with their predictions, and which of these are right.  The table also shows how
    often there is an answer, and how many of the works offered do not exist; and the entropy of research categories, if
    these are known.  `facts` says which works exist, and their categories.  “ECE” is how far the probabilities of first
    works are from how often these are right; “by chance”, how far they would be if each were exactly true.
    """
    rows = []
    for name, judged in sets.items():
        chances, right = prediction.confidences(judged)
        calibration = metrics.calibration_error(chances, right) if chances else None
        by_chance = with_interval(metrics.error_by_chance(chances)) if chances else "–"
        answered = [it for it in judged if not it.prediction.abstained and it.prediction.offers]
        correct = sum(it.first_is_right for it in answered) / len(answered) if answered else None
        row = [
            name,
            percent(calibration),
            by_chance,
            percent(len(answered) / len(judged)),
            percent(correct),
            percent(prediction.hallucinated_share(judged, facts.exists)),
        ]
        if facts.categories:
            row.append(f"{prediction.diversity(judged, facts.categories):.2f} bit")
        rows.append(tuple(row))
    head = ["set", "ECE", "ECE by chance", "answered", "right when answered", "not found to exist"]
    if facts.categories:
        head.append("entropy@20")
    return Table(tuple(head), tuple(rows))


def _compare_systems(sets: Mapping[str, Sequence[Judged]], facts: Facts) -> Section:
    found = paired(sets, facts)
    rows = tuple((name, *(difference(it[metric]) for metric in _SHOWN)) for name, it in found.items())
    return Section(f"Against {facts.other}, paired", notes=(_HOW_INTERVALS,), tables=(Table(("set", *_SHOWN), rows),))


def paired(sets: Mapping[str, Sequence[Judged]], facts: Facts) -> dict[str, Mapping[str, Interval]]:
    """How much better each set is answered here than by the other system, question by question."""
    theirs = {it.question.id: it for it in facts.others}
    return {name: prediction.differences(it, [theirs[one.question.id] for one in it]) for name, it in sets.items()}


def difference(found: Interval) -> str:
    star = "*" if found.excludes_zero else ""
    return f"{100 * found.mean:+.1f}{star} ({100 * found.low:+.1f}..{100 * found.high:+.1f})"
