import json

import pytest

from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from model_endpoints import served
from model_server import completion

ABSTRACT = "Adam needs little memory. It adapts its learning rates."
MAIN = r"""\title{Nets}
\begin{document}
The Adam optimizer needs a lot of memory \cite{adam}.
Adam adapts its learning rates \cite{adam}.
\bibliography{refs}
\end{document}
"""
REFS = "@misc{adam, title = {Adam: A Method for Stochastic Optimization}, author = {Kingma, D.}, year = 2014}\n"

REASONED = {"quote": "Adam needs little memory.", "reasoning": "It does not."}
QUOTED = "It does not. “Adam needs little memory.” (abstract, corpus)"


class Judge:
    """A model that finds every sentence about memory contradicted."""

    def __init__(self):
        self.asked, self.delay, self.down, self.said = [], 0.0, False, ""

    def answer(self, _, body):
        question = body["messages"][-1]["content"]
        self.asked.append(question)
        if self.down:
            return 401, {"error": {"message": "no such key"}}
        if self.said:
            return 200, completion(self.said)
        verdict = "unsupported" if "a lot of memory [CITE]" in question else "supported"
        return 200, completion(
            json.dumps({"verdict": verdict, "quote": "Adam needs little memory.", "reasoning": "It does not."})
        )


@pytest.fixture
def judge():
    return Judge()


@pytest.fixture
def config(tmp_path):
    return tmp_path / "config.toml"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys, judge, config):
    """check(*options) → exit status, what it printed, what it warned of."""
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(REFS)
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([Work("W1", "Adam: A Method for Stochastic Optimization", ABSTRACT, year=2014)])
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
    assert told.count(f"seems to say otherwise: {QUOTED}") == 1
    assert "2 claims put to the model: 200 tokens read, 20 written, 0.0002 USD" in warned
    assert len(judge.asked) == 2


def test_a_model_is_not_asked_unasked(check, judge):
    assert "otherwise" not in check()[1]
    assert not judge.asked


def test_what_would_not_be_reported_is_not_judged(check, judge, tmp_path):
    (tmp_path / ".citelsp.toml").write_text('[checks.severity]\ncontradicted-claim = "off"\noverclaimed = "off"\n')
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


def with_claims(folder, count):
    claims = "".join(f"Adam needs memory, in {n + 2} ways \\cite{{adam}}.\n" for n in range(count))
    (folder / "main.tex").write_text(MAIN.replace("The Adam", claims + "The Adam"))


def test_the_limit_for_all_claims_is_told_with_what_it_left_out(check, judge, tmp_path):
    with_claims(tmp_path, 8)
    status, _, warned = check("--claims", "--tokens", "500")
    assert status == 2 and len(judge.asked) == 4
    assert "4 claims put to the model: 400 tokens read, 40 written, 0.0004 USD, of at most 500 tokens" in warned
    assert "6 of 10 claims were not judged: the limit of 500 tokens for all claims does not allow another" in warned
    status, _, warned = check("--claims", "--usd", "1")
    assert status == 0 and "6 claims put to the model" in warned and "of at most 1 USD" in warned


def test_what_a_search_may_cost_a_claim_may(check, judge, config):
    judge.said = "I do not know."
    assert check("--claims")[0] == 2 and len(judge.asked) == 4
    config.write_text(config.read_text() + "[agent]\ntokens = 100\n")
    status, _, warned = check("--claims")
    assert status == 2 and len(judge.asked) == 4 + 2
    assert "2 of 2 claims were not judged: the limit of 100 tokens was reached" in warned


def test_a_model_that_takes_too_long_is_not_waited_for(check, judge, config):
    judge.delay = 1.0
    config.write_text(config.read_text() + "[agent]\nseconds = 0.2\n")
    status, _, warned = check("--claims")
    assert status == 2 and "2 of 2 claims were not judged: the limit of 0.2 seconds was reached" in warned


@pytest.mark.parametrize("options", [["--tokens", "0"], ["--usd", "nan"], ["--usd", "-1"], ["--tokens", "many"]])
def test_limits_are_numbers_above_nought(check, options):
    assert check("--claims", *options)[0] == 3


def test_limits_are_for_claims(check):
    assert check("--usd", "1")[0] == 3


def test_claims_without_a_text_are_counted(check, judge, tmp_path):
    (tmp_path / "refs.bib").write_text(REFS.replace("Adam: A", "Eve: The"))
    status, _, warned = check("--claims")
    assert status == 0 and not judge.asked
    assert "2 claims left, because no text of their works was found" in warned


def test_claims_of_which_the_text_says_nothing_are_counted_apart(check, judge, tmp_path):
    main = tmp_path / "main.tex"
    main.write_text("\\begin{document}\nQuasars shine \\cite{adam}.\n\\bibliography{refs}\n\\end{document}\n")
    assert "; 1 claim left, because the text of its work does not discuss it" in check("--claims")[2]
    (tmp_path / "refs.bib").write_text(REFS.replace("Adam: A", "Eve: The"))
    assert "; 1 claim left, because no text of its work was found" in check("--claims")[2]


def test_what_was_judged_is_not_asked_again(check, judge, tmp_path):
    first = check("--claims")
    status, told, warned = check("--claims")
    assert (status, told) == first[:2] and "seems to say otherwise" in told
    assert len(judge.asked) == 2
    assert "0 claims put to the model: 0 tokens read, 0 written" in warned
    assert "2 judged in earlier runs" in warned and "1 supported, 1 unsupported" in warned
    (tmp_path / "main.tex").write_text(MAIN.replace(r"\begin{document}", "\\begin{document}\nNew words stand here."))
    check("--claims")
    assert len(judge.asked) == 2, "a neighbouring sentence is no part of the claim"


@pytest.mark.parametrize("changed", ["sentence", "text", "model", "work"])
def test_another_sentence_text_work_or_model_is_judged_anew(check, judge, config, tmp_path, changed):
    check("--claims")
    match changed:
        case "sentence":
            (tmp_path / "main.tex").write_text(MAIN.replace("a lot of", "very much"))
        case "text":
            with Corpus(tmp_path / "corpus") as corpus:
                corpus.add(
                    [Work("W1", "Adam: A Method for Stochastic Optimization", f"{ABSTRACT} So it is.", year=2014)]
                )
        case "model":
            config.write_text(config.read_text().replace('"m"', '"n"'))
        case "work":
            (tmp_path / "refs.bib").write_text(REFS.replace("Kingma, D.", "Ba, J."))
    check("--claims")
    assert len(judge.asked) == (3 if changed == "sentence" else 4)


def test_what_was_kept_holds_no_text_of_the_manuscript(check, tmp_path):
    check("--claims")
    kept = b"".join(it.read_bytes() for it in (tmp_path / "cache").rglob("*.db*"))
    assert b"Adam needs little memory." in kept, "the quote is the work's"
    assert b"a lot of memory" not in kept


def test_a_sentence_that_claims_more_than_its_work_is_reported(check, judge, tmp_path):
    judge.said = json.dumps({"verdict": "partially"} | REASONED)
    status, told, warned = check("--claims")
    assert status == 0 and "2 partially" in warned
    assert (
        told.count("adam says less than this sentence: It does not. “Adam needs little memory.” (abstract, corpus)")
        == 2
    )
    (tmp_path / ".citelsp.toml").write_text('[checks.severity]\noverclaimed = "off"\n')
    assert "says less" not in check("--claims")[1]
