"""Reading collections of works from files: JSON lines, BibTeX, PDF files and folders of them."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from citelsp.bibliography.entry import Entry
from citelsp.corpus import pdf
from citelsp.corpus.work import Work, from_mapping
from citelsp.syntax.nodes import EntryNode
from citelsp.text import Document

Problem = Callable[[str], None]


def read(path: Path, problem: Problem, known: Callable[[str], bool] = lambda _: False) -> Iterator[Work]:
    """The works in a file, by its ending, or in the PDF files below a folder.

    What cannot be read is told to `problem`, one line each, and skipped; a PDF file is skipped without a word where
    `known` says so of the digest of its bytes.
    """
    if path.is_dir():
        yield from pdf.read(sorted(path.rglob("*.[pP][dD][fF]")), problem, known)
    elif path.suffix.lower() == ".pdf":
        yield from pdf.read([path], problem, known)
    elif path.suffix.lower() in {".bib", ".bibtex"}:
        yield from from_bibtex(path, problem)
    else:
        with path.open("rb") as lines:
            yield from from_jsonl(lines, str(path), problem)


def from_jsonl(lines: Iterable[bytes], name: str, problem: Problem) -> Iterator[Work]:
    """One JSON object a line: id, title, abstract, authors, year, venue, doi, arxiv, references, text."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except ValueError as error:
            problem(f"{name}:{number}: not JSON: {error}")
            continue
        work = from_mapping(raw) if isinstance(raw, dict) else "not an object"
        if isinstance(work, Work):
            yield work
        else:
            problem(f"{name}:{number}: {work}")


def from_bibtex(path: Path, problem: Problem) -> Iterator[Work]:
    """The entries of a .bib file that have a title."""
    from citelsp.syntax import bibtex

    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    syntax = bibtex.parse(Document(str(path), text, "bibtex"))
    entries = syntax.entries
    if entries is None:
        return

    def parent(key: str) -> EntryNode | None:
        found = entries.by_key(key)
        return entries.node(found[0]) if found else None

    for index in range(len(entries)):
        entry = Entry(entries.node(index), syntax.strings, parent)
        work = from_entry(entry)
        if isinstance(work, Work):
            yield work
        else:
            problem(f"{path}: {entry.key}: {work}")


def from_entry(entry: Entry) -> Work | str:
    """The work that an entry describes, or what keeps it from being one.  Its id is its DOI, arXiv id or title."""
    return from_mapping(
        {
            "title": entry.title,
            "abstract": entry.text("abstract"),
            "authors": [f"{it.family}, {it.given}" if it.given else it.family for it in entry.authors],
            "year": entry.year,
            "venue": entry.venue,
            "doi": entry.identifiers.doi,
            "arxiv": entry.identifiers.arxiv,
        }
    )
