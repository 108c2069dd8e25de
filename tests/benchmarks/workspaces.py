"""Invented workspaces of any size: words and names as frequent as in real titles, the same at every run."""

import random
from dataclasses import dataclass
from pathlib import Path

_ONSETS = "b br c ch d dr f fl g gr h j k kl l m n p pl qu r s sc sh st t th tr v w z".split()
_VOWELS = "a e i o u ai ea io ou y".split()
_CODAS = ["", "", "n", "r", "l", "s", "t", "m", "ck", "nd", "ng", "st"]
_ACCENTS = str.maketrans({"a": "á", "o": "ö", "u": "ü", "e": "é"})
_ABSTRACT = 60  # words
MARK = "Here: \\cite{"


@dataclass(frozen=True)
class Work:
    key: str
    family: str  # of the first author
    rare: str  # the rarest word of the title


def write(folder: Path, size: int) -> list[Work]:
    """main.tex, long.tex and refs.bib with `size` entries."""
    rnd = random.Random(size)  # noqa: S311
    words = [word(rnd, 2, 4) for _ in range(30_000)]
    names = [word(rnd, 1, 3).capitalize() for _ in range(8_000)]
    names[::7] = [it.translate(_ACCENTS) for it in names[::7]]
    works, entries = [], []
    for number in range(size):
        people = [f"{pick(rnd, names)}, {pick(rnd, names)[0]}." for _ in range(rnd.randint(1, 5))]
        numbers = [_rank(rnd, len(words)) for _ in range(rnd.randint(5, 11))]
        year = rnd.randint(1960, 2026)
        family = people[0].partition(",")[0]
        key = f"{family.lower()}{year}{words[numbers[0]]}{number}"
        works.append(Work(key, family, words[max(numbers)]))
        title = " ".join(words[it] for it in numbers).capitalize()
        abstract = " ".join(pick(rnd, words) for _ in range(_ABSTRACT))
        entries.append(
            f"@article{{{key},\n  author = {{{' and '.join(people)}}},\n  title = {{{title}}},\n"
            f"  journal = {{Journal of {pick(rnd, words[:400]).capitalize()}}},\n  year = {{{year}}},\n"
            f"  volume = {{{number % 90}}},\n  doi = {{10.5555/{number}}},\n  abstract = {{{abstract}}}\n}}\n"
        )
    (folder / "refs.bib").write_text("\n".join(entries), encoding="utf-8")
    head = "\\documentclass{article}\n\\addbibresource{refs.bib}\n\\begin{document}\n"
    tail = f"{MARK}}}\n\\end{{document}}\n"
    (folder / "main.tex").write_text(f"{head}Known \\cite{{{works[0].key}}}.\n{tail}", encoding="utf-8")
    (folder / "long.tex").write_text(head + "".join(_paragraphs(rnd, words, works)) + tail, encoding="utf-8")
    return works


def _paragraphs(rnd: random.Random, words: list[str], works: list[Work]) -> list[str]:
    """Half a megabyte of prose with a citation in every paragraph."""
    found, length = [], 0
    while length < 500_000:
        prose = " ".join(pick(rnd, words) for _ in range(90))
        found.append(f"{prose} \\parencite[p.~{rnd.randint(1, 300)}]{{{rnd.choice(works).key}}}.\n\n")
        length += len(found[-1])
    return found


def word(rnd: random.Random, least: int, most: int) -> str:
    """One of so many syllables."""
    syllables = (
        rnd.choice(_ONSETS) + rnd.choice(_VOWELS) + rnd.choice(_CODAS) for _ in range(rnd.randint(least, most))
    )
    return "".join(syllables)


def _rank(rnd: random.Random, size: int) -> int:
    """Ranks as in Zipf's law: the first hundred words are half of all."""
    return min(size - 1, int(size ** rnd.random()) - 1)


def pick(rnd: random.Random, items: list[str]) -> str:
    """One of the items, the first far more often than the last."""
    return items[_rank(rnd, len(items))]
