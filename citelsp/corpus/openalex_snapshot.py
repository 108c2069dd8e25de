"""Works from OpenAlex's snapshot: folders of JSON lines by the date of a work's last change, and lists of merged ids.

    works/updated_date=2024-05-01/part_000.gz     also below `data/`
    merged_ids/works/2024-05-01.csv.gz            merge_date,id,merge_into_id

A work that was merged into another, or deleted, which OpenAlex writes as merged into one work that is none, is left out
and removed if it is there; who cites it cites the other.
"""

import csv
import json
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citelsp.base.text import quote_name
from citelsp.corpus import compressed_files
from citelsp.corpus.imports import pass_works
from citelsp.corpus.work import Work
from citelsp.sources import openalex
from citelsp.sources.shape import FormError, dig, items, objects, text

Problem = Callable[[str], None]

_DELETED = 4285719527  # "Deleted Work", into which OpenAlex merges what it removes
_MOST_MERGERS = 10  # of one work, one after another
_NO_YEAR = 9999  # until this year nothing is asked of a work's


@dataclass(frozen=True, slots=True)
class Selection:
    """Which works are read: all of those that nothing is asked of."""

    concept: str = ""  # name or id of a concept, topic, subfield or field, in any case
    since: int = 0
    until: int = _NO_YEAR
    language: str = ""  # as OpenAlex writes it: "en"

    def admits(self, raw: Mapping[str, Any]) -> bool:
        """Return True if a work, {"publication_year": 2019, "language": "en", …}, fits years, language and concept."""
        year = raw.get("publication_year")
        asks_for_years = self.since > 0 or self.until < _NO_YEAR
        if asks_for_years and not (isinstance(year, int) and self.since <= year <= self.until):
            return False
        if self.language and text(raw.get("language")).lower() != self.language.lower():
            return False
        return not self.concept or self.concept.lower() in _list_subjects(raw)


@dataclass(frozen=True, slots=True)
class MergedIds:
    """Ids that name no work any more, as numbers in order, and beside each, at the same position, what it became.

    Two arrays to be searched by halves, as a dictionary of many millions would take gigabytes.
    """

    old: "array[int]"
    new: "array[int]"

    def following(self, id_: str) -> str | None:
        """Return the id that a work has now, after it was merged into others; None if it was deleted.

        None also if mergers go round in a circle, or if there are ten or more of them.  What is not an id of a work is
        returned as it is.
        """
        number = _read_number(id_)
        for _ in range(_MOST_MERGERS):  # what a work was merged into may be merged itself
            position = bisect_left(self.old, number)
            was_merged = position < len(self.old) and self.old[position] == number
            if not was_merged:
                return f"W{number}" if number else id_
            number = self.new[position]
            if number == _DELETED:  # one record, into which OpenAlex merges all that it removes
                return None
        return None

    def ids(self) -> Iterator[str]:
        return (f"W{it}" for it in self.old)


def merged_ids(folder: Path, problem: Problem) -> MergedIds:
    """Read from the lists of the snapshot in `folder` what became of merged works.

    If several lists name an id, the latest counts; lines without two ids are passed over.  `problem` is told of a file
    that is damaged; what stands before the damage counts.
    """
    merged_into: dict[int, int] = {}
    for file in sorted(_find_part(folder, "merged_ids/works").glob("*.csv*")):  # named by their dates
        lines = (line.decode("utf-8", "replace") for line in compressed_files.lines(file))
        try:
            for row in csv.DictReader(lines):
                old = _read_number(row.get("id") or "")
                new = _read_number(row.get("merge_into_id") or "")
                if old and new:
                    merged_into[old] = new
        except (compressed_files.PackedError, csv.Error) as damage:  # csv.Error: quotes that nothing closes
            problem(f"{quote_name(str(file))}: {damage}")
    in_order = sorted(merged_into)
    return MergedIds(array("q", in_order), array("q", [merged_into[old] for old in in_order]))


def works(folder: Path, selection: Selection, merged: MergedIds, problem: Problem) -> Iterator[Work]:
    """Yield the selected works, in the order of their last change; what cannot be read goes to `problem`."""
    parts = sorted(_find_part(folder, "works").glob("updated_date=*/*"))
    if not parts:
        problem(f"{quote_name(str(folder))}: there is no works/updated_date=…/part_… in this folder")
    for part in parts:
        yield from pass_works(_read_part(part, selection, merged), quote_name(str(part)), problem)


def _read_part(part: Path, selection: Selection, merged: MergedIds) -> Iterator[Work | str]:
    for number, line in enumerate(compressed_files.lines(part), 1):
        found = _read_work(line, selection, merged) if line.strip() else None
        if isinstance(found, Work):
            yield found
        elif found:
            yield f"{number}: {found}"


def _read_work(line: bytes, selection: Selection, merged: MergedIds) -> Work | str | None:
    """Read the work of a line, or say what is wrong with the line.

    None for a work that is left out: not selected, merged into another, deleted, or without a title or an id.
    References are the ids that the cited works have now, without those that were deleted.
    """
    try:
        raw = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if not isinstance(raw, dict):
        return "not an object"
    id_ = text(raw.get("id")).rpartition("/")[2]
    if merged.following(id_) != id_ or not selection.admits(raw):
        return None
    try:
        record = openalex.read_record(raw)
    except FormError:
        return f"{id_ or 'a work without id'}: of a form that OpenAlex does not have"
    if not record.title or not id_:
        return None  # OpenAlex has millions of works without a title, which nobody can cite
    cited_ids = (text(it).rpartition("/")[2] for it in items(raw.get("referenced_works")))
    present_ids = map(merged.following, cited_ids)
    return Work(
        id=id_,
        title=record.title,
        abstract=record.abstract,
        authors=tuple(f"{it.family}, {it.given}" if it.given else it.family for it in record.authors),
        year=record.years[0] if record.years else None,
        date=record.date if len(record.date) > 4 else "",  # "2019" alone says no more than `year`
        venue=record.venue,
        doi=record.identifiers.doi,
        arxiv=record.identifiers.arxiv,
        references=tuple(dict.fromkeys(filter(None, present_ids))),
    )


def _list_subjects(raw: Mapping[str, Any]) -> set[str]:
    """Names and ids, in lower case, of everything that OpenAlex files a work under.

    {"concepts": [{"id": "https://openalex.org/C41008148", "display_name": "Computer science"}], "topics": [{"id": "…",
    "display_name": "…", "subfield": {"id": "…", "display_name": "…"}, "field": {…}, "domain": {…}}]}
    """
    topics = objects(raw.get("topics"))
    levels = [dig(it, level) for it in topics for level in ("subfield", "field", "domain")]
    subjects = [*objects(raw.get("concepts")), *topics, *(it for it in levels if isinstance(it, dict))]
    names = {text(it.get("display_name")).lower() for it in subjects}
    return names | {text(it.get("id")).rpartition("/")[2].lower() for it in subjects}


def _find_part(folder: Path, name: str) -> Path:
    """Return a part of the snapshot, which lies below `data` in what OpenAlex publishes."""
    return folder / "data" / name if (folder / "data").is_dir() else folder / name


def _read_number(id_: str) -> int:
    """Return the number of an OpenAlex work id, also written as an address; 0 if it is none."""
    short = id_.rpartition("/")[2]
    digits = short[1:] if short[:1] in {"W", "w"} else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else 0
