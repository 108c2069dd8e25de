"""Evidence for the citations of a manuscript, looked for on command and shown in hovers, lenses and findings."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from citelsp.base.text import on_one_line
from citelsp.features import popup, read_evidence, reference_popup
from citelsp.server.answers import background_search, diagnostics, placeholder_candidates
from citelsp.server.jobs import progress
from citelsp.server.state import snapshot
from citelsp.server.state.projects import Moment
from citelsp.server.wire import arguments as args
from citelsp.server.wire import refusal, to_lsp
from citelsp.workspace import claims

if TYPE_CHECKING:
    from citelsp.agent.claim_judge import Judgement
    from citelsp.server.server import Server
    from citelsp.workspace.claims import Claim


async def command(ls: "Server", arguments: Sequence[object]) -> int:
    """Look for what cited works say: {"uri"} for a whole document, {"uri", "position"} for one citation, told at once.

    Returns for how many citations a passage is known.
    """
    match arguments:
        case [{"position": _}]:
            moment = await snapshot.take(ls, *args.place("citelsp.evidence", arguments))
            chosen = list(claims.find_claims(moment.project, moment.path, moment.offset))[:1]
            await _support(ls, moment, chosen)
            for claim in chosen:
                blocks = reference_popup.evidence(ls.knowledge.evidence.get(claim.content, ()))
                passages = popup.to_plain(blocks) or "none of the available text of this work discusses this sentence"
                ls.inform(f"{claim.citation.key}: {passages}")
        case [{"uri": str(uri)}]:
            moment = await snapshot.take(ls, uri)
            chosen = list(claims.find_claims(moment.project, moment.path))
            await _support(ls, moment, chosen)
        case _:
            raise refusal.failed('citelsp.evidence needs {"uri"} or {"uri", "position"}')
    return sum(bool(ls.knowledge.evidence.get(it.content)) for it in chosen)


async def read(ls: "Server", arguments: Sequence[object]) -> dict[str, object]:
    """What is known of the citations of a document, {"uri"}, to be read: {"text", "citations": [...]}.

    A citation is {"line" of the text, "key", "uri", "range", "verdict", "sentence", "work", "links": [{"label",
    "url"}], "passages": [{"quote", "where"}]}.  Passages that nobody looked for yet are looked for.
    """
    match arguments:
        case [{"uri": str(uri)}]:
            moment = await snapshot.take(ls, uri)
        case _:
            raise refusal.failed('citelsp.reading needs {"uri"}')
    await _support(
        ls,
        moment,
        [it for it in claims.find_claims(moment.project, moment.path) if it.content not in ls.knowledge.evidence],
    )
    found = read_evidence.find(moment.project, ls.knowledge, moment.path)
    ranges = moment.places.ranges(moment.path, (it.span for it in found.citations))
    citations = [
        {
            "line": citation.line,
            "key": citation.key,
            "uri": moment.places.uri(citation.path),
            "range": to_lsp.written(ranges[citation.span]),
            "verdict": citation.verdict,
            "sentence": on_one_line(citation.sentence),
            "work": on_one_line(citation.work),
            "links": [{"label": it.label, "url": it.url} for it in citation.links],
            "passages": [
                {"quote": on_one_line(quote), "where": on_one_line(where)} for quote, where in citation.passages
            ],
        }
        for citation in found.citations
    ]
    lines = ((it, it.lstrip()) for it in found.text.split("\n"))
    shown = (" " * (len(line) - len(words)) + on_one_line(words) for line, words in lines)
    return {"text": "\n".join(shown), "citations": citations}


async def _support(ls: "Server", moment: Moment, chosen: "Sequence[Claim]") -> None:
    from citelsp.investigate import support

    if not chosen:
        return
    async with background_search.searching(
        ls, moment, outside=placeholder_candidates.allowed(moment), ranks=False
    ) as search:
        chat, troubles = search.reach.chat, list[str]()
        # A model is asked again for what it left without a verdict, as when it could not be reached.
        settled = {it: found for it, found in ls.knowledge.evidence.items() if not chat or (found and found[0].verdict)}
        what = "1 citation" if len(chosen) == 1 else f"{len(chosen)} citations"
        async with progress(ls.work_done_progress, f"Reading for {what}", shown=ls.client.progress) as report:

            def through(done: int, of: int, found: "Judgement") -> None:
                report(f"{done} of {of}", done / of)
                if chat and found.evidence and not found.verdict:
                    troubles.append(found.notes[-1] if found.notes else "the model gave no reason")

            known = replace(ls.knowledge, evidence=settled)
            snapshots = support.support(moment.project, chosen, search.reach, known, through)
            # Cancelled by the progress bar, the generator ends its requests now and not when it is collected.
            async with aclosing(snapshots):
                async for known in snapshots:
                    evidence = ls.learnt.evidence.joined(ls.knowledge.evidence, known.evidence)
                    ls.knowledge = replace(ls.knowledge, evidence=evidence)
    if troubles:
        ls.warn(f"citelsp: {len(troubles)} of {what} could not be judged: {troubles[0]}")
    diagnostics.refresh(ls)
    if ls.client.refresh_lenses:
        ls.workspace_code_lens_refresh(None)
