"""Verdicts that the author has settled: a comment, or a setting, silences every finding that they lead to."""

from collections.abc import Set

from citelsp.bibliography.retractions import find_retractions
from citelsp.checks import (
    identifier_conflict,
    retracted_work,
    unknown_identifier,
    unknown_work,
    verdicts,
    wrong_authors,
    wrong_pages,
    wrong_title,
    wrong_venue,
    wrong_year,
)
from citelsp.knowledge import Candidate, Knowledge, Verdict
from citelsp.workspace.project import Place

_CODES_BY_FIELD = {
    "title": wrong_title.CODE,
    "authors": wrong_authors.CODE,
    "year": wrong_year.CODE,
    "venue": wrong_venue.CODE,
}


def is_settled(place: Place, verdict: Verdict) -> bool:
    """True if all kinds of findings that report an entry's verdict are silenced; False if there are none."""
    codes = _list_codes(verdict)
    return bool(codes) and is_silenced(place, codes)


def is_silenced(place: Place, codes: Set[str]) -> bool:
    """True if each of these kinds of findings is silenced by a comment at an entry, or switched off by the settings."""
    severities = place.project.settings.checks.severity if place.project else {}
    comments = [it for it in place.source.syntax.suppressions if it.covers.touches(place.key_span.start)]
    silences_all = any(not comment.codes for comment in comments)
    silenced = {code for comment in comments for code in comment.codes}
    silenced.update(code for code in codes if severities.get(code) == "off")
    return silences_all or codes <= silenced


def tell_unsettled(place: Place, verdict: Verdict) -> str:
    """Say in a sentence why the work of an entry should not be cited as it is.

    "" if nothing so grave is known, or if the author has settled it: what is not reported is not marked in lists.
    """
    against = verdicts.gravest(verdict)
    return "" if against and is_settled(place, verdict) else against


def _list_codes(verdict: Verdict) -> set[str]:
    """The kinds of findings that report a verdict; empty for one that says nothing against the entry.

    Those of single fields do not count beside a retraction or a conflict, with which they may be found, too.
    """
    match verdict.kind:
        case "retracted":
            return {retracted_work.CODE}
        case "not-found":
            return {unknown_work.CODE}
        case "conflict":
            # Of identifiers that lead nowhere or to another work; one that leads “here” is right.
            codes_by_goal = {"nowhere": unknown_identifier.CODE, "elsewhere": identifier_conflict.CODE}
            return {codes_by_goal[traced.leads] for traced in verdict.traced if traced.leads in codes_by_goal}
        case "mismatch":
            # Volume, number, pages and publisher are told by one check.
            return {_CODES_BY_FIELD.get(difference.field, wrong_pages.CODE) for difference in verdict.differences}
        case _:
            return set()


def tell_against(candidate: Candidate, place: Place | None, knowledge: Knowledge) -> str:
    """Say why a work should not be cited as it is: it was retracted, nobody lists it, or an identifier leads astray.

    "" if nothing of that is known, or if the author silenced the finding at `place`, the work's entry, if it has one.
    Of a work without an entry only a retraction is known: verdicts are on entries.
    """
    is_retracted = bool(find_retractions(candidate.record.updates))
    if is_retracted and not (place and is_silenced(place, {retracted_work.CODE})):
        return verdicts.RETRACTED
    verdict = knowledge.verdicts.get(place.content) if place and knowledge.verdicts else None
    return tell_unsettled(place, verdict) if place and verdict else ""
