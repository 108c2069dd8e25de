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
    """Declare the actions of the command and what each takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    positions = actions.add_parser("positions", help="which work belongs at \\cite<> in a text; JSON lines")
    lists = actions.add_parser("lists", help="the reference list of a title and abstract; JSON lines")
    citeme = actions.add_parser("citeme", help="the work that an excerpt cites; CiteME's CSV table")
    for action in (positions, lists, citeme):
        _add_prediction_arguments(action)
    either = positions.add_mutually_exclusive_group()  # each of the two prints a table of its own
    either.add_argument("--ablation", action="store_true", help="one table instead: what each stage adds")
    for group in (either, citeme):
        group.add_argument(
            "--endpoints",
            action="store_true",
            help="one table instead: what [embeddings] and [rerank] of the settings add",
        )
    model = actions.add_parser("model", help="the agent with the model of the settings: what it finds, what it is sent")
    _add_model_arguments(model)
    for action in (positions, model):
        action.add_argument("--cites", action="store_true", help=_CITES)
    lists.set_defaults(cites=False)  # they have no --cites, and `_read_questions` reads it for all
    citeme.set_defaults(cites=False)
    common.add_settings(model)
    common.add_corpus(model)
    insertion = actions.add_parser("insertion", help="how true the entries are that are written for works looked up")
    insertion.add_argument("works", metavar="WORKS.jsonl", type=Path, help="true works, one a line; also compressed")
    number = common.amount(int)
    insertion.add_argument("--number", metavar="N", type=number, default=300, help="works looked up in each way")
    insertion.add_argument("--wrong", action="store_true", help="list what departs from the truth")
    insertion.add_argument("--write", metavar="DIR", type=Path, help="keep the bibliographies here")
    common.add_settings(insertion)
    tuning.arguments(actions.add_parser("tune", help=tuning.HELP, description=tuning.HELP))


def _add_prediction_arguments(action: argparse.ArgumentParser) -> None:
    """The arguments of what predicts from the corpus, or scores what was predicted."""
    action.add_argument("questions", metavar="FILE", type=Path)
    action.add_argument("--gold", metavar="FILE", type=Path, help="the answers, if FILE has none and is no table")
    action.add_argument("--out", metavar="DIR", type=Path, required=True, help="where predictions and report go")
    action.add_argument("--predictions", metavar="FILE", type=Path, help="score these instead of predicting")
    action.add_argument("--versus", metavar="FILE", type=Path, help="another system's predictions, to compare with")
    action.add_argument("--categories", metavar="FILE", type=Path, help='research categories: {"id", "category"}')
    action.add_argument("--every", metavar="N", type=common.amount(int), default=1, help="ask every Nth question only")
    common.add_settings(action)
    common.add_corpus(action)


def _add_model_arguments(model: argparse.ArgumentParser) -> None:
    """Declare what `citelsp eval model` takes, the evaluation of the agent."""
    model.add_argument("questions", metavar="FILE", type=Path)
    model.add_argument("--gold", metavar="FILE", type=Path, help="the answers, if they are not in FILE")
    model.add_argument("--out", metavar="DIR", type=Path, required=True, help="where the report goes")
    model.add_argument("--every", metavar="N", type=common.amount(int), default=1, help="ask every Nth question only")
    model.add_argument("--reader", action="store_true", help="a scripted reader, who knows the answers, for the model")
    model.add_argument("--at-once", metavar="N", type=common.amount(int), default=1, help="ask about N places at once")
    model.add_argument("--tokenizer", metavar="FILE", type=Path, help="count tokens by this model's tokenizer.json")
    model.add_argument(
        "--record", metavar="FILE", type=Path, help="write down how sure the model was, and how often right"
    )


def run(options: argparse.Namespace) -> int:
    """Evaluate or tune; return the exit status.  If a file, a corpus or an endpoint cannot be used, a line says so.

    An OSError is left to `cli.main`, which tells it for all commands.
    """
    from citelsp.corpus.store import CorpusError
    from citelsp.evals.endpoint_gains import EndpointsError
    from citelsp.evals.questions import EvaluationFileError

    if options.action == "tune":
        return tuning.run(options)
    try:
        return _evaluate_insertion(options) if options.action == "insertion" else _evaluate_predictions(options)
    except (CorpusError, EndpointsError, EvaluationFileError) as problem:
        return common.fail(str(problem))


def _evaluate_predictions(options: argparse.Namespace) -> int:
    """Print a page of scores, and write it into the folder `--out`; return the exit status.

    The options say what is scored: a model, stages of the search, endpoints, or predictions.  The page says by which
    command it was made.
    """
    from citelsp.evals import page

    command = shlex.join(["citelsp", *sys.argv[1:]])
    if options.action == "model":
        sections: Sequence[Section] = [asyncio.run(_evaluate_model(options, command))]
    elif options.action == "positions" and options.ablation:
        sections = [_evaluate_stages(options, command)]
    elif options.action != "lists" and options.endpoints:  # `lists` has no such option
        sections = [asyncio.run(_evaluate_endpoints(options, command))]
    else:
        sections = score_predictions(options, command)
    title = f"Predictions for {options.questions.name}"
    page.write(options.out, title, sections)
    print(page.markdown(title, sections))
    return exits.OK


def _evaluate_insertion(options: argparse.Namespace) -> int:
    """Look up some works whose true records are known, and print how true the entries are that are written for them."""
    from citelsp.evals import insertion

    works = list(insertion.read_works(options.works))
    outcomes = asyncio.run(insertion.run(works, common.read_settings(options), options.number))
    print(insertion.report(outcomes))
    if options.wrong:
        print(insertion.list_departures(outcomes))
    if options.write:
        insertion.write(outcomes, options.write)
    return exits.OK


async def _evaluate_model(options: argparse.Namespace, command: str) -> "Section":
    """Have the agent answer the questions, with the user's model or a scripted reader for it, and return the scores.

    `command` is the command line, which the page shows.  With `--record` a file is written that says how sure the model
    was of each answer.  EvaluationFileError if no model is set, or if the corpus has none of the right works.
    """
    from citelsp.agent.start import read_limits
    from citelsp.cli.progress import Progress
    from citelsp.evals import reader, with_model
    from citelsp.evals.questions import EvaluationFileError

    settings = common.read_settings(options)
    if not options.reader and not (settings.model.base_url and settings.model.name):
        raise EvaluationFileError("no model is set: base_url and name under [model], or --reader")
    with common.open_corpus(options) as corpus, Progress("questions") as progress:
        count_tokens = with_model.counting(options.tokenizer)
        if options.reader:
            # One, whatever `--at-once` says: the reader asks nobody for whom it would have to wait.
            setups = [reader.setup(corpus, read_limits(settings), count_tokens)]
            chats = []
        else:
            # Each setup answers one question at a time, so that there are as many as are to be asked at once.
            chats = [with_model.WatchedChat(settings.model, count_tokens) for _ in range(options.at_once)]
            setups = [with_model.with_chat(corpus, chat, read_limits(settings)) for chat in chats]
        places = progress.counted(with_model.askable(corpus, _read_questions(options, corpus)))
        try:
            answers = [it async for it in with_model.answer_places(setups, places)]
        finally:
            for chat in chats:
                await chat.aclose()
    if not answers:
        raise EvaluationFileError(f"{options.questions}: the corpus holds none of the right works")
    if options.record:
        options.record.write_text("".join(with_model.lines(answers)), encoding="utf-8")
    return with_model.section(answers, command)


def score_predictions(
    options: argparse.Namespace,
    command: str,
    report: "Callable[[str, Sequence[Judged], Facts], Sequence[Section]] | None" = None,
) -> "Sequence[Section]":
    """Return the scores of predictions, which are read from the file `--predictions`, or else made here and written.

    `report` makes the sections of the page from `command`, the judged answers and the facts: what else the scores need,
    such as which works exist.  Without it they are those of `scores`; the laboratory has a longer report.  `command` is
    the command line, which the page shows.
    """
    from citelsp.evals import prediction, scores

    with common.open_corpus(options) as corpus:
        places = _read_questions(options, corpus)
        if options.predictions:
            predictions = prediction.read(options.predictions)
        else:
            predictions = dict(_predict_all(corpus, places, options.out / "predictions.jsonl"))
        answers = prediction.judge(places, predictions)
        make_sections = report or scores.sections
        return make_sections(command, answers, _collect_facts(options, corpus, places))


def _evaluate_stages(options: argparse.Namespace, command: str) -> "Section":
    """Predict by the search up to each of its stages, write the predictions of each and return their scores.

    `command` is the command line, which the page shows.
    """
    from citelsp.corpus.pool import Stage
    from citelsp.evals import prediction, scores

    with common.open_corpus(options) as corpus:
        places = _read_questions(options, corpus)
        judged: dict[Stage, list[Judged]] = {}
        for stage in Stage:
            file = options.out / f"predictions-{stage.name.lower()}.jsonl"
            predictions = dict(_predict_all(corpus, places, file, stage))
            judged[stage] = prediction.judge(places, predictions)
    return scores.ablation(command, judged)


async def _evaluate_endpoints(options: argparse.Namespace, command: str) -> "Section":
    """Predict by words alone and with the user's endpoints, write the predictions and return the scores.

    An arm is one of these ways of answering all questions: `words alone`, and of the endpoints that are set
    `+ embeddings` and `+ reranking`.  Each answer is written as soon as it is there, so that it stays if an endpoint is
    away later, which is an EndpointsError, as it is if none is set.  `command` is the command line, shown on the page.
    """
    from citelsp.cli.progress import Progress
    from citelsp.evals import endpoint_gains, prediction

    predictions: dict[str, dict[str, Prediction]] = {}  # by arm and question
    with common.open_corpus(options) as corpus, Progress("questions") as progress, ExitStack() as files:
        places = _read_questions(options, corpus)
        async with aclosing(endpoint_gains.arms(common.read_settings(options), corpus)) as arms:
            file_of_arm: dict[str, TextIO] = {}
            for arm in arms.helpers_by_name():
                # `+ embeddings` is written to predictions-embeddings.jsonl, `words alone` to predictions-alone.jsonl.
                path = options.out / f"predictions-{arm.split()[-1]}.jsonl"
                file_of_arm[arm] = files.enter_context(path.open("w", encoding="utf-8"))
            async for answers in endpoint_gains.predicted(corpus, progress.counted(places), arms):
                for arm, answer in answers.items():
                    file_of_arm[arm].writelines(prediction.lines([answer]))
                    predictions.setdefault(arm, {})[answer.id] = answer
            judged = {arm: prediction.judge(places, by_question) for arm, by_question in predictions.items()}
            return endpoint_gains.section(command, judged, arms)


def _read_questions(options: argparse.Namespace, corpus: "Corpus") -> list["LabelledPlace"]:
    """Return the questions that the options name, each `--every` Nth; EvaluationFileError if there are none.

    With `--cites` each says what its manuscript cites elsewhere.  The folder `--out` is made in passing.
    """
    from citelsp.evals import manuscripts, questions

    places = questions.read(options.questions, options.gold, common.warn)
    if options.cites:
        # Before `--every` leaves questions out: these, too, say what their manuscript cites.
        places = manuscripts.citing(corpus, places)
    places = places[:: options.every]
    if not places:
        raise questions.EvaluationFileError(f"{options.questions}: no questions")
    options.out.mkdir(parents=True, exist_ok=True)
    return places


def _predict_all(
    corpus: "Corpus", places: list["LabelledPlace"], file: Path, stage: "Stage | None" = None
) -> Iterator[tuple[str, "Prediction"]]:
    """Answer the questions, write each answer to `file` as soon as it is there, and yield it with its question's id.

    The search goes up to `stage`, by default to the end.  A terminal shows the progress.
    """
    from citelsp.cli.progress import Progress
    from citelsp.corpus.pool import Stage
    from citelsp.evals import prediction

    with Progress("questions") as progress, file.open("w", encoding="utf-8") as lines:
        for place in progress.counted(places):
            predicted = prediction.predict(corpus, place, stage=stage or Stage.PRIORS)
            lines.writelines(prediction.lines([predicted]))
            yield place.id, predicted


def _collect_facts(options: argparse.Namespace, corpus: "Corpus", places: list["LabelledPlace"]) -> "Facts":
    """Return what the scores need beside predictions.

    That is whether the corpus has a work, the works' research categories, and another system's answers with its name,
    of the options `--categories` and `--versus`; without these both are empty.
    """
    from citelsp.evals import prediction
    from citelsp.evals.scores import Facts

    def exists(offer: "PredictedWork") -> bool:
        # The corpus also knows ids of works that it only sees cited: `rows` has those of works that it holds.
        numbers = corpus.store.numbers([offer.id]) if offer.id else {}
        return bool(corpus.store.rows(list(numbers.values()))) or bool(corpus.store.by_title(offer.title))

    others: Sequence[Judged] = ()
    other_name = ""
    if options.versus:
        others = prediction.judge(places, prediction.read(options.versus))
        other_name = options.versus.name
    return Facts(exists, _read_categories(options.categories), others, other_name)


def _read_categories(path: Path | None) -> Mapping[str, str]:
    """Research categories by the ids of works, from lines of {"id": "…", "category": "…"}; none without a file."""
    from citelsp.evals.questions import EvaluationFileError

    if not path:
        return {}
    try:
        rows = map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
        return {it["id"]: it["category"] for it in rows}
    except (ValueError, KeyError, TypeError) as problem:
        raise EvaluationFileError(f"{path}: not categories: {problem}") from problem
