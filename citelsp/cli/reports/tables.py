"""The report as a table, one row a reference, for spreadsheets; and as Markdown, for a review or an issue."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from citelsp.base.text import on_one_line
from citelsp.checks.verdicts import look
from citelsp.cli.check_report import named
from citelsp.cli.reports import cards, summary
from citelsp.cli.reports.cards import Card
from citelsp.cli.reports.naming import address
from citelsp.features.values import label

if TYPE_CHECKING:
    from citelsp.checks.finding import Finding
    from citelsp.cli.checking import CheckOutcome

_FORMULA = re.compile(r"^[=+\-@\t\r]")
_MARKUP = re.compile(r"[\\`*_\[\]<>|#!~]")
_COMPARED = ("authors", "year", "title", "venue")  # fields, in the order of their columns
_SILENT = frozenset({"Verified", "Unchecked", "Not looked up"})


def as_csv(found: "CheckOutcome") -> str:
    return written(_rows(cards.of(found.checked)))


def written(rows: Iterable[Mapping[str, object]]) -> str:
    """Rows with the names of their first; nothing in them is a formula to a spreadsheet."""
    listed = list(rows)
    out = io.StringIO()
    if listed:
        table = csv.DictWriter(out, list(listed[0]), lineterminator="\n")
        table.writeheader()
        table.writerows({name: _plain(value) for name, value in row.items()} for row in listed)
    return out.getvalue().rstrip("\n")


def _plain(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = on_one_line(value)
    return f"'{text}" if _FORMULA.match(text) else text


def _rows(cards_of_all: Sequence[Card]) -> Iterator[dict[str, object]]:
    """A row for each reference, its cells by the heads of their columns."""
    has_addresses = any(address(it.place) for it in cards_of_all)
    for card in cards_of_all:
        verdict = card.verdict
        as_cited = cards.cited(card.entry)
        as_recorded = cards.recorded(verdict.record) if verdict.record else {}
        row: dict[str, object] = {
            "file": card.path,
            "key": card.place.node.key,
            "verdict": card.label,
            "differs in": ", ".join(it.field for it in verdict.differences),
            "findings": ", ".join(dict.fromkeys(it.code for it in card.findings)),
        }
        for name in _COMPARED:
            row[f"cited {name}"] = as_cited.get(name, "")
        for name in _COMPARED:
            row[f"recorded {name}"] = as_recorded.get(name, "")
        row["doi"] = card.entry.identifiers.doi
        row["arxiv"] = card.entry.identifiers.arxiv
        row["record"] = look(verdict.record)
        if has_addresses:
            row["address"] = address(card.place)
        row["reason"] = verdict.reason
        yield row


def as_markdown(found: "CheckOutcome") -> str:
    """The summary, and what a reader has to look at."""
    every = cards.of(found.checked)
    counts = cards.counted(every)
    names = ", ".join(dict.fromkeys(named(it.path) for it in found.targets))
    lines = [f"## References of {_escaped(names)}", ""]
    outcome = found.unread_sentence() or summary.found(found.checked)
    lines += [f"{it}  " for it in (*summary.verdicts(found.checked), outcome)]
    lines += ["", "| verdict | references |", "|---|--:|", *(f"| {name} | {count} |" for name, count in counts.items())]
    for card in every:
        if card.label not in _SILENT or any(map(_is_serious, card.findings)):
            lines += ["", *_section(card)]
    if sentences := [*found.problems(), *found.notes()]:
        lines += ["", "### Not read or not asked", "", *(f"- {_escaped(it)}" for it in sentences)]
    return "\n".join(lines)


def _section(card: Card) -> Iterator[str]:
    """One reference in Markdown: its title, what differs, what is found and why, and where to look."""
    name = ", ".join(filter(None, (card.place.node.key, label(card.entry))))
    yield f"### {card.label}: {_escaped(name)}"
    yield ""
    title = cards.cited(card.entry).get("title")
    if title:
        yield f"“{_escaped(title)}”"
        yield ""
    for difference in card.verdict.differences:
        detail = f"; {difference.detail}" if difference.detail else ""
        yield f"- {difference.field}: {_escaped(difference.cited)} → {_escaped(difference.recorded + detail)}"
    for finding in card.findings:
        # What is wrong by the services' word the reasons below say too.
        if card.label in _SILENT and _is_serious(finding) and not finding.recorded:
            yield f"- {_escaped(finding.message)}"
    for reason in card.reasons:
        yield f"- {_escaped(reason)}"
    in_zotero = address(card.place)
    if in_zotero:
        yield f"- [Show in Zotero]({in_zotero})"
    record = look(card.verdict.record)
    if record:
        is_plain_address = re.fullmatch(r"https?://[^\s<>]+", record)
        yield f"- <{record}>" if is_plain_address else f"- {_escaped(record)}"


def _is_serious(finding: "Finding") -> bool:
    return finding.severity in ("error", "warning")


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda it: f"\\{it[0]}", on_one_line(text))
