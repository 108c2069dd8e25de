"""Files that a person named: what every command refuses to read and to write, and what several at once come to."""

import ast
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import forked_programs
from citelsp.base import atomic
from citelsp.cli import main, named_files
from syntax_trees import nodes

PACKAGE = Path(__file__).parent.parent.parent / "citelsp"
MESSY = b"@misc{b, title={B}}\n@misc{a, title={A},\n doi={https://doi.org/10.1000/x}}\n"
SOURCE = "@article{c, title = {On Trout}, author = {Lee, Ann}, year = {2020}, journal = {J}}\n"
WRITERS = {
    "format": ["format"],
    "sort": ["sort"],
    "add": ["add", "source.bib", "--bib"],
    "fix": ["check", "--offline", "--fix", "safe"],
}
posix = pytest.mark.skipif(os.name != "posix", reason="links and modes as of POSIX")


@pytest.fixture
def refs(tmp_path, monkeypatch):
    folder = tmp_path / "paper"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "source.bib").write_text(SOURCE, encoding="utf-8")
    (folder / "source.bib").chmod(0o444)  # so that a command for the folder leaves it alone
    (folder / "refs.bib").write_bytes(MESSY)
    return folder / "refs.bib"


@pytest.mark.parametrize("name", WRITERS)
def test_the_commands_write(refs, name):
    """Where the tests below say that they do not."""
    main([*WRITERS[name], "refs.bib"])
    assert refs.read_bytes() != MESSY


@posix
@pytest.mark.parametrize("name", WRITERS)
def test_a_read_only_file_stays(refs, name, capsys):
    refs.chmod(0o444)
    status = main([*WRITERS[name], "refs.bib"])
    assert refs.read_bytes() == MESSY
    assert status
    assert "read-only" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes to any folder")
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_in_a_read_only_folder_stays(refs, name, capsys):
    refs.parent.chmod(0o555)
    try:
        status = main([*WRITERS[name], "refs.bib"])
    finally:
        refs.parent.chmod(0o755)
    out, err = capsys.readouterr()
    assert (status, refs.read_bytes()) == (2, MESSY)
    assert err == "citelsp: refs.bib is not changed: its folder is read-only\n"
    assert "No findings" not in out


@posix
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("named", ["refs.bib", "."])
def test_a_link_out_of_the_folder_is_not_followed(refs, name, named, capsys):
    outside = refs.parent.parent / "victim.bib"
    outside.write_bytes(MESSY)
    refs.unlink()
    refs.symlink_to(outside)
    main([*WRITERS[name], "refs.bib" if name == "add" else named])
    assert outside.read_bytes() == MESSY
    assert refs.is_symlink()
    if name != "fix":
        assert "out of" in capsys.readouterr().err


@posix
@pytest.mark.parametrize("name", WRITERS)
def test_a_link_within_the_folder_is(refs, name):
    (refs.parent / "real").mkdir()
    real = refs.rename(refs.parent / "real" / "refs.bib")
    refs.symlink_to(real)
    main([*WRITERS[name], "refs.bib"])
    assert real.read_bytes() != MESSY
    assert refs.is_symlink()


COMMANDS = [
    ["format"],
    ["format", "--check"],
    ["sort"],
    ["add", "source.bib", "--bib"],
    ["check", "--offline"],
    ["corpus", "add"],
]


@posix
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "large"])
def test_what_is_no_file_or_too_large_is_refused_at_once(refs, words, kind, tmp_path):
    refs.unlink()
    if kind == "pipe":
        os.mkfifo(refs)
    elif kind == "device":
        refs.symlink_to("/dev/zero")
    elif kind == "folder":
        refs.mkdir()
    else:
        with refs.open("wb") as file:
            file.truncate(5 << 30)
    began = time.monotonic()
    done = forked_programs.run(
        *words, "refs.bib", *(["--corpus", tmp_path / "corpus"] if "corpus" in words else []), timeout=30
    )
    assert time.monotonic() - began < 20
    assert "Traceback" not in done.stderr
    if kind != "folder":
        assert done.returncode >= 2
        assert "refs.bib" in done.stderr


def test_several_that_add_at_once_all_add(refs):
    for at in range(6):
        text = SOURCE.replace("{c,", f"{{c{at},").replace("Trout", f"Trout {'abcdef'[at] * 4}")
        (refs.parent / f"s{at}.bib").write_text(text, encoding="utf-8")
    for name in ("refs.bib", "new.bib"):
        running = [forked_programs.start("add", f"s{it}.bib", "--bib", name) for it in range(6)]
        assert [it.wait(60) for it in running] == [0] * 6
        assert (refs.parent / name).read_text().count("On Trout") == 6
    assert not list(refs.parent.glob(".*"))


def test_a_file_that_a_person_saves_meanwhile_keeps_what_was_saved(refs, monkeypatch):
    """The entry goes into the file as it is by then, under another key if need be."""
    rewrite, tries = named_files.rewrite, []

    def saved_first(path, before, after):
        tries.append(path)
        if len(tries) == 1:
            refs.write_bytes(MESSY + b"@misc{lee2020trout, title={Saved}}\n")
        rewrite(path, before, after)

    monkeypatch.setattr(named_files, "rewrite", saved_first)
    assert main(["add", "source.bib", "--bib", "refs.bib"]) == 0
    text = refs.read_text()
    assert "Saved" in text
    assert "On Trout" in text
    assert len(tries) == 2


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"), (b"\xef\xbb\xbf", "utf-8"), (b"", "cp1252")],
)
def test_add_keeps_the_encoding(refs, mark, encoding):
    text = "% Über\n@misc{b, title={B}}\n"
    refs.write_bytes(mark + text.encode(encoding))
    (refs.parent / "s.bib").write_text(SOURCE.replace("Lee", "Ölm"), encoding="utf-8")
    assert main(["add", "s.bib", "--bib", "refs.bib"]) == 0
    data = refs.read_bytes()
    assert data.startswith(mark + text.encode(encoding))
    assert "Ölm, Ann" in data.decode(encoding)


@pytest.mark.parametrize(
    "data", ["% Über é ö\n@misc{b, title={B}}\n".encode() + b"% \xe9\n", "\ufeffa".encode("utf-32-le")]
)
def test_add_mixes_no_encodings(refs, data, capsys):
    refs.write_bytes(data)
    (refs.parent / "s.bib").write_text(SOURCE.replace("Lee", "Ölm"), encoding="utf-8")
    assert main(["add", "s.bib", "--bib", "refs.bib"]) == 2
    assert refs.read_bytes() == data
    assert "its line 3 is not UTF-8 as the rest is" in (told := capsys.readouterr().err) or "it is not text" in told


@posix
def test_add_of_plain_letters_to_such_a_file_leaves_its_bytes(refs):
    data = "% Über é ö\n@misc{b, title={B}}\n".encode() + b"% \xe9\n"
    refs.write_bytes(data)
    assert main(["add", "source.bib", "--bib", "refs.bib"]) == 0
    assert refs.read_bytes().startswith(data)


def test_what_killed_commands_left_is_removed(refs):
    old, young = (refs.parent / f".refs.bib.{digit * 32}.tmp" for digit in "ab")
    other = refs.parent / f".other.bib.{'a' * 32}.tmp"
    for it in (old, young, other):
        it.write_bytes(b"x")
    for it in (old, other):
        os.utime(it, (1, 1))
    assert main(["sort", "refs.bib"]) == 0
    assert [it.exists() for it in (old, young, other)] == [False, True, True]


REWRITING = """
import sys
from citelsp.base import atomic
texts = [b"a" * 3_000_000, b"b" * 3_000_000]
print(flush=True)
while True:
    atomic.write(sys.argv[1], texts[0])
    texts.reverse()
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files without names are Linux's")
def test_a_killed_write_leaves_nothing_half_written(tmp_path):
    """A draft has a name only while it takes the file's place: rarely one is killed then, and leaves it whole."""
    for at in range(8):
        with subprocess.Popen([sys.executable, "-c", REWRITING, tmp_path / "a.bib"], stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(0.01 * at)
            process.kill()
    left = list(tmp_path.iterdir())
    assert len(left) <= 2
    assert {it.read_bytes() for it in left} <= {b"a" * 3_000_000, b"b" * 3_000_000}


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_new_file_is_made_whole_or_not_at_all(tmp_path, monkeypatch, unnamed):
    if not unnamed:
        monkeypatch.setattr(atomic, "_OPEN_UNNAMED", 0)
    atomic.create(tmp_path / "a", b"one")
    with pytest.raises(FileExistsError):
        atomic.create(tmp_path / "a", b"two")
    atomic.write(tmp_path / "a", b"three")
    assert {it.name: it.read_bytes() for it in tmp_path.iterdir()} == {"a": b"three"}


@posix
def test_a_disk_without_links_takes_a_new_file(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(atomic, "_OPEN_UNNAMED", 0)
    monkeypatch.setattr(os, "link", refuse)
    atomic.create(tmp_path / "a", b"one")
    assert {it.name: it.read_bytes() for it in tmp_path.iterdir()} == {"a": b"one"}


OPENING = {"read_bytes", "read_text", "write_bytes", "write_text", "touch", "unlink", "rename", "open"}
THEIR_OWN = {
    "cli/named_files.py": "the one module",
    "cli/__init__.py": "the null device",
    "cli/demo.py": "files of the package",
}


def test_commands_open_no_file_but_through_one_module():
    """A file that a person named has bounds, and may be a pipe or lead elsewhere."""
    found = {}
    for path in sorted((PACKAGE / "cli").rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        calls = [it.func for it in nodes(path) if isinstance(it, ast.Call)]
        opens = {it.attr for it in calls if isinstance(it, ast.Attribute) and opens_file(it)}
        opens |= {it.id for it in calls if isinstance(it, ast.Name) and it.id == "open"}
        if opens and name not in THEIR_OWN:
            found[name] = opens
    assert found == {}


def opens_file(function):
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if owner in ("named_files", "files", "sources", "corpus", "workplace"):
        return False
    return function.attr in OPENING or (owner == "atomic" and function.attr in ("write", "create"))
