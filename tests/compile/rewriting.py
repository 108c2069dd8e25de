"""Whether bibliographies that citelsp rewrites hold the same entries to two programs of other hands.

    pip install "bibtexparser>=2.0.0b7" pybtex
    python tests/compile/rewriting.py DIRECTORY…

Every .bib file, of equal ones the first, is copied and rewritten by `format`, by `sort` and by `check --fix safe`, each
twice.  A file is unsteady if the second run changes it again.  It is unequal if a program reads other entries in it
than before, blanks aside; of safe fixes, which are there to change values, if it reads other types, keys or fields.
The files are named, to be read by eye: where a program gives up at a fault that is mended, it reads more than before.
"""

import contextlib
import hashlib
import io
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

COMMANDS = {
    "format": ["format"],
    "sort": ["sort"],
    "fix": ["check", "--offline", "--untrusted", "--fix", "safe"],
}
_AT_ONCE = 60  # files of one command
Entry = tuple[str, str, tuple[tuple[str, str], ...]]  # type, key, names and values of the fields


def by_bibtexparser(text: str) -> list[Entry]:
    import bibtexparser

    library = bibtexparser.parse_string(text, parse_stack=[])
    return [
        (entry.entry_type.lower(), entry.key, tuple((it.key.lower(), _plain(str(it.value))) for it in entry.fields))
        for entry in library.entries
    ]


def by_pybtex(text: str) -> list[Entry]:
    import pybtex.errors
    from pybtex.database.input.bibtex import Parser

    pybtex.errors.set_strict_mode(False)
    with contextlib.redirect_stderr(io.StringIO()):
        data = Parser().parse_string(text)
    found: list[Entry] = []
    for key, entry in data.entries.items():
        fields = [(name.lower(), _plain(value)) for name, value in entry.fields.items()]
        people = [(role, " and ".join(map(str, names))) for role, names in entry.persons.items()]
        found.append((entry.type, key, (*fields, *people)))
    return found


READERS = {"bibtexparser": by_bibtexparser, "pybtex": by_pybtex}


def _plain(value: str) -> str:
    return " ".join(value.split())


def distinct(names: list[str]) -> Iterator[Path]:
    seen = set()
    for name in names:
        for file in sorted(Path(name).rglob("*.bib")):
            digest = hashlib.sha256(file.read_bytes()).digest()
            if digest not in seen:
                seen.add(digest)
                yield file


def rewrite(command: str, copies: list[Path]) -> None:
    for start in range(0, len(copies), _AT_ONCE):
        paths = [str(it) for it in copies[start : start + _AT_ONCE]]
        subprocess.run([sys.executable, "-P", "-m", "citelsp", *COMMANDS[command], *paths], capture_output=True)


def compare(command: str, before: str, after: str) -> list[str]:
    """The programs to which the two texts are unequal."""
    return [name for name, reader in READERS.items() if _read(command, reader, before) != _read(command, reader, after)]


def _read(command: str, reader: Callable[[str], list[Entry]], text: str) -> object:
    try:
        entries = reader(text)
    except Exception as problem:  # noqa: BLE001  # of another's program, on a file that is a fault by intention
        return type(problem).__name__
    if command == "fix":
        return [(kind, key, tuple(name for name, _ in fields)) for kind, key, fields in entries]
    return sorted(entries) if command == "sort" else entries


def main(names: list[str]) -> None:
    logging.disable(logging.CRITICAL)
    files = list(distinct(names))
    texts = [it.read_bytes() for it in files]
    for command in COMMANDS:
        with TemporaryDirectory() as place:
            copies = [Path(place, f"{number}.bib") for number in range(len(files))]
            for copy, text in zip(copies, texts, strict=True):
                copy.write_bytes(text)
            rewrite(command, copies)
            once = [it.read_bytes() for it in copies]
            rewrite(command, copies)
            twice = [it.read_bytes() for it in copies]
        report(command, files, texts, once, twice)


def report(command: str, files: list[Path], before: list[bytes], once: list[bytes], twice: list[bytes]) -> None:
    changed, lines = 0, []
    for file, first, second, third in zip(files, before, once, twice, strict=True):
        changed += first != second
        if second != third:
            lines.append(f"  unsteady: {file}\n")
        if first != second:
            texts = first.decode("utf-8", "replace"), second.decode("utf-8", "replace")
            lines += (f"  unequal to {reader}: {file}\n" for reader in compare(command, *texts))
    unsteady = sum("unsteady" in it for it in lines)
    head = f"{command}: {changed} of {len(files)} files changed; {unsteady} unsteady, {len(lines) - unsteady} unequal"
    sys.stdout.writelines([f"{head}\n", *lines])


if __name__ == "__main__":
    main(sys.argv[1:])
