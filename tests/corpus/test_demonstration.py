"""Small collections: the work that says what the sentence says comes first, and unrelated claims get none.

The acceptance test of the ranking: plain BM25 has all four right.  A ranking fitted on a large collection, mostly of
titles, must not lose them; its probability must fall where few of the rare words of the sentence are met at all; and
a place whose hint no candidate shares is one where nothing fits.
"""

from pathlib import Path

import pytest

from citelsp.corpus import imports, search_place
from citelsp.corpus.index import Corpus
from citelsp.workspace.question import Question

TITLE = "Finding the Paper behind a Claim: Citation Assistance in the Editor"
FIXTURE = Path(__file__).parent.parent.parent / "fixtures" / "demo" / "corpus.jsonl"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    with Corpus(tmp_path_factory.mktemp("corpus"), create=True) as made:
        made.add(imports.read(FIXTURE, lambda problem: pytest.fail(problem)))
        yield made


@pytest.mark.parametrize("title", ["", TITLE])
@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Embeddings trained on the citation graph place papers that cite one another close together",
            "cohan2020specter",
        ),
        ("The confidence shown is calibrated with a temperature fitted on held-out contexts", "guo2017calibration"),
        ("a ranking function that follows from the probabilistic model of relevance", "robertson2009probabilistic"),
        ("two papers are related when later papers cite both of them", "small1973co"),
    ],
)
def test_the_work_that_says_so_comes_first(corpus, sentence, expected, title):
    found = search_place.suggest(corpus, Question(before=sentence, after="", title=title), k=5)
    assert found.candidates[0].record.id == expected
    assert not found.abstained


@pytest.mark.parametrize("title", ["", TITLE])
@pytest.mark.parametrize("hint", ["", "glacier calving rates"])
def test_an_unrelated_claim_gets_nothing(corpus, hint, title):
    sentence = "Our field notes on the calving of tidewater glaciers in Svalbard follow older measurements"
    found = search_place.suggest(corpus, Question(before=sentence, after="", title=title, hint=hint), k=5)
    assert found.abstained
    assert all((it.probability or 0) < 0.2 for it in found.candidates)
