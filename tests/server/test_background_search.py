"""The agent behind placeholders: in the background, several at once, with a model, explained, several works cited."""

import json
import re

import pytest

from agent_works import WORKS
from citelsp.agent import certainty
from citelsp.base.settings import SERVICES
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.features.values import likelihood
from citelsp.server.state.online import Online
from model_server import Answer, completion, failure, serving_in_thread
from server_session import DEBUG, Session, tasks

CAPABLE = {"window": {"workDoneProgress": True}, "workspace": {"applyEdit": True}}
SENTENCE = "We train with the Adam optimizer, which needs little memory \\cite<adam>."
HEAD = "\\documentclass{article}\n\\title{Nets}\n\\begin{document}\n"
MAIN = f"{HEAD}{SENTENCE}\n\\bibliography{{refs}}\n\\end{{document}}\n"
POSITION = {"line": 3, "character": SENTENCE.index("<") + 2}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    with Corpus(folder, create=True) as opened:
        opened.add([Work(**it) for it in WORKS])
    return str(folder)


@pytest.fixture(scope="module")
def private(tmp_path_factory):
    """Nothing of the user's own, nor of another module."""
    with pytest.MonkeyPatch.context() as environment:
        for name in ("STATE", "CACHE"):
            environment.setenv(f"CITELSP_{name}_DIR", str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(scope="module")
def start(private, corpus):
    """start(folder, **capabilities) → a session in that folder."""
    sessions = []

    def begin(folder, **capabilities):
        session = Session(*DEBUG)
        sessions.append(session)
        options = {"corpus": {"path": corpus}, "online": {"suggest": "off"}}
        session.initialize(CAPABLE | capabilities, rootUri=folder.as_uri(), initializationOptions=options)
        return session

    yield begin
    for session in sessions:
        session.process.kill()
        session.process.communicate()


@pytest.fixture(scope="module")
def running(start, tmp_path_factory):
    """One session for every test that needs no other."""
    return start(tmp_path_factory.mktemp("work"))


@pytest.fixture
def editor(running, tmp_path):
    """editor(text, session, refs, **settings) → a session with that manuscript open, under a title of its own."""
    opened = []

    def show(text=MAIN, session=running, refs="@misc{other, title = {Other Matters}}\n", **settings):
        (tmp_path / "refs.bib").write_text(refs)
        (tmp_path / "main.tex").write_text(text)
        session.uri = (tmp_path / "main.tex").as_uri()
        session.seen.clear()
        session.send("workspace/didChangeConfiguration", {"settings": settings})
        session.open(session.uri, text.replace("{Nets}", f"{{Nets of {tmp_path.name}}}"))
        actions(session, 1)  # what is asked next is asked with these settings
        opened.append(session)
        return session

    yield show
    for session in opened:
        session.send("textDocument/didClose", {"textDocument": {"uri": session.uri}})


def survey(body):
    handle = re.search(r"(W\d+) «A Survey of Optimizers", str(body["messages"]))[1]
    return completion(json.dumps({"choice": handle, "sure": "clear"}))


@pytest.fixture
def model(request):
    """A model in a thread of its own that always selects the survey, or gives the answer it is made with."""
    with serving_in_thread(getattr(request, "param", survey)) as server:
        yield server


def until(session, wanted):
    """The first message that is wanted; what the server asks meanwhile is granted."""

    def seen(message):
        if "id" in message and "method" in message:
            session.reply(message["id"], {"applied": True} if message["method"].endswith("applyEdit") else None)
        return wanted(message)

    return session.wait(seen)


def answer(session, method, params, number):
    session.send(method, params, number)
    return until(session, lambda it: it.get("id") == number and "method" not in it)


def call(session, number, command, *arguments):
    return answer(session, "workspace/executeCommand", {"command": command, "arguments": list(arguments)}, number)


def here(session, **more):
    return {"uri": session.uri, "position": POSITION, **more}


def completes(session, number):
    asked = {"textDocument": {"uri": session.uri}, "position": POSITION}
    return answer(session, "textDocument/completion", asked, number)["result"]["items"]


def hover(session, number):
    asked = {"textDocument": {"uri": session.uri}, "position": POSITION}
    return answer(session, "textDocument/hover", asked, number)["result"]["contents"]["value"]


def test_the_list_stays_as_it_is_while_nobody_else_is_asked(editor):
    session = editor()
    begun = tasks("begins").count("resolve")
    first = [it["label"] for it in completes(session, 2)]
    assert "Adam" in first[0]
    assert tasks("begins").count("resolve") == begun
    assert [it["label"] for it in completes(session, 3)] == first
    assert "no search has been recorded" in call(session, 4, "citelsp.explain", here(session))["error"]["message"]


def test_works_picked_together_are_cited_in_one_edit(editor):
    session = editor()
    told = call(session, 2, "citelsp.works", here(session))["result"]
    found = told["works"]
    assert not told["reason"]
    assert found[0]["title"] == WORKS[0]["title"]
    assert found[0]["key"] == "kingma2014adam"
    assert found[0]["adds"]
    assert "corpus" in found[0]["found"]
    assert "little memory" in found[0]["quote"]
    assert [it["fits"] for it in found][:1] == [True]
    assert not all(it["fits"] for it in found)
    names = [found[0]["work"], next(it["work"] for it in found if "Survey" in it["title"])]
    keys = call(session, 3, "citelsp.cite", here(session, works=names))["result"]
    [edit] = [it for it in session.seen if it.get("method") == "workspace/applyEdit"]
    changes = edit["params"]["edit"]["changes"]
    assert changes[session.uri][0]["newText"] == f"{{{keys}}}"
    [entries] = [it["newText"] for it in changes[session.uri.replace("main.tex", "refs.bib")]]
    assert entries.count("@") == 2
    assert "error" in call(session, 4, "citelsp.cite", here(session, works=["corpus:none"]))


def test_what_an_edit_is_called_fits_on_a_line(editor):
    """Neovim prints it, and waits for a key where it does not."""
    session = editor()
    first = next(it["command"] for it in completes(session, 2) if it.get("command"))
    works = [it | {"key": f"kingma2014adamamethod{number}"} for number in range(9) for it in first["arguments"]]
    call(session, 3, first["command"], *works)
    [edit] = [it["params"] for it in session.seen if it.get("method") == "workspace/applyEdit"]
    assert edit["label"] == "Add kingma2014adamamethod0…"


def picks(found):
    return [
        it["command"]["arguments"] for it in found if (it.get("command") or {}).get("command") == "citelsp.pickWorks"
    ]


def actions(session, number):
    asked = {
        "textDocument": {"uri": session.uri},
        "range": {"start": POSITION, "end": POSITION},
        "context": {"diagnostics": []},
    }
    return answer(session, "textDocument/codeAction", asked, number)["result"]


def test_picking_is_offered_where_the_editor_can(editor, start, tmp_path):
    session = editor(session=start(tmp_path, experimental={"commands": {"commands": ["citelsp.pickWorks"]}}))
    [[inside]] = picks(completes(session, 2))
    assert inside["position"] == {"line": 3, "character": SENTENCE.index("<")}
    assert call(session, 3, "citelsp.works", inside)["result"]["works"]
    assert picks(actions(session, 4)) == [[inside]]


def test_picking_is_not_offered_where_the_editor_cannot(editor):
    session = editor()
    assert not picks(completes(session, 2))
    assert not picks(actions(session, 3))


def test_twenty_placeholders_at_once(editor):
    lines = [f"Model {number} uses the Adam optimizer with little memory \\cite<>." for number in range(20)]
    session = editor(MAIN.replace(SENTENCE, "\n\n".join(lines)))
    assert call(session, 2, "citelsp.suggest", session.uri)["result"] == 20
    done = [it["params"]["value"].get("message") for it in session.seen if it.get("method") == "$/progress"]
    assert "20 of 20" in done


def reasoned(body):
    handle = re.search(r"(W\d+) «A Survey of Optimizers", str(body["messages"]))[1]
    return completion(json.dumps({"choice": handle, "sure": "clear", "why": "It surveys them all."}))


@pytest.mark.parametrize("model", [reasoned], indirect=True)
def test_what_a_model_chose_why_and_what_it_cost(editor, model):
    session = editor(model={"base_url": model.url, "name": "m"})
    call(session, 2, "citelsp.searchOnline", here(session))
    assert messages(session)[-1] == (
        "citelsp: m used 110 tokens. The model chose “A Survey of Optimizers for Deep Learning”: It surveys them all."
    )
    begun = [it["params"]["value"] for it in session.seen if it.get("method") == "$/progress"]
    assert {it["title"] for it in begun if it["kind"] == "begin"} == {"Asking m…"}
    assert not any(it.get("message") for it in begun), "nothing else in a status bar"
    shown = hover(session, 3)
    assert "The model says: It surveys them all." in shown
    assert f"{likelihood(certainty.CHANCES['clear'])} likely to be the work meant" in shown
    assert "The search took 2 turns, 100 tokens read and 10 written" in shown
    first, second, *_ = call(session, 4, "citelsp.works", here(session))["result"]["works"]
    assert (first["why"], second["why"]) == ("It surveys them all.", "")


@pytest.mark.parametrize(
    ("purpose", "sent"),
    [("model", "The text around your placeholders goes to gpt-4o"), ("search", "words of your sentence")],
)
def test_the_first_sentence_about_a_question_says_what_is_sent(purpose, sent, tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    told = []
    Online(told.append).tell(purpose, ["gpt-4o at api.openai.com"])
    [notice] = told
    first = re.match(r".*?[.](?=\s)", notice)[0]
    assert sent in first and len(first) <= 70, "what a toast of VS Code shows without a click"


def slow(body):
    return Answer(json.dumps(survey(body)), delay=0.1)


@pytest.mark.parametrize("model", [slow], indirect=True)
def test_the_progress_of_a_model_says_how_many_wait(editor, model):
    lines = [f"Model {number} uses the Adam optimizer with little memory \\cite<>." for number in range(4)]
    session = editor(MAIN.replace(SENTENCE, "\n\n".join(lines)), model={"base_url": model.url, "name": "m"})
    assert call(session, 2, "citelsp.suggest", session.uri)["result"] == 4
    told = [it["params"]["value"].get("message") for it in session.seen if it.get("method") == "$/progress"]
    assert any(re.fullmatch(r"[01] of 4, [34] waiting", it or "") for it in told)
    assert "4 of 4" in told


def test_a_model_answers_on_command_within_its_limits(editor, model):
    session = editor(model={"base_url": model.url, "name": "m"}, agent={"turns": 4})
    *_, last = completes(session, 2)
    assert last["label"].startswith("Ask m for “adam")
    assert not model.asked
    call(session, 3, last["command"]["command"], *last["command"]["arguments"])
    assert len(model.asked) == 1
    first, *_ = completes(session, 4)
    assert "Survey" in first["label"]
    assert "not asked" not in json.dumps(model.asked)


def both(body):
    """The survey, then Adam."""
    shown = str(body["messages"])
    titles = ("A Survey of Optimizers", "Adam: A Method")
    handle = next(found[1] for it in titles if (found := re.search(rf"(W\d+) «{it}", shown)))
    return completion(json.dumps({"choice": handle, "sure": "clear"}))


@pytest.mark.parametrize("model", [both], indirect=True)
def test_a_model_searches_further_works_when_asked(editor, model):
    session = editor(model={"base_url": model.url, "name": "m"})
    assert not [it for it in completes(session, 2) if it["label"].startswith("Find more")]
    call(session, 3, "citelsp.searchOnline", here(session))
    [item] = [it for it in completes(session, 4) if it["label"].startswith("Find more")]
    assert item["command"]["title"] in [it["title"] for it in actions(session, 5)]
    assert not [it for it in completes(session, 6) if "together" in it["label"]]
    assert call(session, 7, item["command"]["command"], *item["command"]["arguments"])["result"] == 2
    assert len(model.asked) == 2
    first, second, joint, *others = completes(session, 8)
    assert ("Survey" in first["label"], "Adam" in second["label"]) == (True, True)
    assert joint["label"].startswith("Both together")
    assert not [it for it in others if it["label"].startswith("Find more")]
    told = call(session, 9, "citelsp.explain", here(session))["result"]
    assert told.count("It ended by its own decision.") == 2
    assert "run a search here first" in call(session, 10, "citelsp.searchFurther", here(session))["error"]["message"]


def once():
    asked = []

    def answer(body):
        asked.append(body)
        return survey(body) if len(asked) == 1 else failure("model 'm' is gone", 404)

    return answer


@pytest.mark.parametrize("model", [once()], indirect=True)
def test_a_search_for_further_works_without_the_model_says_so_and_may_be_begun_again(editor, model):
    session = editor(model={"base_url": model.url, "name": "m"})
    call(session, 2, "citelsp.searchOnline", here(session))
    assert call(session, 3, "citelsp.searchFurther", here(session))["result"] == 4  # by rules, in its stead
    assert messages(session)[-1].endswith("404 model 'm' is gone.")
    assert "Survey" in completes(session, 4)[0]["label"]
    assert [it for it in completes(session, 5) if it["label"].startswith("Find more")]


def refused(_):
    return failure("model 'm' not found", 404)


@pytest.mark.parametrize("model", [refused], indirect=True)
def test_a_model_that_cannot_be_asked_is_told_of(editor, model):
    session = editor(model={"base_url": model.url, "name": "m"})
    assert call(session, 2, "citelsp.suggest", session.uri)["result"] == 1
    why = "he model's endpoint says: 404 model 'm' not found"
    assert f"citelsp: 1 of 1 placeholder: t{why}" in messages(session)
    assert f"T{why}." in hover(session, 3)
    assert call(session, 4, "citelsp.searchOnline", here(session))["result"] > 0
    assert f"T{why}." in messages(session)[-1]


def messages(session):
    return [it["params"]["message"] for it in session.seen if it.get("method") == "window/showMessage"]


@pytest.mark.online
def test_placeholders_end_with_a_list_or_a_reason_while_services_fail(editor, tmp_path):
    hosts = {"crossref": "http://127.0.0.1:9/", "openalex": "http://127.0.0.1:9/x"}
    services = {it: {"base_url": hosts[it]} if it in hosts else {"enabled": False} for it in SERVICES}
    lines = [
        f"Number {number} is about {words} \\cite<>." for number, words in enumerate(["memory of Adam", "zzz"] * 6)
    ]
    away = {"corpus": {"path": str(tmp_path / "none")}, "services": services, "online": {"suggest": "command"}}
    session = editor(MAIN.replace(SENTENCE, "\n\n".join(lines)), **away)
    assert call(session, 2, "citelsp.suggest", session.uri)["result"] == 0
    for number in range(12):
        place = {"line": 3 + 2 * number, "character": len(lines[number]) - 2}
        asked = {"textDocument": {"uri": session.uri}, "position": place}
        items = answer(session, "textDocument/completion", asked, 3 + number)["result"]["items"]
        assert items[0]["label"].startswith("No answer from ")


def cited(when):
    """Each test says something of its own, as what was judged once is remembered."""
    return MAIN.replace("\\cite<adam>", f"\\cite{{adam}} {when}")


ENTRY = (
    "@misc{adam, title = {Adam: A Method for Stochastic Optimization}, eprint = {1412.6980}, archiveprefix = {arXiv}}\n"
)


def contradicted(_):
    answer = {"reasoning": "so", "verdict": "unsupported", "quote": "It needs little memory."}
    return completion(json.dumps(answer))


@pytest.mark.parametrize("model", [contradicted], indirect=True)
def test_evidence_for_a_citation(editor, model):
    session = editor(cited("always"), refs=ENTRY, model={"base_url": model.url, "name": "m"})
    lens, *_ = answer(session, "textDocument/codeLens", {"textDocument": {"uri": session.uri}}, 2)["result"]
    assert lens["command"]["title"] == "Show evidence for 1 citation"
    assert call(session, 3, lens["command"]["command"], *lens["command"]["arguments"])["result"] == 1
    assert "“It needs little memory.”" in hover(session, 4)
    _, lens = answer(session, "textDocument/codeLens", {"textDocument": {"uri": session.uri}}, 5)["result"]
    assert lens["command"]["title"] == "adam: unsupported, show evidence"
    call(session, 6, lens["command"]["command"], *lens["command"]["arguments"])
    assert any("abstract, your corpus, unsupported" in it for it in messages(session))
    assert len(model.asked) == 1


def fails_once():
    asked = []

    def answer(body):
        asked.append(body)
        return contradicted(body) if len(asked) > 1 else failure("no such model", 404)

    return answer


@pytest.mark.parametrize("model", [fails_once()], indirect=True)
def test_what_was_not_judged_is_told_and_asked_again(editor, model):
    session = editor(cited("again"), refs=ENTRY, model={"base_url": model.url, "name": "m"})
    assert call(session, 2, "citelsp.evidence", {"uri": session.uri})["result"] == 1
    assert "citelsp: 1 of 1 citation could not be judged: the model's endpoint says: 404 no such model" in messages(
        session
    )
    call(session, 3, "citelsp.evidence", {"uri": session.uri})
    assert "unsupported" in hover(session, 4)


@pytest.mark.parametrize("with_corpus", [True, False])
def test_without_a_model_there_are_passages_or_nothing(editor, tmp_path, with_corpus):
    text = cited("often" if with_corpus else "seldom")
    session = editor(text, refs=ENTRY, **({} if with_corpus else {"corpus": {"path": str(tmp_path / "none")}}))
    assert call(session, 2, "citelsp.evidence", {"uri": session.uri})["result"] == int(with_corpus)
    assert ("abstract, your corpus" in hover(session, 3)) == with_corpus
    assert ("None of the available text" in hover(session, 4)) != with_corpus
