"""An identifier of the entry leads to another work."""

from citelsp.bibliography import repair
from citelsp.bibliography.compare import compare
from citelsp.bibliography.identifiers import CALLED
from citelsp.bibliography.record import Record
from citelsp.bibliography.render import formatted
from citelsp.checks.finding import Check, Finding, Fix
from citelsp.checks.verdicts import NOT_LISTED, edit_of, field_span, fix, is_this_version, judged, named
from citelsp.knowledge import Knowledge, Traced, Verdict
from citelsp.workspace.project import Place, Project

CODE = "identifier-conflict"
FIELDS = {"doi": "doi", "arxiv": "eprint"}


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return [
        _finding(place, verdict, traced, traced.record)
        for place, verdict in judged(project, knowledge)
        for traced in verdict.traced
        if traced.leads == "elsewhere" and traced.record
    ]


def _finding(place: Place, verdict: Verdict, traced: Traced, other: Record) -> Finding:
    """An identifier of the entry leads to another work than the entry describes."""
    field = FIELDS.get(traced.name, "")
    subject = f"{NOT_LISTED}; its" if verdict.is_unknown else "The"
    leads = f"{subject} {CALLED[traced.name]} {traced.value} leads to {verdict.call_other(traced)}"
    checked = f"according to {named((traced.source,))} (checked {verdict.date})"
    return Finding(
        CODE,
        place.source.document.path,
        field_span(place, field) if field else place.key_span,
        f"{leads} {checked}: {formatted(other)}",
        key=place.node.key,
        field=field or None,
        cited=traced.value,
        recorded=other.title,
        fixes=corrections(place, verdict, traced),
    )


def corrections(place: Place, verdict: Verdict, traced: Traced) -> tuple[Fix, ...]:
    """The identifier on record instead; if none is, and the work was found, the entry without one."""
    field = FIELDS.get(traced.name, "")
    if not field or not place.source.writable:
        return ()
    right = right_work(place, verdict, traced)
    if right:
        return fix("Replace by the identifier on record", "review", edit_of(place, field, right))
    people = compare(place.entry, traced.record).people if traced.record else None
    if people and people.same and people.shared:
        return ()  # by the cited people: the title may be what is wrong
    if verdict.record is None:
        return ()  # nobody has the work itself: without the identifier nothing would speak against it any more
    edit = repair.removed(place.source.document, place.start, place.entry, field)
    return fix(f"Remove this {CALLED[traced.name]}", "review", edit)


def right_work(place: Place, verdict: Verdict, traced: Traced) -> Record | None:
    """The cited publication of the work as found otherwise, if that has an identifier of this kind."""
    record = verdict.record
    value = getattr(record.identifiers, traced.name, "") if record else ""
    if record is None or not value or value == traced.value:
        return None
    # The DOI of another printing would have the rest of the entry changed after it.
    return record if traced.name != "doi" or is_this_version(place.entry, record) else None


CHECK = Check(CODE, "error", "The entry's DOI, arXiv id or other identifier belongs to a different work.", check)
