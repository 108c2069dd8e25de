"""Three editors at work for minutes on one thesis, in a storm: memory stays flat, nothing leaks, nothing fails.

With `--faster 6` the clock of the servers runs six times as fast, by libfaketime (Debian: faketime): their timers, the
ages of what they cached and the pauses of services are those of hours; sentences come as fast as the machine writes.
"""

import math
import os
import random
import statistics
import sys
import threading
import time
from bisect import bisect_left
from collections import defaultdict
from pathlib import Path

import pytest

import crossref_server
from server_session import PATIENCE, Session

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="reads memory and open files from /proc"),
]
ENTRIES, CHAPTERS, PARAGRAPHS = 2000, 30, 60  # 300 pages
CAPABLE = {"window": {"workDoneProgress": True}, "workspace": {"applyEdit": True}}
WORDS = "adaptive bounded causal dense entropy fragile graph hidden index joint kernel latent metric neural".split()
FAMILIES = "Abe Borg Chen Diaz Evans Fischer García Haas Ito Jensen Kim Lopez Müller Novak Ødegård Park".split()
WORK, REST = 60.0, 5.0  # seconds of the server between two rests of an author, and of each
WARM = 10  # minutes of the wall, by which sentences come, until what is remembered for places is full
SPELL = 5  # minutes over which memory is compared
GROWTH, ROOM = 1.03, 60  # of the memory after that; megabytes in all, from when nothing was read
SHORTEST = 3  # minutes of a run that says anything of growth
FULL, STEEP = 0.4, 1.1  # part of a run without spells after which most is remembered, and what memory grows by then
CONNECTIONS = 40  # that are kept open to services, and as many under way
MARKS = (10, 20, 40, 60, 90, 120, 180, 240)  # minutes at which the report says what memory was taken


def title(number):
    dice = random.Random(number)  # noqa: S311  the same works every time
    return " ".join(dice.choices(WORDS, k=5)).capitalize() + f" in case {number}"


def family(number):
    return FAMILIES[number % len(FAMILIES)]


def key(number):
    return f"{family(number).lower()}{1970 + number % 50}x{number}"


def write(folder):
    entries = (
        f"@article{{{key(it)},\n  author = {{{family(it)}, A.}},\n  title = {{{title(it)}}},\n"
        f"  journal = {{Journal of Cases}},\n  year = {1970 + it % 50},\n  doi = {{10.5555/{it}}},\n}}\n"
        for it in range(ENTRIES)
    )
    (folder / "refs.bib").write_text("\n".join(entries), encoding="utf-8")
    chapters = [f"chapter{it}" for it in range(CHAPTERS)]
    inputs = "".join(f"\\include{{{it}}}\n" for it in chapters)
    main = f"\\documentclass{{book}}\n\\addbibresource{{refs.bib}}\n\\begin{{document}}\n{inputs}\\end{{document}}\n"
    (folder / "main.tex").write_text(main, encoding="utf-8")
    dice = random.Random(5)  # noqa: S311
    for name in chapters:
        prose = (
            f"{' '.join(dice.choices(WORDS, k=80))} \\parencite[p.~3]{{{key(dice.randrange(ENTRIES))}}}.\n\n"
            for _ in range(PARAGRAPHS)
        )
        (folder / f"{name}.tex").write_text(f"\\chapter{{Case}}\n\n{''.join(prose)}\n", encoding="utf-8")


class Editor(threading.Thread):
    """An author who types, completes, hovers, saves, asks for suggestions and rests until the time is up."""

    def __init__(self, folder, number, settings, until, faster):
        super().__init__(daemon=True)
        self.dice, self.until, self.number = random.Random(number), until, 10  # noqa: S311
        self.faster = faster
        self.uri = (folder / f"chapter{number}.tex").as_uri()
        self.text = (folder / f"chapter{number}.tex").read_text(encoding="utf-8")
        self.session = Session()
        self.session.initialize(CAPABLE, rootUri=folder.as_uri(), initializationOptions=settings)
        self.session.open(self.uri, self.text)
        self.took, self.memory, self.files, self.failure = defaultdict(list), [], [], None
        self.moments, self.began = [], time.monotonic()  # minutes of the server at which memory was looked at

    def run(self):
        try:
            while time.monotonic() < self.until:
                rested = time.monotonic()
                while time.monotonic() < min(self.until, rested + WORK / self.faster):
                    self.write_a_sentence()
                time.sleep(REST / self.faster)
        except Exception as problem:  # noqa: BLE001  told by the test, which waits for this thread
            self.failure = problem

    def write_a_sentence(self):
        line = 2 + 2 * self.dice.randrange(PARAGRAPHS)
        cited = self.dice.randrange(ENTRIES)
        start = f"As {self.dice.choice(WORDS)} said \\cite"
        hint = title(cited).split()[0].lower() if self.dice.random() < 0.2 else ""
        typed = f"<{hint}>" if hint else "{" + family(cited).lower()
        self.change(line, 0, 0, start)
        for at, letter in enumerate(typed):
            self.change(line, len(start) + at, len(start) + at, letter)
            if not hint:
                self.ask("completion", line, len(start) + at + 1)
        end = len(start) + len(typed)
        if hint:
            self.ask("completion", line, len(start) + 2)
            arguments = [{"uri": self.uri, "position": {"line": line, "character": len(start) + 2}}]
            if self.dice.random() < 0.2:
                self.request("workspace/executeCommand", {"command": "citelsp.searchOnline", "arguments": arguments})
        else:
            self.change(line, end, end, "}")
            end += 1
        self.ask("hover", line, end - 2)
        self.change(line, 0, end, "")
        self.ask("documentSymbol", line, 0)
        if self.dice.random() < 0.1:
            self.session.send("textDocument/didSave", {"textDocument": {"uri": self.uri}})
        self.moments.append(self.faster * (time.monotonic() - self.began) / 60)
        self.memory.append(_memory(self.session.process.pid))
        self.files.append(len(list(Path(f"/proc/{self.session.process.pid}/fd").iterdir())))
        self.session.seen.clear()

    def change(self, line, start, end, text):
        self.number += 1
        range_ = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": self.uri, "version": self.number}
        self.session.send(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": range_, "text": text}]}
        )

    def ask(self, method, line, character):
        position = {"line": line, "character": character}
        self.request(f"textDocument/{method}", {"textDocument": {"uri": self.uri}, "position": position})

    def request(self, method, params):
        self.number += 1
        number, began = self.number, time.perf_counter()
        self.session.send(method, params, number)
        answer = self.session.wait(lambda it: self.consents(it) or (it.get("id") == number and "method" not in it))
        assert answer.get("error", {}).get("code") in (None, -32801, -32803), answer
        self.took[method.rpartition("/")[2]].append(1000 * (time.perf_counter() - began))

    def consents(self, message):
        """Answers what the server asks; never the message that is waited for."""
        if "id" in message and "method" in message:
            applied = {"applied": False, "failureReason": "the author said no"}
            self.session.reply(message["id"], applied if message["method"] == "workspace/applyEdit" else None)
        return False

    def leave(self):
        """The exit status, and how many processes the server left behind."""
        children = Path(f"/proc/{self.session.process.pid}/task/{self.session.process.pid}/children")
        left = len(children.read_text().split()) if children.exists() else 0
        self.session.send("shutdown", None, 2)
        self.session.wait(lambda it: self.consents(it) or (it.get("id") == 2 and "method" not in it))
        self.session.send("exit")
        status = self.session.process.wait(PATIENCE)
        self.session.process.stdin.close()
        self.session.process.stdout.close()
        return status, left

    def spells(self):
        """By minute, the usual memory of the next few, once the server is warm: what is under way is no growth."""
        found = defaultdict(list)
        for minute, megabytes in zip(self.moments, self.memory, strict=True):
            found[int(minute // SPELL)].append(megabytes)
        whole = range(math.ceil(self.faster * WARM / SPELL), round(self.moments[-1] / SPELL))
        return {SPELL * it: statistics.median(found[it]) for it in whole if it in found}


def _memory(process):
    """Resident megabytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_three_editors_on_one_thesis_in_a_storm(tmp_path, monkeypatch, request, capsys):
    minutes, faster = (request.config.getoption(f"--{it}") for it in ("minutes", "faster"))
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    folder = tmp_path / "thesis"
    folder.mkdir()
    write(folder)
    before = {it.name: it.read_bytes() for it in folder.iterdir()}
    works = [
        crossref_server.work(f"10.5555/{it}", title(it), family(it), "A.", 1970 + it % 50)
        for it in range(0, ENTRIES, 3)
    ]
    world = crossref_server.Scholars(*works, storms=0.6)
    until = time.monotonic() + 60 * minutes / faster
    with monkeypatch.context() as surroundings:
        for name, it in hastened(faster).items():
            surroundings.setenv(name, it)
        editors = [Editor(folder, it, world.settings(), until, faster) for it in range(3)]
    for it in editors:
        it.start()
    for it in editors:
        it.join()
    left = [it.leave() for it in editors]
    world.close()
    with capsys.disabled():
        sys.stdout.write(f"\n{report(editors, minutes, faster, len(world.asked))}\n")
    assert [it.failure for it in editors] == [None] * 3
    assert left == [(0, 0)] * 3
    assert {it.name: it.read_bytes() for it in folder.iterdir()} == before
    for it in editors:
        assert it.memory[-1] <= it.memory[0] + ROOM, (it.memory[0], it.memory[-1])
        if spells := it.spells():
            assert max(spells.values()) <= GROWTH * next(iter(spells.values())), spells
        elif minutes >= SHORTEST:
            assert max(it.memory[-20:]) <= STEEP * it.memory[int(FULL * len(it.memory))]
        assert max(it.files) <= it.files[0] + CONNECTIONS, max(it.files)
    logs = [it.read_text(encoding="utf-8") for it in (tmp_path / "state").rglob("*.log")]
    assert logs
    assert not [line for it in logs for line in it.splitlines() if "Traceback" in line or "ERROR" in line]


def hastened(faster):
    """The environment of a process whose clock runs so many times as fast."""
    if faster == 1:
        return {}
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    assert library, "--faster needs libfaketime (Debian: faketime)"
    # Files keep the moments at which they were written.
    return {"LD_PRELOAD": str(library), "FAKETIME": f"+0 x{faster:g}", "NO_FAKE_STAT": "1"}


def report(editors, minutes, faster, asked):
    rows = [
        f"{minutes:g} minutes of the servers, {minutes / faster:g} of the wall:"
        f" {sum(len(it.memory) for it in editors)} sentences, {asked} questions to the service"
    ]
    for method in editors[0].took:
        took = sorted(ms for it in editors for ms in it.took[method])
        cuts = statistics.quantiles(took, n=100) if len(took) > 1 else took * 99
        rows.append(f"  {method}: n {len(took)}, ms: median {cuts[49]:.1f}, p95 {cuts[94]:.1f}, p99 {cuts[98]:.1f}")
    for number, it in enumerate(editors):
        at = {mark: bisect_left(it.moments, mark) for mark in MARKS if mark < minutes}
        marks = [f"{it.memory[place]:.1f} ({mark} min)" for mark, place in at.items() if place < len(it.memory)]
        shown = ", ".join([f"{it.memory[0]:.1f}", *marks, f"{it.memory[-1]:.1f} (end)"])
        rows.append(f"  server {number}: MB {shown}; files {it.files[0]}, {max(it.files)} at most, {it.files[-1]}")
        if spells := it.spells():
            usual = ", ".join(f"{it:.1f}" for it in spells.values())
            rows.append(f"    usual MB of each {SPELL} minutes from minute {min(spells)} on: {usual}")
    return "\n".join(rows)
