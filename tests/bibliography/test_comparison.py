"""Entries against records, field by field: what is the same, looser, different or unknown."""

import time
from dataclasses import replace

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.bibliography.tolerant_comparison.pages import compare_written_pages
from written_references import CVPR, PAPER, PREPRINT, TITLE, cited

SAME_TITLES = [
    ("{BERT}: Pre-training", "BERT: Pre–Training."),
    ("ES<sup>3</sup>: Evolving Speech Representations", "ES3: Evolving Speech Representations"),
    ("Influences on Judgment and Choice", "Influences on judgement and choice"),
    ("The Doge&rsquo;s Life &amp; Terms", "The Doge’s Life & Terms"),
    ("Modelling the behaviour of colour", "Modeling the behavior of color"),
    ("Anaesthesia in Paediatric Leukaemia Centres", "Anesthesia in pediatric leukemia centers"),
    ("Analysing Labelled Programmes", "Analyzing labeled programs"),
    ("What Optimises Behaviour", "What optimizes behavior"),
    ("Higher Networks, Part II", "Higher networks, part 2"),
    ("Reaction Steps in Networks. Part I. Modeling Labels", "Reaction steps in networks: I. Modeling labels"),
    ("Reaction Steps in Networks, Pt. 2: Flux", "Reaction Steps in Networks, Part Two. Flux"),
    ("Über Gruppen. Teil III", "Über Gruppen III"),
    ("Sur les groupes. Partie 2", "Sur les groupes, II"),
    ("The Anatomy of Breaking. II. The Bosons", "The anatomy of breaking Tome II: The bosons"),
    ("Jets in collisions at sqrts=13 TeV with the detector", "Jets in collisions at √s = 13 TeV with the detector"),
    ("A fifth-order perturbation comparison", "A 5TH-ORDER PERTURBATION COMPARISON"),
    ("Surfaces for the X and A states of CH_2^+", "Surfaces for the (X)over-tilde and (A)over-tilde states of CH2+"),
    ("Higher Networks (Part XII)", "Higher Networks XII."),
    ("Evidence for the 2π decay of the K_2^0 meson", "Evidence for the2πDecay of theK20Meson"),
    ("Real-time PCR and the 2(-Delta Delta C(T)) method", "Real-Time PCR and the 2−ΔΔCT Method"),
    ("FAST: A study", "F.A.S.T.: A study"),
    ("Towards a theory of neighbourhoods", "Toward a Theory of Neighborhoods"),
    ("X-Ray Spectra of V. cholerae", "Xray spectra of V cholerae"),
    ("Folding: An Improved R-hat for Chains", "Folding: An Improved $\\widehat{R}$ for Chains"),
    ("A Growth of 5 per cent", "A growth of 5%"),
    ("Low-Rank plus Sparse Models", "Low-rank + sparse models"),
    ("Photon Coincidences in Parametric Downconversion", "Photon Coincidences in Parametric Downconversiona"),
    ("Spectra for Telluric Absorption", "Spectra for Telluric Absorption1"),
    ("Berechnung der natürlichen Linienbreite", "Berechnung der nat\ufffdrlichen Linienbreite"),
    ("Clusters of Galaxies at z 0.5", "Clusters of galaxies at z approximately equal to 0.5"),
    ("Optical Fibre Networks in Grey Discs", "Optical fiber networks in gray disks"),
    ("Ueber die Grundlagen der Mathematik", "Über die Grundlagen der Mathematik"),
    ("Deep Networks and Tree Search", "Deep Networks & Tree Search"),
    ("A Study of Bees and Wasps", "RETRACTED: A Study of Bees and Wasps"),
    ("A New Paradigm: Sérsic and Core Galaxies", "A New Paradigm: Srsic and Core Galaxies"),
]
LOOSER_TITLES = [
    ("Ordinary differential equations of order $\\alpha$", "Ordinary differential equations of order α"),
    ("Attention Is All You Need", "Attention Is All You Need: A Retrospective"),
    ("Complex Query Answering with Links", "Complex Query Answering with Links (Extended Abstract)*"),
    ("Theory and Practice, Second Edition", "Theory and Practice"),
    ("Theory and Practice. 2nd ed.", "Theory and Practice"),
    ("Theory and Practice, 12/e", "Theory and Practice"),
    ("Theory and Practice, Volume One", "Theory and Practice"),
    ("Theory and Practice, ninth Dover printing, tenth GPO printing edition", "Theory and Practice"),
    ("H_∞ control of nonlinear systems", "H/sub infinity / control of nonlinear systems"),
    ("Theory and Practice, vol. 1", "Theory and Practice"),
    ("On Lines of Closest Fit", "LIII. On lines of closest fit"),
    ("On Atoms, Part II", "XXXVII. On atoms"),
    ("The Art of Fugues, Volume 2 (3rd Ed.): Stretto", "The Art of Fugues"),
    ("Climate Change: The Physical Basis", "Climate Change – The Physical Basis: Contribution to a Report"),
    ("Das Kapital. Kritik der Ökonomie. Erster Band", "Das Kapital: Kritik der Ökonomie"),
    ("The Art of Fugues, Volume 1 (3rd Ed.): Themes", "The Art of Fugues: Themes"),
    ("A Memoir on Matrices", "LII. A memoir on matrices. By the late Mr. Brown, in a letter to Mrs. Green"),
    ("Outcome after Thrombolysis", "Abstract W-P12: Outcome after thrombolysis"),
    ("A Growth of 5% in a Year", "A growth of 5 in a year"),
    ("VIII.5. - Contrast Limited Histograms", "Contrast Limited Histograms"),
    ("Ridge Functions with l^1 and l^0 controls", "Ridge Functions With and Controls"),
    ("Near-Unitary Spin Squeezing in ^171Yb", "Near-Unitary Spin Squeezing in Yb171"),
    ("The Nature of Spin Waves", "The Nature of Spin Waves x y"),
    ("A New Search Channel at the LHC", "A new search channel at the Large Hadron Collider"),
    ("Collisions at sqrt(s) = 8 TeV", "Collisions at √s = 8"),
    (
        "Leading Corrections for the Intervals of He-4(2)+ (X-2 Sigma)",
        "Leading corrections for the intervals of ^4He_2^+ X ^2Σ",
    ),
    (
        "Interaction of Atomic Hydrogen with the Surface of Liquid-He-4",
        "Interaction of atomic hydrogen with the surface of liquid ^4He",
    ),
    ("FASER: Forward Search Experiment at the LHC", "Forward search experiment at the LHC"),
    ("From the Cover: Dilemmas of Danger and Change", "Dilemmas of danger and change"),
    ("Averaging: a Tutorial (with comments by M. Clyde and E. I. George", "Averaging: A Tutorial"),
    ("Emission from Gas of the Early Epoch of …", "Emission from gas of the early epoch of reionization"),
    ("Emission from Gas of the Early Ep...", "Emission from gas of the early epoch of reionization"),
    ("Last Words: On Becoming a Discipline", "On becoming a discipline"),
    ("Elliptic Flow in Viscous (3+1)D Hydrodynamics", "Elliptic flow in viscous D=3+1 hydrodynamics"),
    ("Colloquium: Phase Diagram of Strongly Interacting Matter", "The phase diagram of strongly-interacting matter"),
    ("Waves of β-Cells: A Map for Us", "Waves of Beta-Cells: A Map for Us: Map of Beta-Cells"),  # running head
    ("Review of Particle Physics", "Review of Particle Physics, chap. 14: Neutrino Masses"),
    ("On the Umbrella Species Concept", "On the umbrella species concept; Del concepto de especie paraguas"),
]
OTHER_TITLES = [
    ("A New Search Channel at the LHC", "A new search channel at the Large Electron Ring"),
    ("A New Search Channel at the LHC", "A new search channel at the Large Hadron Collider in Winter"),
    ("Emission from …", "Emission from gas of the early epoch of reionization"),
    ("Emission from Gas of the Late Epoch of …", "Emission from gas of the early epoch of reionization"),
    ("Higher Networks, Part II", "Higher networks, part 3"),
    ("Reaction Steps in Networks. Part I. Labels", "Reaction steps in networks: II. Labels"),
    ("Higher Networks (Part I)", "Higher Networks (Part II)"),
    ("I. Higher Networks", "II. Higher Networks"),
    ("GEMS: Fitting Codes", "GEMS: Fitting codes: GALFIT and others"),
    ("Review of Particle Physics", "Review of Particle Physics, Volume and Mass of Stars"),
    ("GEMS: Fitting Codes: A Map", "GEMS: Fitting codes: A map: A map of stars"),
    ("Über Gruppen. Teil III", "Über Gruppen IV"),
    ("Deep Residual Learning", "Deep Residual Training"),
    ("Language Models are Few-Shot Learners", "Language Models are Zero-Shot Learners"),
    ("Scaling Laws for GPT-3", "Scaling Laws for GPT-4"),
    ("Beyond All Hope: Scaling Laws for Language Models", "Scaling Laws for Language Models"),
    ("Scaling Laws: Language Models", "Language Models"),
    ("Learning Transferable Visual Models", "Learning Transferable Visual Model"),
    ("Spin Squeezing", "Spin Squeezing H"),
    ("Spin Waves Now", "Spin Waves Now 2 x"),
    ("The Nature of Spin Waves", "The Nature of Spin Waves x y z a b c d e f g"),
    ("Waves Listen Now", "Waves Silent Now"),
    ("On 12ab Now", "On ab12 Now"),
    ("Fifth Order Corrections", "6th order corrections"),
    ("Leading Corrections for the Levels of ^3He", "Leading corrections for the levels of ^4He"),
]


@pytest.mark.parametrize(
    ("cited", "recorded", "outcome"),
    [(*it, "same") for it in SAME_TITLES]
    + [(*it, "looser") for it in LOOSER_TITLES]
    + [(*it, "different") for it in OTHER_TITLES]
    + [("", "A", "unknown")],
)
def test_titles(cited, recorded, outcome):
    assert titles.compare(cited, recorded) == titles.compare(recorded, cited) == outcome


def test_likeness_of_titles():
    assert titles.likeness("Deep Residual Learning", "deep residual learning!") == 1
    assert titles.likeness("Attention Is All You Need", "Attention Is All You Need: A Retrospective") == 0.97
    assert 0.7 < titles.likeness("Deep Residual Learning", "Deep Residual Training") < 0.97
    assert titles.likeness("", "A") == 0
    several = "A Long Study of the Growth of Very Large Networks in Many Fields of the Sciences, Part "
    assert titles.likeness(f"{several}I", f"{several}II") < titles.LIKE <= titles.likeness(f"{several}I", f"{several}1")


@pytest.mark.parametrize(
    ("cited", "recorded", "outcome"),
    [
        ("770--778", "770-778", "same"), ("770–778", "770-8", "same"), ("770", "770-778", "looser"),
        ("770--778", "771-779", "different"), ("12:1--12:20", "1-20", "looser"), ("e12", "e12", "same"),
        ("1--19", "5782-5799", "looser"), ("293--347", "293-348", "looser"), ("", "1", "unknown"),
        ("i", "1", "unknown"),
        ("7088--7097", "7068-7077", "different"), ("e0123456", "0123456", "looser"), ("103-115", "S103-S115", "looser"),
        ("Article 12", "12:1-12:30", "looser"), ("31(3), 12-20", "12-20", "same"), ("5.1-5.12", "5:1-5:12", "same"),
        ("1135.e1", "1135-1140.e1", "looser"), ("e0123456", "0123457", "different"),
        ("S103-S115", "S203-S215", "different"), ("107031A", "42", "looser"), ("12-15, 19", "12-19", "looser"),
        ("12-15; discussion 16-7", "12-17", "looser"), ("283rv3--283rv3", "1-6", "looser"),
        ("61102", "61103", "different"),
        ("107031", "12345", "different"), ("10703", "1070", "looser"), ("1-20", "101-118", "looser"),
        ("1-20", "101-117", "different"), ("12; Discussion 16", "12-17", "looser"), ("12A, 19", "12-17", "looser"),
        ("X12-X30", "12-30", "looser"), ("770--778", "770-801", "different"), ("5782--5799", "1-18", "looser"),
        ("12-30, 42", "12-40", "looser"), ("759-759-771–771", "759-771", "same"), ("L5-L5-L9–L9", "L5", "looser"),
        ("0770-0778", "770-778", "same"), ("0", "1", "unknown"),
    ],
)  # fmt: skip
def test_pages(cited, recorded, outcome):
    assert compare_written_pages(cited, recorded) == outcome


@pytest.mark.parametrize(
    ("cited_year", "record", "outcome"),
    [
        ("2016", PAPER, "same"),
        ("2017", PAPER, "looser"),
        ("2015", PAPER, "looser"),
        ("2014", PAPER, "different"),
        ("2019", PAPER, "different"),
        ("2015", replace(PAPER, identifiers=Identifiers(arxiv="1512.03385")), "same"),
        ("2014", replace(PAPER, identifiers=Identifiers(arxiv="1512.03385")), "different"),
        ("2022", replace(PAPER, years=(2020,), identifiers=Identifiers(doi="10.1109/tpami.2022.3204236")), "same"),
        ("2016", replace(PAPER, years=()), "unknown"),
        ("1997", replace(PAPER, identifiers=Identifiers(arxiv="hep-ph/9709356")), "same"),
        ("2007", replace(PAPER, identifiers=Identifiers(arxiv="0709.2092")), "same"),
        ("2012", replace(PAPER, identifiers=Identifiers(arxiv="1408.0001")), "different"),
        ("2004", replace(PAPER, years=(2003, 2006)), "different"),  # between the print and its digital copy
        ("2004", replace(PAPER, years=(2005, 2003)), "looser"),
        ("2003", replace(PAPER, years=(2003, 2006)), "same"),
        ("2004", replace(PAPER, source="datacite", years=(2003, 2006)), "looser"),
        ("2018", replace(PAPER, source="arxiv", type="preprint", years=(2016, 2021)), "same"),  # a version between
        ("2023", replace(PAPER, source="arxiv", type="preprint", years=(2016, 2021)), "different"),
        ("1988", replace(PAPER, years=(1990,), venue="COLOG-88"), "same"),  # when the conference met
        ("1989", replace(PAPER, years=(1991,), venue="Proceedings of the 1988 Meeting"), "different"),
    ],
)
def test_years(cited_year, record, outcome):
    assert compare(cited(year=cited_year), record).outcome("year") == outcome


@pytest.mark.parametrize(
    ("changes", "field", "outcome"),
    [
        ({"volume": "Vol. 46"}, "volume", "same"),
        ({"volume": "45"}, "volume", "different"),
        ({"volume": "046"}, "volume", "same"),
        ({"number": "W05521"}, "number", "unknown"),
        ({"number": "1"}, "number", "looser"),
        ({"issue": "1"}, "number", "looser"),
        ({"issue": "3"}, "number", "different"),
        ({"volume": "0"}, "volume", "unknown"),  # as exports say that there is none yet
        ({"number": "00"}, "number", "unknown"),
        ({"publisher": ""}, "publisher", "unknown"),
        ({"publisher": "Institute of Electrical and Electronics Engineers"}, "publisher", "same"),
        ({"publisher": "Springer"}, "publisher", "different"),
        ({"publisher": "arXiv"}, "publisher", "unknown"),  # of the preprint
        ({"booktitle": None, "publisher": "IEEE Press"}, "venue", "unknown"),
        ({"booktitle": "arXiv preprint arXiv:1512.03385"}, "venue", "preprint"),
    ],
)
def test_other_fields(changes, field, outcome):
    record = replace(PAPER, volume="46", issue="1-2")
    assert compare(cited(**changes), record).outcome(field) == outcome


@pytest.mark.parametrize(
    ("author", "outcome"),
    [
        ("He, K. and Zhang, X. and Ren, S. and Sun, J.", "same"),
        ("Kaiming He and others", "same"),
        ("He K. and Zhang X. and Ren S. and Sun J.", "same"),
        ("He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing", "different"),
        ("He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian and .", "same"),
        ("K. He, X. Zhang, S. Ren, and J. Sun", "unknown"),  # a list that BibTeX cannot read
        ("{The Residual Team} and Kaiming He and Zhang, Xiangyu and Ren, Shaoqing", "same"),
        ("{\\relax}", "unknown"),
        ("He K and Zhang X and Ren S and Sun J", "same"),
        ("Kaiming He and Xiangyu Zhang and 2 others", "same"),
        ("Kaiming He and Xiangyu Zhang and \\ldots", "same"),
        ("Kaiming He and Zhang, X. and Ren, S. and Sun Filho, J. and for the Vision Investigators", "same"),
        ("{OpenVision} and He, Kaiming and others", "same"),
        ("何, 恺明 and 张, 祥雨 and 任, 少卿 and 孙, 剑", "unknown"),
    ],
)
def test_authors(author, outcome):
    assert compare(cited(author=author), PAPER).outcome("authors") == outcome


@pytest.mark.parametrize(
    ("pages", "outcome"), [("780--788", "looser"), ("780--789", "different"), ("970--978", "looser")]
)
def test_open_edition_and_publisher_count_pages_apart(pages, outcome):
    assert compare(cited(pages=pages), PAPER).outcome("pages") == outcome
    assert compare(cited(kind="article", pages=pages), PAPER).outcome("pages") == "different"


@pytest.mark.parametrize(
    ("volume", "number", "outcomes"),
    [
        ("05", "2018", ("looser", "looser")),
        ("05", "", ("looser", "looser")),
        ("2018", "05", ("same", "same")),
        ("06", "2018", ("different", "different")),
        ("05", "2017", ("different", "different")),
        ("10", "", ("different", "unknown")),
    ],
)
def test_journals_that_count_by_the_year(volume, number, outcomes):
    record = replace(PAPER, volume="2018", issue="5", years=(2018,))
    found = compare(cited(kind="article", volume=volume, number=number or None), record)
    assert (found.outcome("volume"), found.outcome("number")) == outcomes


@pytest.mark.parametrize(
    ("year", "volume", "outcome"),
    [
        ("1959", "6", "looser"),
        ("1959", "7", "different"),
        ("2003", "6", "different"),
        ("2000", "6", "different"),
        ("1999", "6", "looser"),
    ],
)
def test_old_print_registered_with_the_year_of_its_copy(year, volume, outcome):
    record = replace(PAPER, volume="6", pages="", years=(2022,))
    assert compare(cited(kind="article", year=year, volume=volume), record).outcome("year") == outcome


@pytest.mark.parametrize(("volume", "outcome"), [(None, "looser"), ("46", "different")])
def test_pages_of_an_article_that_is_not_printed_yet(volume, outcome):
    entry = cited(kind="article", pages="1--12", volume=volume)
    assert compare(entry, replace(PAPER, volume="46", pages="1801-1815")).outcome("pages") == outcome


def test_pages_on_record_from_before_the_print_which_papers_of_conferences_never_have():
    journal, entry = replace(PAPER, pages="1-14", type="article-journal"), cited(kind="article", pages="8927--8937")
    records = (journal, replace(journal, type="paper-conference"))
    assert [compare(entry, it).outcome("pages") for it in records] == ["looser", "different"]


def test_a_house_signs_before_its_title():
    found = compare(cited(author="{OpenAI}", title="A System Card"), replace(PAPER, title="OpenAI A System Card"))
    assert (found.outcome("title"), found.outcome("authors")) == ("looser", "unknown")


def test_what_a_registry_garbled():
    garbled = (Name("He", "Kaiming"), Name("Inst. of Vision, Osaka, Japan", literal=True), *PAPER.authors[1:])
    assert compare(cited(), replace(PAPER, authors=garbled)).outcome("authors") == "same"
    broken = replace(PREPRINT, authors=(Name("Sch\ufffdnle", "P."),))
    assert compare(cited(author='Sch{\\"o}nle, P.'), broken).outcome("authors") == "same"


def test_thousands_of_authors_take_no_time():
    people = tuple(Name(f"Family{number}", f"Given{number}") for number in range(3000))
    entry = cited(author=" and ".join(f"{it.family}, {it.given}" for it in reversed(people)))
    started = time.process_time()
    assert compare(entry, replace(PAPER, authors=people)).people.reordered
    assert time.process_time() - started < 5  # one by one with each other, at least twice as many


def test_a_title_of_digits_alone_is_read_in_proportion_to_its_length():
    began = time.process_time()
    titles.without_markup("1" * 20_000 + "x")
    assert time.process_time() - began < 1


def test_a_small_number_alone_may_be_how_many_pages_there_are():
    """ACM's own BibTeX gives it beside the number of the article."""
    assert compare(cited(pages="13"), replace(PAPER, pages="579")).outcome("pages") == "looser"
    assert compare(cited(pages="1301"), replace(PAPER, pages="579")).outcome("pages") == "different"


def test_however_short_a_title_is_it_may_lack_the_subtitle():
    record = replace(PAPER, title="GIAnT: Visualizing Group Interaction at Large Wall Displays")
    assert compare(cited(title="GIAnT"), record).outcome("title") == "looser"
    assert compare(cited(title="GIAnT", author="Meyer, Anna"), record).outcome("title") == "different"


def test_a_group_that_an_index_lists_behind_the_title():
    title = "Gene ontology: tool for the unification of biology"
    record = replace(PAPER, title=f"{title}. The Gene Ontology Consortium")
    assert compare(cited(title=title), record).outcome("title") == "looser"
    assert compare(cited(title=f"{title}. A Reply"), record).outcome("title") == "different"


def test_units_that_are_macros_of_the_author():
    record = replace(PAPER, title="Search for Resonances in the Mass Range 65-600 GeV with the Detector at 8 TeV")
    title = r"Search for Resonances in the Mass Range 65-600~\GeV\ with the Detector at 8~\TeV"
    assert compare(cited(title=title), record).outcome("title") == "looser"


def test_editions_of_proceedings_begin_to_count_at_different_places():
    record = replace(
        PAPER, venue="EMNLP-IJCNLP", identifiers=Identifiers(doi="10.18653/v1/d19-1410"), pages="3980-3990"
    )
    assert compare(cited(booktitle="EMNLP", pages="3982--3992"), record).outcome("pages") == "looser"
    assert compare(cited(booktitle="EMNLP", pages="2382--2392"), record).outcome("pages") == "different"
    assert compare(cited("article", booktitle="EMNLP", pages="3982--3992"), record).outcome("pages") == "different"


def test_each_field_shows_what_is_cited_and_what_is_recorded():
    record = replace(PAPER, volume="12", issue="3")
    entry = cited(volume="13", number="4", publisher="Springer", editor="Nobody, N.")
    people = "Kaiming He, Xiangyu Zhang, Shaoqing Ren, Jian Sun"
    assert [(it.field, it.cited, it.recorded) for it in compare(entry, record).fields] == [
        ("title", TITLE, TITLE),
        ("authors", people, people),
        ("year", "2016", "2016"),
        ("venue", "CVPR", CVPR),
        ("volume", "13", "12"),
        ("number", "4", "3"),
        ("pages", "770–778", "770-778"),
        ("publisher", "Springer", "IEEE"),
    ]
    empty = cited(author=None, booktitle=None, year=None, pages=None)
    bare = replace(PAPER, authors=(), years=(), venue="", pages="", publisher="")
    found = compare(empty, bare).fields
    assert {(it.cited, it.recorded) for it in found[1:]} == {("", "")}
    assert [it.outcome for it in found] == ["same", *["unknown"] * 7]
    assert compare(entry, record).outcome("note") == "unknown"


def test_a_record_may_name_the_first_of_the_people_alone():
    entry, first = cited(), PAPER.authors[:3]
    assert compare(entry, replace(PAPER, authors=first, authors_complete=False)).outcome("authors") == "same"
    assert compare(entry, replace(PAPER, authors=first)).outcome("authors") == "different"


def test_people_of_whom_the_record_names_the_company():
    company = replace(PAPER, authors=(Name("OpenAI", literal=True),))
    assert compare(cited(), company).outcome("authors") == "unknown"
    assert compare(cited(), replace(PAPER, authors=(Name("Meyer", "Anna"),))).outcome("authors") == "different"


@pytest.mark.parametrize(
    ("journal", "registered", "volume", "other"),
    [
        ("Annalen der Physik", "Annalen Phys.", "354", "49"),
        ("Philosophical Magazine", "Philosophical Magazine", "6", "29"),
    ],
)
def test_an_old_journal_that_counts_its_volumes_twice(journal, registered, volume, other):
    record = replace(PAPER, venue=registered, volume=other, type="article-journal", pages="769-822", years=(1916,))
    entry = {"booktitle": None, "journal": journal, "volume": volume, "pages": "769--822", "year": "1916"}
    assert compare(cited("article", **entry), record).outcome("volume") == "looser"
    assert compare(cited("article", **entry | {"pages": "769"}), record).outcome("volume") == "looser"
    assert compare(cited("article", **entry | {"pages": "12--19"}), record).outcome("volume") == "different"
    assert compare(cited("article", **entry | {"year": "1915"}), record).outcome("volume") == "different"
    lately = cited("article", **entry | {"year": "2016"})
    assert compare(lately, replace(record, years=(2016,))).outcome("volume") == "different"


def test_a_volume_of_proceedings_may_be_cited_by_its_own_title():
    volume = replace(PAPER, venue="Conference Series of the Society of Photo-Optical Engineers", volume="5489")
    place = {"booktitle": "Ground-based Telescopes", "volume": "5489"}
    assert compare(cited(**place), volume).outcome("venue") == "unknown"
    assert compare(cited(**place | {"pages": "12--19"}), volume).outcome("venue") == "different"
    assert compare(cited(**place | {"volume": "5490"}), volume).outcome("venue") == "different"
    assert compare(cited(**place | {"booktitle": "ICML"}), volume).outcome("venue") == "different"
