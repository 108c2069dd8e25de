"""What a policy with a model is shown: prompts from files, observations in few words, strangers' text fenced."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from citelsp.agent.actions import describe
from citelsp.agent.environment import Environment
from citelsp.agent.loop import Run, nearest_to_place
from citelsp.agent.steps import Observation, Step
from citelsp.knowledge import Candidate, Evidence

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_FENCES = str.maketrans({"«": "‹", "»": "›", "<": "‹", ">": "›", "`": "'"})
_TITLE, _PASSAGE, _BEFORE, _AFTER = 160, 420, 700, 250


@lru_cache(maxsize=32)
def prompt(name: str) -> str:
    """A prompt by its file's name in prompts/."""
    return files("citelsp.agent").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").strip()


def fenced(text: str, limit: int) -> str:
    """A stranger's text between « and », on one line, so that it cannot pass for anything else."""
    return f"«{plain(text, limit)}»"


def plain(text: str, limit: int) -> str:
    """On one line, without control characters or the signs that fence, at most so many characters."""
    line = " ".join(_CONTROL.sub(" ", text[: 4 * limit]).translate(_FENCES).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def place(environment: Environment) -> str:
    """The manuscript's title and the text around the place."""
    where = environment.place
    before, after = where.before[-_BEFORE:], where.after[:_AFTER]
    parts = [f"Manuscript: {fenced(where.title, _TITLE)}"] if where.title else []
    parts += [f"Section: {fenced(where.heading, 80)}"] if where.heading else []
    parts += [f"The author's hint: {fenced(where.hint, 120)}"] if where.hint else []
    return "\n".join([*parts, f"Place: «{plain(before, _BEFORE)} [CITE] {plain(after, _AFTER)}»"])


def step(run: Run, done: Step, shown: set[str], *, tight: bool = False) -> list[str]:
    """Each observation of a step in words; `shown` holds the handles described before, and grows."""
    return [observation(run, it, shown, tight=tight) for it in done.observations]


def observation(run: Run, seen: Observation, shown: set[str], *, tight: bool = False) -> str:
    lines = [_work(run, handle, shown, tight=tight) for handle in seen.handles[: 4 if tight else 8]]
    lines += [f"{seen.about} {plain(it.where, 60)}: {fenced(it.quote, _PASSAGE)}" for it in seen.passages]
    lines += [fenced(seen.text, 3000)] if seen.text else []
    lines += [seen.problem] if seen.problem else []
    lines += [f"not asked: {plain(it, 100)}" for it in seen.notes[:3]]
    return "\n".join(lines) or "nothing"


def _work(run: Run, handle: str, shown: set[str], *, tight: bool) -> str:
    work = run.desk.works[handle]
    line = f"{handle} {plain(work.record.title, _TITLE)} ({plain(describe(work.record), 60)})"
    if handle in shown:
        return f"{handle} (above)"
    shown.add(handle)
    count = work.record.citation_count
    line += f" cited {count}×" if count else ""
    line += " in the author's library" if work.key else ""
    return line if tight else f"{line}{_excerpt(run.environment, work)}"


def _excerpt(environment: Environment, work: Candidate) -> str:
    """The sentence of its abstract nearest to the place."""
    record = work.record
    said = list(work.evidence) or [Evidence(record.abstract, "abstract", record.source)]
    best = nearest_to_place(environment, [it for it in said if it.where != "title"])
    return f" {fenced(best[0].quote, 240)}" if best else ""


def numbered(environment: Environment, works: Sequence[Candidate]) -> str:
    """Works for a choice by number, from 1."""
    lines = []
    for number, it in enumerate(works, 1):
        abstract = f" {fenced(it.record.abstract, 360)}" if it.record.abstract else ""
        lines.append(f"{number}. {plain(it.record.title, _TITLE)} ({plain(describe(it.record), 60)}){abstract}")
    return f"{place(environment)}\n\n" + "\n".join(lines)
