"""Evidence for the citations of a manuscript, looked for on command and shown in hovers, lenses and findings."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from citelsp.base.text import on_one_line, write_count
from citelsp.features import popup_markdown, popup_of_work, read_evidence
from citelsp.server.answers import background_search, diagnostics, placeholder_candidates
from citelsp.server.jobs import progress
from citelsp.server.state import snapshot
from citelsp.server.state.projects import Moment
from citelsp.server.wire import arguments as args
from citelsp.server.wire import refusal, to_lsp
from citelsp.workspace import cited_claims

if TYPE_CHECKING:
    from citelsp.agent.claim_judge import Judgement
    from citelsp.knowledge import Evidence, Knowledge
    from citelsp.server.server import Server
    from citelsp.workspace.cited_claims import Claim


async def command(ls: "Server", arguments: Sequence[object]) -> int:
    """Look for what cited works say on the sentences that cite them; return for how many citations a passage is known.

    {"uri"}: for all citations of a document that have an entry.  {"uri", "position"}: for the one at the position, and
    the author is shown its passages, or why there is none; for nothing if none stands there.  A claim is a citation
    with its sentence; passages are known by its `content`, which changes if sentence or entry does, not if they move.
    """
    match arguments:
        case [{"position": _}]:
            moment = await snapshot.take(ls, *args.place("citelsp.evidence", arguments))
            # Where the cursor stands between two citations, the first.
            chosen = list(cited_claims.find_claims(moment.project, moment.path, moment.offset))[:1]
            why_none = await _find_support(ls, moment, chosen)
            for claim in chosen:
                passages = ls.knowledge.evidence.get(claim.content, ())
                # A claim without a passage was looked for just now, and has a reason.
                if passages:
                    words = popup_markdown.to_plain(popup_of_work.evidence(passages))
                else:
                    words = why_none[claim.content]
                ls.inform(f"{claim.citation.key}: {words}")
        case [{"uri": str(uri)}]:
            moment = await snapshot.take(ls, uri)
            chosen = list(cited_claims.find_claims(moment.project, moment.path))
            await _find_support(ls, moment, chosen)
        case _:
            raise refusal.make_refusal('citelsp.evidence needs {"uri"} or {"uri", "position"}')
    return sum(bool(ls.knowledge.evidence.get(claim.content)) for claim in chosen)


async def read(ls: "Server", arguments: Sequence[object]) -> dict[str, object]:
    """Return a page to read on the citations of a document that have an entry, {"uri"}: {"text", "citations": […]}.

    A citation is {"line" of the text, "key", "uri", "range", "verdict", "why_none", "sentence", "work", "links":
    [{"label", "url"}], "passages": [{"quote", "where"}]}: the verdict is a model's, whether the work says what the
    sentence does ("supported", "partially", "unsupported" or "uncertain"), or words for people that there is none.  For
    citations without a passage evidence is looked for first; "why_none" says why there still is none.
    """
    match arguments:
        case [{"uri": str(uri)}]:
            moment = await snapshot.take(ls, uri)
        case _:
            raise refusal.make_refusal('citelsp.reading needs {"uri"}')
    # A claim is a citation with its sentence; evidence is known by its content.
    all_claims = cited_claims.find_claims(moment.project, moment.path)
    # Works without a passage are read again: the author may have added them to the corpus since.
    without_passage = [claim for claim in all_claims if not ls.knowledge.evidence.get(claim.content)]
    why_none = await _find_support(ls, moment, without_passage)
    page = read_evidence.find(moment.project, ls.knowledge, moment.path, why_none)
    ranges = moment.places.ranges(moment.path, (citation.span for citation in page.citations))
    citations = [
        {
            "uri": moment.places.uri(citation.path),
            "range": to_lsp.write_range(ranges[citation.span]),
            **_write_evidence(citation),
        }
        for citation in page.citations
    ]
    lines = [_sanitise(line) for line in page.text.split("\n")]
    return {"text": "\n".join(lines), "citations": citations}


def _write_evidence(citation: read_evidence.CitationRead) -> dict[str, object]:
    """Return what the page says of a citation, as JSON, but for its place in the manuscript."""
    return {
        "line": citation.line,
        "key": citation.key,
        "verdict": citation.verdict,
        "why_none": citation.why_none,
        "sentence": on_one_line(citation.sentence),
        "work": on_one_line(citation.work),
        "links": [{"label": it.label, "url": it.url} for it in citation.links],
        "passages": [{"quote": on_one_line(quote), "where": on_one_line(where)} for quote, where in citation.passages],
    }


def _sanitise(line: str) -> str:
    """The line made harmless for an editor, with its indent."""
    words = line.lstrip()
    return " " * (len(line) - len(words)) + on_one_line(words)


def _list_settled(knowledge: "Knowledge", *, has_model: bool) -> "dict[str, tuple[Evidence, ...]]":
    """Return the evidence that need not be looked for again, by the contents of claims.

    Works without a passage are read again, as the author may have added them to the corpus since; and a model is asked
    again for what it left without a verdict, as when it could not be reached.
    """
    return {
        content: passages
        for content, passages in knowledge.evidence.items()
        if passages and (passages[0].verdict or not has_model)
    }


async def _find_support(ls: "Server", moment: Moment, chosen: "Sequence[Claim]") -> dict[str, str]:
    """Look for passages of the cited works on these citations, and have a model judge them if one is set up.

    What is found goes to `ls.knowledge.evidence` claim by claim, so that cancelling keeps what came before it; findings
    and lenses are shown anew.  The author is told how many a model could not judge.  Returns for each claim for which
    none was found why, by the claim's content.
    """
    from citelsp.investigate import support

    why_none: dict[str, str] = {}
    if not chosen:
        return why_none
    count = write_count(len(chosen), "citation")
    troubles: list[str] = []
    outside = placeholder_candidates.may_ask(moment)  # services or a model may be asked
    async with background_search.searching(ls, moment, outside=outside, ranks=False) as search:
        chat = search.reach.chat
        settled = _list_settled(ls.knowledge, has_model=chat is not None)
        async with progress(ls.work_done_progress, f"Reading for {count}", shown=ls.client.progress) as report:

            def report_judgement(done: int, total: int, content: str, judgement: "Judgement") -> None:
                report(f"{done} of {total}", done / total)
                if not judgement.evidence:  # then there is a note, of which the last says why
                    why_none[content] = judgement.notes[-1]
                if chat and judgement.evidence and not judgement.verdict:
                    troubles.append(judgement.notes[-1] if judgement.notes else "the model gave no reason")

            snapshots = support.support(
                moment.project, chosen, search.reach, replace(ls.knowledge, evidence=settled), report_judgement
            )
            # Cancelled by the progress bar, the generator ends its requests now and not when it is collected.
            async with aclosing(snapshots):
                async for knowledge in snapshots:
                    evidence = ls.learnt.evidence.joined(ls.knowledge.evidence, knowledge.evidence)
                    ls.knowledge = replace(ls.knowledge, evidence=evidence)
    if troubles:
        ls.warn(f"citelsp: {len(troubles)} of {count} could not be judged: {troubles[0]}")
    diagnostics.refresh(ls)
    if ls.client.refresh_lenses:
        ls.workspace_code_lens_refresh(None)
    return why_none
