"""Records of several sources made one work: what they agree on, who said it, and where they differ."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from citelsp.bibliography import record_quality, venues
from citelsp.bibliography.fold import bare_letters
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.bibliography.same_work import group_records
from citelsp.bibliography.tolerant_comparison import author_lists, titles, venue_names

# Registries, which publishers fill, before curated indexes, before aggregators, which copy and guess.
_TRUST = (
    "crossref", "doi", "aclanthology", "dblp", "dblp_sparql", "pubmed", "europepmc", "inspire", "ads", "zbmath",
    "openreview", "openalex", "semantic_scholar", "arxiv", "datacite", "openlibrary", "unpaywall", "zotero",
)  # fmt: skip
_SIMPLE_FIELDS = ("volume", "issue", "pages", "publisher")  # texts that are taken from one record as they are


def merge(records: Iterable[Record]) -> list[Record]:
    """Make one record for each work, in the order that `group_records` gives them."""
    return [fuse(group) for group in group_records(records)]


def fuse(records: Sequence[Record]) -> Record:
    """Make one record of a work out of several; its `origins` and `disputed` say which sources say each value.

    Most fields are those of the first record that has them: publications come before preprints, registries before
    aggregators.  Title, authors, venue and abstract are chosen; of dates the earliest, of references and citations the
    most count; years, identifiers, names of the venue, addresses and notices are gathered.  `other_titles` are left
    out: they are for comparing an entry with one source's record.  A single record comes back with its `origins`.
    """
    ranked = sorted(records, key=_rank)
    if len(ranked) == 1:
        return replace(ranked[0], origins=ranked[0].origins or _single_origin(ranked[0]))
    names = _authors(ranked)
    # The publication is what is to be cited; preprints only add identifiers, full text and years.
    published = [record for record in ranked if record.type != "preprint"] or ranked
    venue = _venue(published, ranked)
    also_in = [name for record in ranked for name in record.also_in if name != venue]
    citation_counts = [record.citation_count for record in ranked if record.citation_count is not None]
    simple = {name: _first_value(published, name) or _first_value(ranked, name) for name in _SIMPLE_FIELDS}
    work = Record(
        source="merged",
        id=ranked[0].id,
        title=_title(ranked),
        authors=names.authors,
        authors_complete=names.authors_complete,
        authors_ordered=names.authors_ordered,
        years=_years(published, ranked),
        date=min((record.date for record in ranked if record.date), default=""),  # perhaps of a preprint
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
        asked=max(record.asked for record in ranked),  # the day of the latest answer
        **simple,  # type: ignore[arg-type]
    )
    return _with_origins(work, ranked)


def _venue(published: Sequence[Record], ranked: Sequence[Record]) -> str:
    """Return the first of the publications' venues that is a name; a preprint server only if there is no other."""
    names = [record.venue for record in published if record.venue and not venues.is_preprint_server(record.venue)]
    proper = [name for name in names if record_quality.is_name_of_a_venue(name)]
    return next(iter([*proper, *names]), _first_value(ranked, "venue"))


def _rank(record: Record) -> tuple[bool, int]:
    """Sort preprints last, and each by how far its source is trusted."""
    place = _TRUST.index(record.source) if record.source in _TRUST else len(_TRUST)
    return record.type == "preprint", place


def _single_origin(record: Record) -> dict[str, tuple[str, ...]]:
    """Return the `origins` of a record alone: its source for each field that it has."""
    names = {"title": "title", "authors": "authors", "years": "year", "venue": "venue"}
    names |= {name: name for name in _SIMPLE_FIELDS}
    return {field: (record.source,) for name, field in names.items() if getattr(record, name)}


def _first_value(records: Iterable[Record], name: str) -> str:
    values = (getattr(record, name) for record in records)
    return next(filter(None, values), "")


def _title(ranked: Sequence[Record]) -> str:
    """Return the title that most records have, in the spelling of the first of them; with a subtitle, if any has it.

    A broken title counts only if all are broken, a spelling in capitals only for want of another.
    """
    votes = Counter(bare_letters(record.title) for record in ranked)  # by letters and digits alone
    whole = [record.title for record in ranked if record_quality.is_whole_title(record.title)]
    if not whole:
        whole = [record.title for record in ranked]
    best = max(whole, key=lambda title: (votes[bare_letters(title)], not title.isupper()))
    for title in whole:
        if len(title) > len(best) and bare_letters(titles.parts(title)[0]) == bare_letters(best):
            return title
    return best


def _authors(ranked: Sequence[Record]) -> Record:
    """Return the record with the best list of authors: sound, as published, as long as most say, names written out.

    A list is sound if its names show no damage, such as two people in one name; it is as published if its record does
    not say that it is cut or sorted.  Each step chooses among the records that the one before left; if it would leave
    none, it is passed over; of equals the first counts.  `ranked`: the records of one work, the most trusted first.
    """
    with_authors = [record for record in ranked if record.authors] or list(ranked[:1])
    sound = [record for record in with_authors if record_quality.is_whole_list(record.authors)] or with_authors
    as_published = [record for record in sound if record.authors_complete and record.authors_ordered] or sound
    lengths = Counter(len(record.authors) for record in as_published)
    # Of two lengths that are as frequent the longer one counts: lists are cut more easily than they grow.
    usual = max(lengths, key=lambda length: (lengths[length], length))
    of_usual_length = [record for record in as_published if len(record.authors) == usual]
    return max(of_usual_length, key=lambda record: _spelt_out(record.authors))


def _spelt_out(names: Sequence[Name]) -> float:
    """Return the share of first given names that are more than initials, in tenths: less makes no list better."""
    spelt_out = 0
    for name in names:
        first = name.given.split()[:1]
        if any(len(word.strip(".,")) > 1 for word in first):
            spelt_out += 1
    return round(spelt_out / max(1, len(names)), 1)


def _published(published: Sequence[Record]) -> str:
    """Return the date that the best source gives in the year to cite, if only that year; "" if none gives one.

    Aggregators, which come last, fill in days that nobody knows.
    """
    years = _years(published, ())
    if not years:
        return ""
    year_to_cite = str(years[0])
    return next((record.issued for record in published if record.issued.startswith(year_to_cite)), "")


def _years(published: Sequence[Record], ranked: Sequence[Record]) -> tuple[int, ...]:
    """Return all years of the records, each once, those of the publications first."""
    return tuple(dict.fromkeys(year for record in (*published, *ranked) for year in record.years))


def _aliases(ranked: Sequence[Record], venue: str) -> tuple[str, ...]:
    """Return all other names that records have for the venue, each once."""
    names: dict[str, None] = {}
    for record in ranked:
        names |= dict.fromkeys((record.venue, *record.venue_aliases))
    return tuple(name for name in names if name and name != venue)


def _identifiers(ranked: Sequence[Record]) -> Identifiers:
    identifiers = Identifiers()
    for record in ranked:
        identifiers = identifiers.filled_from(record.identifiers)
    return identifiers


def _abstract(ranked: Sequence[Record]) -> str:
    """Return the first abstract that is no stump: at least half as long as the longest; "" if there is none."""
    abstracts = [record.abstract for record in ranked if record.abstract]
    longest = max(map(len, abstracts), default=0)
    return next((abstract for abstract in abstracts if len(abstract) * 2 >= longest), "")


def _updates(ranked: Sequence[Record]) -> tuple[Update, ...]:
    """Return the corrections and retractions of the work, each once, whichever record has it."""
    distinct: dict[tuple[str, str], Update] = {}
    for record in ranked:
        for update in record.updates:
            distinct.setdefault((update.kind, update.doi or update.source), update)
    return tuple(distinct.values())


def _with_origins(work: Record, ranked: Sequence[Record]) -> Record:
    """Return the work with its `origins`, the sources that say each value, and `disputed`, those that say another one.

    `origins` may be {"year": ("crossref", "dblp")}, and `disputed` {"year": (("openalex", "2016"),)}.  A source that
    says nothing of a field is in neither; one with two records may be in both.  `ranked`: the records that the work was
    made of.
    """
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
    """Yield what the merged work says, field by field: how a record's own value is read, and whether it agrees.

    A title or venue that is nearly the same agrees, as does a venue that cannot be compared, and a record that has the
    work's year as one of several.
    """

    def agrees_on_title(record: Record) -> bool:
        return titles.compare(work.title, record.title) in {"same", "looser"}

    def agrees_on_venue(record: Record) -> bool:
        return venue_names.compare(record.venue, (work.venue,)) in {"same", "looser", "unknown"}

    yield Statement("title", lambda record: record.title, agrees_on_title)
    yield Statement("authors", lambda record: "; ".join(map(str, record.authors)), partial(_same_people, work))
    yield Statement("year", lambda record: str(record.year or ""), lambda record: work.year in record.years)
    yield Statement("venue", lambda record: record.venue, agrees_on_venue)
    for name in _SIMPLE_FIELDS:
        yield Statement(name, _getter(name), _agreement(work, name))


def _getter(name: str) -> Callable[[Record], str]:
    return lambda record: str(getattr(record, name))


def _agreement(work: Record, name: str) -> Callable[[Record], bool]:
    """Whether a record has the same letters and digits in a field as the work."""
    own = bare_letters(getattr(work, name))
    return lambda record: bare_letters(getattr(record, name)) == own


def _same_people(work: Record, record: Record) -> bool:
    if work.authors == record.authors:
        return True
    comparison = author_lists.compare(
        work.authors,
        record.authors,
        cited_cut=not work.authors_complete,
        recorded_cut=not record.authors_complete,
    )
    return comparison.same
