from contextlib import closing

import pytest

from agent_works import WORKS
from citelsp.agent.environment import Environment
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.workspace.question import read_marked


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    with closing(Corpus(tmp_path_factory.mktemp("corpus"), create=True)) as opened:
        opened.add([Work(**it) for it in WORKS])
        yield opened


@pytest.fixture
def environment(corpus):
    """environment(text, …) → an Environment at the \\cite<> in the text"""

    def make(text, *, title="Training deep networks", date="", **more):
        return Environment(read_marked(text, title=title, date=date), corpus, **more)

    return make
