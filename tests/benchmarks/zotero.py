"""How long the keys of a running Zotero take: the first list of a manuscript without a .bib, and the lists after it.

    python tests/benchmarks/zotero.py [--items 10000] [--json]

CPU of the server alone; Zotero is imitated in this process.  The same entries in a .bib that is declared stand beside.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import start  # noqa: E402
from stdio import CAPABILITIES, Server  # noqa: E402

import zotero_server  # noqa: E402

_WORDS = "glacier protein market lattice migration grammar turbine neuron harbour treaty".split()
_PAUSE, _PATIENCE = 0.25, 120.0
_KEYSTROKES = 40


def _items(count: int) -> list[dict[str, object]]:
    return [
        zotero_server.item(
            f"K{n:07d}", f"On the {_WORDS[n % 10]} and its {_WORDS[n // 10 % 10]}, part {n}", f"Author{n % 977}", "Ada",
            1950 + n % 70, DOI=f"10.1000/work.{n}", citationKey=f"author{n % 977}{_WORDS[n % 10]}{n}",
            publicationTitle="Journal of Things", volume="3", pages="1-20", abstractNote="We study things. " * 60,
        )
        for n in range(count)
    ]  # fmt: skip


def measure(count: int) -> dict[str, float]:
    """Milliseconds of the server's CPU."""
    zotero = zotero_server.Zotero(*_items(count))
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            environment = start.environment(folder) | {"CITELSP_CACHE_DIR": str(folder / "cache")}
            _session(folder / "compiles", environment, zotero, "")  # what was never imported
            (folder / "cache" / "zotero" / "library.bib").unlink()
            lent = _session(folder / "lent", environment, zotero, "")
            library = (folder / "cache" / "zotero" / "library.bib").read_text(encoding="utf-8")
            own = _session(folder / "own", environment, zotero, library)
    finally:
        zotero.close()
    return {**{f"lent {name}": it for name, it in lent.items()}, **{f"declared {name}": it for name, it in own.items()}}


def _session(folder: Path, environment: dict[str, str], zotero: zotero_server.Zotero, library: str) -> dict[str, float]:
    folder.mkdir()
    path = folder / "notes.md"
    text = ("---\nbibliography: refs.bib\n---\n" if library else "") + "Some things move [@\n"
    path.write_text(text, encoding="utf-8")
    if library:
        (folder / "refs.bib").write_text(library, encoding="utf-8")
    line = text.count("\n") - 1
    document = {"uri": path.as_uri()}
    with Server((sys.executable, "-m", "citelsp", "serve"), folder, environment) as server:
        options = {"services": {"zotero": {"base_url": zotero.address}}}
        root = {"processId": None, "rootUri": folder.as_uri(), "capabilities": CAPABILITIES}
        server.request("initialize", {**root, "initializationOptions": options})
        started = server.cpu()
        server.notify("initialized", {})
        server.notify(
            "textDocument/didOpen", {"textDocument": {**document, "languageId": "markdown", "version": 1, "text": text}}
        )
        end = time.monotonic() + _PATIENCE
        while not _listed(server, document, line, 19) and time.monotonic() < end:
            time.sleep(_PAUSE)
        first = server.cpu() - started
        keys = []
        for number, letter in enumerate(f"author{_WORDS[0]}" * 5):
            before = server.cpu()
            at = {"line": line, "character": 19 + number}
            change = {"range": {"start": at, "end": at}, "text": letter}
            server.notify(
                "textDocument/didChange",
                {"textDocument": {**document, "version": number + 2}, "contentChanges": [change]},
            )
            _listed(server, document, line, 20 + number)
            keys.append(server.cpu() - before)
            if number == _KEYSTROKES:
                break
        return {"start": started, "first list": first, "list after a letter": median(keys)}


def _listed(server: Server, document: dict[str, str], line: int, character: int) -> bool:
    place = {"textDocument": document, "position": {"line": line, "character": character}}
    found, _ = server.request("textDocument/completion", place)
    return bool(found and found["items"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.items)
    lines = [f"| {name} | {it:,.1f} |" for name, it in found.items()]
    table = "\n".join(["| ms of CPU |  |", "|---|--:|", *lines])
    sys.stdout.write((json.dumps(found) if options.json else table) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
