"""The year is wrong."""

import re

from citelsp.bibliography import venues
from citelsp.bibliography.tolerant_comparison.year import is_between_print_and_copy
from citelsp.knowledge import PREPRINT_SERVERS
from citelsp.verification.publications import is_old
from citelsp.verification.rules import FieldRules, Hearing, Proof, View, Views
from citelsp.verification.witnesses import EXACT

_UNDATED = frozenset("book mvbook manual software online electronic www standard dataset patent".split())
_LAG = 2  # years from a preprint to the publication that aggregators date by it


def is_dated_by_the_printing(view: View) -> bool:
    """Books, software, standards, data and web pages are dated by the printing or version that somebody had."""
    return view.bound.cited_as in _UNDATED or view.bound.record.type == "book"


def is_of_the_preprint(view: View) -> bool:
    """A preprint has a year of its own."""
    return view.bound.comparison.outcome("venue") == "preprint"


def is_dated_by_the_scan(view: View) -> bool:
    """Works from before 1980 bear the year of whoever reprinted or scanned them, unless pages or volume agree."""
    is_old_work = view.bound.by == "title" and view.field.outcome == "different" and is_old(view.bound.comparison)
    return is_old_work and not _agrees_in_place(view)


def is_of_another_printing(view: View) -> bool:
    """A reprint or another edition has a year of its own."""
    bound = view.bound
    is_old_work = bound.by == "title" and view.field.outcome == "different" and is_old(bound.comparison)
    return not bound.tells_where and not is_old_work


def _agrees_in_place(view: View) -> bool:
    return "same" in (view.bound.comparison.outcome("pages"), view.bound.comparison.outcome("volume"))


def names_no_printing(view: View) -> bool:
    """A record without a venue that can be compared may be of another printing."""
    return view.bound.publication == "unsure" and view.bound.comparison.outcome("venue") == "unknown"


def is_dated_by_the_conference(view: View) -> bool:
    """Aggregators may date an article by the conference at which it was presented before."""
    bound = view.bound
    year = view.field
    if bound.by != "title" or bound.record.source in EXACT or _agrees_in_place(view):
        return False
    is_earlier = int(year.recorded) < int(year.cited)
    return is_earlier and venues.form(bound.comparison.field("venue").cited) == "journal"


def lacks_later_versions(view: View) -> bool:
    """A preprint is cited by the year of any of its versions: a source that does not list them may lack some."""
    bound = view.bound
    is_preprint = bound.by == "arxiv" or bound.is_preprint
    is_later = int(view.field.cited) > int(view.field.recorded)
    return is_preprint and is_later and not (bound.cited_in or _lists_versions(view))


def _lists_versions(view: View) -> bool:
    """arXiv's own record, whose id ends with the number of the last version."""
    record = view.bound.record
    return record.source == "arxiv" and re.search(r"v\d+$", record.id) is not None


def aggregators_date_by_the_preprint(hearing: Hearing) -> bool:
    """Aggregators give publications the year of their preprint: that is no evidence against a year or two later.

    A registry's word is, or that of two other sources that know the publication.
    """
    # `views` are of all records of the work, `against` of those that contradict the year: so the entry has one.
    comparison = hearing.views[0].bound.comparison  # what the entry cites is the same in each
    cited_year = int(comparison.field("year").cited)
    arxiv_ids = [view.bound.record.identifiers.arxiv for view in hearing.views]
    # `1706.03762` is of 2017; ids of the older form, `hep-th/9901001`, are left aside.
    preprint_years = [int(f"20{arxiv_id[:2]}") for arxiv_id in arxiv_ids if arxiv_id[:1].isdigit()]
    # An entry that cites the preprint itself has to have its year.
    if not preprint_years or venues.is_preprint_server(comparison.field("venue").cited):
        return False
    if not 0 < cited_year - min(preprint_years) <= _LAG:  # the cited year is not shortly after the preprint's
        return False
    sources = {view.bound.record.source for view in hearing.against if not view.bound.is_preprint}
    return len(sources) < 2 and EXACT.isdisjoint(sources)  # EXACT: registries


def arxiv_lists_the_versions(hearing: Hearing) -> bool:
    """arXiv alone knows the last version of what is cited as a preprint, and is enough."""
    return any(_lists_versions(it) and not it.bound.cited_in for it in hearing.witnesses)


def _is_ruled_out(view: View, spoken: Views) -> bool:
    """True if a record's year is only near the cited one ("looser"), and a registry rules the cited year out.

    The registry does so if it knows the years of print and of the digital copy, and the cited one lies between them; or
    if the cited year is before that of the preprint, `view`, and the registry has the publication in another year.
    `spoken` are the views of all records that say something of the year.
    """
    if view.field.outcome != "looser":
        return False
    record = view.bound.record
    cited = int(view.field.cited)
    is_before_preprint = record.source in PREPRINT_SERVERS and record.year is not None and cited < record.year
    for other in spoken:
        if other.field.outcome != "different" or other.bound.record.source not in EXACT:
            continue
        if is_between_print_and_copy(cited, other.bound.record) or (is_before_preprint and not other.bound.is_preprint):
            return True
    return False


RULES = FieldRules(
    "year",
    silent=(is_dated_by_the_printing, is_of_the_preprint, is_dated_by_the_scan, is_of_another_printing),
    weak=(names_no_printing, is_dated_by_the_conference, lacks_later_versions),
    proofs=(
        Proof(aggregators_date_by_the_preprint, is_enough=False),
        Proof(arxiv_lists_the_versions, is_enough=True),
    ),
    outdone=_is_ruled_out,
)
