"""Records of several sources as one work."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.merge_records import merge
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update

TITLE = "Attention Is All You Need"
PEOPLE = (Name("Vaswani", "Ashish"), Name("Shazeer", "Noam"), Name("Parmar", "Niki"))
PREPRINT = Record(
    "arxiv", "1706.03762v7", TITLE, PEOPLE, years=(2017, 2023), date="2017-06-12", venue="arXiv", type="preprint",
    identifiers=Identifiers(arxiv="1706.03762"), primary_class="cs.CL", abstract="The dominant models.",
)  # fmt: skip
PAPER = Record(
    "crossref", "10.1000/nips", "Attention is all you need", (Name("Vaswani", "A."), Name("Shazeer", "N.")),
    years=(2018,),
    venue="Advances in Neural Information Processing Systems", type="paper-conference", pages="5998-6008",
    identifiers=Identifiers(doi="10.1000/nips"),
)  # fmt: skip
MERGED = Record(
    "semantic_scholar", "abc", TITLE + ".", PEOPLE, years=(2017,), venue="NeurIPS", type="paper-conference",
    identifiers=Identifiers(doi="10.1000/nips", arxiv="1706.03762", s2="abc"), volume="30", citation_count=9,
)  # fmt: skip


def test_preprint_and_paper_become_one_work():
    (work,) = merge([PREPRINT, PAPER, MERGED])
    assert (work.source, work.type, work.venue) == ("merged", "paper-conference", PAPER.venue)
    assert work.years == (2018, 2017, 2023)
    assert work.identifiers == Identifiers(doi="10.1000/nips", arxiv="1706.03762", s2="abc")
    assert (work.pages, work.volume, work.primary_class, work.abstract) == (
        "5998-6008",
        "30",
        "cs.CL",
        "The dominant models.",
    )
    assert work.authors == PEOPLE
    assert work.venue_aliases == ("NeurIPS", "arXiv")


def test_each_value_keeps_its_origin():
    (work,) = merge([PREPRINT, PAPER, MERGED])
    assert set(work.origins["title"]) == {"arxiv", "crossref", "semantic_scholar"}
    assert work.origins["year"] == ("crossref",)
    assert dict(work.disputed["year"]) == {"semantic_scholar": "2017", "arxiv": "2017"}
    assert dict(work.disputed["authors"]).keys() == {"crossref"}


@pytest.mark.parametrize(
    "other",
    [
        replace(PAPER, identifiers=Identifiers(doi="10.1000/journal"), id="10.1000/journal", type="article-journal"),
        replace(PREPRINT, identifiers=Identifiers(arxiv="2001.00001"), title="Attention Is Not All You Need"),
        replace(PREPRINT, identifiers=Identifiers(), authors=(Name("Lin", "Zheng"),)),
        replace(PREPRINT, identifiers=Identifiers(), years=(1999,)),
    ],
    ids=["another DOI", "another title", "other people", "another time"],
)
def test_other_works_stay_apart(other):
    assert len(merge([PAPER, other])) == 2


def test_the_same_title_and_people_suffice():
    anonymous = replace(PREPRINT, identifiers=Identifiers(), source="openalex")
    assert len(merge([PAPER, anonymous])) == 1


def test_a_subtitle_that_one_source_lacks_is_kept():
    long = replace(PREPRINT, title="Optuna: A Framework", identifiers=Identifiers(doi="10.1000/o"), type="")
    short = replace(long, title="Optuna", source="crossref")
    (work,) = merge([short, long])
    assert work.title == "Optuna: A Framework"


def test_a_sorted_or_cut_author_list_does_not_win():
    sorted_list = replace(PAPER, authors=tuple(sorted(PEOPLE, key=str)), authors_ordered=False)
    cut = replace(MERGED, authors=PEOPLE[:1], authors_complete=False)
    (work,) = merge([sorted_list, cut, replace(PREPRINT, identifiers=MERGED.identifiers)])
    assert (work.authors, work.authors_complete, work.authors_ordered) == (PEOPLE, True, True)


def test_a_retraction_by_anyone_is_kept_once():
    notice = Update("retraction", "openalex")
    (work,) = merge([replace(PAPER, updates=(notice,)), replace(MERGED, updates=(notice,))])
    assert work.updates == (notice,)


def test_one_record_stays_what_it_is():
    (work,) = merge([PAPER])
    assert replace(work, origins={}) == PAPER
    assert work.origins["venue"] == ("crossref",)


def test_a_list_of_people_that_was_garbled_does_not_win():
    garbled = replace(PAPER, authors=(Name("Vaswani, A. and Shazeer", "N."), Name("Parmar", "Niki"), Name("Lin", "Z.")))
    (work,) = merge([garbled, MERGED])
    assert work.authors == PEOPLE


def test_who_names_the_venue_otherwise_is_told():
    (work,) = merge([PAPER, replace(MERGED, venue="ICML"), replace(MERGED, source="openalex", venue="NIPS")])
    assert work.venue == PAPER.venue
    assert (work.origins["venue"], work.disputed["venue"]) == (
        ("crossref", "openalex"),
        (("semantic_scholar", "ICML"),),
    )
    assert (work.url, work.primary_class) == ("", "")


def test_the_day_is_that_of_the_publication_by_who_knows_it_best():
    dated = [replace(PAPER, published="2018-03-05"), replace(MERGED, published="2017-12-01"), PREPRINT]
    (work,) = merge(reversed(dated))
    assert (work.published, work.issued, work.year) == ("2018-03-05", "2018-03-05", 2018)
    (work,) = merge([replace(PAPER, published="2016-03-05"), MERGED, PREPRINT])
    assert work.published == ""  # of another year than that to cite


RECORDS = st.builds(
    Record,
    source=st.sampled_from(["crossref", "openalex", "arxiv", "dblp"]),
    id=st.text(max_size=3),
    title=st.sampled_from(["", "A", "On the Theory of Things", "On the theory of things: again", "Something Else"]),
    authors=st.lists(st.sampled_from(PEOPLE), max_size=3).map(tuple),
    years=st.lists(st.integers(2000, 2010), max_size=2).map(tuple),
    type=st.sampled_from(["", "preprint", "book", "article-journal"]),
    identifiers=st.builds(
        Identifiers, doi=st.sampled_from(["", "10.1000/a", "10.1000/b"]), arxiv=st.sampled_from(["", "1706.00001"])
    ),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(RECORDS, max_size=6))
def test_nothing_is_lost_or_invented(records):
    works = merge(records)
    assert len(works) <= len(records)
    assert {it.identifiers.doi for it in works if it.identifiers.doi} <= {it.identifiers.doi for it in records}
    assert {year for it in works for year in it.years} == {year for it in records for year in it.years}
