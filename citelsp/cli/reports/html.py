"""The report as one page to hand on: no script, no outside address loaded, everything from outside as text alone.

Readers filter by boxes that style sheets read; a browser that cannot shows all.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from citelsp.base.text import on_one_line, still
from citelsp.bibliography.record import Record
from citelsp.checks.finding import SERIOUS, Finding
from citelsp.checks.verdicts import find_address, name_services
from citelsp.cli.report_parts import show_path
from citelsp.cli.reports import cards, summary
from citelsp.cli.reports.cards import LABELS, NOT_LOOKED_UP, Card
from citelsp.cli.reports.naming import address
from citelsp.features.popup_of_work import links
from citelsp.features.values import label
from citelsp.knowledge import Difference

if TYPE_CHECKING:
    from citelsp.cli.check_outcome import CheckOutcome

# No script runs, and nothing is loaded from anywhere.
_CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
# Of style sheets, by the labels of cards.
_CLASSES = {name: name.lower().replace(" ", "-") for name in (*LABELS.values(), NOT_LOOKED_UP)}
_NAMED = 3  # documents in the heading
_NEAREST = 2  # works that are named as what may be meant
_STYLE = """
:root{color-scheme:light dark;--ink:#1c1d21;--dim:#5a5d66;--paper:#fff;--edge:#d9dbe1;--soft:#f4f5f7;--bad:#a8201a;
--odd:#8a5a00;--good:#1a6b38;--mark:#fde8e6;--link:#1d4f91}
@media (prefers-color-scheme:dark){:root{--ink:#e8e9ed;--dim:#a5a8b3;--paper:#17181c;--edge:#383a43;--soft:#202228;
--bad:#ff9a92;--odd:#f0c060;--good:#7fd6a0;--mark:#4a2320;--link:#9cc4ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:62rem;padding:1.5rem 1rem 4rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:0}
p,ul,dl{margin:.4rem 0}ul{padding-left:1.2rem}a{color:var(--link)}.dim{color:var(--dim)}
.bar{display:flex;height:.8rem;border-radius:.4rem;overflow:hidden;background:var(--soft);margin:1rem 0 .6rem}
.bar i{display:block;min-width:3px}
.boxes{display:flex;flex-wrap:wrap;gap:.4rem .9rem;border:0;padding:0;margin:0 0 1rem}
.boxes legend{padding:0;margin-bottom:.3rem}.boxes label{display:flex;gap:.35rem;align-items:center;cursor:pointer}
.boxes input{width:1.05rem;height:1.05rem;accent-color:var(--link)}
.card{border:1px solid var(--edge);border-left:.35rem solid var(--edge);border-radius:.4rem;padding:.8rem 1rem;
margin:0 0 .9rem;break-inside:avoid}
.top{display:flex;flex-wrap:wrap;gap:.2rem .8rem;align-items:baseline;justify-content:space-between}
.verdict{font-weight:600;font-size:.9rem}
table{border-collapse:collapse;width:100%;margin:.6rem 0;font-size:.95rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;border-top:1px solid var(--edge)}
table{table-layout:fixed;overflow-wrap:anywhere}
thead td,th[scope=row]{width:5.5rem;font-weight:400;color:var(--dim)}
tr.differs td:nth-of-type(1){background:var(--mark)}
tr.differs th::after{content:" \\2260";color:var(--bad);font-weight:700}
summary{cursor:pointer;color:var(--dim)}summary:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid
var(--link);outline-offset:2px}
.retracted,.identifier-of-another-work,.unknown-identifier,.not-found{border-left-color:var(--bad)}
.differs-from-the-record{border-left-color:var(--odd)}.verified{border-left-color:var(--good)}
.retracted .verdict,.identifier-of-another-work .verdict,.unknown-identifier .verdict,
.not-found .verdict,.error{color:var(--bad)}
.differs-from-the-record .verdict,.warning{color:var(--odd)}.verified .verdict{color:var(--good)}
i.retracted,i.identifier-of-another-work,i.unknown-identifier,i.not-found{background:var(--bad)}i.differs-from-the-record{background:
var(--odd)}i.verified{background:var(--good)}i.listed-nowhere,i.unchecked,i.not-looked-up{background:var(--dim)}
@media (max-width:38rem){body{padding:1rem .75rem 3rem}table,tbody,tr,th,td{display:block;width:auto}thead{display:none}
th[scope=row]{width:auto;border-top:1px solid var(--edge);padding-bottom:0}td{border:0;padding-top:.1rem}
td::before{content:attr(data-of) ": ";color:var(--dim)}}
@media print{:root{color-scheme:light}body{max-width:none;font-size:11pt}.boxes{display:none}details{display:block}
.card{border-color:#999}a{color:inherit}}
"""


def render(outcome: "CheckOutcome") -> str:
    """Write the report of a check as one page: totals, what was not read, findings about no reference, and cards.

    There is a card for each reference, the gravest first.  Check boxes show and hide the cards of a label, such as “Not
    found”.  The page loads nothing from elsewhere and runs no script, as what it quotes may be hostile.
    """
    every = cards.make_cards(outcome.checked)
    counts = cards.count_by_verdict(every)  # by label, gravest first
    present = list(counts)
    heading = _escape_text(_write_heading(outcome))
    summary_lines = [*summary.verdicts(outcome.checked), _write_findings_line(outcome)]
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_CONTENT_POLICY}">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{heading}</title><style>{_STYLE}{_write_filter_rules(present)}</style></head><body>",
        f"<header><h1>{heading}</h1>",
    ]
    lines += [f'<p class="dim">{_escape_text(it)}</p>' for it in summary_lines]
    lines += _write_bar(counts, present, len(every))
    lines.append("</header><main>")
    lines += _list_unread(outcome)
    lines += _write_manuscript_findings(cards.others(outcome.checked, every))  # errors and warnings that no card has
    if every:
        lines.append("<h2>References</h2>")
    for number, card in enumerate(every, start=1):
        lines += _write_card(card, number)
    lines.append("</main></body></html>")
    return "\n".join(lines)


def _write_filter_rules(labels: Sequence[str]) -> str:
    """Rules of the style sheet that hide all cards of a label while its box (see `_write_bar`) is not checked."""
    names = [_CLASSES[label_] for label_ in labels]
    return "".join(f"body:has(#f-{name}:not(:checked)) .card.{name}{{display:none}}" for name in names)


def _write_heading(outcome: "CheckOutcome") -> str:
    names = list(dict.fromkeys(show_path(it.path) for it in outcome.targets))
    if not names:
        return "References"
    return f"References of {', '.join(names[:_NAMED])}{' and others' if len(names) > _NAMED else ''}"


def _write_findings_line(outcome: "CheckOutcome") -> str:
    return outcome.unread_sentence() or f"{summary.found(outcome.checked)}."


def _escape_text(value: object) -> str:
    return escape(still(str(value)), quote=True)


def _write_bar(counts: dict[str, int], present: Sequence[str], total: int) -> Iterator[str]:
    """Write a bar of how many cards have each label, and check boxes that show and hide them.

    `present`: the labels that occur, in their order.  Nothing is written if `total`, the number of cards, is 0.  The
    ids of the boxes, `f-not-found`, are those by which the rules of `_write_filter_rules` hide the cards.
    """
    if not total:
        return
    described = ", ".join(f"{counts[label_]} {label_.lower()}" for label_ in present)
    shares = "".join(f'<i class="{_CLASSES[label_]}" style="flex:{counts[label_]}"></i>' for label_ in present)
    yield f'<div class="bar" role="img" aria-label="{_escape_text(described)}">{shares}</div>'
    boxes = ""
    for label_ in present:
        box = f'<input type="checkbox" id="f-{_CLASSES[label_]}" checked>'
        boxes += f"<label>{box}{_escape_text(label_)} ({counts[label_]})</label>"
    yield f'<fieldset class="boxes"><legend>Show</legend>{boxes}</fieldset>'


def _list_unread(outcome: "CheckOutcome") -> Iterator[str]:
    """Write what kept the check from finishing, and what was not looked at."""
    sentences = [*outcome.problems(), *outcome.notes()]
    if sentences:
        items = "".join(f"<li>{_escape_text(it)}</li>" for it in sentences)
        yield f"<section><h2>Not read or not asked</h2><ul>{items}</ul></section>"


def _write_manuscript_findings(findings: Sequence[Finding]) -> Iterator[str]:
    serious = [it for it in findings if it.severity in SERIOUS]
    if serious:
        items = "".join(f"<li>{_write_finding(it)}</li>" for it in serious)
        yield f"<section><h2>In the manuscript</h2><ul>{items}</ul></section>"


def _write_finding(finding: Finding) -> str:
    where = f" <span class='dim'>{_escape_text(show_path(finding.path))}</span>"
    kind = f'<strong class="{_escape_text(finding.severity)}">{_escape_text(finding.severity)}</strong>'
    return f"{kind}: {_escape_text(finding.message)}{where}"


def _write_card(card: Card, number: int) -> Iterator[str]:
    """Write one reference: its name and verdict, its fields as cited and as recorded, findings, links and reasons.

    Of the findings only errors and warnings are written, and only those that the table of fields does not show.
    `number`: its place on the page, by which its heading is labelled.
    """
    name = " · ".join(filter(None, (on_one_line(card.place.node.key), label(card.entry))))
    yield f'<article class="card {_CLASSES[card.label]}" aria-labelledby="r{number}">'
    heading = f'<h3 id="r{number}">{_escape_text(name)}</h3>'
    yield f'<div class="top">{heading}<span class="verdict">{_escape_text(card.label)}</span></div>'
    yield from _write_comparison(card)
    printed = cards.printed_line(card.entry)
    if printed:
        yield f'<p class="dim">As printed: {_escape_text(printed)}</p>'
    differing = {difference.field for difference in card.verdict.differences}
    for finding in card.findings:
        # A field that differs is marked in the table already; an identifier has no row there.
        is_in_table = finding.field in differing
        if finding.severity in SERIOUS and not is_in_table:
            yield f"<p>{_write_finding(finding)}</p>"
    yield from _write_links(card)
    reasons = [*card.reasons, *_write_alternatives(card)]
    if reasons:
        items = "".join(f"<li>{_escape_text(it)}</li>" for it in reasons)
        yield f"<details><summary>Why</summary><ul>{items}</ul></details>"
    yield "</article>"


def _write_comparison(card: Card) -> Iterator[str]:
    """Write a table of the fields as cited, beside those of the record if there is one; fields that differ are marked.

    It has rows for the fields that `cited_fields` finds in the entry, and for those that differ beyond these, such
    as a publisher.  Without a record the other column is left out.
    """
    cited = cards.cited_fields(card.entry)
    recorded = cards.recorded_fields(card.verdict.record) if card.verdict.record else {}
    differences = {it.field: it for it in card.verdict.differences}
    titles = ["As cited", "As recorded"] if recorded else ["As cited"]
    heads = "".join(f'<th scope="col">{title}</th>' for title in titles)
    yield f"<table><thead><tr><td></td>{heads}</tr></thead><tbody>"
    for name in dict.fromkeys((*cited, *differences)):
        as_recorded = recorded.get(name, "") if recorded else None
        difference = differences.get(name)
        as_cited = cited.get(name) or (difference.cited if difference else "")
        yield _write_row(name, as_cited, as_recorded, difference)
    yield "</tbody></table>"


def _write_row(name: str, cited: str, recorded: str | None, difference: Difference | None) -> str:
    """Write the row of one field; `recorded` is "" if the record lacks the field, None if there is no record.

    Without a record there is no column for it, and no cell.  But a field that differs always has the second cell: what
    the record has, or if it lacks the field what the `difference` has, and the sources that say so.
    """
    cells = f'<td data-of="Cited">{_escape_text(cited) or "–"}</td>'
    if difference:
        sources = ""
        if difference.sources:
            sources = f' <span class="dim">({_escape_text(name_services(difference.sources))})</span>'
        detail = f"<br>{_escape_text(difference.detail)}" if difference.detail else ""
        cells += f'<td data-of="Recorded">{_escape_text(recorded or difference.recorded)}{sources}{detail}</td>'
    elif recorded is not None:
        cells += f'<td data-of="Recorded">{_escape_text(recorded) or "–"}</td>'
    return f'<tr{" class=differs" if difference else ""}><th scope="row">{_escape_text(name)}</th>{cells}</tr>'


def _write_links(card: Card) -> Iterator[str]:
    """Write links by which a reader can see for himself: to Zotero, to the pages of identifiers, to the record.

    The record's page may repeat that of the DOI as cited, under its own name.  Nothing is written if there is no link.
    """
    pages = [(f"{it.label} as cited", it.url) for it in links(card.entry.identifiers)]
    record_page = find_address(card.verdict.record)
    if record_page:
        pages.append(("The record", record_page))
    anchors = []
    in_zotero = address(card.place)
    if in_zotero:
        anchors.append(f'<a href="{_escape_text(in_zotero)}">Show in Zotero</a>')
    for name, url in dict.fromkeys(pages):
        if url.startswith(("https://", "http://")):  # an entry may hold `javascript:…`
            anchors.append(f'<a href="{_escape_text(url)}" rel="noopener noreferrer external">{_escape_text(name)}</a>')
    if anchors:
        yield f"<p>{' · '.join(anchors)}</p>"


def _write_alternatives(card: Card) -> list[str]:
    return [on_one_line(f"The nearest work: {_name_work(record)}.") for record in card.verdict.alternatives[:_NEAREST]]


def _name_work(record: Record) -> str:
    """`Lee, Roe (2020), “On Trout”`, without what the record lacks."""
    by = " ".join(filter(None, (cards.people(record.authors), f"({record.year})" if record.year else "")))
    return ", ".join(filter(None, (by, f"“{record.title}”")))
