"""Corpora of which the word index has wrong bytes."""

import random
import shutil

from citelsp.corpus.index import Corpus
from citelsp.corpus.store import CorpusError
from citelsp.corpus.work import Work


def make_sound(folder):
    with Corpus(folder, create=True) as corpus:
        corpus.add(Work(f"w{it}", f"On trout {it}", f"Zeppelins and bees {it}. " * 3) for it in range(300))
    return folder


def files(folder):
    return sorted(it for it in folder.glob("words-*/*/*") if it.is_file() and it.stat().st_size > 60)


def spoil(path, dice, count=60):
    data = bytearray(path.read_bytes())
    for _ in range(count):
        data[dice.randrange(len(data) - 4)] = dice.randrange(256)
    path.write_bytes(data)


def panicking(sound, folder):
    """A copy that opens, and of which a search fails."""
    for seed in range(200):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        for file in files(folder):
            if file.suffix in (".term", ".idx") and file.parent.name == "works":
                spoil(file, random.Random(seed))  # noqa: S311  nothing secret
        try:
            with Corpus(folder) as corpus:
                pass
        except CorpusError:
            continue
        try:
            with Corpus(folder) as corpus:
                corpus.search("trout zeppelins")
        except CorpusError:
            return folder
    raise AssertionError("no such damage was found")
