"""A verified work with a DOI that the entry does not give."""

from citelsp.bibliography.record import Record
from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import find_judged, is_this_version, make_edit, make_fix
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Place, Project

CODE = "missing-identifier"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        _make_finding(place, verdict.record)
        for place, verdict in find_judged(project, knowledge)
        if verdict.kind == "verified" and verdict.record and _lacks_doi(place, verdict.record)
    ]


def _lacks_doi(place: Place, record: Record) -> bool:
    """True if the record has a DOI, the entry leads to the work by neither DOI nor arXiv id, and both are one version.

    The DOI of another version would lead readers to a text that is not the cited one.  A printed reference lacks
    nothing: many styles print no DOI, though the bibliography gives it.
    """
    if place.entry.printed:
        return False
    own = place.entry.identifiers
    has_none = not own.doi and not own.arxiv
    return bool(record.identifiers.doi) and has_none and is_this_version(place.entry, record)


def _make_finding(place: Place, record: Record) -> Finding:
    """Report at the entry's key that its work has a DOI; the fix adds it, and is safe as nothing else changes."""
    doi = record.identifiers.doi
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        f"This work has a DOI: {doi}",
        key=place.node.key,
        field="doi",
        recorded=doi,
        fixes=make_fix(f"Add the DOI {doi}", "safe", make_edit(place, "doi", record)),
    )


CHECK = Check(CODE, "information", "The work has a DOI, and the entry does not give it.", check)
