"""citelsp suggest: works for the placeholders of a manuscript, for a text, or for a batch of queries."""

import argparse
import asyncio
import json
import sys
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.cli.suggest_engines import SuggestAnswer
    from citelsp.knowledge import Candidate

HELP = "find works for placeholders such as \\cite<words>, for a text, or for a batch of queries"
_ALWAYS = 3  # of the first works told, however improbable
_POLICIES = ("auto", "corpus", "rules", "model")


def arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "path", metavar="PATH[:LINE]", nargs="?", help="a manuscript, or one of its lines, counted from 1"
    )
    what.add_argument("--text", help="a passage; \\cite<> marks the place (default: its end)")
    what.add_argument(
        "--batch",
        metavar="QUERIES.jsonl",
        type=Path,
        help="JSON objects, one a line: text, and optionally id, title, date, exclude, cites",
    )
    what.add_argument("--replay", metavar="FILE", type=Path, help="repeat a recorded search without asking anyone")
    parser.add_argument("--online", action="store_true", help="also search the services; words of the text are sent")
    parser.add_argument(
        "--policy",
        choices=_POLICIES,
        default="auto",
        help="who searches: the corpus alone (default for --batch), built-in rules, or your model"
        " (default if one is set up; otherwise as in an editor)",
    )
    parser.add_argument("--several", action="store_true", help="find several works for the same claim")
    parser.add_argument("--explain", action="store_true", help="print how each answer was found")
    parser.add_argument(
        "--k", type=int, metavar="N", help="print N works for each, however improbable (default: at most 10)"
    )
    parser.add_argument("--format", choices=("text", "json", "jsonl"), default="text", help="default: text")
    common.add_settings(parser)
    common.add_corpus(parser)


def run(options: argparse.Namespace) -> int:
    from citelsp.cli import targets
    from citelsp.cli.suggest_engines import SuggestError, place
    from citelsp.corpus.store import CorpusError

    path = place(options.path)[0] if options.path else None
    if path and not path.exists():
        common.warn(f"there is no {options.path}")
        return exits.USAGE
    if path and targets.unreadable(path):
        common.warn(targets.unread_kinds([path]))
        return exits.USAGE
    try:
        asyncio.run(_print(options))
    except (CorpusError, SuggestError) as problem:
        return common.fail(str(problem))
    return exits.OK


async def _print(options: argparse.Namespace) -> None:
    from citelsp.candidates.gather import LISTED
    from citelsp.cli import paint
    from citelsp.cli.suggest_engines import answers

    found = []
    async with aclosing(answers(options)) as stream:  # also if nobody reads on
        async for answer in stream:
            match options.format:
                case "json":
                    found.append(_fields(answer, options.k or LISTED))
                case "jsonl":
                    print(
                        paint.escaped(json.dumps(_fields(answer, options.k or LISTED), ensure_ascii=False)), flush=True
                    )
                case _:
                    print(_text(answer, options), flush=True)
    if options.format == "json":
        print(paint.escaped(json.dumps(found, ensure_ascii=False, indent=1)))


def _fields(answer: "SuggestAnswer", k: int) -> dict[str, Any]:
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
    more: dict[str, object] = {"meant": suggestion.meant, "pool": answer.pool}
    more |= {"explanation": answer.explanation, "trajectory": suggestion.trajectory}
    return (
        fields
        | {"together": suggestion.together, "chosen": suggestion.chosen}
        | {name: it for name, it in more.items() if it}
    )


def candidate_fields(candidate: "Candidate", rank: int) -> dict[str, Any]:
    """A candidate as the contract names its fields."""
    from citelsp.cli.check_report import work

    return {
        "rank": rank,
        "id": candidate.record.id,
        "key": candidate.key or None,
        "probability": candidate.probability,
        **({"why": candidate.why} if candidate.why else {}),
        **work(candidate.record),
        "origins": list(candidate.origins),
        "evidence": [
            {"quote": passage.quote, "where": passage.where, "source": passage.source, "verdict": passage.verdict}
            for passage in candidate.evidence
        ],
    }


def _text(answer: "SuggestAnswer", options: argparse.Namespace) -> str:
    from citelsp.base.text import quoted, still
    from citelsp.candidates.gather import LISTED
    from citelsp.cli import paint
    from citelsp.features import reference_popup
    from citelsp.workspace.question import MARKER

    suggestion = answer.suggestion
    lines = [": ".join(filter(None, (paint.paint(quoted(answer.id), "bold"), answer.sentence)))]
    if options.text:
        lines = [paint.excerpt(*options.text.partition(MARKER)[:2])]
    if suggestion.abstained or suggestion.reason:  # what went wrong on the way is a reason too
        lines.append(f"      {paint.reason(suggestion.reason)}")
    if suggestion.meant:
        title = "" if suggestion.meant in suggestion.reason else f" “{suggestion.meant}”"
        lines.append(still(f"      look{title or ' it'} up with `citelsp add`, or try again with other words"))
    if suggestion.silent:
        lines.append(f"      {paint.reason(reference_popup.outcome(suggestion))}")
    if suggestion.together > 1:
        lines.append(f"      the first {suggestion.together} fit together")
    ranked = enumerate(suggestion.candidates[: options.k or LISTED], 1)
    width = paint.width(sys.stdout)
    lines = [paint.wrapped(it, width) for it in lines]
    for rank, candidate in ranked:
        is_unlikely = suggestion.is_refused or paint.is_improbable(candidate)
        if rank <= (options.k or _ALWAYS) or not is_unlikely:
            lines.append(paint.candidate(candidate, rank, width))
    if suggestion.cost:
        lines.append(f"      {paint.paint(f'the search took {suggestion.cost}', 'dim')}")
    if answer.explanation:
        lines += ["", answer.explanation.rstrip(), f"recorded in {suggestion.trajectory}"]
    return "\n".join(lines) + "\n"
