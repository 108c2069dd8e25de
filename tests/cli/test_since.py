"""citelsp check --since, in a repository of its own."""

import json
import shutil
import subprocess
import zipfile

import pytest

import real_server
from citelsp.cli import main

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in real_server.FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="\n")
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    commit()
    return tmp_path


def git(*arguments):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def commit():
    git("add", ".")
    git("commit", "-q", "-m", "more")


@pytest.fixture
def since(folder, capsys):
    def run(revision, *paths):
        main(["check", "--offline", "--since", revision, "--format", "json", *paths])
        found = json.loads(capsys.readouterr().out)
        return [it["key"] for it in found["entries"]], [(it["code"], it["key"]) for it in found["findings"]]

    return run


def test_nothing_changed(since):
    assert since("HEAD", ".") == ([], [])


@pytest.mark.parametrize("format_", ["text", "github", "sarif"])
def test_each_format_tells_how_many_entries_changed(folder, capsys, format_):
    (folder / "refs.bib").write_text(real_server.REFS.replace("author = {Lamport", "note = {Lamport"), encoding="utf-8")
    main(["check", "--offline", "--since", "HEAD", "--format", format_, "main.tex"])
    assert "2 entries, of which 1 changed." in capsys.readouterr().out


def test_a_moved_and_reformatted_entry_is_not_changed(folder, since):
    first, second = real_server.REFS.split("@book")
    (folder / "refs.bib").write_text("@book" + second.replace(" = ", "=") + first, encoding="utf-8", newline="\r\n")
    assert since("HEAD", "refs.bib") == ([], [])


def test_a_changed_entry(folder, since):
    (folder / "refs.bib").write_text(real_server.REFS.replace("author = {Lamport", "note = {Lamport"), encoding="utf-8")
    assert since("HEAD", "refs.bib") == (["lamport94"], [("missing-field", "lamport94")])
    commit()
    assert since("HEAD~1", "main.tex")[0] == ["lamport94"]
    assert since("HEAD", "main.tex")[0] == []


def test_macros_of_another_file_change_nothing(folder, since):
    (folder / "main.tex").write_text(
        real_server.MAIN.replace("\\title", "\\addbibresource{macros.bib}\\title"), encoding="utf-8"
    )
    (folder / "macros.bib").write_text("@string{aw = {Addison-Wesley}}", encoding="utf-8")
    (folder / "refs.bib").write_text(real_server.REFS.replace("{Addison-Wesley}", "aw"), encoding="utf-8")
    commit()
    assert since("HEAD", "main.tex") == ([], [])


def test_a_new_file_is_new_throughout(folder, since):
    (folder / "more").mkdir()
    (folder / "more" / "[new] é.bib").write_text(real_server.REFS, encoding="utf-8")
    assert since("HEAD", "more")[0] == ["knuth84", "lamport94"]


def test_a_changed_line(folder, since):
    (folder / "main.tex").write_text(real_server.MAIN.replace("{lamport94}", "{lamport96}"), encoding="utf-8")
    assert since("HEAD", "main.tex")[1] == [("undefined-citation", "lamport96")]


def test_a_key_that_is_gone(folder, since):
    (folder / "refs.bib").write_text(real_server.REFS.split("@book")[0], encoding="utf-8")
    assert since("HEAD", "main.tex")[1] == [("undefined-citation", "lamport94")]


@pytest.mark.parametrize("revision", ["nowhere", "--help", "HEAD:refs.bib", ""])
def test_an_unknown_revision_ends_with_a_clear_line(folder, capsys, revision):
    assert main(["check", "--offline", f"--since={revision}", "."]) == 2
    assert f"git does not know the revision {revision}" in capsys.readouterr().err


def test_no_repository(folder, capsys):
    (folder / ".git").rename(folder / "gone")
    assert main(["check", "--offline", "--since", "HEAD", "refs.bib"]) == 2
    assert "is not in a readable git repository" in capsys.readouterr().err


def test_no_git(folder, capsys, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    assert main(["check", "--offline", "--since", "HEAD", "refs.bib"]) == 2
    assert "git, which is not installed" in capsys.readouterr().err


def test_before_the_first_commit_everything_is_new(folder, since):
    git("switch", "-q", "--orphan", "other")
    (folder / "refs.bib").write_text(real_server.REFS, encoding="utf-8")
    assert since("HEAD", "refs.bib")[0] == ["knuth84", "lamport94"]


def test_before_the_first_commit_of_a_repository_with_sha256_everything_is_new(folder, since):
    shutil.rmtree(folder / ".git")
    git("init", "-q", "--object-format=sha256")
    assert since("HEAD", "refs.bib")[0] == ["knuth84", "lamport94"]


def test_what_is_no_file_of_a_repository_is_new_throughout(folder, since):
    """As an archive and a library of Zotero are: no folder of that name is there."""
    with zipfile.ZipFile(folder / "paper.zip", "w") as archive:
        archive.writestr("refs.bib", real_server.REFS)
    assert since("HEAD", "paper.zip")[0] == ["knuth84", "lamport94"]
