"""What is kept of the answers, how long, and what is refused."""

import os
import pickle
import sqlite3
import sys
import time

import diskcache
import pytest

from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.cli import main
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.sources.answer_cache import Cache

WORK = Record(
    "crossref",
    "10.1000/x",
    "Ein Titel",
    (Name("Müller", "Ä."), Name("A Team", literal=True)),
    years=(2020, 2019),
    identifiers=Identifiers(doi="10.1000/x"),
    updates=(Update("retraction", "crossref", "2021"),),
    origins={"title": ("crossref",)},
    disputed={"year": (("dblp", "2018"),)},
)


@pytest.fixture
def cache(tmp_path):
    cache = Cache(tmp_path / "answers")
    yield cache
    cache.close()


@pytest.mark.parametrize("answer", [Found("crossref", (WORK,), "2026-11-22"), Absent("crossref", "2026-11-22")])
async def test_found_and_absent_come_back(cache, answer):
    await cache.put("crossref", "lookup 10.1000/x", answer)
    assert await cache.get("crossref", "lookup 10.1000/x") == answer
    assert await cache.get("openalex", "lookup 10.1000/x") is None


async def test_unavailable_is_never_kept(cache):
    await cache.put("crossref", "q", Unavailable("crossref", "429"))
    assert await cache.get("crossref", "q") is None
    assert cache.info().answers == 0


async def test_whether_anything_of_a_kind_is_kept(cache, tmp_path):
    assert not cache.holds_any("verdict")
    assert not (tmp_path / "answers").exists()
    await cache.put_text("verdicts", "x", "…", 60)
    await cache.put_text("crossref", "verdict", "…", 60)
    assert not cache.holds_any("verdict")
    await cache.put_text("verdict", "a fingerprint", "…", 60)
    assert cache.holds_any("verdict")


async def test_sqlite_holds_little_of_a_large_cache_in_memory(cache, tmp_path):
    diskcache.Cache(str(tmp_path / "answers")).close()  # as it was made before, with a hundred megabytes of its own
    await cache.put("crossref", "q", Found("crossref", (WORK,)))

    def pragmas():
        return [cache._open()._sql(f"PRAGMA {it}").fetchone()[0] for it in ("cache_size", "page_size", "mmap_size")]

    pages, size, mapped = await cache._run_in_worker(pragmas)
    assert 0 < pages * size <= 4 << 20
    assert mapped == 0


async def test_absence_is_forgotten_first(cache, tmp_path):
    await cache.put("crossref", "there", Found("crossref", (WORK,)))
    await cache.put("crossref", "gone", Absent("crossref"))
    await cache.put("crossref", "searched", Found("crossref", (WORK,)), search=True)
    with sqlite3.connect(tmp_path / "answers" / "cache.db") as database:
        rows = dict(database.execute("SELECT key, expire_time - store_time FROM Cache"))
    database.close()
    assert rows["crossref gone"] < rows["crossref searched"] < rows["crossref there"]


async def test_two_processes_share(cache, tmp_path):
    other = Cache(tmp_path / "answers")
    await other.put("crossref", "q", Absent("crossref"))
    assert await cache.get("crossref", "q") == Absent("crossref")
    other.close()


def test_clear_says_how_many(cache):
    import asyncio

    asyncio.run(cache.put("crossref", "q", Absent("crossref")))
    assert (cache.info().answers, cache.clear(), cache.info().answers) == (1, 1, 0)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_user_reads_it(cache, tmp_path):
    cache.info()
    assert (tmp_path / "answers").stat().st_mode & 0o777 == 0o700


class Trap:
    def __reduce__(self):
        return sys.exit, ("a pickle was run",)


@pytest.mark.parametrize("place", ["value", "key", "file"])
async def test_a_planted_pickle_is_not_run(tmp_path, place):
    cache = Cache(tmp_path / "answers")
    await cache.put("crossref", "q", Absent("crossref"))
    cache.close()
    bomb = sqlite3.Binary(pickle.dumps(Trap()))
    with sqlite3.connect(tmp_path / "answers" / "cache.db") as database:
        if place == "value":
            database.execute("UPDATE Cache SET mode = 4, value = ?", (bomb,))
        elif place == "key":
            database.execute("UPDATE Cache SET raw = 0, key = ?", (bomb,))
        else:
            (tmp_path / "answers" / "bomb.val").write_bytes(bytes(bomb))
            database.execute("UPDATE Cache SET mode = 4, value = NULL, filename = 'bomb.val'")
    database.close()
    again = Cache(tmp_path / "answers")
    assert await again.get("crossref", "q") is None
    again.close()


@pytest.mark.parametrize("value", [b"bytes", 1, {"a": 1}, None])
def test_nothing_but_text_is_written(tmp_path, value):
    from citelsp.sources.answer_cache import CachedFormError, _disk

    with diskcache.Cache(str(tmp_path / "other"), disk=_disk()) as disk:
        with pytest.raises(CachedFormError):
            disk["key"] = value
        with pytest.raises(CachedFormError):
            disk[("a", "tuple")] = "text"


async def test_a_broken_file_is_an_empty_cache(tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "cache.db").write_bytes(b"no database" * 500)
    cache = Cache(tmp_path / "answers")
    await cache.put("crossref", "q", Absent("crossref"))
    assert await cache.get("crossref", "q") is None
    cache.close()


async def test_a_cache_that_another_process_locks_is_an_empty_one(cache, tmp_path):
    await cache.put_text("crossref", "a", "1", 60)
    other = sqlite3.connect(tmp_path / "answers" / "cache.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    late = Cache(tmp_path / "answers")
    begin = time.monotonic()
    assert [await late.get_text("crossref", key) for key in "aaa"] == [None] * 3
    assert time.monotonic() - begin < 30  # diskcache waits a minute each time
    late.close()
    other.close()


def test_the_command_says_when_the_cache_is_locked(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path))
    main(["cache", "info"])  # creates it
    other = sqlite3.connect(tmp_path / "answers" / "cache.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    capsys.readouterr()
    assert main(["cache", "info"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "citelsp: another process keeps the cache locked, so it cannot be read now\n")
    assert main(["cache", "clear"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "citelsp: another process keeps the cache locked, so it cannot be cleared now\n")
    other.close()
    assert main(["cache", "clear"]) == 0


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path))
    assert main(["cache", "info"]) == 0
    assert "0 answers" in capsys.readouterr().out
    (tmp_path / "answers" / "cache.db").write_bytes(b"no database" * 500)
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == "0 cached answers removed\n0.0 MB of large bibliographies removed\n"
    assert main(["cache", "info"]) == 0
