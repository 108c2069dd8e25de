"""A reference as the manuscript's own CSL style prints it.

pandoc is asked: who declares a style has it or Quarto, which brings it.  citeproc-py, the one processor of CSL for
Python, has the words that pandoc prints for 25 of 46 entries of all types in APA's style.
"""

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from citelsp.base import programs
from citelsp.workspace.csl_styles import CslStyle
from citelsp.workspace.disk import is_inside

_SECONDS = 10.0  # a busy machine takes its time; nobody waits for it
_LONGEST_REFERENCE = 20_000  # bytes; what is longer is no reference
_OPTIONS = (
    "--sandbox",  # nothing is read but what is named here; it does not hold for styles: see workspace.csl_styles
    "--from=biblatex",
    "--to=plain",
    "--wrap=none",
    "--output=reference.txt",
    "--csl=style.csl",
    "--citeproc",
    "--lua-filter=filter.lua",
    "entry.bib",
)
_HEAP = ("+RTS", "-M256M", "-RTS")  # a style may call itself without end
# The number that a style puts first is that of the entry's place in a list, which only the whole manuscript knows;
# in plain text small capitals would become capitals.
_FILTER = """
function Span(it) if it.classes:includes("csl-left-margin") then return {} end end
function Div(it) if it.classes:includes("csl-left-margin") then return {} end end
function SmallCaps(it) return it.content end
"""


def program(environment: Mapping[str, str], folders: Sequence[str]) -> str:
    """Return the path of the user's pandoc, or of the one that comes with Quarto; "" if there is neither.

    Both are looked for on the PATH of `environment`, outside these `folders`.
    """
    pandoc = _find_on_path("pandoc", environment, folders)
    if pandoc:
        return pandoc
    quarto = _find_on_path("quarto", environment, folders)
    if not quarto:
        return ""
    tools = Path(os.path.realpath(quarto)).parent / "tools"
    machine = "aarch64" if platform.machine().lower() in ("arm64", "aarch64") else "x86_64"
    # Quarto keeps it in a folder named for the kind of machine, or in some versions without such a folder; what stands
    # on the PATH may be a link to Quarto.
    for path in (tools / machine / _name_file("pandoc"), tools / _name_file("pandoc")):
        if os.access(path, os.X_OK):
            return str(path)
    return ""


def _find_on_path(name: str, environment: Mapping[str, str], folders: Sequence[str]) -> str:
    """Return the path of this program on the user's PATH; "" if there is none outside these folders.

    They are the folders that the author opened: whoever wrote what lies there must not say what is run.  `environment`
    is the user's, which may be another than this process has.
    """
    # A folder that is reached by a link is excluded under both of its paths.
    excluded = (*folders, *map(os.path.realpath, folders))

    def is_excluded(path: str) -> bool:
        return any(is_inside(path, folder) for folder in excluded)

    return programs.find(name, environment.get("PATH", ""), is_excluded)


def _name_file(name: str) -> str:
    """The name of a program's file on this system."""
    return f"{name}.exe" if sys.platform == "win32" else name


def reference(pandoc: str, source: str, style: CslStyle, seconds: float = _SECONDS) -> str:
    """Run pandoc to print the one entry of `source`, which is biblatex, as plain text on one line in this style.

    "" if pandoc fails, takes longer than so many seconds, or prints more than a reference can be.  It runs in a folder
    of its own, which is removed afterwards.
    """
    with TemporaryDirectory(prefix="citelsp-", ignore_cleanup_errors=True) as folder:
        texts = {"entry.bib": source, "style.csl": style.text, "filter.lua": _FILTER}
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8", errors="replace")
        language = [f"--metadata=lang:{style.language}"] if style.language else []
        try:
            done = programs.run([pandoc, *_OPTIONS, *language, *_HEAP], seconds, folder=folder)
            if done.status != 0:
                return ""
            with Path(folder, "reference.txt").open("rb") as file:
                printed = file.read(_LONGEST_REFERENCE + 1)  # one more, by which a longer one is seen
        except OSError:
            return ""
    if len(printed) > _LONGEST_REFERENCE:
        return ""
    return " ".join(printed.decode(errors="replace").split())
