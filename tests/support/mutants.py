"""A plugin of pytest for `tests/mutation.py`: after a run that sees which functions each test reaches, each change of
`changes.json` is tried in a fork of its own, with the tests that reach it, the quickest first, until one fails.

What was noticed, and whether by a test that took too long, is written to `noticed.jsonl`, a line for each change.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from mutmut.mutation.trampoline import get_mutant_under_test, set_mutant_under_test
from mutmut.state import state

REACHED = defaultdict(list)  # function → the tests that reach it
SECONDS = defaultdict(float)  # test → of CPU
WAITED = defaultdict(float)  # test → seconds by the clock
FAILED = set()


def pytest_addoption(parser):
    parser.addoption("--mutant-processes", type=int, default=2)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if get_mutant_under_test() == "stats":
        forget()  # or only the first of those that ask for what is cached would reach what makes it
    state()._stats.clear()
    start, clock = time.process_time(), time.monotonic()
    try:
        return (yield)
    finally:
        SECONDS[item], WAITED[item] = time.process_time() - start, time.monotonic() - clock
        for function in state()._stats:
            REACHED[function].append(item)


def pytest_runtest_logreport(report):
    if report.failed:
        FAILED.add(report.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session):
    set_mutant_under_test("stats")
    del os.environ["MUTANT_UNDER_TEST"]  # programs that tests start, wherever they run, record nothing
    finished = yield
    print(f"left out, as they fail without any change: {sorted(FAILED)}")  # noqa: T201
    try_changes(session)
    return finished


def try_changes(session):
    names = json.loads(Path("changes.json").read_text(encoding="utf-8"))
    waiting = {name: tests_of(name) for name in names}
    order = sorted(names, key=lambda name: sum(SECONDS[it] for it in waiting[name]))
    running = {}
    with Path("noticed.jsonl").open("w", encoding="utf-8") as written:

        def note(name, noticed, *, stopped=False):
            written.write(json.dumps([name, noticed, stopped]) + "\n")
            written.flush()

        for name in order:
            if not waiting[name]:
                note(name, False)
                continue
            while len(running) >= session.config.getoption("--mutant-processes"):
                reap(running, note)
            running[start(name, waiting[name])] = name
        while running:
            reap(running, note)


def tests_of(name):
    """Those that reach the changed function, a file at a time, the quickest files and tests first."""
    files = defaultdict(list)
    for item in REACHED[name.partition("__mutmut_")[0]]:
        if item.nodeid not in FAILED:
            files[item.path].append(item)
    of_file = sorted(files.values(), key=lambda items: sum(SECONDS[it] for it in items))
    return [item for items in of_file for item in sorted(items, key=SECONDS.get)]


def start(name, items):
    """The process in which a change is tried, which leads a group of its own."""
    process = os.fork()
    if process:
        return process
    os.setpgrp()  # in the session of all, whose priority it shares
    place = tempfile.mkdtemp(prefix="mutant-")
    items[0].config._tmp_path_factory._basetemp = Path(place)
    forget()
    FAILED.clear()
    set_mutant_under_test(name)
    try:
        for item, following in pairwise([*items, None]):
            signal.setitimer(signal.ITIMER_PROF, 5 + 20 * SECONDS[item])  # what loops for ever is noticed,
            signal.setitimer(signal.ITIMER_REAL, 120 + 20 * WAITED[item])  # and what waits, on a machine however busy
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if FAILED:
                item.session._setupstate.teardown_exact(None)
                break
    finally:
        shutil.rmtree(place, ignore_errors=True)
        os._exit(1 if FAILED or sys.exc_info()[0] else 0)


def forget():
    """What the run before has cached."""
    for module in [it for name, it in sys.modules.items() if name.startswith("citelsp")]:
        for value in list(vars(module).values()):
            # A package that imports its modules at first use would look for one of this name.
            if not isinstance(value, ModuleType) and hasattr(value, "cache_clear"):
                value.cache_clear()


def reap(running, note):
    """Wait for one to end, and end what it started."""
    process, status = os.wait()
    if process in running:
        with contextlib.suppress(ProcessLookupError):  # nothing is left of the group
            os.killpg(process, signal.SIGKILL)
        stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF)
        note(running.pop(process), status != 0, stopped=stopped)
