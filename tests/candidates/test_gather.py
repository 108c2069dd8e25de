"""Every work once, with all that speaks for it: the author's entries, a corpus, services."""

from dataclasses import replace

import pytest

from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.candidates import admitted_works, gather, word_coverage
from citelsp.candidates.search_words import choose_words
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.work import Work
from citelsp.knowledge import Candidate, Found, ServerAnswer, Unavailable
from citelsp.workspace import question
from fixture_projects import project_of

REFS = "@misc{ice09, author = {Ice, Ada}, title = {Measuring Glacier Flow}, year = 2009}\n"
TEXT = r"Tidewater glaciers calve where they float \cite<>."
WORKS = [
    Work(
        "W1", "Measuring Glacier Flow", "We measure how tidewater glaciers calve where they float.", ("Ada Ice",), 2009
    ),
    Work("W2", "How Tidewater Glaciers Calve", "They float.", ("Bo Sea",), 2012),
]


def record(title, source, **more):
    return Record(title=title, source=source, id=title, authors=(Name("Ice", "Ada"),), **more)


@pytest.fixture
def here(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add(WORKS)
        project = project_of({"main.tex": TEXT, "refs.bib": REFS})
        [placeholder] = project.sources["main.tex"].syntax.placeholders
        yield gather.gather_locally(
            question.placeholder_question(project, "main.tex", placeholder), corpus, project, Libraries()
        )


def test_a_work_of_the_corpus_that_has_an_entry_is_one_work_under_its_key(here):
    mine, other = gather.works(here)
    assert here.size == 2
    assert (mine.candidate.key, mine.place, mine.candidate.record.abstract) == ("ice09", 0, WORKS[0].abstract)
    assert mine.candidate.origins == ("library", "corpus")
    assert mine.own is not None and mine.corpus is not None
    assert (other.candidate.key, other.place, other.own) == ("", None, None)
    assert other.corpus is not None


def test_what_a_paper_does_not_say_of_itself_is_taken_from_its_entry():
    project = project_of({"main.tex": TEXT, "refs.bib": REFS.replace("2009}", "2009, howpublished = {Ice Press}}")})
    of_pdf = Candidate(record("Measuring Glacier Flow", "corpus"), origins=("corpus",))
    found = gather.add_own_key(project, of_pdf)
    assert (found.key, found.record.year, found.record.venue) == ("ice09", 2009, "Ice Press")
    assert (found.record.source, found.record.authors) == ("corpus", of_pdf.record.authors)


def test_copies_of_one_work_are_one_line_and_it_shows_who_wrote_it(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        titles = (
            "How Tidewater Glaciers Calve, 2012",
            "How Tidewatr Glaciers Calve",
            "How tidewater glaciers calve. Ice",
        )
        corpus.add([*WORKS, *(Work(it, it) for it in titles)])
        found = gather.works(gather.gather_locally(question.read_marked(TEXT), corpus))
    assert {it.candidate.record.title for it in found} == {it.title for it in WORKS}
    assert all(it.candidate.record.authors for it in found)


def test_a_place_in_a_services_list_counts_the_less_the_later(here):
    titles = ["Alpha Waves in Sleeping Birds", "Beta Decay of Heavy Nuclei", "Gamma Rays from Distant Stars"]
    found = Found("openalex", tuple(record(it, "openalex") for it in titles))
    empty = Found("dblp", ())
    worth = {it.candidate.record.title: it.services for it in gather.works(here, [found])}
    assert worth[titles[0]] == 1.0
    assert 1 > worth[titles[1]] > worth[titles[2]] > 0.5
    halves = {it.candidate.record.title: it.services for it in gather.works(here, [found, empty])}
    assert halves[titles[0]] == 0.5
    same = gather.works(here, [found, Unavailable("dblp", "timeout")])
    assert {it.candidate.record.title: it.services for it in same} == worth


def test_two_services_that_give_one_work_are_two_voices(here):
    found = [Found(it, (record("Alpha Waves in Sleeping Birds", it),)) for it in ("openalex", "dblp")]
    [joined] = [it for it in gather.works(here, found) if it.candidate.origins == ("openalex", "dblp")]
    assert joined.services == 1.0
    assert not joined.is_here


def test_a_service_adds_its_voice_to_what_is_here(here):
    first, *others = gather.works(here, [Found("dblp", (record("Measuring Glacier Flow", "dblp", years=(2009,)),))])
    assert (first.candidate.key, first.candidate.origins) == ("ice09", ("library", "corpus", "dblp"))
    assert (first.services, first.is_here) == (1.0, True)
    assert [it.services for it in others] == [0.0]


def test_a_work_read_from_a_pdf_is_written_as_services_know_it(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work("title:1", "How Tidewater Glaciers Calve", "They float.", doi="10.1000/calve")])
        project = project_of({"main.tex": TEXT, "refs.bib": REFS})
        [placeholder] = project.sources["main.tex"].syntax.placeholders
        here = gather.gather_locally(
            question.placeholder_question(project, "main.tex", placeholder), corpus, project, Libraries()
        )
        known = Identifiers(doi="10.1000/calve")
        found = record("How Tidewater Glaciers Calve", "crossref", identifiers=known, venue="Ice", years=(2012,))
        [work] = [
            it.candidate.record for it in gather.works(here, [Found("crossref", (found,))]) if not it.candidate.key
        ]
    assert (work.source, work.id, work.abstract) == ("corpus", "title:1", "They float.")
    assert (work.authors, work.year, work.venue) == (found.authors, 2012, "Ice")


def test_what_the_sentence_cites_already_does_not_come_from_the_corpus_again(here):
    asked = replace(here.query.question, beside=frozenset({WORKS[1].title}))
    assert [it.record.title for it in gather.gather_locally(asked, here.corpus).found] == [WORKS[0].title]


def test_a_work_of_a_server_that_has_an_entry_stands_under_its_key(here):
    alone = replace(here, own=(), found=())
    found = gather.joined_by(alone, [ServerAnswer("lab", (Candidate(record(WORKS[0].title, "lab"), 0.5),), works=9)])
    assert [it.key for it in found.found] == ["ice09"]
    assert found.size == 9


def test_the_work_of_which_the_author_wrote_the_title_is_meant(here):
    titles = ["Alpha Waves in Sleeping Birds", "Beta Decay of Heavy Nuclei"]
    lists = [Found("dblp", tuple(record(it, "dblp") for it in titles))]
    asked = replace(here, query=Query(replace(here.query.question, hint="beta decay of heavy nuclei")))
    assert [it.candidate.record.title for it in gather.works(asked, lists) if it.meant] == titles[1:]
    assert not any(it.meant for it in gather.works(here, lists))


def test_words_right_before_the_place_count_more_than_others_of_the_sentence(here):
    text = "As for harps, of which much was said before, it is in storms that oars break"
    sought = word_coverage.weigh_sought_words(Query(replace(here.query.question, before=text, after="")), (), None)
    assert sought.share("Oars") > sought.share("Harps") > 0


def test_nothing_later_than_the_manuscript_comes_from_a_service(here):
    asked = replace(here.query.question, date="2015-06")
    dated = replace(here, query=Query(asked))
    late = record("Alpha Waves in Sleeping Birds", "dblp", years=(2018,))
    early = record("Beta Decay of Heavy Nuclei", "dblp", years=(2014,))
    origins = [it.candidate.record.title for it in gather.works(dated, [Found("dblp", (late, early))])]
    assert early.title in origins and late.title not in origins


def test_what_is_cited_beside_the_place_comes_from_no_service(here):
    asked = replace(here.query.question, beside=frozenset({"Alpha Waves in Sleeping Birds"}))
    found = Found("dblp", tuple(record(it, "dblp") for it in (*asked.beside, "Beta Decay of Heavy Nuclei")))
    titles = [it.candidate.record.title for it in gather.works(replace(here, query=Query(asked)), [found])]
    assert "Beta Decay of Heavy Nuclei" in titles and not asked.beside & set(titles)


def test_without_a_project_the_corpus_alone_is_searched(here):
    alone = gather.gather_locally(here.query.question, here.corpus)
    assert (alone.own, alone.corpus, alone.size) == ((), here.corpus, 2)
    assert {it.record.title for it in alone.found} == {it.title for it in WORKS}


def test_the_words_to_search_with_are_those_typed_or_else_some_before_the_place(here):
    asked = here.query.question
    assert choose_words(Query(replace(asked, hint="calving rates of glaciers"))) == "calving rates of glaciers"
    assert choose_words(Query(replace(asked, hint="calving"))) == "calving"
    near = replace(asked, before="Many tidewater glaciers calve in summer, it is said", hint="")
    assert {"tidewater", "glaciers", "calve"} <= set(choose_words(Query(near)).split())


@pytest.mark.parametrize(
    ("known", "date"),
    [
        ({"date": "2020-05-31", "years": (2020,)}, "2020-05-31"),
        ({"years": (2021,), "identifiers": Identifiers(arxiv="2001.01234")}, "2020-01"),
        ({"date": "2019", "identifiers": Identifiers(arxiv="2001.01234")}, "2019"),
        ({}, ""),
    ],
)
def test_the_earliest_date(known, date):
    assert admitted_works.earliest_date(record("A", "dblp", **known)) == date
