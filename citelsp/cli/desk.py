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

from citelsp.base.text import quote_name, write_count
from citelsp.cli import common, exits, named_files, paint
from citelsp.cli.reports import cards, tables
from citelsp.received.inputs import arxiv_id, collect_papers
from citelsp.syntax import languages

if TYPE_CHECKING:
    from citelsp.cli.check_outcome import CheckOutcome
    from citelsp.sources.ask_services import Sources

FORMATS = ("text", "csv")
_GRAVE = ("Retracted", "Identifier of another work", "Unknown identifier", "Not found", "Differs from the record")
_OTHERS = ("Listed nowhere", "Unchecked", "Verified", "Not looked up")
_PAPER_ENDINGS = (".pdf", ".docx", ".odt", ".zip")
_MOST_PAPERS = 5000  # papers of one run


@dataclass(frozen=True, slots=True)
class Paper:
    """What one paper came to: how many references of each verdict, and what kept it from being checked or reported."""

    name: str
    counts: dict[str, int] = field(default_factory=dict)
    problems: Sequence[str] = ()
    is_serious: bool = False
    hidden: Sequence[str] = ()  # what its own settings and comments keep from being counted, in sentences

    @property
    def references(self) -> int:
        return sum(self.counts.values())

    @property
    def gravity(self) -> tuple[int, ...]:
        """Sorts the gravest first: who has more of the gravest verdict, of the next, and so on.

        Among equals, what could not be read stands before what has nothing.
        """
        return (*(-self.counts.get(label, 0) for label in _GRAVE), -bool(self.problems))

    def row(self) -> dict[str, object]:
        """Return the cells of a row in CSV, by the heads of their columns."""
        counts = {label.lower(): self.counts.get(label, 0) for label in (*_GRAVE, *_OTHERS)}
        return {"paper": self.name, "references": self.references, **counts, "problem": "; ".join(self.problems)}

    def line(self) -> str:
        """`paper17: 1 retracted, 2 not found, 40 verified`."""
        labels = dict.fromkeys((*_GRAVE, *self.counts))  # the grave ones first
        counts = ", ".join(f"{self.counts[label]} {label.lower()}" for label in labels if self.counts.get(label))
        if not counts and not self.problems:
            counts = "no references"
        return f"{quote_name(self.name)}: {'; '.join(filter(None, (counts, *self.problems)))}"


def papers_of(paths: Sequence[Path]) -> list[Path]:
    """Return the papers that are named, each once: of a folder those in it, everything else as it is named."""
    papers: dict[Path, None] = {}  # a set that keeps its order
    for named in paths:
        papers |= dict.fromkeys(_list_inside(named) if named.is_dir() else [named])
    return list(papers)


def _list_inside(folder: Path) -> Iterator[Path]:
    """Yield the papers in a folder: each folder in it counts as one, and each file that is read; nothing hidden."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_dir() or path.suffix.lower() in _PAPER_ENDINGS or (path.is_file() and _is_list(path)):
            yield path


def _is_list(path: Path) -> bool:
    """Return True for what has references by its ending: a bibliography, compiled or not, or a manuscript."""
    language = languages.language_of_path(path.name)
    return language.by_ending or language.manuscript is not None


def read_paper_list(path: Path) -> list[Path]:
    """Return the papers that a file names, one a line; paths count from its folder, and lines with # are comments.

    FileNotFoundError; FileProblem.
    """
    lines = [line.strip() for line in named_files.read_text(path).text.splitlines()]
    names = [line for line in lines if line and not line.startswith("#")]
    return [Path(name) if arxiv_id(name) else path.parent / name for name in names]


async def check_each(options: argparse.Namespace, sources: "Sources | None") -> int:
    """Check every paper by itself and print its line, then the totals; return the exit status."""
    named = list(dict.fromkeys((*papers_of(options.paths), *options.listed)))
    papers = named[:_MOST_PAPERS]
    left_out = _say_what_is_left_out(named)  # such as that there are more than _MOST_PAPERS; "" if all are checked
    if left_out:
        common.warn(left_out)
    done = await _check_papers(options, papers, sources)
    status = _print_end(done, options)
    return exits.UNFINISHED if left_out else status


def _say_what_is_left_out(named: Sequence[Path]) -> str:
    """Say why not all papers that were named are checked; "" if they are."""
    if not named:
        return "no paper was found in what you named"
    if len(named) > _MOST_PAPERS:
        return f"{len(named) - _MOST_PAPERS:,} of {len(named):,} papers are not checked: one run takes {_MOST_PAPERS:,}"
    return ""


async def _check_papers(options: argparse.Namespace, papers: Sequence[Path], sources: "Sources | None") -> list[Paper]:
    """Check the papers, and return what they came to in the order in which they are done.

    Each one's line is printed as soon as it is done, unless the format is CSV: `_print_end` writes that table.  With
    services, for which a check waits most of its time, --jobs papers are checked at once; without (`sources` is None)
    one after another, as nothing waits then and asyncio need not be loaded.
    """
    done: list[Paper] = []

    async def check(path: Path) -> None:
        paper = await _check_paper(options, path, sources)
        done.append(paper)
        for note in paper.hidden:
            common.warn(f"{quote_name(paper.name)}: {note}")
        if options.format == "text":
            print(paper.line(), flush=True)

    if sources is None:
        for path in papers:
            await check(path)
        return done
    import asyncio

    gate = asyncio.Semaphore(options.jobs)

    async def check_in_turn(path: Path) -> None:
        async with gate:
            await check(path)

    await asyncio.gather(*map(check_in_turn, papers))
    return done


async def _check_paper(options: argparse.Namespace, path: Path, sources: "Sources | None") -> Paper:
    """Check one paper: a file, a folder, or the name of a paper on arXiv.

    A path or file that cannot be used raises nothing: it is among the paper's problems, so that the next one is
    checked.
    """
    from citelsp.cli.run_checks import Checking
    from citelsp.cli.targets import Workplace

    name = str(path)
    options_of_paper = argparse.Namespace(**{**vars(options), "paths": [path]})
    try:
        if not _is_there(path):
            return Paper(name, problems=("is not there",))
        workplace = Workplace(options_of_paper)
        # An empty list if the path is a project's (a folder, a manuscript, a bibliography), which `workplace` reads.
        # A paper on arXiv cannot be fetched without services, and has a problem that says so.
        workplace.received = await collect_papers([name], sources.client if sources else None)
        outcome = await Checking(workplace, sources, only=options.only, untrusted=options.untrusted).check()
    except OSError as problem:
        # Its `strerror` alone, as the name is in the line already, and may be what is too long.
        return Paper(name, problems=(f"could not be checked: {problem.strerror or problem}",))
    except (RecursionError, MemoryError) as problem:  # a paper that is too deeply nested or too large ends only itself
        return Paper(name, problems=(f"could not be checked: {problem}",))
    return _summarise(name, outcome)


def _is_there(path: Path) -> bool:
    return bool(arxiv_id(str(path))) or path.exists()


def _summarise(name: str, outcome: "CheckOutcome") -> Paper:
    """Keep of a paper only counts: the references and records of hundreds would fill the memory."""
    counts = cards.count_by_verdict(cards.make_cards(outcome.checked))
    # The line begins with the name anyway.
    problems = (problem.removeprefix(f"{quote_name(name)} ") for problem in outcome.problems())
    return Paper(name, dict(counts), tuple(problems), outcome.is_serious(), outcome.hidden)


def _print_end(done: Sequence[Paper], options: argparse.Namespace) -> int:
    """Print the table as CSV, or the totals after the lines that were printed already; return the exit status.

    `done`: the papers that were checked, with what came of each.  The status is UNFINISHED if one has problems, even if
    there are findings; FINDINGS if one has errors or warnings.
    """
    ordered = sorted(done, key=lambda paper: (paper.gravity, paper.name))
    if options.format == "csv":
        print(tables.write_csv(paper.row() for paper in ordered), flush=True)
        for paper in ordered:
            if paper.problems:  # no line of it was printed, and the table may have gone into a file
                common.warn(paper.line())
    else:
        _print_totals(ordered)
    if any(paper.problems for paper in done):
        return exits.UNFINISHED
    return exits.FINDINGS if any(paper.is_serious for paper in done) else exits.OK


def _print_totals(ordered: Sequence[Paper]) -> None:
    """Print the papers with a grave verdict (_GRAVE), which need a look, and a sentence with the totals of all.

    The sentence counts a paper with problems as one that could not be checked as a whole, whatever else it counts as.
    `ordered`: all papers, the gravest first.
    """
    width = paint.width(sys.stdout)
    grave = [paper for paper in ordered if any(paper.counts.get(name) for name in _GRAVE)]
    if grave:
        print("\nThe gravest first:")
        print("\n".join(paint.wrap(f"  {paper.line()}", width) for paper in grave))
    references = sum(paper.references for paper in ordered)
    papers = write_count(len(ordered), "paper")
    of_them = write_count(references, "reference")
    clauses = [f"{len(grave):,} {'needs' if len(grave) == 1 else 'need'} a look"]
    less_grave = sum(paper.is_serious and paper not in grave for paper in ordered)
    if less_grave:
        clauses.append(f"{less_grave:,} {'has' if less_grave == 1 else 'have'} other errors or warnings")
    unfinished = sum(bool(paper.problems) for paper in ordered)
    if unfinished:
        clauses.append(f"{unfinished:,} could not be checked as a whole")
    print(paint.wrap(f"\n{papers} with {of_them}: {', '.join(clauses)}.", width), flush=True)
