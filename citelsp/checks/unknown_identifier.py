"""An identifier that, by the word of its registrar, does not exist."""

from citelsp.bibliography.identifiers import CALLED
from citelsp.checks.finding import Check, Finding
from citelsp.checks.identifier_conflict import FIELDS, corrections
from citelsp.checks.verdicts import field_span, judged, named
from citelsp.knowledge import Knowledge, Traced, Verdict
from citelsp.project import Place, Project

CODE = "unknown-identifier"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        _finding(place, verdict, traced)
        for place, verdict in judged(project, knowledge)
        for traced in verdict.traced
        if traced.leads == "nowhere"
    ]


def _finding(place: Place, verdict: Verdict, traced: Traced) -> Finding:
    field = FIELDS.get(traced.name, "")
    authority, source = "arXiv" if traced.name == "arxiv" else "doi.org", named((traced.source,))
    other = "" if source == authority else f", nor does {source}"
    return Finding(
        CODE,
        place.source.document.path,
        field_span(place, field) if field else place.key_span,
        f"{authority} knows no {CALLED[traced.name]} {traced.value}{other} (asked {verdict.date}).",
        "error",
        key=place.node.key,
        field=field or None,
        cited=traced.value,
        fixes=corrections(place, verdict, traced),
    )


CHECK = Check(CODE, "error", "A DOI or arXiv id does not exist, says its registrar", check)
