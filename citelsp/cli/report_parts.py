"""What a check found, as values, and how every report names paths, places, works and verdicts.

Ranges count lines from zero and characters in UTF-16 units, as editors do; the lines for people count from one.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citelsp.base.footprint import MB, remember
from citelsp.base.text import Span, quote_name
from citelsp.bibliography.record import Record
from citelsp.checks.finding import Finding, Note
from citelsp.knowledge import Knowledge, Verdict
from citelsp.server.wire import text_positions
from citelsp.workspace.project import Place, Project

UNASKED = Verdict("unchecked", "it was not looked up")

_NAMED = 3  # documents in one sentence
Range = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Checked:
    """A part of what was checked: one project with findings and the entries that were asked about."""

    project: Project
    knowledge: Knowledge
    findings: Sequence[Finding]
    places: Sequence[Place]

    def verdicts(self) -> Iterable[tuple[Place, Verdict]]:
        """Each entry with the verdict on it, UNASKED if there is none."""
        by_content = self.knowledge.verdicts
        if not by_content:  # as without a network: the content of no entry is needed
            return [(place, UNASKED) for place in self.places]
        return [(place, by_content.get(place.content, UNASKED)) for place in self.places]


@dataclass(frozen=True, slots=True)
class Ranges:
    """The lines and columns of spans that were all given beforehand, so that each document is gone through once."""

    positions: Mapping[str, Mapping[int, tuple[int, int]]]  # path → offset → line and column

    def __call__(self, path: str, span: Span) -> Range:
        by_offset = self.positions[path]
        return _make_range(by_offset[span.start], by_offset[span.end])


def ranges(checked: Sequence[Checked]) -> Ranges:
    """Of all findings, what explains them and what fixes them."""
    located: list[tuple[str, str, Span]] = []
    for of_project in checked:
        for finding in of_project.findings:
            located += _locate_all(of_project, _list_places(finding))
    return _make_ranges(located)


def positions(checked: Checked, places: Iterable[tuple[str, Span]]) -> Ranges:
    """Of these paths and spans."""
    return _make_ranges(_locate_all(checked, places))


def _locate_all(checked: Checked, places: Iterable[tuple[str, Span]]) -> Iterator[tuple[str, str, Span]]:
    """Path, text, span; in a file that was not read everything is at its start."""
    for path, span in places:
        source = checked.project.sources.get(path)
        yield path, source.document.text if source else "", span


def _make_ranges(located: Iterable[tuple[str, str, Span]]) -> Ranges:
    """Of these paths, texts and spans."""
    texts: dict[str, str] = {}
    offsets: dict[str, set[int]] = defaultdict(set)
    for path, text, span in located:
        texts.setdefault(path, text)
        offsets[path].update((span.start, span.end))
    return Ranges({path: text_positions.find_positions(texts[path], it, "utf-16") for path, it in offsets.items()})


def _list_places(finding: Finding) -> Iterable[tuple[str, Span]]:
    """All paths and spans that a report tells of a finding."""
    yield finding.path, finding.span
    for related in finding.related:
        yield related.path, related.span
    for fix in finding.fixes:
        for edit in fix.edits:
            yield edit.path, edit.span


def range_of(project: Project, path: str, span: Span) -> Range:
    """Of a single place; for many of one document `positions` goes through its text once."""
    source = project.sources.get(path)
    by_offset = text_positions.find_positions(source.document.text if source else "", (span.start, span.end), "utf-16")
    return _make_range(by_offset[span.start], by_offset[span.end])


def _make_range(start: tuple[int, int], end: tuple[int, int]) -> Range:
    return {"start": {"line": start[0], "character": start[1]}, "end": {"line": end[0], "character": end[1]}}


def show_path(path: str, base: Path | None = None) -> str:
    """The path from here or from `base`, with forward slashes; absolute if it does not lie below."""
    return _make_relative(str(base) if base else os.getcwd(), path)  # noqa: PTH109  asked for every place of a report


def show_on_one_line(path: str) -> str:
    """The path from here (see `show_path`) for people: on one line, whatever the file's name."""
    return quote_name(show_path(path))


def merge_notes(notes: Iterable[Note]) -> list[str]:
    """A sentence for each note, one for all that say the same of several documents."""
    groups: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        groups[note.text].append(note)
    return [_write_sentence(it) for it in groups.values()]


def _write_sentence(notes: Sequence[Note]) -> str:
    """One sentence for notes that say the same: the documents by name, and their keys counted together."""
    names = list(dict.fromkeys(show_on_one_line(it.path) for it in notes if it.path))
    sentence = notes[0].sentence(sum(it.keys for it in notes), len(names))
    if not names:
        return sentence
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}: {sentence}"


@remember(MB)
def _make_relative(here: str, path: str) -> str:
    full = Path(path)
    shortest = full.relative_to(here) if full.is_relative_to(here) else full
    return shortest.as_posix()


def work(record: Record) -> dict[str, Any]:
    """A record as the contract names its fields; null if unknown."""
    return {
        "title": record.title,
        "authors": [str(it) for it in record.authors],
        "year": record.year,
        "venue": record.venue or None,
        "doi": record.identifiers.doi or None,
        "arxiv": record.identifiers.arxiv or None,
    }
