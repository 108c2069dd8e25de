"""Keys from settings: written there, named as an environment variable, or printed by a command."""

import asyncio
import os
from collections.abc import Sequence
from typing import Protocol

_NULL = asyncio.subprocess.DEVNULL


class Keyed(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def key_env(self) -> str: ...
    @property
    def key_command(self) -> Sequence[str]: ...


async def read(keyed: Keyed, *, seconds: float = 10.0) -> str:
    """The key, stripped; "" if none is set or its command fails or takes longer than `seconds`."""
    if keyed.key:
        return keyed.key.strip()
    if keyed.key_env and os.environ.get(keyed.key_env):
        return os.environ[keyed.key_env].strip()
    return await _printed(keyed.key_command, seconds) if keyed.key_command else ""


async def _printed(command: Sequence[str], seconds: float) -> str:
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=_NULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=_NULL,
        )
    except OSError:
        return ""
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate()
    except TimeoutError:
        return ""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    # `pass` prints the key first and whatever else is noted with it below.
    lines = output.decode("utf-8", "replace").splitlines()
    return lines[0].strip() if process.returncode == 0 and lines else ""
