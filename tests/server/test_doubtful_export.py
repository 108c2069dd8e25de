"""A list whose keys Better BibTeX makes is not written to before its author says that he keeps it himself."""

import pytest

import online_session
from online_session import MAIN

TITLES = {
    "vaswaniAttentionAllYou2017": "Attention Is All You Need",
    "devlinBERTPretrainingDeep2019": "{BERT}: Pre-training of Deep Bidirectional Transformers",
    "knuthLiterateProgramming1984": "Literate Programming",
    "smallCocitationScientificLiterature1973": "Co-citation in the Scientific Literature",
    "heDeepResidualLearning2016": "Deep Residual Learning for Image Recognition",
}
EXPORTED = "\n".join(f"@misc{{{key}, title = {{{title}}}}}" for key, title in TITLES.items()) + "\n"
CHOOSES = {"experimental": {"commands": {"commands": ["citelsp.choose"]}}}
NEW = "10.1000/new"


@pytest.fixture
def added(editor, world, tmp_path):
    """added(answer, refs, how many) → the documents that works were written to, and the questions asked meanwhile."""
    world.works[NEW] = {**next(iter(world.works.values())), "DOI": NEW, "title": ["New Things"]}

    def add(answer, refs=EXPORTED, chooses=True, times=1):
        (tmp_path / "work" / "refs.bib").write_text(refs)
        session = editor({"workspace": FILES} | (CHOOSES if chooses else {}))
        session.open(session.uri, MAIN.replace("nobody99", NEW))
        written, questions = [], []

        def seen(message):
            match message.get("method"):
                case "citelsp/choose" | "window/showMessageRequest":
                    questions.append(message["params"])
                    session.write({"id": message["id"], **reply(answer(message["params"]))})
                case "workspace/applyEdit":
                    changes = message["params"]["edit"]["documentChanges"]
                    written.extend(it.get("uri") or it["textDocument"]["uri"] for it in changes)
                    session.reply(message["id"], {"applied": True})
            return message.get("id") == number and "method" not in message

        for number in range(10, 10 + times):
            arguments = {"command": "citelsp.insert", "arguments": [session.uri, NEW]}
            session.send("workspace/executeCommand", arguments, number)
            session.wait(seen)
        return {it.rpartition("/")[2] for it in written}, questions

    return add


def reply(answer):
    """The members of a response: an error as it is."""
    return answer if isinstance(answer, dict) and "error" in answer else {"result": answer}


FILES = {"applyEdit": True, "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}


def test_the_author_keeps_it_himself(added):
    written, [question] = added(lambda _: 0)
    assert "Is refs.bib exported by Better BibTeX?" in question["question"]
    assert [it["label"] for it in question["choices"]] == ["Add to refs.bib", "Add to references.bib"]
    assert written == {"refs.bib"}


@pytest.mark.parametrize("answer", [1, None])
def test_entries_go_beside_an_export(added, answer):
    assert added(lambda _: answer)[0] == {"references.bib", "main.tex"}


REFUSED = {"error": {"code": -32601, "message": "no such method"}}


@pytest.mark.parametrize("chooses", [True, False])
@pytest.mark.parametrize("answer", [REFUSED, {"name": "Add to refs.bib"}, "Add to refs.bib"])
def test_an_entry_is_added_though_the_editor_does_not_ask(added, answer, chooses):
    assert added(lambda _: answer, chooses=chooses)[0] == {"references.bib", "main.tex"}


def test_he_is_asked_once(added):
    assert len(added(lambda _: 0, times=2)[1]) == 1


def test_an_editor_with_buttons(added):
    written, [question] = added(lambda it: it["actions"][0], chooses=False)
    assert [it["title"] for it in question["actions"]] == ["Add to refs.bib", "Add to references.bib"]
    assert written == {"refs.bib"}


OWN = [
    EXPORTED.replace("vaswaniAttentionAllYou2017", "vaswani2017attention")
    .replace("knuthL", "Knuth-L")
    .replace("heD", "x:D"),
    EXPORTED.replace("Attention Is", "Other Things").replace("{BERT}", "X").replace("Deep Residual", "Y"),
    "@misc{vaswaniAttentionAllYou2017, title = {Attention Is All You Need}}\n",
]


@pytest.mark.parametrize("refs", OWN, ids=["other keys", "keys of other titles", "a single entry"])
def test_nobody_is_asked_about_a_list_of_his_own(added, refs):
    assert added(lambda _: 1, refs) == ({"refs.bib"}, [])


@pytest.mark.parametrize("command", ["insert", "writeCitation", "cite"])
def test_what_the_author_writes_before_he_answers_counts(editor, world, tmp_path, command):
    world.works[NEW] = {**next(iter(world.works.values())), "DOI": NEW, "title": ["New Things"]}
    (tmp_path / "work" / "refs.bib").write_text(EXPORTED.replace("Literate", "Other"))
    session = online_session.retyped(editor({"workspace": FILES} | CHOOSES))
    place = {"uri": session.uri, "position": online_session.POSITION}
    online_session.calls(session, 2, "citelsp.suggest", session.uri)
    listed = online_session.calls(session, 3, "citelsp.findWorks", place)["result"]
    works = [it["work"] for it in listed["works"] if it["title"].startswith("Literate")]
    arguments = [session.uri, NEW] if command == "insert" else [place | {"works": works}]
    versions = []

    def seen(message):
        match message.get("method"):
            case "citelsp/choose":
                written = {"text": online_session.PLACEHOLDER + "% More was written meanwhile.\n"}
                document = {"uri": session.uri, "version": 3}
                session.send("textDocument/didChange", {"textDocument": document, "contentChanges": [written]})
                session.reply(message["id"], 1)
            case "workspace/applyEdit":
                changed = [it["textDocument"] for it in message["params"]["edit"]["documentChanges"] if "edits" in it]
                versions.extend(it["version"] for it in changed if it["uri"] == session.uri)
                session.reply(message["id"], {"applied": True})
        return message.get("id") == 4 and "method" not in message

    session.send("workspace/executeCommand", {"command": f"citelsp.{command}", "arguments": arguments}, 4)
    session.wait(seen)
    assert versions == [3]


ACTIONS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}
RESOLVES = ACTIONS | {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}


@pytest.mark.parametrize("actions", [ACTIONS, RESOLVES], ids=["edits", "edits made later"])
@pytest.mark.parametrize(("answer", "target"), [(0, {"refs.bib"}), (1, {"references.bib"})])
def test_the_light_bulb_asks_when_a_work_is_chosen(editor, tmp_path, actions, answer, target):
    (tmp_path / "work" / "refs.bib").write_text(EXPORTED.replace("Literate", "Other"))
    session = editor({"workspace": FILES, "textDocument": {"codeAction": actions}} | CHOOSES)
    online_session.retyped(session)
    online_session.calls(session, 2, "citelsp.suggest", session.uri)
    position = {"start": online_session.POSITION, "end": online_session.POSITION}
    asked = {"textDocument": {"uri": session.uri}, "range": position, "context": {"diagnostics": []}}
    session.send("textDocument/codeAction", asked, 3)
    title = "Cite Knuth 1984: Literate Programming in Practice"
    [offered] = [it for it in session.answer(3)["result"] if it["title"] == title]
    assert not {"edit", "data"} & offered.keys()  # which editors ask for before anything is chosen
    questions, written = [], []

    def seen(message):
        match message.get("method"):
            case "citelsp/choose":
                questions.append(message["params"]["question"])
                session.reply(message["id"], answer)
            case "workspace/applyEdit":
                changes = message["params"]["edit"]["documentChanges"]
                written.extend(it.get("uri") or it["textDocument"]["uri"] for it in changes)
                session.reply(message["id"], {"applied": True})
        return message.get("id") == 4 and "method" not in message

    session.send("workspace/executeCommand", offered["command"], 4)
    session.wait(seen)
    assert len(questions) == 1
    assert {it.rpartition("/")[2] for it in written} == target | {"main.tex"}
