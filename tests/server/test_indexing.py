import time
from contextlib import closing

from citelsp.corpus.index import Corpus
from citelsp.server.answers import indexing
from server_session import Session


def test_watched_files_are_read_without_being_asked_for(tmp_path):
    (tmp_path / "mine.bib").write_text("@book{k, title = {Literate Programming}}", encoding="utf-8")
    session, path = Session(), tmp_path / "corpus"
    session.initialize(initializationOptions={"offline": True, "corpus": {"path": str(path), "watch": [str(tmp_path)]}})
    began = time.monotonic()
    while not (found := _titles(path)) and time.monotonic() - began < 60:
        time.sleep(0.2)
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)
    assert found == ["Literate Programming"]


def _titles(path):
    if not (path / "works.sqlite").exists():
        return []
    with closing(Corpus(path, create=True)) as corpus:
        return [it.title for it in corpus.works()]


def test_a_corpus_that_cannot_be_used_is_no_trouble(tmp_path, caplog):
    (tmp_path / "works.sqlite").write_text("not a database, and long enough to look at", encoding="utf-8")
    assert indexing._count_new((tmp_path, (str(tmp_path),))) == 0
    assert "is not a corpus" in caplog.text
