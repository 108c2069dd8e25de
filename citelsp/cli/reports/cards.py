"""The report by reference, gravest first: what the pages to hand on and the tables are made of."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citelsp.base.text import on_one_line
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Finding
from citelsp.checks.verdicts import named, title
from citelsp.cli.check_report import UNASKED, Checked
from citelsp.cli.check_report import named as path_named
from citelsp.cli.reports.naming import place_of
from citelsp.knowledge import Traced, Verdict

if TYPE_CHECKING:
    from citelsp.workspace.project import Place

# Gravest first: what readers of a report look at before anything else.
LABELS = {
    "retracted": "Retracted",
    "conflict": "Identifier of another work",
    "nowhere": "Unknown identifier",
    "not-found": "Not found",
    "mismatch": "Differs from the record",
    "unconfirmed": "Listed nowhere",
    "unchecked": "Unchecked",
    "verified": "Verified",
}
_LEADS = {"here": "leads to this work", "elsewhere": "leads to another work", "nowhere": "does not exist"}
_GRAVITY = {name: number for number, name in enumerate(LABELS)}
_SEVERITIES = {"error": 0, "warning": 1, "information": 2, "hint": 3}


@dataclass(frozen=True, slots=True)
class Card:
    """One reference: as it is cited, what is known of it, and what was found."""

    place: "Place"
    verdict: Verdict
    findings: Sequence[Finding]

    @property
    def path(self) -> str:
        return path_named(self.place.source.document.path)

    @property
    def entry(self) -> Entry:
        return self.place.entry

    @property
    def label(self) -> str:
        if self.verdict == UNASKED:
            return "Not looked up"
        astray = any(it.leads == "elsewhere" for it in self.verdict.traced)
        return LABELS["nowhere" if self.verdict.kind == "conflict" and not astray else self.verdict.kind]

    @property
    def reasons(self) -> list[str]:
        """The story of the verdict, a sentence each: why, where identifiers lead, who was asked and who was silent."""
        verdict = self.verdict
        found = [on_one_line(f"{verdict.reason[:1].upper()}{verdict.reason[1:]}.")] if verdict.reason else []
        found += [on_one_line(_traced(it)) for it in verdict.traced]
        if verdict.asked:
            found.append(f"Asked: {named(verdict.asked)}{f' ({verdict.date})' if verdict.date else ''}.")
        if verdict.unavailable:
            found.append(f"No answer from {named(verdict.unavailable)}.")
        return found


def _traced(traced: Traced) -> str:
    return f"{traced.name.upper()} {traced.value} {_LEADS[traced.leads]}, according to {title(traced.source)}."


def of(checked: Sequence[Checked]) -> list[Card]:
    """One for each reference that was checked, gravest first, then in the order of the lists."""
    return sorted((card for one in checked for card in _cards(one)), key=_gravity)


def _gravity(card: Card) -> tuple[int, int]:
    worst = min((_SEVERITIES.get(it.severity, 4) for it in card.findings), default=4)
    verdict = _GRAVITY[card.verdict.kind]
    return (verdict if verdict < _GRAVITY["unconfirmed"] else _GRAVITY["mismatch"] if worst < 2 else verdict), worst


def _cards(one: Checked) -> Iterator[Card]:
    about: defaultdict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in one.findings:
        if (place := place_of(one.project, finding)) is not None:
            about[place.source.document.path, place.index].append(finding)
    for place, verdict in one.verdicts():
        yield Card(place, verdict, about.get((place.source.document.path, place.index), []))


def others(checked: Sequence[Checked], cards: Sequence[Card]) -> list[Finding]:
    """The findings about no reference that was checked, such as undefined citations."""
    inside = {id(finding) for card in cards for finding in card.findings}
    return [finding for one in checked for finding in one.findings if id(finding) not in inside]


def counted(cards: Sequence[Card]) -> Counter[str]:
    return Counter(it.label for it in cards)


def people(names: Sequence[object], *, cut: bool = False) -> str:
    listed = "; ".join(map(str, names[:12]))
    return on_one_line(f"{listed}{' et al.' if cut or len(names) > 12 else ''}")


def cited(entry: Entry) -> dict[str, str]:
    """The reference as it is cited, by the names of fields."""
    values = {
        "title": entry.title,
        "authors": people(entry.authors, cut=entry.authors_truncated),
        "year": str(entry.year or ""),
        "venue": entry.venue,
        "volume": entry.text("volume"),
        "number": entry.text("number"),
        "pages": entry.text("pages"),
    }
    if not values["title"] and entry.printed:
        values["title"] = entry.printed.plain
    return {name: on_one_line(value) for name, value in values.items() if value}


def recorded(record: Record) -> dict[str, str]:
    values = {
        "title": record.title,
        "authors": people(record.authors, cut=not record.authors_complete),
        "year": str(record.year or ""),
        "venue": record.venue,
        "volume": record.volume,
        "number": record.issue,
        "pages": record.pages,
    }
    return {name: on_one_line(value) for name, value in values.items() if value}
