"""What the default run leaves out, by flag, and said by name."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

import forked_programs

FLAGS = {
    "editors": "drive the real editors (what they need is installed by .ci/editors)",
    "online": "real servers that ask services on this machine, as on saving",
    "soak": "thousands of random edits and requests against a real server",
    "compile": "have BibTeX and biber read what is written (Debian: texlive-binaries, texlive-base, biber, pandoc)",
    "cluster": "a real OpenSearch of three nodes on this machine (needs Linux, a JDK of 21 or newer, and Maven once)",
    "growth": "measure hostile texts long enough to show any growth beyond their length",
    "slow": "what changes rarely and takes long: other processes, other people's packages, bounds",
    "thorough": "more examples of every property",
    "commands": "start every process by its command, where else one that has imported the program is forked",
    "benchmarks": "measure the speed beside a peer (needs badness: pip install badness)",
}
HOMES = (
    "HOME",
    "USERPROFILE",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "LOCALAPPDATA",
    "APPDATA",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    for flag, meaning in FLAGS.items():
        parser.addoption(f"--{flag}", action="store_true", help=meaning)
    parser.addoption("--minutes", type=float, default=5, help="how long the servers of --soak endure (an hour: 60)")
    parser.addoption("--faster", type=float, default=1, help="how fast their clocks run (an hour in ten minutes: 6)")
    parser.addoption(
        "--fuzz", type=float, help="minutes for which new hostile input is made, by each test that makes any"
    )
    parser.addoption("--fuzz-seed", type=int, help="of that input, so that it is the same each time; else it is new")
    parser.addoption("--recordings", type=Path, help="a folder of recorded service answers that must all parse")


def pytest_configure(config: pytest.Config) -> None:
    """No deadlines: a slow machine is no failure.  The same examples each time, unless --thorough looks for new."""
    # What is not to be written would be compiled anew by each of a hundred processes.
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if any(config.getoption(f"--{flag}") for flag in ("commands", "soak")):
        os.environ[forked_programs.BY_COMMAND] = "yes"
    gc.disable()  # while tests are collected, which are no garbage
    settings.register_profile("quick", max_examples=30, deadline=None, derandomize=True)
    settings.register_profile("thorough", max_examples=500, deadline=None)
    settings.load_profile("thorough" if config.getoption("--thorough") else "quick")
    for flag, meaning in FLAGS.items():
        config.addinivalue_line("markers", f"{flag}: {meaning}")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three processes for two cores, as some tests wait; single files and measurements have one."""
    alone = any(config.getoption(f"--{flag}") for flag in ("editors", "benchmarks", "soak", "cluster", "growth"))
    cores = os.cpu_count() or 1
    return 0 if alone or config.args_source != config.ArgsSource.TESTPATHS else min(cores + (cores + 1) // 2, 8)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    out = {it: pytest.mark.skip(reason=f"runs with --{it}") for it in FLAGS if not config.getoption(f"--{it}")}
    families, chosen = set(), []
    for item in items:
        if left_out := {it.name for it in item.iter_markers()} & out.keys():
            item.add_marker(out[min(left_out)])
            # One of a family says why all of it is left out.
            if item.nodeid.partition("[")[0] in families:
                continue
            families.add(item.nodeid.partition("[")[0])
        chosen.append(item)
    items[:] = chosen


def pytest_collection_finish() -> None:
    """What was collected stays to the end: to look through it for garbage time and again would be a tenth of a run."""
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory):
    """No test reads or writes the user's settings, caches, corpora or logs; servers that tests start inherit this."""
    home = tmp_path_factory.mktemp("home")
    saved = {name: os.environ.get(name) for name in HOMES}
    os.environ.update(dict.fromkeys(HOMES, str(home)))
    yield home
    for name, value in saved.items():
        os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


@pytest.fixture
def tree(tmp_path):
    """Writes files given as path: text and gives their directory."""

    def write(files):
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        return tmp_path

    return write
