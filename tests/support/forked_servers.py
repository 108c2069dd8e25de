"""Servers over pipes that need not import the program again: forks of one process that has imported it.

Each is a process of its own, with its own working directory, environment and standard streams, and runs what the
command `citelsp serve` runs.  With --commands, and on systems that do not fork, that command starts each.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

SERVE = [sys.executable, "-m", "citelsp", "serve"]
BY_COMMAND = "CITELSP_TESTS_BY_COMMAND"  # set by --commands, for the processes of xdist too
NEVER_SERVED = ("citelsp.evals", "citelsp.cli.")
LIBRARIES = (  # that modules of the program import when they are first needed
    "anyio._backends._asyncio", "bibtexparser", "diskcache", "h2.connection", "httpx", "pylatexenc.latex2text",
    "rapidfuzz.distance", "rapidfuzz.fuzz", "rapidfuzz.process", "tantivy",
)  # fmt: skip


def start(*options):
    """A server that reads from `stdin` and writes to `stdout`."""
    if os.environ.get(BY_COMMAND) or not hasattr(os, "fork"):
        return subprocess.Popen([*SERVE, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    return ForkedServer(options)


class ForkedServer:
    """What tests ask of `subprocess.Popen`."""

    def __init__(self, options):
        read, written, (ours, theirs) = os.pipe(), os.pipe(), socket.socketpair()
        socket.send_fds(nursery(), [b"."], [read[0], written[1], 2, theirs.fileno()])
        theirs.close()
        os.close(read[0])
        os.close(written[1])
        self.stdin, self.stdout = os.fdopen(read[1], "wb"), os.fdopen(written[0], "rb")
        self._news = ours.makefile("rwb", buffering=0)  # else `select` would not see what was read too soon
        ours.close()
        self._news.write(json.dumps([str(Path.cwd()), dict(os.environ), options]).encode() + b"\n")
        self.pid, self.returncode = int(self._news.readline()), None

    def wait(self, timeout=None):
        if self.returncode is None:
            if not select.select([self._news], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(SERVE, timeout)
            self.returncode = int(self._news.readline())
            self._news.close()
        return self.returncode

    def poll(self):
        if self.returncode is None and select.select([self._news], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def kill(self):
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self):
        """Close what leads there, read what is left, and wait for the end."""
        self.stdin.close()
        left = self.stdout.read()
        self.stdout.close()
        self.wait()
        return left, None


@functools.cache
def nursery():
    """What asks the process of which servers are forks, which ends with this one."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen([sys.executable, __file__], stdin=theirs, stdout=subprocess.DEVNULL)
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def import_program():
    """In the order of the command, then what a server would import when it is first needed."""
    from citelsp.server.wire import lean_types

    lean_types.load()
    import citelsp
    import citelsp.cli.serve

    for module in pkgutil.walk_packages(citelsp.__path__, "citelsp."):
        if not module.name.endswith("__main__") and not module.name.startswith(NEVER_SERVED):
            importlib.import_module(module.name)
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def main():
    import_program()
    signal.signal(signal.SIGCHLD, reap)
    asked = socket.socket(fileno=0)
    while True:
        received, descriptors, *_ = socket.recv_fds(asked, 1, 4)
        if not received:
            return 0
        if not os.fork():
            asked.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            return watch(*descriptors)
        for it in descriptors:
            os.close(it)


def reap(*_):
    """Wait for those that have ended, of which the time counts as this process's then."""
    with contextlib.suppress(ChildProcessError):  # there is no other
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def watch(read, written, errors, news):
    """Start a server and report its number and how it ended; in the server itself, serve."""
    server = os.fork()
    with os.fdopen(news, "r+b", buffering=0) as talk:
        if server:
            for it in (read, written, errors):
                os.close(it)
            with contextlib.suppress(BrokenPipeError):  # nobody waits for it
                talk.write(b"%d\n" % server)
                talk.write(b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(server, 0)[1]))
            os._exit(0)
        folder, environment, options = json.loads(talk.readline())
    for number, descriptor in enumerate((read, written, errors)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    from citelsp.cli import main

    return main(["serve", *options])


if __name__ == "__main__":
    sys.exit(main())
