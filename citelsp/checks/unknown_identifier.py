"""An identifier that, by the word of its registrar, does not exist."""

from citelsp.bibliography.identifiers import CALLED
from citelsp.checks.finding import Check, Finding
from citelsp.checks.identifier_conflict import FIELDS, corrections
from citelsp.checks.verdicts import NOT_LISTED, at_citations, field_span, judged, who_lacks
from citelsp.knowledge import Knowledge, Traced, Verdict
from citelsp.workspace.project import Place, Project

CODE = "unknown-identifier"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    traced = [(place, verdict, one) for place, verdict in judged(project, knowledge) for one in verdict.traced]
    found = [(verdict, _finding(place, verdict, one)) for place, verdict, one in traced if one.leads == "nowhere"]
    invented = [it for verdict, it in found if verdict.is_unknown]
    return [*(it for _, it in found), *at_citations(project, invented)]


def _finding(place: Place, verdict: Verdict, traced: Traced) -> Finding:
    field = FIELDS.get(traced.name, "")
    return Finding(
        CODE,
        place.source.document.path,
        field_span(place, field) if field else place.key_span,
        f"{f'{NOT_LISTED}, and its' if verdict.is_unknown else 'The'} {CALLED[traced.name]} {traced.value} is not"
        f" registered: {who_lacks(traced)} (checked {verdict.date}).",
        key=place.node.key,
        field=field or None,
        cited=traced.value,
        fixes=corrections(place, verdict, traced),
    )


CHECK = Check(CODE, "error", "The registrar says that the entry's DOI or arXiv id does not exist.", check)
