"""An identifier that, by the word of its registrar, does not exist.

If most identifiers of a list do not exist, the answers are likelier to be wrong than the list: then none is accused,
but of works that nobody has either.
"""

from citelsp.bibliography.identifiers import CALLED
from citelsp.checks.finding import Check, Finding
from citelsp.checks.identifier_conflict import FIELDS, corrections
from citelsp.checks.verdicts import doubtful, field_span, is_unsure, judged, named
from citelsp.knowledge import Knowledge, Traced, Verdict
from citelsp.workspace.project import Place, Project

CODE = "unknown-identifier"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    traced = [(place, verdict) for place, verdict in judged(project, knowledge) if verdict.traced]
    doubted = doubtful(verdict for _, verdict in judged(project, knowledge))
    unknown = [(*it, one) for it in traced for one in it[1].traced if one.leads == "nowhere"]
    unsure = [it for it in unknown if is_unsure(it[1], it[2], doubted)]
    names = sorted({it[2].name for it in unsure})
    sentences = (_doubt(name, [it for it in unsure if it[2].name == name]) for name in names)
    return [*sentences, *(_finding(*it) for it in unknown if not is_unsure(it[1], it[2], doubted))]


def _doubt(name: str, unknown: list[tuple[Place, Verdict, Traced]]) -> Finding:
    place, verdict, traced = unknown[0]
    known = _authority(name)
    return Finding(
        CODE,
        place.source.document.path,
        place.key_span,
        f"According to {known}, {len(unknown)} {CALLED[name]}s of this list do not exist. This points to a mistake of"
        f" the service, so none is reported; try one yourself: {traced.value} (checked {verdict.date}).",
        key=place.node.key,
        severity="information",
    )


def _authority(name: str) -> str:
    return "arXiv" if name == "arxiv" else "doi.org"


def _finding(place: Place, verdict: Verdict, traced: Traced) -> Finding:
    field = FIELDS.get(traced.name, "")
    authority, source = _authority(traced.name), named((traced.source,))
    who = f"{authority} does not know it" if source == authority else f"neither {authority} nor {source} knows it"
    return Finding(
        CODE,
        place.source.document.path,
        field_span(place, field) if field else place.key_span,
        f"The {CALLED[traced.name]} {traced.value} is not registered: {who} (checked {verdict.date}).",
        key=place.node.key,
        field=field or None,
        cited=traced.value,
        fixes=corrections(place, verdict, traced),
    )


CHECK = Check(CODE, "error", "The registrar says that the entry's DOI or arXiv id does not exist.", check)
