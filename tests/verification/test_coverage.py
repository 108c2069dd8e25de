"""Of which works the silence of all services says something."""

from dataclasses import replace

import pytest

from citelsp.bibliography.names import Name
from citelsp.knowledge import Found, Holding, Unavailable
from citelsp.verification import journals
from citelsp.verification.decide import verdict
from written_references import ALL, answers, by, cited, journal, nothing, silent

BROAD = ("crossref", "semantic_scholar", "openalex")


def judged(entry, *said):
    found = verdict(entry, answers(entry, *said), ALL)
    return found.kind, found.reason


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("book", {}, "@book entries are often in no index"),
        ("inproceedings", {"title": None}, "no title"),
        ("inproceedings", {"title": "Residual Nets"}, "the title is too short to be searched for"),
        ("article", {"journal": "https://lmsys.org/blog", "booktitle": None}, "web pages are in no index"),
        ("article", {"booktitle": None, "url": "https://distill.pub/x"}, "web pages are in no index"),
        ("inproceedings", {"note": "Submitted"}, "it is said to be unpublished"),
        ("inproceedings", {"author": None, "editor": "He, Kaiming"}, "edited volumes are often in no index"),
        (
            "article",
            {"title": "Erratum: Deep Residual Learning", "journal": "Nature", "booktitle": None},
            "talks, comments, reviews and corrections are often in no index",
        ),
        ("inproceedings", {"title": "论文 关于 深度 残差 学习"}, "the title is not in Latin letters"),
    ],
)
def test_what_indexes_often_lack_is_never_unknown(kind, changes, reason):
    entry = cited(kind=kind, **changes)
    assert judged(entry, *(nothing(it, entry) for it in BROAD)) == ("unchecked", reason)


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("inproceedings", {"title": "Residual Nets Again", "author": "He"}, "the title is too short to name one work"),
        ("inproceedings", {"year": "1912"}, "too old to be indexed for certain"),
        ("misc", {"booktitle": None}, "no venue is given, so it may be in no index"),
    ],
)
def test_what_nobody_lists_though_it_might_be_listed_is_unconfirmed(kind, changes, reason):
    entry = cited(kind=kind, **changes)
    assert judged(entry, *(nothing(it, entry) for it in (*BROAD, "dblp", "arxiv"))) == ("unconfirmed", reason)
    assert judged(entry, *(nothing(it, entry) for it in BROAD[:2]))[0] == "unchecked"


def test_if_nobody_answered_that_is_the_reason_whatever_it_is():
    book = cited("book", booktitle=None, publisher="Wool Press")
    assert judged(book, silent("crossref", book)) == ("unchecked", "Crossref: 429 Too Many Requests")
    assert judged(book, silent("crossref", book), nothing("openalex", book))[1].startswith("@book entries are often")


DREAMS = "On the Dreams of Convolutional Sheep in Winter"
EVERYBODY = (*BROAD, "europepmc", "dblp")


def article(**changes):
    fields = {"title": DREAMS, "journal": "Journal of Ornithology", "booktitle": None} | changes
    return cited(kind="article", **fields)


@pytest.mark.parametrize(
    "venue", ["NIPS-W", "Annual Meeting of the Association for Natural Language Processing", "Black Hat Conference"]
)
def test_conferences_that_no_index_holds_entirely_make_no_work_unknown(venue):
    entry = article(journal=venue)
    reason = f"no service is known to list everything from {venue}"
    assert judged(entry, *(nothing(it, entry) for it in EVERYBODY)) == ("unconfirmed", reason)


@pytest.mark.parametrize(
    ("works", "kind", "reason"),
    [
        ({2016: 30}, "not-found", "no source that answered has a work of this title"),
        ({2015: 8, 2016: 7, 2017: 7}, "not-found", "no source that answered has a work of this title"),
        ({2015: 80, 2016: 7, 2017: 90}, "unconfirmed", "Crossref has 7 works of 2016 from Journal of Ornithology"),
        ({2015: 40, 2017: 40}, "unconfirmed", "Crossref has no works of 2016 from Journal of Ornithology"),
        ({2016: 1}, "unconfirmed", "Crossref has 1 work of 2016 from Journal of Ornithology"),
        (None, "unconfirmed", "no index knows a journal called Journal of Ornithology"),
    ],
)
def test_the_registry_that_has_a_journals_year_decides(works, kind, reason):
    entry = article()
    said = [*(nothing(it, entry) for it in EVERYBODY), *journal(entry, crossref=works, openalex=None)]
    assert judged(entry, *said) == (kind, reason)


def test_openalex_knows_journals_that_crossref_has_not():
    entry = article()
    said = [*(nothing(it, entry) for it in EVERYBODY), *journal(entry, crossref=None, openalex={2016: 40})]
    found = verdict(entry, answers(entry, *said), ALL)
    assert (found.kind, found.holding) == ("not-found", Holding("openalex", "Journal of Ornithology", 2016, 40))


def test_who_has_the_article_among_those_of_its_journal_is_believed():
    entry = article()
    question, _ = journal(entry, crossref={2016: 30})[1]
    held = by("crossref", title=entry.title, authors=entry.authors, venue=entry.venue, pages="770-778")
    said = [*(nothing(it, entry) for it in EVERYBODY), journal(entry, crossref={2016: 30})[0]]
    assert judged(entry, *said, (question, Found("crossref", (held,))))[0] == "verified"


def test_a_registry_that_could_not_be_asked_leaves_it_open():
    entry = article()
    question, _ = journal(entry, crossref=None)[0]
    said = [*(nothing(it, entry) for it in EVERYBODY), (question, Unavailable("crossref", "503 Service Unavailable"))]
    assert judged(entry, *said, *journal(entry, openalex=None)) == ("unchecked", "Crossref: 503 Service Unavailable")


def test_a_registry_that_was_switched_off_after_it_told_of_the_journal_leaves_it_open():
    entry = article()
    of_journal, _ = journal(entry, crossref={2016: 30})
    told = journals.coverage(entry, answers(entry, of_journal), services=())
    assert (told.state, told.service, told.count) == ("unheard", "crossref", 30)


def test_one_aggregator_beside_the_registry_is_enough():
    entry = article()
    said = [nothing(it, entry) for it in ("crossref", "openalex", "europepmc")] + [silent("semantic_scholar", entry)]
    assert judged(entry, *said, *journal(entry, crossref={2016: 30}))[0] == "not-found"
    assert judged(entry, *said, *journal(entry, crossref={2016: 3}, openalex=None))[0] == "unchecked"


def test_outside_of_computing_indexes_begin_later_unless_a_registry_has_the_year():
    entries = [cited(title=DREAMS, year="1993"), article(journal="Physics Review", year="1993")]
    silence = [[nothing(name, it) for name in EVERYBODY] for it in entries]
    assert judged(entries[0], *silence[0])[0] == "not-found"
    few, many = ({1993: count} for count in (3, 90))
    assert judged(entries[1], *silence[1], *journal(entries[1], crossref=few, openalex=None))[0] == "unconfirmed"
    assert judged(entries[1], *silence[1], *journal(entries[1], crossref=many))[0] == "not-found"


def test_a_work_of_this_very_title_is_on_record():
    entry = cited(title="Automatic Differentiation in PyTorch")
    garbled = by("openalex", title=entry.title, authors=(Name("Chanan", "G."),), pages="", years=(2017,))
    everybody = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "dblp")]
    three_words = cited(title="Differentiation in PyTorch")
    near = replace(garbled, title=three_words.title)
    reason = "OpenAlex has this very title by other people"
    others = [nothing(it, three_words) for it in ("crossref", "semantic_scholar", "dblp")]
    assert judged(three_words, *others, near) == ("unconfirmed", reason)
    assert judged(three_words, *others, replace(near, years=(2018,)))[0] == "not-found"
    assert judged(entry, *everybody, garbled)[0] != "not-found"


def test_without_a_venue_nobody_need_know_a_work():
    title = {"title": "On the Dreams of Convolutional Sheep in Winter", "booktitle": None}
    article, paper = cited(kind="article", **title), cited(**title)
    said = [judged(it, *(nothing(name, it) for name in (*BROAD, "arxiv"))) for it in (article, paper)]
    assert said[0] == ("unconfirmed", "no venue is given, so it may be in no index")
    assert said[1][0] == "not-found"  # it was printed at some conference


def test_a_title_of_three_words_needs_the_index_of_its_series():
    entry = cited(title="Residual Nets Again")
    everybody = [nothing(it, entry) for it in (*BROAD, "dblp")]
    assert judged(entry, *everybody)[0] == "not-found"
    assert judged(cited(title=entry.title, year=None), *everybody)[0] == "unconfirmed"
    without = verdict(entry, answers(entry, *everybody[:3], nothing("arxiv", entry)), {*ALL} - {"dblp"})
    assert (without.kind, without.reason) == ("unconfirmed", "the title is too short to name one work")


def test_a_title_of_four_words_is_long_enough_for_any_journal():
    three, four = (article(title=it) for it in ("Residual Nets Again", "Residual Nets of Sheep"))
    told = [[*(nothing(name, it) for name in EVERYBODY), *journal(it, crossref={2016: 30})] for it in (three, four)]
    assert [judged(three, *told[0])[0], judged(four, *told[1])[0]] == ["unconfirmed", "not-found"]


def test_a_title_of_three_words_by_two_people_in_a_great_series_is_distinct():
    everybody = (*BROAD, "dblp")
    two, one = (cited(title="Residual Nets Again", author=it) for it in ("He, Kaiming and Sun, Jian", "He, Kaiming"))
    assert [judged(it, *(nothing(name, it) for name in everybody))[0] for it in (two, one)] == [
        "not-found",
        "unconfirmed",
    ]
