import json

import pytest

from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from endpoints import served
from wire import completion

ABSTRACT = "Adam needs little memory. It adapts its learning rates."
MAIN = r"""\title{Nets}
\begin{document}
The Adam optimizer needs a lot of memory \cite{adam}.
Adam adapts its learning rates \cite{adam}.
\bibliography{refs}
\end{document}
"""
REFS = "@misc{adam, title = {Adam: A Method for Stochastic Optimization}, author = {Kingma, D.}, year = 2014}\n"


class Judge:
    """A model that finds every sentence about memory contradicted."""

    def __init__(self):
        self.asked, self.delay, self.down = [], 0.0, False

    def answer(self, _, body):
        question = body["messages"][-1]["content"]
        self.asked.append(question)
        if self.down:
            return 401, {"error": {"message": "no such key"}}
        verdict = "unsupported" if "a lot of memory [CITE]" in question else "supported"
        return 200, completion(json.dumps({"verdict": verdict, "quote": "Adam needs little memory.", "reasoning": "."}))


@pytest.fixture
def judge():
    return Judge()


@pytest.fixture
def check(tmp_path, monkeypatch, capsys, judge):
    """check(*options) → exit status, what it printed, what it warned of."""
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(REFS)
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work("W1", "Adam: A Method for Stochastic Optimization", ABSTRACT, year=2014)])
    config = tmp_path / "config.toml"
    with served(judge) as url:
        config.write_text(
            f'[model]\nbase_url = "{url}"\nname = "m"\nprice_in = 1.0\n[online]\nverify = "off"\n'
            f'[corpus]\npath = "{(tmp_path / "corpus").as_posix()}"\n'
        )

        def run(*options):
            capsys.readouterr()
            status = main(["check", str(tmp_path / "main.tex"), "--config", str(config), *options])
            return status, *capsys.readouterr()

        yield run


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_a_contradicted_claim_is_reported_when_asked_for(check, judge, form):
    status, told, warned = check("--claims", "--format", form)
    assert status == 0, "it is information"
    assert told.count("seems to say otherwise: “Adam needs little memory.” (abstract, corpus)") == 1
    assert "2 claims put to the model: 200 tokens read, 20 written, 0.0002 USD" in warned
    assert len(judge.asked) == 2


def test_a_model_is_not_asked_unasked(check, judge):
    assert "otherwise" not in check()[1]
    assert not judge.asked


def test_what_would_not_be_reported_is_not_judged(check, judge, tmp_path):
    (tmp_path / ".citelsp.toml").write_text('[checks.severity]\ncontradicted-claim = "off"\n')
    assert "0 claims put to the model" in check("--claims")[2]
    check(str(tmp_path / "refs.bib"), "--claims")
    assert not judge.asked


def test_a_model_that_does_not_judge_is_told_of(check, judge):
    judge.down = True
    status, _, warned = check("--claims")
    assert status == 2
    assert "2 of 2 claims were not judged: " in warned and "no such key" in warned


def test_without_a_model_claims_are_not_judged(check):
    status, _, warned = check("--claims", "--offline")
    assert status == 2 and "--claims needs a model" in warned
