"""Commands as processes, killed at any moment."""

import time
from subprocess import DEVNULL

import forked_programs


def run(*words):
    """Seconds on the clock that `citelsp WORDS` takes if it is left alone."""
    began = time.monotonic()
    forked_programs.run(*words)
    return time.monotonic() - began


def kill(usual, chance, *words):
    """Begin `citelsp WORDS`, which usually takes so many seconds, and end it while it is at work."""
    process = forked_programs.start(*words, stdout=DEVNULL, stderr=DEVNULL)
    time.sleep(usual * chance.uniform(0.5, 1.1))
    process.kill()
    process.wait()
