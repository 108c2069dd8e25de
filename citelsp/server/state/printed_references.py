"""References as the manuscript's own style prints them, for as long as the server runs."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

from citelsp.base.footprint import MB, Shelf
from citelsp.investigate import typeset

if TYPE_CHECKING:
    from citelsp.server.jobs import Jobs
    from citelsp.workspace.csl_styles import CslStyle

_REMEMBERED = 1000  # references
_MOST = 4 * MB  # that they take
_AT_ONCE = 2  # programs; a list that is scrolled through asks for many entries
_PATIENCE = 0.3  # seconds that a reader waits


class PrintedReferences:
    """Asks a program once for each entry and style, and remembers what it could not print too."""

    def __init__(self, jobs: "Jobs") -> None:
        self._jobs = jobs
        self._known: dict[str, str] = {}
        self._in_flight: dict[str, asyncio.Event] = {}
        self._shelf = Shelf[str](_MOST, _REMEMBERED)

    async def reference_of(self, source: str, style: "CslStyle", folders: Sequence[str]) -> str:
        """Return `source`, an entry written in BibLaTeX, as a program prints it in this style.

        "" if no program does, if too many others are being printed, or if it takes longer than _PATIENCE: printing then
        goes on in the background, and a later call gets the text.  Programs in `folders`, those of the workspace, are
        not run: whoever wrote the workspace could have put anything there.
        """
        key = blake2b("\0".join((style.text, style.language, source)).encode(errors="replace")).hexdigest()
        is_new = key not in self._known and key not in self._in_flight
        if is_new and len(self._in_flight) < _AT_ONCE:
            program = typeset.program(os.environ, folders)
            if not program:
                return ""
            self._in_flight[key] = asyncio.Event()
            self._jobs.start(f"print {key}", self._print(key, program, source, style))
        ready = self._in_flight.get(key)  # None if it is printed already, or too many others are being printed
        if ready:
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await ready.wait()
        return self._known.get(key, "")

    async def _print(self, key: str, program: str, source: str, style: "CslStyle") -> None:
        try:
            self._known[key] = await asyncio.to_thread(typeset.reference, program, source, style)
            for gone in self._shelf.put(key, self._known[key]):
                del self._known[gone]
        finally:
            self._in_flight.pop(key).set()
