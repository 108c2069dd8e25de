"""Keys from settings: written there, named as an environment variable, or printed by a command."""

import os
from collections.abc import Sequence
from typing import Protocol

from citelsp.base import programs


class Keyed(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def key_env(self) -> str: ...
    @property
    def key_command(self) -> Sequence[str]: ...


async def read_key(keyed: Keyed, *, seconds: float = 10.0) -> str:
    """The key, stripped; "" if none is set or its command fails or takes longer than `seconds`."""
    if keyed.key:
        return keyed.key.strip()
    if keyed.key_env and os.environ.get(keyed.key_env):
        return os.environ[keyed.key_env].strip()
    return await _printed(keyed.key_command, seconds) if keyed.key_command else ""


async def _printed(command: Sequence[str], seconds: float) -> str:
    program = programs.find(command[0], os.environ.get("PATH", ""))
    try:
        done = await programs.run_beside([program, *command[1:]], seconds) if program else None
    except OSError:
        return ""
    # `pass` prints the key first and whatever else is noted with it below.
    lines = done.out.decode("utf-8", "replace").splitlines() if done and done.status == 0 else ()
    return lines[0].strip() if lines else ""
