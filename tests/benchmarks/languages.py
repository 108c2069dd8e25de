"""What a keystroke costs in each language of manuscripts, and what the worst text of a size costs its parser.

    python tests/benchmarks/languages.py [--entries 10000] [--size 5000000] [--worst] [LANGUAGE ...]

Counts CPU time (Linux), of the server for keystrokes: a letter of a key is typed, and what follows is listed.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from editor import Editor, cost
from stdio import Server
from workspaces import write

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

import hostile_texts
from citelsp.syntax import languages, parse

_LENGTH = 60_000  # characters of a manuscript: some thirty pages
_SENTENCE = (
    "A sentence of some twenty words that says what others found before us, as sentences in papers do {}, and more.\n"
)
_STROKES = "reliabl"
_TIMES = 5
_BIBLIOGRAPHY = "refs.bib"


def plain(declaration: str, heading: str, cited: str) -> Callable[[str], str]:
    """A manuscript of headings, paragraphs and citations, whose last citation is being typed."""

    def text(typed: str) -> str:
        paragraph = "".join(_SENTENCE.format(cited.format(f"key{it}") if it % 3 == 0 else "") for it in range(6))
        part = f"\n{heading} Part {{}}\n\n{paragraph}"
        parts = "".join(part.replace("{}", str(it), 1) for it in range(_LENGTH // len(part)))
        return f"{declaration}\n{parts}\nTyped {cited.format(typed)} here.\n"

    return text


def in_cells(text: Callable[[str], str]) -> Callable[[str], str]:
    def notebook(typed: str) -> str:
        front, *parts = text(typed).split("\n\n")
        cells = [{"cell_type": "markdown", "metadata": {}, "source": it.splitlines(keepends=True)} for it in parts]
        raw = {"cell_type": "raw", "metadata": {}, "source": front.splitlines(keepends=True)}
        return json.dumps({"cells": [raw, *cells], "metadata": {}, "nbformat": 4}, indent=1)

    return notebook


_MARKDOWN = plain(f"---\nbibliography: {_BIBLIOGRAPHY}\n---\n", "##", "[@{}]")
TEXTS: Mapping[str, Callable[[str], str]] = {
    "latex": plain(f"\\documentclass{{article}}\n\\addbibresource{{{_BIBLIOGRAPHY}}}", "%", r"\cite{{{}}}"),
    "markdown": _MARKDOWN,
    "org": plain(f"#+bibliography: {_BIBLIOGRAPHY}", "*", "[cite:@{}]"),
    "typst": plain(f'#bibliography("{_BIBLIOGRAPHY}")', "=", "@{}"),
    "notebook": in_cells(_MARKDOWN),
}


def keystroke(language: str, entries: int) -> float:
    """Milliseconds of CPU for a letter and the list behind it, median."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, entries)
        file = f"it.{next(it for it in languages.ALL if it.name == language).endings[0]}"
        text = TEXTS[language]("")
        mark = "Typed "
        (folder / file).write_text(text, encoding="utf-8")
        private = os.environ | {"CITELSP_CACHE_DIR": str(folder / "cache"), "XDG_CACHE_HOME": str(folder / "cache")}
        with Server([sys.executable, "-m", "citelsp", "serve"], folder, private) as server:
            editor = Editor(server, folder)
            editor.start()
            editor.open(file, language)
            line = text.count("\n", 0, text.index(mark))
            begins = TEXTS[language]("\0").replace("\\u0000", "\0").index("\0")
            column = begins - text.rfind("\n", 0, begins) - 1

            def stroke(at: int, letter: str) -> None:
                editor.change(file, line, at, at, letter)
                editor.complete(file, line, at + 1)

            strokes = []
            for _ in range(_TIMES):
                strokes += [
                    cost(server, partial(stroke, column + index, letter)) for index, letter in enumerate(_STROKES)
                ]
                editor.change(file, line, column, column + len(_STROKES), "")
        return statistics.median(strokes[len(_STROKES) :])  # the first time is not that of a session that goes on


def worst(language: str, size: int) -> tuple[float, str]:
    """Seconds of CPU for the text that takes longest, and what it repeats."""
    return max((_seconds(language, it, size), it) for it in hostile_texts.pieces(language))


def _seconds(language: str, piece: str, size: int) -> float:
    document = hostile_texts.document(language, piece, size)
    begin = time.process_time()
    parse(document)
    return time.process_time() - begin


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("languages", nargs="*", default=list(TEXTS))
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--size", type=int, default=5_000_000)
    parser.add_argument("--worst", action="store_true", help="of the parsers; takes minutes")
    options = parser.parse_args()
    for language in options.languages:
        if options.worst:
            seconds, piece = worst(language, options.size)
            _say(f"{language:10} {seconds:5.2f} s for {options.size:,} characters of {piece!r}")
        else:
            _say(f"{language:10} {keystroke(language, options.entries):5.1f} ms a keystroke")
    return 0


if __name__ == "__main__":
    sys.exit(main())
