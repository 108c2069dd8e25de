import os
import subprocess
import sys
from array import array

import pytest

from citelsp.base.parse_cache import ParseCache, name_of

COLUMNS = [array("I", range(1000)), ["knuth", "müller", "\ud800", "a\nb", ""], array("Q", [1 << 60]), [], array("B")]
RACE = """
import sys
from pathlib import Path
from citelsp.base.parse_cache import ParseCache
cache = ParseCache(Path(sys.argv[1]), most=300_000)
for number in range(300):
    words = [str(number % 7)] * 5000
    cache.put(f"words-{number % 7}", [words])
    found = cache.get(f"words-{(number + 3) % 7}")
    assert found is None or found == [[str((number + 3) % 7)] * 5000]
"""


@pytest.fixture
def cache(tmp_path):
    return ParseCache(tmp_path / "cache")


def test_what_is_put_is_got(cache):
    cache.put("a", COLUMNS)
    assert cache.get("a") == COLUMNS
    assert cache.get("b") is None


def test_what_is_damaged_is_not_read(cache, tmp_path):
    cache.put("a", COLUMNS)
    path = tmp_path / "cache" / "a"
    data = path.read_bytes()
    for at in range(0, len(data), 97):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert cache.get("a") is None
        path.write_bytes(data[:at])
        assert cache.get("a") is None


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps other users out of a user's folders")
@pytest.mark.parametrize("name", ["cache", "cache/a"])
def test_what_others_can_write_is_not_read(cache, tmp_path, name):
    cache.put("a", COLUMNS)
    assert (tmp_path / "cache").stat().st_mode & 0o077 == (tmp_path / "cache/a").stat().st_mode & 0o077 == 0
    (tmp_path / name).chmod(0o770)
    assert cache.get("a") is None


def test_those_not_used_for_longest_make_room(tmp_path):
    cache = ParseCache(tmp_path, most=10_000)
    for number in range(8):
        cache.put(str(number), [array("B", bytes(3000))])
        os.utime(tmp_path / str(number), (number, number))
        cache.get("0")
    assert cache.size() <= 10_000
    assert cache.get("0") and cache.get("7") and not cache.get("1")


def test_what_was_never_finished_is_removed(cache, tmp_path):
    cache.put("a", COLUMNS)
    left, fresh = tmp_path / "cache/x.new", tmp_path / "cache/y.new"
    left.write_bytes(b"")
    fresh.write_bytes(b"")
    os.utime(left, (1, 1))
    cache.put("b", COLUMNS)
    assert not left.exists() and fresh.exists()
    assert cache.clear() > 0 and cache.size() == 0


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    cache = ParseCache(tmp_path / "file" / "cache")
    cache.put("a", COLUMNS)
    assert cache.get("a") is None and cache.size() == cache.clear() == 0


@pytest.mark.slow
def test_servers_share_a_folder(tmp_path):
    started = [subprocess.Popen([sys.executable, "-c", RACE, str(tmp_path)]) for _ in range(3)]
    assert [it.wait(60) for it in started] == [0, 0, 0]
    assert ParseCache(tmp_path).size() <= 400_000


def test_names_tell_contents_and_kinds_apart():
    assert len({name_of("a", b"x"), name_of("b", b"x"), name_of("a", b"y")}) == 3
    assert name_of("a", b"x") == name_of("a", b"x")
