"""Whether a paper that was received gets the verdicts that its bibliography gets, and who is accused by misreading.

    python tests/lab received_verdicts FOLDER --config FILE [--show]

FOLDER holds, at any depth, NAME.tex with its .bib files, and beside it NAME.pdf and NAME.bbl as TeX left them.  FILE
names the services, which should answer alike whenever they are asked.  Each reference of the compiled list is looked
up as its .bib has it, as its .bbl prints it, and as it is found in the PDF.  A false accusation is one of the latter
two, of an entry that its .bib gives no cause for; what the reader did not find has another verdict, too.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from citelsp.bibliography.received import ReadReference
from citelsp.cli.run_checks import Checking
from citelsp.cli.targets import Workplace
from citelsp.knowledge import Verdict
from citelsp.received.inputs import collect_papers
from citelsp.sources.ask_services import Sources
from citelsp.workspace.project import Place
from lab.received_papers import Paper, listed, matched, papers

ACCUSING = ("mismatch", "conflict", "not-found", "retracted")
KINDS = (".bbl", "PDF")
_Judged = Sequence[tuple[Place, Verdict]]


@dataclass(frozen=True, slots=True)
class Compared:
    """The verdict on one reference as the bibliography has it, and as it was received; None if it was not found."""

    kind: str
    paper: str
    key: str
    true: Verdict
    read: Verdict | None
    printed: str

    @property
    def is_same(self) -> bool:
        return self.read is not None and self.read.kind == self.true.kind

    @property
    def is_accused_falsely(self) -> bool:
        return self.read is not None and self.read.kind in ACCUSING and self.true.kind not in ACCUSING


def compare_verdicts(paper: Paper, bib: _Judged, bbl: _Judged, pdf: _Judged) -> Iterator[Compared]:
    """Each reference of the compiled list that the bibliography has, by its .bbl and by its PDF."""
    every = listed(paper)
    true, printed = _by_key(bib), _by_key(bbl)
    found = matched(every, [ReadReference(str(at), _text_of(place)) for at, (place, _) in enumerate(pdf)])
    for one in every:
        if one.key not in true:
            continue
        in_pdf = found.get(one.key)
        received = (printed.get(one.key), pdf[int(in_pdf.label)][1] if in_pdf else None)
        for kind, verdict in zip(KINDS, received, strict=True):
            yield Compared(kind, paper.name, one.key, true[one.key], verdict, one.text)


def _by_key(judged: _Judged) -> Mapping[str, Verdict]:
    return {place.entry.key.lower(): verdict for place, verdict in judged}


def _text_of(place: Place) -> str:
    printed = place.entry.printed
    return printed.plain if printed else ""


async def measure(folder: Path, config: Path | None) -> list[Compared]:
    """All papers of a folder, which share the services' answers, from an empty cache."""
    compared = list[Compared]()
    with TemporaryDirectory() as place:
        settings = Workplace(argparse.Namespace(paths=[], config=config)).settings()
        sources = Sources(settings, directory=Path(place) / "cache")
        try:
            for paper in papers(folder):
                bibliographies = sorted(paper.pdf.parent.rglob("*.bib"))
                inputs = (bibliographies, [paper.list_file], [paper.pdf])
                compared += compare_verdicts(paper, *[await _judge(it, config, sources) for it in inputs])
        finally:
            await sources.aclose()
    return compared


async def _judge(paths: Sequence[Path], config: Path | None, sources: Sources) -> _Judged:
    """Every entry of these files with its verdict, as `citelsp check` comes to it."""
    workplace = Workplace(argparse.Namespace(paths=paths, config=config))
    workplace.received = await collect_papers(list(map(str, paths)), client=None)
    outcome = await Checking(workplace, sources).check()
    return [pair for one in outcome.checked for pair in one.verdicts()]


def table(compared: Sequence[Compared]) -> str:
    """A line for each kind, and what became of the verdicts that differ."""
    lines = []
    for kind in KINDS:
        of = [it for it in compared if it.kind == kind]
        if not of:
            continue
        same, accused = sum(it.is_same for it in of), sum(it.is_accused_falsely for it in of)
        others = Counter(f"{it.true.kind} → {it.read.kind if it.read else 'not found'}" for it in of if not it.is_same)
        lines += [
            f"{kind:5}{len(of):6} references, {100 * same / len(of):5.1f} % same verdict, "
            f"{100 * accused / len(of):5.2f} % accused falsely ({accused})",
            *(f"     {count:6} {change}" for change, count in others.most_common()),
        ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--config", type=Path, help="settings that name the services")
    parser.add_argument("--show", action="store_true", help="list the references whose verdicts differ")
    options = parser.parse_args()
    compared = asyncio.run(measure(options.folder, options.config))
    print(f"{len({it.paper for it in compared})} papers")
    print(table(compared))
    for one in compared if options.show else ():
        if not one.is_same:
            read = f"{one.read.kind} ({one.read.reason})" if one.read else "not found"
            sign = "! " if one.is_accused_falsely else ""
            print(f"{sign}{one.kind} {one.paper} {one.key}: {one.true.kind} ({one.true.reason}) → {read}")
            print(f"    {one.printed}")
