import shutil

import pytest

from citelsp.corpus.index import Corpus
from model_endpoints import Meanings


@pytest.fixture(scope="module")
def written(request, tmp_path_factory):
    """Where a corpus of the test file's own WORKS lies, which is not opened again."""
    place = tmp_path_factory.mktemp("corpus")
    with Corpus(place, create=True) as opened:
        opened.add(request.module.WORKS)
    return place


@pytest.fixture
def corpus(written, tmp_path):
    """Of the test file's own WORKS: a copy, as writing one waits for the disk."""
    with Corpus(shutil.copytree(written, tmp_path / "corpus")) as opened:
        yield opened


@pytest.fixture
def meanings():
    """An endpoint to which a feline is a cat."""
    return Meanings({"cat", "cats", "feline"}, {"dogs"})
