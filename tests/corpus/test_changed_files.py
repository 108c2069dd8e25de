import json

import pytest

from citelsp.base import regular_files
from citelsp.corpus import changed_files
from citelsp.corpus.index import Corpus


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "papers"
    made.mkdir()
    (made / "mine.bib").write_text("@book{k, title = {Literate Programming}}", encoding="utf-8")
    (made / "notes.txt").write_text("not watched", encoding="utf-8")
    (made / "._mine.bib").write_bytes(b"\x00\x05\x16\x07")  # nor is what macOS leaves on other systems' disks
    thrown_away = made / ".Trash-1000" / "files"
    thrown_away.mkdir(parents=True)
    (thrown_away / "old.bib").write_text("@book{k, title = {Thrown Away}}", encoding="utf-8")
    return made


def test_only_what_changed_is_read(tmp_path, folder):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        assert [it.name for it in changed_files.list_changed(corpus, [folder])] == ["mine.bib"]
        counts = []
        assert changed_files.update(corpus, [folder], pytest.fail, counts.append).new == 1
        assert counts == [1]
        assert changed_files.list_changed(corpus, [str(folder)]) == []
        (folder / "more.jsonl").write_text(json.dumps({"id": "a", "title": "Airships"}), encoding="utf-8")
        (folder / "mine.bib").write_text("@book{k, title = {Literate Programming, 2nd Edition}}", encoding="utf-8")
        assert [it.name for it in changed_files.list_changed(corpus, [folder])] == ["mine.bib", "more.jsonl"]
        changed_files.update(corpus, [folder], pytest.fail, counts.append)
        assert [it.record.title for it in corpus.search("airship")] == ["Airships"]


def test_a_hidden_folder_is_read_if_it_is_named(tmp_path, folder):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        changed = changed_files.list_changed(corpus, [folder / ".Trash-1000"])
        assert [it.name for it in changed] == ["old.bib"]


def test_what_is_not_there_is_not_missed(tmp_path):
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        assert changed_files.list_changed(corpus, [tmp_path / "nothing"]) == []


@pytest.mark.parametrize("name", ["mine.bib", "more.jsonl", "paper.pdf"])
def test_a_file_that_cannot_be_opened_is_read_once_it_can(tmp_path, monkeypatch, name):
    """As one that another program writes, on Windows; neither its size nor its time need change."""
    path = tmp_path / name
    path.write_text("@book{k, title = {Literate Programming}}", encoding="utf-8")

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    problems = []
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        with monkeypatch.context() as patch:
            patch.setattr(regular_files, "open_file", refuse)
            changed_files.update(corpus, [path], problems.append, pytest.fail)
        assert problems == [f"{path}: cannot be read: Permission denied"]
        assert changed_files.list_changed(corpus, [path]) == [path]
