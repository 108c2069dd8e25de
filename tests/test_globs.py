"""Patterns of file names: what a shell would find, within bounds, and nothing of the machine around the workspace."""

import glob
import os
import subprocess
import sys
from pathlib import Path

import pytest

from citelsp.base import bounds, regular_files
from citelsp.base.settings import Settings, SyntaxSettings
from citelsp.checks import notes
from citelsp.workspace import globs, include_graph, link_paths
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.globs import Allowance, Patterns

CLASS = "\\documentclass{article}\n\\cite{gone}\n"
NAMES = ["a.bib", "b.tex", ".hidden.bib", "lib/a.bib", "lib/[x].bib", "lib/deep/er/a.bib", ".git/a.bib", "lib2/c.bib"]


@pytest.fixture
def workspace(tmp_path):
    for name in NAMES:
        path = tmp_path / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("@book{a, title = {A}}", encoding="utf-8")
    return tmp_path / "work"


def linked(path, target):
    try:
        path.symlink_to(target, target_is_directory=True)
    except OSError:
        pytest.skip("this system makes no symbolic links")


def found(folder, pattern, **allowed):
    listing = globs.find(
        f"{folder}{os.sep}{pattern}".replace("/", os.sep), lambda: [os.path.realpath(folder)], Allowance(**allowed)
    )
    return [os.path.relpath(it, folder).replace(os.sep, "/") for it in listing.paths], listing.cut


@pytest.mark.parametrize(
    "pattern",
    ["*.bib", "**/*.bib", "*/a.bib", "lib*/*", "l?b/a.bib", "**/deep/**/a.bib", "lib/[[]x].bib", ".*.bib", ".git/*",
     "**", "**/a.bib", "lib/**/**/a.bib", "[!l]*", "none/*", "lib/a.bib", "**/er/*", "*/*/*/*"],
)  # fmt: skip
def test_a_pattern_finds_what_a_shell_finds(workspace, pattern):
    usual = glob.glob(pattern, root_dir=workspace, recursive=True)  # noqa: PTH207  pathlib's is another pattern
    paths, cut = found(workspace, pattern)
    assert not cut
    assert [it for it in paths if (workspace / it).is_file()] == sorted(
        {it for it in usual if (workspace / it).is_file()}
    )


def test_folders_are_searched_inside_the_workspace_only(workspace):
    (workspace.parent / "beside").mkdir()
    (workspace.parent / "beside" / "z.bib").touch()
    for outside in ("**/*.bib", "*/z.bib", "beside/**/*.bib"):
        paths, cut = found(workspace.parent, outside)
        listing = globs.find(
            f"{workspace.parent}/{outside}".replace("/", os.sep), lambda: [str(workspace)], Allowance()
        )
        assert (len(paths) > 0, cut) == (True, "")
        assert not listing.paths
        assert "outside the workspace" in listing.cut
    plain = globs.find(f"{workspace.parent}/beside/*.bib".replace("/", os.sep), lambda: [str(workspace)], Allowance())
    assert ([Path(it).name for it in plain.paths], plain.cut) == (["z.bib"], "")


def test_links_are_followed_once_and_not_out_of_the_workspace(workspace):
    for name in ("one", "two", "lib/three"):
        linked(workspace / name, workspace)
    assert found(workspace, "**/a.bib") == (["a.bib", "lib/a.bib", "lib/deep/er/a.bib"], "")
    linked(workspace / "out", workspace.parent)
    paths, cut = found(workspace, "**/a.bib")
    assert (len(paths), "a link to a folder outside" in cut) == (3, True)
    assert "outside the workspace" in found(workspace, "out/**/a.bib")[1]


def test_every_bound_is_said(workspace):
    assert found(workspace, "**/*", names=3)[1] == f"covers more than {bounds.NAMES:,} names"
    assert found(workspace, "**/*", names=11)[1] == f"covers more than {bounds.NAMES:,} names"
    assert found(workspace, "**/*", names=12)[1] == ""
    patterns = Patterns(globs.find, lambda: [str(workspace)])
    (workspace / "many").mkdir()
    for number in range(bounds.FOUND + 1):
        (workspace / "many" / f"{number}.bib").touch()
    assert len(patterns.find(str(workspace / "many" / "*.bib")).paths) == bounds.FOUND
    deep = workspace.joinpath(*["d"] * (bounds.PATTERN_DEPTH + 2))
    deep.mkdir(parents=True)
    patterns.find(str(workspace / "d" / "**" / "*.bib"))
    patterns.find(str(workspace / ("{a,b}" * 7)))
    patterns.find(str(workspace / f"{{{'a,' * 5000}}}"))
    said = patterns.problems()
    assert len(said) == 4
    for problem, why in zip(said, ("2,000 files", "40 deep", "64 names", "64 names"), strict=True):
        assert why in problem
        assert len(problem) < 300


def test_all_patterns_share_one_allowance(workspace):
    patterns, asked = Patterns(globs.find, lambda: [str(workspace)]), 0
    (workspace / "many").mkdir()
    for number in range(1000):
        (workspace / "many" / f"{number}").touch()
    while not patterns.problems():
        asked += 1
        patterns.find(str(workspace / "many" / f"{asked}*.bib"))
    assert asked <= bounds.NAMES / 1000 + 1
    patterns.forget()
    assert patterns.find(str(workspace / "*.bib")).cut == ""


def test_time_passes_while_patterns_are_looked_for_alone(workspace):
    late = Allowance(seconds=-1)
    assert not globs.find(str(workspace / "*.bib"), list, late).cut
    with late.timed():
        assert globs.find(str(workspace / "*.bib"), list, late).cut == "takes longer than 3 seconds"


@pytest.mark.parametrize("pattern", ["/**/*.bib", "../**/*.bib", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}*.bib"])
def test_what_a_bound_ends_is_said_once_and_accuses_nobody(workspace, pattern):
    main = workspace / "main.tex"
    main.write_text(rf"{CLASS}\bibliography{{lib/a}}\addbibresource[glob]{{{pattern}}}", encoding="utf-8")
    project = include_graph.build(DiskFiles([str(workspace)]), str(main), Settings())
    assert [Path(it).name for it in project.bibliographies] == ["a.bib"]
    assert not project.closed
    assert len([it for it in notes(project) if "some of its files were not read" in it.text]) == 1


def test_settings_of_a_workspace_search_no_further(workspace):
    main = workspace / "main.tex"
    main.write_text(CLASS, encoding="utf-8")
    settings = Settings(syntax=SyntaxSettings(bibliographies=("../**/*.bib", "lib/*.bib")))
    project = include_graph.build(DiskFiles([str(workspace)]), str(main), settings)
    assert [Path(it).name for it in project.bibliographies] == ["[x].bib", "a.bib"]
    assert ["outside the workspace" in it for it in project.problems] == [True]


@pytest.mark.parametrize("pattern", ["{a,b}{c,d}", "{a,{b,c}}", "x"])
def test_braces_stand_for_each_of_their_parts(pattern):
    assert link_paths.alternatives(pattern) == {
        "{a,b}{c,d}": ["ac", "ad", "bc", "bd"], "{a,{b,c}}": ["a", "b", "a", "c"], "x": ["x"],
    }[pattern]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path):
    """Nor one that took the place of a file after somebody looked; a process of its own can be ended."""
    os.mkfifo(tmp_path / "refs.bib")
    os.mkfifo(tmp_path / ".citelsp.toml")
    (tmp_path / "main.tex").write_text(CLASS + r"\bibliography{refs}", encoding="utf-8")
    read = f"from citelsp.workspace.disk import LocalDisk; print(LocalDisk().load({str(tmp_path / 'refs.bib')!r}))"
    told = subprocess.run([sys.executable, "-c", read], capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert told.stdout == "None\n"
    command = [sys.executable, "-m", "citelsp", "check", "--offline", str(tmp_path / "main.tex")]
    told = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert "not a regular file" in told.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="needs files of the kernel's")
def test_what_the_kernel_makes_up_is_not_read():
    """As `/proc/kmsg`, which says that it is a regular file and empty, and blocks until there is news."""
    assert Path("/proc/version").is_file() and Path("/proc/version").read_bytes()
    assert regular_files.read("/proc/version", 9) == b""


def test_regular_files_are_read_up_to_a_length(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "b").touch()
    assert (regular_files.read(tmp_path / "a", 3), regular_files.read(tmp_path / "a", 9)) == (b"123", b"12345")
    assert regular_files.read(tmp_path / "b", 9) == b""
    for place in (tmp_path, os.devnull, tmp_path / "none"):
        with pytest.raises(OSError):
            regular_files.read(place, 9)
