"""citelsp corpus: the embedded index of papers."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.corpus.index import Corpus

HELP = "add papers to the local corpus, search it, describe it"


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="add the works in .bib files, folders of PDFs and JSON lines")
    add.add_argument("files", metavar="FILE", nargs="+", type=Path)
    search = actions.add_parser("search", help="works that match some words, best first")
    search.add_argument("words", metavar="WORDS", nargs="+")
    search.add_argument("--k", type=int, default=10, metavar="N", help="at most so many (default 10)")
    search.add_argument("--format", choices=("text", "json"), default="text")
    info = actions.add_parser("info", help="where the corpus is and what it holds")
    info.add_argument("--format", choices=("text", "json"), default="text")
    for action in (add, search, info):
        common.add_settings(action)
        common.add_corpus(action)


def run(given: argparse.Namespace) -> int:
    from citelsp.corpus.store import CorpusError

    act = {"add": _add, "search": _search, "info": _info}[given.action]
    try:
        with common.open_corpus(given, create=given.action == "add") as corpus:
            return act(corpus, given)
    except CorpusError as problem:
        return common.fail(str(problem))


def _add(corpus: "Corpus", given: argparse.Namespace) -> int:
    from citelsp.corpus import imports

    problems: list[str] = []
    for path in given.files:
        if not path.exists():
            problems.append(f"{path}: there is no such file")
            continue
        added = corpus.add(imports.read(path, problems.append))
        print(f"{path}: {added.new} new, {added.changed} changed, {added.same} known already")
    for problem in problems:
        common.warn(problem)
    return exits.UNFINISHED if problems else exits.OK


def _search(corpus: "Corpus", given: argparse.Namespace) -> int:
    from citelsp.cli import paint
    from citelsp.cli.suggest import candidate_fields

    found = corpus.search(" ".join(given.words), given.k)
    if given.format == "json":
        print(json.dumps([candidate_fields(it, rank) for rank, it in enumerate(found, 1)], ensure_ascii=False))
        return exits.OK
    for rank, it in enumerate(found, 1):
        print(paint.work(it.record, f"{rank}. "))
    return exits.OK


def _info(corpus: "Corpus", given: argparse.Namespace) -> int:
    facts = asdict(corpus.info()) | {"path": str(corpus.path)}
    if given.format == "json":
        print(json.dumps(facts))
    else:
        for name, value in facts.items():
            print(f"{name.replace('_', ' '):16} {value}")
    return exits.OK
