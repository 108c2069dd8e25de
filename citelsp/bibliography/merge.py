"""Records of several sources made one work: what they agree on, who said it, and where they differ."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace

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
    title = _title(ranked)
    names = _authors(ranked)
    # What is to be cited is the publication; of the preprint come identifiers, full text and years.
    published = [it for it in ranked if it.type != "preprint"] or ranked
    venue_names = [it.venue for it in published if it.venue and not venues.is_preprint_server(it.venue)]
    venue = next(filter(record_quality.is_name_of_a_venue, venue_names), "") or next(iter(venue_names), "")
    venue = venue or next((it.venue for it in ranked if it.venue), "")
    work = Record(
        source="merged",
        id=ranked[0].id,
        title=title,
        authors=names.authors,
        authors_complete=names.authors_complete,
        authors_ordered=names.authors_ordered,
        years=_years(published, ranked),
        date=min((it.date for it in ranked if it.date), default=""),
        published=_published(published),
        venue=venue,
        venue_aliases=_aliases(ranked, venue),
        also_in=tuple(dict.fromkeys(name for it in ranked for name in it.also_in if name != venue)),
        type=next((it.type for it in published if it.type), ""),
        identifiers=_identifiers(ranked),
        primary_class=_first_value(ranked, "primary_class"),
        abstract=_abstract(ranked),
        url=_first_value(ranked, "url"),
        open_access=tuple(dict.fromkeys(url for it in ranked for url in it.open_access)),
        updates=_updates(ranked),
        references=max((it.references for it in ranked), key=len),
        citation_count=max((it.citation_count for it in ranked if it.citation_count is not None), default=None),
        asked=max(it.asked for it in ranked),
        **{name: _first_value(published, name) or _first_value(ranked, name) for name in _PLAIN},  # type: ignore[arg-type]
    )
    return _attributed(work, ranked)


def _rank(record: Record) -> tuple[bool, int]:
    place = _TRUST.index(record.source) if record.source in _TRUST else len(_TRUST)
    return record.type == "preprint", place


def _single_origin(record: Record) -> dict[str, tuple[str, ...]]:
    filled = (name for name in ("title", "authors", "years", "venue", *_PLAIN) if getattr(record, name))
    return {("year" if name == "years" else name): (record.source,) for name in filled}


def _first_value(records: Iterable[Record], name: str) -> str:
    return next((found for it in records if (found := getattr(it, name))), "")


def _title(ranked: Sequence[Record]) -> str:
    """The title most say, in the spelling of the first of them; with its subtitle, if anyone has it."""
    votes = Counter(squeezed(it.title) for it in ranked)
    whole = [it for it in ranked if record_quality.is_whole_title(it.title)] or ranked
    best = max(whole, key=lambda it: (votes[squeezed(it.title)], not it.title.isupper())).title
    longer = (it.title for it in whole if len(it.title) > len(best))
    return next((it for it in longer if squeezed(titles.parts(it)[0]) == squeezed(best)), best)


def _authors(ranked: Sequence[Record]) -> Record:
    """The record with the best author list: whole, in order, as long as most say, its names written out."""
    named = [it for it in ranked if it.authors and record_quality.is_whole_list(it.authors)]
    named = named or [it for it in ranked if it.authors] or list(ranked[:1])
    whole = [it for it in named if it.authors_complete and it.authors_ordered] or named
    lengths = Counter(len(it.authors) for it in whole)
    # Of two lengths as often met the longer: lists are cut more easily than they grow.
    usual = max(lengths, key=lambda length: (lengths[length], length))
    return max((it for it in whole if len(it.authors) == usual), key=lambda it: _spelt_out(it.authors))


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
    names = (it.name for it in fields(Identifiers))
    return Identifiers(
        **{name: next(filter(None, (getattr(it.identifiers, name) for it in ranked)), "") for name in names}
    )


def _abstract(ranked: Sequence[Record]) -> str:
    """The first that is not a stump of a longer one."""
    found = [it.abstract for it in ranked if it.abstract]
    longest = max(map(len, found), default=0)
    return next((it for it in found if len(it) * 2 >= longest), "")


def _updates(ranked: Sequence[Record]) -> tuple[Update, ...]:
    distinct: dict[tuple[str, str], Update] = {}
    for update in (update for it in ranked for update in it.updates):
        distinct.setdefault((update.kind, update.doi or update.source), update)
    return tuple(distinct.values())


def _attributed(work: Record, ranked: Sequence[Record]) -> Record:
    """The work with who said each value, and who said another."""
    origins, disputed = {}, {}
    for name, value_in, agrees in _sayings(work):
        speakers = [(it, value_in(it)) for it in ranked if value_in(it)]
        origins[name] = tuple(dict.fromkeys(it.source for it, _ in speakers if agrees(it)))
        others = tuple(dict.fromkeys((it.source, value) for it, value in speakers if not agrees(it)))
        if others:
            disputed[name] = others
    return replace(work, origins={name: it for name, it in origins.items() if it}, disputed=disputed)


def _sayings(work: Record) -> Iterator[tuple[str, Callable[[Record], str], Callable[[Record], bool]]]:
    """Field, what a record says of it, whether that is what the work says."""
    yield "title", lambda it: it.title, lambda it: titles.compare(work.title, it.title) in {"same", "looser"}
    yield "authors", lambda it: "; ".join(map(str, it.authors)), lambda it: _same_people(work, it)
    yield "year", lambda it: str(it.year or ""), lambda it: work.year in it.years
    yield (
        "venue",
        lambda it: it.venue,
        lambda it: venues.compare(it.venue, (work.venue,)) in {"same", "looser", "unknown"},
    )
    for name in _PLAIN:
        yield name, _getter(name), _agreement(work, name)


def _getter(name: str) -> Callable[[Record], str]:
    return lambda it: str(getattr(it, name))


def _agreement(work: Record, name: str) -> Callable[[Record], bool]:
    own = squeezed(getattr(work, name))
    return lambda it: squeezed(getattr(it, name)) == own


def _same_people(work: Record, record: Record) -> bool:
    if work.authors == record.authors:
        return True
    cut, short = not work.authors_complete, not record.authors_complete
    return people.compare(work.authors, record.authors, cited_cut=cut, recorded_cut=short).same
