"""Politeness across processes and clocks: a table that says nonsense stalls nobody."""

import asyncio
import sqlite3
import time

import pytest

from citelsp.base import bounds
from citelsp.cli import main
from citelsp.sources.shared_pace import Limits, Shut, Slot, limits_file

PLACE = "crossref 127.0.0.1"


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path))
    return limits_file()


def reserved(file, interval=0.1, *, closing=0.0):
    async def ask():
        limits = Limits(file)
        if closing:
            await limits.shut(PLACE, time.time() + closing, "too much")
        found = await limits.reserve(PLACE, interval)
        limits.close()
        return found

    return asyncio.run(ask())


def changed(file, **values):
    with sqlite3.connect(file) as table:
        for name, value in values.items():
            table.execute(f"UPDATE paces SET {name} = ?", (value,))  # noqa: S608
    table.close()


def test_requests_are_apart_and_a_closure_holds(file):
    assert reserved(file).wait == 0
    assert 0 < reserved(file, 5).wait <= 0.1
    assert reserved(file, 5).wait > 4
    assert isinstance(reserved(file, closing=100), Shut)


def test_a_clock_that_was_set_back_stalls_nothing(file, monkeypatch):
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 3600)
    reserved(file)
    assert isinstance(reserved(file, closing=60), Shut)
    monkeypatch.setattr(time, "time", now)
    assert reserved(file) == Slot(0.0, 0.1)
    assert reserved(file).wait <= 0.1


def test_nothing_written_there_stalls_for_longer_than_a_queue(file):
    reserved(file)
    changed(file, next=time.time() + 3600, written=0)
    assert reserved(file).wait <= 4


@pytest.mark.parametrize("ago", [1e6, 0.0])
def test_no_closure_is_longer_than_a_service_may_ask_for(file, ago):
    reserved(file)
    changed(file, shut=time.time() + 10 * 365 * 86_400, why="?", written=time.time() - ago)
    assert isinstance(reserved(file), Slot)
    assert isinstance(reserved(file), Slot)
    changed(file, shut=time.time() + bounds.SHUT / 2)
    assert isinstance(reserved(file), Shut)


def test_clearing_the_cache_opens_what_was_closed(file, capsys):
    reserved(file, closing=1000)
    assert main(["cache", "clear"]) == 0
    assert isinstance(reserved(file), Slot)
    capsys.readouterr()
