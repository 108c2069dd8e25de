"""Where the TeX distribution of this machine keeps bibliographies, as far as that shows without running it."""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from citelsp.base import programs

STYLES = ("bibtex/bst",)
_BIBLIOGRAPHIES = ("bibtex/bib", "pbibtex/bib")
_TREES = (  # seen from a directory above the programs: TeX Live, MiKTeX, Debian, Fedora, Arch
    "texmf-dist",
    "texmf-local",
    "",
    "share/texlive/texmf-dist",
    "share/texmf-dist",
    "share/texmf",
    "local/share/texmf",
)


def directories(environment: Mapping[str, str], below: Sequence[str] = _BIBLIOGRAPHIES) -> Iterator[str]:
    """Yield the directories of TeX's trees in which .bib files lie, or styles; `below` names where in a tree to look.

    The trees that the user's environment names come first, then those beside the programs of TeX, if these are found.
    Directories that are not there are left out.
    """
    trees: list[Path] = []
    for variable in ("TEXMFLOCAL", "TEXMFDIST"):
        names = environment.get(variable, "").split(os.pathsep)
        trees += [Path(name.lstrip("!")) for name in names if name]  # `!!` tells kpathsea to look in its index alone
    program = programs.find("kpsewhich", environment.get("PATH", ""))
    if program:
        for above in Path(os.path.realpath(program)).parents:
            trees += [above / name for name in _TREES]
    for directory in dict.fromkeys(tree / name for tree, name in product(trees, below)):
        if directory.is_dir():
            yield str(directory)
