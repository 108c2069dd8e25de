"""Files and folders that are kept indexed: what changed in them since they were last read."""

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from pathlib import Path

from citelsp.base import regular_files
from citelsp.corpus import imports, pdf_processes
from citelsp.corpus.index import Added, Corpus

_ENDINGS = frozenset({".pdf", ".bib", ".bibtex", ".jsonl"})


def list_changed(corpus: Corpus, watched: Iterable[str | Path]) -> list[Path]:
    """The files in or below the watched paths that are new or changed since `update` last read them, in order."""
    files = {file for path in watched for file in _list_files(Path(path).expanduser())}
    return sorted(it for it in files if corpus.store.state(_name_state(it)) != _mark_version(it))


def update(
    corpus: Corpus,
    watched: Iterable[str | Path],
    problem: Callable[[str], None],
    report: Callable[[int], None],
    stopped: Callable[[], bool] = lambda: False,
) -> Added:
    """Read the files in or below the `watched` paths that changed; return how many works were new, changed or the same.

    `problem` is called with a line for each thing that cannot be read, `report` after each file that was read with the
    number of files so far, those that cannot be opened included.  CorpusError if the corpus cannot be written.  A file
    that was read is read again only once it changes; one that cannot be opened, and the one that was being read when
    `stopped` came true, at the next update.  Works of deleted files stay.
    """
    total = Added()
    for count, path in enumerate(list_changed(corpus, watched), 1):
        # The mark says which version of the file this is; `list_changed` compares it.  It is taken before reading, so
        # that a file that is written to meanwhile counts as changed.
        mark = _mark_version(path)
        works = imports.read(path, problem, corpus.store.has_file)
        try:
            # Tried here, because `read` only tells of a file that cannot be opened, which then would count as read.
            regular_files.open_file(path).close()
            added = corpus.add(takewhile(lambda _: not stopped(), works))
        except OSError as error:
            problem(f"{path}: cannot be read: {error.strerror or error}")
            continue
        total = total.plus(added)
        if stopped():
            break
        with corpus.store.writing():
            corpus.store.set_state(_name_state(path), mark)
        report(count)
    return total


def _list_files(path: Path) -> Iterator[Path]:
    """A file itself, or those below a folder with one of _ENDINGS (see `imports.list_files`)."""
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from filter(Path.is_file, imports.list_files(path, _ENDINGS))


def _name_state(path: Path) -> str:
    return f"watched:{path.absolute()}"


def _mark_version(path: Path) -> str:
    """What differs once a file was written anew, or would be read better; "" if it is gone."""
    try:
        found = path.stat()
    except OSError:
        return ""
    reading = f" {pdf_processes.READING}" if path.suffix.lower() == ".pdf" else ""
    return f"{found.st_mtime_ns} {found.st_size}{reading}"
