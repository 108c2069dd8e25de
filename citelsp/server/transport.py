"""Standard input as pygls reads it, with one change of threads a message where line by line there would be three."""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Coroutine
from concurrent.futures import Executor
from contextlib import suppress
from threading import Event
from typing import TYPE_CHECKING, Any, BinaryIO

from pygls.io_ import run_async

if TYPE_CHECKING:
    from pygls.io_ import AsyncReader

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


class Output:
    """Standard output as pygls writes it, for as long as somebody reads."""

    def __init__(self, stdout: BinaryIO) -> None:
        self._stdout, self._read = stdout, True

    def write(self, data: bytes) -> None:
        if self._read:
            try:
                self._stdout.write(data)
                self._stdout.flush()
            except OSError:
                self._read = False
                logger.warning("the editor is gone")

    def close(self) -> None:
        with suppress(OSError):
            self._stdout.close()


def serve(server: "Server", stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve one editor until it says exit or hangs up."""
    server.protocol.set_writer(Output(stdout))
    _run(server, _talk(server, Messages(stdin, server.thread_pool)))


def listen(server: "Server", host: str, port: int) -> None:
    """Serve the first editor that connects, as `serve` does; the next is turned away."""
    _run(server, _first_editor(server, host, port))


async def _first_editor(server: "Server", host: str, port: int) -> None:
    streams: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    streams = asyncio.get_running_loop().create_future()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if streams.done():
            writer.close()
        else:
            streams.set_result((reader, writer))

    listening = await asyncio.start_server(connected, host, port)
    reader, writer = await streams
    listening.close()
    server.protocol.set_writer(writer)
    try:
        await _talk(server, reader)
    finally:
        writer.close()


async def _talk(server: "Server", reader: "AsyncReader") -> None:
    try:
        await run_async(Event(), reader, server.protocol, logger, server.report_server_error)
    finally:
        await server.aclose()


def _run(server: "Server", work: Coroutine[Any, Any, None]) -> None:
    try:
        with suppress(KeyboardInterrupt, SystemExit):  # pygls raises the latter at `exit`
            asyncio.run(work)
    finally:
        server.shutdown()
