"""What a first list at a placeholder goes through: `python tests/placeholder_flow.py` prints it.

A server in this process, spoken to through its own transport, has the demo's manuscript open, with its bibliography and
a corpus, and has done what opening begins.  Then it is asked for completions at a placeholder, once.  Every call is
seen from the moment that the request arrives until its answer is written, in the event loop and in the thread that
reads projects.

Printed are, as JSON, the files with the functions that were entered, the climbs, and the list.  A file counts if one
of its functions is entered; the bodies of modules and classes that are loaded then do not count, as what is loaded when
is another subject (`tests/benchmarks/start.py`).  A climb is a call from a file of one room straight into a file of a
room above it, by the layers of `test_layers.py`; what a decorator wraps is called by whoever calls it.
"""

import asyncio
import json
import logging
import os
import shutil
import sys
import tempfile
import threading
from collections import defaultdict
from pathlib import Path

from test_layers import LAYERS, PACKAGE

DEMO = PACKAGE.parent / "fixtures" / "demo"
FUNCTION = 0x1 | 0x2  # a code's flags: optimised, with locals of its own
DECORATED = ".<locals>.decorate.<locals>."
BACKGROUND = "_guarded"  # of `server/jobs.py`; what happens in it is no part of an answer
COMPLETION = "textDocument/completion"


class Watch:
    """Which functions of which files are entered while it is `on`, and from a lower room in a higher one."""

    def __init__(self):
        self.on, self.entered, self.climbs = False, defaultdict(set), set()

    def switch(self, on):
        """In this thread nothing is seen while it is off, which costs nothing; others look at `on`."""
        self.on = on
        sys.setprofile(self if on else None)

    def __call__(self, frame, event, _):
        if self.on and event == "call" and (file := file_of(frame)) and is_answering():
            callers = list(callers_of(frame))
            if any(it.f_code.co_name == BACKGROUND for it in callers):
                return
            self.entered[file].add(frame.f_code.co_qualname)
            if callers and level(file_of(callers[0])) < level(file):
                names = callers[0].f_code.co_qualname, frame.f_code.co_qualname
                self.climbs.add(f"{file_of(callers[0])} {names[0]} → {file} {names[1]}")


def is_answering():
    """False in threads in which an answer is never worked out."""
    return threading.current_thread().name.startswith(("MainThread", "projects"))


def callers_of(frame):
    """The functions of the package that are not done yet, the innermost first."""
    while frame := frame.f_back:
        if file_of(frame) and DECORATED not in frame.f_code.co_qualname:
            yield frame


def file_of(frame):
    """The path in the package; "" for anything that is no function of it."""
    code = frame.f_code
    ours = code.co_flags & FUNCTION == FUNCTION and code.co_filename.startswith(f"{PACKAGE}{os.sep}")
    return Path(code.co_filename).relative_to(PACKAGE).as_posix() if ours else ""


def level(file):
    return LAYERS.get(file.split("/")[0].removesuffix(".py"), len(LAYERS))


class Editor:
    """Both ends of a talk with a server: what it reads, and what it writes to."""

    def __init__(self, watch):
        self.reader = asyncio.StreamReader()
        self._watch, self._answers = watch, {}

    def send(self, method, params, number=None):
        """Send a request, or a notification if it has no number; returns the answer to come."""
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})}
        body = json.dumps(message).encode()
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._watch.switch(method == COMPLETION)
        self.reader.feed_data(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self._answers[number]

    def write(self, data):
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" not in message:
            self._watch.switch(False)
            self._answers[message["id"]].set_result(message["result"])

    def close(self): ...


class Ends(logging.Handler):
    """Knows the end of a task of the server by its log."""

    def __init__(self, *tasks):
        super().__init__(logging.DEBUG)
        self._left, self.reached = {f"the task {it} has ended" for it in tasks}, asyncio.Event()
        logger = logging.getLogger("citelsp.server.jobs")
        logger.setLevel(logging.DEBUG)
        logger.addHandler(self)

    def emit(self, record):
        self._left.discard(record.getMessage())
        if not self._left:
            self.reached.set()


async def complete(folder, watch):
    """The labels of the first list in the demo's manuscript, at its placeholder without words."""
    from citelsp.server import transport
    from citelsp.server.create import create_server

    serving, editor = create_server(), Editor(watch)
    serving.protocol.set_writer(editor)
    talk = asyncio.ensure_future(transport._talk(serving, editor.reader))
    document = folder / "main.tex"
    uri, text = document.as_uri(), document.read_text(encoding="utf-8")
    opened = Ends("diagnostics", f"recall {uri}", f"prepare {uri}")
    await editor.send("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}, 1)
    editor.send("initialized", {})
    item = {"uri": uri, "languageId": "latex", "version": 1, "text": text}
    editor.send("textDocument/didOpen", {"textDocument": item})
    await opened.reached.wait()
    before = text[: text.index(r"\cite<>") + len(r"\cite<")]
    position = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
    found = await editor.send(COMPLETION, {"textDocument": {"uri": uri}, "position": position}, 2)
    editor.reader.feed_eof()
    await talk
    serving.shutdown()
    return [it["label"] for it in found["items"]]


def prepared(place):
    """A copy of the demo; its corpus is the user's, and nobody else's settings or caches are read."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(place)
    from citelsp.base.settings import Settings
    from citelsp.corpus import imports
    from citelsp.corpus.index import Corpus, default_path

    with Corpus(default_path(Settings()), create=True) as corpus:
        corpus.add(imports.read(DEMO / "corpus.jsonl", sys.exit))
    return Path(shutil.copytree(DEMO, place / "demo"))


def main():
    watch = Watch()
    with tempfile.TemporaryDirectory() as place:
        folder = prepared(Path(place).resolve())
        threading.setprofile(watch)
        labels = asyncio.run(complete(folder, watch))
    entered = {file: sorted(watch.entered[file]) for file in sorted(watch.entered)}
    print(json.dumps({"files": entered, "climbs": sorted(watch.climbs), "labels": labels}, indent=1))  # noqa: T201


if __name__ == "__main__":
    main()
