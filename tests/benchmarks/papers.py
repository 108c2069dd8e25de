"""Invented works that cite each other, and papers as PDF files, the same at every run."""

import json
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from workspaces import pick, word

from citelsp.corpus import imports
from citelsp.corpus.work import Work

sys.path.append(str(Path(__file__).parent.parent / "support"))
import pdf_files

_WORDS, _CITING = 60_000, 50  # one work in so many has its references known
_SOURCES, _EVERY, _WORKS_CITED = 100_000, 5, 30
_BATCH = 1000  # works that one of several who add takes at once
_LINES = 50  # a page


def invented(path: Path, count: int) -> Path:
    """JSON lines of so many works; a quarter has an abstract."""
    chance = random.Random(count)  # noqa: S311
    words = [word(chance, 2, 4) for _ in range(_WORDS)]
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            cites = sorted(chance.sample(range(number), 30)) if number > 30 and number % _CITING == 0 else []
            work = {
                "id": f"w{number}",
                "title": _text(chance, words, chance.randint(5, 12)).capitalize(),
                "abstract": _text(chance, words, 150) if number % 4 == 0 else "",
                "authors": [f"{word(chance, 2, 3).capitalize()}, A." for _ in range(3)],
                "year": chance.randint(1990, 2025),
                "references": [f"w{it}" for it in cites],
            }
            out.write(json.dumps(work) + "\n")
    return path


def recombined(works: Iterable[Work], count: int) -> Iterator[Work]:
    """So many works, each the first half of one real title and abstract and the second half of another.

    Of the real ones every fifth is taken, as they may come in the order of their titles.  One in fifty cites thirty of
    the others, older ones more often, as the real ones do.
    """
    chance, real = random.Random(5), list(islice(works, 0, _EVERY * _SOURCES, _EVERY))  # noqa: S311 - fewer are the first of more
    for number in range(count):
        one, other = chance.choice(real), chance.choice(real)
        cites = number > _WORKS_CITED and number % _CITING == 0
        yield Work(
            f"r{number}",
            _joined(one.title, other.title),
            _joined(one.abstract, other.abstract) if one.abstract and other.abstract else one.abstract,
            authors=one.authors,
            year=one.year,
            references=tuple({f"r{int(number * chance.random() ** 3)}" for _ in range(_WORKS_CITED)}) if cites else (),
        )


@dataclass(frozen=True)
class Stock:
    """Works to add: those of a file, and if it is to grow beyond them others made of theirs; a part of all of these."""

    source: Path
    start: int = 0
    stop: int | None = None
    grows: bool = False
    place: int = 0
    parts: int = 1

    def works(self) -> Iterator[Work]:
        others = recombined(self._real(), self.stop) if self.grows and self.stop else ()
        for number, work in enumerate(islice(chain(self._real(), others), self.start, self.stop)):
            if number // _BATCH % self.parts == self.place:
                yield work

    def _real(self) -> Iterator[Work]:
        with self.source.open("rb") as lines:
            yield from imports.from_jsonl(lines, str(self.source), sys.exit)


def _joined(one: str, other: str) -> str:
    first, second = one.split(), other.split()
    return " ".join([*first[: (len(first) + 1) // 2], *second[len(second) // 2 :]])


def paper(path: Path, number: int, pages: int) -> Path:
    """A paper with title, abstract, sections and a list of forty references."""
    chance = random.Random(number)  # noqa: S311
    words = [word(chance, 2, 4) for _ in range(3_000)]
    title = _text(chance, words, 8).capitalize()
    lines = [title, "Ada Lovelace", f"doi:10.5555/paper.{number}", "Abstract", *_prose(chance, words, 12), ""]
    lines += ["1 Introduction", *_prose(chance, words, pages * _LINES)]
    listed = [f"[{it}] A. Author. {_text(chance, words, 8).capitalize()}. Journal, {1980 + it}." for it in range(1, 41)]
    lines = [*lines[: (pages - 1) * _LINES], "References", *listed]
    parts = [lines[it : it + _LINES] for it in range(0, len(lines), _LINES)]
    return pdf_files.written(path, [pdf_files.stream(pdf_files.shown(it)) for it in parts])


def _text(chance: random.Random, words: list[str], length: int) -> str:
    return " ".join(pick(chance, words) for _ in range(length))


def _prose(chance: random.Random, words: list[str], lines: int) -> list[str]:
    return [f"{_text(chance, words, 12).capitalize()}." for _ in range(lines)]
