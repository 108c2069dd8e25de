"""Work on a corpus killed at any moment: its works are as they were or as they should be, and can be searched.

By `--thorough`, fifty times each.
"""

import random
import shutil

import pytest

import killing
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work

OLD, NEW = range(400), range(300, 800)
COMMANDS = (["add", "new.bib"], ["remove", *(f"w{it}" for it in OLD[:200])], ["compact"])


def state(folder):
    """The works by title, and what a search finds of them, each once."""
    with Corpus(folder) as corpus:
        works, found = (
            sorted(it.title for it in corpus.works()),
            [it.record.title for it in corpus.search("bees", 2000)],
        )
    assert len(found) == len(set(found)) and set(found) <= set(works)
    return works, sorted(found)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    new = (f"@book{{w{it}, title = {{Dance {it} of the bees}}, author = {{Lee, Ann}}, year = 2000}}\n" for it in NEW)
    (tmp_path / "new.bib").write_text("".join(new), encoding="utf-8")
    with Corpus(tmp_path / "before", create=True) as corpus:
        corpus.add(Work(f"w{it}", f"Flight {it} of the bees", "Ants. " * 50, year=2000) for it in OLD)
    return tmp_path / "corpus"


@pytest.mark.thorough
@pytest.mark.parametrize("command", COMMANDS, ids=lambda it: it[0])
def test_a_killed_command_leaves_the_old_or_the_new(corpus, command):
    chance = random.Random()  # noqa: S311  nothing secret
    words = ["corpus", *command, "--corpus", str(corpus)]
    shutil.copytree("before", corpus)
    before, usual = state(corpus), killing.run(*words)
    after = state(corpus)
    assert command == ["compact"] or after != before
    for _ in range(50):
        shutil.rmtree(corpus)
        shutil.copytree("before", corpus)
        killing.kill(usual, chance, *words)
        # Killed between the commits of works and words, a search may miss works until the next command writes.
        assert state(corpus)[0] in (before[0], after[0])
        killing.run(*words)
        assert state(corpus) == after
