import pytest

from citelsp.corpus.index import Corpus
from endpoints import Meanings


@pytest.fixture
def corpus(request, tmp_path):
    """Of the test file's own WORKS."""
    with Corpus(tmp_path / "corpus", create=True) as opened:
        opened.add(request.module.WORKS)
        yield opened


@pytest.fixture
def meanings():
    """An endpoint to which a feline is a cat."""
    return Meanings({"cat", "cats", "feline"}, {"dogs"})
