"""What every editor is tested on: a project in a folder with spaces and accents, and a small corpus."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")

ROOT = Path(__file__).parent.parent.parent
TOOLS = Path(os.environ.get("CITELSP_EDITORS", ROOT / "build" / "editors"))
MANUSCRIPT = r"""\documentclass{article}
\usepackage{natbib}
\title{Attention in the editor}
\begin{document}
Known work \citep{knuth84literate}.

\bibliography{références}
\end{document}
"""
NOTES = """---
title: Notes on attention
bibliography: références.bib
---

Known work [@knuth84literate].
"""
LIBRARY = """@article{knuth84literate,
  author  = {Knuth, Donald E.},
  title   = {Literate Programming},
  journal = {The Computer Journal},
  year    = {1984},
}

@book{lamport94latex,
  author    = {Lamport, Leslie},
  title     = {LaTeX: A Document Preparation System},
  publisher = {Addison-Wesley},
  year      = {1994},
}
"""


@pytest.fixture(scope="session")
def until() -> Callable[..., T]:
    """Waits for the first true answer of a probe."""

    def wait(probe: Callable[[], T], seconds: float = 20.0) -> T:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if result := probe():
                return result
            time.sleep(0.05)
        raise AssertionError(f"waited {seconds} s in vain; last answer {result!r}")

    return wait


@pytest.fixture
def library() -> str:
    return LIBRARY


@pytest.fixture(scope="session")
def programs(private_home: Path) -> Iterator[Callable[[str], str]]:
    """Finds a program beside the tools, this Python, or on PATH, which the editors then share; fails without."""
    (private_home / "citelsp").mkdir(exist_ok=True)
    (private_home / "citelsp" / "config.toml").write_text("offline = true\n", encoding="utf-8")
    before = os.environ["PATH"]
    os.environ["PATH"] = os.pathsep.join([str(TOOLS / "bin"), str(Path(sys.executable).parent), before])

    def find(name: str) -> str:
        found = shutil.which(name)
        if not found:
            pytest.fail(f"there is no {name}: .ci/editors installs what these tests need", pytrace=False)
        return found

    yield find
    os.environ["PATH"] = before


@pytest.fixture(scope="session")
def tools() -> Path:
    return TOOLS


@pytest.fixture(scope="session")
def corpus(programs: Callable[[str], str]) -> None:
    """The demonstration's works in the default corpus of the tests' own home."""
    works = ROOT / "fixtures" / "demo" / "corpus.jsonl"
    subprocess.run([programs("citelsp"), "corpus", "add", works], check=True, capture_output=True)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "pâté and paper"
    folder.mkdir()
    (folder / ".git").mkdir()
    (folder / "main.tex").write_text(MANUSCRIPT, encoding="utf-8")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    (folder / "références.bib").write_text(LIBRARY, encoding="utf-8")
    return folder
