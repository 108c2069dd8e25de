"""A person writes ten sentences with twenty citations in Emacs, and takes everything back."""

from functools import partial

import pytest

import emacs_terminal
import writing_person

pytestmark = [pytest.mark.editors, pytest.mark.thorough]

ALT, UNDO, SAVE, BACK = "\x1b", "\x1f", "\x18\x13", "\x02"
SECONDS = 180
LISTED = """(and (active-minibuffer-window) (get-buffer "*Completions*")
                  (with-current-buffer "*Completions*" (buffer-string)))"""


@pytest.fixture
def until(until):
    return partial(until, seconds=SECONDS)


@pytest.fixture
def writer(tmp_path, programs, corpus, monkeypatch, until):
    """writer() → Emacs set up by the page's lines, and the folder in which it writes."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    folder = writing_person.project(tmp_path / "démo paper")
    with emacs_terminal.started(programs, folder, tmp_path, until) as emacs:
        yield emacs, folder


def cite(emacs, until, sentence, pause, online):
    """The placeholder's work by citelsp-suggest; what is typed next comes at once."""
    emacs.type(f"{ALT}xcitelsp-suggest\r", pause)
    if online:
        until(lambda: "Search online" in str(emacs.evaluate(LISTED)))
        emacs.type("Search online\t\r", pause)
    until(lambda: sentence.title[:20] in str(emacs.evaluate(LISTED)))
    emacs.type(f"{sentence.title[:20]}\t\r", pause)


@pytest.mark.parametrize("milliseconds", writing_person.SPEEDS)
@pytest.mark.parametrize("online", [False, True], ids=["offline", "online"])
def test_nothing_is_lost_and_everything_can_be_taken_back(
    request, town, private_home, tmp_path, until, online, milliseconds
):
    asked, pause = writing_person.sentences(online), milliseconds / 1000
    with writing_person.services(online, private_home / "citelsp" / "config.toml", town):
        emacs, folder = request.getfixturevalue("writer")
        before = emacs.text()
        emacs.type("\x13section{Method\r\x05\r")
        until(lambda: emacs.text() != before)
        for sentence in asked:
            emacs.type(f"{sentence.before}\\cite<{sentence.words}>{BACK}", pause)
            cite(emacs, until, sentence, pause, online)
            emacs.type(f"{sentence.between}{sentence.key[:-2]}", pause)
            until(lambda: emacs.text().count(sentence.between + sentence.key[:-2]))  # noqa: B023
            emacs.type(f"{ALT}xcompletion-at-point\r", pause)
            # Eglot gives a completion up if a key is typed before it is there.
            until(lambda: emacs.text().count(sentence.between + sentence.key))  # noqa: B023
            emacs.type("}." + "\r" * (sentence is not asked[-1]), pause)
        until(lambda: f"{asked[-1].key}}}.\n" in emacs.text())
        emacs.type(SAVE)
        until(lambda: (folder / "main.tex").read_text(encoding="utf-8") == emacs.text())
        until(lambda: writing_person.all_there(folder))
        writing_person.check_written(folder, asked)
        for _ in range(3000):
            if emacs.text() == before:
                break
            done = emacs.commands()
            emacs.type(UNDO)
            until(lambda: emacs.commands() > done)  # noqa: B023
        emacs.type(SAVE)
        until(lambda: (folder / "main.tex").read_text(encoding="utf-8") == before)
        writing_person.check_undone(folder)
