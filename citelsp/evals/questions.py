r"""Questions with known answers, as evaluations read them.

Position-specific, one JSON object a line: {"id", "title", "abstract", "text" holding `\cite<>`, "date", "exclude" (ids
or titles), "cites" (titles of what the manuscript cites elsewhere)}.  List-specific: the same without "text".  What is
right stands in the same line or in one of another file with the same "id": "gold" (ids or titles), or "gold_works"
([{"ids", "titles"}], where equivalent works count once); "set" names the part of the evaluation, "cluster" the source
paper, by which means are resampled.

CiteME's table is CSV: `excerpt` holding `[CITATION]`, `target_paper_title`, `source_paper_title`, `year`.
"""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citelsp.corpus.words import title_key
from citelsp.workspace.question import MARKER, Question, read_marked

_CITEME_MARKER = "[CITATION]"


class EvaluationFileError(Exception):
    """An evaluation's file cannot be used; the message says which and why."""


class UnmarkedError(EvaluationFileError):
    """A question whose text marks no place."""


@dataclass(frozen=True, slots=True)
class Gold:
    """One right work: any of these ids or titles names it."""

    ids: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()  # title keys

    def named(self, id_: str, title: str) -> bool:
        return id_ in self.ids or title_key(title) in self.titles


@dataclass(frozen=True, slots=True)
class LabelledPlace:
    id: str
    set: str
    cluster: str
    title: str
    abstract: str
    text: str  # "" if a whole reference list is asked for
    date: str
    exclude: tuple[str, ...]
    gold: tuple[Gold, ...]
    cites: tuple[str, ...] = ()  # titles of what the manuscript cites elsewhere

    @property
    def asked(self) -> Question:
        """What is sought at a place in a text."""
        return read_marked(self.text, title=self.title, date=self.date, cites=self.cites)


def read(path: Path, answers: Path | None = None, warn: Callable[[str], None] | None = None) -> list[LabelledPlace]:
    r"""Return the questions of a file, of JSON lines or CiteME's table; EvaluationFileError if it is neither.

    `answers` is the file of JSON lines with what is right, if that is not in the same lines; with a table, which has
    its answers itself, it is an EvaluationFileError.  If a text has no `\cite<>`, or in a table no `[CITATION]`, its
    question is left out and `warn` is called with a line; without `warn` it is an EvaluationFileError.
    """
    if path.suffix.lower() == ".csv":
        if answers:
            raise EvaluationFileError(f"{path} has its answers itself: leave out --gold")
        with _name_file(path):
            return list(_read_citeme(path, warn))
    gold: dict[Any, dict[str, Any]] = {}
    if answers:
        with _name_file(answers):
            gold = {it["id"]: it for it in objects(answers)}
    with _name_file(path):
        return list(_read_questions(path, gold, warn))


@contextmanager
def _name_file(path: Path) -> Iterator[None]:
    """EvaluationFileError, with the file's path, for what is raised while it is read."""
    try:
        yield
    except OSError as problem:
        raise EvaluationFileError(f"{path}: cannot be read: {problem.strerror or problem}") from problem
    except KeyError as missing:
        raise EvaluationFileError(f"{path}: a line has no {missing}") from missing
    except (UnicodeDecodeError, csv.Error) as problem:
        raise EvaluationFileError(f"{path}: not a table: {problem}") from problem
    except (TypeError, AttributeError) as problem:  # as of a number in the place of a work
        raise EvaluationFileError(f"{path}: a line has another form: {problem}") from problem


def _read_questions(
    path: Path, gold: Mapping[str, Mapping[str, Any]], warn: Callable[[str], None] | None
) -> Iterator[LabelledPlace]:
    for line in objects(path):
        try:
            yield _read_question({**line, **gold.get(line["id"], {})}, path)
        except UnmarkedError as unmarked:
            _leave_out(unmarked, warn)


def _leave_out(unmarked: UnmarkedError, warn: Callable[[str], None] | None) -> None:
    """Warn that a question is left out, as its text marks no place; raise that if there is no `warn`."""
    if warn is None:
        raise unmarked
    warn(f"{unmarked}; it is left out")


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file, one a line.  EvaluationFileError if a line is none, OSError if there is no file."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield dict(json.loads(line))
                except (ValueError, TypeError, RecursionError) as problem:
                    raise EvaluationFileError(f"{path}:{number}: not a JSON object: {problem}") from problem


def _read_question(raw: Mapping[str, Any], path: Path) -> LabelledPlace:
    r"""Return the question of a line; UnmarkedError if its text has no `\cite<>`.

    `raw` is {"id", "title", "abstract", "text", "date", "exclude", "cites", "gold", "set", "cluster"}, of which all but
    the id may be missing, and may have "gold_works".  “Gold” are the right works.  Without "set" its set is named as
    the file is; without "cluster" its source paper is the one with its title, and without a title one of its own.
    EvaluationFileError if one of the lists is something else.
    """
    for name in ("exclude", "cites", "gold", "gold_works"):
        if not isinstance(raw.get(name) or [], list):
            raise EvaluationFileError(f"{path}: {raw['id']}: {name} is no list")
    texts = {name: str(raw.get(name) or "") for name in ("title", "abstract", "text", "date")}
    if texts["text"] and MARKER not in texts["text"]:
        raise UnmarkedError(f"{path}: {raw['id']}: the text holds no {MARKER}")
    id_ = str(raw["id"])
    return LabelledPlace(
        id=id_,
        set=str(raw.get("set") or path.stem),
        cluster=str(raw.get("cluster") or texts["title"] or id_),
        exclude=tuple(map(str, raw.get("exclude") or ())),
        gold=tuple(_read_gold(raw)),
        cites=tuple(map(str, raw.get("cites") or ())),
        **texts,
    )


def _read_gold(raw: Mapping[str, Any]) -> Iterator[Gold]:
    """The right works of a line; a name in "gold" may be an id or a title."""
    works = raw.get("gold_works")
    if works:
        for work in works:
            yield Gold(frozenset(work.get("ids") or ()), frozenset(map(title_key, work.get("titles") or ())))
    else:
        for name in raw.get("gold") or ():
            yield Gold(frozenset((name,)), frozenset((title_key(name),)))


def _read_citeme(path: Path, warn: Callable[[str], None] | None) -> Iterator[LabelledPlace]:
    """Yield the questions of CiteME's table: for each excerpt, which work stands at its `[CITATION]`.

    An excerpt without one is left out, and `warn` called, as `read` says.

    The right answer (`gold`) is known by its title alone.  The paper that the excerpt is from is excluded from the
    answers; questions from one paper are one cluster, as they are not independent.
    """
    with path.open(encoding="utf-8-sig", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines)):
            id_ = row.get("id") or str(number)
            excerpt = row["excerpt"] or ""  # None in a row that is too short
            if _CITEME_MARKER not in excerpt:
                _leave_out(UnmarkedError(f"{path}: {id_}: the text holds no {_CITEME_MARKER}"), warn)
                continue
            source = row["source_paper_title"] or ""
            yield LabelledPlace(
                id=id_,
                set="citeme",
                cluster=source,
                title="",  # its task gives the excerpt alone
                abstract="",
                text=excerpt.replace(_CITEME_MARKER, MARKER, 1),
                date=row.get("year") or "",
                exclude=(source,),
                gold=(Gold(titles=frozenset((title_key(row["target_paper_title"] or ""),))),),
            )
