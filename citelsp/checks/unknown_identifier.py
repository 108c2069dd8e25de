"""An identifier that, by the word of its registrar, does not exist."""

from citelsp.base.settings import SERVICES
from citelsp.bibliography.identifiers import CALLED
from citelsp.checks.finding import Check, Finding
from citelsp.checks.identifier_conflict import FIELDS, corrections
from citelsp.checks.verdicts import (
    NOT_LISTED,
    at_citations,
    field_span,
    find_judged,
    is_found_otherwise,
    right_work,
    tell_own_identifier,
    title,
    who_lacks,
)
from citelsp.knowledge import Knowledge, Traced, Verdict
from citelsp.workspace.project import Place, Project

CODE = "unknown-identifier"


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    of_entries: list[Finding] = []
    invented: list[Finding] = []  # of works that nobody lists, which is told where they are cited, too
    for place, verdict in find_judged(project, knowledge):
        for traced in verdict.traced:
            if traced.leads == "nowhere":
                finding = _make_finding(place, verdict, traced)
                of_entries.append(finding)
                if verdict.is_unknown:
                    invented.append(finding)
    return [*of_entries, *at_citations(project, invented)]


def _make_finding(place: Place, verdict: Verdict, traced: Traced) -> Finding:
    """Report at the identifier's field, or at the key if it stands elsewhere, as in a URL, that it does not exist.

    `traced` is the identifier, with where it leads; `verdict` what was found out about the entry at `place`.  The fix
    puts the work's own identifier there, if it is known; else it removes this one, if the work was found.
    """
    field = FIELDS.get(traced.name, "")
    right = right_work(place.entry, verdict, traced)
    return Finding(
        CODE,
        place.source.document.path,
        field_span(place, field) if field else place.key_span,
        f"{_write_message(place, verdict, traced)} (checked {verdict.date}).",
        key=place.node.key,
        field=field or None,
        cited=traced.value,
        recorded=getattr(right.identifiers, traced.name) if right else None,
        fixes=corrections(place, verdict, traced),
    )


def _write_message(place: Place, verdict: Verdict, traced: Traced) -> str:
    """Write `The DOI 10.1000/1 is not registered: neither doi.org nor Crossref knows it`, and what the work's own is.

    `traced` is the wrong identifier.  If no service lists the work, the message says so first.  If the work was found,
    it says that it exists; if with another identifier of this kind, it gives that, with its source if that is known,
    and leaves out who does not know the wrong one.
    """
    identifier = f"{CALLED[traced.name]} {traced.value} is not registered"
    lacking = f"{identifier}: {who_lacks(traced)}"
    if verdict.is_unknown:
        return f"{NOT_LISTED}, and its {lacking}"
    if not is_found_otherwise(verdict):
        return f"The {lacking}"
    known = tell_own_identifier(place.entry, verdict, traced)
    right = right_work(place.entry, verdict, traced)
    if right is None:
        return f"The {lacking}; {known}"
    value = getattr(right.identifiers, traced.name)
    sources = [record.source for record in verdict.records if getattr(record.identifiers, traced.name) == value]
    source = next(iter(sources), right.source)
    if source not in SERVICES:  # several records were merged, and a verdict of before does not say which has it
        return f"The {identifier}; {known}"
    return f"The {identifier}; {known} according to {title(source)}"


CHECK = Check(CODE, "error", "The registrar says that the entry's DOI or arXiv id does not exist.", check)
