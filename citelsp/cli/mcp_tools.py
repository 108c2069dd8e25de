"""What an agent may have citelsp do in one folder: check, look up, suggest, quote, fix, export, add.

Each tool but `look_up` is a command in a process of its own, so verdicts are those of the terminal.  Files outside the
folder are neither read at an agent's word nor written; only `add`, `export` and `apply_fix` write, to files that they
name or that a diff named before.
"""

import asyncio
import json
import math
import re
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from citelsp.base import programs
from citelsp.cli import exits
from citelsp.cli.verify_online import PROGRESS, TELL_PROGRESS
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.knowledge import Candidate

_MOST_TEXT = 20_000  # characters of a passage
_MOST_NAME = 1_000  # of a path, an identifier or a title
_MOST_WORKS = 20
_PAGE = 50  # items of each list in an answer, and on a page: as much as an agent reads at once
_MOST_DIFF = 200_000  # characters, as somebody is to read it
_MOST_EXPORT = 500_000  # characters
_REMEMBERED = 8  # reports, and changes that are not made yet
_AT_ONCE = 2  # processes
_SECONDS = 300.0  # that a command may take
_COUNTED = re.compile(r"(\d+) of (\d+)")  # done, of all
_PAGE_NUMBER = re.compile(r"[1-9]\d{0,5}", re.ASCII)

T = TypeVar("T")
Report = Callable[[float, float | None, str | None], Awaitable[None]]
REPORT: ContextVar[Report | None] = ContextVar("REPORT", default=None)  # who hears how far a tool is


class RejectedError(Exception):
    """What was asked is not allowed or not possible; says what and why."""


@dataclass
class Change:
    """Texts for files, by path, with the SHA-256 of the bytes that they are made of."""

    files: dict[str, tuple[str, str]]
    applied: bool = False


@dataclass(frozen=True)
class Tools:
    """The tools of one server; the docstrings of those that it offers are shown to agents."""

    folder: Path  # resolved
    settings: "Settings"
    config: Path | None = None  # the settings file that the server was started with; None: the user's own
    corpus: Path | None = None  # the corpus that it was started with; None: the user's own
    read_only: bool = False  # then `mcp` offers neither `add` nor `apply_fix`, and `export` only returns text
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)  # held while a change is applied
    # Name of a report → "findings" and "entries" → all of these.
    _reports: OrderedDict[str, dict[str, list[Any]]] = field(default_factory=OrderedDict)
    _changes: OrderedDict[str, Change] = field(default_factory=OrderedDict)  # by the names of their diffs

    async def check(self, path: str, offline: bool = False, explain: str = "") -> dict[str, Any]:
        """Check the citations of a manuscript (LaTeX or Markdown), the entries of a bibliography, or a whole folder.

        Findings, gravest first, say what is wrong, where ("line" is counted from 1, ranges from 0), and how to fix it.
        "verdicts" counts the entries by verdict: verified, mismatch, conflict (the identifier leads to another work),
        not-found, unconfirmed (no service has it, but some kinds of work are in none), retracted, unchecked; "entries"
        has those that are not verified. "not-found" does not mean invented, and "unchecked" says nothing. Scholarly
        services are asked for titles, authors and identifiers unless offline. `explain` is a citekey: "explanation"
        then tells who was asked, what they answered and which rules spoke.
        """
        named = self._resolve_existing(path)
        options = ["--offline"] if offline else []
        # With `=`, as everywhere below: what the agent gives is a value, even if it begins with a dash.
        options += [f"--explain={_require_short(explain, _MOST_NAME, 'explain')}"] if explain else []
        out, notes = await self._run_command(
            "check", *options, "--format=json", *self._list_options(), "--", str(named)
        )
        return self._make_report(json.loads(out), notes)

    async def look_up(self, work: str) -> dict[str, Any]:
        """Look up what a DOI, arXiv id, ISBN, PMID, ACL id, address or title means; nothing is written.

        "certain" says whether the first work is the one that is meant; if not, any of them may be. Without works
        "reason" says why there are none.
        """
        from citelsp.cli import verify_online
        from citelsp.investigate import insert

        # `_turns`: only a few tools work at a time, the others wait.
        async with self._turns, verify_online.open_sources(self.settings) as sources:
            # One text, so one answer: the works that may be meant, and without any the reason why there are none.
            [answer] = await insert.find_all([_require_short(work, _MOST_NAME, "work")], sources)
        works = [_describe_candidate(it) for it in answer.candidates[:_MOST_WORKS]]
        return {"certain": answer.certain, "reason": answer.reason, "works": works}

    async def suggest(
        self, text: str = "", bib: str = "", path: str = "", line: int = 0, online: bool = False, k: int = 5
    ) -> dict[str, Any]:
        r"""Find works that support a passage: `text`, in which \cite<> or \cite<words> marks the place.

        Or for the placeholders of a manuscript at `path`, all or those of one `line` counted from 1.

        Searched are the author's corpus and the bibliographies of the manuscript, or for `text` the one named `bib`;
        services only if `online`. A work that has a "key" is in the bibliography already. "abstained" means that
        nothing fits, whatever is listed. "notes" say what could not be read or asked.
        """
        text = text.strip()
        if bool(text) == bool(path):  # both or neither; a `line` beside `text` does not count
            raise RejectedError("give either text or path")
        if bib and path:
            raise RejectedError("bib goes with text: a manuscript at path names its bibliographies itself")
        if not 1 <= k <= _MOST_WORKS:  # works for each placeholder
            raise RejectedError(f"k is a number from 1 to {_MOST_WORKS}")
        what = f"--text={_require_short(text, _MOST_TEXT, 'text')}" if text else self._write_place(path, line)
        options = ["--online"] if online else []
        options += [f"--bib={self._resolve_existing(bib)}"] if bib else []
        options += [f"--k={k}", "--format=json", *self._list_options(corpus=True)]
        out, notes = await self._run_command("suggest", *options, what)
        # One answer for each placeholder, in their order; no more than an agent reads at once.  `line` gets others.
        return {"answers": json.loads(out)[:_PAGE], "notes": notes}

    async def evidence(
        self, sentence: str = "", work: str = "", bib: str = "", path: str = "", line: int = 0, online: bool = False
    ) -> dict[str, Any]:
        """Quote what a work says nearest to a sentence: before you cite it, and to see whether a citation is right.

        Give `sentence` and `work`: an identifier, a title, or a key of the bibliography `bib`. Or give the `path` of a
        manuscript for all its citations, or those of one `line` counted from 1. Passages come from the author's corpus
        and abstracts; services are asked only if `online`. No passage means that nothing was found, not that the work
        says otherwise.
        """
        sentence_and_work = bool(sentence.strip()) and bool(work.strip())
        neither = not sentence.strip() and not work.strip()
        if not (neither if path else sentence_and_work):  # a `line` without `path` does not count
            raise RejectedError("give either sentence and work, or path")
        if bib and path:
            raise RejectedError("bib goes with work: a manuscript at path names its bibliographies itself")
        if path:
            what = [self._write_place(path, line)]
        else:
            what = [
                f"--text={_require_short(sentence, _MOST_TEXT, 'sentence')}",
                f"--work={_require_short(work, _MOST_NAME, 'work')}",
            ]
            if bib:
                what.append(f"--bib={self._resolve_existing(bib)}")
        options = ["--online"] if online else []
        options += ["--format=json", *self._list_options(corpus=True)]
        out, notes = await self._run_command("evidence", *options, *what)
        # One answer for each citation, in their order; no more than an agent reads at once.  `line` gets others.
        return {"answers": json.loads(out)[:_PAGE], "notes": notes}

    async def fix(self, path: str, review: bool = False, offline: bool = False) -> dict[str, Any]:
        """Make a diff that fixes what `check` finds in a bibliography, a manuscript or a folder; nothing is written.

        Safe fixes cannot change which work is cited; `review` adds corrections by what services say. Read the diff,
        show it to the author, and call `apply_fix` with its "name" to make exactly this change. A bibliography is fixed
        if it or its folder is named.
        """
        named = self._resolve_existing(path)
        options = ["--fix=review" if review else "--fix=safe", "--diff", "--format=json", *self._list_options()]
        options += ["--offline"] if offline else []
        out, notes = await self._run_command("check", *options, "--", str(named))
        # {"fixes": number, "diff": …, "files": [{"path": …, "sha256": of the file as it is, "text": as it will be}]}
        fixes = json.loads(out)
        # The diff is named by its content, so that `apply_fix` makes the change that was read and no other.  If a file
        # of it lies outside the folder, all of it is rejected.
        files = {self._require_inside(Path(file["path"])): (file["sha256"], file["text"]) for file in fixes["files"]}
        if len(fixes["diff"]) > _MOST_DIFF:
            raise RejectedError("the diff is too long to be read: name a single file, or use `citelsp check --fix`")
        name = ""  # there is nothing to fix
        if files:
            name = f"fix-{sha256(out.encode()).hexdigest()[:12]}"  # long enough that no two diffs share a name
            _remember(self._changes, name, Change({str(path): file for path, file in files.items()}))
        changed = [path.relative_to(self.folder).as_posix() for path in files]
        return {"name": name, "fixes": fixes["fixes"], "files": changed, "diff": fixes["diff"], "notes": notes}

    async def apply_fix(self, name: str) -> dict[str, Any]:
        """Make the change of which `fix` returned the diff with this name, if the files still are what it was made of.

        A change that was made already is not made again.
        """
        change = self._changes.get(name)
        if change is None:  # there never was one, or it is forgotten: only the latest are remembered
            raise RejectedError("no diff has this name: call fix again")
        async with self._writing:  # one change at a time: the same one may be asked for twice at once
            if change.applied:
                return {"written": [], "already_applied": True}
            # If this raises, the change does not count as applied, and may be tried again.
            written = await asyncio.to_thread(self._apply_fixes, change)
            change.applied = True
        return {"written": written, "already_applied": False}

    async def export(self, paper: str, bib: str = "") -> dict[str, Any]:
        """Export the entries that a manuscript cites, as they stand in its bibliographies, as one .bib.

        Of a list of references, such as main.bbl, it exports the works that services confirm. If `bib` names a new .bib
        file in the working folder, it is written there and not returned; else "text" has it. "written" names the file,
        or is "" if there was nothing to write.
        """
        named = self._resolve_existing(paper)
        target = self._resolve_bibliography(bib) if bib else None
        if target and self.read_only:
            raise RejectedError("this server only reads: leave out bib")
        where = str(target or "-")  # "-": print it
        out, notes = await self._run_command("export", f"--bib={where}", *self._list_options(), "--", str(named))
        if target:  # what the command says is a sentence about the file
            written = target.relative_to(self.folder).as_posix() if target.exists() else ""
            return {"text": "", "written": written, "notes": [*out.splitlines(), *notes]}
        if len(out) > _MOST_EXPORT:
            raise RejectedError("this is too long for an answer: name a file as bib")
        return {"text": out, "written": "", "notes": notes}

    async def add(self, work: str, bib: str) -> dict[str, Any]:
        """Add the entry of one work, named by an identifier or its title, to the .bib file `bib` in the working folder.

        "keys" has its key; that of its entry if there is one already. If no work is found, or if several may be meant,
        nothing is written, "keys" is empty, and "notes" say why or list the works; it is an error if a service could
        not be asked.
        """
        path = self._resolve_bibliography(bib)
        name = _require_short(work, _MOST_NAME, "work")
        # `citelsp add` would copy what is in a bibliography, and look up what it reads in a PDF.
        if languages.language_of_path(name).bibliography is not None or self._is_pdf(name):
            raise RejectedError("name the work by an identifier or its title, not by a file")
        # Without `_writing`: if the file changes meanwhile, the command adds the entry to what is there then.
        out, notes = await self._run_command("add", f"--bib={path}", *self._list_options(), "--", name)
        return {"keys": out.split(), "notes": notes}

    def page(self, report: str, part: str, page: str) -> str | None:
        """Return a page of the findings or entries (`part`) of a report, as JSON; None if there is no such page.

        `report`: the name under which `_make_report` remembered it.  `page`: its number, counted from 1, as the address
        of the page has it.
        """
        if not _PAGE_NUMBER.fullmatch(page):
            return None
        items = self._reports.get(report, {}).get(part, ())
        start = (int(page) - 1) * _PAGE
        if start >= len(items):
            return None
        return json.dumps({part: items[start : start + _PAGE], "of": len(items)}, ensure_ascii=False)

    def _make_report(self, report: dict[str, Any], notes: list[str]) -> dict[str, Any]:
        """Make the report for an agent: long lists are cut to their first page, with the addresses of the others.

        `notes` are added to those of the report.  The gravest findings and entries come first.  Entries that are
        verified are only counted.  A report of several pages is remembered, for `page`.
        """
        from citelsp.cli.reports.cards import LABELS
        from citelsp.cli.reports.summary import GRAVITY

        verdicts_by_gravity = list(LABELS)  # the gravest first
        findings = [{**it, "line": it["range"]["start"]["line"] + 1} for it in report["findings"]]
        entries = [it for it in report["entries"] if it["verdict"] != "verified"]
        lists = {
            "findings": sorted(findings, key=lambda it: GRAVITY.index(it["severity"])),
            "entries": sorted(entries, key=lambda it: verdicts_by_gravity.index(it["verdict"])),
        }
        verdicts = Counter(it["verdict"] for it in report["entries"])
        # By its content: an equal report of a later check has the same addresses.
        name = sha256(json.dumps(report).encode()).hexdigest()[:12]
        left_out: dict[str, int] = {}
        pages: list[str] = []
        for part, items in lists.items():
            if len(items) > _PAGE:
                left_out[part] = len(items) - _PAGE
                last_page = math.ceil(len(items) / _PAGE)
                pages += [f"citelsp://reports/{name}/{part}/{number}" for number in range(2, last_page + 1)]
        if left_out:
            _remember(self._reports, name, lists)
        first_pages = {part: items[:_PAGE] for part, items in lists.items()}
        notes = [*report["notes"], *notes]
        return {
            **report, "verdicts": dict(verdicts), **first_pages, "left_out": left_out, "pages": pages, "notes": notes,
        }  # fmt: skip

    def _apply_fixes(self, change: Change) -> list[str]:
        """Write all files of the change; return their paths, relative to the folder.

        RejectedError, and nothing is written, if one of them is no longer what the change was made of, is gone or
        cannot be read.  RejectedError also if one cannot be written; then those before it in the change are.
        """
        from citelsp.cli import named_files

        files = []
        try:
            # All are read before the first is written, so that a file that has changed keeps all others as they are.
            for path, (digest, text) in change.files.items():
                file = named_files.read_text(self._require_inside(Path(path)))
                if sha256(file.data or b"").hexdigest() != digest:
                    raise RejectedError(f"{Path(path).name} has changed since: call fix again")
                files.append((file, file.bytes_of(text)))
            for file, data in files:
                named_files.rewrite(file.path, file.data, data)
        except (FileNotFoundError, named_files.FileProblem) as problem:
            raise RejectedError(f"not written: {problem}") from None
        return [Path(file.path).relative_to(self.folder).as_posix() for file, _ in files]

    def _list_options(self, *, corpus: bool = False) -> list[str]:
        """Return the options that name the settings this server was started with; with `corpus` also its corpus."""
        options = []
        if self.config:
            options.append(f"--config={self.config}")
        if corpus and self.corpus:
            options.append(f"--corpus={self.corpus}")
        return options

    def _write_place(self, path: str, line: int) -> str:
        """`PATH:LINE` as commands read it; `PATH` alone if the line is 0 or less, which stands for all lines."""
        resolved = str(self._resolve_existing(path))
        return f"{resolved}:{line}" if line > 0 else resolved

    def _resolve_bibliography(self, written: str) -> Path:
        path = self._resolve(written)
        if path.suffix.lower() != ".bib":
            raise RejectedError("only a .bib file can be written")
        return path

    def _resolve_existing(self, written: str) -> Path:
        path = self._resolve(written)
        if not path.exists():
            raise RejectedError(f"there is no {written}")
        return path

    def _resolve(self, written: str) -> Path:
        """Return the path, from the folder and with links followed; RejectedError if it leads out of the folder."""
        return self._require_inside(self.folder / _require_short(written, _MOST_NAME, "path"))

    def _is_pdf(self, name: str) -> bool:
        """Return True for a PDF that is there, in the folder or not; False for the address of one on the web."""
        try:
            return Path(name).suffix.lower() == ".pdf" and (self.folder / name).is_file()
        except OSError:  # longer than any name of a file
            return False

    def _require_inside(self, path: Path) -> Path:
        """Return the path with its links followed; RejectedError if it leads out of the folder."""
        try:
            real = path.resolve()
        except (OSError, ValueError, RuntimeError) as problem:
            raise RejectedError(f"no path: {problem}") from None
        if not real.is_relative_to(self.folder):
            raise RejectedError(f"{path.name} lies outside the working folder")
        return real

    async def _run_command(self, *command: str) -> tuple[str, list[str]]:
        """Run a command of citelsp; return what it prints, and the lines on its standard error.

        RejectedError if it did not answer in time; and with those lines, if it failed and printed nothing.  At most
        `_AT_ONCE` run at a time; the others wait for their turn.  Lines that tell of a command's progress are no notes:
        they are passed on to the agent as they come.
        """
        async with self._turns:
            done = await programs.run_beside(
                programs.own_command("citelsp", *command),
                _SECONDS,
                environment=programs.own_environment() | TELL_PROGRESS,
                folder=str(self.folder),  # by which the command knows what bibliographies there are
                heard=_pass_on_progress,
            )
        if done.status is None:  # it was ended, as it took too long
            raise RejectedError(f"no answer within {_SECONDS:.0f} seconds")
        # On standard error each message begins with the program's name.
        lines = done.err.decode(errors="replace").replace("citelsp: ", "").splitlines()
        notes = [line for line in lines if line and not line.startswith(PROGRESS)]
        # A check that could not finish still prints its report; an export of nothing prints none, and is fine.
        has_answered = bool(done.out) or done.status in (exits.OK, exits.FINDINGS)
        if not has_answered:
            raise RejectedError("; ".join(notes) or "it could not finish")
        return done.out.decode(errors="replace"), notes


async def _pass_on_progress(written: bytes) -> None:
    """Tell whoever hears it how far a command says that it is; `written`: what it wrote to standard error just now."""
    lines = [line for line in written.decode(errors="replace").splitlines() if line.startswith(PROGRESS)]
    report = REPORT.get()
    if not lines or report is None:
        return
    message = lines[-1].removeprefix(PROGRESS)
    counted = _COUNTED.match(message)
    if counted:
        await report(float(counted[1]), float(counted[2]), message)


def _remember(known: OrderedDict[str, T], name: str, value: T) -> None:
    """Add the value as the latest; of more than a few the oldest is forgotten."""
    known[name] = value
    known.move_to_end(name)
    if len(known) > _REMEMBERED:
        known.popitem(last=False)


def _require_short(text: str, most: int, name: str) -> str:
    """Return the text, if there is any and it is no longer than `most` characters; else RejectedError with its name."""
    if not text.strip() or len(text) > most or "\0" in text:
        raise RejectedError(f"{name} has between 1 and {most:,} characters")
    return text


def _describe_candidate(candidate: "Candidate") -> dict[str, Any]:
    """Return a work as the contract names its fields, and who knows it."""
    from citelsp.cli.report_parts import work

    return {**work(candidate.record), "sources": list(candidate.origins or (candidate.record.source,))}
