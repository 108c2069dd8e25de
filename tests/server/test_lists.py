"""What a list at a placeholder shows: what is there now, and what its own place asks for."""

import time

import pytest

import forked_programs
from server_session import DEBUG, PATIENCE, Session, tasks

ATTENTION = "@misc{vaswani, title = {Attention Is All You Need}, abstract = {Recurrence in translation is replaced}}\n"
RESIDUAL = (
    "@misc{he, title = {Deep Residual Learning}, abstract = {Residual connections make deep networks trainable}}\n"
)
SENTENCE = (
    "Attention replaced recurrence in translation \\cite<>, whereas residual connections made deep networks"
    " trainable \\cite<>."
)


@pytest.fixture
def lists(tmp_path, monkeypatch):
    """lists(refs) → labels of the list at each of the sentence's placeholders, again for each further call."""
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    session, numbers, items = Session(*DEBUG), iter(range(2, 99)), {}
    main, bibliography = tmp_path / "main.tex", tmp_path / "refs.bib"
    text = f"\\documentclass{{article}}\n\\begin{{document}}\n{SENTENCE}\n\\bibliography{{refs}}\n\\end{{document}}\n"
    options = {"offline": True, "corpus": {"path": str(tmp_path / "none")}}
    session.initialize({}, rootUri=tmp_path.as_uri(), initializationOptions=options)

    def labels(place):
        character = [at for at in range(len(SENTENCE)) if SENTENCE.startswith("<>", at)][place] + 1
        number = next(numbers)
        position = {"line": 2, "character": character}
        session.send("textDocument/completion", {"textDocument": {"uri": main.as_uri()}, "position": position}, number)
        items[place] = session.answer(number)["result"]["items"]
        return [it["label"] for it in items[place]]

    def documentation(place, label):
        """What is shown beside an item of the list made last."""
        number = next(numbers)
        session.send("completionItem/resolve", next(it for it in items[place] if it["label"] == label), number)
        return session.answer(number)["result"]["documentation"]

    def show(refs):
        bibliography.write_text(refs)
        if main.exists():
            changes = [{"uri": bibliography.as_uri(), "type": 2}]
            session.send("workspace/didChangeWatchedFiles", {"changes": changes})
        else:
            main.write_text(text)
            session.open(main.as_uri(), text)
        return [labels(0), labels(1)]

    def run(command, argument, changed):
        number = next(numbers)
        change = {"textDocument": {"uri": main.as_uri(), "version": 2}, "contentChanges": [{"text": changed}]}
        session.send("textDocument/didChange", change)
        session.send("workspace/executeCommand", {"command": command, "arguments": [argument]}, number)
        return session.answer(number)["result"]

    def keys(changed):
        """The keys offered at the only empty citation of the changed text."""
        number = next(numbers)
        change = {"textDocument": {"uri": main.as_uri(), "version": number}, "contentChanges": [{"text": changed}]}
        session.send("textDocument/didChange", change)
        before = changed[: changed.index("\\cite{}") + len("\\cite{")]
        position = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
        session.send("textDocument/completion", {"textDocument": {"uri": main.as_uri()}, "position": position}, number)
        return [it["label"] for it in session.answer(number)["result"]["items"]]

    show.commands, show.documentation, show.keys, show.uri = run, documentation, keys, main.as_uri()
    yield show
    session.process.kill()
    session.process.communicate()


def wait_for_preparation(lists):
    deadline = time.monotonic() + PATIENCE
    while f"prepare {lists.uri}" not in tasks("has ended"):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_entry_that_is_added_is_offered_at_once_and_stays(lists):
    assert lists(RESIDUAL)[0][:1] != ["Attention Is All You Need"]
    assert lists(RESIDUAL + ATTENTION)[0][0] == "Attention Is All You Need"
    assert "resolve" not in tasks("begins")  # no search in the background changes the list
    assert lists(RESIDUAL + ATTENTION)[0][0] == "Attention Is All You Need"
    assert "Attention Is All You Need" not in lists(RESIDUAL)[0]


def test_works_added_to_the_corpus_meanwhile_are_offered(lists, tmp_path):
    assert "Attention Is All You Need" not in lists(RESIDUAL)[0]
    works = tmp_path / "attention.bib"
    works.write_text(ATTENTION)
    forked_programs.run("corpus", "add", works, "--corpus", tmp_path / "none").check_returncode()
    assert "Attention Is All You Need" in lists(RESIDUAL)[0]


def test_two_placeholders_of_one_sentence_have_lists_of_their_own(lists):
    first, second = lists(RESIDUAL + ATTENTION)
    assert (first[0], second[0]) == ("Attention Is All You Need", "Deep Residual Learning")


def test_evidence_can_be_read(lists, tmp_path):
    lists(RESIDUAL)
    text = (tmp_path / "main.tex").read_text().replace("\\cite<>", "\\cite{he}", 1)
    found = lists.commands("citelsp.reading", {"uri": lists.uri}, text)
    assert found["text"].splitlines()[2] == "1 of 1 · he · not judged"
    [citation] = found["citations"]
    assert (citation["line"], citation["key"], citation["range"]["start"]["line"]) == (2, "he", 2)
    assert citation["why_none"] == ""


def test_the_page_of_evidence_says_why_a_work_has_none_also_when_it_is_opened_again(lists, tmp_path):
    lists("@misc{harps, title = {Harps}}\n")
    text = (tmp_path / "main.tex").read_text().replace("\\cite<>", "\\cite{harps}", 1)
    for _ in range(2):
        [citation] = lists.commands("citelsp.reading", {"uri": lists.uri}, text)["citations"]
        assert citation["verdict"] == "no passage found"
        assert citation["why_none"] == "no text of this work could be read, not even an abstract"


def test_where_a_key_is_to_be_typed_what_the_text_asks_for_comes_first_once_it_was_read(lists, tmp_path):
    others = [f"@misc{{k{at}, title = {{Harps, Volume {at}}}}}\n" for at in range(9)]
    lists("".join([ATTENTION, *others, RESIDUAL]))
    text = (tmp_path / "main.tex").read_text().replace("\\cite<>", "\\cite{k3}", 1).replace("\\cite<>", "\\cite{}", 1)
    wait_for_preparation(lists)
    assert lists.keys(text)[0] == "he"


def test_what_was_prepared_for_a_list_is_of_the_entries_as_they_are_then(lists):
    lists(RESIDUAL)
    wait_for_preparation(lists)
    assert lists(RESIDUAL + ATTENTION)[0][0] == "Attention Is All You Need"


def test_a_work_is_shown_with_the_passage_that_speaks_for_it(lists):
    lists(RESIDUAL)
    assert "“Residual connections make deep networks trainable”" in lists.documentation(1, "Deep Residual Learning")


@pytest.mark.parametrize(("editor", "kind"), [("Neovim", 18), ("Visual Studio Code", 1)])
def test_that_nothing_fits_well_is_no_text_for_plugins_that_put_texts_last(tmp_path, monkeypatch, editor, kind):
    """nvim-cmp orders by kinds before it looks at `sortText`, by their numbers and texts last."""
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    text = (
        "\\documentclass{article}\n\\begin{document}\nBread is baked \\cite<>.\n\\bibliography{refs}\n\\end{document}\n"
    )
    (tmp_path / "refs.bib").write_text(ATTENTION + RESIDUAL)
    (tmp_path / "main.tex").write_text(text)
    session, uri = Session(*DEBUG), (tmp_path / "main.tex").as_uri()
    options = {"offline": True, "corpus": {"path": str(tmp_path / "none")}}
    about = {"name": editor, "version": "0.11.4"}
    session.initialize({}, rootUri=tmp_path.as_uri(), initializationOptions=options, clientInfo=about)
    session.open(uri, text)
    position = {"line": 2, "character": len("Bread is baked \\cite<")}
    session.send("textDocument/completion", {"textDocument": {"uri": uri}, "position": position}, 2)
    first = session.answer(2)["result"]["items"][0]
    session.process.kill()
    session.process.communicate()
    assert not first.get("command")
    assert first["kind"] == kind
