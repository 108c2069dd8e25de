"""Which records, and which entries, are of one work."""

from dataclasses import replace

import pytest

from citelsp.base.text import Document
from citelsp.bibliography import same_work
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.syntax.bibtex import parsing

TITLE = "Feeding Habits of Freshwater Trout"
LEE, ROE = Name("Lee", "Ann"), Name("Roe", "Bo")


def record(source="x", title=TITLE, authors=(LEE,), year=2001, kind="article-journal", **names):
    return Record(
        source, source, title, authors, years=(year,) if year else (), type=kind, identifiers=Identifiers(**names)
    )


def entry(text):
    syntax = parsing.parse(Document("r.bib", text, "bibtex"))
    return Entry(syntax.entries.node(0), syntax.strings)


def groups(*records):
    return [[it.source for it in group] for group in same_work.group_records(records)]


@pytest.mark.parametrize(
    ("other", "one"),
    [
        ({}, True),
        ({"year": 2005}, True),
        ({"year": 2006}, False),
        ({"title": f"{TITLE}: A Study"}, True),
        ({"authors": (ROE,)}, False),
        ({"authors": (LEE, ROE)}, True),
        ({"authors": (ROE, Name("Poe", "Cy"), LEE)}, True),
        ({"authors": ()}, True),
        ({"authors": (), "year": 2002}, True),
        ({"authors": (), "year": 2003}, False),
        ({"title": "Breeding Habits of Freshwater Pike"}, False),
    ],
)
def test_title_people_and_years_tell_one_work(other, one):
    assert groups(record("a"), record("b", **other)) == ([["a", "b"]] if one else [["a"], ["b"]])


def test_without_people_a_short_title_tells_nothing():
    short = {"title": "Trout in rivers", "authors": ()}
    assert groups(record("a", **short), record("b", **short)) == [["a"], ["b"]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Multi-agent Trout Watching", "Multiagent Trout Watching"),
        ("Multiagent Trout Watching", "Multi-agent Trout Watching"),
    ],
)
def test_without_people_the_order_of_two_records_tells_nothing(one, other):
    assert groups(record("a", title=one, authors=()), record("b", title=other, authors=())) == [["a"], ["b"]]


def test_an_only_author_of_another_given_name_is_somebody_else_in_either_order():
    two = record("a", authors=(Name("Chen", "Ada"), ROE))
    alone = record("b", authors=(Name("Chen", "Carl"),))
    assert groups(two, alone) == [["a"], ["b"]]
    assert groups(alone, two) == [["b"], ["a"]]


@pytest.mark.parametrize("name", ["doi", "arxiv", "pmid", "pmcid", "acl", "openalex", "s2", "dblp", "bibcode"])
def test_an_identifier_tells_one_work_whatever_it_is_called(name):
    other = record("b", title="Another Title Altogether", **{name: "10.1/x"})
    assert groups(record("a", **{name: "10.1/x"}), other) == [["a", "b"]]
    assert groups(record("a", **{name: "10.1/y"}), other) == [["a"], ["b"]]


def test_a_book_has_one_number_and_chapters_share_it():
    one, other = (record(it, title=it * 9, kind="book", isbn="9780201134483") for it in "ab")
    assert groups(one, other) == [["a", "b"]]
    assert groups(replace(one, type="chapter"), replace(other, type="chapter")) == [["a"], ["b"]]


def test_two_publications_of_one_title_stay_two_even_if_a_preprint_links_them():
    paper, article = record("a", doi="10.1/a", arxiv="2001.1"), record("b", doi="10.1/b")
    assert groups(paper, article) == [["a"], ["b"]]
    assert groups(paper, replace(article, type="preprint", identifiers=Identifiers(doi="10.1/b", arxiv="2001.1"))) == [
        ["a", "b"]
    ]
    preprint = record("p", doi="", arxiv="2001.1", kind="preprint")
    assert groups(paper, article, preprint) == [["a", "p"], ["b"]]


def test_misprinted_copies_are_one_line_of_a_list():
    copies = [
        [record("a")],
        [record("b", title=TITLE + "s", authors=())],
        [record("c", year=2009)],
        [record("d", authors=(ROE,))],
    ]
    found = same_work.without_copies(copies)
    assert [[it.source for it in group] for group in found] == [["a", "b"], ["c"], ["d"]]


def share(text, made):
    own = set(same_work.marks(entry(text).node))
    return bool(own & set(same_work.marks_of(made)))


@pytest.mark.parametrize(
    ("text", "made", "shared"),
    [
        ("@misc{a, doi = {10.1000/X}}", record(doi="10.1000/x"), True),
        ("@misc{a, doi = {https://doi.org/10.1000/x}}", record(doi="10.1000/x"), True),
        ("@misc{a, url = {https://doi.org/10.1000/x}}", record(doi="10.1000/x"), True),
        ("@misc{a, doi = {10.1000/y}}", record(doi="10.1000/x"), False),
        ("@misc{a, eprint = {2001.00001}, archiveprefix = {arXiv}}", record(arxiv="2001.00001"), True),
        ("@misc{a, eprint = {2001.00001}}", record(arxiv="2001.00001"), True),
        ("@misc{a, journal = {CoRR}, volume = {abs/2001.00001}}", record(arxiv="2001.00001"), True),
        ("@misc{a, url = {https://dl.acm.org/doi/10.1145/1.2}}", record(doi="10.1145/1.2"), True),
        (f"@misc{{a, title = {{{TITLE}}}}}", record(), True),
        (f"@misc{{a, title = {{{TITLE}}}}}", record(title=f"{TITLE}: A Study", doi="10.1/a"), True),
        (f"@misc{{a, booktitle = {{{TITLE}}}}}", record(), False),
        ('@misc{a, title = "{F}eeding Habits of Freshwater Trout"}', record(), True),
        ("@misc{a, title = {Trout}, year = 2001}", record(title="Trout"), True),
        ("@misc{a, title = {Trout}, year = 2003}", record(title="Trout"), True),
        ("@misc{a, title = {Trout}, year = 2004}", record(title="Trout"), False),
        ("@misc{a, title = {Trout}}", record(title="Trout"), True),
        ("@misc{a, title = {}}", record(title=""), False),
        (f"@misc{{a,title={{{TITLE}}}}}", record(), True),
        ("@misc{a,doi={10.1000/x}}", record(doi="10.1000/x"), True),
        (f"@misc{{a, booktitle = {{Rivers}}, title = {{{TITLE}}}}}", record(), True),
    ],
)
def test_an_entry_and_a_record_of_its_work_share_a_mark(text, made, shared):
    assert share(text, made) is shared


@pytest.mark.parametrize(
    ("one", "other", "two"),
    [
        ("@article{a}", "@inproceedings{b}", False),
        ("@incollection{a}", "@inproceedings{b}", False),
        ("@article{a}", "@phdthesis{b}", True),
        ("@article{a}", "@misc{b}", False),
        ("@article{a, journal = {arXiv}}", "@phdthesis{b}", False),
        ("@article{a, pages = {3--9}}", "@incollection{b, pages = {3-9}}", False),
        ("@article{a, pages = {3}}", "@incollection{b, pages = {3}}", True),
        ("@article{a, volume = 3}", "@article{b, volume = 4}", True),
        ("@article{a, volume = 3}", "@article{b, volume = {IV}}", False),
        ("@article{a, number = 3}", "@article{b, number = 3}", False),
        ("@article{a, pages = {315--349}}", "@inproceedings{b, pages = {34--43}}", True),
        ("@article{a, pages = {315--349}}", "@inproceedings{b, pages = {1--35}}", False),
        ("@article{a, pages = {315--349}}", "@article{b, pages = {315--394}}", False),
        ("@article{a, pages = {315--349}}", "@article{b, pages = 9}", False),
        ("@article{a, pages = {315--349}, journal = {arXiv}}", "@article{b, pages = {34--43}}", False),
        ("@inproceedings{a, crossref = {ki09}}", "@inproceedings{b, crossref = {icaps09ws}}", True),
        ("@inproceedings{a, crossref = {KI09 }}", "@inproceedings{b, crossref = {ki09}}", False),
        ("@inbook{a, crossref = {ki09}, pages = {3--9}}", "@inbook{b, crossref = {x}, pages = {3-9}}", False),
        ("@inproceedings{a, crossref = {ki09}}", "@inproceedings{b}", False),
    ],
)
def test_entries_of_one_title_may_be_of_two_publications(one, other, two):
    assert same_work.are_two_publications(entry(one), entry(other)) is two
