"""Of which works the silence of all services says something."""

from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.verification.decide import verdict
from written_references import ALL, ELSEWHERE, answers, by, cited, nothing

BROAD = ("crossref", "semantic_scholar", "openalex")


def judged(entry, *said):
    found = verdict(entry, answers(entry, *said), ALL)
    return found.kind, found.reason


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("book", {}, "@book entries are often in no index"),
        ("inproceedings", {"title": None}, "no title"),
        ("inproceedings", {"title": "Residual Nets"}, "the title is too short to name one work"),
        ("inproceedings", {"title": "Residual Nets Again", "author": "He"}, "the title is too short to name one work"),
        ("article", {"journal": "https://lmsys.org/blog", "booktitle": None}, "web pages are in no index"),
        ("article", {"booktitle": None, "url": "https://distill.pub/x"}, "web pages are in no index"),
        ("inproceedings", {"note": "Submitted"}, "it is said to be unpublished"),
        ("inproceedings", {"author": None, "editor": "He, Kaiming"}, "edited volumes are often in no index"),
        (
            "article",
            {"title": "Erratum: Deep Residual Learning", "journal": "Nature", "booktitle": None},
            "talks, comments, reviews and corrections are often in no index",
        ),
        ("inproceedings", {"year": "1912"}, "too old to be indexed for certain"),
        ("inproceedings", {"title": "论文 关于 深度 残差 学习"}, "the title is not in Latin letters"),
    ],
)
def test_what_indexes_often_lack_is_never_unknown(kind, changes, reason):
    entry = cited(kind=kind, **changes)
    assert judged(entry, *(nothing(it, entry) for it in BROAD)) == ("unchecked", reason)


@pytest.mark.parametrize(
    ("venue", "verdict"),
    [
        ("Nature Communications", "not-found"),
        ("Lancet Oncol.", "not-found"),
        ("Scientific Reports", "not-found"),
        ("Annual Review of Psychology", "not-found"),
        ("Black Hat", "unchecked"),  # talks
        ("Open Review", "unchecked"),
        ("Transformer Circuits Thread", "unchecked"),
        ("Boston College Law Review", "unchecked"),
        ("The Messenger", "unchecked"),
        ("MIT Press", "unchecked"),
        ("International Journal of Advanced Research in Everything", "unchecked"),
        ("NIPS-W", "unchecked"),
        ("Annual Meeting of the Association for Natural Language Processing", "unchecked"),
    ],
)
def test_only_a_venue_that_indexes_hold_entirely_makes_a_work_unknown(venue, verdict):
    entry = cited(kind="article", title="On the Dreams of Convolutional Sheep in Winter", journal=venue, booktitle=None)
    everybody = [nothing(it, entry) for it in (*BROAD, "europepmc", "dblp")]
    assert judged(entry, *everybody)[0] == verdict


def test_a_venue_of_which_a_search_shows_other_works():
    title = "On the Dreams of Convolutional Sheep in Winter"
    entry = cited(kind="article", title=title, journal="Journal of Ornithology", booktitle=None)
    everybody = [nothing(it, entry) for it in (*BROAD[1:], "europepmc")]
    assert judged(entry, *everybody, ELSEWHERE)[0] == "not-found"
    assert judged(entry, *everybody, replace(ELSEWHERE, years=(2004,)))[0] == "unchecked"
    assert judged(entry, *everybody, replace(ELSEWHERE, identifiers=Identifiers()))[0] == "unchecked"


def test_outside_of_computing_indexes_begin_later():
    old = {"title": "On the Dreams of Convolutional Sheep in Winter", "year": "1993"}
    entries = [cited(**old), cited(kind="article", journal="Nature", booktitle=None, **old)]
    told = [judged(it, *(nothing(name, it) for name in (*BROAD, "dblp", "europepmc"))) for it in entries]
    assert [it[0] for it in told] == ["not-found", "unchecked"]


def test_a_work_of_this_very_title_is_on_record():
    entry = cited(title="Automatic Differentiation in PyTorch")
    garbled = by("openalex", title=entry.title, authors=(Name("Chanan", "G."),), pages="", years=(2017,))
    everybody = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "dblp")]
    three_words = cited(title="Differentiation in PyTorch")
    near = replace(garbled, title=three_words.title)
    reason = "a work of this very title is on record, by others as it seems"
    others = [nothing(it, three_words) for it in ("crossref", "semantic_scholar", "dblp")]
    assert judged(three_words, *others, near) == ("unchecked", reason)
    assert judged(three_words, *others, replace(near, years=(2018,)))[0] == "not-found"
    assert judged(entry, *everybody, garbled)[0] != "not-found"


def test_without_a_venue_nobody_need_know_a_work():
    title = {"title": "On the Dreams of Convolutional Sheep in Winter", "booktitle": None}
    article, paper = cited(kind="article", **title), cited(**title)
    said = [judged(it, *(nothing(name, it) for name in (*BROAD, "arxiv"))) for it in (article, paper)]
    assert said[0] == ("unchecked", "no venue is named, so no service need know it")
    assert said[1][0] == "not-found"  # it was printed at some conference


def test_a_title_of_three_words_needs_the_index_of_its_series():
    entry = cited(title="Residual Nets Again")
    everybody = [nothing(it, entry) for it in (*BROAD, "dblp")]
    assert judged(entry, *everybody)[0] == "not-found"
    assert judged(cited(title=entry.title, year=None), *everybody)[0] == "unchecked"
    without = verdict(entry, answers(entry, *everybody[:3], nothing("arxiv", entry)), {*ALL} - {"dblp"})
    assert (without.kind, without.reason) == ("unchecked", "the title is too short to name one work")


def test_a_title_of_four_words_is_long_enough_for_any_journal():
    there = {"kind": "article", "journal": "Nature", "booktitle": None}
    three, four = (cited(title=it, **there) for it in ("Residual Nets Again", "Residual Nets of Sheep"))
    said = [judged(it, *(nothing(name, it) for name in (*BROAD, "europepmc")))[0] for it in (three, four)]
    assert said == ["unchecked", "not-found"]


def test_a_title_of_three_words_by_two_people_in_a_great_series_is_distinct():
    everybody = (*BROAD, "dblp")
    two, one = (cited(title="Residual Nets Again", author=it) for it in ("He, Kaiming and Sun, Jian", "He, Kaiming"))
    assert [judged(it, *(nothing(name, it) for name in everybody))[0] for it in (two, one)] == [
        "not-found",
        "unchecked",
    ]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "not-found"),
        ({"years": (2019,)}, "not-found"),
        ({"years": (2020,)}, "unchecked"),
        ({"years": ()}, "unchecked"),
        ({"venue": "Journal of Trees"}, "unchecked"),
        ({"venue": "J. Ornithol.", "venue_aliases": ("Journal of Ornithology",)}, "not-found"),
    ],
)
def test_another_work_of_a_venue_about_that_year_shows_that_an_index_holds_it(changes, kind):
    title = "On the Dreams of Convolutional Sheep in Winter"
    entry = cited(kind="article", title=title, journal="Journal of Ornithology", booktitle=None)
    everybody = [nothing(it, entry) for it in (*BROAD[1:], "europepmc")]
    assert judged(entry, *everybody, replace(ELSEWHERE, **changes))[0] == kind
