"""How placeholders of real places end over LSP, whatever the services do: with a list, with a reason, or not.

    python tests/benchmarks/placeholders.py QUESTIONS [--answers FILE] [--corpus DIR] [--config FILE] [-n 100]

QUESTIONS are position-specific, as `citelsp eval positions` reads them; every place becomes a manuscript of its own,
ten of which are resolved at once.  `--config` names the services, as the user's settings do; without it none is asked.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stdio import CAPABILITIES, Server

from citelsp.base.settings import SERVICES
from citelsp.corpus.words import title_key
from citelsp.evals import questions
from citelsp.evals.questions import Question
from citelsp.workspace.question import MARKER

_AT_ONCE = 10
_SAID = ("Nothing fits", "Nothing was found")
_PERCENT = re.compile(r"(?<!\\)%")


@dataclass(frozen=True)
class End:
    """What an author sees at a place after the search."""

    id: str
    seconds: float
    works: tuple[str, ...]  # labels of the list
    reason: str
    error: str = ""

    @property
    def how(self) -> str:
        if self.error:
            return "an error"
        if self.works:
            return "a list and a reason" if self.reason else "a list"
        return "a reason" if self.reason else "nothing"


def manuscript(question: Question) -> str:
    body = _PERCENT.sub(r"\\%", question.text).replace("\n", " ").replace("[REF]", r"\cite{other}")
    head = f"\\documentclass{{article}}\n\\title{{{question.title}}}\n\\date{{{question.date}}}\n"
    return f"{head}\\begin{{document}}\n{body}\n\\end{{document}}\n"


def _position(text: str) -> dict[str, int]:
    """Inside the marker, as LSP counts."""
    before = text[: text.index(MARKER) + len(MARKER) - 1]
    return {"line": before.count("\n"), "character": len(before.rpartition("\n")[2].encode("utf-16-le")) // 2}


def resolved(server: Server, folder: Path, asked: Sequence[Question]) -> list[End]:
    """How each place ends, in the order of the questions."""
    documents = {it.id: (folder / f"{number}.tex", manuscript(it)) for number, it in enumerate(asked)}
    for path, text in documents.values():
        path.write_text(text, encoding="utf-8")
        opened = {"uri": path.as_uri(), "languageId": "latex", "version": 1, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": opened})
    commands = [{"command": "citelsp.suggest", "arguments": [path.as_uri()]} for path, _ in documents.values()]
    answers = server.together("workspace/executeCommand", commands, _AT_ONCE)
    return [
        _end(server, id_, *document, *answer)
        for (id_, document), answer in zip(documents.items(), answers, strict=True)
    ]


def _end(server: Server, id_: str, path: Path, text: str, seconds: float, error: str) -> End:
    here = {"textDocument": {"uri": path.as_uri()}, "position": _position(text)}
    listed, _ = server.request("textDocument/completion", here)
    hover, _ = server.request("textDocument/hover", here)
    told = hover["contents"]["value"] if hover else ""
    works = tuple(it["label"] for it in (listed or {}).get("items", ()) if it.get("data"))
    reason = next((line for line in told.splitlines() if line.lstrip("*_ ").startswith(_SAID)), "")
    return End(id_, seconds, works, reason, error)


def right(end: End, question: Question, first: int) -> bool:
    """Whether a right work stands among the first of the list."""
    titles = [it for gold in question.gold for it in gold.titles]
    return any(title in title_key(label) for label in end.works[:first] for title in titles)


def settings(config: Path | None, corpus: Path | None) -> dict[str, Any]:
    given: dict[str, Any] = tomllib.loads(config.read_text(encoding="utf-8")) if config else {}
    named: Mapping[str, Any] = given.get("services", {})
    services = {it: named.get(it, {"enabled": False}) for it in SERVICES}
    more = {"corpus": {"path": str(corpus)}} if corpus else {}
    return {**given, **more, "services": services, "online": {**given.get("online", {}), "suggest": "command"}}


def measure(asked: Sequence[Question], options: Mapping[str, Any]) -> list[End]:
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory).resolve()
        os.environ |= {"CITELSP_STATE_DIR": str(folder / "state"), "CITELSP_CACHE_DIR": str(folder / "cache")}
        work = folder / "work"
        work.mkdir()
        with Server((sys.executable, "-m", "citelsp", "serve"), work) as server:
            params = {"processId": None, "rootUri": work.as_uri(), "capabilities": CAPABILITIES}
            server.request("initialize", {**params, "initializationOptions": options})
            server.notify("initialized", {})
            return resolved(server, work, asked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("-n", dest="count", type=int, default=100)
    parser.add_argument("--json", action="store_true", help="print every place instead of the table")
    given = parser.parse_args()
    places = [it for it in questions.read(given.questions, given.answers) if it.text.count(MARKER) == 1 and it.title]
    places = places[:: max(1, len(places) // given.count)][: given.count]
    began = time.monotonic()
    ends = measure(places, settings(given.config, given.corpus))
    if given.json:
        print(json.dumps([asdict(it) for it in ends], indent=1))  # noqa: T201
        return
    for how, count in Counter(it.how for it in ends).most_common():
        print(f"{count} end with {how}")  # noqa: T201
    hits = [sum(right(end, it, first) for end, it in zip(ends, places, strict=True)) for first in (1, 10)]
    print(f"right first {hits[0]}, among ten {hits[1]}; {time.monotonic() - began:.0f} s on the clock, ", end="")  # noqa: T201
    print(f"longest {max(it.seconds for it in ends):.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
