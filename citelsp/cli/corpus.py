"""citelsp corpus: the embedded index of papers."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from collections.abc import Callable

    from citelsp.corpus.index import Corpus

HELP = "add papers to the local corpus, search it, describe it, keep it in order"


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="add the works in .bib files, PDF files, folders of PDFs and JSON lines")
    add.add_argument("files", metavar="FILE", nargs="+", type=Path)
    search = actions.add_parser("search", help="works that match some words, best first")
    search.add_argument("words", metavar="WORDS", nargs="+")
    search.add_argument("--k", type=int, default=10, metavar="N", help="at most so many (default 10)")
    info = actions.add_parser("info", help="where the corpus is and what it holds")
    remove = actions.add_parser("remove", help="forget works by their ids")
    remove.add_argument("ids", metavar="ID", nargs="+")
    compact = actions.add_parser("compact", help="write the index anew, smaller and faster")
    export = actions.add_parser("export", help="print all works as JSON lines, which `add` reads back")
    export.add_argument("--format", choices=("jsonl",), default="jsonl")
    for action in (search, info):
        action.add_argument("--format", choices=("text", "json"), default="text")
    for action in (add, search, info, remove, compact, export):
        common.add_settings(action)
        common.add_corpus(action)


def run(given: argparse.Namespace) -> int:
    from citelsp.corpus.store import CorpusError

    acts: dict[str, Callable[[Corpus, argparse.Namespace], int]] = {
        "add": _add, "search": _search, "info": _info, "remove": _remove, "compact": _compact, "export": _export,
    }  # fmt: skip
    try:
        with common.open_corpus(given, create=given.action == "add") as corpus:
            return acts[given.action](corpus, given)
    except CorpusError as problem:
        return common.fail(str(problem))
    except KeyboardInterrupt:
        return common.fail("interrupted; what was added so far is kept")


def _add(corpus: "Corpus", given: argparse.Namespace) -> int:
    from citelsp.cli.progress import Progress
    from citelsp.corpus import imports

    problems: list[str] = []
    for path in given.files:
        if not path.exists():
            problems.append(f"{path}: there is no such file")
            continue
        skipped: list[str] = []

        def known(digest: str, skipped: list[str] = skipped) -> bool:
            found = corpus.store.has_file(digest)
            skipped += [digest] * found
            return found

        with Progress(str(path)) as progress:
            found = progress.counted(imports.read(path, progress.problem(problems), known))
            added = corpus.add(found, progress.added)
        same = added.same + len(skipped)
        print(f"{path}: {added.new} new, {added.changed} changed, {same} known already", flush=True)
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
    from citelsp.corpus import ranking

    facts = asdict(corpus.info()) | {"path": str(corpus.path), "ranking_fitted_on": ranking.fitted_on()}
    if given.format == "json":
        print(json.dumps(facts))
    else:
        for name, value in facts.items():
            print(f"{name.replace('_', ' '):18} {value}")
    return exits.OK


def _remove(corpus: "Corpus", given: argparse.Namespace) -> int:
    removed = corpus.remove(given.ids)
    print(f"{len(removed)} removed")
    unknown = [it for it in given.ids if it not in removed]
    for it in unknown:
        common.warn(f"{it}: there is no such work")
    return exits.UNFINISHED if unknown else exits.OK


def _compact(corpus: "Corpus", _: argparse.Namespace) -> int:
    before = corpus.info().bytes
    corpus.compact()
    print(f"{before / 1e6:.1f} MB before, {corpus.info().bytes / 1e6:.1f} MB now")
    return exits.OK


def _export(corpus: "Corpus", _: argparse.Namespace) -> int:
    from citelsp.corpus.work import to_mapping

    for work in corpus.works():
        print(json.dumps(to_mapping(work), ensure_ascii=False))
    return exits.OK
