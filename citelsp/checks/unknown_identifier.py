"""An identifier that, by the word of its registrar, does not exist."""

from citelsp.bibliography.identifiers import CALLED
from citelsp.checks.finding import Check, Finding
from citelsp.checks.identifier_conflict import FIELDS, corrections
from citelsp.checks.verdicts import NOT_LISTED, at_citations, field_span, judged, who_lacks
from citelsp.knowledge import Knowledge, Traced, Verdict
from citelsp.workspace.project import Place, Project

CODE = "unknown-identifier"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    of_entries: list[Finding] = []
    invented: list[Finding] = []  # of works that nobody lists, which is told where they are cited, too
    for place, verdict in judged(project, knowledge):
        for traced in verdict.traced:
            if traced.leads == "nowhere":
                finding = _finding(place, verdict, traced)
                of_entries.append(finding)
                if verdict.is_unknown:
                    invented.append(finding)
    return [*of_entries, *at_citations(project, invented)]


def _finding(place: Place, verdict: Verdict, traced: Traced) -> Finding:
    """`The DOI 10.1000/1 is not registered: neither doi.org nor Crossref knows it (checked 2026-05-04).`

    At the field with the identifier; at the key if it stands in another one, such as an address.
    """
    field = FIELDS.get(traced.name, "")
    subject = f"{NOT_LISTED}, and its" if verdict.is_unknown else "The"
    identifier = f"{CALLED[traced.name]} {traced.value}"
    return Finding(
        CODE,
        place.source.document.path,
        field_span(place, field) if field else place.key_span,
        f"{subject} {identifier} is not registered: {who_lacks(traced)} (checked {verdict.date}).",
        key=place.node.key,
        field=field or None,
        cited=traced.value,
        fixes=corrections(place, verdict, traced),
    )


CHECK = Check(CODE, "error", "The registrar says that the entry's DOI or arXiv id does not exist.", check)
