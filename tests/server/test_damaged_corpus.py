"""An editor whose corpus is damaged: every request is answered, without the corpus, and the author reads why once."""

from types import SimpleNamespace

import pytest

from citelsp.base.settings import CorpusSettings, Settings
from citelsp.candidates import candidate_set, gather
from citelsp.corpus.store import CorpusError
from citelsp.features.values import name_of
from citelsp.knowledge import Answers
from citelsp.server.answers import placeholder_completion
from citelsp.server.state.lists import Basis, Corpora, Listed
from citelsp.workspace.question import read_marked
from damaged_corpora import make_sound, panicking
from server_session import Session

TEXT = r"""\documentclass{article}
\begin{document}
On trout and zeppelins \cite<>.
\bibliography{refs}
\end{document}
"""


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    folder = panicking(make_sound(tmp_path / "sound"), tmp_path / "corpus")
    (tmp_path / "refs.bib").write_text("@misc{trout, title = {Trout and Zeppelins}, author = {Lee, Ann}}\n")
    (tmp_path / "main.tex").write_text(TEXT)
    session = Session()
    options = {"offline": True, "corpus": {"path": str(folder)}}
    session.initialize({}, rootUri=tmp_path.as_uri(), initializationOptions=options)
    session.open((tmp_path / "main.tex").as_uri(), TEXT)
    yield session
    session.send("shutdown", None, 98)
    session.answer(98)
    session.send("exit")
    session.process.communicate()


async def test_a_work_of_a_list_is_described_though_its_corpus_was_left_out_since(tmp_path):
    """Leaving a corpus out closes it."""

    async def work(ask):
        return ask(None)

    told = []
    ls = SimpleNamespace(lists=Listed(), corpora=Corpora(), projects=SimpleNamespace(work=work), warn=told.append)
    settings = Settings(corpus=CorpusSettings(path=str(make_sound(tmp_path / "corpus"))))
    question = read_marked("On trout and zeppelins \\cite<>.")
    suggestion = ls.corpora.use(settings, lambda corpus: candidate_set.suggest(gather.gather_locally(question, corpus)))
    ls.lists.keep(question, settings, Basis((), 0, Answers()), suggestion)
    ls.corpora.leave_out(settings, CorpusError("it is damaged"))
    work_shown = suggestion.candidates[0].record
    assert work_shown.source == "corpus"
    described = await placeholder_completion.describe(ls, question.key, name_of(work_shown), "")
    assert work_shown.title in str(described)
    assert told == ["The corpus is left out: it is damaged"]


def test_every_request_is_answered(session, tmp_path):
    document = {"textDocument": {"uri": (tmp_path / "main.tex").as_uri()}}
    place = {**document, "position": {"line": 2, "character": TEXT.split("\n")[2].index("<>") + 1}}
    for number in (2, 3):
        session.send("textDocument/completion", place, number)
        assert any("Trout and Zeppelins" in str(it) for it in session.answer(number)["result"]["items"])
    arguments = [document["textDocument"]["uri"]]
    session.send("workspace/executeCommand", {"command": "citelsp.suggest", "arguments": arguments}, 4)
    assert "result" in session.answer(4)
    shown = session.ever(lambda it: it.get("method") == "window/showMessage")
    assert "is damaged: delete it, and it will be rebuilt" in str(shown)
