"""The report as a page, as a table and as Markdown."""

import csv
import re
from html.parser import HTMLParser
from typing import get_args

import pytest

import marks
from citelsp import checks
from citelsp.bibliography.entry import fingerprint
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.cli import desk
from citelsp.cli.check_outcome import CheckOutcome
from citelsp.cli.report_parts import Checked
from citelsp.cli.reports import cards, html, tables
from citelsp.cli.targets import Target
from citelsp.knowledge import Difference, Knowledge, Traced, Verdict, VerdictKind

EVIL = "<script>alert(1)</script><img src=https://evil.example/x onerror=alert(2)>\u202eevil"
BIB = f"""
%% refs.bib
@article{{good, author = {{Knuth, Donald E.}}, title = {{Literate Programming}}, journal = {{The Computer Journal}},
  year = 1984, doi = {{10.1093/comjnl/27.2.97}}}}
@article{{lost, author = {{Nobody, Ann}}, title = {{A Work that Nobody Wrote}}, journal = {{Notes}}, year = 2024}}
@article{{bent, author = {{Turing, Alan}}, title = {{{EVIL}}}, journal = {{Mind}}, year = 1951}}
@misc{{asks, title = {{=cmd|' /C calc'!A0}}, year = 2020, url = {{javascript:alert(3)}}}}
@article{{other, author = {{Doe, J.}}, title = {{Bees and Other Insects}}, journal = {{Bees}}, year = 2019,
  doi = {{10.1000/none}}}}
%% main.tex
\\documentclass{{a}}\\cite{{good,lost,bent,asks,other,nowhere}}\\bibliography{{refs}}
"""
KNUTH = Record(
    "crossref", "1", "Literate Programming", (Name("Knuth", "Donald E."),), years=(1984,),
    venue="The Computer Journal", identifiers=Identifiers(doi="10.1093/comjnl/27.2.97"),
)  # fmt: skip
TURING = Record("crossref", "2", "Computing Machinery and Intelligence", (Name("Turing", "Alan"),), years=(1950,))
VERDICTS = {
    "good": Verdict("verified", record=KNUTH, asked=("crossref",), date="2026-11-26"),
    "lost": Verdict(
        "not-found", "no source that answered has a work of this title", asked=("crossref", "openalex"),
        alternatives=(Record("dblp", "3", "Ice"),),
    ),
    "bent": Verdict(
        "mismatch", "differs in year", TURING,
        differences=(
            Difference("year", "1951", "1950", ("crossref",)), Difference("title", EVIL, EVIL + "!", ("dblp",)),
            Difference("publisher", "Elsevier", "Springer", ("crossref",)),
        ),
    ),
    "other": Verdict(
        "conflict", "the DOI does not exist", traced=(Traced("doi", "10.1000/none", "nowhere", "crossref"),)
    ),
}  # fmt: skip


@pytest.fixture
def outcome():
    project = marks.project(marks.parse(BIB), "main.tex")
    known = {fingerprint(it.entry): VERDICTS[it.node.key] for it in project.entries() if it.node.key in VERDICTS}
    knowledge, places = Knowledge(verdicts=known), tuple(project.entries())
    checked = Checked(project, knowledge, checks.run(project, knowledge), places)
    return CheckOutcome([Target(project, "main.tex", places, whole=False)], [checked], {"gone.bib": ""}, None)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text, self.open = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read(page):
    parser = Tags()
    parser.feed(page)
    assert parser.open == []
    return parser


def test_the_gravest_stand_first(outcome):
    assert [it.place.node.key for it in cards.make_cards(outcome.checked)] == ["other", "lost", "bent", "asks", "good"]


def test_what_comes_from_outside_is_text(outcome):
    page = read(html.render(outcome))
    names = {name for name, _ in page.tags}
    assert names.isdisjoint({"script", "img", "iframe", "link", "object", "form"})
    assert not [it for _, attributes in page.tags for it in attributes if it.startswith("on")]
    assert "<script>alert(1)</script>" in "".join(page.text)
    assert "\u202e" not in "".join(page.text)
    addresses = [attributes[it] for _, attributes in page.tags for it in ("href", "src") if it in attributes]
    assert addresses and all(it.startswith("https://") for it in addresses)


def test_the_page_loads_nothing(outcome):
    page = html.render(outcome)
    assert "default-src 'none'" in page
    assert not re.search(r"@import|url\(", page)


def test_what_it_says(outcome):
    text = " ".join("".join(read(html.render(outcome)).text).split())
    for words in (
        "References of main.tex",
        "No source that answered has a work of this title.",
        "Asked: Crossref and OpenAlex.",
        "DOI 10.1000/none does not exist: neither doi.org nor Crossref knows it.",
        "As recorded",
        "Unknown identifier",
        "gone.bib could not be read",
        "No entry has the key “nowhere”.",
        "The nearest work: “Ice”.",
        "publisherElsevierSpringer (Crossref)",
    ):
        assert words in text


def test_where_an_identifier_leads_is_said_once(outcome):
    assert tables.as_markdown(outcome).count("The DOI 10.1000/none") == 1


def test_the_table(outcome):
    rows = list(csv.DictReader(tables.as_csv(outcome).splitlines()))
    assert [it["key"] for it in rows] == ["other", "lost", "bent", "asks", "good"]
    assert rows[2]["differs in"] == "year, title, publisher"
    assert rows[4]["record"] == "https://doi.org/10.1093/comjnl/27.2.97"
    assert rows[3]["cited title"].startswith("'=cmd")


def test_markdown(outcome):
    text = tables.as_markdown(outcome)
    assert "| Not found | 1 |" in text
    assert "### Not found: lost, Nobody 2024" in text
    assert "- year: 1951 → 1950" in text
    assert "<script>" not in text
    assert "### In the manuscript\n\n- warning: No entry has the key “nowhere”. (main.tex)\n" in text
    table = [it.split("|")[1].strip() for it in text.splitlines() if it.startswith("| ")][1:]
    assert table == ["Unknown identifier", "Not found", "Differs from the record", "Verified", "Not looked up"]


def test_markdown_without_references():
    project = marks.project(marks.parse("%% main.tex\n\\documentclass{a}\\cite{x}\\bibliography{r}\n%% r.bib\n"))
    checked = Checked(project, Knowledge(), checks.run(project, Knowledge()), ())
    text = tables.as_markdown(CheckOutcome([Target(project, "main.tex", (), whole=False)], [checked], {}, None))
    assert "No entry has the key “x”. (main.tex)" in text and "references |" not in text


def test_an_identifier_that_does_not_exist_is_told_on_a_page_with_what_is_known_of_the_work():
    project = marks.project(marks.parse(BIB), "main.tex")
    places = [it for it in project.entries() if it.node.key == "other"]
    found = Record(
        "crossref", "1", "Bees and Other Insects", (Name("Doe", "J."),), years=(2019,), venue="Bees",
        identifiers=Identifiers(doi="10.1000/bees"),
    )  # fmt: skip
    traced = tuple(Traced("doi", "10.1000/none", "nowhere", source) for source in ("crossref", "doi"))
    verdict = Verdict("conflict", record=found, records=(found,), traced=traced, date="2026-11-26")
    knowledge = Knowledge(verdicts={fingerprint(places[0].entry): verdict})
    checked = Checked(project, knowledge, checks.run(project, knowledge), tuple(places))
    whole = CheckOutcome([Target(project, "main.tex", tuple(places), whole=False)], [checked], {}, None)
    page = " ".join("".join(read(html.render(whole)).text).split())
    said = "The DOI 10.1000/none is not registered; the work exists, and its DOI is 10.1000/bees"
    assert f"error: {said} according to Crossref (checked 2026-11-26)." in page
    assert f"{said}." in tables.as_markdown(whole)
    assert page.count("The DOI 10.1000/none does not exist") == 1


def test_an_empty_check_has_a_page():
    page = html.render(CheckOutcome([], [], {}, None))
    assert "<h1>References</h1>" in page
    assert tables.as_csv(CheckOutcome([], [], {}, None)) == ""


@pytest.mark.parametrize("kind", get_args(VerdictKind))
def test_every_verdict_has_its_place_in_reports(kind):
    project = marks.project(marks.parse(BIB), "main.tex")
    places = tuple(project.entries())[:1]
    knowledge = Knowledge(verdicts={fingerprint(it.entry): Verdict(kind, "so it is") for it in places})
    checked = Checked(project, knowledge, [], places)
    [card] = cards.make_cards([checked])
    page = html.render(CheckOutcome([Target(project, "main.tex", places, whole=False)], [checked], {}, None))
    assert card.label in "".join(read(page).text)
    assert card.label in {"Unknown identifier", *cards.LABELS.values()}
    assert desk.Paper("paper", cards.count_by_verdict([card])).row()[card.label.lower()] == 1
