"""Which records are the work that an entry means, and where its identifiers lead."""

from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.verification.binding import bind
from citelsp.verification.decide import verdict
from citelsp.verification.evidence import names_itself
from citelsp.verification.question import Question
from citelsp.verification.weighing import judge, weigh
from written_references import (
    ALL,
    CVPR,
    ELSEWHERE,
    PAPER,
    PEOPLE,
    PREPRINT,
    TITLE,
    answers,
    by,
    cited,
    found,
    nothing,
    silent,
)

DOI = "10.1109/cvpr.2016.90"
OTHERS = (Name("Curie", "Marie"), Name("Dirac", "Paul"))
FUSED = (Name("K. He", "S. Ren, J. Sun"),)


@pytest.mark.parametrize(
    ("record", "binding"),
    [
        (PAPER, "same"),
        (replace(PAPER, authors=PEOPLE[:2] + OTHERS), "same"),
        (replace(PAPER, title="Deep Residual Training for Image Recognition"), "reworded"),
        (replace(PAPER, title="Residual Nets for Vision"), "reworded"),  # the same people at the same pages
        (replace(PAPER, authors=FUSED, years=(2010,)), "same"),  # people of the same names, however broken the list
        (replace(PAPER, authors=OTHERS), "other people"),
        (replace(PAPER, title="Deep Residual Learning for Image Recognition II. Videos"), None),  # another part
        (replace(PAPER, title="Deep Residual Learning for Image Recognition, Part Two. Videos"), None),
        (ELSEWHERE, None),
        (replace(PAPER, title="Deep Reinforcement Learning", pages="1-9"), None),
    ],
)
def test_title_and_people_bind(record, binding):
    bound = weigh(answers(cited(), record)).bound
    assert [it.binding for it in bound] == ([binding] if binding else [])


@pytest.mark.parametrize(("pages", "year", "is_bound"), [("770--778", "2016", True), ("770--778", "2015", False),
                                                         ("1--9", "2016", False)])  # fmt: skip
def test_at_one_place_in_print_stands_one_work_also_of_one_author(pages, year, is_bound):
    one = cited(author="He, Kaiming", title="A Framework for Seeing", pages=pages, year=year)
    record = replace(PAPER, authors=PEOPLE[:1], pages=pages.replace("--", "-"))
    assert [it.binding for it in weigh(answers(one, record)).bound] == ["reworded"] * is_bound


@pytest.mark.parametrize(
    ("record", "is_bound"),
    [({}, True), ({"volume": "15"}, False), ({"pages": "1-9"}, False), ({"pages": ""}, False)],
)
def test_at_one_place_in_one_volume_stands_one_work_whatever_the_journal_is_called(record, is_bound):
    entry = cited("article", title="A Framework for Seeing", booktitle=None, journal="J. Vision", volume="14")
    there = replace(PAPER, venue="", type="article-journal", **{"volume": "14"} | record)
    assert [it.binding for it in weigh(answers(entry, there)).bound] == ["reworded"] * is_bound


@pytest.mark.parametrize(
    ("cited_as", "recorded", "is_bound"),
    [
        ("Part 2", "", False),
        ("Part II", "2", True),
        ("Part 2", "II", True),
        ("Part 2", "Part 3", False),
        ("in 2016", "in 2017", False),
        ("in 2016", "of 2016", True),
    ],
)
def test_a_part_of_a_series_is_no_other_part_however_its_number_is_written(cited_as, recorded, is_bound):
    entry, record = cited(title=f"{TITLE} {cited_as}"), replace(PAPER, title=f"{TITLE} {recorded}".strip())
    assert bool(weigh(answers(entry, record)).bound) is is_bound


SHORT = "Going deeper"
ONE_OF_FOUR, TWO_OF_FOUR = PEOPLE[:1] + OTHERS + (Name("Fermi", "Ella"),), PEOPLE[:2] + OTHERS


@pytest.mark.parametrize(
    ("changes", "record", "searched", "led_to"),
    [
        ({}, replace(PAPER, authors=()), "same", "same"),
        ({"year": "2014"}, replace(PAPER, authors=()), "same", "same"),
        ({"year": "2013"}, replace(PAPER, authors=()), "other", "same"),
        ({"title": SHORT}, replace(PAPER, title=SHORT, authors=()), "other", "same"),  # is no one's alone
        ({"title": SHORT}, replace(PAPER, title=SHORT, authors=TWO_OF_FOUR), "same", "same"),
        ({"title": SHORT}, replace(PAPER, title=SHORT, authors=ONE_OF_FOUR), "other", "same"),
        ({}, replace(PAPER, authors=ONE_OF_FOUR), "same", "same"),
        ({"title": SHORT}, replace(PAPER, title=SHORT, authors=OTHERS), "other", "other people"),
        (
            {"title": "Deep Residual Learning for Images Recognition Tasks"}, replace(PAPER, authors=()),
            "reworded", "reworded",
        ),
        (
            {"title": "Deep Residual Learning for Images Recognition Tasks", "year": "2013"},
            replace(PAPER, authors=()), "other", "reworded",
        ),
        (
            {"title": "Deep Residual Learning for Images Recognition Tasks"}, replace(PAPER, authors=OTHERS),
            "other people", "other people",
        ),
        ({"title": "Deep Residual"}, PAPER, "reworded", "reworded"),  # the same pages
        ({"title": "Nets for Vision", "year": "2015"}, PAPER, "reworded", "reworded"),
        ({"title": "Nets for Vision", "year": "2014"}, PAPER, "other", "reworded"),
        (
            {"title": "Nets for Vision", "year": "2015"}, replace(PAPER, venue="ICML", identifiers=Identifiers()),
            "other", "other",
        ),
        ({"title": "Deep Residual", "pages": None}, PAPER, "other", "reworded"),  # cut off
        ({"title": "深度残差学习", "pages": None}, PAPER, "other", "reworded"),
        ({"title": "深度残差学习", "pages": None, "year": "2012"}, PAPER, "other", "other"),
        ({"title": "Deep Residual Learning of Faces", "pages": None}, PAPER, "other", "reworded"),
        (
            {"title": "Deep Residual Learning of Faces", "pages": None}, replace(PAPER, authors=TWO_OF_FOUR),
            "other", "other",
        ),
        ({"kind": "book", "pages": None}, replace(PAPER, type="review-book", authors=OTHERS), "other", "other people"),
        ({}, replace(PAPER, title=f"Comment on “{TITLE}”", authors=OTHERS), "other", "other"),
        # Books, reports and web pages of one title are many.
        ({"kind": "book", "pages": None}, replace(PAPER, type="book", authors=OTHERS), "other", "other people"),
        ({"kind": "misc", "pages": None}, replace(PAPER, authors=OTHERS), "other", "other people"),
        ({"kind": "incollection", "booktitle": "Lexicon"}, replace(PAPER, authors=OTHERS), "other", "other people"),
        ({"kind": "misc", "booktitle": "arXiv"}, replace(PAPER, authors=OTHERS), "other people", "other people"),
        (
            {"booktitle": None, "pages": None, "url": "https://blog.example/residuals"},
            replace(PAPER, authors=OTHERS), "other", "other people",
        ),
    ],
)  # fmt: skip
def test_an_identifier_binds_what_a_search_does_not(changes, record, searched, led_to):
    entry = cited(**changes)
    comparison = compare(entry, record)
    bindings = [bind(entry, record, comparison, by_identifier=it).binding for it in (False, True)]
    assert bindings == [searched, led_to]


@pytest.mark.parametrize(
    ("identifier", "names"),
    [
        ({"doi": DOI}, True),
        ({"eprint": "1512.03385", "archiveprefix": "arXiv"}, True),
        ({"pmid": "12345678"}, True),
        ({"isbn": "0-201-13448-9"}, True),
        ({"url": "https://example.org"}, False),
        ({"doi": DOI, "title": TITLE}, False),
        ({"doi": DOI, "author": "He, Kaiming"}, False),
    ],
)
def test_an_identifier_alone_names_the_work(identifier, names):
    entry = cited("misc", **({"title": None, "author": None} | identifier))
    assert names_itself(entry) is names
    if names:
        record = ELSEWHERE
        comparison = compare(entry, record)
        assert bind(entry, record, comparison, by_identifier=False).binding == "same"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, True),
        ({"booktitle": "arXiv preprint"}, False),
        ({"booktitle": None}, False),
        ({"booktitle": None, "volume": "3"}, True),
        ({"booktitle": None, "volume": "3", "pages": None}, False),
    ],
)
def test_a_place_in_print_is_a_venue_or_pages_of_a_volume(changes, says):
    [bound] = weigh(answers(cited(**changes), PAPER)).bound
    assert bound.cited_in is says


def test_works_of_like_title_do_not_stand_beside_the_very_work():
    weighed = weigh(answers(cited(), PAPER, by("dblp", authors=OTHERS)))
    assert [it.record.source for it in weighed.bound] == ["crossref"]


def test_works_of_a_like_title_are_near():
    near = replace(PAPER, source="openalex", title="Deep Residual Learning in Birds", authors=OTHERS, pages="1")
    assert [it.source for it in weigh(answers(cited(), ELSEWHERE, near)).near] == ["openalex"]


def test_other_works_of_the_same_people_from_there_are_nearest():
    other = replace(PAPER, title="Object Detection with Nets", pages="1-9")
    near = replace(PAPER, source="openalex", title="Deep Residual Learning in Birds", authors=OTHERS, pages="1")
    assert [it.title for it in weigh(answers(cited(pages=None), near, other)).near] == [other.title, near.title]


def test_a_very_like_title_is_nearer_than_works_of_the_same_people_from_elsewhere():
    like = replace(PAPER, title=f"{TITLE} II. Videos", authors=OTHERS)
    there, later, long_ago = (
        by(source, title="Object Detection", pages="1-9", venue=venue, years=(year,), identifiers=Identifiers())
        for source, venue, year in [("openalex", CVPR, 2016), ("dblp", "ICML", 2017), ("arxiv", "ICML", 1999)]
    )
    assert weigh(answers(cited(pages=None), later, long_ago, there, like)).near == (there, like, later)


@pytest.mark.parametrize(
    ("comment", "subject"),
    [
        (f"Comment on ``{TITLE}''", TITLE),
        (f"Comment on ``{TITLE}'' by K. He", TITLE),
        (f"Comment on ``{TITLE}''", f"{TITLE}: A Survey"),
        ("Comment on ``Bees''", "Bees"),
    ],
)
def test_a_comment_stands_under_the_doi_of_its_subject(comment, subject):
    entry, record = cited(title=comment, author="Curie, Marie", doi=DOI), replace(PAPER, title=subject)
    assert not weigh(answers(entry, found("crossref", "doi", DOI, record))).traced
    other = answers(entry, found("crossref", "doi", DOI, ELSEWHERE))
    assert [it.leads for it in weigh(other).traced] == ["elsewhere"]


def test_no_answer_is_no_silence():
    weighed = weigh(answers(cited(), nothing("crossref", cited()), silent("dblp", cited())))
    assert (weighed.answered, weighed.searched) == (("crossref",), ("crossref",))
    assert weighed.unavailable == (("dblp", "429 Too Many Requests"),)


AT_CROSSREF, EXISTS = Question("crossref", "doi", DOI), Question("doi", "exists", DOI)


@pytest.mark.parametrize(
    ("said", "leads"),
    [
        ([(AT_CROSSREF, Found("crossref", (PAPER,)))], ["here"]),
        ([(AT_CROSSREF, Found("crossref", (ELSEWHERE,)))], ["elsewhere"]),
        ([(AT_CROSSREF, Absent("crossref"))], []),
        ([(AT_CROSSREF, Absent("crossref")), (EXISTS, Found("doi", ()))], []),
        ([(AT_CROSSREF, Absent("crossref")), (EXISTS, Absent("doi"))], ["nowhere"]),
        ([(AT_CROSSREF, Unavailable("crossref", "503"))], []),
        ([found("openalex", "doi", DOI, ELSEWHERE)], []),  # an aggregator may hold another work's record
        ([(AT_CROSSREF, Found("crossref", (PAPER,))), found("openalex", "doi", DOI, ELSEWHERE)], ["here"]),
    ],
)
def test_identifiers_go_astray_by_the_word_of_their_registrar(said, leads):
    assert [it.leads for it in weigh(answers(cited(doi=DOI), *said)).traced] == leads


@pytest.mark.parametrize(("source", "leads"), [("arxiv", ["nowhere"]), ("semantic_scholar", [])])
def test_whether_a_preprint_exists_arxiv_alone_says(source, leads):
    entry = cited(eprint="1512.03385", archiveprefix="arXiv")
    said = answers(entry, (Question(source, "arxiv", "1512.03385"), Absent(source)), PAPER)
    assert [it.leads for it in weigh(said).traced] == leads


def test_an_earlier_version_of_a_preprint_counts():
    entry = cited(kind="misc", booktitle=None, pages=None, eprint="1512.03385", archiveprefix="arXiv")
    renamed = replace(PREPRINT, id="1512.03385v2", title="On the Behaviour of Very Thick Networks", authors=OTHERS)
    said = answers(entry, found("arxiv", "arxiv", "1512.03385", renamed))
    assert [it.leads for it in weigh(said).traced] == ["elsewhere"]
    said |= answers(entry, found("arxiv", "arxiv", "1512.03385v1", PREPRINT))
    assert [it.leads for it in weigh(said).traced] == ["here"]


def test_answers_are_judged_once():
    entry = cited()
    answer = judge(entry, AT_CROSSREF, Found("crossref", (PAPER, ELSEWHERE)))
    assert [it.record.title for it in answer.bound] == [TITLE]
    assert [it.record.title for it in answer.others] == [ELSEWHERE.title]


def judged(entry, *said):
    return verdict(entry, answers(entry, *said), ALL).kind


def test_a_record_without_people_does_not_speak_for_those_of_the_entry():
    entry, nameless = cited(author="Curie, Marie and Dirac, Paul"), replace(PAPER, authors=())
    two = by("openalex"), by("dblp")
    assert judged(entry, nameless, *two) == "mismatch"
    assert judged(entry, nameless, two[0]) == "unchecked"  # one search alone
    assert judged(cited(), nameless, *two) == "verified"
    assert judged(entry, nameless, by("aclanthology", authors=entry.authors), *two) == "verified"
    elsewhere = [replace(it, identifiers=Identifiers(doi="10.1000/other")) for it in two]
    assert judged(entry, nameless, *elsewhere) == "unchecked"  # other works of that title, and nobody's name for this


@pytest.mark.parametrize(
    ("title", "changes", "record", "bound"),
    [
        ("Deep", {}, PAPER, "other"),  # begins many titles
        ("Deep R", {}, PAPER, "reworded"),
        ("Deep R", {"year": "2014"}, PAPER, "other"),
        ("Deep R", {}, replace(PAPER, authors=PEOPLE[:1]), "other"),
        ("Deep R", {"author": "He, Kaiming and Zhang, Xiangyu"}, PAPER, "other"),
        ("Deep R", {"author": "He, Kaiming and Zhang, Xiangyu"}, replace(PAPER, authors=PEOPLE[:2]), "reworded"),
        ("Image", {}, PAPER, "other"),
    ],
)
def test_a_title_that_was_cut_off_is_bound_by_its_people_under_its_identifier(title, changes, record, bound):
    entry = cited(title=title, pages=None, **changes)
    assert bind(entry, record, compare(entry, record), by_identifier=True).binding == bound
    assert bind(entry, record, compare(entry, record), by_identifier=False).binding == "other"


@pytest.mark.parametrize(("year", "bound"), [("2016", "reworded"), ("2015", "reworded"), ("2014", "other")])
def test_a_title_in_another_language_is_bound_by_people_and_year(year, bound):
    entry = cited(title="深度残差学习", pages=None, year=year)
    assert bind(entry, PAPER, compare(entry, PAPER), by_identifier=True).binding == bound


@pytest.mark.parametrize("kind", ["article-journal", "review", "review-book"])
def test_an_article_of_a_books_title_by_others_is_about_the_book(kind):
    record = replace(PAPER, authors=OTHERS, type=kind)
    entries = [cited(kind=it) for it in ("book", "inproceedings")]
    found = [bind(it, record, compare(it, record), by_identifier=False).binding for it in entries]
    assert found == ["other", "other people"]
    nameless = replace(record, authors=())
    found = [bind(it, nameless, compare(it, nameless), by_identifier=False).binding for it in entries]
    assert found == ["other", "same"]


@pytest.mark.parametrize(
    ("kind", "author", "cited_as"),
    [
        ("misc", "{The Residual Team}", "software"),
        ("misc", "He, Kaiming", "misc"),
        ("article", "{The Residual Team}", "article"),
    ],
)
def test_what_a_group_keeps_bringing_out_is_cited_as_software(kind, author, cited_as):
    entry = cited(kind=kind, author=author, doi=DOI)
    (bound,) = weigh(answers(entry, found("crossref", "doi", DOI, PAPER))).bound
    assert bound.cited_as == cited_as


STRANGERS = {"author": "Curie, Marie and Dirac, Paul"}


def test_a_bare_record_verifies_nothing():
    entry, bare = cited(), replace(PAPER, authors=(), years=(), venue="", pages="", identifiers=Identifiers())
    assert judged(entry, bare) == "unchecked"
    assert judged(entry, replace(bare, years=PAPER.years), by("openalex")) == "verified"


def test_a_list_that_broke_and_names_none_of_the_cited_people_verifies_nothing():
    broken = replace(PAPER, authors=(Name("et al. S. Liu", ""),))
    assert judged(cited(**STRANGERS), broken) == "unchecked"


def test_where_title_people_and_place_all_differ_it_is_another_work():
    title = "Effect of Correlation on the Ferromagnetism of Transition Metals"
    near = "Electron Correlation and Ferromagnetism of Transition Metals"
    entry = cited(
        "article", title=title, author="Gutzwiller, Martin C.", journal="Physical Review Letters", year="1963"
    )
    kanamori = replace(
        PAPER,
        title=near,
        authors=(Name("Kanamori", "Junjiro"),),
        years=(1963,),
        venue="Progress of Theoretical Physics",
    )
    assert weigh(answers(entry, kanamori)).bound == ()


@pytest.mark.parametrize("note", ["R package version 6.7-0", "https://github.com/a/b"])
def test_a_program_is_not_bound_to_a_book_about_it(note):
    entry = cited("misc", title="rms: Regression Modeling Strategies", author="Harrell, Frank E.", note=note)
    book = replace(PAPER, title="Regression Modeling Strategies", authors=entry.authors, type="book")
    assert weigh(answers(entry, book)).bound == ()
    assert weigh(answers(entry, replace(book, type="article-journal"))).bound == ()
    plain = cited("misc", title="Regression Modeling Strategies", author="Harrell, Frank E.", note="Second edition")
    assert weigh(answers(plain, book)).bound
