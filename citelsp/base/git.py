"""Asking git about a repository that somebody else may have made, so that nothing of it is run.

A clone has a configuration of its own, as may a folder in it that looks like a repository.  By these git would run
something to fetch what is missing, to watch files, to page and to compare.
"""

import os
from pathlib import Path

from citelsp.base import programs

_SECONDS = 60.0
_SAFE_SETTINGS = (
    "safe.bareRepository=explicit",  # a folder of a clone that looks like a repository is none
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "protocol.allow=never",
)
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # before git 2.38 this alone keeps a repository in a folder from being fetched for
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


def is_partial(problem: str) -> bool:
    """True if git complained of what a partial clone would have had to fetch."""
    return "lazy fetching disabled" in problem or "not allowed" in problem or "promisor remote" in problem


def ask(folder: str, *arguments: str, most: int = 1 << 20) -> programs.Done:
    """Run a command of git that only reads, in a folder, and return its answer, of at most `most` bytes.

    `arguments`: the command, and what follows it.  FileNotFoundError if there is no git outside the folder; OSError if
    it cannot be run.  The status is None if it took too long or wrote too much, and was ended.
    """
    git = programs.find(
        "git",
        os.environ.get("PATH", ""),
        # A `git` that lies in the folder may be a stranger's program, as the repository may be a stranger's.
        rejects=lambda path: Path(path).parent.is_relative_to(folder),
    )
    if not git:
        raise FileNotFoundError("git is not installed")
    command = [git, "--no-pager"]
    for setting in _SAFE_SETTINGS:  # without these the repository could name programs that git runs
        command += ["-c", setting]
    command += ["-C", folder, *arguments]
    # Git would run the program that this variable names for each comparison.
    environment = {name: value for name, value in os.environ.items() if name != "GIT_EXTERNAL_DIFF"}
    return programs.run(command, _SECONDS, most=most, environment=environment | _ENVIRONMENT)
