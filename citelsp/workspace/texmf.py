"""Where the TeX distribution of this machine keeps bibliographies, as far as that shows without running it."""

import os
from collections.abc import Iterator, Mapping, Sequence
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
    """Those that hold .bib files in their folders, or styles, the user's own settings first."""
    named = (it for name in ("TEXMFLOCAL", "TEXMFDIST") for it in environment.get(name, "").split(os.pathsep))
    trees = [Path(it.lstrip("!")) for it in named if it]
    if program := programs.find("kpsewhich", environment.get("PATH", "")):
        trees += (above / it for above in Path(os.path.realpath(program)).parents for it in _TREES)
    found = (tree / it for tree in trees for it in below)
    yield from (str(it) for it in dict.fromkeys(found) if it.is_dir())
