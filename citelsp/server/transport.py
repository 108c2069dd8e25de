"""Standard input as pygls reads it, with one change of threads a message where line by line there would be three."""

import asyncio
import logging
import re
from collections import deque
from concurrent.futures import Executor
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, BinaryIO

from pygls.io_ import StdoutWriter, run_async

if TYPE_CHECKING:
    from citelsp.server.server import Server

logger = logging.getLogger(__name__)

_LENGTH = re.compile(rb"Content-Length: (\d+)\r\n")


class Messages:
    """Reads a whole message in a thread when its first line is asked for; implements pygls' AsyncReader."""

    def __init__(self, stdin: BinaryIO, threads: Executor) -> None:
        self._stdin, self._threads = stdin, threads
        self._read: deque[bytes] = deque()

    async def readline(self) -> bytes:
        """The next line of a header; empty where the input ended."""
        if not self._read:
            self._read += await asyncio.get_running_loop().run_in_executor(self._threads, self._message)
        return self._read.popleft()

    async def readexactly(self, _: int) -> bytes:
        """What follows a header: as many bytes as that says, fewer where the input ended."""
        return self._read.popleft()

    def _message(self) -> list[bytes]:
        lines, length = [self._stdin.readline()], 0
        while lines[-1].strip():
            if match := _LENGTH.fullmatch(lines[-1]):
                length = int(match[1])
            lines.append(self._stdin.readline())
        return [*lines, self._stdin.read(length)] if length else lines


def serve(server: "Server", stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve one editor until it says exit or hangs up."""
    server.protocol.set_writer(StdoutWriter(stdout))
    reader = Messages(stdin, server.thread_pool)
    try:
        with suppress(KeyboardInterrupt, SystemExit):  # pygls raises the latter at `exit`
            asyncio.run(run_async(Event(), reader, server.protocol, logger, server.report_server_error))
    except BrokenPipeError:
        logger.error("the editor is gone")
    finally:
        server.shutdown()
