"""An entry compared with a record, field by field."""

from dataclasses import dataclass

from citelsp.bibliography import own_commands, record_quality
from citelsp.bibliography.as_recorded import as_recorded
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles, venue_names
from citelsp.bibliography.tolerant_comparison.author_lists import AuthorComparison
from citelsp.bibliography.tolerant_comparison.joint_rules import PLACE_RULES, VENUE_RULES, Draft, apply_rules
from citelsp.bibliography.tolerant_comparison.outcome import FieldComparison, FieldName, Outcome
from citelsp.bibliography.tolerant_comparison.pages import compare_pages
from citelsp.bibliography.tolerant_comparison.people import begins_with_house, compare_people, list_people
from citelsp.bibliography.tolerant_comparison.publisher import compare_publishers
from citelsp.bibliography.tolerant_comparison.venue import compare_venues, find_venue_name
from citelsp.bibliography.tolerant_comparison.volume_and_number import compare_counts, find_number
from citelsp.bibliography.tolerant_comparison.year import compare_years


@dataclass(frozen=True, slots=True)
class Comparison:
    """All fields, the likeness of the titles, and the author lists in detail."""

    fields: tuple[FieldComparison, ...]
    likeness: float  # of the titles, 0 to 1
    people: AuthorComparison
    is_listed: bool = False  # the entry's venue is one of those in which the record says that the work came out as well

    def field(self, name: FieldName) -> FieldComparison:
        return next(comparison for comparison in self.fields if comparison.field == name)

    def outcome(self, name: str) -> Outcome:
        return next((it.outcome for it in self.fields if it.field == name), "unknown")


def compare(entry: Entry, record: Record) -> Comparison:
    """Compare every field of an entry with the record's.

    An outcome is "same", "different", "looser" (less exact, not wrong), "preprint" (one side speaks of the preprint,
    the other of the publication) or "unknown" (one side says nothing that could be compared).  A printed reference is
    read anew by the record's title and venue first.  Fields are compared one by one; then VENUE_RULES and PLACE_RULES
    see several together: what they change in `outcomes`, and by which rule, is noted in `rules`.
    """
    entry = as_recorded(entry, record)
    title = entry.title[: titles.LONGEST]
    recorded_title = record.title[: titles.LONGEST]
    people = compare_people(entry, record)
    place = find_venue_name(entry)  # what the entry calls the venue
    counted = compare_counts(entry, record)
    # The titles also agree if the record's begins with the company that wrote it, or but for what an author's macro
    # prints.
    is_signed = begins_with_house(title, recorded_title, entry.authors)
    titles_agree = is_signed or own_commands.agree(entry.value("title"), title, recorded_title)
    same_people = people.outcome == "same"
    outcomes: dict[FieldName, Outcome] = {
        "title": "looser" if titles_agree else _compare_titles(title, recorded_title, same_people=same_people),
        "authors": people.outcome,
        "year": compare_years(entry.year, record, entry.identifiers.arxiv),
        "venue": compare_venues(place, entry.text("volume"), record),
        "volume": counted.volume,
        "number": counted.number,
        "pages": "unknown",  # so far
        "publisher": compare_publishers(entry.text("publisher"), record.publisher),
    }
    rules: dict[FieldName, str] = {"authors": people.rule}
    apply_rules(VENUE_RULES, Draft(entry, record, place, outcomes), rules)
    # After the rules for venues: pages of one venue may count differently in two editions of it.
    outcomes["pages"] = compare_pages(entry, record, outcomes["venue"])
    apply_rules(PLACE_RULES, Draft(entry, record, place, outcomes), rules)

    fields = tuple(
        FieldComparison(name, outcomes[name], cited, recorded, rule=rules.get(name, ""))
        for name, (cited, recorded) in _write_both(entry, record, place).items()
    )
    is_listed = outcomes["venue"] != "same" and venue_names.compare(place, record.also_in) == "same"
    # LIKE is the least likeness from which on two titles name one work.
    likeness = titles.LIKE if titles_agree else titles.likeness(title, recorded_title)
    return Comparison(fields, likeness, people=people.detail, is_listed=is_listed)


def _compare_titles(cited: str, recorded: str, *, same_people: bool) -> Outcome:
    """Compare titles; if the authors are the same, even a very short one may lack the subtitle: `GIAnT`.

    "looser" is a title less exact and not wrong.  A translation, or a title that broke on its way to the record, is
    "unknown".  `same_people`: the authors are the same.
    """
    outcome = titles.compare(cited, recorded)
    if outcome != "different":
        return outcome
    cited_main = titles.key(titles.parts(cited)[0])
    recorded_main = titles.key(titles.parts(recorded)[0])
    one_lacks_subtitle = cited_main == recorded_main and cited_main in (titles.key(cited), titles.key(recorded))
    if same_people and one_lacks_subtitle:
        return "looser"
    if titles.are_translations(cited, recorded) or not record_quality.is_whole_title(recorded):
        return "unknown"
    return outcome


def _write_both(entry: Entry, record: Record, place: str) -> dict[FieldName, tuple[str, str]]:
    """Return every field as the entry and as the record has it, "" if it has none; both as people are shown them.

    `place` is what the entry calls the venue.
    """
    return {
        "title": (entry.title[: titles.LONGEST], record.title[: titles.LONGEST]),
        "authors": (list_people(entry.authors), list_people(record.authors)),
        "year": (str(entry.year or ""), str(record.year or "")),
        "venue": (place, record.venue),
        "volume": (entry.text("volume"), record.volume),
        "number": (find_number(entry), record.issue),
        "pages": (entry.text("pages"), record.pages),
        "publisher": (entry.text("publisher"), record.publisher),
    }
