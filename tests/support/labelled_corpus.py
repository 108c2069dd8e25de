"""A corpus of a test file's own WORKS, for tests of what is measured on one."""

import pytest

from citelsp.corpus.index import Corpus


@pytest.fixture(scope="module")
def place(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus")
    with Corpus(path, create=True) as corpus:
        corpus.add(request.module.WORKS)
    return path
