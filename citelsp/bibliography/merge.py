"""Records of several sources made one work: what they agree on, who said it, and where they differ."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from citelsp.bibliography import authors as people
from citelsp.bibliography import record_quality, titles, venues
from citelsp.bibliography.fold import squeezed
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.bibliography.same_work import grouped

# Registries, which publishers fill, before curated indexes, before aggregators, which copy and guess.
_TRUST = (
    "crossref", "doi", "aclanthology", "dblp", "dblp_sparql", "pubmed", "europepmc", "inspire", "ads", "zbmath",
    "openreview", "openalex", "semantic_scholar", "arxiv", "datacite", "openlibrary", "unpaywall", "zotero",
)  # fmt: skip
_PLAIN = ("volume", "issue", "pages", "publisher")


def merge(records: Iterable[Record]) -> list[Record]:
    """One record for each work, in the order of first mention."""
    return [fused(group) for group in grouped(records)]


def fused(records: Sequence[Record]) -> Record:
    """One work out of its records.  Publications speak before preprints, registries before aggregators."""
    ranked = sorted(records, key=_rank)
    if len(ranked) == 1:
        return replace(ranked[0], origins=ranked[0].origins or _single_origin(ranked[0]))
    names = _authors(ranked)
    # What is to be cited is the publication; of the preprint come identifiers, full text and years.
    published = [record for record in ranked if record.type != "preprint"] or ranked
    venue = _venue(published, ranked)
    also_in = [name for record in ranked for name in record.also_in if name != venue]
    citation_counts = [record.citation_count for record in ranked if record.citation_count is not None]
    values = {name: _first_value(published, name) or _first_value(ranked, name) for name in _PLAIN}
    work = Record(
        source="merged",
        id=ranked[0].id,
        title=_title(ranked),
        authors=names.authors,
        authors_complete=names.authors_complete,
        authors_ordered=names.authors_ordered,
        years=_years(published, ranked),
        date=min((record.date for record in ranked if record.date), default=""),
        published=_published(published),
        venue=venue,
        venue_aliases=_aliases(ranked, venue),
        also_in=tuple(dict.fromkeys(also_in)),
        type=_first_value(published, "type"),
        identifiers=_identifiers(ranked),
        primary_class=_first_value(ranked, "primary_class"),
        abstract=_abstract(ranked),
        url=_first_value(ranked, "url"),
        open_access=tuple(dict.fromkeys(url for record in ranked for url in record.open_access)),
        updates=_updates(ranked),
        references=max((record.references for record in ranked), key=len),
        citation_count=max(citation_counts, default=None),
        asked=max(record.asked for record in ranked),
        **values,  # type: ignore[arg-type]
    )
    return _attributed(work, ranked)


def _venue(published: Sequence[Record], ranked: Sequence[Record]) -> str:
    """The first of the publications' venues that is a name; a preprint server only if there is no other venue."""
    names = [record.venue for record in published if record.venue and not venues.is_preprint_server(record.venue)]
    proper = [name for name in names if record_quality.is_name_of_a_venue(name)]
    return next(iter([*proper, *names]), _first_value(ranked, "venue"))


def _rank(record: Record) -> tuple[bool, int]:
    place = _TRUST.index(record.source) if record.source in _TRUST else len(_TRUST)
    return record.type == "preprint", place


def _single_origin(record: Record) -> dict[str, tuple[str, ...]]:
    filled = (name for name in ("title", "authors", "years", "venue", *_PLAIN) if getattr(record, name))
    return {("year" if name == "years" else name): (record.source,) for name in filled}


def _first_value(records: Iterable[Record], name: str) -> str:
    values = (getattr(record, name) for record in records)
    return next(filter(None, values), "")


def _title(ranked: Sequence[Record]) -> str:
    """The title most say, in the spelling of the first of them; with its subtitle, if anyone has it."""
    votes = Counter(squeezed(it.title) for it in ranked)
    whole = [it for it in ranked if record_quality.is_whole_title(it.title)] or ranked
    best = max(whole, key=lambda it: (votes[squeezed(it.title)], not it.title.isupper())).title
    longer = (it.title for it in whole if len(it.title) > len(best))
    return next((it for it in longer if squeezed(titles.parts(it)[0]) == squeezed(best)), best)


def _authors(ranked: Sequence[Record]) -> Record:
    """The record with the best author list: whole, in order, as long as most say, its names written out."""
    with_authors = [record for record in ranked if record.authors] or list(ranked[:1])
    sound = [record for record in with_authors if record_quality.is_whole_list(record.authors)] or with_authors
    whole = [record for record in sound if record.authors_complete and record.authors_ordered] or sound
    lengths = Counter(len(record.authors) for record in whole)
    # Of two lengths as often met the longer: lists are cut more easily than they grow.
    usual = max(lengths, key=lambda length: (lengths[length], length))
    of_usual_length = [record for record in whole if len(record.authors) == usual]
    return max(of_usual_length, key=lambda record: _spelt_out(record.authors))


def _spelt_out(names: Sequence[Name]) -> float:
    """The share of given names that are more than initials."""
    full = sum(any(len(word.strip(".,")) > 1 for word in name.given.split()[:1]) for name in names)
    return round(full / max(1, len(names)), 1)


def _published(published: Sequence[Record]) -> str:
    """The day or month that the best source gives for the year to cite; aggregators fill in days that nobody knows."""
    years = _years(published, ())
    dates = [it.issued for it in published if years and it.issued.startswith(str(years[0]))]
    return dates[0] if dates else ""


def _years(published: Sequence[Record], ranked: Sequence[Record]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(year for it in (*published, *ranked) for year in it.years))


def _aliases(ranked: Sequence[Record], venue: str) -> tuple[str, ...]:
    names = dict.fromkeys(name for it in ranked for name in (it.venue, *it.venue_aliases))
    return tuple(name for name in names if name and name != venue)


def _identifiers(ranked: Sequence[Record]) -> Identifiers:
    identifiers = Identifiers()
    for record in ranked:
        identifiers = identifiers.filled_from(record.identifiers)
    return identifiers


def _abstract(ranked: Sequence[Record]) -> str:
    """The first that is not a stump of a longer one."""
    abstracts = [record.abstract for record in ranked if record.abstract]
    longest = max(map(len, abstracts), default=0)
    return next((abstract for abstract in abstracts if len(abstract) * 2 >= longest), "")


def _updates(ranked: Sequence[Record]) -> tuple[Update, ...]:
    distinct: dict[tuple[str, str], Update] = {}
    for record in ranked:
        for update in record.updates:
            distinct.setdefault((update.kind, update.doi or update.source), update)
    return tuple(distinct.values())


def _attributed(work: Record, ranked: Sequence[Record]) -> Record:
    """The work with who said each value, and who said another."""
    origins: dict[str, tuple[str, ...]] = {}
    disputed: dict[str, tuple[tuple[str, str], ...]] = {}
    for statement in _statements(work):
        agreeing: dict[str, None] = {}  # sources, in order
        disagreeing: dict[tuple[str, str], None] = {}  # sources and what they say
        for record in ranked:
            value = statement.value_in(record)
            if not value:
                continue
            if statement.agrees(record):
                agreeing[record.source] = None
            else:
                disagreeing[record.source, value] = None
        if agreeing:
            origins[statement.field] = tuple(agreeing)
        if disagreeing:
            disputed[statement.field] = tuple(disagreeing)
    return replace(work, origins=origins, disputed=disputed)


class Statement(NamedTuple):
    """A field of the merged work, how to find what a record says of it, and whether that is what the work says."""

    field: str
    value_in: Callable[[Record], str]
    agrees: Callable[[Record], bool]


def _statements(work: Record) -> Iterator[Statement]:
    def agrees_on_title(record: Record) -> bool:
        return titles.compare(work.title, record.title) in {"same", "looser"}

    def agrees_on_venue(record: Record) -> bool:
        return venues.compare(record.venue, (work.venue,)) in {"same", "looser", "unknown"}

    yield Statement("title", lambda record: record.title, agrees_on_title)
    yield Statement("authors", lambda record: "; ".join(map(str, record.authors)), partial(_same_people, work))
    yield Statement("year", lambda record: str(record.year or ""), lambda record: work.year in record.years)
    yield Statement("venue", lambda record: record.venue, agrees_on_venue)
    for name in _PLAIN:
        yield Statement(name, _getter(name), _agreement(work, name))


def _getter(name: str) -> Callable[[Record], str]:
    return lambda it: str(getattr(it, name))


def _agreement(work: Record, name: str) -> Callable[[Record], bool]:
    own = squeezed(getattr(work, name))
    return lambda it: squeezed(getattr(it, name)) == own


def _same_people(work: Record, record: Record) -> bool:
    if work.authors == record.authors:
        return True
    comparison = people.compare(
        work.authors,
        record.authors,
        cited_cut=not work.authors_complete,
        recorded_cut=not record.authors_complete,
    )
    return comparison.same
