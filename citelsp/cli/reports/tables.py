"""The report as a table, one row a reference, for spreadsheets; and as Markdown, for a review or an issue."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from citelsp.base.text import on_one_line
from citelsp.checks.finding import SERIOUS
from citelsp.checks.verdicts import find_address
from citelsp.cli.report_parts import show_path
from citelsp.cli.reports import cards, summary
from citelsp.cli.reports.cards import NOT_LOOKED_UP, Card
from citelsp.cli.reports.naming import address
from citelsp.features.values import label

if TYPE_CHECKING:
    from citelsp.checks.finding import Finding
    from citelsp.cli.check_outcome import CheckOutcome

_FORMULA = re.compile(r"^[=+\-@\t\r]")  # the beginning of a cell that spreadsheets compute
_MARKUP = re.compile(r"[\\`*_\[\]<>|#!~@]")  # an @ would cite, also to citelsp if it checks the folder again
_COMPARED = ("authors", "year", "title", "venue")  # fields, in the order of their columns
# A reference of these labels has a section only if something serious is found.
_UNREMARKABLE = frozenset({"Verified", "Unchecked", NOT_LOOKED_UP})


def as_csv(outcome: "CheckOutcome") -> str:
    return write_csv(_make_rows(cards.make_cards(outcome.checked)))


def write_csv(rows: Iterable[Mapping[str, object]]) -> str:
    """Write rows as CSV, with the names of the first row as heads; "" without rows, and no heads either.

    All rows need the same names.  A value that a spreadsheet would take for a formula is made harmless.
    """
    listed = list(rows)
    out = io.StringIO()
    if listed:
        table = csv.DictWriter(out, list(listed[0]), lineterminator="\n")
        table.writeheader()
        for row in listed:
            table.writerow({name: _make_plain(value) for name, value in row.items()})
    return out.getvalue().rstrip("\n")


def _make_plain(value: object) -> object:
    """Put a text on one line, behind an apostrophe if a spreadsheet would compute it; leave other values alone."""
    if not isinstance(value, str):
        return value
    text = on_one_line(value)
    return f"'{text}" if _FORMULA.match(text) else text


def _make_rows(cards_of_all: Sequence[Card]) -> Iterator[dict[str, object]]:
    """Yield a row for each reference: its cells by the heads of their columns; "" for what it or its record lacks.

    If any entry has an address that shows it in Zotero, all rows have that column; if none has, no row.
    """
    # All rows of a table need the same columns.
    has_addresses = any(address(it.place) for it in cards_of_all)
    for card in cards_of_all:
        verdict = card.verdict
        as_cited = cards.cited_fields(card.entry)
        as_recorded = cards.recorded_fields(verdict.record) if verdict.record else {}
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
        row["record"] = find_address(verdict.record)
        if has_addresses:
            row["address"] = address(card.place)
        row["reason"] = verdict.reason
        yield row


def as_markdown(outcome: "CheckOutcome") -> str:
    """Write the report in Markdown: the summary, findings about no reference, sections for references, and notes.

    Of the findings only errors and warnings are written.  A reference has a section if its label tells of trouble, such
    as "Not found", or if it has an error or a warning.  Notes say what kept the check from finishing, and what was not
    looked at.
    """
    every = cards.make_cards(outcome.checked)
    counts = cards.count_by_verdict(every)
    names = ", ".join(dict.fromkeys(show_path(it.path) for it in outcome.targets))
    # How much was found; but if something that was named could not be read, that counts more.
    findings = outcome.unread_sentence() or summary.found(outcome.checked)
    lines = [f"## References of {_escape(names)}", ""]
    # Two spaces end a line within a paragraph.
    lines += [f"{sentence}  " for sentence in (*summary.verdicts(outcome.checked), findings)]
    if every:
        lines += ["", "| verdict | references |", "|---|--:|"]
        lines += [f"| {label_} | {count} |" for label_, count in counts.items()]
    of_manuscript = list(filter(_is_serious, cards.others(outcome.checked, every)))
    if of_manuscript:
        lines += ["", "### In the manuscript", ""]
        lines += [f"- {it.severity}: {_escape(f'{it.message} ({show_path(it.path)})')}" for it in of_manuscript]
    for card in every:
        if card.label not in _UNREMARKABLE or any(map(_is_serious, card.findings)):
            lines += ["", *_write_section(card)]
    unread = [*outcome.problems(), *outcome.notes()]
    if unread:
        lines += ["", "### Not read or not asked", "", *(f"- {_escape(it)}" for it in unread)]
    return "\n".join(lines)


def _write_section(card: Card) -> Iterator[str]:
    """Write one reference in Markdown: its title, what differs, what is found and why, and where to look.

    Of the findings only errors and warnings are written, and only those that the reasons below do not say again.
    """
    name = ", ".join(filter(None, (card.place.node.key, label(card.entry))))
    yield f"### {card.label}: {_escape(name)}"
    yield ""
    title = cards.cited_fields(card.entry).get("title")
    if title:
        yield f"“{_escape(title)}”"
        yield ""
    printed = cards.printed_line(card.entry)
    if printed:
        yield f"- As printed: {_escape(printed)}"
    for difference in card.verdict.differences:
        detail = f"; {difference.detail}" if difference.detail else ""
        yield f"- {difference.field}: {_escape(difference.cited)} → {_escape(difference.recorded + detail)}"
    for finding in card.findings:
        # The reasons below say again what services found (`recorded`), and explain any label that tells of trouble.
        stands_below = card.label not in _UNREMARKABLE or finding.recorded
        if _is_serious(finding) and not stands_below:
            yield f"- {_escape(finding.message)}"
    for reason in card.reasons:
        yield f"- {_escape(reason)}"
    in_zotero = address(card.place)
    if in_zotero:
        yield f"- [Show in Zotero]({in_zotero})"
    record_page = find_address(card.verdict.record)
    if record_page:
        # With spaces or angle brackets in it, an address could smuggle markup into the report.
        is_plain_address = re.fullmatch(r"https?://[^\s<>]+", record_page)
        yield f"- <{record_page}>" if is_plain_address else f"- {_escape(record_page)}"


def _is_serious(finding: "Finding") -> bool:
    return finding.severity in SERIOUS


def _escape(text: str) -> str:
    return _MARKUP.sub(lambda it: f"\\{it[0]}", on_one_line(text))
