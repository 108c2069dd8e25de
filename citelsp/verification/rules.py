"""What may be said against a field, and why it is not: each field has a list of named rules, and keeps which spoke.

The name of a rule and its docstring are what `citelsp check --explain`, the policy and the measurements show of it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from citelsp.bibliography.tolerant_comparison.outcome import FieldComparison, FieldName
from citelsp.knowledge import Effect, Ruling
from citelsp.verification.evidence import Bound
from citelsp.verification.publications import FRIENDLY
from citelsp.verification.witnesses import EXACT, count_independent


@dataclass(frozen=True, slots=True)
class View:
    """What one record says of the field."""

    bound: Bound
    field: FieldComparison


Views = Sequence[View]
OfOne = Callable[[View], bool]


@dataclass(frozen=True, slots=True)
class Hearing:
    """Who says something of a field, who of them contradicts the entry, and whose word alone may count."""

    views: Views
    against: Views  # that contradict the entry
    witnesses: Views  # of those, the ones whose word counts


OfAll = Callable[[Hearing], bool]


@dataclass(frozen=True, slots=True)
class Proof:
    """A rule that decides on a field once somebody contradicts the entry, and which way."""

    rule: OfAll
    is_enough: bool


@dataclass(frozen=True, slots=True)
class FieldRules:
    """The rules of one field: what a difference in it needs to be reported."""

    field: FieldName
    silent: tuple[OfOne, ...]  # a record of which one holds says nothing against the entry
    weak: tuple[OfOne, ...] = ()  # a record of which one holds is no witness
    proofs: tuple[Proof, ...] = ()  # the first that holds decides; otherwise two witnesses do
    outdone: Callable[[View, Views], bool] = lambda _view, _views: False  # agrees with the entry, and does not count


@dataclass(frozen=True, slots=True)
class Outcome:
    """The difference, if it may be reported, and the rules that decided."""

    difference: FieldComparison | None = None
    rulings: tuple[Ruling, ...] = ()


def decide(rules: FieldRules, bound: Sequence[Bound], *, certain: bool) -> Outcome:
    """Decide whether a field is wrong: the outcome has a difference if so, and the rules that spoke in any case.

    `bound` are the records of the entry's work; a view is one of them with what it says of the field.  Nothing is wrong
    if any record agrees, exactly or nearly, unless all that agree are `outdone`.  Else the rules of the field strike
    first the records that say nothing against the entry (`silent`), then those that are no witnesses (`weak`), and
    decide on what is left (`proofs`).  If `certain` is False, one record left by the first kind of rules is enough: a
    difference then is a suspicion, for which further sources are asked.
    """
    field = rules.field
    views = [View(it, it.comparison.field(field)) for it in bound]
    telling = [it for it in views if it.field.outcome != "unknown"]  # "unknown": nothing could be compared
    # `outdone`: a record that agrees only nearly does not count if another one rules out what the entry says.
    agreeing = [it for it in telling if it.field.outcome in FRIENDLY and not rules.outdone(it, telling)]
    rulings = list_set_aside(field, views)  # the rules by which records were not compared
    if agreeing:
        return Outcome(rulings=(*rulings, *list_agreements(field, agreeing)))

    # FRIENDLY are "same" and "looser" (nearly the same); a record that is `outdone` neither agrees nor contradicts.
    contradicting = [it for it in telling if it.field.outcome not in FRIENDLY]
    rulings += list_open(field, views, rulings)  # why a field of the entry was compared with nothing
    opponents = strike(field, contradicting, rules.silent, "excuses", rulings)
    if not opponents:
        return Outcome(rulings=tuple(rulings))
    if certain:
        witnesses = strike(field, opponents, rules.weak, "weakens", rulings)
        deciding_rule, is_enough = _decide_by_proofs(rules, Hearing(views, opponents, witnesses))
        # If no witness is left, the rules that struck them say already why it is not enough.
        is_explained = not witnesses and deciding_rule == no_second_source.__name__
        if not is_explained:
            effect: Effect = "reports" if is_enough else "is not enough"
            rulings.append(make_ruling(field, deciding_rule, effect, witnesses or opponents))
        if not is_enough:
            return Outcome(rulings=tuple(rulings))
    # What a publication says is shown rather than what a preprint does; of several the first, in the order of `bound`.
    published = [it for it in opponents if not it.bound.is_preprint]
    return Outcome((published or opponents)[0].field, tuple(rulings))


def strike(field: FieldName, views: Views, rules: Iterable[OfOne], effect: Effect, rulings: list[Ruling]) -> list[View]:
    """Return the views on which no rule holds: what records say of a field that may be held against the entry.

    A view that one rule struck is not shown to the next.  Side effect: each rule that struck some is added to
    `rulings`, with its `effect`, such as "excuses", and the sources that it struck.
    """
    remaining = list(views)
    for rule in rules:
        struck: list[View] = []
        others: list[View] = []
        for view in remaining:
            if rule(view):
                struck.append(view)
            else:
                others.append(view)
        if struck:
            rulings.append(make_ruling(field, rule.__name__, effect, struck))
            remaining = others
    return remaining


def _decide_by_proofs(rules: FieldRules, hearing: Hearing) -> tuple[str, bool]:
    """Return the name of the rule that decides, and True if what is said against the entry is enough."""
    for proof in rules.proofs:
        if proof.rule(hearing):
            return proof.rule.__name__, proof.is_enough
    for rule in (two_sources_say_so, one_knows_this_very_version):
        if rule(hearing):
            return rule.__name__, True
    return name_lack_of_proof(hearing.witnesses), False


def name_lack_of_proof(witnesses: Views) -> str:
    """Return the name of the rule by which what these records say against the entry is not enough."""
    are_several = len({it.bound.record.source for it in witnesses}) > 1
    return (aggregators_copy_one_registry if are_several else no_second_source).__name__


def two_sources_say_so(hearing: Hearing) -> bool:
    """At least two sources say so, whatever version of the work they have.

    Two aggregators that lead to one DOI are one source, as both have it from its registry.
    """
    return count_independent(it.bound for it in hearing.witnesses) >= 2


def one_knows_this_very_version(hearing: Hearing) -> bool:
    """One source is enough if the entry's identifier leads to it, or if it is a registry that has the cited place.

    Crossref, DBLP and the ACL Anthology are such registries.  An ISBN leads to what libraries made of a book: they
    shorten its title and name some of its people.
    """
    return any(map(_is_this_version, hearing.witnesses))


def no_second_source(hearing: Hearing) -> bool:
    """One source alone, by a search that may have found another version, accuses nobody."""
    return not (two_sources_say_so(hearing) or one_knows_this_very_version(hearing))


def aggregators_copy_one_registry(hearing: Hearing) -> bool:
    """Aggregators that lead to one DOI have it from its registry: they are one source, which accuses nobody."""
    return no_second_source(hearing) and len({it.bound.record.source for it in hearing.witnesses}) > 1


def _is_this_version(view: View) -> bool:
    bound = view.bound
    if bound.is_of_the_preprint:  # a preprint server's own record, while the entry says where the work was published
        return False
    if bound.by not in ("title", "isbn"):
        return True
    venue, *place = (bound.comparison.outcome(name) for name in ("venue", "pages", "volume"))
    return bound.record.source in EXACT and (venue in FRIENDLY or "same" in place)


def list_set_aside(field: FieldName, views: Views) -> list[Ruling]:
    """List the rules of comparison by which what records say of the field is not held against the entry."""
    aside = [it for it in views if it.field.rule and it.field.outcome == "unknown"]
    names = dict.fromkeys(it.field.rule for it in aside)
    return [make_ruling(field, name, "not compared", (it for it in aside if it.field.rule == name)) for name in names]


def list_open(field: FieldName, views: Views, known: Sequence[Ruling] = ()) -> list[Ruling]:
    """Return the rule that says why a field of the entry was compared with nothing; empty if `known` says it."""
    is_stated = any(it.field.cited for it in views)
    if known or not is_stated:
        return []
    rule = next((it for it in OPEN if it(views)), None)
    return [Ruling(field, rule.__name__, "leaves open")] if rule else []


def no_record_tells_it(views: Views) -> bool:
    """No record that was found has a value to compare."""
    return not any(it.field.recorded for it in views)


def records_tell_it_otherwise(views: Views) -> bool:
    """What the records give is neither the same nor surely another: an abbreviation, a series, a name of its own."""
    return all(it.field.outcome == "unknown" for it in views)


def only_the_other_version_was_found(views: Views) -> bool:
    """One is the preprint and the other the publication: each has a venue of its own, and neither proves the other."""
    return all(it.field.outcome in ("unknown", "preprint") for it in views)


OPEN = (no_record_tells_it, records_tell_it_otherwise, only_the_other_version_was_found)


def make_ruling(subject: str, rule: str, effect: Effect, views: Iterable[View]) -> Ruling:
    """Make the ruling of a rule, with the sources of the records on which it holds, each once."""
    return Ruling(subject, rule, effect, tuple(dict.fromkeys(it.bound.record.source for it in views)))


def list_agreements(field: FieldName, views: Views) -> list[Ruling]:
    """List who confirms the field, and who of the others gives a value that is only near it, by which rule."""
    exact = [it for it in views if not is_near_enough(it)]
    confirming = {it.bound.record.source for it in exact}
    near: dict[str, list[View]] = {}
    for view in views:
        if view.bound.record.source not in confirming:
            near.setdefault(view.field.rule or is_near_enough.__name__, []).append(view)

    found = [make_ruling(field, "", "agrees", exact)] if exact else []
    return [*found, *(make_ruling(field, rule, "agrees", theirs) for rule, theirs in near.items())]


def is_near_enough(view: View) -> bool:
    """A year one off, or a title, venue or place that is written otherwise: near enough to be no difference."""
    return view.field.outcome == "looser"
