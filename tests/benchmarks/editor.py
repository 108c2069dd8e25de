"""How much CPU, memory and how many bytes completion costs in large bibliographies, beside peers in the same run.

    python tests/benchmarks/editor.py [--entries 10000 50000] [--peer "badness lsp" --peer texlab] [--json]

Counts the server's own CPU time (Linux), which a busy machine disturbs less than the time on the clock.  A peer that
waits before it answers makes a run of ten minutes: what is being measured is printed to standard error.
"""

import argparse
import io
import json
import os
import random
import shlex
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from lsprotocol import types
from pygls.workspace import TextDocument
from stdio import CAPABILITIES, Server
from workspaces import MARK, Work, write

_QUERIES = 8
_LOADING = 120.0  # seconds in which a server must have a list of a bibliography's entries
_TYPING = 30.0  # seconds after which a slow server gets no further query
_SETTLING = 1.0  # seconds without work after which a server has done what follows from a pause in typing
_PATIENCE = 120  # such stretches of time
_IDLE = 20.0  # milliseconds of CPU that an idle server may use in one of them


@dataclass(frozen=True)
class Costs:
    """Milliseconds of CPU, unless said otherwise."""

    server: str
    entries: int
    initialize: float
    first_list: float  # from the opened document to the list for an author
    second_list: float  # the same when another server read the bibliography before
    found: float  # share of entries among the first five for their author and a word of their title
    keystroke: float  # change and completion, median
    keystroke_p95: float
    keystroke_wait: float  # the same on the clock, median
    answer_kb: float  # the largest
    memory_mb: float
    bib_edit: float  # a change in the .bib and a completion that knows of it, median
    pygls_edit: float  # what pygls' own document, which citelsp replaces, takes for such a change, median
    long_document: float  # a keystroke in 500 kB of LaTeX with everything that follows from it


class Editor:
    """A client with one LaTeX document and perhaps the bibliography open."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self._versions: dict[str, int] = {}

    def start(self) -> None:
        uri = self.folder.as_uri()
        folders = [{"uri": uri, "name": "benchmark"}]
        params = {"processId": None, "rootUri": uri, "workspaceFolders": folders, "capabilities": CAPABILITIES}
        self.server.request("initialize", params)
        self.server.notify("initialized", {})

    def open(self, name: str, language: str) -> tuple[int, int]:
        """Open a file; the line and character after the mark, or of its beginning."""
        text = (self.folder / name).read_text(encoding="utf-8")
        self._versions[name] = 1
        document = {"uri": self._uri(name), "languageId": language, "version": 1, "text": text}
        self.server.notify("textDocument/didOpen", {"textDocument": document})
        before = text[: text.find(MARK) + len(MARK)] if MARK in text else ""
        return before.count("\n"), len(before) - before.rfind("\n") - 1

    def change(self, name: str, line: int, start: int, end: int, text: str) -> None:
        self._versions[name] += 1
        range_ = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": self._uri(name), "version": self._versions[name]}
        self.server.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"range": range_, "text": text}]}
        )

    def complete(self, name: str, line: int, character: int) -> tuple[list[str], int]:
        """The labels of the items, and the size of the answer."""
        params = {"textDocument": {"uri": self._uri(name)}, "position": {"line": line, "character": character}}
        result, size = self.server.request("textDocument/completion", params)
        items = result if isinstance(result, list) else (result or {}).get("items", [])
        return [it["label"] for it in sorted(items, key=lambda it: it.get("sortText") or it["label"])], size

    def _uri(self, name: str) -> str:
        return (self.folder / name).as_uri()


def measure(command: Sequence[str], folder: Path, works: Sequence[Work]) -> Costs:
    """With a cache that is empty at first."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"CITELSP_CACHE_DIR": cache, "XDG_CACHE_HOME": cache}
        costs = _measured(command, folder, works, environment)
        with Server(command, folder, environment) as server:
            editor = Editor(server, folder)
            editor.start()
            return replace(costs, second_list=cost(server, lambda: _first(editor, works[0])))


def _measured(command: Sequence[str], folder: Path, works: Sequence[Work], environment: Mapping[str, str]) -> Costs:
    wanted = random.Random(1).sample(list(works), _QUERIES)  # noqa: S311
    with Server(command, folder, environment) as server:
        editor = Editor(server, folder)
        initialize = cost(server, editor.start)
        first: list[tuple[int, int]] = []
        first_list = cost(server, lambda: first.append(_first(editor, wanted[0])))
        line, start = first[0]
        _settle(server)
        typed, end = [_typed(editor, line, start, wanted[0])], time.monotonic() + _TYPING
        typed += [_typed(editor, line, start, it) for it in wanted[1:] if time.monotonic() < end]
        strokes = sorted(it for costs, *_ in typed for it in costs)
        bib_edit = _bib_edit(editor, line, start)
        long_document = _long_document(editor)
        return Costs(
            server=" ".join((Path(command[0]).name, *command[1:])),
            entries=len(works),
            initialize=initialize,
            first_list=first_list,
            second_list=0,
            found=statistics.mean(hit for *_, hit in typed),
            keystroke=statistics.median(strokes),
            keystroke_p95=strokes[int(0.95 * len(strokes))],
            keystroke_wait=statistics.median(it for _, waits, *_ in typed for it in waits),
            answer_kb=max(size for _, _, size, _ in typed) / 1000,
            memory_mb=server.memory(),
            bib_edit=bib_edit,
            pygls_edit=_pygls_edit(folder / "refs.bib"),
            long_document=long_document,
        )


def cost(server: Server, act: Callable[[], object]) -> float:
    before = server.cpu()
    act()
    return server.cpu() - before


def _settle(server: Server) -> None:
    """Wait until the server does nothing any more."""
    for _ in range(_PATIENCE):
        if cost(server, lambda: time.sleep(_SETTLING)) < _IDLE:
            return


def _first(editor: Editor, work: Work) -> tuple[int, int]:
    """Open the document, type an author at once, and wait for the first list that is not empty.

    Of the author only, with whom a key begins: a server that searches nothing but keys has no list for words of titles.
    """
    line, start = editor.open("main.tex", "latex")
    editor.change("main.tex", line, start, start, work.family)
    end = time.monotonic() + _LOADING
    while not editor.complete("main.tex", line, start + len(work.family))[0]:
        if time.monotonic() > end:
            raise RuntimeError(f"no list for {work.family} in {_LOADING:.0f} s")
        time.sleep(0.05)
    editor.change("main.tex", line, start, start + len(work.family), "")
    return line, start


def _typed(editor: Editor, line: int, start: int, work: Work) -> tuple[list[float], list[float], int, bool]:
    """What each character of an author and a title word costs and how long its list takes, both in milliseconds; the
    largest answer; whether the entry is among the first five.
    """
    query, largest, labels, waits = f"{work.family} {work.rare}", 0, list[str](), list[float]()

    def stroke(at: int) -> None:
        nonlocal labels, largest
        editor.change("main.tex", line, start + at, start + at, query[at])
        began = time.monotonic()
        labels, size = editor.complete("main.tex", line, start + at + 1)
        waits.append(1000 * (time.monotonic() - began))
        largest = max(largest, size)

    costs = [cost(editor.server, partial(stroke, at)) for at in range(len(query))]
    editor.change("main.tex", line, start, start + len(query), "")
    return costs, waits, largest, work.key in labels[:5]


def _bib_edit(editor: Editor, line: int, start: int) -> float:
    """The second of two edits knows the place of the first, so only they cost what an edit costs."""
    editor.open("refs.bib", "bibtex")
    editor.complete("main.tex", line, start)
    _settle(editor.server)
    costs = []
    for number in range(6):

        def edit(number: int = number) -> None:
            editor.change("refs.bib", 2, 11, 11, "x")
            editor.complete("main.tex", line, start)

        costs.append(cost(editor.server, edit))
    return statistics.median(costs[1:])


def _pygls_edit(path: Path) -> float:
    document = TextDocument(path.as_uri(), path.read_text(encoding="utf-8"), 1)
    position = types.Position(2, 11)
    change = types.TextDocumentContentChangePartial(types.Range(position, position), "x")
    costs = []
    for _ in range(5):
        before = time.process_time()
        document.apply_change(change)
        costs.append(1000 * (time.process_time() - before))
    return statistics.median(costs)


def _long_document(editor: Editor) -> float:
    """The second time, as the first key that is not defined has the whole bibliography searched."""
    line, start = editor.open("long.tex", "latex")
    editor.complete("long.tex", line, start)
    _settle(editor.server)

    def type_() -> None:
        for at, letter in enumerate("stellarator"):
            editor.change("long.tex", line, start + at, start + at, letter)
            editor.complete("long.tex", line, start + at + 1)
        _settle(editor.server)

    type_()
    editor.change("long.tex", line, start, start + len("stellarator"), "")
    _settle(editor.server)
    return cost(editor.server, type_) / len("stellarator")


_ROWS = (
    ("initialize", "ms to the answer of `initialize`", "{:.0f}"),
    ("first_list", "ms from open to the first list", "{:.0f}"),
    ("second_list", "ms from open to the first list, at the second start", "{:.0f}"),
    ("found", "right entry among the first five", "{:.0%}"),
    ("keystroke", "ms a keystroke, median", "{:.1f}"),
    ("keystroke_p95", "ms a keystroke, 95th percentile", "{:.1f}"),
    ("keystroke_wait", "ms on the clock until its list, median", "{:.0f}"),
    ("answer_kb", "kB of the largest answer", "{:.0f}"),
    ("memory_mb", "MB resident", "{:.0f}"),
    ("bib_edit", "ms an edit in the .bib and a list", "{:.1f}"),
    ("pygls_edit", "ms such an edit in pygls' own document", "{:.1f}"),
    ("long_document", "ms a keystroke in 500 kB LaTeX", "{:.1f}"),
)


def head(peers: Sequence[str]) -> str:
    """Of a Markdown table with a column for each peer."""
    names = ("entries", "CPU of the server", "citelsp", *(Path(it.split()[0]).name for it in peers))
    return f"| {' | '.join(names)} |\n|--:|---|{'--:|' * (len(names) - 2)}\n"


def rows(own: Costs, others: Sequence[Costs | None]) -> str:
    """Ours, and each peer's with how many times ours that is."""
    lines = []
    for name, label, form in _ROWS:
        value = getattr(own, name)
        cells = [_beside(name, form, value, getattr(it, name, None)) for it in others]
        lines.append(f"| {' | '.join((f'{own.entries:,}', label, form.format(value), *cells))} |\n")
    return "".join(lines)


def _beside(name: str, form: str, own: float, other: float | None) -> str:
    if other is None or name == "pygls_edit":
        return ""
    if not own or name == "found":
        return form.format(other)
    ratio = other / own
    return f"{form.format(other)} ({ratio:.2g} ×)" if ratio < 100 else f"{form.format(other)} ({ratio:.0f} ×)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--entries", type=int, nargs="+", default=[10_000, 50_000])
    parser.add_argument("--command", default=shlex.join([sys.executable, "-m", "citelsp", "serve"]))
    parser.add_argument("--peer", action="append", help='"badness lsp" if none is named; empty for none')
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not Path("/proc/self/task").exists():
        sys.exit("The CPU time of a server is read from /proc, which this system does not have.")
    named = [it for it in options.peer or ["badness lsp"] if it]
    commands = {it: command for it in named if (command := _located(shlex.split(it)))}
    notes = [f"`{it}` is not installed, so nothing is compared with it." for it in named if it not in commands]
    measured: list[Costs] = []
    shown = io.StringIO() if options.json else sys.stdout
    shown.write(head(list(commands)))
    for size in options.entries:
        with tempfile.TemporaryDirectory() as name:
            works = write(Path(name), size)
            own = measure(_announced(shlex.split(options.command), size), Path(name), works)
            others: list[Costs | None] = []
            for command in commands.values():
                try:
                    others.append(measure(_announced(command, size), Path(name), works))
                except RuntimeError as error:
                    others.append(None)
                    notes.append(f"`{Path(command[0]).name}` with {size:,} entries: {error}.")
        shown.write(rows(own, others))
        shown.flush()
        measured += [own, *filter(None, others)]
    shown.write("".join(f"\n{it}\n" for it in notes))
    if options.json:
        sys.stdout.write(json.dumps([asdict(it) for it in measured], indent=1) + "\n")
    return 0


def _announced(command: list[str], size: int) -> list[str]:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {size:,} entries: {shlex.join(command)}\n")
    return command


def _located(command: list[str]) -> list[str]:
    """The command by its full path, also from beside this interpreter; empty if it is not installed."""
    if not command:
        return []
    found = shutil.which(command[0]) or shutil.which(command[0], path=str(Path(sys.executable).parent))
    return [found, *command[1:]] if found else []


if __name__ == "__main__":
    sys.exit(main())
