"""What an agent may have citelsp do in one folder: check, look up, suggest, add.

Each tool but `look_up` is a command in a process of its own, so verdicts are those of the terminal.  Files outside the
folder are neither read at an agent's word nor written; only `add` writes, to the .bib file that it names.
"""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citelsp.base import programs
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.knowledge import Candidate

_MOST_TEXT = 20_000  # characters of a passage
_MOST_NAME = 1_000  # of a path, an identifier or a title
_MOST_WORKS = 20
_MOST_ITEMS = 200  # of each list in an answer
_AT_ONCE = 2  # processes
_SECONDS = 300.0


class RejectedError(Exception):
    """What was asked is not allowed or not possible; says what and why."""


@dataclass(frozen=True)
class Tools:
    folder: Path  # resolved
    config: Path | None
    settings: "Settings"
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def check(self, path: str, offline: bool = False) -> dict[str, Any]:
        """Check the citations of a manuscript (LaTeX or Markdown), the entries of a bibliography, or a whole folder.

        Findings say what is wrong, where (lines from zero), and how to fix it; entries have verdicts: verified,
        mismatch, conflict (the identifier leads to another work), not-found, retracted, unchecked. "not-found" does
        not mean invented. Scholarly services are asked for titles, authors and identifiers unless offline.
        """
        named = self._resolve_inside(path)
        if not named.exists():
            raise RejectedError(f"there is no {path}")
        options = ["--offline"] if offline else []
        return _report(*await self._run("check", *options, "--format", "json", *self._configured(), "--", str(named)))

    async def look_up(self, work: str) -> dict[str, Any]:
        """Look up what a DOI, arXiv id, ISBN, PMID, ACL id, address or title means; nothing is written.

        "certain" says whether the first work is the one that is meant.
        """
        from citelsp.cli import verify_online
        from citelsp.investigate import insert

        async with self._turns, verify_online.opened(self.settings) as sources:
            [found] = await insert.find_all([_short(work, _MOST_NAME, "work")], sources)
        works = [_described(it) for it in found.candidates[:_MOST_WORKS]]
        return {"certain": found.certain, "reason": found.reason, "works": works}

    async def suggest(
        self, text: str = "", path: str = "", line: int = 0, online: bool = False, k: int = 5
    ) -> dict[str, Any]:
        r"""Find works that support a passage: `text`, in which \cite<> or \cite<words> marks the place.

        Or for the placeholders of a manuscript at `path`, all or those of one `line` counted from 1.

        The author's own bibliographies and corpus are searched; services only if `online`. "abstained" means that
        nothing fits.
        """
        if bool(text.strip()) == bool(path):
            raise RejectedError("give either text or path")
        if not 1 <= k <= _MOST_WORKS:
            raise RejectedError(f"k is a number from 1 to {_MOST_WORKS}")
        options = ["--online"] if online else []
        if text:
            what = f"--text={_short(text, _MOST_TEXT, 'text')}"
        else:
            what = str(self._resolve_inside(path)) + (f":{line}" if line > 0 else "")
        out, notes = await self._run("suggest", *options, "--k", str(k), "--format=json", *self._configured(), what)
        return {"answers": json.loads(out)[:_MOST_ITEMS], "notes": notes}

    async def add(self, work: str, bib: str) -> dict[str, Any]:
        """Add the entry of one work, named by an identifier or its title, to the .bib file `bib` in the working folder.

        The answer holds its key. If several works may be meant, nothing is written, and "notes" lists them.
        """
        path = self._resolve_inside(bib)
        if path.suffix.lower() != ".bib":
            raise RejectedError("only a .bib file can be added to")
        name = _short(work, _MOST_NAME, "work")
        if languages.language_of_path(name).bibliography is not None:  # `citelsp add` copies what is in such a file
            raise RejectedError("name the work by an identifier or its title, not by a file")
        out, notes = await self._run("add", "--bib", str(path), *self._configured(), "--", name)
        return {"keys": out.split(), "notes": notes}

    def _configured(self) -> list[str]:
        return ["--config", str(self.config)] if self.config else []

    def _resolve_inside(self, written: str) -> Path:
        """The path with its links followed; RejectedError if it leads out of the folder."""
        try:
            path = (self.folder / _short(written, _MOST_NAME, "path")).resolve()
        except (OSError, ValueError, RuntimeError) as problem:
            raise RejectedError(f"no path: {problem}") from None
        if not path.is_relative_to(self.folder):
            raise RejectedError(f"{written} lies outside the working folder")
        return path

    async def _run(self, *command: str) -> tuple[str, list[str]]:
        """What a command of citelsp prints, and the lines that it says besides; RejectedError if it did not work."""
        async with self._turns:
            folder = str(self.folder)  # which says what bibliographies there are
            done = await programs.run_beside(
                programs.own_command("citelsp", *command),
                _SECONDS,
                environment=programs.own_environment(),
                folder=folder,
            )
        if done.status is None:
            raise RejectedError(f"no answer within {_SECONDS:.0f} seconds")
        notes = done.err.decode(errors="replace").replace("citelsp: ", "").splitlines()
        if not done.out and done.status not in (0, 1):
            raise RejectedError("; ".join(notes) or "it could not finish")
        return done.out.decode(errors="replace"), notes


def _short(text: str, most: int, name: str) -> str:
    if not text.strip() or len(text) > most or "\0" in text:
        raise RejectedError(f"{name} has between 1 and {most:,} characters")
    return text


def _report(out: str, notes: list[str]) -> dict[str, Any]:
    """The report, its lists cut where they are long."""
    report = json.loads(out)
    lists = {name: report[name] for name in ("entries", "findings")}
    more = {name: len(it) - _MOST_ITEMS for name, it in lists.items() if len(it) > _MOST_ITEMS}
    every = [*report["notes"], *notes]
    return {**report, **{name: it[:_MOST_ITEMS] for name, it in lists.items()}, "left_out": more, "notes": every}


def _described(candidate: "Candidate") -> dict[str, Any]:
    from citelsp.cli.check_report import work

    return {**work(candidate.record), "sources": list(candidate.origins or (candidate.record.source,))}
