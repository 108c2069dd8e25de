"""What every editor is tested on: a project in a folder with spaces and accents, a small corpus, a small service."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

import crossref_server
import package_index
from citelsp.base import log
from neovim_terminal import Nvim, started

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
NAPPING = "10.1000/napping"  # a question about it is not answered before the editor gives up


class Town(crossref_server.Scholars):
    """Knows the works of the demonstration and of the library; falls asleep over one identifier."""

    def answer(self, path: str, query: dict[str, list[str]]) -> dict | None:
        if NAPPING in path or NAPPING in str(query):
            self.released.wait(60)
            return None
        if path.startswith("/crossref/works/"):
            return self.works.get(path.removeprefix("/crossref/works/"))
        wanted = [it.removeprefix("doi:") for it in query.get("filter", [""])[0].split(",")]
        words = {it.lower() for name, texts in query.items() if name.startswith("query") for it in texts[0].split()}
        shared = {doi: len(words & set(it["title"][0].lower().split())) for doi, it in self.works.items()}
        best = sorted(filter(shared.get, shared), key=shared.get, reverse=True)
        return {"items": [self.works[it] for it in dict.fromkeys([*filter(self.works.get, wanted), *best[:10]])]}


def message(work: dict) -> dict:
    """A line of the demonstration's corpus as Crossref would tell it."""
    doi = work.get("doi") or f"10.48550/arXiv.{work['arxiv']}"
    authors = [dict(zip(("given", "family"), it.rsplit(" ", 1)[-2:], strict=False)) for it in work["authors"]]
    kind = "proceedings-article" if "Proc" in work.get("venue", "") else "journal-article"
    told = crossref_server.work(doi, work["title"], "", "", work["year"], author=authors, type=kind)
    return told | {"container-title": [work.get("venue", "")]}


@pytest.fixture(scope="session")
def until() -> Callable[..., T]:
    """Waits for the first true answer of a probe."""

    def wait(probe: Callable[[], T], seconds: float = 60.0) -> T:
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
def town(private_home: Path) -> Iterator[Town]:
    """The only service that the editors' servers ask; what there is to say about it was said."""
    knuth = crossref_server.work(
        "10.1093/comjnl/27.2.97", "Literate Programming", "Knuth", "Donald E.", 1984,
        **{"container-title": ["The Computer Journal"]},
    )  # fmt: skip
    lines = (ROOT / "fixtures" / "demo" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    town = Town(knuth, *map(message, map(json.loads, lines)))
    services = town.settings()["services"]
    tables = [f"[services.{name}]\n" + toml(values) for name, values in services.items()]
    (private_home / "citelsp").mkdir(exist_ok=True)
    (private_home / "citelsp" / "config.toml").write_text("\n".join(tables), encoding="utf-8")
    (log.directory() / "notices").parent.mkdir(parents=True, exist_ok=True)
    (log.directory() / "notices").write_text("verify\nsearch\ninsert\nmodel\n", encoding="utf-8")
    yield town
    town.close()


def toml(values: dict[str, object]) -> str:
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())


@pytest.fixture(scope="session")
def programs(town: Town) -> Iterator[Callable[[str], str]]:
    """Finds a program beside the tools, this Python, or on PATH, which the editors then share; fails without."""
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


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[package_index.Index]:
    """Of what the server needs; the server itself is not in it."""
    folder = tmp_path_factory.mktemp("wheels")
    for it in package_index.needed_by("citelsp"):
        package_index.pack(it, folder)
    index = package_index.Index(folder)
    yield index
    index.close()


@pytest.fixture(scope="session")
def code_server_entry() -> Path:
    """What Node.js runs as code-server."""
    entry = TOOLS / "code-server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    assert entry.exists(), f"there is no {entry}: .ci/editors makes it"
    return entry


@pytest.fixture(scope="session")
def extension(
    programs: Callable[[str], str], code_server_entry: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of VS Code's extension, its package built and installed into an editor by `editors/install vscode`.

    Once for all processes of a run: each would build it in the same folder, while others read there.
    """
    import fcntl  # not on every system, of which all read this file

    run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent
    built = run / "extension"
    with (run / "extension.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            programs("citelsp")
            options = ["--user-data-dir", run / "editor", "--extensions-dir", run / "editor" / "extensions"]
            code = " ".join(map(str, [programs("node"), code_server_entry, *options]))
            installing = [ROOT / "editors" / "install", "vscode"]
            subprocess.run(installing, env=os.environ | {"CODE": code}, check=True, capture_output=True)
            built.touch()
    return ROOT / "editors" / "vscode"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "pâté and paper"
    folder.mkdir()
    (folder / ".git").mkdir()
    (folder / "main.tex").write_text(MANUSCRIPT, encoding="utf-8")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    (folder / "références.bib").write_text(LIBRARY, encoding="utf-8")
    return folder


@pytest.fixture
def edit(
    workspace: Path, tmp_path: Path, programs: Callable[[str], str], corpus: None, until: Callable[..., bool]
) -> Iterator[Callable[[str], Nvim]]:
    """edit(lines) → Neovim with these lines as its init.lua and the manuscript served."""
    with contextlib.ExitStack() as stack:

        def start(lines: str) -> Nvim:
            init = tmp_path / "init.lua"
            init.write_text(lines, encoding="utf-8")
            session = stack.enter_context(started(programs("nvim"), workspace, tmp_path / "nvim", init))
            until(session.served)
            return session

        yield start
