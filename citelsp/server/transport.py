"""Where messages come from and go to: standard input and output, or a socket; read as they come, by pygls' own loop."""

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, BinaryIO

from pygls.io_ import run_async

if TYPE_CHECKING:
    from citelsp.server.server import Server

logger = logging.getLogger(__name__)

_CHUNK = 1 << 16  # bytes; no pipe holds more


class InTurn:
    """A stream as pygls reads it, the next message when what the last one began has begun.

    Handlers take their snapshot then: a question is about the text as it was when it was asked.
    """

    def __init__(self, stream: asyncio.StreamReader) -> None:
        self._stream = stream

    async def readline(self) -> bytes:
        """A line of a header; one that is longer than any is passed over."""
        while True:
            try:
                return await self._stream.readline()
            except ValueError:
                logger.warning("a line of a header that is longer than any")

    async def readexactly(self, length: int) -> bytes:
        # pygls makes a task of each request, which begins only when the loop has its turn.
        await asyncio.sleep(0)
        return await self._stream.readexactly(length)


class Output:
    """Standard output as pygls writes it, for as long as somebody reads."""

    def __init__(self, stdout: BinaryIO) -> None:
        self._stdout = stdout
        self._somebody_reads = True

    def write(self, data: bytes) -> None:
        if not self._somebody_reads:
            return
        try:
            self._stdout.write(data)
            self._stdout.flush()
        except OSError:
            self._somebody_reads = False
            logger.warning("the editor is gone")

    def close(self) -> None:
        self._somebody_reads = False  # jobs that end with the server may still want to say something
        with suppress(OSError):
            self._stdout.close()


def run(server: "Server", address: tuple[str, int] | None = None) -> int:
    """Serve one editor until it says exit or hangs up: over standard input and output, or by TCP at `address`.

    The exit status is that of LSP 3.17: 0 after a shutdown request, else 1.  Raises OSError if nobody can listen there.
    """
    server.same_machine = address is None
    if address:
        _run(server, _first_editor(server, *address))
    else:
        server.protocol.set_writer(Output(sys.stdout.buffer))
        _run(server, _read_all(server, sys.stdin.fileno()))
    return 0 if server.protocol.was_shut_down else 1


async def _read_all(server: "Server", stdin: int) -> None:
    """Talk with an editor over standard input, whose file descriptor is `stdin`, until that ends.

    It is read in a thread, as event loops of Windows read no pipe; in a daemon thread, as one that waits for input
    would keep the process from ending.
    """
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()

    def read() -> None:
        with suppress(RuntimeError):  # the loop has ended
            with suppress(OSError):  # so has the input
                while data := os.read(stdin, _CHUNK):
                    loop.call_soon_threadsafe(reader.feed_data, data)
            loop.call_soon_threadsafe(reader.feed_eof)

    Thread(target=read, name="standard input", daemon=True).start()
    await _talk(server, reader)


async def _first_editor(server: "Server", host: str, port: int) -> None:
    """Talk with the first editor that connects to this address; any other is turned away."""
    streams: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    streams = asyncio.get_running_loop().create_future()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if streams.done():
            writer.close()
        else:
            streams.set_result((reader, writer))

    listening = await asyncio.start_server(connected, host, port)
    reader, writer = await streams
    # One editor a server: the documents of two would be held in one set of buffers.
    listening.close()
    server.protocol.set_writer(writer)
    try:
        await _talk(server, reader)
    finally:
        writer.close()


async def _talk(server: "Server", reader: asyncio.StreamReader) -> None:
    try:
        await run_async(Event(), InTurn(reader), server.protocol, logger, server.report_server_error)
    except (asyncio.IncompleteReadError, ConnectionError):
        logger.warning("the editor left in the middle of a message")
    finally:
        # Connections to services belong to this loop, and have to be closed while it runs.
        await server.aclose()


def _run(server: "Server", work: Coroutine[Any, Any, None]) -> None:
    try:
        with suppress(KeyboardInterrupt, SystemExit):  # pygls raises the latter at `exit`
            asyncio.run(work)
    finally:
        server.shutdown()
