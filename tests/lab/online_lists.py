r"""What a list holds after a search online, beside own entries that are unrelated to a sentence, or right.

    python tests/lab online_lists SERVICES.json --sentences SENTENCES.tsv --unrelated REFS.bib [--own 40]
    python tests/lab online_lists SERVICES.json --manuscripts FOLDER... [--each 27]

SERVICES.json: `{"bases": {service: address}}`, all that is asked.  Each line of SENTENCES.tsv has a sentence and the
title of a work that fits it; it is asked without own entries and beside some of REFS.bib.  In manuscripts citations are
masked one at a time, as `masking` does, and the entry that stood there is looked for.
"""

import argparse
import asyncio
import json
import random
import tempfile
from pathlib import Path

from citelsp.base.settings import Service, Settings
from citelsp.base.text import Document
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import candidate_set, gather
from citelsp.corpus.words import title_key
from citelsp.investigate import search
from citelsp.knowledge import Suggestion
from citelsp.sources.ask_services import Sources
from citelsp.syntax import parse
from citelsp.workspace import include_graph
from citelsp.workspace import question as questions
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.project import Project
from lab import masking

_ARTICLE = "\\documentclass{{article}}\n\\begin{{document}}\n{} \\cite<>.\n\\bibliography{{refs}}\n\\end{{document}}\n"


async def listed(project: Project, path: str, offset: int, sources: Sources) -> tuple[Suggestion, Suggestion] | None:
    """The list before and after a search."""
    placeholder = project.placeholder_at(path, offset)
    if placeholder is None:
        return None
    here = gather.gather_locally(questions.placeholder_question(project, path, placeholder), None, project, Libraries())
    answers = await search.ask_everybody(here, sources)
    return candidate_set.suggest(here), candidate_set.suggest(here, answers)


def rank_of(keys: frozenset[str], suggestion: Suggestion) -> int:
    return next((at for at, it in enumerate(suggestion.candidates, 1) if it.key in keys), 0)


def is_online(suggestion: Suggestion) -> list[bool]:
    return [not it.key for it in suggestion.candidates]


async def sentences(lines: list[list[str]], refs: Path, own: int, sources: Sources) -> None:
    found = dict.fromkeys((0, own), 0)
    with tempfile.TemporaryDirectory() as folder:
        main = Path(folder) / "main.tex"
        for sentence, title in lines:
            shown = []
            for number in found:
                entries = random.Random(1).sample(blocks(refs), number)  # noqa: S311  a repeatable choice, no secret
                (Path(folder) / "refs.bib").write_text("\n".join(entries), encoding="utf-8")
                main.write_text(_ARTICLE.format(sentence), encoding="utf-8")
                project = include_graph.build(DiskFiles([folder]), str(main), Settings())
                offset = main.read_text(encoding="utf-8").index("<>") + 1
                lists = await listed(project, str(main), offset, sources)
                assert lists
                titles = [title_key(it.record.title) for it in lists[1].candidates]
                rank = next((at for at, it in enumerate(titles, 1) if it.startswith(title_key(title))), 0)
                found[number] += bool(rank)
                shown.append(f"{rank:3} of {len(titles):2}, {sum(is_online(lists[1])):2} online")
            print(f"{shown[0]} | {shown[1]} | {title[:60]}", flush=True)
    print(f"listed without own entries {found[0]}, beside {own} {found[own]}, of {len(lines)}")


def blocks(refs: Path) -> list[str]:
    text = refs.read_text(encoding="utf-8")
    entries = parse(Document(str(refs), text, "bibtex")).entries
    nodes = [entries.node(it) for it in range(len(entries))]
    return [it.source for it in nodes if it.key]


async def manuscripts(folders: list[Path], each: int, sources: Sources) -> None:
    before, after, online = [], [], []
    for folder in folders:
        known = masking.manuscript(folder.resolve(), each, masking.FEWEST)
        for place in known.places if known else ():
            found = include_graph.build(known.files, known.main, Settings())
            masked = masking.masked(found, place, masking.MARK, first_draft=False)
            for path, text in masked.items():
                known.files.open(path, text)
            project = include_graph.build(known.files, known.main, Settings())
            if lists := await listed(project, place.path, place.span.start + len("\\cite<"), sources):
                before.append(rank_of(place.keys, lists[0]))
                after.append(rank_of(place.keys, lists[1]))
                online.append(sum(is_online(lists[1])))
            for path in masked:
                known.files.close(path)
    for name, ranks in (("before", before), ("after", after)):
        print(f"{name} a search: first {sum(it == 1 for it in ranks)}, listed {sum(map(bool, ranks))}, of {len(ranks)}")
    print(f"online rows: {sum(online) / len(online):.1f} a list, least {min(online)}")


def main() -> None:
    asyncio.run(measure())


async def measure() -> None:
    parser = argparse.ArgumentParser(description="what a list holds after a search online")
    parser.add_argument("services", type=Path)
    parser.add_argument("--sentences", type=Path)
    parser.add_argument("--unrelated", type=Path)
    parser.add_argument("--own", type=int, default=40)
    parser.add_argument("--manuscripts", type=Path, nargs="*", default=[])
    parser.add_argument("--each", type=int, default=27)
    options = parser.parse_args()
    bases = json.loads(options.services.read_text(encoding="utf-8"))["bases"]
    sources = Sources(Settings(services={name: Service(base_url=url) for name, url in bases.items()}))
    if options.sentences:
        lines = [it.split("\t") for it in options.sentences.read_text(encoding="utf-8").splitlines()]
        await sentences(lines, options.unrelated, options.own, sources)
    if options.manuscripts:
        await manuscripts(options.manuscripts, options.each, sources)
    await sources.aclose()


if __name__ == "__main__":
    main()
