"""What a PDF says of the work in it.  Run as a program it answers one path a line, in a process with limits."""

import gc
import json
import math
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any

from citelsp.corpus import (
    pdf_citations,
    pdf_front,
    pdf_letters,
    pdf_line_breaks,
    pdf_lines,
    pdf_references,
    pdf_rows,
    reference_list,
)
from citelsp.corpus.pdf_lines import Line
from citelsp.corpus.pdf_rows import Row

BYTES = 100_000_000
PAGES = 400
CHARACTERS = 2_000_000
_HEAD = 4000  # characters of a first page that may name its own identifiers
_FRONT = 3  # pages that are looked at for title and people
_MEMORY = 1_000_000_000  # bytes of addresses; four read at once
_ARXIV = re.compile(r"arXiv:\s*(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.IGNORECASE)
_ABSTRACT = re.compile(
    r"\babstract\b[\s.:—-]*(.{100,3000}?)(?:\n\s*\n|\n\s*(?:\d|I)?\.?\s*introduction\b)", re.IGNORECASE | re.DOTALL
)
# A word, or a compound, at the end of a row, and what begins the next.
_BROKEN = re.compile(r"(?<![\w-])((?:\w+-)*\w+)-\n([^\W\d_]+(?:-[^\W\d_]+)*)")


def extract(path: Path) -> dict[str, Any] | str:
    """Return what a PDF says of its work, as `describe_work` has it, or in words why nothing can be read: “is …”.

    Pages are read until there are `CHARACTERS` of text.  What the disk raises goes through, and what pdfium raises once
    the file is open.
    """
    import pypdfium2 as pdfium

    size = path.stat().st_size
    if size > BYTES:
        return f"has {size // 1_000_000} MB; at most {BYTES // 1_000_000} are read"
    try:
        document = pdfium.PdfDocument(path)  # closes itself once it is no longer referred to
    except pdfium.PdfiumError as error:
        return "is encrypted" if "password" in str(error).lower() else "is not a readable PDF"
    if len(document) > PAGES:
        return f"has {len(document)} pages; at most {PAGES} are read"
    pages = []
    first = ""  # the text of the first page that has any
    count = 0  # of characters
    for number, page in enumerate(document, 1):
        words = page.get_textpage()
        # Turned text, as arXiv's stamp is, is in pdfium's text of a page only: `pdf_lines` leaves it out.
        first = first or pdf_letters.repair_letters(words.get_text_bounded(errors="replace"))
        pages.append(pdf_lines.read(words, number))
        words.close()
        page.close()
        count += sum(len(it.text) for it in pages[-1])
        if count > CHARACTERS:  # what was read until here is enough
            break
    # Scans have a stamp or a page number at most: fewer than 50 characters a page, of the first three.
    if count < 50 * min(3, len(pages)):
        return "contains no text; it may be a scan"
    named = document.get_metadata_dict()
    return describe_work(pages, first, pdf_front.read(pages[:_FRONT], named.get("Title", ""), named.get("Author", "")))


def describe_work(pages: Sequence[Sequence[Line]], first: str, front: pdf_front.Front) -> dict[str, Any]:
    """Return a work as `work.from_mapping` takes it, and with it the references and citations that a check needs.

    `pages` are the lines of the paper, `first` is the text of its first page, which may name its identifiers, and
    `front` is what was read at its head.  What is not found is "" or empty, and an unknown year None.
    """
    doi = reference_list.DOI.search(first[:_HEAD])
    arxiv = _ARXIV.search(first[:_HEAD])
    lists = pdf_references.read(pdf_rows.read(pages))
    text = _join_pages(lists.body, lists.words)  # the rows that are in no reference list
    abstract = _ABSTRACT.search(text[:12000])  # of two or three pages: later ones have none
    return {
        "title": front.title,
        "authors": front.authors,
        "year": front.year,
        "abstract": " ".join(abstract[1].split()) if abstract else "",
        "doi": doi[0] if doi else "",
        "arxiv": arxiv[1] if arxiv else "",
        "listed": [it.text for it in lists.items],  # for a corpus, to be linked with its works
        "text": text,
        # The same for a check, with signs around what is in italics, as that tells the parts of a reference.
        "references": [(it.label, it.marked or it.text, it.page) for it in lists.items],
        "citations": pdf_citations.read(lists),
    }


def _join_pages(rows: Iterable[Row], words: Mapping[str, int]) -> str:
    """Return rows as text, pages parted by empty lines; a word that goes on in the next row is written there whole.

    `words` has how often the paper has each word: it tells a word that was broken from a compound, which keeps its
    hyphen.
    """

    def join(broken: re.Match[str]) -> str:
        head, tail = broken.groups()
        may_be_word = head[-1].isalpha() and tail[0].islower()  # else `COVID19-related`, `Bose-Einstein`
        hyphen = pdf_line_breaks.decide_hyphen(head, tail, words) if may_be_word else "-"
        return f"{head}{hyphen}{tail}"

    by_page = groupby(rows, key=lambda it: it.page)
    text = "\n\n".join("\n".join(it.text for it in page) for _, page in by_page)
    return _BROKEN.sub(join, text)


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limits, and macOS refuses some
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _limit_time(seconds: float) -> None:
    """End this process after so many seconds of the processor from now on, whatever it does then."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), most))


def _serve() -> None:
    """Answer every path on standard input with one line of JSON; each may take the seconds that are the argument.

    The answer is what `extract` returns, or a string that says why the file cannot be read.  If a file takes too long,
    the system ends this process without an answer; `pdf_processes._PdfReader.ask` notices, and has a clock of its own.
    """
    _limit_memory()
    # Letters by the hundred thousand are looked through in vain for cycles: after each file is often enough.
    gc.freeze()
    gc.disable()
    for line in sys.stdin:
        _limit_time(float(sys.argv[1]))
        try:
            answer = extract(Path(json.loads(line)))
        except (OSError, ValueError, RuntimeError, MemoryError) as problem:
            answer = f"cannot be read: {str(problem) or type(problem).__name__}"
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
        gc.collect()


if __name__ == "__main__":
    _serve()
