"""citelsp evidence: what cited works say nearest to the sentences that cite them, without any model."""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.bibliography.record import Record
    from citelsp.investigate.resolve import Reach
    from citelsp.knowledge import Evidence
    from citelsp.sources.ask_services import Sources

HELP = "quote what cited works say of the sentences that cite them, from your corpus"
_SILENT = "none of the available text of this work discusses this sentence"


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence, the work that it cites, and what that work says nearest to it, or why nothing is quoted."""

    sentence: str
    key: str  # "" if the work is no entry
    work: "Record"
    passages: Sequence["Evidence"]
    reason: str = ""
    place: str = ""  # or what the work was called, if nothing else is known of it


class EvidenceError(Exception):
    """What was named cannot be read or is not there; says what."""


def arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "path", metavar="PATH[:LINE]", nargs="?", help="the citations of a manuscript, or of one of its lines"
    )
    what.add_argument("--text", help="a sentence; needs --work")
    parser.add_argument("--work", help="with --text: an identifier or a title, or a key of --bib")
    parser.add_argument("--bib", metavar="FILE", type=Path, help="with --work: the bibliography that has this key")
    parser.add_argument("--online", action="store_true", help="also ask the services for abstracts and open texts")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    common.add_settings(parser)
    common.add_corpus(parser)


def run(options: argparse.Namespace) -> int:
    if bool(options.text) != bool(options.work):
        common.warn("--text and --work go together")
        return exits.USAGE
    try:
        readings = asyncio.run(_readings(options))
    except EvidenceError as problem:
        return common.fail(str(problem))
    if options.format == "json":
        from citelsp.cli import paint

        print(paint.escaped(json.dumps([_fields(it) for it in readings], ensure_ascii=False, indent=1)))
    else:
        print("\n".join(map(_text, readings)), end="")
    return exits.OK


async def _readings(options: argparse.Namespace) -> list[Reading]:
    from citelsp.cli.suggest_engines import place

    async with AsyncExitStack() as stack:
        path = place(options.path)[0] if options.path else options.bib
        settings = common.read_settings(options, common.workspace(path.absolute()) if path else None)
        sources = await _sources(options, settings, stack)
        reach = _reach(options, sources, stack)
        if options.path:
            return await _read_for_manuscript(options, settings, reach)
        return [await _read_for_sentence(options, settings, reach)]


async def _sources(options: argparse.Namespace, settings: "Settings", stack: AsyncExitStack) -> "Sources | None":
    from citelsp.cli import verify_online

    if not options.online:
        return None
    if settings.offline or settings.online.suggest == "off":
        raise EvidenceError("online search is disabled by the settings offline or online.suggest")
    return await stack.enter_async_context(verify_online.asking(settings))


def _reach(options: argparse.Namespace, sources: "Sources | None", stack: AsyncExitStack) -> "Reach":
    from citelsp.corpus.store import CorpusError
    from citelsp.investigate.resolve import Reach

    try:
        corpus = common.open_corpus(options)
    except CorpusError as problem:
        if sources is None:
            common.warn(f"{problem}; or ask services with --online")
        return Reach(None, None, sources)
    stack.callback(corpus.close)
    return Reach(None, corpus, sources)


async def _read_for_sentence(options: argparse.Namespace, settings: "Settings", reach: "Reach") -> Reading:
    """What a work says of a sentence: an entry of the bibliography that is named, or a work by its name."""
    from citelsp.agent import claim_judge
    from citelsp.investigate import resolve
    from citelsp.workspace.question import marked

    key = ""
    record = None
    if options.bib:
        key, record = _find_entry(options, settings)
    if record is None:
        record = await _find_record(options.work, reach)
    environment = resolve.of_question(marked(options.text), reach)
    evidence = (await claim_judge.judge_claims(environment, record)).evidence
    name = "" if record.title else options.work
    return Reading(options.text, key, record, evidence, _say_why_none(evidence), name)


def _find_entry(options: argparse.Namespace, settings: "Settings") -> tuple[str, "Record | None"]:
    """The entry of the bibliography that is named; the work may still be an identifier."""
    from citelsp.investigate.support import record_of
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    path = str(options.bib.absolute())
    project = include_graph.build(DiskFiles([str(common.workspace(Path(path)))]), path, settings)
    if path not in project.sources:
        raise EvidenceError(f"{options.bib} could not be read")
    place = project.find_first(options.work)
    return (options.work, record_of(place.entry)) if place else ("", None)


async def _find_record(work: str, reach: "Reach") -> "Record":
    """The work that is meant, as services or the corpus know it; else what its name says of it."""
    from citelsp.bibliography.record import Record
    from citelsp.investigate import insert

    if reach.sources:
        [found] = await insert.find_all([work], reach.sources)
        if found.certain:
            return found.candidates[0].record
    names = insert.named(work)
    if reach.corpus:
        store = reach.corpus.store
        numbers = store.by_identifier(doi=names.doi, arxiv=names.arxiv) if names else store.by_title(work)
        if rows := reach.corpus.rows(numbers[:1]):
            return rows[0].work.record()
    return Record("", "", "" if names else work, identifiers=names)


async def _read_for_manuscript(options: argparse.Namespace, settings: "Settings", reach: "Reach") -> list[Reading]:
    """What each work says of the sentences of a manuscript that cite it, or of those on the line that is named."""
    from citelsp.cli.check_report import named, range_of
    from citelsp.cli.suggest_engines import place
    from citelsp.investigate import support
    from citelsp.investigate.support import record_of
    from citelsp.knowledge import Knowledge
    from citelsp.workspace import claims, include_graph
    from citelsp.workspace.files import DiskFiles

    path, line = place(options.path)
    files = DiskFiles([str(common.workspace(path))], settings.syntax.cite_commands)
    project = include_graph.build(files, str(path), settings)
    if str(path) not in project.sources:
        raise EvidenceError(f"{options.path} could not be read")
    readings = []
    lines = {it: range_of(project, str(path), it.citation.span) for it in claims.find_claims(project, str(path))}
    chosen = [it for it, where in lines.items() if line in (None, where["start"]["line"] + 1)]
    known = Knowledge()
    async with aclosing(support.support(project, chosen, reach, known, lambda *_: None)) as snapshots:
        async for more in snapshots:
            known = more
    for claim in chosen:
        found = known.evidence.get(claim.content, ())
        reading = Reading(
            claim.sentence.strip(),
            claim.citation.key,
            record_of(claim.entry.entry),
            found,
            _say_why_none(found),
            f"{named(str(path))}:{lines[claim]['start']['line'] + 1}",
        )
        readings.append(reading)
    return readings


def _say_why_none(found: Sequence["Evidence"]) -> str:
    return "" if found else _SILENT


def _fields(reading: Reading) -> dict[str, Any]:
    from citelsp.cli.check_report import work

    return {
        "sentence": reading.sentence,
        "key": reading.key or None,
        "work": work(reading.work),
        "passages": [{"quote": it.quote, "where": it.where, "source": it.source} for it in reading.passages],
        "reason": reading.reason,
    }


def _text(reading: Reading) -> str:
    return "\n".join(_lines(reading)) + "\n"


def _lines(reading: Reading) -> Iterator[str]:
    from citelsp.base.text import quoted, still
    from citelsp.cli import paint

    head = ": ".join(filter(None, (reading.place and quoted(reading.place), still(reading.key))))
    yield " ".join(filter(None, (head, paint.work(reading.work))))
    yield f"  {still(reading.sentence)}"
    for passage in reading.passages:
        yield f"    “{still(passage.quote)}” ({still(passage.where)})"
    if reading.reason:
        yield f"    {reading.reason}"
