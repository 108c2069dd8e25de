"""The bibliographies of Markdown that names none: all beside the settings of MyST, else those that pandoc is called
with, else the only one beside it.

That is a guess: more may be named on a command line, so no key is undefined and no entry unused because of it.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence

from citelsp.syntax import languages
from citelsp.workspace import roots
from citelsp.workspace.disk import is_inside
from citelsp.workspace.roots import Files

# Files in which people call pandoc, and pandoc's own files of options.
_CALLING_FILES = (
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "defaults.yaml",
    "defaults.yml",
    "pandoc.yaml",
    "pandoc.yml",
)
_BIBLIOGRAPHY_OPTION = re.compile(  # of pandoc: `--bibliography=refs.bib`, `-M bibliography:refs.bib`
    r"(?:--bibliography|(?:--metadata(?:=|[ \t]+)|-M[ \t]*)bibliography)(?:=|:|[ \t]+)[\"']?(?P<file>[^\s\"';|&$()\\]+)"
)
_MYST = "myst.yml"
_MOST_DOCUMENTS = 200  # among which those of a bibliography are looked for


def find_meant(files: Files, folder: str) -> list[str]:
    """Guess the bibliographies that Markdown in a folder is meant to have.

    The folder and those above it are looked at, up to the first that holds a bibliography, or settings of MyST, which
    reads all that lie beside these.  Else those count that a call of pandoc there names, or one that lies there alone
    (of several nobody knows which is meant), but none that some document names: that one's it is.
    """
    # Among very many notes no guess is made, as each would have to be read; but settings of MyST count.
    is_crowded = len(_documents(files)) > _MOST_DOCUMENTS
    for directory in _folders_upward(files, folder):
        if files.exists(os.path.join(directory, _MYST)):
            return list(files.bibliographies(directory))
        if is_crowded:
            continue
        beside = files.bibliographies(directory)
        named = _named_in_calls(files, directory)
        if named or beside:
            only_one = beside if len(beside) == 1 else ()
            return [path for path in named or only_one if not roots.is_named(files, path)]
    return []


def find_guests(files: Files, bibliography: str, meant: Callable[[str], Sequence[str]]) -> list[str]:
    """Find the documents that name no bibliography, but cite from this one and are meant to have it, by their folder.

    `meant(folder)` returns the bibliographies that documents in a folder are meant to have, as `find_meant` guesses.
    [] if the bibliography cannot be read, or if there are more than `_MOST_DOCUMENTS`, all of which would be read.
    """
    source = files.read(bibliography)
    entries = source.syntax.entries if source else None
    documents = _documents(files)
    if entries is None or len(documents) > _MOST_DOCUMENTS:
        return []
    citing: list[str] = []
    for path in documents:
        document = files.read(path)
        cites = document and any(entries.by_key(citation.key) for citation in document.syntax.citations)
        if cites and bibliography in meant(os.path.dirname(path)):
            citing.append(path)
    return citing


def _documents(files: Files) -> list[str]:
    """Return the paths of the Markdown documents of the workspace."""
    return [path for path in files.manuscripts() if languages.language_of_path(path).search == "pandoc"]


def _folders_upward(files: Files, folder: str) -> Iterator[str]:
    """Yield a folder and those above it up to the workspace folder; outside of all workspace folders, it alone."""
    for number, directory in enumerate(roots.folders_above(os.path.join(folder, "any"))):
        if number == 0 or any(is_inside(directory, it) for it in files.folders()):
            yield directory


def _named_in_calls(files: Files, directory: str) -> list[str]:
    """Return the bibliographies that calls of pandoc in a directory name, and that lie in it or below.

    A call may be a line of a Makefile, `pandoc --bibliography=refs.bib paper.md`, or pandoc's own file of options.
    """
    targets: list[str] = []
    for name in _CALLING_FILES:
        source = files.read(os.path.join(directory, name))
        if source is None:
            continue
        # Files of options are YAML, whose reader finds what they name.
        targets += [link.target for link in source.syntax.links if link.kind == "bibliography"]
        is_script = source.language is languages.OTHER
        if is_script:
            targets += [option["file"] for option in _BIBLIOGRAPHY_OPTION.finditer(source.document.text)]
    paths = [os.path.normpath(os.path.join(directory, target)) for target in targets]
    return [path for path in dict.fromkeys(paths) if is_inside(path, directory) and files.exists(path)]
