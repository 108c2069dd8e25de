r"""Real citations masked one at a time: how often the list puts the entry first that the author cites there.

    python tests/lab masking FOLDER... [--each 25] [--first-draft] [--keys] [--corpus DIR] [--seed 1]

Each FOLDER holds one manuscript in LaTeX with its bibliographies; of several documents the one with the most citations
counts.  A citation is replaced by `\cite<>`, all others stay, and the list that an editor shows is made, offline.  As
the entry of a work that is cited once is then the only one without a citation, which no author's is who still writes,
`--first-draft` takes away all later citations, too.  With `--keys` the list is that of keys at an empty `\cite{}`.
Printed: how often one of the keys that stood there is first, among three, among ten, with intervals by manuscript.
"""

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from citelsp.base.settings import Settings
from citelsp.base.text import Span
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.candidates import candidate_set, entries, gather
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.evals.metrics import Interval, estimate_mean
from citelsp.features import complete_keys
from citelsp.workspace import include_graph
from citelsp.workspace import question as questions
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.project import Project

FEWEST = 30  # entries, below which a manuscript is left out
_AT = (1, 3, 10)
MARK, _EMPTY = r"\cite<>", r"\cite{}"
_CLASS = re.compile(r"^[^%\n]*\\documentclass", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MaskedPlace:
    """A citation with the keys that stand there."""

    path: str
    span: Span
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Manuscript:
    folder: Path
    files: DiskFiles
    main: str
    entries: int
    places: tuple[MaskedPlace, ...]


@dataclass(frozen=True, slots=True)
class MaskedOutcome:
    """`rank` of the first right entry in the list, from 1; 0 if it is not there."""

    manuscript: str
    place: MaskedPlace
    rank: int
    fits: bool
    listed: tuple[str, ...]  # keys


def manuscript(folder: Path, each: int, fewest: int, seed: int = 1) -> Manuscript | None:
    """The document of a folder that cites most, with a sample of its citations; None if it has too few entries."""
    files, best = DiskFiles([str(folder)]), None
    for path in sorted(folder.rglob("*.tex")):
        if path.is_file() and _CLASS.search(path.read_text(encoding="utf-8", errors="replace")):
            project = include_graph.build(files, str(path), Settings())
            if best is None or len(places(project)) > len(places(best[1])):
                best = (str(path), project)
    if best is None or (number := sum(1 for _ in best[1].entries())) < fewest:
        return None
    found = places(best[1])
    sampled = random.Random(seed).sample(found, min(each, len(found)))  # noqa: S311  a repeatable choice, no secret
    return Manuscript(folder, files, best[0], number, tuple(sampled))


def places(project: Project) -> list[MaskedPlace]:
    """Every citation of entries that the project has."""
    found: dict[tuple[str, Span], set[str]] = {}
    for source, citation in project.citations():
        if citation.whole.within(source.document.text).startswith("\\") and project.find(citation.key):
            found.setdefault((source.document.path, citation.whole), set()).add(citation.key)
    return [MaskedPlace(path, span, frozenset(keys)) for (path, span), keys in found.items()]


def outcomes(
    manuscript: Manuscript, corpus: Corpus | None = None, *, first_draft: bool = False, keys: bool = False
) -> Iterator[MaskedOutcome]:
    """What is listed at each place, or which `keys` are; in a first draft nothing is cited behind it."""
    libraries = Libraries()
    for place in manuscript.places:
        found = include_graph.build(manuscript.files, manuscript.main, Settings())
        mark = _EMPTY if keys else MARK
        texts = masked(found, place, mark, first_draft=first_draft)
        for path, text in texts.items():
            manuscript.files.open(path, text)
        project = include_graph.build(manuscript.files, manuscript.main, Settings())
        offset = place.span.start + len(mark) - 1
        listing = (
            _keys(project, libraries, place.path, offset)
            if keys
            else _works(project, libraries, place.path, offset, corpus)
        )
        if listing is not None:
            listed, fits = listing
            rank = next((at for at, key in enumerate(listed, 1) if key in place.keys), 0)
            yield MaskedOutcome(manuscript.folder.name, place, rank, fits, listed)
        # The next place is masked in the text as it was.
        for path in texts:
            manuscript.files.close(path)


_List = tuple[tuple[str, ...], bool]  # keys; whether the first is said to fit


def _works(project: Project, libraries: Libraries, path: str, offset: int, corpus: Corpus | None) -> _List | None:
    placeholder = project.placeholder_at(path, offset)
    if placeholder is None:
        return None
    question = questions.placeholder_question(project, path, placeholder)
    suggestion = candidate_set.suggest(gather.gather_locally(question, corpus, project, libraries))
    return tuple(candidate.key for candidate in suggestion.candidates), not suggestion.abstained


def _keys(project: Project, libraries: Libraries, path: str, offset: int) -> _List | None:
    def likely(place: Span) -> list[str]:
        return [
            it.key
            for it in entries.find_answering(project, libraries, Query(questions.place_question(project, path, place)))
        ]

    found = complete_keys.complete(project, libraries, path, offset, likely)
    return (tuple(it.key for it in found.items), True) if found else None


def masked(project: Project, place: MaskedPlace, mark: str, *, first_draft: bool) -> dict[str, str]:
    """The texts that change, by path."""
    gone: dict[str, dict[Span, str]] = defaultdict(dict)
    is_later = False
    for source, citation in project.citations() if first_draft else ():
        here = source.document.path == place.path
        is_later = is_later or here
        if is_later and (not here or citation.whole.start >= place.span.end):
            gone[source.document.path][citation.whole] = ""
    gone[place.path][place.span] = mark
    return {path: replaced(project.sources[path].document.text, changes) for path, changes in gone.items()}


def replaced(text: str, changes: Mapping[Span, str]) -> str:
    for span in sorted(changes, key=lambda it: it.start, reverse=True):
        text = text[: span.start] + changes[span] + text[span.end :]
    return text


def shares(found: Sequence[MaskedOutcome]) -> dict[int, Interval]:
    """How often a right entry is among the first so many, with its interval by manuscript."""
    manuscripts = [it.manuscript for it in found]
    return {most: estimate_mean([float(0 < it.rank <= most) for it in found], manuscripts) for most in _AT}


def report(found: Sequence[MaskedOutcome]) -> str:
    lines = [f"{len(found)} citations of {len({it.manuscript for it in found})} manuscripts"]
    for most, interval in shares(found).items():
        where = "first" if most == 1 else f"among {most}"
        lines.append(f"right entry {where}: {interval.mean:.1%} ({interval.low:.1%} to {interval.high:.1%})")
    fitting = [it for it in found if it.fits]
    right = sum(it.rank == 1 for it in fitting)
    share = f"; there the first is right in {right / len(fitting):.0%}" if fitting else ""
    lines.append(f"something is said to fit at {len(fitting) / len(found):.0%}{share}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="real citations masked one at a time")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=25, help="citations of each manuscript")
    parser.add_argument("--fewest", type=int, default=FEWEST, help="entries, below which a manuscript is left out")
    parser.add_argument("--corpus", type=Path, help="works beside the author's own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first-draft", action="store_true", help="take away all later citations, too")
    parser.add_argument("--keys", action="store_true", help="at an empty citation in place of a placeholder")
    parser.add_argument("--list", action="store_true", help="show each manuscript")
    options = parser.parse_args(arguments)
    found: list[MaskedOutcome] = []
    with ExitStack() as stack:
        corpus = stack.enter_context(Corpus(options.corpus)) if options.corpus else None
        for folder in options.folders:
            known = manuscript(folder.resolve(), options.each, options.fewest, options.seed)
            if known and known.places:
                again = list(outcomes(known, corpus, first_draft=options.first_draft, keys=options.keys))
                found += again
                if options.list and again:
                    firsts, listed = (sum(0 < it.rank <= most for it in again) for most in (1, 10))
                    print(f"{folder.name}: {known.entries} entries, {firsts} and {listed} of {len(again)}", flush=True)
    print(report(found) if found else "no manuscript with entries that it cites")


if __name__ == "__main__":
    main()
