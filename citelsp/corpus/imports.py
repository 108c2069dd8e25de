"""Reading collections of works from files: JSON lines, bibliographies, both also compressed; PDF files and folders."""

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path, PurePath

from citelsp.base.text import Document, quote_name
from citelsp.bibliography.entry import Entry
from citelsp.corpus import compressed_files, pdf_processes
from citelsp.corpus.work import Work, from_entry, from_mapping
from citelsp.syntax import languages
from citelsp.syntax.nodes import EntryNode
from citelsp.workspace.disk import decode

Problem = Callable[[str], None]
_NAMED = 3  # problems of one file; the others are counted
_TRIED = 1000  # lines without any work, after which no more are read


def read(path: Path, problem: Problem, known: Callable[[str], bool] = lambda _: False) -> Iterator[Work]:
    """Read the works in a file, of the kind that its ending says, or in the PDF files of a folder (see `list_files`).

    A file whose ending is not that of a PDF or a bibliography is read as JSON lines; these and bibliographies may be
    compressed.  What cannot be read is told to `problem` and skipped: each PDF file in a line of its own; of other
    files the first few places and the number of the rest.  A PDF file is skipped silently if `known` is true of the
    digest of its bytes.
    """
    if path.is_dir():
        files = sorted(list_files(path, frozenset({".pdf"})))
        if not files:
            problem(f"{quote_name(str(path))}: there is no PDF file in this folder")
        yield from pdf_processes.read(files, problem, known)
    elif path.suffix.lower() == ".pdf":
        yield from pdf_processes.read([path], problem, known)
    elif _is_bibliography(compressed_files.unpacked_name(path)):  # `refs.bib` for `refs.bib.gz`
        yield from from_bibliography(path, problem)
    else:
        yield from from_jsonl(compressed_files.lines(path), str(path), problem)


def list_files(folder: Path, endings: Collection[str]) -> Iterator[Path]:
    """Yield the files below a folder with one of these endings, but none that is hidden or lies in a hidden folder.

    Hidden is what the desktop threw away, what tools put there (`.venv`, `.git`), and the `._a.pdf` that macOS leaves
    beside an `a.pdf` on other systems' disks.  Folders of tools with other names (`env`) are not left out, as they are
    in a search for manuscripts: papers may be kept in one of that name.  Links to folders are not followed.
    """
    for directory, folders, names in os.walk(folder):
        folders[:] = [it for it in folders if not it.startswith(".")]  # `os.walk` enters what is left in the list
        for name in names:
            path = Path(directory, name)
            if path.suffix.lower() in endings and not name.startswith("."):
                yield path


def from_jsonl(lines: Iterable[bytes], name: str, problem: Problem) -> Iterator[Work]:
    """Read JSON lines with objects of id, title, abstract, authors, year, venue, doi, arxiv, references, text."""
    return pass_works(_read_lines(lines), quote_name(name), problem)


def from_bibliography(path: Path, problem: Problem) -> Iterator[Work]:
    """Return the entries that have a title, of BibTeX, RIS or EndNote's XML."""
    return pass_works(_read_entries(path), quote_name(str(path)), problem)


def pass_works(items: Iterable[Work | str], name: str, problem: Problem) -> Iterator[Work]:
    """Yield the works among the `items` of a file; tell `problem` of the texts, which say what is wrong with an item.

    Of these `problem` hears the first few, behind the file's `name`, and the number of the others.  It is also told if
    the file is damaged; then the works before the damage count.
    """
    wrong = 0
    try:
        for item in items:
            if isinstance(item, Work):
                yield item
                continue
            wrong += 1
            if wrong <= _NAMED:
                problem(f"{name}:{item}")
    except compressed_files.PackedError as error:
        problem(f"{name}: {error}")
    if wrong > _NAMED:
        problem(f"{name}: {wrong - _NAMED} more like these were skipped")


def _read_lines(lines: Iterable[bytes]) -> Iterator[Work | str]:
    """Yield for each line its work, or a text such as `12: not JSON: …`.

    PackedError if none of the first `_TRIED` lines is a work.
    """
    works = 0
    for number, line in enumerate(lines, 1):
        # A binary file or another format gives a problem for each line, and may have millions.
        if number > _TRIED and not works:
            raise compressed_files.PackedError(f"none of its first {_TRIED} lines is a work, so the rest was not read")
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield f"{number}: not JSON: {error}"
            continue
        work = from_mapping(raw) if isinstance(raw, dict) else "not an object"
        if isinstance(work, Work):
            works += 1
            yield work
        else:
            yield f"{number}: {work}"


def _is_bibliography(path: PurePath) -> bool:
    """Return True if a file with this name can only be a bibliography.

    A file of JSON, YAML or Python may be anything.  Such formats have `declare_beside`, as a file of settings in one of
    them may name bibliographies.
    """
    bibliography = languages.language_of_path(path.name).bibliography
    return bibliography is not None and bibliography.declare_beside is None


def _read_entries(path: Path) -> Iterator[Work | str]:
    """Yield for each entry its work, or a text: ` key: why it is none`.

    PackedError if the file is not text, or not of its format, such as XML of something else.  Any text is BibTeX, in
    which text between entries is a comment: without entries it yields nothing, and neither does an empty file.
    """
    from citelsp import syntax

    decoded = decode(compressed_files.read_whole(path))
    if decoded is None:
        raise compressed_files.PackedError("it is not text")
    content, *_ = decoded
    name = str(compressed_files.unpacked_name(path))
    written = syntax.parse(Document(name, content, languages.language_of_path(name).name))
    entries = written.entries
    if entries is None:  # it is not of its format
        if content.strip():
            raise compressed_files.PackedError("no entries were found in it")
        return

    def parent(key: str) -> EntryNode | None:
        """Return the entry that another one inherits fields from, by `crossref`; of several with that key the first."""
        indexes = entries.by_key(key)
        return entries.node(indexes[0]) if indexes else None

    for index in range(len(entries)):
        entry = Entry(entries.node(index), written.strings, parent)
        work = from_entry(entry)
        yield work if isinstance(work, Work) else f" {entry.key or f'entry {index + 1}'}: {work}"
