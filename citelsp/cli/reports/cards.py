"""The report by reference, gravest first: what the pages to hand on and the tables are made of."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citelsp.base.text import on_one_line
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Finding
from citelsp.checks.verdicts import gravest, name_services, tell_gravest
from citelsp.cli.report_parts import UNASKED, Checked, show_path
from citelsp.cli.reports.naming import place_of
from citelsp.features.verdict_story import tell_identifiers
from citelsp.knowledge import Verdict

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
NOT_LOOKED_UP = "Not looked up"  # the label of a reference that no service was asked about
_GRAVITY = {name: number for number, name in enumerate(LABELS)}
_SEVERITIES = {"error": 0, "warning": 1, "information": 2, "hint": 3}  # by gravity
_NO_FINDING = 4  # behind all of them
_PEOPLE = 12  # names that a report lists


@dataclass(frozen=True, slots=True)
class Card:
    """One reference: as it is cited, what is known of it, and what was found."""

    place: "Place"
    verdict: Verdict
    findings: Sequence[Finding]

    @property
    def path(self) -> str:
        return show_path(self.place.source.document.path)

    @property
    def entry(self) -> Entry:
        return self.place.entry

    @property
    def label(self) -> str:
        """The verdict in words, one of LABELS; NOT_LOOKED_UP if no service was asked.

        A conflict is of another work if an identifier leads to one, else the identifier is unknown.
        """
        if self.verdict == UNASKED:
            return NOT_LOOKED_UP
        leads_elsewhere = any(it.leads == "elsewhere" for it in self.verdict.traced)
        if self.verdict.kind == "conflict" and not leads_elsewhere:
            return LABELS["nowhere"]
        return LABELS[self.verdict.kind]

    @property
    def reasons(self) -> list[str]:
        """Tell in sentences why the verdict is so, where identifiers lead, who was asked and who did not answer.

        A part that the verdict lacks has no sentence.
        """
        verdict = self.verdict
        sentences = []
        reason = verdict.reason
        if verdict.kind == "conflict":  # an identifier leads to another work, or nowhere: `tell_identifiers` says where
            words = tell_gravest(self.entry, verdict)
            reason = words if verdict.is_unknown or words != gravest(verdict) else ""
        if reason:
            sentences.append(on_one_line(f"{reason[:1].upper()}{reason[1:]}."))
        sentences += map(on_one_line, tell_identifiers(verdict))
        if verdict.asked:
            sentences.append(f"Asked: {name_services(verdict.asked)}{f' ({verdict.date})' if verdict.date else ''}.")
        if verdict.unavailable:
            sentences.append(f"No answer from {name_services(verdict.unavailable)}.")
        return sentences


def make_cards(checked: Sequence[Checked]) -> list[Card]:
    """Make a card for each reference that was checked, the gravest first, then in the order of the lists."""
    return sorted((card for of_project in checked for card in _make_cards(of_project)), key=_measure_gravity)


def _measure_gravity(card: Card) -> tuple[int, int]:
    """Return what cards are sorted by: the verdict's rank in LABELS, then that of the worst finding; lower is graver.

    Both kinds of conflict (identifiers of another work, or unknown) have one rank, and so have unchecked references,
    whether somebody was asked or not.
    A reference with a mild verdict (unconfirmed, unchecked, verified) but an error or a warning ranks with those that
    differ from their record: what has to be looked at comes before what is unchecked or verified.
    """
    worst = min((_SEVERITIES.get(it.severity, _NO_FINDING) for it in card.findings), default=_NO_FINDING)
    gravity = _GRAVITY[card.verdict.kind]
    is_mild = gravity >= _GRAVITY["unconfirmed"]
    if is_mild and worst <= _SEVERITIES["warning"]:
        gravity = _GRAVITY["mismatch"]
    return gravity, worst


def _make_cards(of_project: Checked) -> Iterator[Card]:
    """Yield a card for each entry of one project that was to be looked up, with its verdict and the findings about it.

    The verdict is UNASKED if no service was asked.  Findings about no entry, or about one that was not to be looked up,
    are on no card: see `others`.
    """
    findings_about: defaultdict[tuple[str, int], list[Finding]] = defaultdict(list)  # by the entry's path and index
    for finding in of_project.findings:
        place = place_of(of_project.project, finding)
        if place is not None:
            findings_about[place.source.document.path, place.index].append(finding)
    for place, verdict in of_project.verdicts():
        yield Card(place, verdict, findings_about.get((place.source.document.path, place.index), []))


def others(checked: Sequence[Checked], cards: Sequence[Card]) -> list[Finding]:
    """Return the findings about no reference that was checked, such as undefined citations."""
    inside = {id(finding) for card in cards for finding in card.findings}
    return [finding for one in checked for finding in one.findings if id(finding) not in inside]


def count_by_verdict(cards: Sequence[Card]) -> Counter[str]:
    """Count the cards of each label that occurs, the gravest label first."""
    counts = Counter(it.label for it in cards)
    return Counter({label: counts[label] for label in (*LABELS.values(), NOT_LOOKED_UP) if counts[label]})


def people(names: Sequence[object], *, cut: bool = False) -> str:
    """`Devlin, J.; Chang, M.-W. et al.`; `cut`: there are more people than these names."""
    listed = "; ".join(map(str, names[:_PEOPLE]))
    return on_one_line(f"{listed}{' et al.' if cut or len(names) > _PEOPLE else ''}")


def cited_fields(entry: Entry) -> dict[str, str]:
    """Return the fields of the reference as it is cited, by name; those that it lacks are left out.

    A printed reference in which no title was found has its whole line for a title.
    """
    values = {
        "title": entry.title,
        "authors": people(entry.authors, cut=entry.authors_truncated),
        "year": str(entry.year or ""),
        "venue": entry.venue,
        "volume": entry.text("volume"),
        "number": entry.text("number"),
        "pages": entry.text("pages"),
    }
    # In a reference list of a PDF a title may not be found.
    if not values["title"] and entry.printed:
        values["title"] = entry.printed.plain
    return {name: on_one_line(value) for name, value in values.items() if value}


def printed_line(entry: Entry) -> str:
    """Return the whole line of a reference that was read as it is printed, by which readers see what was misread.

    "" for an entry of a bibliography, and if `cited_fields` gives the line as the title.
    """
    return on_one_line(entry.printed.plain) if entry.printed and entry.title else ""


def recorded_fields(record: Record) -> dict[str, str]:
    """Return the fields of a record, named as in `cited_fields`; those that it lacks are left out."""
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
