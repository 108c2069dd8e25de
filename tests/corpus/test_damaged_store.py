"""A file of works that cannot be opened, read or written: one sentence, as for a damaged word index."""

import sqlite3
from pathlib import Path

import pytest

from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.store import CorpusError
from citelsp.corpus.work import Work

WORKS = [Work(f"w{n}", f"On trout {n}", abstract="words " * 200) for n in range(300)]


def test_a_folder_in_the_place_of_the_works(tmp_path):
    (tmp_path / "works.sqlite").mkdir()
    with pytest.raises(CorpusError, match="cannot be opened"):
        Corpus(tmp_path)


def test_a_file_in_the_place_of_the_corpus(tmp_path, capsys):
    (tmp_path / "corpus").write_text("")
    (tmp_path / "works.jsonl").write_text('{"title": "On trout"}\n')
    assert main(["corpus", "add", str(tmp_path / "works.jsonl"), "--corpus", str(tmp_path / "corpus")]) == 2
    assert "cannot be used as a corpus: File exists" in capsys.readouterr().err


def test_the_corpus_of_another_user_is_said(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", refuse)
    with pytest.raises(CorpusError, match="cannot be used as a corpus: Permission denied"):
        Corpus(tmp_path)


@pytest.mark.parametrize(
    "use",
    [
        lambda it: list(it.works()),
        lambda it: it.search("trout", 300),
        lambda it: it.add([Work(f"w{n}", "Changed") for n in range(300)]),
        lambda it: it.compact(),
    ],
)
def test_damaged_pages_are_one_error(tmp_path, use):
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add(WORKS)
        corpus.compact()
    file = tmp_path / "works.sqlite"
    content = bytearray(file.read_bytes())
    content[20_000:-20_000] = b"\x5a" * (len(content) - 40_000)
    file.write_bytes(content)
    with pytest.raises(CorpusError, match=r"works\.sqlite is damaged"), Corpus(tmp_path) as corpus:
        use(corpus)


def test_a_disk_without_room_to_compact_is_said(tmp_path):
    with Corpus(tmp_path, create=True) as corpus:
        corpus.add(WORKS[:1])
        with sqlite3.connect(tmp_path / "works.sqlite") as other:
            other.execute("BEGIN IMMEDIATE")
            corpus.store._db.execute("PRAGMA busy_timeout = 1")
            with pytest.raises(CorpusError, match="cannot write to"):
                corpus.store.vacuum()
            other.execute("ROLLBACK")
