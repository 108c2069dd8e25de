"""Other programs are started in one module, from a directory that nobody else writes to, within limits."""

import ast
import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pdf_files
from citelsp.base import git, programs
from syntax_trees import nodes

PACKAGE = Path(__file__).parent.parent / "citelsp"
HOME = PACKAGE / "base/programs.py"
MODULES = {"subprocess", "multiprocessing", "pty", "webbrowser", "asyncio.subprocess", "_posixsubprocess"}
OF_OS = ("exec", "spawn", "posix_spawn", "fork", "system", "popen", "startfile")
STARTING = {"create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "subprocess_shell"}
STARTING |= {"ProcessPoolExecutor", "runpy"}


def starts_programs(path):
    """What in a module starts programs, or looks for them where this process was started."""
    for it in nodes(path):
        if isinstance(it, ast.Import):
            yield from (name.name for name in it.names if name.name in MODULES)
        elif isinstance(it, ast.ImportFrom):
            if it.module in MODULES and not is_for_types(it, path):
                yield it.module
            yield from (f"{it.module}.{name.name}" for name in it.names if of(it.module, name.name))
        elif isinstance(it, ast.Attribute):
            owner = it.value.id if isinstance(it.value, ast.Name) else ""
            if of(owner, it.attr):
                yield f"{owner}.{it.attr}"


def is_for_types(imported, path):
    """True for an import in an `if TYPE_CHECKING:`, which no program runs."""
    checks = (it for it in nodes(path) if isinstance(it, ast.If) and ast.unparse(it.test) == "TYPE_CHECKING")
    return any(imported in it.body for it in checks)


def of(owner, name):
    if name in STARTING or (owner, name) in {("shutil", "which"), ("asyncio", "subprocess")}:
        return True
    return owner == "os" and name.startswith(OF_OS)


def test_programs_are_started_in_one_module():
    found = {it.relative_to(PACKAGE).as_posix(): set(starts_programs(it)) for it in PACKAGE.rglob("*.py") if it != HOME}
    assert {name: it for name, it in found.items() if it} == {}
    assert set(starts_programs(HOME)) >= {"subprocess", "asyncio.create_subprocess_exec"}


@pytest.mark.parametrize(
    "line",
    [
        "import subprocess",
        "from subprocess import run",
        "import os\nos.system('x')",
        "from os import execv",
        "import os\nos.posix_spawn('x')",
        "import asyncio\nasyncio.create_subprocess_shell('x')",
        "from asyncio import create_subprocess_exec as start",
        "from asyncio import subprocess",
        "loop.subprocess_exec()",
        "from concurrent.futures import ProcessPoolExecutor",
        "import multiprocessing as m",
        "import shutil\nshutil.which('git')",
    ],
)
def test_another_way_to_start_one_would_be_found(line, tmp_path):
    (tmp_path / "a.py").write_text(line, encoding="utf-8")
    assert list(starts_programs(tmp_path / "a.py"))


def test_the_modules_of_the_current_folder_are_not_those_of_the_pdf_reader(tmp_path, monkeypatch):
    """Neither Python's nor ours."""
    pytest.importorskip("pypdfium2")
    from citelsp.corpus import pdf_processes

    text = ["Zeppelins and Other Airships", "Ada Lovelace", "Abstract", "Airships float because hydrogen is light."]
    papers = tmp_path / "papers"
    papers.mkdir()
    paper = pdf_files.written(papers / "a.pdf", [pdf_files.stream(pdf_files.shown(text))])
    here = tmp_path / "here"
    (here / "citelsp" / "corpus").mkdir(parents=True)
    marking = f"open({str(tmp_path / 'RUN')!r}, 'w')\n"
    for name in ("json.py", "citelsp/__init__.py", "citelsp/corpus/__init__.py", "citelsp/corpus/pdf_extraction.py"):
        (here / name).write_text(marking, encoding="utf-8")
    monkeypatch.chdir(here)
    monkeypatch.setenv("PYTHONPATH", os.pathsep)  # empty names, which mean the current directory
    problems = []
    assert [it.title for it in pdf_processes.read([paper], problems.append)] == ["Zeppelins and Other Airships"]
    assert problems == []
    assert not (tmp_path / "RUN").exists()


CONFIG = """[core]
	repositoryformatversion = 1
	bare = true
[extensions]
	partialClone = origin
[remote "origin"]
	url = .
	promisor = true
	uploadpack = "touch {path}; false"
"""


@pytest.mark.skipif(not programs.find("git", os.environ["PATH"]), reason="needs git")
@pytest.mark.parametrize("git_dir", [".", ".git"])
def test_a_folder_that_looks_like_a_repository_runs_nothing(tmp_path, git_dir):
    """As a clone may bring one among its files, and an archive one with a name of its own."""
    repository = tmp_path / git_dir
    for name in ("objects/info", "refs/heads"):
        (repository / name).mkdir(parents=True)
    mark = tmp_path / "RUN"
    (repository / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (repository / "refs/heads/main").write_text("12345678" * 5 + "\n", encoding="utf-8")
    config = CONFIG.format(path=mark.as_posix())
    config = config if git_dir == "." else config.replace("bare = true", f"fsmonitor = touch {mark.as_posix()}")
    (repository / "config").write_text(config, encoding="utf-8")
    for words in (("rev-parse", "--verify", "HEAD^{commit}"), ("status",), ("ls-tree", "HEAD")):
        assert git.ask(str(tmp_path), *words).status
        assert not mark.exists()


@pytest.mark.skipif(not programs.find("git", os.environ["PATH"]), reason="needs git")
def test_a_partial_clone_is_told_from_others(tmp_path, monkeypatch):
    subprocess.run(["git", "init", "-q", tmp_path / "a"], check=True)
    settings = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    (tmp_path / "a" / "b.bib").write_text("@book{a, title={A}}", encoding="utf-8")
    for words in (["add", "."], ["commit", "-qm", "x"], ["config", "uploadpack.allowFilter", "true"]):
        subprocess.run(["git", *settings, "-C", tmp_path / "a", *words], check=True)
    origin = (tmp_path / "a").as_uri()
    clone = ["git", "clone", "-q", "--no-checkout", "--filter=blob:none", origin, tmp_path / "b"]
    subprocess.run(clone, check=True)
    done = git.ask(str(tmp_path / "b"), "cat-file", "blob", "HEAD:b.bib")
    assert done.status
    assert git.is_partial(done.err.decode())


def test_a_program_is_found_in_directories_that_are_named_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "tool.exe" if sys.platform == "win32" else "tool"
    (tmp_path / "bin").mkdir()
    for folder in (tmp_path, tmp_path / "bin"):
        (folder / name).touch(mode=0o755)
    relative = os.pathsep.join(("", ".", "bin"))
    assert programs.find("tool", relative) == ""
    assert programs.find("./tool", relative) == ""
    assert programs.find("tool", os.pathsep.join((relative, str(tmp_path / "bin")))) == str(tmp_path / "bin" / name)
    assert programs.find("tool", str(tmp_path / "bin"), lambda it: "bin" in Path(it).parts) == ""
    assert programs.find(str(tmp_path / name), "") == str(tmp_path / name)


def python(code):
    return [sys.executable, "-c", code]


def test_a_program_starts_where_nobody_else_writes():
    [place] = {programs.run(python("import os; print(os.getcwd())"), 30).out.decode().strip() for _ in range(1)}
    assert place == (os.environ["SYSTEMROOT"] if sys.platform == "win32" else "/")


def test_a_program_has_nothing_to_read():
    assert programs.run(python("import sys; print(repr(sys.stdin.read()))"), 30).out.strip() == b"''"


def test_a_program_has_its_seconds():
    assert programs.run(python("import time; time.sleep(60)"), 0.5) == programs.Done(None, b"")


def test_a_program_that_another_one_holds_open_is_not_waited_for():
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(20)'])"
    assert programs.run(python(code), 10).status == 0


def test_a_program_may_write_so_much():
    assert programs.run(python("print('a' * 100)"), 30, most=50).status is None
    assert programs.run(python("while True: print('a' * 1000)"), 30, most=5000).out == b""
    assert programs.run(python("import sys\nwhile True: sys.stderr.write('a' * 1000)"), 30).status is None
    assert programs.run(python("print('a' * 100)"), 30, most=150).out.strip() == b"a" * 100


def test_what_runs_beside_has_its_seconds_and_ends_when_it_is_cancelled(tmp_path):
    mark = tmp_path / "ended"
    slow = python(f"import time; time.sleep(3); open({str(mark)!r}, 'w')")

    async def cancelled():
        task = asyncio.create_task(programs.run_beside(slow, 60))
        await asyncio.sleep(0.3)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(programs.run_beside(slow, 0.3)).status is None
    assert asyncio.run(cancelled())
    assert not mark.exists()


def test_our_own_modules_are_found_from_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(PACKAGE.parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((".", "", "tests", str(tmp_path))))
    named = programs.own_environment()["PYTHONPATH"].split(os.pathsep)
    assert named == [str(PACKAGE.parent), str(tmp_path)]
    command = programs.own_command("citelsp", "--version")
    assert "-P" in command
    assert programs.run(command, 60, environment=programs.own_environment()).status == 0
