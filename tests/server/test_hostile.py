"""What titles, quotes, keys and a model's reasons hold reaches no editor as link, image, snippet or cursor move."""

import json
import re

import pytest

from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work
from citelsp.features import document_symbols
from citelsp.server.wire import to_lsp
from citelsp.server.wire.documents import OpenDocuments
from citelsp.server.wire.to_lsp import Places
from fixture_projects import project_of
from model_server import completion, serving_in_thread
from server_session import Session

CLICK = "[click](command:workbench.action.closeWindow) ![x](http://evil.test/a.png) <img src=x onerror=alert(1)>"
MOVE = "\x1b]0;evil\x07\x1b[2J\x9b31m\u202elive\u202c"
PAYLOADS = [
    CLICK,
    MOVE,
    "${1:evil} $0 `b` **c** | $x$",
    r"\input{/etc/passwd} } , evil = {x} % @misc{evil, a={",
    "a\n@misc{q}\nb",
]
SENTENCE = "We train with the Adam optimizer, which needs little memory \\cite<adam memory>."
MAIN = f"""\\documentclass{{article}}
\\title{{Nets {MOVE}}}
\\begin{{document}}\\section{{Memory {MOVE}}}
{SENTENCE}
See \\cite{{own}} and \\cite{{no{MOVE}}} on memory.
\\bibliography{{refs}}
\\end{{document}}
"""
OWN = CLICK + MOVE
REFS = f"""@misc{{own, title={{Adam {OWN} memory}}, author={{Kingma {OWN}}}, year=2014,
 url={{javascript:alert(1)}}, doi={{10.1/{MOVE}}},
 month =
}}
@string{{evil = {{{MOVE}}}}}
"""
ABLE = {
    "window": {"workDoneProgress": True},
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {}}},
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    },
}  # fmt: skip
MOVES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
LIVE = re.compile(r"(?<!\\)<img|(?<!\\)!\[|(?<!\\)\]\((?:command|http)|javascript:")
HIDDEN = {"data", "arguments", "previousResultId"}  # what no editor shows


def works():
    for number, it in enumerate(PAYLOADS):
        abstract = f"The Adam optimizer needs little memory, {it} Adam memory {it}."
        yield Work(
            f"w{number}", f"{it} Adam memory", abstract, (f"Kingma {it}",), 2014, venue=it, doi=f"10.1234/{number}"
        )


@pytest.fixture
def model():
    """A model in a thread of its own that gives up with a hostile reason."""
    call = ("give_up", json.dumps({"reason": f"no {CLICK} {MOVE}"}))
    with serving_in_thread(completion(f"{CLICK} {MOVE}", calls=[call])) as server:
        yield server


@pytest.fixture
def heard(tmp_path, monkeypatch, model):
    """Everything that the server said in a session that asks for all it can show."""
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"CITELSP_{name}_DIR", str(tmp_path / name))
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add(list(works()))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "refs.bib").write_text(REFS, encoding="utf-8")
    uri = (tmp_path / "work" / "main.tex").as_uri()
    (tmp_path / "work" / "main.tex").write_text(MAIN, encoding="utf-8")
    options = {
        "corpus": {"path": str(tmp_path / "corpus")}, "online": {"suggest": "off", "verify": "off"},
        "inlay_hints": True, "model": {"base_url": model.url, "name": "m"},
    }  # fmt: skip
    session = Session()
    session.initialize(ABLE, rootUri=(tmp_path / "work").as_uri(), initializationOptions=options)
    session.open(uri, MAIN)
    said = []

    def ask(method, **params):
        number = 100 + len(said)

        def answers(message):
            said.append(message)
            if "id" in message and "method" in message:
                session.reply(message["id"], {"applied": True} if message["method"].endswith("applyEdit") else None)
            return message.get("id") == number and "method" not in message

        session.send(method, params, number)
        return session.wait(answers).get("result")

    document, lines = {"uri": uri}, MAIN.split("\n")
    bibliography = {"uri": (tmp_path / "work" / "refs.bib").as_uri()}
    place = {"line": 3, "character": SENTENCE.index("<") + 2}
    own = {"line": 4, "character": lines[4].index("own") + 1}
    here = {"uri": uri, "position": place}
    for command, argument in (
        ("citelsp.searchOnline", here), ("citelsp.searchFurther", here), ("citelsp.works", here),
        ("citelsp.explain", here),
        ("citelsp.evidence", {"uri": uri, "position": own}), ("citelsp.overview", uri),
    ):  # fmt: skip
        ask("workspace/executeCommand", command=command, arguments=[argument])
    for item in ask("textDocument/completion", textDocument=document, position=place)["items"]:
        ask("completionItem/resolve", **item)
    for position in (place, own):
        ask("textDocument/hover", textDocument=document, position=position)
    for method, params in (
        ("textDocument/completion", {"textDocument": document, "position": own}),
        ("textDocument/completion", {"textDocument": bibliography, "position": {"line": 2, "character": 10}}),
        ("textDocument/documentSymbol", {"textDocument": document}),
        ("textDocument/documentSymbol", {"textDocument": bibliography}),
        ("workspace/symbol", {"query": "adam"}), ("workspace/symbol", {"query": "@string"}),
    ):  # fmt: skip
        assert ask(method, **params), method
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 7, "character": 0}}
    ask("textDocument/inlayHint", textDocument=document, range=everything)
    ask("textDocument/codeLens", textDocument=document)
    ask(
        "textDocument/codeAction",
        textDocument=document,
        range={"start": place, "end": place},
        context={"diagnostics": []},
    )
    # Findings come by themselves, on a busy machine after all answers.
    if not any(map(tells_of_evil, said)):
        session.wait(lambda message: said.append(message) or tells_of_evil(message))
    session.process.kill()
    session.process.communicate()
    return said


def tells_of_evil(message):
    return any("evil" in text for way, text in shown(message) if way.endswith(".message"))


def shown(value, way=""):
    """Every text that an editor shows or writes, with the way to it."""
    if isinstance(value, str):
        yield way, value
    elif isinstance(value, dict):
        for name, it in value.items():
            if name not in HIDDEN:
                yield from shown(it, f"{way}.{name}")
    elif isinstance(value, list):
        for it in value:
            yield from shown(it, way)


def test_nothing_that_is_shown_or_written_is_live(heard):
    told = [it for message in heard for it in shown(message, message.get("method", ""))]
    for kind in ("label", "title", "value", "newText", "message", "quote"):
        assert any("evil" in text for way, text in told if way.endswith(f".{kind}")), kind
    assert not [it for it in told if MOVES.search(it[1])]
    markup = [it for it in told if it[0].endswith(("documentation.value", "contents.value"))]
    assert not [it for it in markup if LIVE.search(it[1])]
    spoken = [it for it in told if it[0].startswith(("window/", "$/progress")) or it[0].endswith("error.message")]
    assert not [it for it in spoken if "](" in it[1]]
    assert not [it for way, it in told if way.endswith((".label", ".title")) and "\n" in it]
    assert '"insertTextFormat": 2' not in json.dumps(heard)


@pytest.mark.parametrize("trees", [True, False])
def test_no_name_of_an_outline_is_empty(trees):
    project = project_of({"main.tex": "\\section{\u202e}\n"})
    places = Places(project, OpenDocuments(), {}, "utf-16")
    [symbol] = to_lsp.symbols(places, "main.tex", document_symbols.find(project, "main.tex"), trees=trees)
    assert symbol.name == "…"
