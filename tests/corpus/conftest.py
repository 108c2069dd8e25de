import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import opensearch_cluster
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


@pytest.fixture(scope="module")
def node_folder(request):
    """A folder for a node of the test file's own VERSION, whose plugins are at hand."""
    version = request.module.VERSION
    if why := opensearch_cluster.missing(version):
        pytest.skip(why)
    try:
        opensearch_cluster.fetch(version)
    except (OSError, subprocess.SubprocessError) as problem:
        pytest.skip(f"OpenSearch {version} cannot be fetched: {problem}")
    folder = Path(tempfile.mkdtemp(prefix="citelsp-node-"))
    folder.chmod(0o755)  # for the user that the node runs as
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
