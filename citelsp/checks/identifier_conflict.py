"""An identifier of the entry leads to another work."""

from citelsp.bibliography import repair_field
from citelsp.bibliography.identifiers import CALLED
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.bibliography.write_entry import format_work
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.checks.verdicts import NOT_LISTED, field_span, find_judged, make_edit, make_fix, name_services, right_work
from citelsp.knowledge import Knowledge, Traced, Verdict
from citelsp.workspace.project import Place, Project

CODE = "identifier-conflict"
FIELDS = {"doi": "doi", "arxiv": "eprint"}


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    """One finding for each identifier of an entry that was followed and led to another work."""
    return [
        _make_finding(place, verdict, traced, traced.record)
        for place, verdict in find_judged(project, knowledge)
        for traced in verdict.traced
        if traced.leads == "elsewhere" and traced.record
    ]


def _make_finding(place: Place, verdict: Verdict, traced: Traced, other: Record) -> Finding:
    """Say at the identifier's field, or at the key if it has no field of its own, to which work it leads: `other`.

    `traced` is the identifier, with the source that says where it leads.  If no service lists the work of the entry
    itself, the message says that first.  `call_other` writes “another work”, or that it has this title, but others
    wrote it.
    """
    field = FIELDS.get(traced.name, "")
    subject = f"{NOT_LISTED}; its" if verdict.is_unknown else "The"
    leads = f"{subject} {CALLED[traced.name]} {traced.value} leads to {verdict.call_other(traced)}"
    checked = f"according to {name_services((traced.source,))} (checked {verdict.date})"
    return Finding(
        CODE,
        place.source.document.path,
        field_span(place, field) if field else place.key_span,
        f"{leads} {checked}: {format_work(other)}",
        key=place.node.key,
        field=field or None,
        cited=traced.value,
        recorded=other.title,
        fixes=corrections(place, verdict, traced),
    )


def corrections(place: Place, verdict: Verdict, traced: Traced) -> tuple[Fix, ...]:
    """Return the fix for an identifier that leads elsewhere or nowhere: to put the work's own there, else to remove it.

    () if the bibliography cannot be written, if the identifier has no field of its own, if it may be right, or if there
    is none to put there and the work was not found.
    `traced`: the identifier, with the record to which it leads, if any; `verdict`: what was found out about the entry.
    """
    field = FIELDS.get(traced.name, "")
    if not field or not place.source.writable:
        return ()
    right = right_work(place.entry, verdict, traced)
    if right:
        return make_fix("Replace by the identifier on record", "review", make_edit(place, field, right))
    # If it leads to a work of the cited people, the title may be what is wrong.  If nobody has the work itself, nothing
    # would speak against the entry any more without the identifier.
    # `same` says that nobody differs or is moved, `shared` how many people are in both lists.
    people = compare(place.entry, traced.record).people if traced.record else None
    is_by_cited_people = people is not None and people.same and people.shared
    if is_by_cited_people or verdict.record is None:
        return ()
    edit = repair_field.remove_field(place.source.document, place.start, place.entry, field)
    return make_fix(f"Remove this {CALLED[traced.name]}", "review", edit)


CHECK = Check(CODE, "error", "The entry's DOI, arXiv id or other identifier belongs to a different work.", check)
