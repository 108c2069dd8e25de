"""Two servers and commands at work on one cache and one corpus: nothing fails, and no work is lost.

Once round in the suite; `--soak` goes on for `--minutes`.
"""

import random
import sys
import threading
import time

import pytest

import crossref_server
import forked_programs
from citelsp.corpus.index import Corpus
from server_session import Session

WORKS, ROUNDS = 20, 1
WORDS = "adaptive bounded causal dense entropy fragile graph hidden index joint kernel latent metric neural".split()
CAPABLE = {"window": {"workDoneProgress": True}}
HEAD = "\\documentclass{article}\n\\addbibresource{refs.bib}\n\\begin{document}\n"
WHERE = {"line": 3, "character": 0}


def title(number):
    dice = random.Random(number)  # noqa: S311  the same works every time
    return " ".join(dice.choices(WORDS, k=5)).capitalize() + f" in case {number}"


def entry(number):
    return (
        f"@article{{w{number}, author = {{Lee, Ann}}, title = {{{title(number)}}}, journal = {{Cases}}, "
        f"year = {1970 + number % 50}, doi = {{10.5555/{number}}}}}\n"
    )


class Editor(threading.Thread):
    """An author who types placeholders, reads what is offered and saves, until told to stop."""

    def __init__(self, folder, settings):
        super().__init__(daemon=True)
        folder.mkdir()
        (folder / "refs.bib").write_text("".join(map(entry, range(WORKS))), encoding="utf-8")
        self.uri, self.number, self.answers = (folder / "main.tex").as_uri(), 10, 0
        self.failure, self.stopping = None, threading.Event()
        self.session = Session()
        self.session.initialize(CAPABLE, rootUri=folder.as_uri(), initializationOptions=settings)
        cited = "".join(f"\\cite{{w{it}}}" for it in range(WORKS))
        self.session.open(self.uri, f"{HEAD}\n{cited}\n\\end{{document}}\n")

    def run(self):
        try:
            while not self.stopping.is_set():
                self.type(f"On \\cite<{title(self.number).lower()}")
        except Exception as problem:  # noqa: BLE001  for the test, which waits for this thread
            self.failure = problem

    def type(self, words):
        self.change({"start": WHERE, "end": WHERE}, words)
        end = WHERE | {"character": len(words)}
        self.ask("completion", end)
        self.session.send("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        self.change({"start": WHERE, "end": end}, "")
        self.session.seen.clear()

    def change(self, span, text):
        self.number += 1
        document = {"uri": self.uri, "version": self.number}
        changes = [{"range": span, "text": text}]
        self.session.send("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def ask(self, method, position):
        self.number += 1
        params, number = {"textDocument": {"uri": self.uri}, "position": position}, self.number
        self.session.send(f"textDocument/{method}", params, number)
        assert "error" not in self.session.wait(lambda it: self.consents(it) or self.answers_to(it, number))
        self.answers += 1

    def answers_to(self, message, number):
        return message.get("id") == number and "method" not in message

    def consents(self, message):
        if "id" in message and "method" in message:
            self.session.reply(message["id"], None)
        return False

    def leave(self):
        self.stopping.set()
        self.join()
        self.session.send("shutdown", None, 2)
        self.session.wait(lambda it: self.consents(it) or self.answers_to(it, 2))
        self.session.send("exit")
        status = self.session.process.wait(60)
        self.session.process.stdin.close()
        self.session.process.stdout.close()
        return status


@pytest.fixture
def world():
    known = range(0, WORKS, 2)
    works = (crossref_server.work(f"10.5555/{it}", title(it), "Lee", "Ann", 1970 + it % 50) for it in known)
    world = crossref_server.Scholars(*works)
    yield world
    world.close()


def test_two_servers_and_commands_on_one_cache_and_corpus(tmp_path, monkeypatch, world, request, capsys):
    soak, minutes = request.config.getoption("--soak"), request.config.getoption("--minutes")
    for name in ("STATE", "CACHE"):
        monkeypatch.setenv(f"CITELSP_{name}_DIR", str(tmp_path / name.lower()))
    monkeypatch.chdir(tmp_path)
    config = world.config() + '[corpus]\npath = "corpus"\n'
    (tmp_path / "config.toml").write_text(config, encoding="utf-8")

    def command(*words):
        done = forked_programs.run(*words, "--config", "config.toml")
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr

    def add(numbers):
        (tmp_path / "new.bib").write_text("".join(map(entry, numbers)), encoding="utf-8")
        command("corpus", "add", "new.bib")

    add(range(WORKS))
    settings = world.settings(corpus={"path": str(tmp_path / "corpus")})
    editors = [Editor(tmp_path / name, settings) for name in ("one", "two")]
    for it in editors:
        it.start()
    until, rounds = time.monotonic() + 60 * minutes, 0
    while rounds < ROUNDS or (soak and time.monotonic() < until):
        rounds += 1
        add(range(WORKS * rounds, WORKS * (rounds + 1)))
        command("check", "one/refs.bib")
        command("corpus", "compact")
    status = [it.leave() for it in editors]
    with Corpus(tmp_path / "corpus") as corpus:
        titles = {it.title for it in corpus.works()}
        found = [it.record.title for it in corpus.search("case", 10**6)]
    with capsys.disabled():
        sys.stdout.write(f"{rounds} rounds, {[it.answers for it in editors]} answers\n" if soak else "")
    assert [it.failure for it in editors] == [None, None]
    assert status == [0, 0]
    assert titles == {title(it) for it in range(WORKS * (rounds + 1))}
    assert sorted(found) == sorted(titles)
    logs = [it.read_text(encoding="utf-8") for it in (tmp_path / "state").rglob("*.log")]
    assert logs and not any("Traceback" in it for it in logs)
