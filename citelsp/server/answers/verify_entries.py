"""Verification in the background: what is cited is looked up when a document is saved, and shown as it comes.

Verdicts are keyed by what entries say, so none is wrong for coming late, and what is being asked is not asked twice.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base.text import write_count
from citelsp.server.answers import diagnostics, warm_up
from citelsp.server.jobs import progress
from citelsp.server.state import snapshot
from citelsp.server.state.in_flight import PATIENCE
from citelsp.server.state.projects import Moment
from citelsp.server.wire import arguments as args
from citelsp.server.wire import refusal
from citelsp.workspace import roots

if TYPE_CHECKING:
    from citelsp.knowledge import Knowledge, Verdict
    from citelsp.server.server import Server
    from citelsp.sources.ask_services import Sources
    from citelsp.workspace.project import Place

AGAIN = "Check references now"  # the title of a code action
_PAUSE = 1.0  # seconds after opening, so that the first answers do not wait
_RHYTHM = 1.0  # seconds between two showings of what came


async def opened(ls: "Server", params: types.DidOpenTextDocumentParams) -> None:
    """Show what an earlier session learnt, and be ready for what the author will ask."""
    uri = params.text_document.uri
    diagnostics.schedule(ls)
    warm_up.schedule(ls, uri)
    ls.jobs.later(f"recall {uri}", _PAUSE, lambda: _recall_document(ls, uri))


async def saved(ls: "Server", params: types.DidSaveTextDocumentParams) -> None:
    """Show findings after the usual pause, and have what the document cites verified as `_check_saved` says."""
    _show_and_verify(ls, params.text_document.uri)


async def notebook_saved(ls: "Server", params: types.DidSaveNotebookDocumentParams) -> None:
    """As `saved`, for all cells of a notebook, which belong together: looking at the first looks at all."""
    path = ls.documents.path_of(params.notebook_document.uri)
    cells = roots.cells_among([buffer.path for buffer in ls.documents], path)
    first = ls.documents.get(cells[0]) if cells else None
    if first:
        _show_and_verify(ls, first.uri)


def _show_and_verify(ls: "Server", uri: str) -> None:
    """Show findings after the usual pause, and verify in the background what the document cites."""
    diagnostics.schedule(ls)
    # A name of its own: saving again must not cancel what is being asked, as the next save asks about the rest alone.
    ls.asking.number += 1
    ls.jobs.start(f"verify {ls.asking.number}", _check_saved(ls, uri))


async def command(ls: "Server", arguments: Sequence[object]) -> str:
    """Verify now what a manuscript cites, or all entries of a .bib, given by its URI; return a summary.

    Services that did not answer a while ago are asked again, too.  Offline only cached verdicts are read.  Raises a
    refusal if the setting `online.verify` is "off".
    """
    moment = await snapshot.take(ls, args.document("citelsp.verify", arguments))
    if moment.project.settings.online.verify == "off":
        raise refusal.make_refusal("online.verify is off")
    from citelsp.features import code_lens

    whole = moment.path in moment.project.bibliographies  # else only what is cited
    entries = await _list_entries(ls, moment, moment.path if whole else "", whole=whole)
    if not moment.project.settings.offline:
        ls.online.wake()  # services that are left alone for a while after they failed
        ls.asking.outage = False  # so that the next saving tells of a service that still does not answer
        await _verify_entries(ls, moment, entries)
    else:
        await _recall_cached(ls, moment, entries)
    return str(code_lens.summary(ls.knowledge, entries.values()))


async def _recall_document(ls: "Server", uri: str) -> None:
    """Show what earlier sessions learnt of what the document cites; nobody is asked."""
    moment = await snapshot.take(ls, uri)
    if moment.project.settings.online.verify != "off":
        await _recall_cached(ls, moment, await _list_entries(ls, moment))


async def _check_saved(ls: "Server", uri: str) -> None:
    """Verify what the saved document's project cites, if the setting `online.verify` is "save" and not `offline`.

    The author is told of services that do not answer.  If nobody is to be asked, verdicts that are cached on this
    machine are shown; nothing at all if `online.verify` is "off".
    """
    moment = await snapshot.take(ls, uri)
    settings = moment.project.settings
    if settings.online.verify == "off":
        return
    entries = await _list_entries(ls, moment)
    if settings.offline or settings.online.verify != "save":
        await _recall_cached(ls, moment, entries)
        return
    # An entry that was asked about lately is not asked about at each saving; only the author's command does so.
    due = {content: place for content, place in entries.items() if ls.asking.rested(content)}
    asked = await _verify_entries(ls, moment, due)
    if asked:  # else an outage from before may still last
        _tell_unanswered(ls, entries, asked)


def _tell_unanswered(ls: "Server", entries: "Mapping[str, Place]", asked: Collection[str]) -> None:
    """Tell the author which services did not answer, and when they are asked again.

    As files are saved often, that is told once, until all have answered again: `ls.asking.outage` notes it.  `entries`:
    all that the manuscripts cite, by content, the fingerprint under which a verdict is stored; `asked`: the contents of
    those that services were asked about just now.  Those unanswered are asked about again after PATIENCE seconds, or at
    once by the command whose title is AGAIN.
    """
    from citelsp.checks.verdicts import title

    unanswered: dict[str, Verdict] = {}  # by content
    for content in entries:
        verdict = ls.knowledge.verdicts.get(content)
        if verdict and verdict.kind == "unchecked" and verdict.unavailable:
            unanswered[content] = verdict
    was_outage = ls.asking.outage
    ls.asking.outage = bool(unanswered)
    # Told already, or all that were asked about just now were answered: the others are from before.
    if was_outage or unanswered.keys().isdisjoint(asked):
        return
    # One at least: `unanswered` has only verdicts with services that did not answer.
    services = dict.fromkeys(name for verdict in unanswered.values() for name in verdict.unavailable)
    first, *others = map(title, services)
    silent = f"{first} and {len(others)} more" if others else first
    again = time.strftime("%H:%M", time.localtime(time.time() + PATIENCE))
    count = write_count(len(unanswered), "reference is", "references are")
    ls.inform(f"No answer from {silent}: {count} unchecked. Saving asks again after {again}; “{AGAIN}” asks at once.")


async def _list_entries(ls: "Server", moment: Moment, path: str = "", *, whole: bool = False) -> "Mapping[str, Place]":
    """Return the entries that the manuscripts cite; with `whole` all those of the bibliography at `path`.

    They come by content: the fingerprint of what an entry says, under which its verdict is stored.  They are parsed
    outside of the event loop.
    """

    def find(_: object) -> "Mapping[str, Place]":
        from citelsp.investigate import cached_verdicts, verify

        if whole:
            of_path = [place for place in moment.project.entries() if place.source.document.path == path]
            return cached_verdicts.index_by_content(of_path)
        return cached_verdicts.index_by_content(verify.find_cited(moment.project))

    return await ls.projects.work(find)


async def _recall_cached(ls: "Server", moment: Moment, entries: "Mapping[str, Place]") -> "Sources":
    """Learn and show what is cached on this machine of these entries; the services, to ask them about the others."""
    from citelsp.investigate.cached_verdicts import recall

    sources = await ls.online.sources(moment.project.settings)
    with_cached = await recall(entries, sources.client.cache, ls.knowledge)
    if with_cached is not ls.knowledge:
        _learn_verdicts(ls, with_cached)
        _refresh(ls)
    return sources


async def _verify_entries(ls: "Server", moment: Moment, entries: "Mapping[str, Place]") -> Collection[str]:
    """Ask services about those entries (by content) that `find_unverified` names, and learn and show the verdicts.

    Cached verdicts are shown first.  Entries that another call asks about now (`ls.asking.now`) are left to that one.
    Returns the contents of the entries that services were asked about.
    """
    from citelsp.investigate import verify

    sources = await _recall_cached(ls, moment, entries)
    without_verdict = verify.find_unverified(entries, ls.knowledge)
    missing = {content: place for content, place in without_verdict.items() if content not in ls.asking.now}
    if not missing:
        return ()
    ls.online.tell("verify", verify.list_services(sources))
    await _ask_services(ls, missing, sources)
    return missing.keys()


async def _ask_services(ls: "Server", missing: "Mapping[str, Place]", sources: "Sources") -> None:
    """Ask services about these entries, under a progress bar; `ls.asking` notes meanwhile that they are asked about.

    Verdicts are learnt and shown every _RHYTHM seconds and at the end, also if the author cancels the rest.
    """
    from citelsp.investigate import verify

    ls.asking.now |= missing.keys()
    knowledge = ls.knowledge
    last_shown = time.monotonic()
    try:
        async with progress(ls.work_done_progress, "Checking references", shown=ls.client.progress) as report:

            def show_standing(done: int, total: int) -> None:
                report(verify.tell_standing(done, total, sources), done / total)

            snapshots = verify.verify(list(missing.values()), sources, knowledge, show_standing)
            async with aclosing(snapshots):
                async for knowledge in snapshots:  # each with all verdicts so far
                    # Verdicts come by the dozen; showing each would work out all findings as often.
                    if time.monotonic() - last_shown >= _RHYTHM:
                        _learn_verdicts(ls, knowledge)
                        _refresh(ls)
                        last_shown = time.monotonic()
    finally:
        ls.asking.now -= missing.keys()
        ls.asking.note(missing.keys() & knowledge.verdicts.keys())  # these rest for a while before saving asks again
        _learn_verdicts(ls, knowledge)
        _refresh(ls)


def _learn_verdicts(ls: "Server", knowledge: "Knowledge") -> None:
    """Add these verdicts to what the server knows, within the bounds of what it remembers."""
    verdicts = ls.learnt.verdicts.joined(ls.knowledge.verdicts, knowledge.verdicts)
    ls.knowledge = replace(ls.knowledge, verdicts=verdicts)


def _refresh(ls: "Server") -> None:
    diagnostics.refresh(ls)
    if ls.client.refresh_lenses:
        ls.workspace_code_lens_refresh(None)
