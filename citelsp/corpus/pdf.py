"""Works from PDF files, read in a process of its own so that a hostile file can at worst end that process."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from citelsp.corpus.work import Work, from_mapping

SECONDS = 30.0  # for one file
BYTES = 100_000_000
PAGES = 400
CHARACTERS = 2_000_000
_MEMORY = 2_000_000_000
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}]+[^\s\"<>{}.,;:)\]]")
_ARXIV = re.compile(r"arXiv:\s*(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.IGNORECASE)
_REFERENCES = re.compile(r"^\s*(?:\d+\.?\s+)?(?:references|bibliography)\s*$", re.IGNORECASE | re.MULTILINE)
_JUNK_TITLE = re.compile(
    r"^(?:untitled|microsoft word|.*\.(?:dvi|docx?|tex|pdf|indd|qxd)\b.*|[\W\d_]*)$", re.IGNORECASE
)
_NOT_A_TITLE = re.compile(
    r"arxiv|proceedings|journal|volume|vol\.|©|copyright|http|published|preprint|doi", re.IGNORECASE
)


def read(files: Iterable[Path], problem: Callable[[str], None]) -> Iterator[Work]:
    """The works in PDF files, in order.  A file that cannot be read is told to `problem` in one line and skipped."""
    reader = _Reader()
    try:
        for path in files:
            answer = reader.ask(path)
            work = from_mapping(answer) if isinstance(answer, dict) else answer
            if isinstance(work, Work):
                yield work
            else:
                problem(f"{path}: {work}")
    finally:
        reader.stop()


class _Reader:
    """The process that reads; started when first asked, and again after it died or took too long."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._answers: Queue[str] = Queue()

    def ask(self, path: Path) -> dict[str, Any] | str:
        process = self._process or self._start()
        if process.stdin is None:
            return "cannot be read"
        try:
            process.stdin.write(f"{json.dumps(str(path.resolve()))}\n")
            process.stdin.flush()
            line = self._answers.get(timeout=SECONDS)
        except Empty:
            self.stop()
            return f"took longer than {SECONDS:.0f} seconds"
        except OSError:
            line = ""
        if not line:
            self.stop()
            return "could not be read: the reader ran out of memory or crashed"
        answer: dict[str, Any] | str = json.loads(line)
        return answer

    def _start(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "citelsp.corpus.pdf"]
        process = subprocess.Popen(  # noqa: S603 - our own module
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        answers: Queue[str] = Queue()

        def forward() -> None:
            for line in process.stdout or ():
                answers.put(line)
            answers.put("")

        Thread(target=forward, daemon=True).start()
        self._process, self._answers = process, answers
        return process

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


def extract(path: Path) -> dict[str, Any] | str:
    """What a PDF says of its work, as from_mapping reads it, or why it says nothing."""
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
    for page in document:
        pages.append(page.get_textpage().get_text_bounded().replace("\r\n", "\n").replace("￾", "-"))
        if sum(map(len, pages)) > CHARACTERS:
            break
    text = re.sub(r"(\w)-\n([a-z])", r"\1\2", "\n\n".join(pages))
    if len(text.strip()) < 50 * min(3, len(pages)):
        return "holds no text: a scan?"
    return _described(text, pages[0], document.get_metadata_dict().get("Title", ""))


def _described(text: str, first: str, named: str) -> dict[str, Any] | str:
    head = first[:4000]
    doi, arxiv = _DOI.search(head), _ARXIV.search(head)
    parts = _REFERENCES.split(text)
    cited = parts[-1] if len(parts) > 1 else ""
    references = [f"doi:{it.lower()}" for it in _DOI.findall(cited)] + [f"arxiv:{it}" for it in _ARXIV.findall(cited)]
    title = " ".join(named.split())
    if len(title) < 10 or _JUNK_TITLE.match(title):
        title = _first_lines(first)
    return {
        "title": title,
        "abstract": _abstract(text),
        "doi": doi[0] if doi else "",
        "arxiv": arxiv[1] if arxiv else "",
        "references": list(dict.fromkeys(references)),
        "text": text if len(parts) == 1 else text[: len(text) - len(cited)],
    }


def _first_lines(page: str) -> str:
    """The first line of a page that can be a title, with the next one where it goes on."""
    lines = [it.strip() for it in page.splitlines() if it.strip()]
    for number, line in enumerate(lines[:12]):
        if 10 <= len(line) <= 200 and not _NOT_A_TITLE.search(line) and sum(map(str.isalpha, line)) > len(line) / 2:
            following = lines[number + 1] if number + 1 < len(lines) else ""
            goes_on = line.endswith((":", "-", "and", "of", "for", "with", "the", "in", "on", "via", "to", "a"))
            return f"{line} {following}" if goes_on else line
    return ""


def _abstract(text: str) -> str:
    found = re.search(
        r"\babstract\b[\s.:—-]*(.{100,3000}?)(?:\n\s*\n|\n\s*(?:\d|I)?\.?\s*introduction\b)", text[:12000], re.I | re.S
    )
    return " ".join(found[1].split()) if found else ""


def _serve() -> None:
    """Answer every path on standard input with one line of JSON."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    for line in sys.stdin:
        try:
            answer = extract(Path(json.loads(line)))
        except (OSError, ValueError, RuntimeError, MemoryError) as problem:
            answer = f"cannot be read: {problem or type(problem).__name__}"
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
