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


@pytest.fixture(scope="module", params=["none", "texlab", "quarto"])
def asked(request, folder):
    """The program beside, and the server's answers in main.tex by method and place."""
    session = Session()
    folders = [{"uri": folder.as_uri(), "name": "w"}]
    options = {"beside": request.param, "offline": True}
    session.initialize({}, workspaceFolders=folders, initializationOptions=options)
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

    yield request.param, ask
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)


@pytest.mark.parametrize("method", ["completion", "hover", "definition", "references", "documentSymbol"])
def test_what_both_know_is_left_to_the_other(asked, method):
    beside, ask = asked
    assert bool(ask(method, PLACES["key"])) == (beside != "texlab")


def test_placeholders_stay(asked):
    _, ask = asked
    assert ask("hover", PLACES["placeholder"])
    assert ask("completion", PLACES["placeholder"]) is not None
