"""A verified work with a DOI that the entry does not give."""

from citelsp.bibliography.record import Record
from citelsp.checks.finding import Check, Finding
from citelsp.checks.verdicts import edit_of, fix, is_this_version, judged
from citelsp.knowledge import Knowledge
from citelsp.workspace.project import Place, Project

CODE = "missing-identifier"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        _finding(place, verdict.record)
        for place, verdict in judged(project, knowledge)
        if verdict.kind == "verified" and verdict.record and _lacks_doi(place, verdict.record)
    ]


def _lacks_doi(place: Place, record: Record) -> bool:
    own = place.entry.identifiers
    return bool(record.identifiers.doi) and not own.doi and not own.arxiv and is_this_version(place.entry, record)


def _finding(place: Place, record: Record) -> Finding:
    doi = record.identifiers.doi
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        f"This work has a DOI: {doi}",
        key=place.node.key,
        field="doi",
        recorded=doi,
        fixes=fix(f"Add the DOI {doi}", "safe", edit_of(place, "doi", record)),
    )


CHECK = Check(CODE, "information", "The work has a DOI, and the entry does not give it.", check)
