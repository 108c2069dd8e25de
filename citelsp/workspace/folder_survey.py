"""What lies in the folders of a workspace: manuscripts, packages, bibliographies."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from citelsp.base import bounds
from citelsp.base.text import is_package
from citelsp.workspace.disk import Disk, is_manuscript

_DEPTH_AROUND_DOCUMENT = 2  # folders below a document that lies in no workspace folder


@dataclass(frozen=True, slots=True)
class Survey:
    """Paths as they were found; `cut` has a sentence for each folder that was not searched to its end."""

    found: Sequence[str] = ()  # manuscripts and their metadata
    packages: frozenset[str] = frozenset()  # names in small letters
    libraries: Mapping[str, Sequence[str]] = field(default_factory=dict)  # .bib files by name in small letters
    cut: Sequence[str] = ()


def survey(disk: Disk, folders: Sequence[str], areas: Iterable[str]) -> Survey:
    """List the manuscripts and bibliographies in the `areas`: the workspace `folders`, and directories outside them.

    Around a directory outside the folders the search goes less deep.
    """
    paths: dict[str, None] = {}
    cut: list[str] = []
    for directory, depth in _directories_to_search(folders, areas):
        listing = disk.scan(directory, depth)
        paths |= dict.fromkeys(listing.paths)
        if listing.cut:
            cut.append(f"{directory} {listing.cut}.")
    manuscripts: list[str] = []
    libraries: dict[str, list[str]] = {}
    for path in paths:
        if is_manuscript(path):
            manuscripts.append(path)
        else:  # a .bib file, as the disk lists nothing else
            libraries.setdefault(os.path.basename(path).lower(), []).append(path)
    packages = frozenset(os.path.basename(path).lower() for path in manuscripts if is_package(path))
    return Survey(manuscripts, packages, libraries, cut)


def _directories_to_search(folders: Sequence[str], areas: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield directories, each with the depth to which to search below it.

    A directory among `areas` that is no workspace folder is searched less deep, and the two above it are looked at too,
    without the folders in them.  The home directory and the one that holds it are not looked at above another; if they,
    or the root, are among `areas` themselves, only their own files are listed.
    """
    home = os.path.expanduser("~")
    for folder in areas:
        if folder in folders:
            yield folder, bounds.DEPTH
            continue
        parent = os.path.dirname(folder)
        is_root = parent == folder
        # A file opened alone in the home directory must not have all of it searched.
        too_broad = {home, os.path.dirname(home), ""}
        if is_root:
            too_broad.add(parent)
        yield folder, 0 if folder in too_broad else _DEPTH_AROUND_DOCUMENT
        for above in (parent, os.path.dirname(parent)):
            if above not in too_broad:
                yield above, 0
