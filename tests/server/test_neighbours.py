"""With another program in the editor nothing is offered twice, and what only citelsp has stays."""

import pytest

import real_server
from server_session import Session

PLACES = {
    "key": r"\cite{knu",
    "placeholder": r"\cite<transformer",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("beside")
    for name, text in real_server.FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


# What the author sets, what the editor says that it runs, and whether what texlab offers too is left to it.
SET = {
    "none": ("none", [], False),
    "texlab": ("texlab", [], True),
    "quarto": ("quarto", [], False),
    "several": (["quarto", "texlab"], [], True),
    "detected": (None, ["texlab", "unheard-of"], True),
    "detected, but refused": ("none", ["texlab"], False),
}
KEYS = [(["texlab"], True, True), (["texlab"], None, False), ([], None, True), ([], False, False)]


@pytest.fixture(scope="module", params=list(SET))
def asked(request, folder):
    """Whether texlab is beside, and the server's answers in main.tex by method and place."""
    session = Session()
    folders = [{"uri": folder.as_uri(), "name": "w"}]
    setting, programs, left = SET[request.param]
    options = {"offline": True, **({"beside": setting} if setting else {})}
    session.initialize({"experimental": {"beside": programs}}, workspaceFolders=folders, initializationOptions=options)
    uri = (folder / "main.tex").as_uri()
    session.open(uri, real_server.MAIN)
    numbers = iter(range(2, 1000))

    def ask(method, place):
        line, row = next((at, it) for at, it in enumerate(real_server.MAIN.splitlines()) if place in it)
        character = len(row[: row.index(place) + len(place)].encode("utf-16-le")) // 2
        number = next(numbers)
        about = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        context = {"context": {"includeDeclaration": True}} if method == "references" else {}
        session.send(f"textDocument/{method}", about | context, number)
        return session.answer(number).get("result")

    yield left, ask
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)


@pytest.mark.parametrize("method", ["completion", "hover", "definition", "references", "documentSymbol"])
def test_what_both_know_is_left_to_the_other(asked, method):
    left, ask = asked
    assert bool(ask(method, PLACES["key"])) != left


@pytest.mark.parametrize(("beside", "keys", "offered"), KEYS)
def test_keys_are_completed_as_the_author_says(folder, beside, keys, offered):
    session = Session()
    options = {"offline": True, "beside": beside, "completion": {} if keys is None else {"keys": keys}}
    session.initialize({}, rootUri=folder.as_uri(), initializationOptions=options)
    uri = (folder / "main.tex").as_uri()
    session.open(uri, PLACES["key"])
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": len(PLACES["key"])}}
    session.send("textDocument/completion", place, 2)
    assert bool(session.answer(2).get("result")) == offered
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)


def test_placeholders_stay(asked):
    _, ask = asked
    assert ask("hover", PLACES["placeholder"])
    assert ask("completion", PLACES["placeholder"]) is not None


def test_what_is_left_to_a_program_that_was_found_is_said_once(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path))
    place = {"textDocument": {"uri": (folder / "main.tex").as_uri()}, "position": {"line": 0, "character": 0}}
    heard = []
    for first in (True, False):
        session = Session()
        capabilities = {"experimental": {"beside": ["latex-workshop"]}}
        session.initialize(capabilities, rootUri=folder.as_uri(), initializationOptions={"offline": True})
        session.open((folder / "main.tex").as_uri(), real_server.MAIN)
        if first:
            session.wait(lambda it: it.get("method") == "window/showMessage")
        session.send("textDocument/hover", place, 2)
        session.answer(2)
        heard += [it["params"]["message"] for it in session.seen if it.get("method") == "window/showMessage"]
        session.process.stdin.close()
        session.process.stdout.close()
        session.process.wait(60)
    [message] = heard
    assert message.startswith("LaTeX Workshop runs here too")
    assert "\n" not in message
