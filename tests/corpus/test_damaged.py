"""A word index of which some bytes are wrong: one sentence, in a command as in an editor, and an answer without it."""

import random
import shutil

import pytest

from citelsp.cli import main
from citelsp.corpus.index import Corpus
from citelsp.corpus.store import CorpusError
from citelsp.corpus.work import Work
from damaged_corpora import files, make_sound, panicking, spoil


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return make_sound(tmp_path_factory.mktemp("sound"))


def ask(folder):
    with Corpus(folder) as corpus:
        for words in ("trout zeppelins", "bees on"):
            corpus.search(words)
        corpus.lookup(title="On trout 4")
        corpus.add([Work("n", "A new trout")])
        corpus.search("new")


@pytest.mark.parametrize("seed", range(6))
def test_damage_is_one_error(sound, tmp_path, seed):
    """Every file in turn; what tantivy panics at would else end a thread without a word."""
    for at, file in enumerate(files(sound)):
        folder = tmp_path / str(at)
        shutil.copytree(sound, folder)
        spoil(folder / file.relative_to(sound), random.Random(100 * seed + at))  # noqa: S311  nothing secret
        try:
            ask(folder)
        except CorpusError as problem:
            assert "delete it, and it will be rebuilt" in str(problem)


def test_a_command_says_one_sentence(sound, tmp_path, capfd):
    folder = panicking(sound, tmp_path / "corpus")
    capfd.readouterr()
    assert main(["corpus", "search", "trout zeppelins", "--corpus", str(folder)]) == 2
    lines = [it for it in capfd.readouterr().err.splitlines() if it.startswith("citelsp:")]
    assert len(lines) == 1
    assert "is damaged: delete it, and it will be rebuilt" in lines[0]
    shutil.rmtree(folder / "words-3")
    assert main(["corpus", "search", "trout", "--corpus", str(folder)]) == 0
