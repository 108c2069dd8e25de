"""What a person writes in each editor, ten sentences with twenty citations, and what must then be on the disk."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import compilers
import crossref_server

DEMO = Path(__file__).parent.parent.parent / "fixtures" / "demo"
HEADING = "\\section{Method}\n"
SENTENCES = 10
SPEEDS = (40, 80, 200)  # milliseconds a key
ENTRY = re.compile(r"^\s*@\w+\{([^,\s]+),", re.MULTILINE)
# Works of no corpus, which a service alone knows: title and author.
ELSEWHERE = (
    ("Tidal Clocks in Sandhoppers after Transport across Meridians", "Marini"),
    ("Copper Roofing and the Chemistry of Urban Rainwater", "Haldane"),
    ("Wolf Howling as a Census Method in Boreal Forests", "Lindqvist"),
    ("Medieval Bridge Tolls and the Price of Salt", "Ferrante"),
    ("Beekeeping Records from Monastery Account Books", "Okafor"),
    ("Frost Heave beneath Railway Embankments in Lapland", "Virtanen"),
    ("Lighthouse Lenses and the Physiology of Migrating Warblers", "Penrose"),
    ("Handloom Weaving Patterns as Permutation Puzzles", "Banerjee"),
    ("Volcanic Ash Layers in Peat Bogs of Orkney", "Sinclair"),
    ("Bell Casting Alloys and their Partial Tones", "Dupont"),
)


@dataclass(frozen=True)
class Sentence:
    """`title` is of the work that `words` ask for; `key` of an entry that the author has."""

    before: str
    words: str
    title: str
    between: str
    key: str

    def written(self, cited: str) -> str:
        return f"{self.before}\\cite{{{cited}}}{self.between}{self.key}}}."


def sentences(online: bool) -> list[Sentence]:
    entries = (DEMO / "references.bib").read_text(encoding="utf-8")
    own, plain = ENTRY.findall(entries), re.sub(r"[{}]", "", entries)
    corpus = map(json.loads, (DEMO / "corpus.jsonl").read_text(encoding="utf-8").splitlines())
    known = [it["title"] for it in corpus if it.get("abstract") and len(it["title"].split()) > 5]
    titles = [title for title, _ in ELSEWHERE] if online else [it for it in known if it not in plain]
    return [
        Sentence(
            f"Sentence {number} claims ", " ".join(title.split()[:5]).strip(":;,.").lower(), title, " and \\citep{", key
        )
        for number, (title, key) in enumerate(zip(titles[:SENTENCES], (own * SENTENCES)[:SENTENCES], strict=True))
    ]


@contextmanager
def services(online: bool, settings: Path, town: crossref_server.Scholars) -> Iterator[None]:
    """Nobody is asked, as the settings say, or else the service that alone knows some works."""
    before = settings.read_text(encoding="utf-8")
    works = {}
    for number, (title, family) in enumerate(ELSEWHERE):
        works[f"10.1000/elsewhere.{number}"] = crossref_server.work(
            f"10.1000/elsewhere.{number}", title, family, "Ada", 1990 + number,
            **{"container-title": ["Annals of Field Notes"]},
        )  # fmt: skip
    if online:
        town.works.update(works)
    else:
        settings.write_text(f"offline = true\n{before}", encoding="utf-8")
    try:
        yield
    finally:  # or all later tests would be offline
        settings.write_text(before, encoding="utf-8")
        for doi in works:
            town.works.pop(doi, None)


def project(folder: Path) -> Path:
    """The demonstration in a folder of its own."""
    shutil.copytree(DEMO, folder)
    (folder / ".git").mkdir()
    return folder


def all_there(folder: Path) -> bool:
    """True if an entry for each sentence is on the disk."""
    before, now = (ENTRY.findall((it / "references.bib").read_text(encoding="utf-8")) for it in (DEMO, folder))
    return len(now) >= len(before) + SENTENCES


def check_written(folder: Path, asked: list[Sentence]) -> None:
    """Every letter is there, every accepted work has its entry, and BibTeX and biber read them all."""
    before, rest = (DEMO / "main.tex").read_text(encoding="utf-8").split(HEADING)
    manuscript = (folder / "main.tex").read_text(encoding="utf-8")
    assert manuscript.startswith(before + HEADING)
    lines = manuscript.removeprefix(before + HEADING).removesuffix(rest).splitlines()
    cited = [re.findall(r"\\cite\{([\w:-]+)\}", line) for line in lines]
    assert [len(it) for it in cited] == [1] * SENTENCES, lines
    assert lines == [it.written(key) for it, [key] in zip(asked, cited, strict=True)]
    bibliography = folder / "references.bib"
    entries = bibliography.read_text(encoding="utf-8")
    assert entries.startswith((DEMO / "references.bib").read_text(encoding="utf-8"))
    keys = ENTRY.findall(entries)
    assert all_there(folder)
    assert len(keys) == len(set(keys))
    for sentence, [key] in zip(asked, cited, strict=True):
        written = entries[entries.index(f"{{{key},") :].partition("\n@")[0]
        assert sentence.title.split()[0].lower() in re.sub(r"[{}]", "", written).lower(), (sentence, written)
        assert sentence.key in keys
    if shutil.which("bibtex"):
        assert compilers.bibtex(bibliography) == []
    if shutil.which("biber"):
        assert compilers.biber(bibliography) == compilers.biber(DEMO / "references.bib")


def check_undone(folder: Path) -> None:
    for name in ("main.tex", "references.bib"):
        assert (folder / name).read_bytes() == (DEMO / name).read_bytes(), name
