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
    from citelsp.agent.claim_judge import Judgement
    from citelsp.base.settings import Settings
    from citelsp.bibliography.record import Record
    from citelsp.investigate.resolve import Reach
    from citelsp.knowledge import Evidence, Knowledge
    from citelsp.sources.ask_services import Sources
    from citelsp.workspace.cited_claims import Claim
    from citelsp.workspace.project import Project

HELP = "quote what cited works say of the sentences that cite them, from your corpus"
_UNKNOWN = "no work of this name is known here; {}"
_NAME_BIB = "if it is the key of an entry, name its bibliography with --bib"
_ASK_ONLINE = "ask the services with --online"


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence, the work that it cites, and what that work says nearest to it, or why nothing is quoted."""

    sentence: str
    key: str  # "" if the work is no entry
    work: "Record"
    passages: Sequence["Evidence"]
    reason: str = ""
    name: str = ""  # path and line of the sentence; of a text what the work was called, if nothing else is known of it


class EvidenceError(Exception):
    """What was named cannot be read; says what."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes, from which `run` gets its options."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "path", metavar="PATH[:LINE]", nargs="?", help="the citations of a manuscript, or of one of its lines"
    )
    what.add_argument("--text", help="a sentence; needs --work")
    parser.add_argument("--work", help="with --text: an identifier or a title, or a key of --bib")
    parser.add_argument("--bib", metavar="FILE", type=Path, help="with --work: the bibliography that has this key")
    parser.add_argument(
        "--online", action="store_true", help="also read texts that are open to all; with --work, look the work up"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    common.add_settings(parser)
    common.add_corpus(parser)


def run(options: argparse.Namespace) -> int:
    """Print for each sentence the passages nearest to it of the work that it cites; return the exit status.

    It is OK even if nothing is quoted; USAGE if the options do not go together or a file is not there; UNFINISHED, with
    a warning, if what is named cannot be read.  If no sentence there cites a work that has an entry, a warning says so,
    and JSON has an empty list.
    """
    misuse = _find_misuse(options)
    if misuse:
        common.warn(misuse)
        return exits.USAGE
    try:
        readings = asyncio.run(_read_all(options))
    except EvidenceError as problem:
        return common.fail(str(problem))
    if not readings:  # never of --text, which has one
        common.warn(f"no sentence of {options.path} cites a work that has an entry")
    if options.format == "json":
        from citelsp.cli import paint

        print(paint.escape_json(json.dumps([_list_fields(it) for it in readings], ensure_ascii=False, indent=1)))
    else:
        print("\n".join(map(_write_text, readings)), end="")
    return exits.OK


def _find_misuse(options: argparse.Namespace) -> str:
    """Say how the options do not go together, or which file is not there or no manuscript; "" if nothing is wrong."""
    from citelsp.cli import targets
    from citelsp.cli.suggest_engines import place

    if bool(options.text) != bool(options.work):
        return "--text and --work go together"
    if options.bib and not options.work:
        return "--bib goes with --work"
    if not (options.path or options.text):
        return "what is asked about is empty"
    if options.bib and not options.bib.exists():
        return common.say_missing(str(options.bib))
    if options.path:
        path, _line = place(options.path)
        if not path.exists():
            return common.say_missing(options.path)
        return targets.unread_kinds([path]) if targets.unreadable(path) else ""
    return ""


async def _read_all(options: argparse.Namespace) -> list[Reading]:
    """Read what cited works say: of the sentence of --text, or of each citation of the manuscript or of its line.

    EvidenceError if what is named cannot be read, or if the settings forbid what --online asks for.
    """
    from citelsp.cli.suggest_engines import place

    async with AsyncExitStack() as stack:
        path = options.bib
        if options.path:
            path, _ = place(options.path)  # `PATH:LINE`, of which the line counts later
        # Settings of the folder that the manuscript or bibliography lies in count, too; without either only the user's.
        settings = common.read_settings(options, common.workspace(path.absolute()) if path else None)
        sources = await _open_sources(options, settings, stack)
        reach = _open_reach(options, sources, stack)
        if options.path:
            return await _read_for_manuscript(options, settings, reach)
        return [await _read_for_sentence(options, settings, reach)]


async def _open_sources(options: argparse.Namespace, settings: "Settings", stack: AsyncExitStack) -> "Sources | None":
    from citelsp.cli import verify_online

    if not options.online:
        return None
    if settings.offline or settings.online.suggest == "off":
        raise EvidenceError("online search is disabled by the settings offline or online.suggest")
    return await stack.enter_async_context(verify_online.open_for_question(settings))


def _open_reach(options: argparse.Namespace, sources: "Sources | None", stack: AsyncExitStack) -> "Reach":
    """Open the corpus, if there is one, and return it with the services: all that texts of works may be read from.

    `sources` is None without --online; `stack` closes the corpus.  Prints a warning if there is neither, or if a corpus
    that is named or there cannot be opened.  There is no `library`: it is where works are searched for, and these are
    known.
    """
    from citelsp.corpus.store import CorpusError
    from citelsp.investigate.resolve import Reach

    try:
        corpus = common.open_corpus(options)
    except CorpusError as problem:
        is_meant = options.corpus or common.corpus_directory(options, common.read_settings(options)).is_dir()
        if sources is None:
            common.warn(f"{problem}; or ask services with --online")
        elif is_meant:  # whoever has no corpus need not hear of it
            common.warn(f"the corpus is left out: {problem}")
        return Reach(library=None, corpus=None, sources=sources)
    stack.callback(corpus.close)
    return Reach(library=None, corpus=corpus, sources=sources)


async def _read_for_sentence(options: argparse.Namespace, settings: "Settings", reach: "Reach") -> Reading:
    """Find what the work of --work says of the sentence of --text.

    --work is the key of an entry in --bib, if it has such a key; else an identifier or a title.  `reach`: the corpus
    and the services in which texts are looked for.  EvidenceError if --bib cannot be read.
    """
    from citelsp.agent import claim_judge
    from citelsp.investigate import resolve
    from citelsp.workspace.question import read_marked

    entry = _find_entry(options, settings) if options.bib else None
    key = options.work if entry else ""
    record = entry or await _find_record(options.work, reach)  # without a title if the name is an unknown identifier
    environment = resolve.make_environment_of_question(read_marked(options.text), reach)
    judgement = await claim_judge.judge_claims(environment, record)  # by no model: passages without a verdict
    name = "" if record.title else options.work  # of a work without a title, nothing else says which one is meant
    return Reading(
        sentence=options.text,
        key=key,
        work=record,
        passages=judgement.evidence,
        reason=_say_why_none(options, record, judgement),
        name=name,
    )


def _say_why_none(options: argparse.Namespace, record: "Record", judgement: "Judgement") -> str:
    """Say why nothing is quoted of the work that --work names, and what can be done about it; "" if something is.

    `judgement` has notes if it has no evidence; the last one says why.
    """
    if judgement.evidence:
        return ""
    is_known = bool(record.source)  # else neither a bibliography, nor the corpus, nor a service has the work
    if is_known:
        return judgement.notes[-1]
    # What was taken for a title, as it is no identifier, is one word: more likely a key, and no --bib to find it in.
    could_be_a_key = not options.bib and record.title and " " not in options.work.strip()
    if could_be_a_key:
        return _UNKNOWN.format(_NAME_BIB)
    return judgement.notes[-1] if options.online else _UNKNOWN.format(_ASK_ONLINE)


def _find_entry(options: argparse.Namespace, settings: "Settings") -> "Record | None":
    """Return the entry whose key is --work, as a record, from the bibliography --bib; None if it has no such key.

    Of several entries with the key the first counts.  EvidenceError if the bibliography cannot be read.
    """
    from citelsp.cli.suggest_engines import SuggestError, read_bibliography
    from citelsp.investigate.support import make_record

    try:
        place = read_bibliography(options.bib, settings).find_first(options.work)
    except SuggestError as problem:
        raise EvidenceError(str(problem)) from None
    return make_record(place.entry) if place else None


async def _find_record(work: str, reach: "Reach") -> "Record":
    """Return the record of the work that an identifier or a title means.

    It comes from the services if their answer is certain, else from the corpus: of several works with that identifier
    or title the first that it answers.  If neither has the work, the record has nothing but the identifier or title
    itself, and `source` is "".  `reach`: the corpus and the services that may be asked.
    """
    from citelsp.bibliography.record import Record
    from citelsp.investigate import insert

    if reach.sources:
        [answer] = await insert.find_all([work], reach.sources)
        if answer.certain:
            return answer.candidates[0].record
    identifiers = insert.read_identifiers(work)
    if reach.corpus:
        store = reach.corpus.store
        if identifiers:  # of which a corpus has these two alone
            numbers = store.by_identifier(doi=identifiers.doi, arxiv=identifiers.arxiv)
        else:
            numbers = store.by_title(work)
        rows = reach.corpus.rows(numbers[:1])
        if rows:
            return rows[0].work.record()
    return Record(source="", id="", title="" if identifiers else work, identifiers=identifiers)


async def _read_for_manuscript(options: argparse.Namespace, settings: "Settings", reach: "Reach") -> list[Reading]:
    """Find what each cited work says of the sentences that cite it, in a manuscript or on the line that is named.

    An empty list if nothing there is cited that has an entry.  EvidenceError if the manuscript cannot be read.
    `reach`: the corpus and the services in which texts are looked for.
    """
    from citelsp.cli.report_parts import show_path
    from citelsp.cli.suggest_engines import place, say_unread
    from citelsp.investigate.support import make_record
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    path, line = place(options.path)  # of `PATH:LINE`; no line means the whole manuscript
    files = DiskFiles([str(common.workspace(path))], settings.syntax.cite_commands)
    project = include_graph.build(files, str(path), settings)
    if str(path) not in project.sources:
        raise EvidenceError(say_unread(path, options.path))
    line_of = _find_claims(project, str(path), line)
    knowledge, why_none = await _gather_evidence(project, list(line_of), reach)
    readings = []
    for claim, line_of_claim in line_of.items():
        reading = Reading(
            sentence=claim.sentence.strip(),
            key=claim.citation.key,
            work=make_record(claim.entry.entry),
            passages=knowledge.evidence.get(claim.content, ()),
            reason=why_none.get(claim.content, ""),
            name=f"{show_path(str(path))}:{line_of_claim}",
        )
        readings.append(reading)
    return readings


def _find_claims(project: "Project", path: str, line: int | None) -> "dict[Claim, int]":
    """Find the claims of the document at `path` that are asked about, each with its line, counted from 1.

    These are all claims, or if `line` is not None those whose keys stand on that line; none if it has none.  A citation
    whose key has no entry makes no claim.
    """
    from citelsp.cli.report_parts import range_of
    from citelsp.workspace import cited_claims

    line_of: dict[Claim, int] = {}
    for claim in cited_claims.find_claims(project, path):
        line_of_claim = range_of(project, path, claim.citation.span)["start"]["line"] + 1
        if line in (None, line_of_claim):
            line_of[claim] = line_of_claim
    return line_of


async def _gather_evidence(
    project: "Project", claims: "Sequence[Claim]", reach: "Reach"
) -> "tuple[Knowledge, dict[str, str]]":
    """Return knowledge with the evidence on these claims, and why nothing is quoted for those that have none.

    Both are found by the content of a claim, which equal sentences about one entry share.
    """
    from citelsp.investigate import support
    from citelsp.knowledge import Knowledge

    knowledge = Knowledge()
    why_none: dict[str, str] = {}

    def note_silence(_done: int, _total: int, content: str, judgement: "Judgement") -> None:
        """Note why nothing is quoted for a claim, if nothing is: then there are notes, and the last one says it."""
        if not judgement.evidence:
            why_none[content] = judgement.notes[-1]

    async with aclosing(support.support(project, claims, reach, knowledge, note_silence)) as snapshots:
        async for more in snapshots:
            knowledge = more  # each has all of the one before; the last one is complete
    return knowledge, why_none


def _list_fields(reading: Reading) -> dict[str, Any]:
    """Return a reading as the contract names its fields."""
    from citelsp.cli.report_parts import work

    return {
        "sentence": reading.sentence,
        "key": reading.key or None,
        "work": work(reading.work),
        "passages": [{"quote": it.quote, "where": it.where, "source": it.source} for it in reading.passages],
        "reason": reading.reason,
    }


def _write_text(reading: Reading) -> str:
    return "\n".join(_write_lines(reading)) + "\n"


def _write_lines(reading: Reading) -> Iterator[str]:
    """Yield a line with place, key and work, as far as they are known; the sentence; the passages, or why none.

    `still` drops characters that would move the terminal's cursor.
    """
    from citelsp.base.text import quote_name, still
    from citelsp.cli import paint

    head = ": ".join(filter(None, (reading.name and quote_name(reading.name), still(reading.key))))
    yield " ".join(filter(None, (head, paint.work(reading.work))))
    yield f"  {still(reading.sentence)}"
    for passage in reading.passages:
        yield f"    “{still(passage.quote)}” ({still(passage.where)})"
    if reading.reason:
        yield f"    {reading.reason}"
