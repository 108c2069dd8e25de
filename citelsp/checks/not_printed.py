"""What the style of BibTeX in use leaves out, though the entry has it.

A type that the style does not know is printed as @misc is, so `@online` loses its URL and `@thesis` its school.  Of
volume and number of a book, or author and editor, many styles print one.  Of a known type only the address is missed,
where nothing else says where the work is: that plain prints no DOI beside journal and volume is its way.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from citelsp.base.text import Span
from citelsp.bibliography.bst import OF_PROGRAMS, Bst, Treatment
from citelsp.checks.complaints import Complaint, Fact, findings
from citelsp.checks.finding import Check, Finding, Severity
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "not-printed"
# What readers need to find a work; that a style prints no ISBN or language is its taste.
_NEEDED_TO_FIND = (
    "author editor title booktitle journal journaltitle year date school institution publisher organization url doi"
).split()
_FIELDS_OF_PLACE = frozenset(  # that say where a work is
    "url doi howpublished note journal booktitle publisher school institution organization eprint".split()
)

_VENUES = frozenset("journal booktitle publisher school institution".split())
_FREE_FIELDS = ("howpublished", "note")  # where an author may write what he likes


def check(project: Project, _: Knowledge) -> list[Finding]:
    facts = _choose_facts(project)
    return [finding for fact in facts for finding in findings(project, CODE, fact)]


def _choose_facts(project: Project, _: Source | None = None) -> list[Fact]:
    """Return the fact that complains of what the style in use leaves out; [] if the style or its default is unknown."""
    if project.bibtex_style is None:
        return []
    name, style = project.bibtex_style
    return [_make_fact(name, style)] if style.default else []


@lru_cache(maxsize=8)  # one function for a style, as entries keep their answers under the function itself
def _make_fact(name: str, style: Bst) -> Fact:
    def unprinted(node: BibNode) -> tuple[Complaint, ...]:
        return tuple(_complain_of_entry(node, name, style))

    return unprinted


def _complain_of_entry(node: BibNode, name: str, style: Bst) -> Iterator[Complaint]:
    """Yield complaints of what the style called `name` does not print of an entry.

    Nothing of an entry that never ends, or whose type is none of a work, as @xdata or @set (OF_PROGRAMS); nor if it
    cannot be told what the style makes of types that it does not know.
    """
    default = style.of(style.default)
    if node.kind in OF_PROGRAMS or not node.closed or default is None:
        return
    treatment = style.of(node.kind)
    if treatment is None:
        yield _complain_of_type(node, name, style.default, default)
    else:
        yield from _complain_of_excluded(node, name, treatment)
        yield from _complain_of_missing_place(node, name, treatment)


def _complain_of_type(node: BibNode, name: str, default: str, treatment: Treatment) -> Complaint:
    """Complain of a type that the style does not know and prints as `default`; say which fields that loses.

    `name` is the style's, `treatment` what it does with `default`.
    """
    filled = _list_filled(node)
    lost = [field for field in _NEEDED_TO_FIND if field in filled and field not in treatment.fields]
    # With a space behind the @ the key is marked instead.
    begins_with_type = node.source[1:].lower().startswith(node.kind)
    where = Span(1, 1 + len(node.kind)) if begins_with_type else node.key_span
    loss = f", without {_enumerate_fields(lost)}" if lost else ""
    fault = f"{name}.bst does not know @{node.kind}"
    severity: Severity = "usual" if lost else "information"
    return Complaint("", where, fault, bibtex=f"it prints @{default}{loss}", severity=severity)


def _complain_of_excluded(node: BibNode, name: str, treatment: Treatment) -> Iterator[Complaint]:
    filled = _list_filled(node)
    for first, second in treatment.excluding:
        if {first, second} <= filled and "crossref" not in filled:
            field = next(it for it in node.fields() if it.name == second)
            fault = f"{name}.bst wants {first} or {second} of a @{node.kind}, not both"
            yield Complaint(second, field.name_span, fault, bibtex="BibTeX warns, and may leave one out")


def _complain_of_missing_place(node: BibNode, name: str, treatment: Treatment) -> Iterator[Complaint]:
    """Complain if the url is all that says where the work is, and the style does not print it.

    Nothing if the style prints no free field (`note`) in which it could be written, or if it prints a venue of this
    type, whose lack is another check's.  `name` is the style's, `treatment` what it does with the entry's type.
    """
    filled = _list_filled(node) & _FIELDS_OF_PLACE
    free_field = next((field for field in _FREE_FIELDS if field in treatment.fields), "")
    if not free_field or "url" not in filled or "url" in treatment.fields:
        return
    wants_venue = bool(treatment.fields & _VENUES)
    says_place_otherwise = bool(filled & treatment.fields)
    if wants_venue or says_place_otherwise:
        return
    url = next(field for field in node.fields() if field.name == "url")
    fault = f"{name}.bst prints no url of a @{node.kind}"
    advice = rf"write \url{{…}} in {free_field}"
    yield Complaint("url", url.name_span, fault, bibtex=advice, severity="information")


def _list_filled(node: BibNode) -> set[str]:
    return {name for name, value in node.values().items() if value.strip('{}" ')}


def _enumerate_fields(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


CHECK = Check(
    CODE,
    "warning",
    "The BibTeX style in use does not know the type of an entry, or leaves something out that it has.",
    check,
    needs="project",
    facts=_choose_facts,
)
