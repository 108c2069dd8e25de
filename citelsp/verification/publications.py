"""Which publication of a work a record describes: the cited one, or another.

Works are printed more than once: at a conference, then in a journal; in a book; again after years.  All printings share
title and people, so a record that a title search found is first of all a record of the work.

- A record is of the cited publication if the entry's own identifier leads to it (an arXiv id leads to the work, so that
  a record in another venue is weighed by the rules below, and so is what the DOI of an old work leads to), if the venue
  agrees (a venue prints a work once), or if the place within the venue does (pages, or the volume of that year).
- It is of another one if its venue is another and so is the kind of the venue (conferences, workshops, journals and
  books print again what one of another kind has printed), the year, or the people.  Such a record vouches for title
  and people; of the cited venue, year, volume and pages it says nothing, so that it neither contradicts nor repairs
  them.
- Two venues of one kind in one year, by the same people, are one publication, of which somebody has the wrong venue:
  what one conference or journal has just printed, another one of its kind does not print.
- A record of one publication may list others, as aggregators make one of them all: it speaks for an entry that cites a
  listed one, and never against.
- A record of another year, in another volume, at other pages is of another one also in the same venue: corrections
  bear the title of what they correct, and some venues print a work again.  So is one of another year by more or fewer
  people, or in another order: who wrote a work, and when, are not both wrong by chance.
"""

import re
from typing import Literal

from citelsp.bibliography import venues
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.all_fields import Comparison

Publication = Literal["cited", "listed", "another", "reprint", "unsure"]
# listed: another one, beside which the cited one is named
# reprint: another one, of another year or of other people
# unsure: the record says too little of its place, or somebody has the wrong venue
Form = Literal["journal", "conference", "workshop", "book", ""]

FRIENDLY = ("same", "looser")
_DIGITIZED = 1980  # works from before are dated by whoever printed or digitised them since
_BOOKS = frozenset("incollection inbook suppcollection book mvbook".split())
_PROCEEDINGS = frozenset("inproceedings conference proceedings".split())


def tell_publication(record: Record, comparison: Comparison, kind: str) -> Publication:
    """Tell which publication of the work a record describes, where no identifier of the entry says so.

    "cited" is the entry's, "listed" another beside which the record names the cited one, "another" one of another kind
    (a journal's for a conference's) or in a book, "reprint" one of another year or other people; "unsure" if the
    record says too little, or somebody has the wrong venue.  `kind` is the entry's, as `inproceedings`.
    """
    if comparison.is_listed:
        return "listed"
    outcome = comparison.outcome
    # Who wrote a work, and when, are not both wrong by chance; nor are year, volume and pages, even in one venue.
    if outcome("year") == outcome("authors") == "different":
        return "reprint"
    if outcome("year") == outcome("volume") == outcome("pages") == "different":
        return "reprint"
    if _is_cited(comparison):  # its venue agrees, or its place in the venue
        return "cited"
    venue = comparison.field("venue")
    cited_form = _cited_form(venue.cited, kind)
    recorded_form = _recorded_form(record)
    if {cited_form, recorded_form} == {"journal", "book"}:
        # A series that prints proceedings is called a journal by some, and by others a book.
        return "unsure" if venues.is_host(venue.cited) else "another"
    if venue.outcome != "different":
        return "unsure"
    # Books print again what was printed elsewhere, and venues of one kind what those of another have printed.
    if recorded_form == "book" or (cited_form and recorded_form and cited_form != recorded_form):
        return "another"
    is_of_another_time = outcome("year") in ("different", "looser")  # "looser": one year off, or dated by a scan
    return "reprint" if is_of_another_time or outcome("authors") == "different" else "unsure"


def is_old(comparison: Comparison) -> bool:
    """True if the cited year or the one on record is before _DIGITIZED; both have to be given."""
    year = comparison.field("year")
    return min(int(year.cited), int(year.recorded)) < _DIGITIZED


def is_printed_twice(comparison: Comparison) -> bool:
    """An old work, cited from a place of its own: who printed it first may have given it no DOI."""
    apart = comparison.outcome("year") == comparison.outcome("venue") == "different"
    places = [comparison.outcome(it) for it in ("volume", "pages")]
    return apart and is_old(comparison) and "different" in places and "same" not in places


def _is_cited(comparison: Comparison) -> bool:
    """True if the venue agrees, or the place within it: pages, or the volume of that year."""
    outcome = comparison.outcome
    if outcome("venue") in FRIENDLY:
        return True
    if outcome("pages") == "same" and (
        outcome("year") == "same" or not counts_from_one(comparison.field("pages").cited)
    ):
        return True
    return outcome("volume") == "same" and outcome("pages") != "different" and outcome("year") in FRIENDLY


def counts_from_one(pages: str) -> bool:
    """Pages that many works have, as each issue or each paper begins with them."""
    return re.match(r"\D*1\b", pages) is not None


def _cited_form(name: str, kind: str) -> Form:
    """Tell what form the entry's venue has: by its name, else by the entry's kind; "" if neither tells.

    Against a name that is a journal's the kind counts: `inproceedings` is no article of a journal.
    """
    named = venues.form(name)
    if kind in _PROCEEDINGS:
        return named if named == "workshop" else "conference"
    if kind in _BOOKS:
        return named if named in ("conference", "workshop") else "book"
    return named or ("journal" if kind == "article" and name else "")


def _recorded_form(record: Record) -> Form:
    named = venues.form(record.venue)
    if record.type in ("chapter", "book") or "/978" in record.identifiers.doi:
        return named or "book"
    if record.type == "paper-conference":
        return named or "conference"
    return named or ("journal" if record.type == "article-journal" else "")
