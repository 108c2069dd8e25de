"""Works of many fields as authors export them, against what registries say of them: none is to be accused."""

from dataclasses import replace

import pytest

from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.knowledge import Absent, Found
from citelsp.sources import clean
from citelsp.syntax.bibtex import parsing
from citelsp.verification.decide import verdict
from citelsp.verification.question import Question, search
from citelsp.verification.weighing import judge
from written_references import ALL

BROAD = ("crossref", "openalex", "semantic_scholar")
NEUTRINOS = "Observation of Coherent Elastic Neutrino Scattering in a Cesium Iodide Crystal"


def registered(title, authors, year, venue="", kind="article-journal", **said):
    """Crossref's record; the first of `years` is the one in print."""
    doi = said.pop("doi", "")
    names = tuple(map(clean.display_name, authors.split("; "))) if authors else ()
    known = Identifiers(doi=doi)
    return Record("crossref", doi, title, names, years=(year,), venue=venue, type=kind, identifiers=known, **said)


def entry_of(text):
    syntax = parsing.parse(Document("r.bib", text, "bibtex"))
    return Entry(syntax.entries.node(0), syntax.strings)


def judged(text, record, absent=()):
    """By its DOI at Crossref, where the entry has one; else as all of the broad indexes know it."""
    entry = entry_of(text)
    if entry.identifiers.doi:
        said = {Question("crossref", "doi", entry.identifiers.doi): Found("crossref", (record,))}
    else:
        said = {search(it, entry): Found(it, (replace(record, source=it),)) for it in BROAD}
    said |= {search(it, entry): Absent(it) for it in absent}
    return verdict(entry, {question: judge(entry, question, it) for question, it in said.items()}, ALL)


GROUPS = [
    ("{{GBD 2019 Diseases and Injuries Collaborators}}", "Theo Vos; Stephen S Lim; Cristiana Abbafati"),
    ("{{COVIDSurg Collaborative}}", "Dmitri Nepogodiev; Aneel Bhangu"),
    ("{European Association for the Study of the Liver}", "Peter R. Galle; Alejandro Forner"),
    ("{{ESC Task Force Members}}", "Piotr Ponikowski; Adriaan A. Voors"),
    ("{Vos, Theo and Lim, Stephen S. and others}", "The RECOVERY Collaborative Group"),
    ("{Vos, Theo}", "The Steering Committee of the Physicians' Health Study"),
]


@pytest.mark.parametrize(("author", "recorded"), GROUPS)
@pytest.mark.parametrize("doi", ["doi = {10.1016/x},", ""])
def test_a_group_stands_for_its_people(author, recorded, doi):
    title = "Global burden of many diseases and injuries in many countries"
    entry = f"@article{{k, {doi} author = {author}, title = {{{title}}}, journal = {{Lancet}}, year = 2020}}"
    record = registered(title, recorded, 2020, "The Lancet", doi="10.1016/x")
    assert judged(entry, record).kind == "verified"


def test_who_is_cited_instead_of_all_its_authors_is_wrong_and_no_other_work():
    entry = """@article{k, doi = {10.1016/x}, author = {Doe, Jane}, title = {A Study of Bees and Wasps},
        journal = {Lancet}, year = 2020}"""
    found = judged(entry, registered("A study of bees and wasps", "Theo Vos", 2020, "The Lancet", doi="10.1016/x"))
    assert (found.kind, found.reason) == ("mismatch", "differs in authors")
    other = judged(entry, registered("A study of bees and wasps", "Theo Vos", 1987, "Apidologie", doi="10.1016/x"))
    assert other.reason == "the DOI leads to a work of this title by other people"


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        (r"{The \lhcb detector at the {LHC}}", "verified"),
        (r"{The \mbox{\decay{\Bs}{\mumu}} detector at the LHC}", "verified"),
        (r"{The \textsl{} detector at the LHC}", "mismatch"),
        (r"{The \lhcb trigger at the LHC}", "mismatch"),
    ],
)
def test_what_a_command_of_the_authors_own_prints_nobody_knows(title, kind):
    entry = f"@article{{k, doi = {{10.1088/x}}, author = {{Alves, A. A. and others}}, title = {title}, year = 2008}}"
    record = registered("The LHCb Detector at the LHC", "A. Augusto Alves; L. M. Andrade", 2008, doi="10.1088/x")
    assert judged(entry, record).kind == kind


@pytest.mark.parametrize("year", [2007, 1997])
def test_names_without_a_gap_between_them_are_of_the_work_all_the_same(year):
    people = "Yiwei CaoRalf KlammaMarc SpaniolYan Leng"
    entry = f"""@misc{{k, doi = {{10.1007/x}}, author = {{{people}}}, year = {year},
        title = {{A Toolkit to Support Dynamic Social Network Visualization}}}}"""
    title = "A toolkit to support dynamic social network visualization"
    found = judged(entry, registered(title, "Yiwei Cao; Ralf Klamma; Marc Spaniol; Yan Leng", 2007, doi="10.1007/x"))
    assert [it.leads for it in found.traced] == ["here" if year == 2007 else "elsewhere"]
    whole = entry.replace(people, "Cao, Yiwei and Klamma, Ralf and Spaniol, Marc and Leng, Yan")
    found = judged(whole.replace("1997", "2007"), registered(title, people, 2007, doi="10.1007/x"))
    assert found.kind == "verified"


def test_a_book_of_one_author_may_lack_its_subtitle_under_its_doi():
    entry = """@book{k, doi = {10.1007/978-0-387-98141-3}, author = {Wick, Hadley}, publisher = {Springer},
        title = {Ggplot: Elegant Graphics for Data Analysis}, year = 2009}"""
    doi = "10.1007/978-0-387-98141-3"
    assert judged(entry, registered("ggplot", "Hadley Wick", 2009, kind="book", doi=doi)).kind == "verified"
    other = judged(entry, registered("ggplot", "Hadley Wick", 1999, kind="book", doi=doi))
    assert other.reason == "the DOI leads to another work"


@pytest.mark.parametrize(
    ("people", "doi", "fields"),
    [
        ("Ada Korot; Bo Sukhov; Cy Serg", "10.1101/060012", []),
        ("Ada Korot; Bo Sukhov; Cy Serg; Di Budin; Ed Shpak", "10.1101/060012", []),
        ("Ada Korot; Bo Sukhov; Cy Serg", "10.1101/gr.060012", ["authors"]),  # a journal of the same house
        ("Ada Korot; Bo Sukhov; Ed Shpak", "10.1101/060012", ["authors"]),
    ],
)
def test_people_join_and_leave_between_versions_of_a_preprint(people, doi, fields):
    entry = f"""@article{{k, doi = {{{doi}}}, author = {{Korot, Ada and Sukhov, Bo and Serg, Cy and Budin, Di}},
        title = {{Fast Gene Set Enrichment Analysis of Bees}}, journal = {{bioRxiv}}, year = 2019}}"""
    record = registered("Fast gene set enrichment analysis of bees", people, 2019, "bioRxiv", "preprint", doi=doi)
    assert [it.field for it in judged(entry, record).differences] == fields


NOTICES = [
    (f"Erratum to: {NEUTRINOS}", f"Erratum: {NEUTRINOS} [Phys. Rev. Lett. 118, 061102 (2017)]"),
    (f"{NEUTRINOS} (vol 118, 061102, 2017)", f"Erratum: {NEUTRINOS} [Phys. Rev. Lett. <b>118</b>, 061102 (2017)]"),
    (f"Author Correction: {NEUTRINOS}", f"Correction to: {NEUTRINOS}"),
    (f"{NEUTRINOS} (Corrigendum)", f"Corrigendum to “{NEUTRINOS}”"),
]


@pytest.mark.parametrize(("cited", "recorded"), NOTICES)
def test_corrections_are_named_in_many_ways(cited, recorded):
    entry = f"@article{{k, doi = {{10.1103/x}}, author = {{Akimov, D.}}, title = {{{cited}}}, year = 2018}}"
    assert judged(entry, registered(recorded, "D. Akimov", 2018, "Physical Review Letters", doi="10.1103/x")).kind == (
        "verified"
    )


@pytest.mark.parametrize(
    "notice", [f"Correction to: {NEUTRINOS}", f"Comment on “{NEUTRINOS}”", f"{NEUTRINOS} (Erratum)"]
)
def test_a_notice_and_what_it_is_about_are_two_works(notice):
    entry = "@article{k, author = {Akimov, D.}, title = {%s}, journal = {Phys. Rev. Lett.}, year = %d}"
    about = registered(NEUTRINOS, "D. Akimov", 2017, "Physical Review Letters", volume="118")
    assert judged(entry % (notice, 2018), about, absent=("dblp", "europepmc")).kind == "unchecked"
    of_it = registered(notice, "D. Akimov", 2018, "Physical Review Letters", volume="120")
    assert judged(entry % (NEUTRINOS, 2017), of_it, absent=("dblp", "europepmc")).kind == "unchecked"


@pytest.mark.parametrize("mark", ["RETRACTED CHAPTER: ", "RETRACTED—", "Notice of Retraction<BR />", "[Retracted] "])
def test_marked_as_retracted(mark):
    assert clean.says_retracted(f"{mark}A Study of Bees")
    assert clean.title(f"{mark}A Study of Bees") == "A Study of Bees"


def test_a_comment_under_the_doi_of_its_article():
    entry = """@article{k, author = {Speed, Terry}, doi = {10.1214/x}, year = {1991}, journal = {Statistical Science},
        title = {Comment on ``That {BLUP} is a Good Thing: The Estimation of Effects'' by {G. K. Robinson}}}"""
    title, journal = "That BLUP is a Good Thing: The Estimation of Effects", "Statistical Science"
    about = registered(title, "G. K. Robinson", 1991, journal, doi="10.1214/x")
    assert judged(entry, about).kind == "unchecked"


def test_an_article_that_a_book_prints_again():
    entry = """@incollection{k, author = {Rawls, John}, title = {Two Concepts of Rules},
        booktitle = {Theories of Ethics},
        publisher = {Oxford University Press}, year = {1967}, pages = {144--170}}"""
    first = registered(
        "Two Concepts of Rules", "John Rawls", 1955, "The Philosophical Review", volume="64", pages="3-32"
    )
    assert judged(entry, first).reason == "found in The Philosophical Review, 1955, but not where it is cited"


def test_volumes_counted_by_series_and_from_the_first_one_on():
    entry = """@article{k, author = {Einstein, Albert}, title = {Zur Elektrodynamik bewegter K{\\"o}rper},
        doi = {10.1002/x}, journal = {Ann. Phys.}, volume = {17}, pages = {891--921}, year = {1905}}"""
    record = registered(
        "Zur Elektrodynamik bewegter Körper", "A. Einstein", 1905, "Annalen der Physik", doi="10.1002/x", volume="322",
        issue="10", pages="891-921",
    )  # fmt: skip
    assert judged(entry, record).kind == "verified"
    assert judged(entry, replace(record, pages="12-19")).reason == "differs in volume and pages"


def test_an_old_journal_under_the_name_of_its_successor():
    entry = """@article{k, author = {Luria, A.}, title = {On the Inverse Problem of Inheritance in Cells},
        doi = {10.1007/x}, journal = {Pfl{\\"u}ger's Archiv}, volume = {38}, pages = {173--198}, year = {%d}}"""
    record = registered(
        "On the Inverse Problem of Inheritance in Cells", "A. Luria", 1931, "Die gesamte Physiologie der Tiere",
        doi="10.1007/x", volume="38", pages="173-198",
    )  # fmt: skip
    assert judged(entry % 1931, record).kind == "verified"
    assert judged(entry % 2011, replace(record, years=(2011,))).reason == "differs in venue"


def test_an_old_article_that_another_journal_printed_again():
    entry = """@article{k, author = {Kolmogorov, A. N.}, title = {Three Approaches to the Definition of Information},
        journal = {Problems of Information Transmission}, volume = {1}, number = {1}, pages = {1--7}, year = {%d}}"""
    again = registered(
        "Three approaches to the definition of information", "A. N. Kolmogorov", 1968,
        "Journal of Computer Mathematics", volume="2", pages="157-168",
    )  # fmt: skip
    assert judged(entry % 1965, again).kind == "unchecked"
    assert judged(entry % 1995, replace(again, years=(1995,))).kind == "mismatch"


def test_a_conference_paper_of_which_the_journal_version_alone_is_found():
    entry = """@inproceedings{k, author = {Dean, Jeffrey}, title = {MapReduce: Data Processing on Large Clusters},
        booktitle = {OSDI'04: Sixth Symposium on Operating System Design and Implementation}, pages = {137--150},
        year = {2004}}"""
    title = "MapReduce: data processing on large clusters"
    record = registered(title, "Jeffrey Dean", 2008, "Communications of the ACM", volume="51", pages="107-113")
    found = judged(entry, record)
    assert (found.kind, found.reason) == (
        "unchecked",
        "found in Communications of the ACM, 2008, but not where it is cited",
    )


@pytest.mark.parametrize("kind", ["manual", "misc"])
def test_software_comes_out_again_and_again(kind):
    entry = f"""@{kind}{{k, title = {{R: A Language and Environment for Statistical Computing}},
        author = {{{{R Core Team}}}}, organization = {{R Foundation}}, year = {{2023}}}}"""
    record = registered(
        "R: A language and environment for statistical computing", "R Core Team", 2014, "MSOR connections"
    )
    assert judged(entry, record).kind == "verified"


@pytest.mark.parametrize(
    "recorded", ["Zur Elektrodynamik bewegter Körper und der Energie", "運動する物体の電気力学について"]
)
def test_a_translated_title_under_the_doi_of_the_original(recorded):
    entry = """@article{k, author = {Einstein, A.}, title = {On the Electrodynamics of Moving Bodies},
        doi = {10.1002/x}, journal = {Annalen der Physik}, year = {1905}}"""
    record = registered(recorded, "Albert Einstein", 1905, "Annalen der Physik", doi="10.1002/x")
    assert judged(entry, record).kind == "verified"
    assert judged(entry, replace(record, years=(1921,))).kind != "verified"


def test_a_title_in_another_script_under_the_isbn():
    entry = "@book{k, author = {Выготский, Л.}, title = {Мышление и речь}, year = {1999}, isbn = {5876040371}}"
    record = replace(registered("Myshlenie i rech", "L. S. Vygotskiĭ", 1999), source="openlibrary", type="book")
    said = {Question("openlibrary", "isbn", "9785876040374"): Found("openlibrary", (record,))}
    cited = entry_of(entry)
    found = verdict(cited, {question: judge(cited, question, it) for question, it in said.items()}, ALL)
    assert found.kind == "unchecked"


def test_a_number_that_stands_in_the_recorded_volume():
    entry = """@article{k, author = {Turing, A. M.}, title = {On Computable Numbers},
        journal = {Proc. Lond. Math. Soc.}, volume = {2}, number = {42}, pages = {230--265}, year = {1937},
        doi = {10.1112/x}}"""
    record = registered(
        "On Computable Numbers", "A. M. Turing", 1937, "Proceedings of the London Mathematical Society",
        doi="10.1112/x", volume="s2-42", issue="1", pages="230-265",
    )  # fmt: skip
    assert judged(entry, record).kind == "verified"


@pytest.mark.parametrize(("year", "fields"), [(1931, []), (1929, ["year", "venue"])])
def test_an_old_journal_is_registered_under_its_name_of_today(year, fields):
    entry = f"""@article{{k, author = {{Guild, J.}}, title = {{The Colorimetric Properties of the Spectrum}},
        journal = {{Philosophical Transactions of the Royal Society of London}}, volume = 230, pages = {{149--187}},
        year = {year}, doi = {{10.1098/rsta.1932.0005}}}}"""
    now = "Philosophical Transactions of the Royal Society A: Mathematical, Physical and Engineering Sciences"
    place = {"volume": "230", "pages": "149-187", "doi": "10.1098/rsta.1932.0005"}
    record = registered("The colorimetric properties of the spectrum", "J. Guild", 1932, now, **place)
    assert [it.field for it in judged(entry, record).differences] == fields


def test_a_book_of_which_a_review_alone_is_found():
    entry = """@book{k, title = {Reinforcement Learning: An Introduction}, author = {Sutton, Richard and Barto, Andrew},
        volume = {1}, number = {1}, year = {1998}, publisher = {MIT Press}}"""
    title, journal = "Reinforcement Learning: An Introduction", "IEEE Transactions on Neural Networks"
    review = registered(title, "R.S. Sutton; A.G. Barto", 1998, journal, volume="9", issue="5", pages="1054")
    assert judged(entry, review).reason == f"found in {journal}, 1998, but not where it is cited"


@pytest.mark.parametrize("venue", ["", "On Superconductivity"])
def test_an_old_article_that_a_book_alone_has(venue):
    entry = """@article{k, author = {Ginzburg, V. L. and Landau, L. D.}, title = {On the Theory of Superconductivity},
        journal = {Zh. Eksp. Teor. Fiz.}, volume = {20}, pages = {1064}, year = {1950}}"""
    chapter = registered("On the theory of superconductivity", "V. L. Ginzburg; L. D. Landau", 2009, venue, "chapter")
    assert judged(entry, chapter).reason == f"found in {venue or 'a book'}, 2009, but not where it is cited"


def test_a_paper_cited_by_the_series_of_its_book():
    entry = """@article{k, author = {Ronneberger, Olaf}, title = {Convolutional Networks for Image Segmentation},
        journal = {Lecture Notes in Computer Science}, year = {2015}}"""
    title, book = "Convolutional networks for image segmentation", "Medical Image Computing – MICCAI 2015"
    assert judged(entry, registered(title, "Olaf Ronneberger", 2015, book, "chapter")).kind == "verified"


def test_a_patent_has_several_years():
    entry = """@patent{k, author = {Page, Lawrence}, title = {Method for Node Ranking in a Linked Database},
        year = {2001}}"""
    assert judged(entry, registered("Method for node ranking in a linked database", "Lawrence Page", 1997)).kind == (
        "verified"
    )
