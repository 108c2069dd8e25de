"""A person writes ten sentences with twenty citations in Neovim, and takes everything back."""

import time
from functools import partial

import pytest

import neovim_terminal
import writing_person

pytestmark = pytest.mark.editors

NEXT, ACCEPT = "\x0e", "\x19"
SECONDS = 180


@pytest.fixture
def until(until):
    return partial(until, seconds=SECONDS)


@pytest.fixture
def writer(tmp_path, programs, corpus, until):
    folder = writing_person.project(tmp_path / "démo paper")
    init = tmp_path / "init.lua"
    init.write_text(neovim_terminal.lines_of_page(), encoding="utf-8")
    with neovim_terminal.started(programs("nvim"), folder, tmp_path / "nvim", init) as session:
        until(session.served)
        yield session, folder


def write(nvim, text, pause):
    for key in text:
        nvim.type(key)
        time.sleep(pause)


def accept(nvim, until, words, pause):
    """Go down the list to the item that shows these words, and accept it; what is typed next comes at once."""

    def shows(item):
        return words in item["abbr"] + item["word"]

    def stands_there():
        here = nvim.chosen()
        if here and shows(here):
            return True
        if not any(map(shows, nvim.offered())):  # the list is on its way: the key would ask Neovim for words of its own
            return False
        nvim.type(NEXT)
        # A list that comes meanwhile chooses nothing: who looks sees that, and goes down once more.
        end = time.monotonic() + max(pause, 1)
        while nvim.chosen() == here and time.monotonic() < end:
            time.sleep(pause)
        return False

    until(lambda: any(map(shows, nvim.offered())))
    until(stands_there)
    write(nvim, ACCEPT, pause)


@pytest.mark.parametrize("milliseconds", writing_person.SPEEDS)
@pytest.mark.parametrize("online", [False, True], ids=["offline", "online"])
def test_nothing_is_lost_and_everything_can_be_taken_back(request, town, private_home, until, online, milliseconds):
    if (online, milliseconds) != (False, 40) and not request.config.getoption("--thorough"):
        pytest.skip("runs with --thorough")
    asked, pause = writing_person.sentences(online), milliseconds / 1000
    with writing_person.services(online, private_home / "citelsp" / "config.toml", town):
        nvim, folder = request.getfixturevalue("writer")
        nvim.lua(r"return vim.fn.search([[^\\section{Method}]])")
        nvim.keys("o")
        until(lambda: nvim.lua("return vim.api.nvim_get_mode().mode") == "i")
        for sentence in asked:
            write(nvim, f"{sentence.before}\\cite<{sentence.words}", pause)
            if online:
                accept(nvim, until, "Search online", pause)
            accept(nvim, until, sentence.title[:15], pause)
            write(nvim, sentence.between + sentence.key, pause)
            accept(nvim, until, sentence.key, pause)
            write(nvim, "}." + "\r" * (sentence is not asked[-1]), pause)
        nvim.keys("<Esc>")
        nvim.command("silent write")
        written = folder / "references.bib"
        until(lambda: writing_person.all_there(folder))
        writing_person.check_written(folder, asked)
        nvim.command("silent undo 0")
        until(lambda: written.read_bytes() == (writing_person.DEMO / "references.bib").read_bytes())
        nvim.command("silent write")
        writing_person.check_undone(folder)
