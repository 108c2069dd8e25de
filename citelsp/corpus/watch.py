"""Files and folders that are kept indexed: what changed in them since they were last read."""

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from pathlib import Path

from citelsp.corpus import imports, pdf
from citelsp.corpus.index import Added, Corpus

_ENDINGS = frozenset({".pdf", ".bib", ".bibtex", ".jsonl"})


def changed(corpus: Corpus, watched: Iterable[str | Path]) -> list[Path]:
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
    """Read what changed; how many works that added.  `report` is told how many files were read so far.

    What cannot be read goes to `problem`.  Works of deleted files stay.  A file that cannot be opened is tried again at
    the next update, as is the file that was being read when `stopped` came true; others once they change.
    """
    total = Added()
    for count, path in enumerate(changed(corpus, watched), 1):
        # Taken before reading: what is written meanwhile makes the file new again.
        mark = _mark_version(path)
        works = imports.read(path, problem, corpus.store.has_file)
        try:
            added = corpus.add(takewhile(lambda _: not stopped(), works))
        except OSError as error:
            problem(f"{path}: cannot be read: {error.strerror or error}")
            continue
        total = total.plus(added.new, added.changed, added.same)
        if stopped():
            break
        with corpus.store.writing():
            corpus.store.set_state(_name_state(path), mark)
        report(count)
    return total


def _list_files(path: Path) -> Iterator[Path]:
    """A file itself, or those with a known ending below a folder; links to folders are not followed."""
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from (it for it in path.rglob("*") if it.suffix.lower() in _ENDINGS and it.is_file())


def _name_state(path: Path) -> str:
    return f"watched:{path.absolute()}"


def _mark_version(path: Path) -> str:
    """What differs once a file was written anew, or would be read better; "" if it is gone."""
    try:
        found = path.stat()
    except OSError:
        return ""
    reading = f" {pdf.READING}" if path.suffix.lower() == ".pdf" else ""
    return f"{found.st_mtime_ns} {found.st_size}{reading}"
