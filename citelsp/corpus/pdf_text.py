"""What a PDF says of the work in it.  Run as a program it answers one path a line, in a process with limits."""

import json
import math
import re
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from citelsp.corpus import pdf_front, pdf_lines, reference_list

BYTES = 100_000_000
PAGES = 400
CHARACTERS = 2_000_000
_FRONT = 3  # pages that are looked at for title and people
_MEMORY = 1_000_000_000  # bytes of addresses; four read at once
_ARXIV = re.compile(r"arXiv:\s*(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.IGNORECASE)
_REFERENCES = re.compile(
    r"^[^\S\n]*+(?:\d++\.?\s++)?(?:references|bibliography|literature cited)\s*$", re.IGNORECASE | re.MULTILINE
)
_AFTER_REFERENCES = re.compile(
    r"^[^\S\n]*+(?:(?:[A-Z]|\d++)\.?\s++)?(?:appendix|appendices|supplementary materials?)\b.{0,60}$",
    re.IGNORECASE | re.MULTILINE,
)
_ABSTRACT = re.compile(
    r"\babstract\b[\s.:—-]*(.{100,3000}?)(?:\n\s*\n|\n\s*(?:\d|I)?\.?\s*introduction\b)", re.IGNORECASE | re.DOTALL
)


def extract(path: Path) -> dict[str, Any] | str:
    """What a PDF says of its work, as work.from_mapping reads it, or why it says nothing."""
    import pypdfium2 as pdfium

    if (size := path.stat().st_size) > BYTES:
        return f"has {size // 1_000_000} MB; at most {BYTES // 1_000_000} are read"
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        return "is encrypted" if "password" in str(error).lower() else "is not a readable PDF"
    if len(document) > PAGES:
        return f"has {len(document)} pages; at most {PAGES} are read"
    pages: list[str] = []
    front: list[list[pdf_lines.Line]] = []
    for page in document:
        words = page.get_textpage()
        if len(front) < _FRONT:
            front.append(pdf_lines.read(words, len(front) + 1))
        # pdfium writes U+FFFE for a hyphen at a line's end.
        pages.append(words.get_text_bounded().replace("\r\n", "\n").replace("\ufffe", "-"))
        words.close()
        page.close()
        if sum(map(len, pages)) > CHARACTERS:
            break
    text = pdf_lines.repaired(re.sub(r"(\w)-\n([a-z])", r"\1\2", "\n\n".join(pages)))
    # Scans hold a stamp or a page number at most.
    if len(text.strip()) < 50 * min(3, len(pages)):
        return "contains no text; it may be a scan"
    named = document.get_metadata_dict()
    return described(text, pages[0], pdf_front.read(front, named.get("Title", ""), named.get("Author", "")))


def described(text: str, first: str, front: pdf_front.Front) -> dict[str, Any]:
    """A work from the text of a paper, the text of its first page and what stands at its head."""
    head = first[:4000]
    doi, arxiv = reference_list.DOI.search(head), _ARXIV.search(head)
    body, listed = _parted(text)
    found = _ABSTRACT.search(text[:12000])
    return {
        "title": front.title,
        "authors": front.authors,
        "year": front.year,
        "abstract": " ".join(found[1].split()) if found else "",
        "doi": doi[0] if doi else "",
        "arxiv": arxiv[1] if arxiv else "",
        "listed": reference_list.split(listed),
        "text": body,
    }


def _parted(text: str) -> tuple[str, str]:
    """The text without its reference list, and the list; an appendix after the list belongs to the text."""
    # The last one: a table of contents names it too.
    headings = list(_REFERENCES.finditer(text))
    if not headings:
        return text, ""
    start, listed = headings[-1].start(), text[headings[-1].end() :]
    appendix = _AFTER_REFERENCES.search(listed)
    if not appendix:
        return text[:start], listed
    return f"{text[:start]}\n\n{listed[appendix.start() :]}", listed[: appendix.start()]


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
    """Answer every path on standard input with one line of JSON; each may take the seconds that are the argument."""
    _limit_memory()
    for line in sys.stdin:
        _limit_time(float(sys.argv[1]))
        try:
            answer = extract(Path(json.loads(line)))
        except (OSError, ValueError, RuntimeError, MemoryError) as problem:
            answer = f"cannot be read: {problem or type(problem).__name__}"
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
