"""A reference as the manuscript's own CSL style prints it.

pandoc is asked: who declares a style has it or Quarto, which brings it.  citeproc-py, the one processor of CSL for
Python, has the words that pandoc prints for 25 of 46 entries of all types in APA's style.
"""

import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from citelsp.workspace.disk import inside
from citelsp.workspace.styles import CslStyle

_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # there is one on Windows alone
_SECONDS = 10.0  # a busy machine takes its time; nobody waits for it
_LONGEST = 20_000  # bytes of a reference
_OPTIONS = (
    "--sandbox",  # nothing is read but what is named here; it does not hold for styles: see workspace.styles
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
    """The path of the user's pandoc, be it Quarto's; "" if there is none on the user's PATH outside these folders."""
    if found := _on_path("pandoc", environment, folders):
        return found
    if quarto := _on_path("quarto", environment, folders):
        tools = Path(os.path.realpath(quarto)).parent / "tools"
        machine = "aarch64" if platform.machine().lower() in ("arm64", "aarch64") else "x86_64"
        places = (tools / machine / _file("pandoc"), tools / _file("pandoc"))
        return next((str(it) for it in places if os.access(it, os.X_OK)), "")
    return ""


def _on_path(name: str, environment: Mapping[str, str], folders: Sequence[str]) -> str:
    """Not by `shutil.which`, which on Windows looks first in the directory that the server was started in.

    Who writes what the author opens must not say what is run.
    """
    for directory in map(Path, environment.get("PATH", "").split(os.pathsep)):
        path = directory / _file(name)
        if directory.is_absolute() and path.is_file() and os.access(path, os.X_OK):
            names, real = (str(path), os.path.realpath(path)), map(os.path.realpath, folders)
            if not any(inside(it, folder) for folder in (*folders, *real) for it in names):
                return str(path)
    return ""


def _file(name: str) -> str:
    return f"{name}.exe" if sys.platform == "win32" else name


def reference(pandoc: str, source: str, style: CslStyle, seconds: float = _SECONDS) -> str:
    """The one entry of `source`, which is biblatex, in this style; "" if it cannot be printed in so many seconds."""
    with TemporaryDirectory(prefix="citelsp-", ignore_cleanup_errors=True) as folder:
        texts = {"entry.bib": source, "style.csl": style.text, "filter.lua": _FILTER}
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8", errors="replace")
        language = [f"--metadata=lang:{style.language}"] if style.language else []
        try:
            subprocess.run(  # noqa: S603  # the user's own program, our options, no shell
                [pandoc, *_OPTIONS, *language, *_HEAP],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=True,
                creationflags=_NO_WINDOW,
            )
            with Path(folder, "reference.txt").open("rb") as file:
                printed = file.read(_LONGEST + 1)
        except (OSError, subprocess.SubprocessError):
            return ""
    return " ".join(printed.decode(errors="replace").split()) if len(printed) <= _LONGEST else ""
