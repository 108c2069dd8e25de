"""`citelsp check --each`: every paper of a folder or a list by itself, as the desk of a conference or a journal does.

A paper has its line as soon as it is checked.  What services answered is cached as always, so an interrupted run goes
on where it was.  All papers share the services and their pace.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.base.text import quoted
from citelsp.cli import common, exits, named_files, paint
from citelsp.cli.reports import cards, tables
from citelsp.received.inputs import arxiv_id, collect_papers
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.cli.checking import CheckOutcome
    from citelsp.sources.ask_services import Sources

FORMATS = ("text", "csv")
_GRAVE = ("Retracted", "Identifier of another work", "Unknown identifier", "Not found", "Differs from the record")
_OTHERS = ("Listed nowhere", "Unchecked", "Verified", "Not looked up")
_READ = (".pdf", ".docx", ".odt", ".zip")
_MOST = 5000  # papers of one run


@dataclass(frozen=True, slots=True)
class Paper:
    """What one paper came to: how many references of each verdict, and what kept it from being checked."""

    name: str
    counts: dict[str, int] = field(default_factory=dict)
    problems: Sequence[str] = ()
    is_serious: bool = False

    @property
    def references(self) -> int:
        return sum(self.counts.values())

    @property
    def gravity(self) -> tuple[int, ...]:
        """Sorts the gravest first; what could not be read stands before what has nothing."""
        return (*(-self.counts.get(it, 0) for it in _GRAVE), -bool(self.problems))

    def row(self) -> dict[str, object]:
        of = {name.lower(): self.counts.get(name, 0) for name in (*_GRAVE, *_OTHERS)}
        return {"paper": self.name, "references": self.references, **of, "problem": "; ".join(self.problems)}

    def line(self) -> str:
        """`paper17: 1 retracted, 2 not found, 40 verified`."""
        found = [f"{self.counts[it]} {it.lower()}" for it in (*_GRAVE, *self.counts) if self.counts.get(it)]
        parts = ", ".join(dict.fromkeys(found)) or ("" if self.problems else "no references")
        return f"{quoted(self.name)}: {'; '.join(filter(None, (parts, *self.problems)))}"


def papers_of(paths: Sequence[Path]) -> list[Path]:
    """Each folder and each file that is read, of the folders named; everything else as it is named."""
    found = [paper for named in paths for paper in (_inside(named) if named.is_dir() else [named])]
    return list(dict.fromkeys(found))


def _inside(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir() or path.suffix.lower() in _READ or (path.is_file() and _is_list(path)):
            yield path


def _is_list(path: Path) -> bool:
    """True for a bibliography, compiled or not, that lies by itself."""
    language = languages.language_of_path(path.name)
    return language.by_ending or language.manuscript is not None


def listed(path: Path) -> list[Path]:
    """The papers that a file names, one a line; paths count from its folder.  FileNotFoundError; FileProblem."""
    lines = (it.strip() for it in named_files.read_text(path).text.splitlines())
    names = [it for it in lines if it and not it.startswith("#")]
    return [Path(it) if arxiv_id(it) else path.parent / it for it in names]


async def check_each(options: argparse.Namespace, sources: "Sources | None") -> int:
    import asyncio

    every = list(dict.fromkeys((*papers_of(options.paths), *options.listed)))
    papers = every[:_MOST]
    if unmet := _unmet(every):
        common.warn(unmet)
    done: list[Paper] = []
    gate = asyncio.Semaphore(options.jobs) if sources else None

    async def check(path: Path) -> None:
        if gate is None:
            done.append(await _checked(options, path, sources))
        else:
            async with gate:
                done.append(await _checked(options, path, sources))
        if options.format == "text":
            print(done[-1].line(), flush=True)

    if gate is None:
        for path in papers:
            await check(path)
    else:
        await asyncio.gather(*map(check, papers))
    status = _ended(done, options)
    return exits.UNFINISHED if unmet else status


def _unmet(every: Sequence[Path]) -> str:
    """Why not all is checked that was named; "" if it is."""
    if not every:
        return "no paper was found in what you named"
    if len(every) > _MOST:
        return f"{len(every) - _MOST:,} of {len(every):,} papers are not checked: one run takes {_MOST:,}"
    return ""


async def _checked(options: argparse.Namespace, path: Path, sources: "Sources | None") -> Paper:
    """One paper; whatever is wrong with it, the next is checked."""
    from citelsp.cli.checking import Checking
    from citelsp.cli.targets import Workplace

    name = str(path)
    if not _is_there(path):
        return Paper(name, problems=("is not there",))
    own = argparse.Namespace(**{**vars(options), "paths": [path]})
    workplace = Workplace(own)
    workplace.received = await collect_papers([name], sources.client if sources else None)
    try:
        found = await Checking(workplace, sources, only=options.only).check()
    except (OSError, RecursionError, MemoryError) as problem:
        return Paper(name, problems=(f"could not be checked: {problem}",))
    return _summarised(name, found)


def _is_there(path: Path) -> bool:
    return bool(arxiv_id(str(path))) or path.exists()


def _summarised(name: str, found: "CheckOutcome") -> Paper:
    """What is kept of a paper: its references and records would fill the memory of a run of hundreds."""
    counts = cards.counted(cards.of(found.checked))
    problems = (it.removeprefix(f"{quoted(name)} ") for it in found.problems())
    return Paper(name, dict(counts), tuple(problems), found.is_serious())


def _ended(done: Sequence[Paper], options: argparse.Namespace) -> int:
    ordered = sorted(done, key=lambda it: (it.gravity, it.name))
    if options.format == "csv":
        print(tables.written(it.row() for it in ordered), flush=True)
    else:
        _print_totals(ordered)
    for paper in ordered:
        if options.format == "csv" and paper.problems:
            common.warn(paper.line())
    if any(it.problems for it in done):
        return exits.UNFINISHED
    return exits.FINDINGS if any(it.is_serious for it in done) else exits.OK


def _print_totals(ordered: Sequence[Paper]) -> None:
    """The papers that need a look, and a sentence with the totals of all."""
    width = paint.width(sys.stdout)
    grave = [paper for paper in ordered if any(paper.counts.get(name) for name in _GRAVE)]
    if grave:
        print("\nThe gravest first:")
        print("\n".join(paint.wrapped(f"  {paper.line()}", width) for paper in grave))
    references = sum(paper.references for paper in ordered)
    papers = "1 paper" if len(ordered) == 1 else f"{len(ordered):,} papers"
    of_them = "1 reference" if references == 1 else f"{references:,} references"
    clauses = [f"{len(grave):,} {'needs' if len(grave) == 1 else 'need'} a look"]
    less_grave = sum(paper.is_serious and paper not in grave for paper in ordered)
    if less_grave:
        clauses.append(f"{less_grave:,} {'has' if less_grave == 1 else 'have'} other errors or warnings")
    unfinished = sum(bool(paper.problems) for paper in ordered)
    if unfinished:
        clauses.append(f"{unfinished:,} could not be checked as a whole")
    print(paint.wrapped(f"\n{papers} with {of_them}: {', '.join(clauses)}.", width), flush=True)
