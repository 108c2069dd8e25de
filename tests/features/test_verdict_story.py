"""How a verdict came about, as a person reads it."""

from dataclasses import replace

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.features import popup_of_work
from citelsp.features.verdict_story import story, tell_unreported
from citelsp.knowledge import Found, Traced, Unavailable
from citelsp.verification import policy_wording
from citelsp.verification.decide import verdict
from citelsp.verification.question import search
from written_references import ALL, PAPER, PREPRINT, answers, by, cited, found, journal, nothing

DAY = "2026-01-02"


def judged(entry, *said):
    return policy_wording.with_sentences(replace(verdict(entry, answers(entry, *said), ALL), date=DAY))


def test_an_entry_that_agrees():
    told = story(judged(cited(), by("crossref")))
    assert told[0] == "Asked 2026-01-02: Crossref answered."
    assert told[1].startswith("Taken for the work: He, K., Zhang, X., Ren, S.")
    assert told[2] == "Crossref: The title agrees, and at least some of the people do."
    assert "Title, authors, year, venue and pages: Crossref agrees." in told
    assert told[-1] == ("So it is verified. The work was found, and nothing that was compared contradicts the entry.")


def test_the_identifier_that_the_work_has_is_told_beside_the_wrong_one():
    one = replace(judged(cited(), by("crossref")), kind="conflict")
    astray = Traced("doi", "10.1109/cvpr.2016.9000", "nowhere", "crossref")
    told = story(replace(one, traced=(astray,)))
    assert told[3] == "Its DOI is 10.1109/cvpr.2016.90."
    assert "Its DOI is 10.1109/cvpr.2016.90." not in story(replace(one, traced=(replace(astray, leads="here"),)))


def test_a_service_that_answered_in_part():
    one = replace(judged(cited(), by("crossref")), asked=("crossref", "dblp"), unavailable=("dblp", "openalex"))
    assert story(one)[:3] == [
        "Asked 2026-01-02: Crossref answered.",
        "Asked 2026-01-02: DBLP did not answer every question.",
        "No answer from OpenAlex.",
    ]


def test_a_venue_that_is_not_reported():
    entry = cited(booktitle="ICML", pages=None)
    one = judged(entry, by("openalex"), by("semantic_scholar"))
    sentence = "aggregators may call them by a series that they made up."
    assert any(it.startswith("Venue: the word of OpenAlex and") and it.endswith(sentence) for it in story(one))
    assert tell_unreported(one)[0].startswith("Not reported: venue (OpenAlex and Semantic Scholar). ")
    shown = [it.text for it in popup_of_work.verdict(one, entry)]
    assert any(it.startswith("Not reported: venue") for it in shown)


def test_what_was_compared_with_nothing():
    one = judged(cited(), by("openalex", venue="", pages="", years=(), identifiers=Identifiers()))
    told = story(one)
    assert "Year, venue and pages: not compared. No record that was found has a value to compare." in told
    assert [it.text for it in popup_of_work.verdict(one, cited())][-1] == "Not compared: year and venue."
    early = story(judged(cited(pages=None), by("openalex", PREPRINT)))
    assert any(it.startswith("Venue: not compared. One is the preprint") for it in early)


def test_of_a_wrong_place_only_the_last_word_is_told():
    told = story(judged(cited(booktitle="ICML", year="2017", pages=None), by("openalex"), by("dblp")))
    of_the_year = [it for it in told if it.startswith(("Year", "Title, authors and year"))]
    assert len(of_the_year) == 1
    assert of_the_year[0].startswith("Year: reported, as DBLP and OpenAlex differ. As the venue is wrong, so is a year")
    early = [by(it, PREPRINT) for it in ("openalex", "semantic_scholar", "dblp")]
    told = story(judged(cited(year="2015", pages=None), *early))
    assert sum(it.startswith("Venue: ") for it in told) == 1


def test_a_wrong_venue():
    told = story(judged(cited(booktitle="ICML", pages=None), by("openalex"), by("dblp")))
    assert "Venue: reported, as DBLP and OpenAlex differ. At least two sources have the work in another venue." in told
    assert told[-1].startswith("So it is not as recorded: differs in venue.")


def test_a_work_that_nobody_has_in_a_journal_that_is_known():
    entry = cited("article", title="On the Dreams of Sheep in Winter", journal="Journal of Ornithology", booktitle=None)
    said = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "openalex", "europepmc")]
    told = story(judged(entry, *said, *journal(entry, crossref={2016: 8}, openalex=None)))
    assert "Crossref has 8 works of 2016 from Journal of Ornithology." in told
    assert told[-1].startswith("So it is unconfirmed: Crossref has 8 works of 2016")


def test_a_record_of_the_very_title_is_shown_with_its_people():
    entry = cited(title="Differentiation in PyTorch")
    silent = [nothing(it, entry) for it in ("crossref", "semantic_scholar", "dblp")]
    other = by("openalex", title=entry.title, authors=(Name("Chanan", "G."),), pages="", years=(2017,))
    one = judged(entry, *silent, other)
    told = story(one)
    assert "The nearest one: Chanan, G. (2017). Differentiation in PyTorch." in "\n".join(told)
    reasons = [it.removeprefix("It is not taken for the work: ") for it in told if "not taken for the work" in it]
    assert reasons
    assert all(reason[0].islower() for reason in reasons)  # behind a colon
    assert told[-1] == "So it is unconfirmed: OpenAlex has this very title by other people."
    nameless = judged(entry, *silent, replace(other, authors=()))
    assert nameless.reason == "OpenAlex has this very title, but does not say clearly by whom"


def test_what_is_excused_was_compared():
    book = cited("book", booktitle=None, pages=None, publisher="Prentice Hall", year="1999")
    told = story(judged(book, by("openalex", venue="Nature", years=(1978,))))
    assert any(it.startswith("Year: OpenAlex differs, which does not count. Books, ") for it in told)


def test_a_year_beside_agrees_only_nearly():
    told = story(
        judged(
            cited(year="2016"),
            by("dblp", years=(2016,)),
            by("openalex", years=(2015,), venue="CVPR", identifiers=Identifiers()),
        )
    )
    assert "Year: OpenAlex nearly agrees." in told
    assert any("year" in it.lower() and it.endswith(": DBLP agrees.") for it in told)


def test_of_another_printing_only_what_the_entry_states_is_left_uncompared():
    book = cited("book", booktitle=None, pages=None, publisher="Prentice Hall", year="1999")
    told = story(judged(book, by("openalex", venue="Nature", years=(1978,))))
    assert not any("volume" in it for it in told)


def test_an_identifier_that_is_not_looked_up():
    told = story(judged(cited(isbn="9780306406157"), by("crossref")))
    assert "An ISBN is looked up only if the entry is a book, and has neither a DOI nor an arXiv id." in told
    assert not any("ISBN" in it for it in story(judged(cited(), by("crossref"))))


def test_where_an_identifier_leads():
    other = replace(by("crossref"), title="Migration of Birds over the Sea", authors=())
    told = story(judged(cited(doi="10.1000/birds"), found("crossref", "doi", "10.1000/birds", other)))
    assert any(it.startswith("The DOI 10.1000/birds leads to another work according to Crossref: ") for it in told)


def test_a_work_of_the_title_by_other_people_under_the_identifier():
    people = (Name("Meyer", "Anna"), Name("Vogel", "Tim"))
    doi = Identifiers(doi="10.1000/x")
    other = by("crossref", authors=people, venue="NeurIPS", pages="1-9", years=(2017,), identifiers=doi)
    told = story(judged(cited(doi=doi.doi), found("crossref", "doi", doi.doi, other)))
    assert any(" leads to a work of this title by other people according to Crossref: " in it for it in told)
    assert any("the DOI leads to a work of this title by other people" in it for it in told)


def test_a_second_record_of_a_source_is_told_apart():
    series = by("crossref", venue="Deep Nets", type="chapter", identifiers=Identifiers(doi="10.1007/978-3-319-1"))
    entry = cited("incollection", booktitle="CVPR")
    told = story(judged(entry, (search("crossref", entry), Found("crossref", (PAPER, series)))))
    assert sum(it.startswith("Venue: what another record of Crossref says does not count") for it in told) <= 1
    assert not any(it.startswith("Venue: what Crossref says") for it in told)


def test_a_place_that_is_near_by_a_rule_of_its_own():
    old = {"journal": "Annals of Vision", "booktitle": None, "year": "1985", "volume": "17", "pages": "891--921"}
    record = by(
        "crossref", venue="Annals of Vision", type="article-journal", years=(1985,), volume="322", pages="891-921"
    )
    told = story(judged(cited("article", **old), record))
    volume = [it for it in told if it.startswith("Volume")]
    assert len(volume) == 1
    assert volume[0].startswith("Volume: Crossref nearly agrees. Journals before 2000 count by series")


def test_all_years_of_the_record_are_told():
    told = story(judged(cited(year="2016"), by("openalex", years=(2015, 2016))))
    assert "It is dated 2015 and 2016." in told


def test_a_venue_that_cannot_be_compared():
    told = story(judged(cited(booktitle="Proceedings of Seeing", pages=None), by("openalex", venue="ws")))
    assert any(it.startswith("Venue: not compared. What the records give is neither the same") for it in told)


def test_a_service_that_did_not_answer_ends_in_brackets():
    entry = cited("article", title="On the Dreams of Sheep in Winter", journal="Journal of Ornithology", booktitle=None)
    silent_one = (search("crossref", entry), Unavailable("crossref", "429 Too Many Requests"))
    assert "So it is unchecked (" in story(judged(entry, silent_one))[-1]
