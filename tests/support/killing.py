"""Commands as processes, killed at any moment."""

import subprocess
import sys
import time


def run(*words):
    """Seconds on the clock that `citelsp WORDS` takes if it is left alone."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "citelsp", *words], capture_output=True, check=False, timeout=300)
    return time.monotonic() - began


def kill(usual, chance, *words):
    """Begin `citelsp WORDS`, which usually takes so many seconds, and end it while it is at work."""
    process = subprocess.Popen(
        [sys.executable, "-m", "citelsp", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(usual * chance.uniform(0.5, 1.1))
    process.kill()
    process.wait()
