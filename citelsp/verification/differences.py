"""The fields on which everything that was found disagrees with the entry, and the rules that say so of each."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from citelsp.bibliography.tolerant_comparison.outcome import FieldComparison, FieldName
from citelsp.knowledge import Ruling
from citelsp.verification import rules
from citelsp.verification.evidence import Bound, Weighed
from citelsp.verification.excuses import people, place, title, venue, year
from citelsp.verification.rules import FieldRules, Outcome, View, make_ruling

ORDER: tuple[FieldName, ...] = ("title", "authors", "year", "venue", "volume", "number", "pages", "publisher")
_IN_THE_VENUE: tuple[FieldName, ...] = ("volume", "number", "pages")
_ALL = (title.RULES, people.RULES, year.RULES, place.VOLUME, place.NUMBER, place.PAGES, place.PUBLISHER)
RULES: Mapping[FieldName, FieldRules] = MappingProxyType({it.field: it for it in _ALL})


def differences(weighed: Weighed) -> list[FieldComparison]:
    """Return the fields on which every bound record that speaks of them disagrees with the entry, if that is enough."""
    return list_reported(outcomes(weighed, certain=True))


def suspicions(weighed: Weighed) -> list[FieldComparison]:
    """Return the differences, and those that one source alone tells of so far: others are to be asked."""
    return list_reported(outcomes(weighed, certain=False))


def list_reported(found: Mapping[FieldName, Outcome]) -> list[FieldComparison]:
    return [it.difference for it in found.values() if it.difference]


def outcomes(weighed: Weighed, *, certain: bool) -> Mapping[FieldName, Outcome]:
    """Return for every field the difference that may be reported, if any, and what each rule for it said.

    `weighed.bound` are the records of the entry's work, with which each field was compared.  If `certain` is True, the
    rules decide whether enough is said against the entry; else the word of one source is enough.  If other versions of
    the work alone were found, nothing is compared.

    Beside a wrong venue further fields are reported, even where their own rules would excuse them: the year if records
    give one and none gives the one cited; volume, number and pages if every record that gives them contradicts.
    """
    if are_other_versions(weighed):  # their titles and people may rightly be others than those cited
        return _report_nothing(weighed)

    by_field = {name: _outcome(name, weighed.bound, certain=certain) for name in ORDER}
    if not by_field["venue"].difference:  # Crossref, which should have the work in that venue, may lack it
        by_field["venue"] = _beside_a_silent_registry(weighed, by_field["venue"])

    wrong_venue = by_field["venue"].difference
    if wrong_venue:
        by_field["year"] = _beside_a_wrong_venue("year", weighed.bound, by_field["year"])
    # If only a preprint is on record (outcome "preprint"), nothing is known of the place in the cited venue; a preprint
    # has a year to compare, but neither volume nor pages.
    if wrong_venue and wrong_venue.outcome == "different":
        for name in _IN_THE_VENUE:
            by_field[name] = _beside_a_wrong_venue(name, weighed.bound, by_field[name])
    return by_field


def _beside_a_silent_registry(weighed: Weighed, known: Outcome) -> Outcome:
    """Report the venue as wrong if Crossref has all its papers and lacks this one; else return `known` as it is."""
    absence = venue.its_registry_lacks_it(weighed)
    if absence is None:
        return known
    report = Ruling("venue", venue.its_registry_lacks_it.__name__, "reports", ("crossref",))
    return Outcome(absence, (*known.rulings, report))


def _report_nothing(weighed: Weighed) -> Mapping[FieldName, Outcome]:
    """Return an outcome without a difference for every field, as only other versions of the work were found.

    Each field that the entry states gets a ruling (which rule, of what effect, on whose records) that says so.  There
    is one record at least (`are_other_versions`); which fields the entry states is taken from the first comparison.
    """
    everybody = tuple(dict.fromkeys(it.record.source for it in weighed.bound))
    stated = {it.field for it in weighed.bound[0].comparison.fields if it.cited}
    by_field: dict[FieldName, Outcome] = {}
    for name in ORDER:
        not_compared = Ruling(name, are_other_versions.__name__, "not compared", everybody)
        by_field[name] = Outcome(rulings=(not_compared,) if name in stated else ())
    return by_field


def _outcome(name: FieldName, bound: Sequence[Bound], *, certain: bool) -> Outcome:
    if name == "venue":
        return venue.decide(bound, certain=certain)
    return rules.decide(RULES[name], bound, certain=certain)


def _beside_a_wrong_venue(name: FieldName, bound: Sequence[Bound], known: Outcome) -> Outcome:
    """Report a field if it belongs to the wrong venue that the entry names; else return `known` as it is."""
    heard = [View(it, it.comparison.field(name)) for it in bound if it.tells_where]
    if known.difference or not belongs_to_the_wrong_venue(name, heard):
        return known
    spoken = _list_telling(name, heard)
    published = [it for it in spoken if not it.bound.is_preprint] or spoken
    aside = [it for it in known.rulings if it.effect == "not compared"]  # what else was ruled no longer holds
    report = make_ruling(name, belongs_to_the_wrong_venue.__name__, "reports", published)
    return Outcome(published[0].field, (*aside, report))


def belongs_to_the_wrong_venue(name: FieldName, heard: Sequence[View]) -> bool:
    """As the venue is wrong, so is a year that no record has, even one off by one, and a place that all contradict."""
    compared = [it.field.outcome for it in _list_telling(name, heard)]
    if name == "year":
        return bool(compared) and "same" not in compared
    return set(compared) == {"different"}


def _list_telling(name: FieldName, heard: Sequence[View]) -> list[View]:
    """Return the records that have the field to compare; of preprints only the year, as they have no place in print."""
    compared = [it for it in heard if it.field.outcome != "unknown"]
    return compared if name == "year" else [it for it in compared if not it.bound.is_preprint]


def rests_on_silence(weighed: Weighed) -> bool:
    """Whether nothing else speaks against the venue than that Crossref has no such work there."""
    return bool(venue.its_registry_lacks_it(weighed)) and not venue.decide(weighed.bound, certain=True).difference


def claims_unconfirmed_venue(weighed: Weighed, *, certain: bool = True) -> bool:
    """True if all that was found is a preprint, and the entry says it was published: another source may know more.

    If so many sources were heard that the venue counts as wrong, it is False, unless `certain` is False.
    """
    if venue.unconfirmed(weighed.bound) is None:
        return False
    return not (certain and venue.decide(weighed.bound, certain=True).difference)


def list_opponents(weighed: Weighed, difference: FieldComparison) -> tuple[str, ...]:
    """Return the sources that disagree with the entry in this field, or else know the preprint alone, or nearly agree.

    They are sorted by name, as the order in which they answered differs by run.
    """
    heard = [it for it in weighed.bound if difference.field == "title" or it.tells_where]
    spoken = [(it.record.source, it.comparison.outcome(difference.field)) for it in heard]
    for disagreement in ("different", "preprint", "looser"):
        if opponents := {source for source, outcome in spoken if outcome == disagreement}:
            return tuple(sorted(opponents))
    return ()


def are_other_versions(weighed: Weighed) -> bool:
    """All that was found is another publication of the work, perhaps with its preprint, which contradicts nothing."""
    published = [it for it in weighed.bound if it.comparison.outcome("venue") != "preprint"]
    return bool(published) and all(it.is_elsewhere for it in published)
