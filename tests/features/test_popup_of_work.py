"""What a list says of a search."""

import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.record import Record
from citelsp.features import popup_of_work
from citelsp.knowledge import Candidate, Suggestion

ONLINE = Candidate(Record("openalex", "w", "On Growth"), origins=("openalex",))
OWN = Candidate(Record("library", "k", "On Form"), 0.1, ("library",), "k")
CORPUS = Candidate(Record("corpus", "c", "On Size"), 0.1, ("corpus", "openalex"))


@pytest.mark.parametrize(
    ("candidates", "silent", "said"),
    [
        ((OWN, ONLINE, ONLINE), (), "Found 2 online, 1 in your .bib"),
        ((ONLINE, CORPUS), (), "Found 1 online, 1 in your corpus"),
        ((OWN,), (), "Found nothing online, 1 in your .bib"),
        ((OWN,), ("crossref", "openalex"), "No answer from Crossref and OpenAlex; nothing new"),
        ((OWN, ONLINE), ("dblp",), "No answer from DBLP; found 1 online, 1 in your .bib"),
    ],
)
def test_a_search_says_who_did_not_answer_and_how_many_works_came_from_where(candidates, silent, said):
    assert popup_of_work.outcome(Suggestion(candidates, silent=silent)) == said


@pytest.mark.parametrize(
    ("identifiers", "labels"),
    [
        (Identifiers(doi="10.1/a", url="https://a.org"), ["DOI"]),
        (Identifiers(arxiv="2001.00001", url="https://a.org"), ["arXiv"]),
        (Identifiers(pmid="1234567", url="https://a.org"), ["PubMed", "Web page"]),
    ],
)
def test_a_web_page_is_shown_if_nothing_leads_further(identifiers, labels):
    assert [link.label for link in popup_of_work.links(identifiers)] == labels


def test_why_a_work_is_marked_stands_below_its_title():
    shown = [it.text for it in popup_of_work.candidate(OWN, "This work was retracted")]
    assert shown[:2] == ["On Form", "✗ This work was retracted"]
    assert "✗" not in "".join(it.text for it in popup_of_work.candidate(OWN))
