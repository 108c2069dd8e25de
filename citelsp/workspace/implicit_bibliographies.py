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
    """The bibliographies that Markdown in a folder seems to be meant to have; none that another document names.

    Looked at are the folder and those above it, up to the first that has any, or settings of MyST.
    """
    # A folder of notes, each of which would have to be read to guess.
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
    """The documents that name no bibliography, cite from this one, and by their folder seem to be meant to have it.

    `meant` says which bibliographies the documents of a folder seem to be meant to have.
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
    """The Markdown of the workspace."""
    return [path for path in files.manuscripts() if languages.language_of_path(path).search == "pandoc"]


def _folders_upward(files: Files, folder: str) -> Iterator[str]:
    """A folder and those above it as far as the workspace folder reaches; outside of all, it alone."""
    for number, directory in enumerate(roots.folders_above(os.path.join(folder, "any"))):
        if number == 0 or any(is_inside(directory, it) for it in files.folders()):
            yield directory


def _named_in_calls(files: Files, directory: str) -> list[str]:
    """The bibliographies that calls of pandoc in a directory name, and that lie in it or below.

    As in the Makefile's line `pandoc --bibliography=refs.bib paper.md`, or in pandoc's own files of options.
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
