import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.kinds import kind_of
from citelsp.bibliography.record import Record


@pytest.mark.parametrize(
    ("venue", "said", "kind"),
    [
        ("Proceedings of the Royal Society A", "", "article"),
        ("Proceedings of the National Academy of Sciences", "", "article"),
        ("Proceedings of the National Academy of Sciences", "paper-conference", "article"),
        ("Proceedings of the IEEE", "", "article"),
        ("Proceedings of the ACM on Programming Languages", "", "article"),
        ("Proceedings of the VLDB Endowment", "paper-conference", "article"),
        ("Advances in Neural Information Processing Systems", "", "inproceedings"),
        ("Findings of the Association for Computational Linguistics: EMNLP 2020", "", "inproceedings"),
        ("Proceedings of the IEEE Conference on Computer Vision and Pattern Recognition", "", "inproceedings"),
        ("Proceedings of the 41st Annual Meeting of the Cognitive Science Society", "", "inproceedings"),
        (
            "2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)",
            "article-journal",
            "inproceedings",
        ),
        ("Lecture Notes in Computer Science", "chapter", "inproceedings"),
        ("Computer Vision – ECCV 2020", "chapter", "inproceedings"),
        ("The Oxford Handbook of Causal Reasoning", "chapter", "incollection"),
        ("Foundations and Trends in Machine Learning", "", "article"),
        ("Transactions of the Association for Computational Linguistics", "", "article"),
        ("Journal of Physics: Conference Series", "paper-conference", "article"),
        ("Nature", "article-journal", "article"),
        ("Proceedings of the Workshop on Bees", "article-journal", "article"),
        ("Proceedings of the Workshop on Bees", "chapter", "inproceedings"),
        ("arXiv", "article-journal", "preprint"),
        ("bioRxiv", "preprint", "preprint"),
        ("", "thesis", "thesis"),
        ("", "software", "software"),
        ("", "component", "misc"),
        ("", "book", "book"),
    ],
)
def test_from_type_and_venue(venue, said, kind):
    assert kind_of(Record("x", "1", "T", venue=venue, type=said)) == kind


def test_what_no_source_has_a_type_for():
    isbn = Identifiers(isbn="9780201134483")
    assert kind_of(Record("x", "1", "T")) == "online"
    assert kind_of(Record("x", "1", "T", venue="Some Place")) == "article"
    assert kind_of(Record("x", "1", "T", identifiers=isbn)) == "book"
    assert kind_of(Record("x", "1", "T", venue="Some Place", identifiers=isbn, pages="1-9")) == "article"


def test_a_preprint_without_a_venue():
    known = Identifiers(arxiv="2001.00001")
    assert kind_of(Record("x", "1", "T", type="article-journal", identifiers=known)) == "preprint"
    assert kind_of(Record("x", "1", "T", type="thesis", identifiers=known)) == "thesis"
