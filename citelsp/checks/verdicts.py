"""Entries with their verdicts, and what all checks of the world's answers say alike."""

from collections.abc import Iterable, Iterator

from citelsp.base.settings import SERVICES
from citelsp.base.text import Edit, Span, end_with_stop, enumerate_names
from citelsp.bibliography import repair_field, venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import CALLED
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import venue_names
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.bibliography.tolerant_comparison.venue import find_venue_name
from citelsp.bibliography.write_entry import format_work
from citelsp.checks.finding import Finding, Fix, Safety
from citelsp.knowledge import PREPRINT_SERVERS, Difference, Knowledge, Traced, Verdict
from citelsp.workspace.project import Place, Project

RETRACTED = "This work was retracted or withdrawn"
NOT_LISTED = "No service that was asked lists this work"
_FIELDS_OF_PRINT = ("year", "volume", "number", "pages", "publisher")  # that say where a work was printed
_LIKE_TITLES = 0.75  # of titles less alike, so many words differ that nobody takes the one for the other
_MOST_NAMED = 4  # fields in the title of a fix
_LONGEST_SHOWN = 400  # characters of a value: of authors there may be thousands


def find_judged(project: Project, knowledge: Knowledge) -> Iterator[tuple[Place, Verdict]]:
    """Yield every entry that findings are about (`Project.judged`) and whose content has a verdict, with that."""
    if not knowledge.verdicts:
        return
    for place, content in project.contents:
        verdict = knowledge.verdicts.get(content)
        if verdict:
            yield place, verdict


def find_differing(project: Project, knowledge: Knowledge, *fields: str) -> Iterator[tuple[Place, Verdict, Difference]]:
    """Yield each entry of a known work that departs from its records in one of these `fields`, once for each."""
    for place, verdict in find_judged(project, knowledge):
        if verdict.kind in ("mismatch", "retracted", "conflict"):
            for difference in verdict.differences:
                if difference.field in fields:
                    yield place, verdict, difference


def field_span(place: Place, name: str) -> Span:
    """Return where a field's value stands in the document; the key, if the entry lacks the field."""
    field = repair_field.field_of(place.entry, name)
    return field.value_span.moved(place.start) if field else place.key_span


def name_services(sources: tuple[str, ...]) -> str:
    """`Crossref, DBLP and OpenAlex`."""
    return enumerate_names(map(title, sources or ("the sources asked",)))


def title(source: str) -> str:
    """The name of a service as people know it."""
    return SERVICES.get(source, source)


def who_lacks(traced: Traced) -> str:
    """`neither doi.org nor Crossref knows it`, of an identifier that leads nowhere."""
    authority = "arXiv" if traced.name == "arxiv" else "doi.org"
    source = title(traced.source)
    return f"{authority} does not know it" if source == authority else f"neither {authority} nor {source} knows it"


def gravest(verdict: Verdict) -> str:
    """Say the gravest thing known against citing a work, as a sentence without its full stop; "" if there is none.

    `verdict`: what was found out about it.
    """
    if verdict.kind == "retracted":
        return RETRACTED
    if verdict.kind == "not-found":
        return tell_not_listed(verdict)
    if verdict.kind != "conflict":  # the other kinds say nothing against the work itself, or nothing at all
        return ""
    # The first identifier that leads to another work, or nowhere; a conflict that was checked has one.
    astray = next((traced for traced in verdict.traced if traced.leads != "here"), None)
    if astray is None:
        return ""
    where = "is not registered" if astray.leads == "nowhere" else "leads to another work"
    identifier = f"{CALLED[astray.name]} {astray.value} {where}"
    return f"{NOT_LISTED}, and its {identifier}" if verdict.is_unknown else f"The {identifier}"


def tell_gravest(entry: Entry, verdict: Verdict) -> str:
    """Say the same as `gravest`; if an identifier does not exist, also that its work does, if it was found."""
    against = gravest(verdict)
    if verdict.kind != "conflict" or not against:
        return against
    astray = next(traced for traced in verdict.traced if traced.leads != "here")  # `gravest` found one
    is_found = astray.leads == "nowhere" and is_found_otherwise(verdict)
    return f"{against}; {tell_own_identifier(entry, verdict, astray)}" if is_found else against


def is_found_otherwise(verdict: Verdict) -> bool:
    """True if the work was found, with its title and its people, although an identifier of the entry goes astray."""
    differing_fields = {difference.field for difference in verdict.differences}
    return verdict.record is not None and differing_fields.isdisjoint(("title", "authors"))


def tell_own_identifier(entry: Entry, verdict: Verdict, astray: Traced) -> str:
    """`the work exists, and its DOI is 10.1109/cvpr.2016.90`: what is known of a work that was found otherwise."""
    right = right_work(entry, verdict, astray)
    if right is None:
        return "the work itself exists"
    return f"the work exists, and its {CALLED[astray.name]} is {getattr(right.identifiers, astray.name)}"


def right_work(entry: Entry, verdict: Verdict, astray: Traced) -> Record | None:
    """Return the entry's work if it has an identifier to put in the place of the one that leads astray; else None.

    None also if its DOI is that of another printing, as the rest of the entry would have to be changed with it.
    `verdict.record` is what was found of the entry's work; `astray`: the identifier.
    """
    record = verdict.record
    if record is None:
        return None
    value = getattr(record.identifiers, astray.name, "")
    if not value or value == astray.value:
        return None  # the record has none of this kind, or the same
    return record if astray.name != "doi" or is_this_version(entry, record) else None


def likely_meant(entry: Entry, verdict: Verdict) -> list[Record]:
    """Return those of the nearest works that an entry may mean, best first: alike in title, or with a person in common.

    A search always brings something; what merely came first in it is of no use to anybody.
    """
    meant = []
    for record in verdict.alternatives:
        comparison = compare(entry, record)
        if comparison.likeness >= _LIKE_TITLES or comparison.people.shared:
            meant.append(record)
    return meant


def at_citations(project: Project, found: Iterable[Finding]) -> list[Finding]:
    """Repeat findings at entries, as information, at each citation of these entries; what is wrong is the entry.

    Of several of one entry the last is repeated, and none that is no more than information itself.
    """
    by_key = {finding.key: finding for finding in found if finding.key and finding.severity != "information"}
    if not by_key:
        return []
    at_each_citation = []
    for source, citation in project.citations():
        place = project.find_first(citation.key)  # whose key may be in another letter case, or have this alias
        finding = by_key.get(place.node.key) if place else None
        if finding:
            at_each_citation.append(_repeat_at(finding, source.document.path, citation.span))
    return at_each_citation


def _repeat_at(finding: Finding, path: str, span: Span) -> Finding:
    """Make the same finding at another place; the fixes, and what is cited and recorded, stay at the entry."""
    return Finding(finding.code, path, span, finding.message, finding.key, severity="information")


def name_asked(verdict: Verdict, one: str, several: str) -> str:
    """`Crossref has` or `Crossref and DBLP have`."""
    return f"{name_services(verdict.asked)} {one if len(verdict.asked) == 1 else several}"


def tell_not_listed(verdict: Verdict) -> str:
    """Say that nobody has a work, and who was asked: what is wrong first, as lists of findings cut long lines."""
    return f"No work with this title and these authors: {name_asked(verdict, 'lists', 'list')} none"


def find_address(record: Record | None) -> str:
    """Return the address at which people can look a work up, of its DOI, arXiv id or record; "" if it has none."""
    if record is None:
        return ""
    identifiers = record.identifiers
    if identifiers.doi:
        return f"https://doi.org/{identifiers.doi}"
    return f"https://arxiv.org/abs/{identifiers.arxiv}" if identifiers.arxiv else record.url


def wrong_field(code: str, place: Place, verdict: Verdict, difference: Difference) -> Finding:
    """Report one field that differs: what is cited and recorded, by whom, when, where to look, and the fixes.

    It is reported at the field, or at the key if the entry lacks that.  `code`: of the check; `difference`: the field,
    its two values, the sources that agree on the second, and of authors in detail who is left out or added.
    """
    message = f"{_say_difference(difference)} according to {name_services(difference.sources)} (checked {verdict.date})"
    if difference.detail:
        message += f"; {_shorten(difference.detail, _LONGEST_SHOWN)}"
    message = end_with_stop(message)
    address = find_address(verdict.record)
    if address:
        message += f" See {address}"
    return Finding(
        code,
        place.source.document.path,
        field_span(place, difference.field),
        message,
        key=place.node.key,
        field=difference.field,
        cited=difference.cited,
        recorded=difference.recorded,
        fixes=tuple(_make_repairs(place, verdict, difference)),
    )


def _say_difference(difference: Difference) -> str:
    """`The year is 2019 here but 2024`."""
    form = "“{}”" if difference.field == "title" else "{}"
    recorded = form.format(_shorten(difference.recorded, _LONGEST_SHOWN))
    here = "missing here"
    if difference.cited:
        here = f"{form.format(_shorten(difference.cited, _LONGEST_SHOWN))} here"
    verb = "are" if difference.field in ("authors", "pages") else "is"
    return f"The {difference.field} {verb} {here} but {recorded}"


def _make_repairs(place: Place, verdict: Verdict, difference: Difference) -> Iterator[Fix]:
    """Yield a fix that writes what the record says of one field, and one that does so for all fields that differ.

    Nothing if no record was found, or if the field is not to be changed (`_may_be_repaired`).  Nothing either if all
    that was found is a preprint and the field says where a work was printed: it is changed with the venue, or not at
    all.  `difference`: the one field; `verdict` has all of them.
    """
    record = verdict.record
    if record is None or (difference.field in _FIELDS_OF_PRINT and _is_found_as_preprint(verdict)):
        return
    edits: dict[str, Edit] = {}
    for other in verdict.differences:
        edit = _make_trusted_edit(place, verdict, other, record)
        if edit and _may_be_repaired(place.entry, record, verdict, other):
            edits[other.field] = edit
    field = difference.field
    if field not in edits:
        return
    yield Fix(f"Change {field} to {_shorten(repair_field.value_on_record(field, record))}", "review", (edits[field],))
    if _is_found_as_preprint(verdict) and "venue" not in edits:
        edits = {name: edit for name, edit in edits.items() if name not in _FIELDS_OF_PRINT}
    if len(edits) > 1:
        names = enumerate_names(edits) if len(edits) <= _MOST_NAMED else f"{len(edits)} fields"
        title = f"Change {names} to the record: {_shorten(format_work(record))}"
        yield Fix(title, "review", tuple(edits.values()))


def _may_be_repaired(entry: Entry, record: Record, verdict: Verdict, difference: Difference) -> bool:
    """False if the record seems to be of another print of the work, as fields of both would be mixed.

    That is a later print than the cited one, or, of the fields that say where a work was printed, another publication.
    """
    if difference.field in ("venue", *_FIELDS_OF_PRINT) and _is_elsewhere(entry, record, verdict):
        return False
    return not _is_of_later_print(entry, record, difference)


def _make_trusted_edit(place: Place, verdict: Verdict, difference: Difference, record: Record) -> Edit | None:
    """Return the edit that writes what the record says of a field; None if that is not to be trusted.

    Not trusted is one source alone, if its record seems to be of another work, or says less than the entry.
    """
    fields = {it.field for it in verdict.differences}
    seems_another_work = {"title", "authors", "pages"} <= fields
    says_less = repair_field.says_less(place.entry, difference.field, record)
    if len(difference.sources) < 2 and (seems_another_work or says_less):
        return None
    return make_edit(place, difference.field, record)


def _is_elsewhere(entry: Entry, record: Record, verdict: Verdict) -> bool:
    """True if the record is of another publication: another venue, years apart, and neither volume nor pages agree.

    A year that is one off is mostly "looser", not "different".
    """
    comparison = compare(entry, record)
    differing_fields = {difference.field for difference in verdict.differences}
    is_apart = {"venue", "year"} <= differing_fields and comparison.outcome("year") == "different"
    return is_apart and "same" not in (comparison.outcome("volume"), comparison.outcome("pages"))


def _is_of_later_print(entry: Entry, record: Record, difference: Difference) -> bool:
    """True for the print of what is cited as a preprint or from a workshop.

    Not if the server of preprints itself says the same.  Of the venues' outcomes “preprint” says that only one of the
    two is a server of preprints.
    """
    place = find_venue_name(entry)
    is_early = venues.is_preprint_server(place) or venues.form(place) == "workshop"
    is_of_another_venue = compare(entry, record).outcome("venue") in ("different", "preprint")
    return is_early and is_of_another_venue and PREPRINT_SERVERS.isdisjoint(difference.sources)


def _is_found_as_preprint(verdict: Verdict) -> bool:
    """True if all that was found is a preprint: its year and place go with its venue, or not at all."""
    return any(it.field == "venue" and venues.is_preprint_server(it.recorded) for it in verdict.differences)


def is_this_version(entry: Entry, record: Record) -> bool:
    """True if the record's DOI is of the version that is cited: of the same venue and year, as far as both are known.

    A work may have DOIs of its own in a journal, at a conference and in later editions.  Of several venues that an
    aggregator names, nobody knows which the DOI belongs to; the registry knows.
    """
    if record.also_in and "crossref" not in record.origins.get("venue", ()):
        return False
    venue = venue_names.compare(find_venue_name(entry), (record.venue, *record.venue_aliases))
    # “preprint”: one of the two is a server of preprints, the other is not.
    return venue not in ("different", "preprint") and compare(entry, record).outcome("year") != "different"


def make_edit(place: Place, field: str, record: Record) -> Edit | None:
    """Return the edit that writes what the record says of a field; None if it says nothing or must not be written."""
    if not place.source.writable:
        return None
    return repair_field.edit_field(place.source.document, place.start, place.entry, field, record)


def make_fix(what_it_does: str, safety: Safety, edit: Edit | None) -> tuple[Fix, ...]:
    return (Fix(what_it_does, safety, (edit,)),) if edit else ()


def _shorten(text: str, length: int = 80) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
