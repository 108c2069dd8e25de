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
    from collections.abc import Iterator

    from citelsp.cli.suggest_engines import SuggestAnswer
    from citelsp.knowledge import Candidate, Suggestion

HELP = "find works for placeholders such as \\cite<words>, for a text, or for a batch of queries"
_LEAST_SHOWN = 3  # works, the first ones, however improbable
_POLICIES = ("auto", "corpus", "rules", "model")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes, from which `run` gets its options."""
    # Exactly one of these has to be given.  One that is "" counts as given here; `run` rejects it.
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
    parser.add_argument("--bib", metavar="FILE", type=Path, help="with --text: a bibliography whose entries count, too")
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
        "--k",
        type=common.amount(int),
        metavar="N",
        help="print N works for each, however improbable (default: at most 10)",
    )
    parser.add_argument("--format", choices=("text", "json", "jsonl"), default="text", help="default: text")
    common.add_settings(parser)
    common.add_corpus(parser)


def run(options: argparse.Namespace) -> int:
    """Print works for the text or placeholders that the options name; return the exit status.

    OK, whether anything fits or not.  USAGE if a file that is named is not there, or of a kind that is never read, if
    --bib is given without --text, or if the path or text is empty.  UNFINISHED if something cannot be read or searched;
    answers printed until then stay, but of `--format json`, which is printed at the end, there are none.
    """
    from citelsp.cli.suggest_engines import SuggestError
    from citelsp.corpus.store import CorpusError

    misuse = _find_misuse(options)
    if misuse:
        common.warn(misuse)
        return exits.USAGE
    try:
        asyncio.run(_print_answers(options))
    except (CorpusError, SuggestError) as problem:
        return common.fail(str(problem))
    return exits.OK


def _find_misuse(options: argparse.Namespace) -> str:
    """Say what is wrong with the files that are named, or how the options do not go together; "" if nothing is."""
    from citelsp.cli import targets
    from citelsp.cli.suggest_engines import place

    if not (options.path or options.text or options.batch or options.replay):
        return "what is asked about is empty"
    if options.bib and not options.text:
        return "--bib goes with --text"
    for file in (options.batch, options.replay, options.bib):
        if file and not file.exists():
            return common.say_missing(str(file))
    if not options.path:
        return ""
    path, _line = place(options.path)
    if not path.exists():
        return common.say_missing(options.path)
    return targets.unread_kinds([path]) if targets.unreadable(path) else ""


async def _print_answers(options: argparse.Namespace) -> None:
    """Print each answer as soon as it is there; but `--format json` is one list, printed at the end."""
    from citelsp.candidates.gather import LISTED
    from citelsp.cli import paint
    from citelsp.cli.suggest_engines import answers

    listed = options.k or LISTED
    all_fields = []
    async with aclosing(answers(options)) as stream:  # closes services and corpus, also if printing fails
        async for answer in stream:
            match options.format:
                case "json":
                    all_fields.append(_list_fields(answer, listed))
                case "jsonl":
                    print(paint.escape_json(json.dumps(_list_fields(answer, listed), ensure_ascii=False)), flush=True)
                case _:
                    print(_write_text(answer, options), flush=True)
    if options.format == "json":
        print(paint.escape_json(json.dumps(all_fields, ensure_ascii=False, indent=1)))


def _list_fields(answer: "SuggestAnswer", k: int) -> dict[str, Any]:
    """Return an answer as JSON's fields, with at most `k` works; optional fields are there only if they are set.

    If it "abstained", nothing fits, whatever works are listed.  "path" and "range" are those of a placeholder, None for
    a text.  "meant": a title that a model named and under which no work was found.  "pool": ids of all works that the
    corpus ranked.  "trajectory": the file in which the agent wrote down what it did.
    """
    suggestion = answer.suggestion
    fields = {
        "id": answer.id,
        "path": answer.path,
        "range": answer.range,
        "abstained": suggestion.abstained,
        "reason": suggestion.reason,
        "candidates": [candidate_fields(it, rank) for rank, it in enumerate(suggestion.candidates[:k], 1)],
        "usage": {"turns": 0, "tokens_in": 0, "tokens_out": 0, "usd": 0, "requests": 0, **suggestion.usage},
        "together": suggestion.together,  # so many of the first works are to be cited at once; usually 1
        "chosen": suggestion.chosen,  # so many of the first works a model chose
    }
    optional = {
        "meant": suggestion.meant,
        "pool": answer.pool,
        "explanation": answer.explanation,
        "trajectory": suggestion.trajectory,
    }
    return fields | {name: value for name, value in optional.items() if value}


def candidate_fields(candidate: "Candidate", rank: int) -> dict[str, Any]:
    """Return a candidate as JSON's fields; "why", the model's reason, is there only if a model gave one.

    `rank`: its place in the list, from 1.  "key": that of the author's own entry for the work, None if there is none.
    "origins": which sources found it.  "evidence": passages that speak for it, quoted to the letter, with a verdict if
    a model judged them.
    """
    from citelsp.cli.report_parts import work

    why = {"why": candidate.why} if candidate.why else {}
    return {
        "rank": rank,
        "id": candidate.record.id,
        "key": candidate.key or None,
        "probability": candidate.probability,
        **why,
        **work(candidate.record),  # title, authors and what else describes a work
        "origins": list(candidate.origins),
        "evidence": [
            {"quote": passage.quote, "where": passage.where, "source": passage.source, "verdict": passage.verdict}
            for passage in candidate.evidence
        ],
    }


def _write_text(answer: "SuggestAnswer", options: argparse.Namespace) -> str:
    """Write an answer for people: the sentence, remarks such as why nothing fits, the works, and what it cost.

    It lists `--k` works.  Without --k these are the first `_LEAST_SHOWN`, and of the next ones, up to `LISTED`, those
    that are not improbable; none of the next ones if a model was asked and chose nothing.
    """
    from citelsp.base.text import quote_name
    from citelsp.candidates.gather import LISTED
    from citelsp.cli import paint
    from citelsp.workspace.question import MARKER

    suggestion = answer.suggestion
    if options.text:
        before, marker, _ = options.text.partition(MARKER)  # without a marker the place is the end of the text
        heading = paint.excerpt(before, marker)
    else:
        heading = ": ".join(filter(None, (paint.paint(quote_name(answer.id), "bold"), answer.sentence)))
    width = paint.width(sys.stdout)
    lines = [paint.wrap(line, width) for line in (heading, *_list_remarks(suggestion))]
    for rank, candidate in enumerate(suggestion.candidates[: options.k or LISTED], 1):
        is_unlikely = suggestion.is_refused or paint.is_improbable(candidate)
        if rank <= (options.k or _LEAST_SHOWN) or not is_unlikely:
            lines.append(paint.candidate(candidate, rank, width))
    if suggestion.cost:
        lines.append(f"      {paint.paint(f'the search took {suggestion.cost}', 'dim')}")
    if answer.explanation:
        lines += ["", answer.explanation.rstrip(), f"recorded in {suggestion.trajectory}"]
    return "\n".join(lines) + "\n"


def _list_remarks(suggestion: "Suggestion") -> "Iterator[str]":
    """Yield the lines that stand before a suggestion's works, such as why there are none and which services failed.

    Its `meant` is the title of a work that a model named and nobody could find; "" if there is none.
    """
    from citelsp.base.text import still
    from citelsp.cli import paint
    from citelsp.features import popup_of_work

    if suggestion.abstained or suggestion.reason:  # what went wrong on the way is a reason too; “Nothing fits” for ""
        yield f"      {paint.reason(suggestion.reason)}"
    if suggestion.meant:
        is_named = suggestion.meant in suggestion.reason  # in the line before this one
        work = "it" if is_named else f"“{suggestion.meant}”"
        yield still(f"      look {work} up with `citelsp add`, or try again with other words")
    if suggestion.silent:  # services that did not answer: the sentence also says how many works came from elsewhere
        yield f"      {paint.reason(popup_of_work.outcome(suggestion))}"
    if suggestion.together > 1:
        yield f"      the first {suggestion.together} fit together"
