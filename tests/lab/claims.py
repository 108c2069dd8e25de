r"""Sentences with the works that they cite, put to a judge as `citelsp check --claims` puts them.

    python tests/lab claims PAIRS [--config FILE] [--every N] [--out VERDICTS]

PAIRS holds a line of JSON for each: `id`, `source`, `claim` or `sentence` with `previous`, `cited` (title, abstract,
doi, arxiv) and `label`: supported, partially, unsupported or uncertain.  A manuscript, its bibliography and a corpus
are made of them.  With the settings in FILE the model there judges, and services are asked for texts as they allow.
Without, a server on this machine answers each question with the pair's own label and a quote of what it was shown:
what is measured then is everything but the judgement, so all verdicts should be the labels.  Pairs of whose work no
text can be had stay without a verdict.  VERDICTS takes lines of `id` and `verdict`.
"""

import argparse
import asyncio
import json
import os
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from rapidfuzz import fuzz, process

from citelsp.agent import start
from citelsp.agent.chat import Chat
from citelsp.agent.habits import Memory
from citelsp.base import read_settings
from citelsp.base.settings import LanguageModel, Settings
from citelsp.bibliography.encode_tex import escape
from citelsp.cli import verify_online
from citelsp.cli.judge_claims import Judging
from citelsp.corpus.index import Corpus
from citelsp.corpus.words import title_key
from citelsp.corpus.work import Work
from citelsp.evals.page import Section, Table, markdown, percent
from citelsp.evals.questions import objects
from citelsp.investigate.budget import Budget
from citelsp.investigate.resolve import Reach
from citelsp.knowledge import Knowledge
from citelsp.workspace import cited_claims, include_graph
from citelsp.workspace.files import DiskFiles

LABELS = ("supported", "partially", "unsupported", "uncertain")


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence, the work that it cites, and whether that work supports it."""

    id: str
    source: str
    sentence: str
    label: str
    title: str = ""
    abstract: str = ""
    doi: str = ""
    arxiv: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What each pair was judged to be, by its id, and what that took."""

    verdicts: Mapping[str, str]
    judging: Judging


def read(path: Path) -> list[Pair]:
    """The pairs of a file.  Raises KeyError for a line that lacks one of the fields named above."""
    return [_pair(it) for it in objects(path)]


def _pair(line: Mapping[str, Any]) -> Pair:
    cited = line["cited"]
    sentence = f"{line.get('previous') or ''} {line.get('sentence') or line['claim']}".strip()
    work = {name: cited.get(name) or "" for name in ("title", "abstract", "doi", "arxiv")}
    return Pair(line["id"], line["source"], sentence, line["label"], **work)


async def judge(pairs: Sequence[Pair], folder: Path, settings: Settings, reach: Callable[[Corpus], Reach]) -> Judged:
    """Write the manuscript and the corpus of these pairs into an empty folder, and put each claim to the model."""
    main = _write_manuscript(pairs, folder)
    project = include_graph.build(DiskFiles([str(folder)]), str(main), settings)
    found = list(cited_claims.find_claims(project))
    with Corpus(folder / "corpus", create=True) as corpus:
        corpus.add([Work(it.id, it.title, it.abstract, authors=("Jo Doe",)) for it in pairs if it.abstract])
        judging = Judging(reach(corpus), Budget())
        known = await judging.learnt(project, found, Knowledge())
    verdicts = {}
    for claim in found:
        evidence = known.evidence.get(claim.content, ())
        if evidence and evidence[0].verdict:
            verdicts[pairs[int(claim.citation.key[1:])].id] = evidence[0].verdict
    return Judged(verdicts, judging)


def _write_manuscript(pairs: Sequence[Pair], folder: Path) -> Path:
    """A file for each sentence, so that no sentence stands beside another pair's."""
    entries, inputs = [], []
    for number, pair in enumerate(pairs):
        fields = {
            "author": "Doe, Jo",
            "title": escape(pair.title or f"Work {number}"),
            "year": "2010",
            "doi": pair.doi,
            "eprint": pair.arxiv,
            "archiveprefix": "arXiv" if pair.arxiv else "",
        }
        written = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
        entries.append(f"@misc{{k{number},\n{written}}}\n")
        sentence = escape(pair.sentence.strip().removesuffix(".").strip())
        (folder / f"sentence{number}.tex").write_text(f"{sentence} \\cite{{k{number}}}.\n", encoding="utf-8")
        inputs.append(f"\\input{{sentence{number}}}")
    (folder / "refs.bib").write_text("\n".join(entries), encoding="utf-8")
    body = "\n".join((r"\begin{document}", *inputs, r"\bibliography{refs}", r"\end{document}", ""))
    main = folder / "main.tex"
    main.write_text(f"\\documentclass{{article}}\n{body}", encoding="utf-8")
    return main


@asynccontextmanager
async def scripted(pairs: Sequence[Pair]) -> AsyncIterator[LanguageModel]:
    """A model that finds each question's pair by its words, says its label and quotes what it was shown."""
    from model_server import completion, serving

    wordings = [title_key(f"The sentence: {it.sentence} The cited work: {it.title}") for it in pairs]

    def answer(body: Mapping[str, Any]) -> object:
        question = body["messages"][-1]["content"]
        _, _, number = process.extractOne(
            title_key(question.partition("Its passages:")[0]), wordings, scorer=fuzz.ratio
        )
        passage = re.search(r"^1\. «[^»]*»: «([^»]*)»", question, re.MULTILINE)
        quote = max(re.split(r"(?<=[.!?]) ", passage[1]), key=len) if passage else ""
        said = {"reasoning": "scripted", "verdict": pairs[number].label, "quote": quote}
        return completion(json.dumps(said), usage=None)

    async with serving(answer) as server:
        yield LanguageModel(server.url, "scripted")


def section(pairs: Sequence[Pair], judged: Judged, command: str) -> Section:
    """The verdicts of each source beside the labels, and what the model was asked."""
    names = ("all", *sorted({it.source for it in pairs}))
    of_source = {name: [it for it in pairs if name in ("all", it.source)] for name in names}
    rows = tuple((name, *_cells(of_source[name], judged.verdicts)) for name in names)
    head = ("of", "pairs", "judged", "as labelled", "decided", "“supported” right", "supported called unsupported")
    note = "Of the pairs that were judged. A verdict without a quote that stands in the work is “uncertain”."
    return Section("Claims", command, (note, judged.judging.cost()), (Table(head, rows),))


def _cells(pairs: Sequence[Pair], verdicts: Mapping[str, str]) -> tuple[str, ...]:
    seen = Counter((it.label, verdicts[it.id]) for it in pairs if it.id in verdicts)
    total = seen.total()
    given = Counter[str]()
    for (_, verdict), count in seen.items():
        given[verdict] += count
    labelled = sum(seen["supported", verdict] for verdict in LABELS)
    shares = (
        (sum(seen[it, it] for it in LABELS), total),
        (total - given["uncertain"], total),
        (seen["supported", "supported"], given["supported"]),
        (seen["supported", "unsupported"], labelled),
    )
    return str(len(pairs)), str(total), *(percent(part / whole if whole else None) for part, whole in shares)


async def measure(pairs: Sequence[Pair], config: Path | None = None) -> Judged:
    """The verdicts of the model in these settings, or of a script without any.  Raises ValueError without a model."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        (folder / "paper").mkdir()
        if config is None:
            # What a script says is of no use later.
            stack.enter_context(patch.dict(os.environ, CITELSP_CACHE_DIR=str(folder / "cache")))
            endpoint = await stack.enter_async_context(scripted(pairs))
            chat = Chat(endpoint, Memory(folder / "habits.json"))
            stack.push_async_callback(chat.aclose)
            return await judge(pairs, folder / "paper", Settings(), lambda corpus: Reach(None, corpus, None, chat))
        settings, _ = read_settings.merge(read_settings.read_file(config)[0])
        model = start.open_chat(settings)
        if model is None:
            raise ValueError(f"{config} names no model, or switches it off")
        stack.push_async_callback(model.aclose)
        sources = None
        if verify_online.asks(settings):
            sources = await stack.enter_async_context(verify_online.open_sources(settings))
        return await judge(pairs, folder / "paper", settings, lambda corpus: Reach(None, corpus, sources, model))


def command(every: int) -> str:
    return f"python tests/lab claims PAIRS --every {every}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--config", type=Path, help="settings with a model")
    parser.add_argument("--every", type=int, default=1, help="of how many pairs one is taken")
    parser.add_argument("--out", type=Path, help="write the verdicts here")
    arguments = parser.parse_args()
    pairs = read(arguments.pairs)[:: arguments.every]
    judged = asyncio.run(measure(pairs, arguments.config))
    if arguments.out:
        lines = [json.dumps({"id": id_, "verdict": verdict}) for id_, verdict in judged.verdicts.items()]
        arguments.out.write_text("".join(f"{it}\n" for it in lines), encoding="utf-8")
    shown = command(arguments.every) + " --config FILE" * bool(arguments.config)
    print(markdown("Claims", [section(pairs, judged, shown)]))


if __name__ == "__main__":
    main()
