"""Trajectories: every run as JSON lines in the user's state directory, read back and replayed.

The first line of a run tells the place, each further line one step, the last one how it ended; if several works were
looked for, further runs follow.  A replay needs neither network nor model nor corpus: policy and actions are what was
written down.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from citelsp.agent import calls
from citelsp.agent.conclusion import combine
from citelsp.agent.environment import Desk, Environment
from citelsp.agent.loop import find_works
from citelsp.agent.run import Run
from citelsp.agent.steps import Action, Limits, Observation, Step, Turn, Usage
from citelsp.base import log, regular_files
from citelsp.bibliography.record import Record
from citelsp.knowledge import Candidate, Evidence, Suggestion
from citelsp.sources import codec
from citelsp.sources.shape import items, number, obj, objects, text
from citelsp.workspace.question import Question

VERSION = 4
_MOST_FILES = 500  # of the folder; the oldest go
_LARGEST = 100_000_000  # bytes of one that is read


class UnreadableTrajectoryError(Exception):
    """A file that is no trajectory of this version; the message says which."""


def directory() -> Path:
    return log.directory() / "trajectories"


class Writer:
    """A journal in a file of its own, line by line, so that a cancelled run is kept as far as it came.

    Further runs of one journal go to the same file, and to that of an `earlier` one if it is still there.  If
    nothing can be written, nothing is: `path` is then None.
    """

    def __init__(self, folder: Path | None = None, earlier: str = "") -> None:
        self._folder = folder or directory()
        self._begun = bool(earlier) and Path(earlier).is_file()
        self.path: Path | None = Path(earlier) if self._begun else None

    def begin(self, run: Run, policy: str) -> None:
        """Write what a run is about, with all that is needed to replay it without a corpus.

        If this journal has no file yet, it is made first.  `policy`: the name of who chooses, a model or rules.
        """
        if not self._begun:
            self._create_file()
        asked = asdict(run.environment.question)
        question = asked | {"beside": sorted(asked["beside"])}  # JSON has no sets
        exclude = sorted(run.environment.exclude)
        rarity = run.environment.rarity
        rarities = {stem: rarity(stem) for stem in run.environment.sought}  # a replay has no corpus to count in
        self._write_line(
            {
                "version": VERSION,
                "policy": policy,
                "question": question,
                "exclude": exclude,
                "most": run.environment.most,
                "rarities": rarities,
                "limits": asdict(run.limits),
            }
        )

    def _create_file(self) -> None:
        self._begun = True
        name = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{os.getpid()}-{time.monotonic_ns() % 10**9:09d}.jsonl"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            _prune(self._folder)
            os.close(os.open(self._folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except OSError:
            return
        self.path = self._folder / name

    def step(self, step: Step) -> None:
        self._write_line({"turn": step.turn, "observations": step.observations})

    def end(self, stopped: str, suggestion: Suggestion) -> None:
        chosen = [it.record.title for it in suggestion.candidates]
        usage = dict(suggestion.usage)
        self._write_line({"stopped": stopped, "abstained": suggestion.abstained, "titles": chosen, "usage": usage})

    def _write_line(self, line: Mapping[str, Any]) -> None:
        if self.path is None:
            return
        try:
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(line, default=_name_fields) + "\n")
        except OSError:
            self.path = None


def _prune(folder: Path) -> None:
    """Remove the oldest files, which their names tell, so that one more has its place."""
    for old in sorted(folder.glob("*.jsonl"))[: -_MOST_FILES + 1 or None]:
        old.unlink(missing_ok=True)


@dataclass(frozen=True)
class Trajectory:
    """A run that was written down; `stopped` is None if it was cancelled."""

    policy: str
    question: Question
    exclude: frozenset[str]
    most: int
    rarities: Mapping[str, float]
    limits: Limits
    steps: Sequence[Step]
    stopped: str | None = None
    usage: Mapping[str, float] = field(default_factory=dict)


def read(path: Path) -> list[Trajectory]:
    """Read the runs of a file, at least one, in their order; UnreadableTrajectoryError if it holds none."""
    try:
        content = regular_files.read_whole(path, _LARGEST).decode()
        lines = [obj(json.loads(it)) for it in _whole_lines(content).splitlines()]
        # Each run begins with a line that says its version.
        starts = [index for index, line in enumerate(lines) if "version" in line]
        if not starts or starts[0] > 0:
            raise UnreadableTrajectoryError(f"{path} is not a recorded search")
        if any(lines[index]["version"] != VERSION for index in starts):
            raise UnreadableTrajectoryError(f"{path} was recorded by another version of citelsp: search again")
        return [_read_run(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]
    except FileNotFoundError:
        raise UnreadableTrajectoryError(f"there is no {path}") from None
    except OSError as error:
        raise UnreadableTrajectoryError(f"{path} cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise UnreadableTrajectoryError(f"{path} is not a recorded search") from error


def _whole_lines(text: str) -> str:
    """Drop a last line that was never finished, as after the machine went down."""
    return text[: text.rfind("\n") + 1] or text


def _read_run(lines: Sequence[Mapping[str, Any]]) -> Trajectory:
    """Read a run as `Writer` wrote it: a line that begins it, one for each step, and one that ends it.

    A cancelled run lacks the last one; then `stopped` is None.  The run's question, what is known of the place that
    needs a citation, gets back its sets and tuples, which JSON does not have.  Lines of another form, or without what
    a replay cannot do without, raise what comes, such as KeyError, of which `read` makes an error of its own.
    """
    beginning, *further = lines
    asked = obj(beginning["question"])
    lists = {
        "beside": frozenset(map(str, items(asked["beside"]))),
        "near": tuple((str(key), int(distance)) for key, distance in asked["near"]),
        "cites": tuple(map(str, items(asked["cites"]))),
    }
    rarities = {}
    for stem, rarity in obj(beginning.get("rarities")).items():
        if isinstance(rarity, int | float):
            rarities[stem] = float(rarity)
    end = next((line for line in further if "stopped" in line), {})
    return Trajectory(
        policy=text(beginning.get("policy")),
        question=Question(**{**asked, **lists}),
        exclude=frozenset(map(str, items(beginning.get("exclude")))),
        most=number(beginning.get("most")) or 1,
        rarities=rarities,
        limits=Limits(**beginning["limits"]),
        steps=[_read_step(line) for line in further if "turn" in line],
        stopped=end.get("stopped"),
        usage=obj(end.get("usage")),
    )


class _Recorded:
    """The policy that proposes what was proposed."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.name = trajectory.policy
        self._trajectory = trajectory

    async def propose(self, run: Run) -> Turn:
        steps = self._trajectory.steps
        stopped = self._trajectory.stopped
        number = len(run.steps)
        if number >= len(steps):
            return Turn(failed=stopped or "it was cancelled")
        is_last = number == len(steps) - 1
        # With its last turn the replay ends for the reason for which the run did: "", if that ended by itself.
        return replace(steps[number].turn, failed=(stopped or "") if is_last else "")


async def replay(runs: Sequence[Trajectory]) -> Suggestion:
    """Make the same suggestion again, from what was written down alone."""
    return combine([await _replay(it) for it in runs])


async def _replay(trajectory: Trajectory) -> Suggestion:
    """Run a recorded run again by its recorded observations, and return the suggestion; nobody is asked.

    Its limits are dropped: if one ended the run, its record ends there, too.
    """
    recorded = iter([observation for step in trajectory.steps for observation in step.observations])

    async def perform(environment: Environment, desk: Desk, action: Action) -> Observation:
        """Return the next recorded observation; the policy proposes the same actions in the same order."""
        observation = next(recorded, None)
        if observation is None:  # the run was cancelled: rules decide on what it had found
            return await calls.perform(environment, desk, action)
        return replace(observation, action=action)

    environment = Environment(
        trajectory.question, exclude=trajectory.exclude, most=trajectory.most, rarities=trajectory.rarities
    )
    without_limits = replace(trajectory.limits, seconds=0.0, turns=0, tokens=0, usd=0.0, requests=0)
    suggestion = await find_works(environment, _Recorded(trajectory), without_limits, perform=perform)
    return replace(suggestion, usage={**suggestion.usage, **trajectory.usage})


def _read_step(raw: Mapping[str, Any]) -> Step:
    return Step(_read_turn(raw["turn"]), tuple(map(_read_observation, raw["observations"])))


def _read_turn(raw: Mapping[str, Any]) -> Turn:
    actions = tuple(Action(**it) for it in objects(raw.get("actions")))
    return Turn(**{**raw, "actions": actions, "usage": Usage(**obj(raw.get("usage")))})


def _name_fields(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any dataclass
    """Return the fields of a value by name; of a record, those that hold something.  Nothing is copied, to be quick."""
    found = {it.name: getattr(value, it.name) for it in fields(value)}
    return _drop_empty(found) if isinstance(value, Record) else found


def _drop_empty(record: Mapping[str, Any]) -> dict[str, Any]:
    always = ("source", "id", "title", "identifiers", "citation_count")
    return {name: it for name, it in record.items() if it or name in always}


def _read_observation(raw: Mapping[str, Any]) -> Observation:
    works = tuple(map(_read_work, objects(raw.get("works"))))
    plain_fields = {name: raw[name] for name in ("about", "text", "problem", "requests")}
    handles = tuple(map(str, items(raw["handles"])))
    notes = tuple(map(str, items(raw["notes"])))
    action = Action(**obj(raw["action"]))
    passages = _read_evidence(raw["passages"])
    refused = bool(raw.get("refused"))
    return Observation(action, works, handles, passages=passages, notes=notes, refused=refused, **plain_fields)


def _read_work(raw: Mapping[str, Any]) -> Candidate:
    evidence = _read_evidence(raw["evidence"])
    return Candidate(codec.record(raw["record"]), raw["probability"], tuple(raw["origins"]), raw["key"], evidence)


def _read_evidence(raw: object) -> tuple[Evidence, ...]:
    return tuple(Evidence(**it) for it in objects(raw))
