"""citelsp serve: the language server."""

import argparse
import gc
import sys

from citelsp.base import allocator, log
from citelsp.cli import common

_LAST_PORT = 65535

HELP = "run the language server (on standard input and output)"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="use standard input and output (the default)")
    parser.add_argument("--tcp", metavar="HOST:PORT", type=_read_address, help="listen on this address for one editor")
    parser.add_argument(
        "--log-level",
        choices=log.LEVELS,
        default="warning",
        help="how much to write to the log file (see `citelsp doctor`)",
    )


def run(options: argparse.Namespace) -> int:
    """Serve an editor until it ends; return the exit status: 0 if the editor asked for the shutdown, else 1.

    UNFINISHED if it cannot listen at the address of --tcp.  First sets memory, garbage collection and threads for a
    process that lives long and answers keystrokes.  The order matters: imports come after `gc.disable`, and `gc.freeze`
    takes what they made out of all later collections.
    """
    allocator.share()  # all threads take memory from a few pools: one for each core would hold much that is free
    log.start(options.log_level)
    gc.disable()  # thousands of classes are made now, and none becomes garbage
    from citelsp.server.wire import lean_types

    lean_types.load()  # first: it imports the protocol's types so that each is made when it is first used
    from citelsp.server import transport
    from citelsp.server.create import create_server

    created = create_server()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # entries and citations come by the ten thousand, and few of them in cycles
    gc.enable()
    sys.setswitchinterval(0.001)  # a keystroke waits no longer for the threads that read and check
    if options.tcp is None:  # the editor speaks over standard input and output
        return transport.run(created)
    try:
        return transport.run(created, options.tcp)
    except OSError as problem:  # the address is taken, or no address of this machine
        return common.fail(f"cannot listen there: {problem}")


def _read_address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > _LAST_PORT:
        raise argparse.ArgumentTypeError(f"{text} is not HOST:PORT, such as 127.0.0.1:7777")
    return host.strip("[]") or "127.0.0.1", int(port)
