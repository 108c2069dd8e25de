"""citelsp suggest: works for the placeholders of a manuscript, for a text, or for a batch of queries."""

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.cli.report import Range
    from citelsp.corpus.index import Corpus
    from citelsp.knowledge import Candidate, Suggestion

HELP = "find works for placeholders such as \\cite<words>, for a text, or for a batch of queries"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one query or placeholder got."""

    id: str
    suggestion: "Suggestion"
    path: str | None = None
    range: "Range | None" = None
    pool: list[str] = field(default_factory=list)


class UnreadableError(Exception):
    """What was named cannot be read; says what and why."""


def arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("path", metavar="PATH[:LINE]", nargs="?", help="a manuscript, or one line of it, counted from 1")
    what.add_argument("--text", help="a passage; \\cite<> in it marks the place, else its end is meant")
    what.add_argument(
        "--batch", metavar="QUERIES.jsonl", type=Path, help="one query a line: id, title, text, date, exclude"
    )
    parser.add_argument("--k", type=int, default=10, metavar="N", help="at most so many works each (default 10)")
    parser.add_argument("--format", choices=("text", "json", "jsonl"), default="text")
    common.add_settings(parser)
    common.add_corpus(parser)


def run(given: argparse.Namespace) -> int:
    from citelsp.corpus.store import CorpusError

    try:
        corpus = _corpus(given)
        answers = _queries(given, corpus) if given.batch or given.text else _placeholders(given, corpus)
        _print(answers, given)
    except (CorpusError, UnreadableError) as problem:
        return common.fail(str(problem))
    return exits.OK


def _corpus(given: argparse.Namespace) -> "Corpus | None":
    """A manuscript has at least its own entries; a bare query has nothing but the corpus."""
    from citelsp.corpus.store import CorpusError

    try:
        return common.open_corpus(given)
    except CorpusError:
        if given.path and not given.corpus:
            return None
        raise


def _queries(given: argparse.Namespace, corpus: "Corpus | None") -> Iterator[Answer]:
    from citelsp.corpus import suggest

    if corpus is None:
        return
    asked = [{"id": "1", "text": given.text}] if given.text else _read_batch(given.batch)
    for query in asked:
        found, pool = suggest.answer(corpus, query, k=given.k)
        yield Answer(str(query.get("id", "")), found, pool=pool if given.batch else [])


def _read_batch(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise UnreadableError(f"{path}: {problem}") from problem
    for number, line in enumerate(lines, 1):
        try:
            query = json.loads(line) if line.strip() else None
        except ValueError as problem:
            raise UnreadableError(f"{path}, line {number}: {problem}") from problem
        if isinstance(query, dict):
            yield query
        elif query is not None:
            raise UnreadableError(f"{path}, line {number} is no JSON object")


def _placeholders(given: argparse.Namespace, corpus: "Corpus | None") -> Iterator[Answer]:
    from citelsp import project
    from citelsp.bibliography.library.index import Libraries
    from citelsp.cli.report import named, range_of
    from citelsp.files import DiskFiles
    from citelsp.investigate import suggest

    path, line = _place(given.path)
    settings = common.read_settings(given, path.parent)
    found = project.build(DiskFiles([str(path.parent)], settings.syntax.cite_commands), str(path), settings)
    if str(path) not in found.sources:
        raise UnreadableError(f"{given.path} could not be read")
    libraries = Libraries()
    for placeholder in found.sources[str(path)].syntax.placeholders:
        where = range_of(found, str(path), placeholder.span)
        if line in (None, where["start"]["line"] + 1):
            suggestion = suggest.suggest(found, str(path), placeholder, libraries, corpus)
            name = f"{named(str(path))}:{where['start']['line'] + 1}:{where['start']['character'] + 1}"
            yield Answer(name, suggestion, named(str(path)), where)


def _place(written: str) -> tuple[Path, int | None]:
    name, _, line = written.rpartition(":")
    if name and line.isdigit() and not Path(written).exists():
        return Path(name).absolute(), int(line)
    return Path(written).absolute(), None


def _print(answers: Iterator[Answer], given: argparse.Namespace) -> None:
    match given.format:
        case "json":
            print(json.dumps([_fields(it, given.k) for it in answers], ensure_ascii=False, indent=1))
        case "jsonl":
            for it in answers:
                print(json.dumps(_fields(it, given.k), ensure_ascii=False), flush=True)
        case _:
            for it in answers:
                print(_told(it, given.k))


def _fields(answer: Answer, k: int) -> dict[str, Any]:
    suggestion = answer.suggestion
    fields = {
        "id": answer.id,
        "path": answer.path,
        "range": answer.range,
        "abstained": suggestion.abstained,
        "reason": suggestion.reason,
        "candidates": [candidate_fields(it, rank) for rank, it in enumerate(suggestion.candidates[:k], 1)],
        "usage": {"turns": 0, "tokens_in": 0, "tokens_out": 0, "usd": 0, "requests": 0, **suggestion.usage},
    }
    return fields | ({"pool": answer.pool} if answer.pool else {})


def candidate_fields(candidate: "Candidate", rank: int) -> dict[str, Any]:
    """A candidate as the contract names its fields."""
    from citelsp.cli.report import work

    return {
        "rank": rank,
        "id": candidate.record.id,
        "key": candidate.key or None,
        "probability": candidate.probability,
        **work(candidate.record),
        "origins": list(candidate.origins),
        "evidence": [
            {"quote": it.quote, "where": it.where, "source": it.source, "verdict": it.verdict}
            for it in candidate.evidence
        ],
    }


def _told(answer: Answer, k: int) -> str:
    from citelsp.cli import paint

    suggestion = answer.suggestion
    lines = [paint.paint(answer.id, "bold")]
    if suggestion.abstained:
        lines.append(f"      nothing fits: {suggestion.reason}")
    lines += [paint.candidate(it, rank) for rank, it in enumerate(suggestion.candidates[:k], 1)]
    return "\n".join(lines) + "\n"
