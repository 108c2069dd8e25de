"""The authors are wrong: somebody is missing, does not belong, or stands in another place."""

import re

from citelsp.knowledge import PREPRINT_SERVERS
from citelsp.verification.excuses.place import is_of_another_edition, is_of_another_publication
from citelsp.verification.excuses.title import comes_in_versions, lacks_the_versions_of_a_preprint
from citelsp.verification.rules import FieldRules, Hearing, Proof, View
from citelsp.verification.witnesses import AUTHORED, CURATED

_PREPRINT = re.compile(r"10\.(?:1101|64898)/[\d.]+")  # bioRxiv's and medRxiv's: one DOI leads to all versions


def are_read_in_doubt(view: View) -> bool:
    """It is in doubt who is named in a printed reference: what was read as its people may be a part of its title."""
    return "author" in view.bound.unsure


def joined_since(view: View) -> bool:
    """People join and leave between the versions of a preprint at bioRxiv or medRxiv, which share a DOI."""
    people, doi = view.bound.comparison.people, view.bound.record.identifiers.doi
    only_more_or_less = bool(people.added) != bool(people.dropped) and not (people.replaced or people.reordered)
    return only_more_or_less and _PREPRINT.fullmatch(doi) is not None


def somebody_is_cited_twice(hearing: Hearing) -> bool:
    """Nobody is an author twice: any record is enough."""
    return any(it.bound.comparison.people.repeated for it in hearing.against)


def is_one_more_or_less(hearing: Hearing) -> bool:
    """One author joined or left between two versions, as one source knows it that a search found, or the preprint."""
    people = hearing.against[0].bound.comparison.people
    if len(people.added) + len(people.dropped) != 1 or people.replaced or people.reordered:
        return False
    one_source = len({it.bound.record.source for it in hearing.against}) == 1
    is_alone = one_source and all(it.bound.by == "title" for it in hearing.against)
    return is_alone or all(map(_is_by_the_preprint, hearing.against))


def aggregators_keep_either_order(hearing: Hearing) -> bool:
    """Nobody tells the order of the cited version but aggregators, which of two orders that they copy keep either."""
    people = [it.bound.comparison.people for it in hearing.against]
    if not all(it.reordered and not (it.added or it.dropped or it.replaced) for it in people):
        return False
    of_this_version = [it.bound for it in hearing.against if not (_is_of_a_preprint(it) or _is_by_the_preprint(it))]
    return not any(it.by != "title" or it.record.source in CURATED | AUTHORED for it in of_this_version)


def _is_of_a_preprint(view: View) -> bool:
    return view.bound.comparison.outcome("venue") == "preprint"


def _is_by_the_preprint(view: View) -> bool:
    """What the arXiv id of a work that is cited from print leads to: its people are those of any version."""
    bound = view.bound
    return bound.cited_in and (bound.by == "arxiv" or bound.record.source in PREPRINT_SERVERS)


RULES = FieldRules(
    "authors",
    silent=(
        comes_in_versions,
        lacks_the_versions_of_a_preprint,
        are_read_in_doubt,
        joined_since,
        is_of_another_publication,
        is_of_another_edition,
    ),
    proofs=(
        Proof(somebody_is_cited_twice, is_enough=True),
        Proof(is_one_more_or_less, is_enough=False),
        Proof(aggregators_keep_either_order, is_enough=False),
    ),
)
