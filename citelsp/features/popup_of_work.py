"""A reference as a reader sees it in a list, and everything known of it, as blocks for a pop-up."""

from collections import Counter
from collections.abc import Sequence

from citelsp.base.text import enumerate_names
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.bibliography.write_entry import remove_markup
from citelsp.checks import verdicts
from citelsp.features import popup_reference_line, verdict_story
from citelsp.features.popup_markdown import Block, ShownLink
from citelsp.features.values import likelihood, places, shorten
from citelsp.knowledge import Candidate, Evidence, Suggestion, Verdict

_ABSTRACT = 900  # characters
_QUOTE = 400  # characters
_CHOSEN_TITLE = 50  # characters
_CHOSEN_WHY = 90  # characters
_CHOSEN_NAMED = 2  # works
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
        Block(remove_markup(item.title) or item.key, "strong"),
        Block(_without_doi(reference_line, item) or popup_reference_line.line(item), links=links(item.identifiers)),
        Block(shorten(remove_markup(item.text("abstract")).strip(), _ABSTRACT)),
    ]


def _without_doi(line: str, item: Entry) -> str:
    """A reference as a style prints it, without the DOI's address at its end: the link behind it leads there."""
    address = f"https://doi.org/{item.identifiers.doi}"
    bare = line.removesuffix(".")
    if item.identifiers.doi and bare.lower().endswith(address.lower()):
        return bare[: -len(address)].rstrip()
    return line


def record(item: Record) -> list[Block]:
    """The same for what a source says of a work."""
    return [
        Block(item.title, "strong"),
        Block(popup_reference_line.write_record(item), links=links(item.identifiers)),
        Block(shorten(item.abstract, _ABSTRACT)),
    ]


def candidate(item: Candidate, against: str = "") -> list[Block]:
    """Return the blocks for a work offered: title, why a model chose it, quoted passages, authors and venue, origin.

    If no passage was quoted, other than from the title, which is shown anyway, the abstract stands behind authors and
    venue.  `against` says why the work should not be cited as it is, such as that it was retracted: it stands below the
    title.
    """
    origins = f"Found in {places(item.origins or (item.record.source,))}"
    if item.probability is not None:
        origins += f", {likelihood(item.probability)} likely to be the work meant"
    title, line, abstract = record(item.record)
    quoted = [passage for passage in item.evidence if passage.where != "title"]
    blocks = [title]
    if against:
        blocks.append(Block(f"✗ {against}"))
    if item.why:
        blocks.append(Block(f"The model says: {item.why}", "note"))
    blocks += evidence(quoted)
    blocks.append(line)
    if not quoted:
        blocks.append(abstract)
    blocks.append(Block(origins, "note"))
    return blocks


def choice(suggestion: Suggestion) -> str:
    """What a model chose, and why it chose the first; "" if none did."""
    chosen = suggestion.candidates[: suggestion.chosen]
    if not chosen:
        return ""
    titles = [f"“{shorten(it.record.title, _CHOSEN_TITLE)}”" for it in chosen[:_CHOSEN_NAMED]]
    more = f" and {len(chosen) - _CHOSEN_NAMED} more" if len(chosen) > _CHOSEN_NAMED else ""
    why = chosen[0].why
    end = f": {shorten(why, _CHOSEN_WHY)}" if why else "."
    return f"The model chose {' and '.join(titles)}{more}{end}"


def origin(candidate: Candidate) -> str:
    """Where a work of a list came from, for people."""
    if candidate.key:
        return "in your .bib"
    return "in your corpus" if "corpus" in candidate.origins else "online"


def outcome(suggestion: Suggestion) -> str:
    """Say in a sentence which services did not answer, and how many works came from where.

    `No answer from DBLP; found 3 online, 2 in your .bib`.  If some did not answer and nothing was found online, works
    from elsewhere, which this machine had before, are not counted: `No answer from DBLP; nothing new`.
    """
    counts = Counter(map(origin, suggestion.candidates))
    own = [f", {counts[where]} {where}" for where in ("in your .bib", "in your corpus") if counts[where]]
    works = f"{counts['online'] or 'nothing'} online{''.join(own)}"
    if not suggestion.silent:
        return f"Found {works}"
    silent = f"No answer from {verdicts.name_services(suggestion.silent)}"
    return f"{silent}; found {works}" if counts["online"] else f"{silent}; nothing new"


def evidence(items: Sequence[Evidence]) -> list[Block]:
    """Each passage as a quotation, and below it where it stands, from whom it is, and what was judged of it."""
    blocks: list[Block] = []
    for passage in items:
        blocks.append(Block(shorten(passage.quote, _QUOTE), "quote"))
        source = places([passage.source]) if passage.source else ""
        blocks.append(Block(", ".join(filter(None, (passage.where, source, passage.verdict))), "note"))
    return blocks


def verdict(item: Verdict, entry: Entry) -> list[Block]:
    """Return the blocks for the verdict on an entry.

    First the verdict with who was asked and when; then the notices about the work, such as retractions; then what
    sources say against the entry that is not reported, and which fields were compared with nothing.
    """
    asked = _tell_who_was_asked(item)
    head, reason = _choose_words(item, entry)
    blocks = [Block(f"{head} ({asked}){reason}" if asked else f"{head}{reason}")]
    if item.record:
        for update in item.record.updates:
            date = f"{update.date} " if update.date else ""
            text = f"{update.kind.capitalize()} {date}according to {verdicts.title(update.source)}"
            blocks.append(Block(text, links=_link_notice(update.doi)))
    blocks += [Block(sentence, "note") for sentence in verdict_story.tell_unreported(item)[:_UNREPORTED]]
    uncompared = verdict_story.tell_uncompared(item)
    if uncompared:
        blocks.append(Block(uncompared, "note"))
    return blocks


def _choose_words(item: Verdict, entry: Entry) -> tuple[str, str]:
    """The verdict in a few words, and the reason to stand behind it; "" if the words say the reason."""
    if item.kind == "mismatch" and item.differences:
        return f"✗ Differs from the record in {enumerate_names(it.field for it in item.differences)}", ""
    gravest = verdicts.tell_gravest(entry, item) if item.kind == "conflict" else ""
    if gravest:
        return f"✗ {gravest}", ""
    return _VERDICTS[item.kind], f": {item.reason}" if item.reason else ""


def _tell_who_was_asked(item: Verdict) -> str:
    """Return `checked 2026-05-04 with Crossref; no answer from OpenAlex`, as far as these are known; "" if none is.

    Of an unchecked entry it is `asked Crossref`, without the date.
    """
    parts = []
    is_dated = bool(item.date) and item.kind != "unchecked"  # what is unchecked was not “checked” on its date
    asked = verdicts.name_services(item.asked) if item.asked else ""
    if is_dated:
        parts.append(f"checked {item.date} with {asked}" if asked else f"checked {item.date}")
    elif asked:
        parts.append(f"asked {asked}")
    if item.unavailable:
        parts.append(f"no answer from {verdicts.name_services(item.unavailable)}")
    return "; ".join(parts)


def links(identifiers: Identifiers) -> tuple[ShownLink, ...]:
    """Where to look for oneself; the web page only if there is neither a DOI nor an arXiv id, which lead further."""
    addresses = {
        "DOI": f"https://doi.org/{identifiers.doi}" if identifiers.doi else "",
        "arXiv": f"https://arxiv.org/abs/{identifiers.arxiv}" if identifiers.arxiv else "",
        "PubMed": f"https://pubmed.ncbi.nlm.nih.gov/{identifiers.pmid}/" if identifiers.pmid else "",
        "ACL Anthology": f"https://aclanthology.org/{identifiers.acl}/" if identifiers.acl else "",
        "Web page": "" if identifiers.doi or identifiers.arxiv else identifiers.url,
    }
    return tuple(ShownLink(label, url) for label, url in addresses.items() if url)


def _link_notice(doi: str) -> tuple[ShownLink, ...]:
    return (ShownLink("notice", f"https://doi.org/{doi}"),) if doi else ()
