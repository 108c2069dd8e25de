"""What `citelsp format` and `citelsp sort` share: .bib files read, changed in their layout, written whole or not."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.base.text import Edit
    from citelsp.cli.named_files import TextFile
    from citelsp.workspace.project import Project

_DEPTH = 10  # of folders in folders
Tidying = Callable[["Project", str], "Sequence[Edit] | str"]  # the edits of the bibliography there, or why it has none


@dataclass(frozen=True, slots=True)
class _Tidied:
    """A file as it is, and its text as it should be."""

    original: "TextFile"
    text: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="a .bib file, or a folder of them")
    parser.add_argument("--check", action="store_true", help="write nothing; name the files that would change")
    parser.add_argument("--diff", action="store_true", help="write nothing; print the changes")


def run(options: argparse.Namespace, tidying: Tidying) -> int:
    """Tidy every file that is named, and print the names of those that changed; return the exit status.

    `tidying` gives the edits of a bibliography, or says why it has none: then a warning tells so, the other files are
    tidied, and the status is UNFINISHED.  USAGE if one of the paths is not there or is no .bib file: then none is
    tidied.  With --check or --diff nothing is written, and the status is FINDINGS if a file would change.
    """
    from citelsp.base.text import quote_name

    for named in options.paths:
        if not named.exists():
            common.warn(common.say_missing(str(named)))
            return exits.USAGE
        if not named.is_dir() and not _is_bib(named):
            common.warn(f"{quote_name(str(named))} is not a .bib file")
            return exits.USAGE
    status = exits.OK
    for path in _find_files(options.paths):
        tidied = _tidy_file(path, tidying)
        if isinstance(tidied, str):  # the reason why it is left as it is
            common.warn(f"{quote_name(str(path))}: {tidied}")
            status = exits.UNFINISHED
        elif tidied.text != tidied.original.text:
            status = max(status, _finish(path, tidied, options))  # the graver: OK, FINDINGS, UNFINISHED
    return status


def _find_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield each .bib file that is named or lies in a named folder, once, however many links lead to it.

    A link that leads out of the folder is left out with a warning: its file is not in the folder that was named.  A
    link that is named itself is yielded; `named_files.refusal` says later whether its file may be written.
    """
    from citelsp.base.text import quote_name

    yielded: set[Path] = set()
    for named in paths:
        for path in _find_inside(named) if named.is_dir() else [named]:
            real = path.resolve()
            if named.is_dir() and not real.is_relative_to(named.resolve()):
                common.warn(f"{quote_name(str(path))} is left as it is: it leads out of the folder")
            elif real not in yielded:
                yielded.add(real)
                yield path


def _find_inside(folder: Path) -> Iterator[Path]:
    """Yield the .bib files of a folder and those below it; none that is hidden, or in a hidden or installed folder."""
    from citelsp.workspace.disk import LocalDisk

    for directory in LocalDisk().list_folders(str(folder), _DEPTH):
        for path in sorted(Path(directory).iterdir()):
            if _is_bib(path) and path.is_file() and not path.name.startswith("."):
                yield path


def _is_bib(path: Path) -> bool:
    from citelsp.syntax import languages

    return bool(path.suffix) and languages.language_of_path(path.name).by_field


def _tidy_file(path: Path, tidying: Tidying) -> _Tidied | str:
    """Return the file with its text as it should be, or a text: the reason why there is none.

    `tidying` gives the edits, or that reason.  A file that another program writes, such as Better BibTeX, stays as it
    is, with a warning: its text is returned as if nothing had to change, so that the command does not fail.
    """
    from citelsp import syntax
    from citelsp.base.settings import Settings
    from citelsp.base.text import Document, apply
    from citelsp.features.exports import exporter
    from citelsp.syntax import languages
    from citelsp.workspace.project import Project
    from citelsp.workspace.source import Source

    original = _read_original(path)
    if isinstance(original, str):
        return original
    document = Document(str(path), original.text, languages.BIBTEX.name)
    source = Source(document, syntax.parse(document))
    program = exporter(source)
    if program:
        common.warn(f"{path} is left as it is: {program} writes it, and would overwrite the change")
        return _Tidied(original, original.text)
    # The file alone, with the usual settings: neither manuscripts nor settings have a say in layout and order.
    project = Project({document.path: source}, Settings(), bibliographies=(document.path,))
    edits = tidying(project, document.path)
    return edits if isinstance(edits, str) else _Tidied(original, apply(original.text, edits))


def _read_original(path: Path) -> "TextFile | str":
    """Read a file that is to be written back; or return a text: the reason why it cannot be."""
    from citelsp.cli import named_files

    try:
        original = named_files.read_text(path)
    except FileNotFoundError:
        return "it is not there any more"
    except named_files.FileProblem as problem:
        return str(problem)
    # Written back, bytes that are no text in this encoding would be lost.
    if original.bytes_of(original.text) != original.data:
        return f"it is not valid {original.encoding}"
    return original


def _finish(path: Path, tidied: _Tidied, options: argparse.Namespace) -> int:
    """Write the file and print its name, or print what would change (--diff, --check); return the exit status.

    With --check only the name is printed; with both options, the diff.  A file that has changed since it was read, or
    may not be written, is left as it is: a warning says why, and the status is UNFINISHED.
    """
    from citelsp.base.text import quote_name
    from citelsp.cli import fix, named_files

    if options.diff:
        fix.print_diff(tidied.original, tidied.text)
        return exits.FINDINGS
    if options.check:
        print(quote_name(str(path)))
        return exits.FINDINGS
    try:
        data = tidied.original.bytes_of(tidied.text)
        named_files.rewrite(path, before=tidied.original.data, after=data)
    except named_files.FileProblem as problem:
        return common.fail(f"{quote_name(str(path))} is not changed: {problem}")
    print(quote_name(str(path)))
    return exits.OK
