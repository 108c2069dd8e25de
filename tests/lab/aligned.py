"""How often the merged first answer is the right work: recorded answers of several services to the same titles.

    python tests/lab aligned DIR [--wrong]

DIR holds one folder for each service with the recorded payloads, and `aligned/` with `queries_by_service.json` (which
payload answers which query) and the reference lists that the queries come from (title, authors, year).  Every query is
asked twice: by its title alone, and with authors and year as an entry of a bibliography has them.

An empty payload of any service but DBLP may be a question that nobody answered: the recorder kept the two alike.
Queries of which nothing but such payloads were recorded cannot be answered by anybody; they are counted apart.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citelsp.bibliography.fold import bare_letters
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.bibliography.tolerant_comparison.same_person import same_person
from citelsp.knowledge import Absent, Candidate, Found, Lookup
from citelsp.sources import clean, crossref, dblp, find_work, openalex, semantic_scholar
from citelsp.sources.reference_query import ReferenceQuery
from citelsp.sources.shape import objects

_READERS: Mapping[str, Callable[[object], Record]] = {
    "crossref": crossref.read_record,
    "openalex": openalex.read_record,
    "dblp": dblp.read_record,
    "semantic_scholar": semantic_scholar.read_record,
}
_TELLING = ("dblp",)  # their empty payloads are real
_GROUPS: Mapping[str, Callable[["AlignedCase"], bool]] = {
    "all queries": lambda _: True,
    "with an answer recorded": lambda it: it.answered,
    "asked of three services or more": lambda it: it.asked >= 3,
}


@dataclass(frozen=True, slots=True)
class ListedReference:
    """What a reference list says."""

    title: str
    authors: tuple[Name, ...]
    year: int | None


@dataclass(frozen=True, slots=True)
class AlignedCase:
    reference: ListedReference
    lookups: tuple[Lookup, ...]

    @property
    def answered(self) -> bool:
        return any(isinstance(it, Found) or it.source in _TELLING for it in self.lookups)

    @property
    def asked(self) -> int:
        """How many services."""
        return len({it.source for it in self.lookups})


@dataclass(frozen=True, slots=True)
class AlignedOutcome:
    case: AlignedCase
    candidates: tuple[Candidate, ...]

    @property
    def right(self) -> bool:
        return bool(self.candidates) and is_right(self.case.reference, self.candidates[0].record)

    @property
    def in_five(self) -> bool:
        return any(is_right(self.case.reference, it.record) for it in self.candidates[:5])

    @property
    def recorded(self) -> bool:
        """Some service had it among its own first five."""
        found = (it.records[:5] for it in self.case.lookups if isinstance(it, Found))
        return any(is_right(self.case.reference, record) for records in found for record in records)

    @property
    def same_title(self) -> bool:
        title = self.case.reference.title
        return bool(self.candidates) and titles.compare(title, self.candidates[0].record.title) == "same"

    @property
    def sure(self) -> bool:
        return bool(self.candidates) and (self.candidates[0].probability or 0) >= find_work.CONFIDENT


def cases(directory: Path) -> Iterator[AlignedCase]:
    """Every query whose reference is known."""
    references = {bare_letters(it.title): it for it in _references(directory / "aligned")}
    rows = json.loads((directory / "aligned" / "queries_by_service.json").read_text("utf-8"))
    for row in rows:
        reference = references.get(bare_letters(row["query"])) or ListedReference(row["query"], (), None)
        yield AlignedCase(reference, tuple(_lookups(directory, row)))


def _references(directory: Path) -> Iterator[ListedReference]:
    for path in sorted(directory.glob("bibliography_*.json")):
        for item in json.loads(path.read_text("utf-8")):
            names = tuple(clean.display_name(name) for name in item["authors"] if not name.startswith("et al"))
            yield ListedReference(item["title"], names, item["year"])


def _lookups(directory: Path, row: Mapping[str, Any]) -> Iterator[Lookup]:
    for service, read in _READERS.items():
        folders = list((directory / service).glob("*refchecker*"))
        for name in row.get(service, ()):
            # refchecker kept an answer that failed as an empty list: which of the two it was shows nowhere.
            found = [_payload(folder / name, read) for folder in folders if (folder / name).exists()]
            records = tuple(record for part in found for record in part)
            yield Found(service, records) if records else Absent(service)


def _payload(path: Path, read: Callable[[object], Record]) -> list[Record]:
    data = json.loads(path.read_text("utf-8"))
    rows = data if isinstance(data, list) else [data]
    return [record for record in map(read, objects(rows)) if record.title]


def is_right(reference: ListedReference, record: Record) -> bool:
    """The same title (a subtitle may be missing), some author in common, a year that a preprint could explain."""
    if (
        titles.compare(reference.title, record.title) not in {"same", "looser"}
        and titles.likeness(reference.title, record.title) < 0.9
    ):
        return False
    if reference.authors and record.authors:
        shared = sum(any(same_person(it, its) for its in record.authors) for it in reference.authors)
        if shared * 2 < min(len(reference.authors), len(record.authors)):
            return False
    # A preprint and its publication may be three years apart and are one work.
    apart = min((abs(reference.year - year) for year in record.years), default=0) if reference.year else 0
    return apart <= 3


def run(found: Sequence[AlignedCase], *, clues: bool) -> list[AlignedOutcome]:
    return [
        AlignedOutcome(case, tuple(find_work.rank(_question(case.reference, clues), case.lookups))) for case in found
    ]


def _question(reference: ListedReference, clues: bool) -> ReferenceQuery:
    return (
        ReferenceQuery(reference.title, reference.authors, reference.year) if clues else ReferenceQuery(reference.title)
    )


def report(outcomes: Sequence[AlignedOutcome]) -> str:
    groups = ((name, [it for it in outcomes if fits(it.case)]) for name, fits in _GROUPS.items())
    return "\n".join(_counts(name, group) for name, group in groups)


def _counts(name: str, outcomes: Sequence[AlignedOutcome]) -> str:
    n, sure = len(outcomes), [it for it in outcomes if it.sure]
    wrong = [it for it in sure if not it.right]
    same = sum(it.same_title for it in wrong)
    lines = [
        (sum(it.right for it in outcomes), "first answer right"),
        (sum(it.in_five for it in outcomes), "right among the first five"),
        (sum(it.recorded for it in outcomes), "some service had it among its own first five"),
        (len(sure), f"answered with p >= {find_work.CONFIDENT}"),
        (
            len(wrong),
            f"wrong with p >= {find_work.CONFIDENT}; {same} of them have the very title, by others or of another year",
        ),
    ]
    return "\n".join(
        [f"{name}: n = {n}", *(f"  {count:4d}  {count / max(1, n):6.1%}  {label}" for count, label in lines)]
    )


def _wrong(outcome: AlignedOutcome) -> str:
    reference = outcome.case.reference
    lines = [f"- {reference.title} | {', '.join(map(str, reference.authors[:3]))} | {reference.year}"]
    for candidate in outcome.candidates[:2]:
        record = candidate.record
        people = ", ".join(map(str, record.authors[:3]))
        lines.append(f"    {candidate.probability} {record.title} | {people} | {record.years} | {candidate.origins}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Count how often the merged first answer is the right work.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list what went wrong")
    arguments = parser.parse_args()
    known = list(cases(arguments.directory))
    for how, clues in (("By the title alone", False), ("With authors and year", True)):
        outcomes = run(known, clues=clues)
        print(f"{how}\n{report(outcomes)}\n")
        if arguments.wrong:
            print("\n".join(_wrong(it) for it in outcomes if not it.right))


if __name__ == "__main__":
    main()
