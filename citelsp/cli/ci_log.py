"""What is printed in a job of GitHub or Azure, whose logs are read for commands: nobody's titles and names are any.

GitHub obeys a line that begins with `::`, behind any space, and `##[` anywhere in one; Azure `##vso[`.
"""

import re
import sys
from typing import Any, TextIO

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# What `citelsp check --format github` writes.
_OWN_COMMAND = re.compile(r"::(?:error|warning|notice) file=[^\n]*,title=citelsp%3A [a-z-]+::")
# What is a command wherever in a line it stands.
_COMMAND_ANYWHERE = re.compile(r"##(?=\[|vso\[)", re.IGNORECASE)


def guard_streams() -> None:
    """Put a guard before standard output and error: nothing that others wrote is a command from now on."""
    sys.stdout = _guard(sys.stdout)
    sys.stderr = _guard(sys.stderr)


def print_bytes(stream: Any, data: bytes) -> None:  # noqa: ANN401  standard output, or its guard
    """Write bytes to the stream, which is flushed; through its guard, if it has one, which changes commands alone."""
    stream.flush()
    if isinstance(stream, _Guarded):
        data = stream.make_bytes_harmless(data)
    stream.buffer.write(data)
    stream.buffer.flush()


def _guard(stream: Any) -> Any:  # noqa: ANN401  a stand-in for the stream
    return stream if isinstance(stream, _Guarded) else _Guarded(stream)


class _Guarded:
    """A stream that is written to as the one below it."""

    def __init__(self, below: TextIO) -> None:
        self._below = below
        self._begins = True  # nothing but space stands in the line so far

    def write(self, text: str) -> int:
        self._below.write("".join(map(self._make_harmless, _LINE.findall(text))))
        return len(text)

    def make_bytes_harmless(self, data: bytes) -> bytes:
        """Return the bytes as `write` would write their text, in any encoding: all signs of commands are ASCII."""
        lines = _LINE.findall(data.decode("latin-1"))
        return "".join(map(self._make_harmless, lines)).encode("latin-1")

    def _make_harmless(self, line: str) -> str:
        """The line, or a part of one, with what would be a command parted by a space; our own commands stay."""
        begins = self._begins
        self._begins = line.endswith("\n") or (self._begins and not line.strip())
        if begins and _OWN_COMMAND.match(line):
            return line
        line = _COMMAND_ANYWHERE.sub("## ", line)
        is_command = begins and line.lstrip().startswith("::")
        return line.replace("::", ": :", 1) if is_command else line

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the stream below has
        return getattr(self._below, name)
