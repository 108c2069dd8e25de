"""Commands killed at any moment: what they write is as it was or as it should be, with its mode, links and bytes.

`--thorough` kills each command fifty times.
"""

import os
import random

import pytest

import crossref_server
import killing
from citelsp.base import atomic

ENTRY = "@article{{k{0},title={{{0} Ants & Bees}},author={{Bee, Anna}},year={{2000}},pages={{1-9}},doi={{https://doi.org/10.1/{0}}}}}\r\n"
BEFORE = b"\xef\xbb\xbf" + "".join(ENTRY.format(it) for it in range(300, 0, -1)).encode() + "% é\r\n".encode()
TROUT = crossref_server.work("10.1000/trout", "On Trout", "Lee", "Ann", 2020)
COMMANDS = (
    ["format"],
    ["sort"],
    ["check", "--offline", "--fix", "safe"],
    ["add", "10.1000/trout", "--config", "config.toml", "--bib"],
)


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A link to a bibliography that is for its owner alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "refs.bib"
    target.write_bytes(BEFORE)
    target.chmod(0o600)
    try:
        (tmp_path / "refs.bib").symlink_to(target)
    except OSError:
        pytest.skip("this system makes no symbolic links")
    return tmp_path / "refs.bib"


@pytest.fixture
def crossref(tmp_path):
    world = crossref_server.Scholars(TROUT)
    (tmp_path / "config.toml").write_text(world.config(), encoding="utf-8")
    yield
    world.close()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda it: it[0])
def test_a_killed_command_leaves_the_old_or_the_new(library, crossref, command, request):
    times, dice = (50, None) if request.config.getoption("--thorough") else (3, 4)
    chance = random.Random(dice)  # noqa: S311  nothing secret
    words = [*command, str(library)]
    usual, after = killing.run(*words), library.read_bytes()
    assert after != BEFORE
    assert after.startswith(b"\xef\xbb\xbf") and after.count(b"\n") == after.count(b"\r\n")
    for _ in range(times):
        library.resolve().write_bytes(BEFORE)
        killing.kill(usual, chance, *words)
        assert library.read_bytes() in (BEFORE, after)
        assert library.is_symlink()
        if os.name == "posix":
            assert library.stat().st_mode & 0o777 == 0o600


def test_a_new_file_is_for_whom_files_usually_are(tmp_path):
    (tmp_path / "usual").touch()
    atomic.write(tmp_path / "new", b"a")
    atomic.write(tmp_path / ("n" * 250), b"b")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    assert sorted(it.name for it in tmp_path.iterdir()) == ["new", "n" * 250, "usual"]


def test_what_is_not_ready_leaves_the_file_alone(tmp_path):
    (tmp_path / "a").write_bytes(b"old")

    def refuse(_):
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        atomic.write(tmp_path / "a", b"new", refuse)
    assert [(it.name, it.read_bytes()) for it in tmp_path.iterdir()] == [("a", b"old")]
