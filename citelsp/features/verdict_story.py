"""How citelsp came to a verdict: who was asked, what was taken for the work, and field by field which rule spoke."""

from collections.abc import Iterator

from citelsp.bibliography.identifiers import CALLED
from citelsp.bibliography.render import formatted
from citelsp.checks.verdicts import named
from citelsp.knowledge import Ruling, Traced, Verdict

_UNREPORTED = ("excuses", "weakens", "is not enough")
_KINDS = {
    "verified": "verified",
    "mismatch": "different from the record",
    "conflict": "an identifier that leads elsewhere or nowhere",
    "not-found": "not found",
    "unconfirmed": "listed nowhere, which proves nothing",
    "retracted": "retracted",
    "unchecked": "unchecked",
}


def story(verdict: Verdict) -> list[str]:
    """Sentences in the order in which things happened."""
    return [*_asked(verdict), *map(_traced, verdict.traced), *_bound(verdict), *_fields(verdict), _end(verdict)]


def unreported(verdict: Verdict) -> list[str]:
    """What some source says against the entry and is not reported, with the reason."""
    agreed = {it.subject for it in verdict.rules if it.effect in ("agrees", "reports", "decides")}
    silent = [it for it in verdict.rules if it.effect in _UNREPORTED and it.subject not in {*agreed, "work"}]
    return [f"Not reported: {it.subject}{_by(it)}. {it.sentence}." for it in silent]


def _asked(verdict: Verdict) -> Iterator[str]:
    if verdict.asked:
        yield f"Asked {verdict.date}: {named(verdict.asked)} answered."
    if verdict.unavailable:
        yield f"No answer from {named(verdict.unavailable)}."
    if not (verdict.asked or verdict.unavailable):
        yield "No service was asked."


def _traced(traced: Traced) -> str:
    where = {"here": "leads to the work", "elsewhere": "leads to another work", "nowhere": "does not exist"}
    other = f": {formatted(traced.record)}" if traced.leads == "elsewhere" and traced.record else ""
    known = f"The {CALLED[traced.name]} {traced.value} {where[traced.leads]}"
    return f"{known} according to {named((traced.source,))}{other}."


def _bound(verdict: Verdict) -> Iterator[str]:
    if verdict.record:
        yield f"Taken for the work: {formatted(verdict.record)}"
    elif verdict.asked:
        yield "No record that came back is this work."
        if verdict.alternatives:
            yield f"The nearest one: {formatted(verdict.alternatives[0])}"
    if holding := verdict.holding:
        works = f"{holding.count} works of {holding.year} from {holding.title}"
        yield f"{named((holding.service,))} has {works}."


def _fields(verdict: Verdict) -> Iterator[str]:
    for ruling in verdict.rules:
        if ruling.subject != "work":
            yield f"{ruling.subject.capitalize()}: {_spoken(ruling)}"
    for ruling in verdict.rules:
        if ruling.subject == "work" and ruling.effect == "excuses":
            yield f"{ruling.sentence}."


def _spoken(ruling: Ruling) -> str:
    who, sentence = named(ruling.sources), ruling.sentence
    match ruling.effect:
        case "agrees":
            return f"{who} {'agrees' if len(ruling.sources) == 1 else 'agree'}."
        case "excuses":
            return f"not compared with {who}. {sentence}."
        case "weakens":
            return f"the word of {who} does not count. {sentence}."
        case "is not enough":
            return f"not reported, though {who} differs. {sentence}."
    return f"reported, as {who} {'says' if len(ruling.sources) == 1 else 'say'}. {sentence}."


def _by(ruling: Ruling) -> str:
    return f" ({named(ruling.sources)})" if ruling.sources else ""


def _end(verdict: Verdict) -> str:
    decisive = next((it.sentence for it in verdict.rules if it.effect == "decides"), "")
    because = f" {decisive}." if decisive else ""
    reason = f": {verdict.reason}" if verdict.reason else ""
    return f"So it is {_KINDS[verdict.kind]}{reason}.{because}"
