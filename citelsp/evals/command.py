"""citelsp eval: how well citations are predicted, measured on questions whose answers are known."""

import argparse
import asyncio
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from citelsp.cli import common, exits
from citelsp.evals import tuning

if TYPE_CHECKING:
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.pool import Stage
    from citelsp.evals.page import Section
    from citelsp.evals.prediction import Judged, PredictedWork, Prediction
    from citelsp.evals.questions import LabelledPlace
    from citelsp.evals.scores import Facts

HELP = "evaluate citation predictions; tune the model's picker"
_CITES = "as if each manuscript cited what is right at the other questions of the same title"


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    positions = actions.add_parser("positions", help="which work belongs at \\cite<> in a text; JSON lines")
    lists = actions.add_parser("lists", help="the reference list of a title and abstract; JSON lines")
    citeme = actions.add_parser("citeme", help="the work that an excerpt cites; CiteME's CSV table")
    for action in (positions, lists, citeme):
        action.add_argument("questions", metavar="FILE", type=Path)
        action.add_argument("--gold", metavar="FILE", type=Path, help="the answers, if they are not in FILE")
        action.add_argument("--out", metavar="DIR", type=Path, required=True, help="where predictions and report go")
        action.add_argument("--predictions", metavar="FILE", type=Path, help="score these instead of predicting")
        action.add_argument("--versus", metavar="FILE", type=Path, help="another system's predictions, to compare with")
        action.add_argument("--categories", metavar="FILE", type=Path, help='research categories: {"id", "category"}')
        action.add_argument("--every", metavar="N", type=int, default=1, help="ask every Nth question only")
        common.add_settings(action)
        common.add_corpus(action)
    either = positions.add_mutually_exclusive_group()
    either.add_argument("--ablation", action="store_true", help="one table instead: what each stage adds")
    for group in (either, citeme):
        group.add_argument(
            "--endpoints",
            action="store_true",
            help="one table instead: what [embeddings] and [rerank] of the settings add",
        )
    model = actions.add_parser("model", help="the agent with the model of the settings: what it finds, what it is sent")
    model.add_argument("questions", metavar="FILE", type=Path)
    model.add_argument("--gold", metavar="FILE", type=Path, help="the answers, if they are not in FILE")
    model.add_argument("--out", metavar="DIR", type=Path, required=True, help="where the report goes")
    model.add_argument("--every", metavar="N", type=int, default=1, help="ask every Nth question only")
    model.add_argument("--reader", action="store_true", help="a scripted reader, who knows the answers, for the model")
    model.add_argument("--at-once", metavar="N", type=int, default=1, help="ask about N places at once")
    model.add_argument("--tokenizer", metavar="FILE", type=Path, help="count tokens by this model's tokenizer.json")
    model.add_argument(
        "--record", metavar="FILE", type=Path, help="write down how sure the model was, and how often right"
    )
    for action in (positions, model):
        action.add_argument("--cites", action="store_true", help=_CITES)
    lists.set_defaults(cites=False)
    citeme.set_defaults(cites=False)
    common.add_settings(model)
    common.add_corpus(model)
    insertion = actions.add_parser("insertion", help="how true the entries are that are written for works looked up")
    insertion.add_argument("works", metavar="WORKS.jsonl", type=Path, help="true works, one a line; also compressed")
    insertion.add_argument("--number", metavar="N", type=int, default=300, help="works looked up in each way")
    insertion.add_argument("--wrong", action="store_true", help="list what departs from the truth")
    insertion.add_argument("--write", metavar="DIR", type=Path, help="keep the bibliographies here")
    common.add_settings(insertion)
    tuning.arguments(actions.add_parser("tune", help=tuning.HELP, description=tuning.HELP))


def run(options: argparse.Namespace) -> int:
    from citelsp.corpus.store import CorpusError
    from citelsp.evals.endpoint_gains import EndpointsError
    from citelsp.evals.questions import EvaluationFileError

    if options.action == "tune":
        return tuning.run(options)
    try:
        return _inserted(options) if options.action == "insertion" else _evaluate(options)
    except (CorpusError, EndpointsError, EvaluationFileError) as problem:
        return common.fail(str(problem))
    except OSError as problem:
        return common.fail(f"{problem.filename}: {problem.strerror}")


def _evaluate(options: argparse.Namespace) -> int:
    from citelsp.evals import page

    command = shlex.join(["citelsp", *sys.argv[1:]])
    if options.action == "model":
        sections: Sequence[Section] = [asyncio.run(_by_model(options, command))]
    elif options.action == "positions" and options.ablation:
        sections = [_ablation(options, command)]
    elif options.action != "lists" and options.endpoints:
        sections = [asyncio.run(_endpoints(options, command))]
    else:
        sections = measured(options, command)
    title = f"Predictions for {options.questions.name}"
    page.write(options.out, title, sections)
    print(page.markdown(title, sections))
    return exits.OK


def _inserted(options: argparse.Namespace) -> int:
    from citelsp.evals import insertion

    outcomes = asyncio.run(
        insertion.run(list(insertion.works(options.works)), common.read_settings(options), options.number)
    )
    print(insertion.report(outcomes))
    if options.wrong:
        print(insertion.list_departures(outcomes))
    if options.write:
        insertion.write(outcomes, options.write)
    return exits.OK


async def _by_model(options: argparse.Namespace, command: str) -> "Section":
    """The agent's answers with the user's model, or with a reader who needs none."""
    from citelsp.agent.start import read_limits
    from citelsp.cli.progress import Progress
    from citelsp.evals import reader, with_model
    from citelsp.evals.questions import EvaluationFileError

    settings = common.read_settings(options)
    if not options.reader and not (settings.model.base_url and settings.model.name):
        raise EvaluationFileError("no model is set: base_url and name under [model], or --reader")
    with common.open_corpus(options) as corpus, Progress("questions") as progress:
        count = with_model.counting(options.tokenizer)
        if options.reader:
            setups = [reader.setup(corpus, read_limits(settings), count)]
            chats = []
        else:
            chats = [with_model.WatchedChat(settings.model, count) for _ in range(options.at_once)]
            setups = [with_model.with_chat(corpus, it, read_limits(settings)) for it in chats]
        places = progress.counted(with_model.askable(corpus, _asked(options, corpus)))
        try:
            found = [it async for it in with_model.answered(setups, places)]
        finally:
            for chat in chats:
                await chat.aclose()
    if not found:
        raise EvaluationFileError(f"{options.questions}: the corpus holds none of the right works")
    if options.record:
        options.record.write_text("".join(with_model.lines(found)), encoding="utf-8")
    return with_model.section(found, command)


def measured(
    options: argparse.Namespace,
    command: str,
    report: "Callable[[str, Sequence[Judged], Facts], Sequence[Section]] | None" = None,
) -> "Sequence[Section]":
    """Predict, write the predictions and report their scores; `command` is what the report says made it."""
    from citelsp.evals import prediction, scores

    with common.open_corpus(options) as corpus:
        asked = _asked(options, corpus)
        file = options.out / "predictions.jsonl"
        found = prediction.read(options.predictions) if options.predictions else dict(_predicted(corpus, asked, file))
        answers = prediction.judged(asked, found)
        return (report or scores.sections)(command, answers, _facts(options, corpus, asked))


def _ablation(options: argparse.Namespace, command: str) -> "Section":
    """Predict by ever more stages of the search, write the predictions of each and score them."""
    from citelsp.corpus.pool import Stage
    from citelsp.evals import prediction, scores

    with common.open_corpus(options) as corpus:
        asked = _asked(options, corpus)
        files = {it: options.out / f"predictions-{it.name.lower()}.jsonl" for it in Stage}
        found = {stage: dict(_predicted(corpus, asked, file, stage)) for stage, file in files.items()}
    return scores.ablation(command, {stage: prediction.judged(asked, it) for stage, it in found.items()})


async def _endpoints(options: argparse.Namespace, command: str) -> "Section":
    """Predict by words alone and with the user's endpoints, write the predictions of each way and score them.

    An arm is one way of answering all questions; `Arms` has them by name.  What is predicted is written at once.
    """
    from citelsp.cli.progress import Progress
    from citelsp.evals import endpoint_gains, prediction

    found: dict[str, dict[str, Prediction]] = {}  # by arm and question
    with common.open_corpus(options) as corpus, Progress("questions") as progress, ExitStack() as files:
        asked = _asked(options, corpus)
        async with aclosing(endpoint_gains.arms(common.read_settings(options), corpus)) as arms:
            file_of_arm: dict[str, TextIO] = {}
            for arm in arms.helpers():
                # `+ embeddings` is written to predictions-embeddings.jsonl, `words alone` to predictions-alone.jsonl.
                path = options.out / f"predictions-{arm.split()[-1]}.jsonl"
                file_of_arm[arm] = files.enter_context(path.open("w", encoding="utf-8"))
            async for answers in endpoint_gains.predicted(corpus, progress.counted(asked), arms):
                for arm, answer in answers.items():
                    file_of_arm[arm].writelines(prediction.lines([answer]))
                    found.setdefault(arm, {})[answer.id] = answer
            judged = {arm: prediction.judged(asked, by_question) for arm, by_question in found.items()}
            return endpoint_gains.section(command, judged, arms)


def _asked(options: argparse.Namespace, corpus: "Corpus") -> list["LabelledPlace"]:
    """The questions, and a folder for what becomes of them."""
    from citelsp.evals import manuscripts, questions

    asked = questions.read(options.questions, options.gold, common.warn)
    asked = (manuscripts.citing(corpus, asked) if options.cites else asked)[:: options.every]
    if not asked:
        raise questions.EvaluationFileError(f"{options.questions}: no questions")
    options.out.mkdir(parents=True, exist_ok=True)
    return asked


def _predicted(
    corpus: "Corpus", asked: list["LabelledPlace"], file: Path, stage: "Stage | None" = None
) -> Iterator[tuple[str, "Prediction"]]:
    """Answers one by one, each written as soon as it is known."""
    from citelsp.cli.progress import Progress
    from citelsp.corpus.pool import Stage
    from citelsp.evals import prediction

    with Progress("questions") as progress, file.open("w", encoding="utf-8") as lines:
        for question in progress.counted(asked):
            found = prediction.predict(corpus, question, stage=stage or Stage.PRIORS)
            lines.writelines(prediction.lines([found]))
            yield question.id, found


def _facts(options: argparse.Namespace, corpus: "Corpus", asked: list["LabelledPlace"]) -> "Facts":
    from citelsp.evals import prediction
    from citelsp.evals.scores import Facts

    def exists(offer: "PredictedWork") -> bool:
        known = corpus.store.rows(list(corpus.store.numbers([offer.id]).values())) if offer.id else {}
        return bool(known) or bool(corpus.store.by_title(offer.title))

    others = prediction.judged(asked, prediction.read(options.versus)) if options.versus else []
    return Facts(exists, _categories(options.categories), others, options.versus.name if options.versus else "")


def _categories(path: Path | None) -> Mapping[str, str]:
    from citelsp.evals.questions import EvaluationFileError

    if not path:
        return {}
    try:
        rows = map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
        return {it["id"]: it["category"] for it in rows}
    except (ValueError, KeyError, TypeError) as problem:
        raise EvaluationFileError(f"{path}: not categories: {problem}") from problem
