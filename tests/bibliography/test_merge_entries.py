"""What an entry takes over from another one of its work, and what would make it contradict itself."""

import pytest

from citelsp.base.text import Document
from citelsp.bibliography import merge_entries
from citelsp.bibliography.entry import Entry
from citelsp.syntax.bibtex import parsing


def entry(fields, kind="article"):
    syntax = parsing.parse(Document("r.bib", f"@{kind}{{k, {fields}}}\n", "bibtex"))
    return Entry(syntax.entries.node(0), syntax.strings)


@pytest.mark.parametrize(
    ("mine", "theirs", "taken"),
    [
        ("title={T}", "title={U}, year=2000, note={}", ["year"]),
        ("year=2000", "date={2000-05}, month=may", ["month"]),
        ("year=2001", "year=2000, month=may", []),  # of another year
        ("date={2000-05}", "month=may, year=2000", []),  # which the date tells
        ("journal={J}", "journaltitle={J}, volume=3, pages={1--2}", ["volume", "pages"]),
        ("journal={Nature}", "journal={Science}, volume=3, doi={10.1/a}", ["doi"]),
        ("journal={J. Mach. Learn. Res.}", "journal={Journal of Machine Learning Research}, volume=3", ["volume"]),
        ("journal={Nature}", "booktitle={Proceedings of ICML}, editor={Doe, J.}", []),
        ("booktitle={ICML}", "booktitle={Lecture Notes in Computer Science}, volume=3", ["volume"]),
        ("title={T}", "journal={Nature}, volume=3", ["journal", "volume"]),
        ("author={Doe, J.}", "editor={Doe, J.}", []),
        ("author={Doe, J.}", "author={Doe, J.}, editor={Roe, R.}", ["editor"]),
        ("title={T}", "title={T}, subtitle={A Study}", ["subtitle"]),
        ("title={T: A Study}", "title={T}, subtitle={A Study}", []),
        ("url={https://a.org}", "url={https://b.org}, urldate={2000-01-01}", []),
        ("url={https://a.org}", "url={https://a.org}, urldate={2000-01-01}", ["urldate"]),
        ("title={T}", "note={Submitted}, abstract={A.}", ["abstract"]),
        ("title={T}, note={Submitted}", "pubstate={submitted}, abstract={A.}", ["pubstate", "abstract"]),
    ],
)
def test_only_what_fits_is_taken_over(mine, theirs, taken):
    assert [field.name for _, field in merge_entries.find_missing(entry(mine), [entry(theirs)])] == taken


def test_what_one_gave_decides_what_fits_of_the_next():
    others = [entry("journal={Nature}"), entry("journal={Science}, volume=3"), entry("journal={Nature}, number=4")]
    found = merge_entries.find_missing(entry("title={T}"), others)
    assert [(place, field.name) for place, field in found] == [(0, "journal"), (2, "number")]


@pytest.mark.parametrize(
    ("name", "mine", "theirs", "added"),
    [
        ("keywords", "bees, trees", "Trees, seas", ", seas"),
        ("keywords", "bees; trees", "seas", "; seas"),
        ("keywords", "bees", "a; b", "; a; b"),
        ("file", "a.pdf", "a.pdf;b.pdf", ";b.pdf"),
        ("file", r"a\;b.pdf", "c.pdf", ";c.pdf"),
        ("keywords", "bees", "{broken", ""),
        ("keywords", "", "bees", ""),
        ("note", "a", "b", ""),
    ],
)
def test_lists_are_made_longer(name, mine, theirs, added):
    assert merge_entries.items_to_add(name, mine, theirs) == added


@pytest.mark.parametrize(
    ("kind", "fields", "is_published"),
    [
        ("article", "journal={Nature}", True),
        ("article", "journaltitle={Nature}", True),
        ("inproceedings", "booktitle={ICML}", True),
        ("phdthesis", "school={MIT}", True),
        ("techreport", "institution={MIT}", True),
        ("book", "publisher={North Press}", True),
        ("article", "journal={arXiv preprint}, publisher={North Press}", False),
        ("article", "title={T}", False),
        ("misc", "journal={Nature}", False),
        ("unpublished", "journal={Nature}", False),
    ],
)
def test_a_publication_says_where_it_appeared(kind, fields, is_published):
    assert merge_entries.is_published(entry(fields, kind)) is is_published
