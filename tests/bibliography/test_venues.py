"""Venue names that mean the same, nearly the same, or something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography import venue_series, venues
from citelsp.bibliography.tolerant_comparison import venue_names

SAME = [
    ("NeurIPS", "Advances in Neural Information Processing Systems 33"),
    ("NIPS", "NeurIPS"),
    ("ICML", "Proceedings of the 37th International Conference on Machine Learning"),
    ("ICMLA", "International Conference on Machine Learning and Applications"),
    ("J. Mach. Learn. Res.", "Journal of Machine Learning Research"),
    ("J. Am. Chem. Soc.", "Journal of the American Chemical Society"),
    ("Proc. Natl. Acad. Sci. U.S.A.", "Proceedings of the National Academy of Sciences"),
    ("arXiv preprint arXiv:1706.03762", "CoRR"),
    ("2021 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", "CVPR"),
    ("CVPR Workshops", "2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition Workshops (CVPRW)"),
    ("ACL/IJCNLP", "Proceedings of the 59th Annual Meeting of the Association for Computational Linguistics"),
    ("Comput. Stat. Data Anal.", "Computational Statistics & Data Analysis"),
    ("ICDAR", "International Conference on Document Analysis and Recognition"),
    ("The Web Conference", "WWW"),
    ("Science", "Science (New York, N.Y.)"),
    ("Evolution", "Evolution; international journal of organic evolution"),
    ("Sensors", "Sensors (Basel)"),
    ("C. R. Math.", "Comptes Rendus Mathematique"),
    ("Z. Phys.", "Zeitschrift für Physik"),
    ("Phil. Trans. R. Soc. B", "Philosophical Transactions of the Royal Society B: Biological Sciences"),
    ("J. R. Stat. Soc. Ser. B", "Journal of the Royal Statistical Society Series B: Statistical Methodology"),
    ("Astrophys. J. Suppl. Ser.", "The Astrophysical Journal Supplement Series"),
    ("JETP Lett.", "Journal of Experimental and Theoretical Physics Letters"),
    ("Foundations and Trends in ML", "Foundations and Trends® in Machine Learning"),
    ("S&P (Oakland)", "2017 IEEE Symposium on Security and Privacy (SP)"),
    ("EMNLP-IJCNLP", "Proceedings of the 2019 Conference on Empirical Methods in Natural Language Processing"),
    ("Wiley Interdisciplinary Reviews: Data Mining", "WIREs Data Mining"),
    ("Proc. Interspeech", "11th Annual Conference of the International Speech Communication Association"),
    ("Phys. Rev. E Stat. Nonlin. Soft Matter Phys.", "Physical Review E"),
    ("Dtsch. Arztebl. Int.", "Deutsches Ärzteblatt international"),
    ("JGR: Atmospheres", "Journal of Geophysical Research: Atmospheres"),
    ("Proc. 3rd Ann. Symp. Theory Comput.", "Annual ACM Symposium on Theory of Computing, 1971, Shaker Heights, Ohio"),
    ("OSDI", "Proceedings of the 6th Symposium on Operating Systems Design and Implementation"),
    ("Proc. 33rd ACM SIGPLAN-SIGACT Symposium on Principles of Programming Languages", "POPL"),
    ("SemEval", "Proceedings of the 9th International Workshop on Semantic Evaluation (SemEval 2015)"),
    ("COLING", "Proceedings of the 14th conference on Computational linguistics -"),
    ("Eurospeech", "5th European Conference on Speech Communication and Technology (Eurospeech 1997)"),
    ("Crelle's Journal", "Journal für die reine und angewandte Mathematik"),
    ("Inst. Hautes Études Sci. Publ. Math.", "Publications mathématiques de l'IHÉS"),
    ("C. R. Math. Acad. Sci. Paris", "Comptes Rendus Mathematique"),
    ("Philos. Mag.", "The London, Edinburgh, and Dublin Philosophical Magazine and Journal of Science"),
    ("IJCAI", "Proceedings of the Thirtieth International Joint Conference on Artificial Intelligence"),
    (
        "Proceedings of the Thirtieth International Joint Conference on Artificial Intelligence",
        "Proceedings of the Thirtieth International Joint Conference on Artificial Intelligence, IJCAI 2021, Montreal",
    ),
    ("AAAI", "Proceedings of the Conference on Artificial Intelligence"),
    ("ICML", "Proceedings of the Twenty-Fourth International Conference on Machine Learning"),
    (
        "ICML",
        "Machine Learning, Proceedings of the Tenth International Conference, University of Massachusetts, 1993",
    ),
    (
        "COLT",
        "Computational Learning Theory and Kernel Machines, 16th Annual Conference on Computational Learning Theory"
        " and 7th Kernel Workshop, COLT/Kernel 2003, Washington, DC, USA",
    ),
    ("arXiv", "ArXiv14126980 Cs"),
    ("OOPSLA", "18th Conference on Object-Oriented Programing, Systems, Languages, and Applications"),
    ("EMNLP (Findings)", "Findings of the Association for Computational Linguistics: EMNLP 2020"),
    ("Annual International Conference on the Theory and Applications of Cryptographic Techniques", "EUROCRYPT"),
    ("International Conference on the Theory and Application of Cryptology and Information Security", "ASIACRYPT"),
    (
        "Nuclear Science Symposium Conference Record (NSS/MIC)",
        "2010 IEEE Nuclear Science Symposium",
    ),
    (
        "Proceedings of 11^th International Conference on Service-Oriented Computing (ICSOC'13)",
        "Service-Oriented Computing - 11th International Conference, ICSOC 2013, Berlin, Germany, Proceedings",
    ),
    ("Proceedings of the 19th Annual {SIG}dial Meeting on Discourse and Dialogue", "SIGDIAL"),
    ("International Workshop on Hardware/Software Codesign (CODES)", "8th Workshop on Hardware/Software Co-Design"),
]
DIFFERENT = [
    ("ICML", "2021 20th IEEE International Conference on Machine Learning and Applications (ICMLA)"),
    ("AAAI", "2024 International Conference on Machine Learning and Applications (ICMLA)"),
    ("International Conference on Automated Planning and Scheduling", "IJCAI"),
    ("EMNLP", "ML4H@NeurIPS"),
    ("Nature", "Nature Communications"),
    ("Machine Learning", "Journal of Machine Learning Research"),
    ("Machine Learning", "ICML"),
    ("IEEE International Conference on Communications", "Communications of the ACM"),
    ("Frontiers in Medicine", "Frontiers in Psychology"),
    ("Physical Review D", "Physical Review B"),
    ("Journal of Advanced Neural Paradigms", "ICLR"),
    ("Computational Linguistics", "Transactions of the Association for Computational Linguistics"),
    # Several words of one name have the same single word of the other for a partner.
    ("American Economic Journal: Applied Economics", "Applied Economics"),
    ("J. R. Statist. Soc. B", "Proceedings of the Royal Society of London. Series B: Biological Sciences"),
    ("IEEE Symposium on Security and Privacy. S&P 2000", "IEEE Security & Privacy"),
]


@pytest.mark.parametrize(("cited", "recorded"), SAME)
def test_same(cited, recorded):
    assert venue_names.compare(cited, [recorded]) == venue_names.compare(recorded, [cited]) == "same"


@pytest.mark.parametrize(("cited", "recorded"), DIFFERENT)
def test_different(cited, recorded):
    assert venue_names.compare(cited, [recorded]) == venue_names.compare(recorded, [cited]) == "different"


LENIENT = [
    ("POPL", "Proceedings of the ACM on Programming Languages", "looser"),
    ("International Conference on Functional Programming (ICFP)", "Proc. ACM Program. Lang.", "looser"),
    ("CSCW", "Proceedings of the ACM on Human-Computer Interaction", "looser"),
    ("Category Theory and Computer Science", "Electronic Notes in Theoretical Computer Science", "unknown"),
    ("Linearity & TLLA", "Electr. Proc. in Theor. Comput. Sci.", "unknown"),
    ("SIGGRAPH", "ACM Transactions on Graphics", "looser"),
    ("PLDI", "ACM SIGPLAN Notices", "looser"),
    ("Proc. 7th International World Wide Web Conference", "Computer Networks and ISDN Systems", "looser"),
    ("Proc. 7th International World Wide Web Conference", "Comput. Networks", "looser"),
    ("International Symposium on Computer Architecture", "ACM SIGARCH Computer Architecture News", "looser"),
    ("ICRA", "IEEE Robotics and Automation Letters", "looser"),
    ("AAMAS", "11th International Conference on Autonomous Agents and Multi", "unknown"),  # cut at a hyphen
    ("Zh. Eksp. Teor. Fiz.", "Soviet Physics JETP", "unknown"),
    (
        "Coalgebraic Methods in Computer Science (CMCS)",
        "Ninth Workshop on Coalgebraic Methods in Computer Science, CMCS, Budapest, Hungary, April 4-6",
        "unknown",
    ),
    (
        "Category Computer Science",
        "Ninth Colloquium on Logic and Category Theory in Computer Science, Budapest",
        "unknown",
    ),
    ("JRSS B", "Journal of the Royal Statistical Society: Series B (Statistical Methodology)", "unknown"),
    ("Acta Crystallogr. Sect. A", "Acta Crystallographica Section A Foundations of Crystallography", "unknown"),
    ("2023 IEEE International Conference on Big Data (BigData)", "IEEE Transactions on Big Data", "unknown"),
    ("Philos Trans R Soc Lond B Biol Sci", "Philosophical Transactions of the Royal Society B", "unknown"),
]


@pytest.mark.parametrize(("cited", "recorded", "outcome"), LENIENT)
def test_what_may_be_the_same_is_not_called_different(cited, recorded, outcome):
    assert venue_names.compare(cited, [recorded]) == venue_names.compare(recorded, [cited]) == outcome


NAMES = st.lists(
    st.sampled_from(
        "math mathematics mathematical a adv advances applied app p phys physics physical s soc society".split()
    ),
    min_size=1,
    max_size=5,
).map(" ".join)


@given(NAMES, NAMES)
def test_names_of_no_known_series_are_compared_alike_both_ways(one, other):
    assert venue_names.compare(one, [other]) == venue_names.compare(other, [one])


def test_each_word_has_one_partner_at_most_and_gives_it_up_for_another():
    # `Math` fits both, `Mathem` one alone: whichever is paired first, both find a partner.
    assert venue_names.compare("Math Mathem Today", ["Mathematics Mathcad Never"]) == "unknown"
    assert venue_names.compare("Math Mathem Today", ["Mathematics Physics Never"]) == "different"


def test_a_text_of_hundreds_of_words_is_no_venue():
    hostile = " ".join(f"physics{'a' * length}" for length in range(400))
    assert venue_names.compare(hostile, [f"{hostile} and so on"]) == "unknown"


@pytest.mark.parametrize(
    ("cited", "outcome"),
    [("Zeitschrift für Physik", "same"), ("Zeitschrift für Chemie", "unknown"), ("Z. Phys.", "unknown")],
)
def test_a_name_that_lost_a_letter_is_no_other_one(cited, outcome):
    assert venue_names.compare(cited, ["ZEITSCHRIFT F\ufffdR PHYSIK"]) == outcome


@pytest.mark.parametrize(
    ("name", "is_held"),
    [
        ("NeurIPS", True),
        ("Journal of Machine Learning Research", True),
        ("Proc. ACM Program. Lang.", True),
        ("Nature", False),
        ("arXiv", False),
        ("Some Gathering of Ornithologists", False),
    ],
)
def test_indexes_of_computing_hold_its_conferences_and_journals(name, is_held):
    assert venues.is_of_computing(name) is is_held


def test_a_workshop_and_the_conference_that_another_one_met_with():
    pair = "Workshop on Bees in Winter", "Workshop on Trees at ICML"
    assert venue_names.compare(*pair[:1], pair[1:]) == venue_names.compare(pair[1], pair[:1]) == "unknown"


@pytest.mark.parametrize(
    "name", ["arxiv e-prints", "ssrn electronic journal", "corr abs/1512.03385", "medrxiv (preprint)"]
)
def test_servers_of_preprints_however_they_are_written(name):
    assert venues.is_preprint_server(name)


def test_a_workshop_that_is_called_by_the_title_of_its_book():
    title = "Cautious Autonomous Agents and Multi-Agent Systems"
    met = f"{title} - Second International Workshop, CAMAS 2020, Rome, May 9-13, 2020, Revised Selected Papers"
    assert venue_names.compare(title, [met]) == "same"
    assert venue_names.compare("AAMAS", ["AAMAS - Second International Workshop, CAMAS 2020, Rome"]) == "different"
    assert venue_names.compare("Reckless Robots and their Makers", [met]) == "different"


def test_findings_are_not_a_wrong_conference():
    assert (
        venue_names.compare("EMNLP", ["Findings of the Association for Computational Linguistics: EMNLP 2022"])
        == "looser"
    )


@pytest.mark.parametrize(("workshop", "host"), [("ML4H@NeurIPS", "NeurIPS"), ("ICML (Workshop)", "ICML")])
def test_indexes_record_a_workshop_under_the_conference_that_it_met_with(workshop, host):
    assert venue_names.compare(workshop, [host]) == "looser"
    assert venue_names.compare(host, [workshop]) == "different"


def test_the_topic_of_a_workshop_is_not_its_host():
    named = "Proceedings of the Sixth Workshop on Structured Prediction for NLP"
    assert venue_names.compare(named, ["SPNLP@ACL"]) == "unknown"
    assert venue_names.compare("SPNLP@ACL", [named]) == "unknown"
    assert venue_names.compare("NeurIPS 2021 Workshop", ["DRL@ICML"]) == "different"


def test_a_workshop_of_a_conference_is_not_held_jointly_with_it():
    assert venues.form("IEEE/CVF Conference on Computer Vision and Pattern Recognition Workshops") == "workshop"


def test_preprint_against_publication():
    assert venue_names.compare("arXiv", ["NeurIPS"]) == "preprint"


def test_one_friendly_name_suffices():
    assert venue_names.compare("TACL", ["Journal of Something Else", "Trans. Assoc. Comput. Linguistics"]) == "same"


def test_an_acronym_that_nothing_explains_is_no_evidence():
    assert venue_names.compare("QXZW", ["International Workshop on Something"]) == "unknown"


FORMS = [
    ("Advances in Neural Information Processing Systems", "conference"),
    ("nips", "conference"),
    ("Robotics: Science and Systems", "conference"),
    ("Advances in Cryptology - EUROCRYPT '99", "conference"),
    ("Proceedings of the 37th International Conference on Machine Learning", "conference"),
    ("IEEE International Conference on Communications", "conference"),
    ("Mach. Learn.", "journal"),
    ("Commun. ACM", "journal"),
    ("Proceedings of the IEEE", "journal"),
    ("Communications on Pure and Applied Mathematics", "journal"),
    ("CVPR Workshops", "workshop"),
    ("Nature", ""),
    ("Lecture Notes in Computer Science", ""),
]


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_forms(name, form):
    assert venues.form(name) == form


def test_every_series_has_one_form():
    series = [name for section in venue_series.sections().values() for name in section]
    assert len(series) == len(set(series))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("nips", "Advances in Neural Information Processing Systems"),
        ("Commun. ACM", "Communications of the ACM"),
        ("Nature", "Nature"),
        ("eLife", "eLife"),
        ("arXiv", "arXiv"),
        ("Proceedings of ICML", "Proceedings of ICML"),
        ("SIAM J. Comput.", "SIAM J. Comput."),
        ("neural computation", ""),
    ],
)
def test_written_out(name, written):
    assert venues.written_out(name) == written


@pytest.mark.parametrize("name", ["AAAI Spring Symposium: Robots in Teams", "AAAI Fall Symposium Series"])
def test_the_symposia_of_a_season_are_beside_the_conference(name):
    assert venues.identify(name).satellite == "workshop"
    assert venue_names.compare(name, ["AAAI"]) != "same"
    assert venues.identify("IEEE Symposium on Security and Privacy").satellite == ""


def test_signs_are_no_name_of_a_venue():
    assert venue_names.compare("--", ["***"]) == venue_names.compare("***", ["--"]) == "unknown"
