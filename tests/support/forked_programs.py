"""Commands of citelsp that need not import the program again: forks of one process that has imported it.

Each is a process of its own, with its own working directory, environment and standard streams, and runs what the
command runs.  With --commands, and on systems that do not fork, that command starts each.
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
import tempfile
from pathlib import Path
from subprocess import DEVNULL, PIPE

CITELSP = [sys.executable, "-m", "citelsp"]
BY_COMMAND = "CITELSP_TESTS_BY_COMMAND"  # set by --commands, for the processes of xdist too
NEVER_RUN = "citelsp.evals"
READ = ("Capabilities", "Params", "Request", "Notification")  # names of types
WRITTEN = ("Options", "Result", "Response", "Notification", "ApplyWorkspaceEditRequest", "CompletionList", "CodeAction")
LIBRARIES = (  # that modules of the program import when they are first needed
    "anyio._backends._asyncio", "bibtexparser", "ctypes", "diskcache", "encodings.utf_8_sig", "h2.connection",
    "httpcore", "httpx", "platformdirs.unix", "pygls.progress", "pylatexenc.latex2text", "rapidfuzz.distance",
    "rapidfuzz.fuzz", "rapidfuzz.process", "tantivy", "tomllib",
)  # fmt: skip


def serve(*options):
    """A server that reads from `stdin` and writes to `stdout`."""
    return start("serve", *options, stdin=PIPE, stdout=PIPE)


def run(*words, timeout=300):
    """`citelsp WORDS` that has ended, with what it printed."""
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
        process = start(*words, stdin=DEVNULL, stdout=printed, stderr=errors)
        status, texts = process.wait(timeout), []
        for it in (printed, errors):
            it.seek(0)
            texts.append(it.read().decode())
    return subprocess.CompletedProcess(words, status, *texts)


def start(*words, stdin=None, stdout=None, stderr=None):
    """`citelsp WORDS`; of the streams may be asked what may be asked of `subprocess.Popen`."""
    words = [str(it) for it in words]
    if os.environ.get(BY_COMMAND) or not hasattr(os, "fork"):
        return subprocess.Popen([*CITELSP, *words], stdin=stdin, stdout=stdout, stderr=stderr)
    return Forked(words, stdin, stdout, stderr)


class Forked:
    """What tests ask of `subprocess.Popen`."""

    def __init__(self, words, stdin, stdout, stderr):
        self.stdin, read = ends(stdin, 0)
        self.stdout, printed = ends(stdout, 1)
        self.stderr, errors = ends(stderr, 2)
        ours, theirs = socket.socketpair()
        socket.send_fds(nursery(), [b"."], [read, printed, errors, theirs.fileno()])
        theirs.close()
        for it in (read, printed, errors):
            os.close(it)
        self._news = ours.makefile("rwb", buffering=0)  # else `select` would not see what was read too soon
        ours.close()
        self._news.write(json.dumps([str(Path.cwd()), dict(os.environ), words]).encode() + b"\n")
        self.pid, self.returncode = int(self._news.readline()), None

    def wait(self, timeout=None):
        if self.returncode is None:
            if not select.select([self._news], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(CITELSP, timeout)
            self.returncode = int(self._news.readline())
            self._news.close()
        return self.returncode

    def poll(self):
        if self.returncode is None and select.select([self._news], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def communicate(self):
        """Close what leads there, read what is left, and wait for the end."""
        self.stdin.close()
        left = self.stdout.read()
        self.stdout.close()
        self.wait()
        return left, None


def ends(asked, usual):
    """Our end of a standard stream, None without a pipe, and the descriptor of the other."""
    if asked == PIPE:
        read, written = os.pipe()
        return (os.fdopen(written, "wb"), read) if usual == 0 else (os.fdopen(read, "rb"), written)
    if asked == DEVNULL:
        return None, os.open(os.devnull, os.O_RDWR)
    return None, os.dup(usual if asked is None else asked if isinstance(asked, int) else asked.fileno())


@functools.cache
def nursery():
    """What asks the process of which commands are forks, which ends with this one."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen([sys.executable, __file__], stdin=theirs, stdout=DEVNULL)
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def import_program():
    """In the order of a server's command, then what any command would import when it is first needed."""
    from citelsp.server.wire import lean_types

    lean_types.load()
    prepare_types()
    import citelsp
    import citelsp.cli.serve

    for module in pkgutil.walk_packages(citelsp.__path__, "citelsp."):
        if not module.name.endswith("__main__") and not module.name.startswith(NEVER_RUN):
            importlib.import_module(module.name)
    for name in LIBRARIES:
        importlib.import_module(name)
    importlib.import_module("citelsp.sources.certificates").trusted_context()
    gc.collect()
    gc.freeze()


def prepare_types():
    """The protocol's types and their reading, which else each server makes anew, and by its command does."""
    import pygls.protocol
    from lsprotocol import types

    pygls.protocol.default_converter = functools.cache(pygls.protocol.default_converter)
    converter = pygls.protocol.default_converter()
    named = [(name, it) for name, it in types.ALL_TYPES_MAP.items() if isinstance(it, type)]
    for name, it in named:
        if name.endswith(READ):
            converter.get_structure_hook(it)
    for name, it in 2 * named:  # as what a list needs, when first made, makes the converter forget what it had
        if name.endswith(WRITTEN):
            converter.get_unstructure_hook(it)


def main():
    ended = []  # the exit status of a command, in its own process
    atexit.register(leave, ended)  # the first, and so called behind all others
    import_program()
    asked, waking = socket.socket(fileno=0), socket.socketpair()
    waking[1].setblocking(False)
    signal.set_wakeup_fd(waking[1].fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # of which the arrival wakes
    running = {}  # process → who waits for its end
    while True:
        ready = select.select([asked, waking[0]], [], [])[0]
        if waking[0] in ready:
            waking[0].recv(1024)
            report_ended(running)
        if asked not in ready:
            continue
        received, descriptors, *_ = socket.recv_fds(asked, 1, 4)
        if not received:
            return 0
        *streams, news = descriptors
        if command := os.fork():
            for it in streams:
                os.close(it)
            running[command] = news
            tell(news, command)
            continue
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for it in (asked, *waking):
            it.close()
        for it in running.values():
            os.close(it)
        ended.append(run_command(streams, news))
        return 0


def report_ended(running):
    """Wait for those that have ended, of which the time counts as this process's then, and say how."""
    with contextlib.suppress(ChildProcessError):  # there is no other
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            news = running.pop(found[0])
            tell(news, os.waitstatus_to_exitcode(found[1]))
            os.close(news)


def tell(news, number):
    with contextlib.suppress(BrokenPipeError):  # nobody waits for it
        os.write(news, b"%d\n" % number)


def run_command(streams, news):
    """Its exit status."""
    with os.fdopen(news, "rb", buffering=0) as asked:
        folder, environment, words = json.loads(asked.readline())
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background processes ignore it
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    from citelsp.cli import main

    return main(words)


def leave(ended):
    """Take nothing apart that the forks share, which would take longer than many a command."""
    if ended:
        for it in (sys.stdout, sys.stderr):
            if not it.closed:
                it.flush()
        os._exit(ended[0])


if __name__ == "__main__":
    sys.exit(main())
