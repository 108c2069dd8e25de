"""A reference as a reader sees it in a list, and everything known of it, as blocks for a pop-up."""

from collections import Counter
from collections.abc import Sequence

from citelsp.base.text import enumerated
from citelsp.bibliography import printed_reference
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.bibliography.render import unmarked
from citelsp.checks import verdicts
from citelsp.features import verdict_story
from citelsp.features.popup import Block, ShownLink
from citelsp.features.values import likelihood, places, shortened
from citelsp.knowledge import Candidate, Evidence, Suggestion, Verdict

_ABSTRACT = 900  # characters
_QUOTE = 400
_CHOSEN, _WHY = 50, 90
_UNREPORTED = 3  # differences at most that are told though they are not reported
_VERDICTS = {
    "verified": "✓ Verified",
    "mismatch": "✗ Differs from the record",
    "conflict": "✗ The identifier is not this work's",
    "not-found": "✗ Not found",
    "unconfirmed": "? Listed nowhere",
    "retracted": "✗ Retracted",
    "unchecked": "Unchecked",
}


def entry(item: Entry, reference_line: str = "") -> list[Block]:
    """Title, people, year, where it appeared, links, abstract; `reference_line` is in the manuscript's own style."""
    return [
        Block(unmarked(item.title) or item.key, "strong"),
        Block(reference_line or printed_reference.line(item), links=links(item.identifiers)),
        Block(shortened(unmarked(item.text("abstract")).strip(), _ABSTRACT)),
    ]


def record(item: Record) -> list[Block]:
    """The same for what a source says of a work."""
    who = printed_reference.people(item.authors, truncated=not item.authors_complete)
    details = printed_reference.appeared(item.volume, item.issue, item.pages)
    return [
        Block(item.title, "strong"),
        Block(_line(who, item.year, item.venue, details), links=links(item.identifiers)),
        Block(shortened(item.abstract, _ABSTRACT)),
    ]


def candidate(item: Candidate) -> list[Block]:
    """A work offered: its title, the passages that speak for it, what it is, and where it was found."""
    found = f"Found in {places(item.origins or (item.record.source,))}"
    if item.probability is not None:
        found += f", {likelihood(item.probability)} likely to be the work meant"
    title, line, abstract = record(item.record)
    quoted = [it for it in item.evidence if it.where != "title"]
    why = [Block(f"The model says: {item.why}", "note")] if item.why else []
    return [title, *why, *evidence(quoted), line, *(() if quoted else (abstract,)), Block(found, "note")]


def choice(suggestion: Suggestion) -> str:
    """What a model chose, and why; "" if none did."""
    if not (chosen := suggestion.candidates[: suggestion.chosen]):
        return ""
    titles = " and ".join(f"“{shortened(it.record.title, _CHOSEN)}”" for it in chosen[:2])
    more = f" and {len(chosen) - 2} more" if len(chosen) > 2 else ""
    return f"The model chose {titles}{more}" + (f": {shortened(chosen[0].why, _WHY)}" if chosen[0].why else ".")


def origin(candidate: Candidate) -> str:
    """Where a work of a list came from, for people."""
    if candidate.key:
        return "in your .bib"
    return "in your corpus" if "corpus" in candidate.origins else "online"


def outcome(suggestion: Suggestion) -> str:
    """What a search came to: who did not answer, then how many works came from where."""
    counts = Counter(map(origin, suggestion.candidates))
    silent = f"No answer from {verdicts.named(suggestion.silent)}; " if suggestion.silent else ""
    others = "".join(f", {counts[it]} {it}" for it in ("in your .bib", "in your corpus") if counts[it])
    if silent and not counts["online"]:
        return f"{silent}nothing new"
    return f"{silent}{'found' if silent else 'Found'} {counts['online'] or 'nothing'} online{others}"


def evidence(items: Sequence[Evidence]) -> list[Block]:
    blocks: list[Block] = []
    for item in items:
        blocks.append(Block(shortened(item.quote, _QUOTE), "quote"))
        where = places([item.source]) if item.source else ""
        blocks.append(Block(", ".join(filter(None, (item.where, where, item.verdict))), "note"))
    return blocks


def verdict(item: Verdict) -> list[Block]:
    """What was found out, when, from whom, and who could not be asked."""
    head = _VERDICTS[item.kind]
    reason = f": {item.reason}" if item.reason else ""
    if item.kind == "mismatch" and item.differences:
        head = f"✗ Differs from the record in {enumerated(it.field for it in item.differences)}"
        reason = ""
    elif item.kind == "conflict":
        gravest = verdicts.gravest(item)
        if gravest:
            head = f"✗ {gravest}"
            reason = ""
    asked = _who_was_asked(item)
    if asked:
        head += f" ({asked})"
    blocks = [Block(head + reason)]
    if item.record:
        for update in item.record.updates:
            date = f"{update.date} " if update.date else ""
            text = f"{update.kind.capitalize()} {date}according to {verdicts.title(update.source)}"
            blocks.append(Block(text, links=_notice(update.doi)))
    blocks += [Block(it, "note") for it in verdict_story.unreported(item)[:_UNREPORTED]]
    uncompared = verdict_story.uncompared(item)
    if uncompared:
        blocks.append(Block(uncompared, "note"))
    return blocks


def _who_was_asked(item: Verdict) -> str:
    """`checked 2026-05-04 with Crossref; no answer from OpenAlex`; "" if nobody was asked."""
    parts = []
    is_dated = bool(item.date) and item.kind != "unchecked"
    asked = verdicts.named(item.asked) if item.asked else ""
    if is_dated:
        parts.append(f"checked {item.date} with {asked}" if asked else f"checked {item.date}")
    elif asked:
        parts.append(f"asked {asked}")
    if item.unavailable:
        parts.append(f"no answer from {verdicts.named(item.unavailable)}")
    return "; ".join(parts)


def links(known: Identifiers) -> tuple[ShownLink, ...]:
    """Where to look for oneself."""
    addresses = (
        ("DOI", known.doi and f"https://doi.org/{known.doi}"),
        ("arXiv", known.arxiv and f"https://arxiv.org/abs/{known.arxiv}"),
        ("PubMed", known.pmid and f"https://pubmed.ncbi.nlm.nih.gov/{known.pmid}/"),
        ("ACL Anthology", known.acl and f"https://aclanthology.org/{known.acl}/"),
        ("Web page", "" if known.doi or known.arxiv else known.url),
    )
    return tuple(ShownLink(label, url) for label, url in addresses if url)


def _notice(doi: str) -> tuple[ShownLink, ...]:
    return (ShownLink("notice", f"https://doi.org/{doi}"),) if doi else ()


def _line(who: str, year: int | None, venue: str, details: str) -> str:
    """`A. Vaswani et al. (2017). Advances in …, 30, 5998–6008.`"""
    head = " ".join(filter(None, (who, f"({year})" if year else "")))
    tail = ", ".join(filter(None, (venue, details)))
    return " ".join(map(printed_reference.ended, filter(None, (head, tail))))
