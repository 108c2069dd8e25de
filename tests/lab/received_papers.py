"""How well papers are read as they are received, by the LaTeX sources that they were compiled from.

    python tests/lab received_papers FOLDER [--front FILE] [--show]

FOLDER holds, at any depth, NAME.tex with its .bib files, and beside it NAME.pdf and NAME.bbl as TeX left them.  The
bibliography is the truth for the references that the compiled list has, the manuscript for the front page.  A field of
a reference counts only if the compiled list prints it; a title is right if its letters and digits are.  Authors are
counted both ways, with and without those that the bibliography is unclear about; --show lists these, too.  FILE is
JSON, an object for each name of a folder whose manuscript does not tell: `title`, `author`, `year`, or `skip`.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from citelsp.base.text import Document
from citelsp.bibliography import journal_macros, reference_reading
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters
from citelsp.bibliography.received import ReadPaper, ReadReference
from citelsp.corpus import pdf_processes
from citelsp.syntax import parse
from citelsp.syntax.languages.latex import file_links, grammar
from lab.printed_references import Read, compared, entries, fields_read, table

_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}]+)\}")
_COMMENT = re.compile(r"(?<!\\)%.*")
_AUTHOR = re.compile(r"\\(?:author|Author|name)(?![a-zA-Z])\*?")
_DATED = re.compile(r"\\(?:date|acmYear|copyrightyear|pubyear|pubYear|publicationyear)\s*\{([^{}]*)\}")
_MARKS = re.compile(r"\\(?:inst|affil\w*|orcid\w*|email|IEEE\w+|institute|footnotemark|textsuperscript)\s*(?=[\[{])")
_NOBODY = re.compile(r"\W*(?:anonymous|paper #\d)", re.IGNORECASE)  # of manuscripts whose reviewers may not know
_YEAR = re.compile(r"(?:19|20)\d\d")
_FILES = 40  # that a manuscript is made of
_ALIKE = 75  # of a hundred: how much of a reference must be printed in one found
_ADDRESS = re.compile(r"https?://\S+")  # a link prints its words alone
_JOURNALS = sorted(set(map(bare_letters, journal_macros.NAMES.values())), key=len, reverse=True)
_FRONT = ("title", "first author", "year")


@dataclass(frozen=True, slots=True)
class Paper:
    """The files of one paper; `tex` with all that it includes."""

    name: str
    pdf: Path
    tex: str
    bbl: str
    bib: str

    @property
    def list_file(self) -> Path:
        """What holds the compiled list: its .bbl, or the manuscript where that one is empty or missing."""
        compiled = self.pdf.with_suffix(".bbl")
        return compiled if _is_compiled_list(_read(compiled)) else self.pdf.with_suffix(".tex")


@dataclass(frozen=True, slots=True)
class Listed:
    """One reference of a compiled list, and what it was made from if a bibliography says so."""

    key: str
    text: str  # as printed; of biber, which prints nothing there, its title and first author
    entry: Entry | None
    is_whole: bool  # whether the text is the whole reference


@dataclass(frozen=True, slots=True)
class ReadPapers:
    """How many papers there were, what was read of them by kind of list, and why some could not be read."""

    count: int
    reads: Mapping[str, Sequence[Read]]
    unread: tuple[str, ...]


def papers(folder: Path) -> Iterator[Paper]:
    """The compiled papers of a folder that have a list of references."""
    for path in sorted(folder.rglob("*.pdf")):
        main = path.with_suffix(".tex")
        if not main.is_file() or "\\begin{document}" not in (tex := _flattened(main, [])):
            continue
        bbl = _read(path.with_suffix(".bbl"))
        if not _is_compiled_list(bbl):
            bbl = tex[tex.find("\\begin{thebibliography}") :] if "\\begin{thebibliography}" in tex else ""
        if bbl:
            name = path.relative_to(folder).parts[0] if path.parent != folder else path.stem
            yield Paper(name, path, tex, bbl, "\n".join(map(_read, sorted(main.parent.rglob("*.bib")))))


def _is_compiled_list(text: str) -> bool:
    return "\\bibitem" in text or "\\entry{" in text


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _flattened(path: Path, done: list[Path]) -> str:
    """A manuscript with what it includes, without comments."""
    done.append(path)

    def included(found: re.Match[str]) -> str:
        named = done[0].parent / found[1].strip()
        chosen = next((it for it in (named, Path(f"{named}.tex")) if it.is_file()), None)
        return _flattened(chosen, done) if chosen and chosen not in done and len(done) < _FILES else ""

    return _INPUT.sub(included, _COMMENT.sub("", _read(path)))


def front_page(tex: str, known: Mapping[str, Any]) -> dict[str, str]:
    """What a manuscript says of itself, by the names of `_FRONT`; "" where it does not."""
    title = known.get("title") or parse(Document("x.tex", tex, "latex")).title
    people = [it for found in _AUTHOR.finditer(tex) if (it := file_links.after_options(tex, found.end()))]
    author = known["author"] if "author" in known else " ; ".join(_people(it.within(tex)) for it in people)
    author = "" if _NOBODY.match(author) else author
    years = [year for found in _DATED.finditer(tex) for year in _YEAR.findall(found[1])]
    return {"title": title, "first author": author, "year": str(known.get("year") or (years[0] if years else ""))}


def _people(written: str) -> str:
    while found := _MARKS.search(written):
        start = found.end()
        end = written.find("]" if written[start] == "[" else "}", start)
        written = written[: found.start()] + (written[end + 1 :] if end > 0 else "")
    return grammar.plain(re.sub(r"\\(?:and|And|AND)\b", ";", written))


def front_reads(name: str, truth: Mapping[str, str], read: ReadPaper) -> Iterator[Read]:
    """What the first page was read as, beside what the manuscript says."""
    first = read.authors[0] if read.authors else ""
    found = {"title": read.title, "first author": first, "year": str(read.year or "")}
    for field in _FRONT:
        true, own = bare_letters(truth[field]), bare_letters(found[field])
        if true:
            right = own == true if field != "first author" else bool(own) and own in true[: len(own) + 20]
            yield Read(field, name, right, bool(own) and not right, found[field])


def listed(paper: Paper) -> list[Listed]:
    """The references of the compiled list, each once."""
    truth = dict(entries(paper.bib, "bibtex"))
    found = dict[str, Listed]()
    for key, entry in entries(paper.bbl, "bbl"):
        if entry.printed:
            found.setdefault(key, Listed(key, entry.printed.plain, truth.get(key), is_whole=True))
        else:
            family = entry.authors[0].family if entry.authors else ""
            found.setdefault(key, Listed(key, f"{family} {entry.text('title')}", entry, is_whole=False))
    return list(found.values())


def matched(true: Sequence[Listed], found: Sequence[ReadReference]) -> dict[str, ReadReference]:
    """Which of the references found each listed one is: the likest pairs first, each once."""
    texts = [it.text for it in found]
    pairs = []
    for (at, one), (place, text) in product(enumerate(true), enumerate(texts)):
        score = _likeness(one, text)
        if score >= _ALIKE:
            pairs.append((score, at, place))
    chosen: dict[int, int] = {}
    for _, at, place in sorted(pairs, key=lambda it: -it[0]):
        if at not in chosen and place not in chosen.values():
            chosen[at] = place
    return {true[at].key: found[place] for at, place in chosen.items()}


def _likeness(one: Listed, printed: str) -> float:
    """How much of a listed reference a found one has, of a hundred, with or without the addresses of links."""
    if one.is_whole:
        without = _likeness_of_whole(_ADDRESS.sub("", one.text), _ADDRESS.sub("", printed))
        return max(_likeness_of_whole(one.text, printed), without)
    text = bare_letters(printed)
    title = bare_letters(one.entry.text("title") if one.entry else one.text)
    # Several references in one would have each of their titles.
    return fuzz.partial_ratio(title, text) if title and len(text) < 5 * len(title) + 500 else 0.0


def _likeness_of_whole(listed: str, printed: str) -> float:
    own = bare_letters(listed)
    text = bare_letters(printed)
    # Classes print `\mnras` cut short, and a compiled list is read with the whole name.
    return max(fuzz.ratio(it[:400], text[:400], score_cutoff=_ALIKE) for it in (own, _without_journals(own)))


def _without_journals(text: str) -> str:
    for name in _JOURNALS:
        text = text.replace(name, "")
    return text


def reference_reads(paper: Paper, read: ReadPaper) -> Iterator[Read]:
    """Whether each reference is found in the PDF, and what is read of it."""
    every = listed(paper)
    found = matched(every, read.references)
    for one in every:
        reference = found.get(one.key)
        yield Read("found", one.key, reference is not None, found="" if reference else one.text[:100])
        if reference and one.entry:
            printed = one.text if one.is_whole else reference.text
            reading = reference_reading.read(reference.text, "plain")
            yield from fields_read(one.key, one.entry, reading, printed)


def measured(paper: Paper, read: ReadPaper, known: Mapping[str, Any]) -> dict[str, list[Read]]:
    """The readings of one paper by what was read: its front page, its .bbl, its PDF."""
    return {
        "front page": list(front_reads(paper.name, front_page(paper.tex, known), read)),
        ".bbl": list(compared(paper.bbl, paper.bib, plain=False)),
        "PDF": list(reference_reads(paper, read)),
    }


def read_all(folder: Path, corrections: Mapping[str, Mapping[str, Any]]) -> ReadPapers:
    """What is read of the papers below a folder.  `corrections`: what manuscripts do not tell of themselves."""
    every = {it.pdf: it for it in papers(folder) if not corrections.get(it.name, {}).get("skip")}
    reads: dict[str, list[Read]] = {"front page": [], ".bbl": [], "PDF": []}
    unread = []
    for path, read in pdf_processes.read_papers(every):
        if isinstance(read, str):
            unread.append(f"{path}: {read}")
            continue
        name = every[path].name
        for kind, found in measured(every[path], read, corrections.get(name, {})).items():
            reads[kind] += (it._replace(key=f"{name} {it.key}") for it in found)
    return ReadPapers(len(every), reads, tuple(unread))


def report(found: ReadPapers) -> str:
    """A table for each kind of what was read, and which papers were not."""
    tables = (f"{kind}\n{table(reads)}" for kind, reads in found.reads.items())
    return "\n\n".join((*found.unread, f"{found.count} papers", *tables))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--front", type=Path, help="what manuscripts do not tell of themselves")
    parser.add_argument("--show", action="store_true", help="list what is wrong, and what the truth is unclear about")
    options = parser.parse_args()
    corrections = json.loads(options.front.read_text(encoding="utf-8")) if options.front else {}
    found = read_all(options.folder, corrections)
    print(report(found))
    notable = (it for reads in found.reads.values() for it in reads if it.doubt or not it.is_right)
    for it in notable if options.show else ():
        mark = f"[{it.doubt}] " if it.doubt else "! " if it.is_accusing else ""
        print(f"  {mark}{it.field}: {it.key}: {it.found}")


if __name__ == "__main__":
    main()
