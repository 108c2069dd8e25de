"""A reference as a reader sees it in a list, and everything known of it, as blocks for a pop-up."""

from collections.abc import Sequence

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.checks import verdicts
from citelsp.features.popup import Block, ShownLink
from citelsp.features.values import shortened
from citelsp.knowledge import Candidate, Evidence, Verdict

_ABSTRACT = 900  # characters
_QUOTE = 400
_AUTHORS = 8
_VERDICTS = {
    "verified": "✓ Verified",
    "mismatch": "✗ Differs from the record",
    "conflict": "✗ The identifier leads to another work",
    "not-found": "✗ Not found",
    "retracted": "✗ Retracted",
    "unchecked": "Not checked",
}


def entry(item: Entry) -> list[Block]:
    """Title, people, year, where it appeared, links, abstract."""
    details = _appeared(item.text("volume"), item.text("number") or item.text("issue"), item.text("pages"))
    who = people(item.authors, truncated=item.authors_truncated)
    return [
        Block(item.title or item.key, "strong"),
        Block(_line(who, item.year, item.venue, details), links=links(item.identifiers)),
        Block(shortened(item.text("abstract"), _ABSTRACT)),
    ]


def record(item: Record) -> list[Block]:
    """The same for what a source says of a work."""
    who = people(item.authors, truncated=not item.authors_complete)
    details = _appeared(item.volume, item.issue, item.pages)
    return [
        Block(item.title, "strong"),
        Block(_line(who, item.year, item.venue, details), links=links(item.identifiers)),
        Block(shortened(item.abstract, _ABSTRACT)),
    ]


def candidate(item: Candidate) -> list[Block]:
    """A work offered: what it is, the passages that speak for it, and where it was found."""
    found = "Found in " + ", ".join(item.origins or (item.record.source,))
    if item.probability is not None:
        found += f", {likelihood(item.probability)} likely to be the work meant"
    what = record(item.record)
    return [*(what[:2] if item.evidence else what), *evidence(item.evidence), Block(found, "note")]


def likelihood(probability: float) -> str:
    """In whole percent; nothing is certain before the author has looked."""
    return "over 99%" if probability > 0.99 else "under 1%" if probability < 0.01 else f"{probability:.0%}"


def evidence(items: Sequence[Evidence]) -> list[Block]:
    blocks: list[Block] = []
    for item in items:
        blocks.append(Block(shortened(item.quote, _QUOTE), "quote"))
        blocks.append(Block(", ".join(filter(None, (item.where, item.source, item.verdict))), "note"))
    return blocks


def verdict(item: Verdict) -> list[Block]:
    """What was found out, when, from whom, and who could not be asked."""
    asked = f"asked {', '.join(map(verdicts.title, item.asked))}" if item.asked else ""
    silent = f"no answer from {', '.join(map(verdicts.title, item.unavailable))}" if item.unavailable else ""
    head = _VERDICTS[item.kind] + (f" on {item.date}" if item.date and item.kind != "unchecked" else "")
    about = "; ".join(filter(None, (asked, silent)))
    said = Block(head + (f" ({about})" if about else "") + (f": {item.reason}" if item.reason else ""))
    if item.record is None:
        return [said]
    notices = [
        Block(f"{it.kind.capitalize()} {it.date} according to {it.source}".replace("  ", " "), links=_notice(it.doi))
        for it in item.record.updates
    ]
    return [said, *notices]


def people(authors: Sequence[Name], *, truncated: bool = False) -> str:
    """`A. Vaswani, N. Shazeer and 6 others`."""
    names = [str(name) for name in authors]
    if len(names) > _AUTHORS:
        return ", ".join(names[: _AUTHORS - 1]) + (
            " et al." if truncated else f" and {len(names) - _AUTHORS + 1} others"
        )
    if truncated:
        return ", ".join(names) + " et al."
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


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


def _appeared(volume: str, issue: str, pages: str) -> str:
    number = volume + (f"({issue})" if issue else "")
    return ", ".join(filter(None, (number, pages.replace("--", "–"))))


def _line(who: str, year: int | None, venue: str, details: str) -> str:
    """`A. Vaswani et al. (2017). Advances in …, 30, 5998–6008.`"""
    head = " ".join(filter(None, (who, f"({year})" if year else "")))
    tail = ", ".join(filter(None, (venue, details)))
    return ". ".join(filter(None, (head, tail))) + ("." if head or tail else "")
