"""What is printed in a job of GitHub or Azure, whose logs are read for commands: nobody's titles and names are any.

GitHub obeys a line that begins with `::`, behind any space, and `##[` anywhere in one; Azure `##vso[`.
"""

import re
import sys
from typing import Any, TextIO

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_OURS = re.compile(r"::(?:error|warning|notice) file=[^\n]*,title=citelsp%3A [a-z-]+::")
_ANYWHERE = re.compile(r"##(?=\[|vso\[)", re.IGNORECASE)


def guard_streams() -> None:
    """Have nothing that others wrote be a command from now on."""
    sys.stdout, sys.stderr = _guarded(sys.stdout), _guarded(sys.stderr)


def _guarded(stream: Any) -> Any:  # noqa: ANN401  a stand-in for the stream
    return stream if isinstance(stream, _Guarded) else _Guarded(stream)


class _Guarded:
    """A stream that is written to as the one below it."""

    def __init__(self, below: TextIO) -> None:
        self._below = below
        self._begins = True  # nothing but space stands in the line so far

    def write(self, text: str) -> int:
        self._below.write("".join(map(self._harmless, _LINE.findall(text))))
        return len(text)

    def _harmless(self, line: str) -> str:
        begins = self._begins
        self._begins = line.endswith("\n") or (self._begins and not line.strip())
        if begins and _OURS.match(line):
            return line
        line = _ANYWHERE.sub("## ", line)
        return line.replace("::", ": :", 1) if begins and line.lstrip().startswith("::") else line

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever the stream below has
        return getattr(self._below, name)
