"""A server process, spoken to by hand."""

import json
import os
import re
from pathlib import Path
from threading import Timer

import forked_programs

PATIENCE = 120  # seconds for one message, on the busiest machine


def tasks(what):
    """The names of the background tasks that began, or that have ended, by what servers with DEBUG logged."""
    log = Path(os.environ["CITELSP_STATE_DIR"], "citelsp.log").read_text(encoding="utf-8")
    return re.findall(f"the task (.+) {what}$", log, re.MULTILINE)


PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}  # as VS Code can
DEBUG = ("--log-level", "debug")  # of a server of which `tasks` are looked at


class Session:
    """A server process and the messages that it wrote."""

    def __init__(self, *options):
        self.process = forked_programs.serve(*options)
        self.seen = []

    def send(self, method, params=None, number=None):
        self.write({"method": method, "params": params, **({} if number is None else {"id": number})})

    def reply(self, number, result):
        self.write({"id": number, "result": result})

    def write(self, *messages):
        """In one piece."""
        bodies = [json.dumps({"jsonrpc": "2.0", **it}).encode() for it in messages]
        self.process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(it), it) for it in bodies))
        self.process.stdin.flush()

    def wait(self, wanted):
        """The first message, from now on, that `wanted` says yes to; a server that sends none is killed in the end."""
        impatient = Timer(PATIENCE, self.process.kill)
        impatient.start()
        try:
            return self._wait(wanted)
        finally:
            impatient.cancel()

    def _wait(self, wanted):
        while line := self.process.stdout.readline():
            if line.startswith(b"Content-Length"):
                while self.process.stdout.readline().strip():
                    pass
                message = json.loads(self.process.stdout.read(int(line.split()[1])))
                self.seen.append(message)
                if wanted(message):
                    return message
        raise AssertionError(f"the server hung up after {len(self.seen)} messages")

    def ever(self, wanted):
        """The first message of all that `wanted` says yes to, whether it came already or not."""
        return next(filter(wanted, self.seen), None) or self.wait(wanted)

    def answer(self, number):
        return self.wait(lambda it: it.get("id") == number and "method" not in it)

    def initialize(self, capabilities=None, **more):
        self.send("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities or {}, **more}, 1)
        answer = self.answer(1)["result"]
        self.send("initialized", {})
        return answer

    def open(self, uri, text, language="latex"):
        self.send(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}},
        )
