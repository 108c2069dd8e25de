"""Works and papers from PDF files, read in processes of their own so that a hostile file can at worst end one."""

import json
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import blake2b, file_digest
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

from citelsp.base import programs, regular_files
from citelsp.base.text import quote_name
from citelsp.bibliography.received import ReadCitation, ReadPaper, ReadReference
from citelsp.corpus.work import Work, from_mapping

if TYPE_CHECKING:
    from subprocess import Popen

SECONDS = 30.0  # of the processor, for one file
CHECKED_SECONDS = 18.0  # the same where somebody waits for it
_LEAST, _SLOWER = 60.0, 4  # seconds on the clock at least, and times as many: a busy machine is no bad file
FILES_A_PROCESS = 100  # then a new one reads on
READING = 4  # what readers find in a file; once more if they find it better, so that files are read again
_PROCESSES = max(1, min(4, os.cpu_count() or 1))
_AHEAD = 4  # files a process that may be read before they are asked for
_OUT_OF_TIME = -getattr(signal, "SIGXCPU", 0)  # as a process ends that has spent its seconds
_GONE = "could not be read: the reader ran out of memory or crashed"


def read(
    files: Iterable[Path],
    problem: Callable[[str], None],
    known: Callable[[str], bool] = lambda _: False,
    seconds: float = SECONDS,
) -> Iterator[Work]:
    """Yield the works in PDF files, in the order of the files, several of which are read at a time.

    A file that cannot be read is skipped, and `problem` is called with one line that says why.  A file is skipped
    silently if `known` is true for the digest of its bytes.  A file may take `seconds` of the processor.
    """
    for path, answer in _read_in_order(files, seconds, known):
        # A string is the reason why there is no work: the reader's, or that of `from_mapping` for what it read.
        work_or_reason = from_mapping(answer.members) if isinstance(answer, _Answer) else answer
        if isinstance(work_or_reason, Work) and isinstance(answer, _Answer):
            yield replace(work_or_reason, file=answer.digest)
        elif work_or_reason is not None:
            problem(f"{quote_name(str(path))}: {work_or_reason}")


def read_papers(files: Iterable[Path], seconds: float = CHECKED_SECONDS) -> Iterator[tuple[Path, ReadPaper | str]]:
    """Each PDF file in order with the paper in it, or in one sentence why it cannot be read."""
    for path, answer in _read_in_order(files, seconds, lambda _: False):
        # None does not come: no file counts as known.
        yield path, _make_paper(answer.members) if isinstance(answer, _Answer) else answer or _GONE


def _make_paper(members: dict[str, Any]) -> ReadPaper:
    return ReadPaper(
        title=members["title"],
        authors=tuple(members["authors"]),
        year=members["year"],
        references=tuple(ReadReference(label, text, page) for label, text, page in members["references"]),
        citations=tuple(ReadCitation(mark, page) for mark, page in members["citations"]),
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a reader found in a file of this digest."""

    members: dict[str, Any]
    digest: str


# What a reader found in a file; a string that says why it cannot be read; or None for one that is known, and not read.
_Outcome = _Answer | str | None


def _read_in_order(
    files: Iterable[Path], seconds: float, known: Callable[[str], bool]
) -> Iterator[tuple[Path, _Outcome]]:
    """Yield each file, in order, with its outcome.

    A file is not read if its digest is `known`.  Some files are read ahead of the one yielded.  Each may take `seconds`
    of the processor.
    """
    readers = [_PdfReader(seconds) for _ in range(_PROCESSES)]
    free: SimpleQueue[_PdfReader] = SimpleQueue()
    for reader in readers:
        free.put(reader)

    def ask(path: Path) -> _Outcome:  # in one of the threads
        try:
            digest = digest_of(path)
        except OSError as error:
            return f"cannot be read: {error.strerror or error}"
        return None if known(digest) else _ask_free_reader(free, path, digest)

    waiting: deque[tuple[Path, Future[_Outcome]]] = deque()
    threads = ThreadPoolExecutor(len(readers))
    try:
        for path in files:
            waiting.append((path, threads.submit(ask, path)))
            if len(waiting) > _AHEAD * len(readers):
                first, result = waiting.popleft()
                yield first, result.result()
        while waiting:
            first, result = waiting.popleft()
            yield first, result.result()
    finally:
        # The caller may stop early.  The threads wait for the readers' answers: they end only once these are killed.
        threads.shutdown(wait=False, cancel_futures=True)
        for reader in readers:
            reader.stop()
        threads.shutdown()


def digest_of(path: Path) -> str:
    """What a corpus knows a file by, as it is read today; OSError if it is none that can be read."""
    with regular_files.open_file(path) as file:
        return f"{READING}:{file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()}"


def earlier_digests(digest: str) -> list[str]:
    """What a corpus knows the same file by that was read by an earlier version."""
    _, _, plain = digest.rpartition(":")
    return [plain, *(f"{it}:{plain}" for it in range(2, READING))]


def _ask_free_reader(free: "SimpleQueue[_PdfReader]", path: Path, digest: str) -> _Answer | str:
    reader = free.get()
    try:
        answer = reader.ask(path)
    finally:
        free.put(reader)
    return _Answer(answer, digest) if isinstance(answer, dict) else answer


class _PdfReader:
    """A process that reads; started when first asked, and anew after it died, took too long or has read many files."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: Popen[str] | None = None
        self._answers: Queue[str] = Queue()
        self._listener = Thread()
        self._files_left = 0

    def ask(self, path: Path) -> dict[str, Any] | str:
        """Return what the process reads in a file, or a string that says why it cannot; it is stopped if it failed.

        One process reads a number of files, one after the other; then it makes room for a fresh one.
        """
        if not self._files_left:  # it has read as many as one process may, or none was started yet
            self.stop()
        process = self._process or self._start()
        if process.stdin is None:  # never so: for the type checker
            return _GONE
        self._files_left -= 1
        try:
            process.stdin.write(f"{json.dumps(str(path.resolve()))}\n")
            process.stdin.flush()
            # The reader ends itself by the processor's clock; this is for one that waits, or runs on Windows.
            line = self._answers.get(timeout=max(_LEAST, _SLOWER * self._seconds))
        except Empty:
            self.stop()
            return self._late()
        except OSError:  # the process has ended, and its pipe is broken
            line = ""
        if not line.endswith("\n"):  # it ended before its answer, or in the middle of it
            programs.wait(process, _LEAST)  # for the status with which it ends, in `returncode`
            self.stop()
            return self._late() if process.returncode == _OUT_OF_TIME else _GONE
        answer: dict[str, Any] | str = json.loads(line)
        return answer

    def _start(self) -> "Popen[str]":
        """Start a process, and a thread that hands on its answers: a line for each file, "" once it has ended.

        `ask` waits with a time limit: on Windows a pipe has none, a queue has one on every system.
        """
        process = programs.start_module("citelsp.corpus.pdf_extraction", str(self._seconds))
        answers: Queue[str] = Queue()  # of its own: what an earlier process wrote is of no use

        def forward_answers() -> None:
            for line in process.stdout or ():
                answers.put(line)
            answers.put("")

        self._listener = Thread(target=forward_answers, daemon=True)
        self._listener.start()
        self._process = process
        self._answers = answers
        self._files_left = FILES_A_PROCESS
        return process

    def _late(self) -> str:
        return f"took longer than {self._seconds:.0f} seconds"

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._listener.join()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None
