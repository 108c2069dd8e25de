"""How true the entries are that are written for works looked up by DOI, by arXiv id and by title.

    citelsp eval insertion WORKS.jsonl[.gz] [--config FILE] [--number 300] [--wrong] [--write DIR]

WORKS holds one true work a line: title, authors ([{given, family}]), year, venue, volume, issue, pages, publisher, doi,
arxiv.  Every work goes into a bibliography with other habits than the one before; what stands there afterwards is read
back and compared with the truth, field by field and letter by letter.  `--write` keeps the bibliographies.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from citelsp import syntax
from citelsp.base import settings as house
from citelsp.base.text import Document, apply
from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers, normal_arxiv, normal_doi
from citelsp.bibliography.kinds import kind_of
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.all_fields import compare
from citelsp.corpus import compressed_files
from citelsp.evals.bib_habits import FILES
from citelsp.evals.questions import EvaluationFileError
from citelsp.evals.requests import count_requests
from citelsp.features import insert_entry
from citelsp.features.values import Refused
from citelsp.investigate import insert
from citelsp.sources import clean
from citelsp.sources.ask_services import Sources
from citelsp.syntax import languages
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

WAYS = ("doi", "arxiv", "title")
_COMPARED = ("title", "authors", "year", "venue", "volume", "number", "pages", "publisher")
_PLAIN = {"volume": "volume", "number": "issue", "pages": "pages", "publisher": "publisher"}  # of entry and record


@dataclass(frozen=True, slots=True)
class Departure:
    """A field of a written entry that is not letter by letter the truth."""

    field: str
    true: str
    written: str
    how: Literal["written otherwise", "not said by any source asked", "missing", "wrong"]

    @property
    def fault(self) -> bool:
        return self.how in ("missing", "wrong")


@dataclass(frozen=True, slots=True)
class InsertionOutcome:
    """What came of one work, looked up in one way and put into one bibliography."""

    truth: Record
    way: str
    habits: str
    requests: int
    entry: str = ""
    departures: tuple[Departure, ...] = ()
    faults: tuple[str, ...] = ()  # of the file, or of inserting the work again
    after: str = ""  # the whole bibliography


def read_works(path: Path) -> Iterator[Record]:
    """The true works of a file of JSON lines, also compressed; EvaluationFileError if it cannot be read as that."""
    try:
        for number, line in enumerate(compressed_files.lines(path), 1):
            if not line.strip():
                continue
            try:
                record = _read_true_record(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as problem:
                raise EvaluationFileError(f"{path}:{number}: not a work: {problem!r}") from problem
            yield record
    except compressed_files.PackedError as problem:
        raise EvaluationFileError(f"{path}: {problem}") from problem


def _read_true_record(raw: dict[str, Any]) -> Record:
    """Return the record of a true work from one line of the file WORKS.

    `raw` is {"id", "title", "authors": [{"given", "family"}], "year", "venue", "volume", …}; only id and title must be
    there, and what is missing is "" or empty in the record.
    """
    title = clean.title(raw["title"])  # a notice before it is no part of a title
    subtitle = raw.get("subtitle")
    if subtitle:
        title = f"{title}: {subtitle}"
    # The first of them is the record's `year`; the others count too when an entry's year is compared.
    years = dict.fromkeys([raw.get("year"), raw.get("published_year"), raw.get("preprint_year")])
    return Record(
        source="truth",
        id=raw["id"],
        title=title,
        authors=tuple(_read_name(it) for it in raw.get("authors", ())),
        years=tuple(it for it in years if it),
        venue=raw.get("venue", ""),
        type=raw.get("type", ""),
        identifiers=Identifiers(doi=normal_doi(raw.get("doi", "")), arxiv=normal_arxiv(raw.get("arxiv", ""))),
        volume=raw.get("volume", ""),
        issue=raw.get("issue", ""),
        pages=raw.get("pages", ""),
        publisher=raw.get("publisher", ""),
    )


def _read_name(raw: dict[str, str]) -> Name:
    return Name(raw.get("family", ""), raw.get("given", ""), literal=not raw.get("given"))


def choose_records(records: Iterable[Record], way: str, count: int) -> list[Record]:
    """The same works at every call, those that can be looked up in this way."""
    fit = [it for it in records if way == "title" or getattr(it.identifiers, way)]
    # By a hash, so that each way takes the same works, whatever the order of the file.
    return sorted(fit, key=lambda it: blake2b(it.id.encode()).digest())[:count]


async def look_up(sources: Sources, truth: Record, way: str) -> Record | None:
    """The work as the services tell it, looked up by its title or by one of its identifiers; None if none has it."""
    asked = truth.title if way == "title" else getattr(truth.identifiers, way)
    [answer] = await insert.find_all([asked], sources)
    return answer.candidates[0].record if answer.candidates else None


async def run(
    records: Sequence[Record], settings: house.Settings, count: int, ways: Sequence[str] = WAYS
) -> list[InsertionOutcome]:
    """Look up `count` works in each way (DOI, arXiv id, title), write an entry for each, and return what came of it.

    Each way has an empty cache of its own, so that its requests can be counted.
    """
    outcomes = []
    for way in ways:
        with TemporaryDirectory() as cache:
            sources = Sources(settings, directory=Path(cache))
            try:
                outcomes += [it async for it in _try_one_way(sources, choose_records(records, way, count), way)]
            finally:
                await sources.aclose()
    return outcomes


async def _try_one_way(sources: Sources, records: Sequence[Record], way: str) -> Any:  # noqa: ANN401
    """The outcome for each record, looked up in one way and written in the habits of files in turn."""
    sent = count_requests(sources)  # grows by every request
    for truth, habits in zip(records, cycle(FILES), strict=False):
        sent_before = len(sent)
        record = await look_up(sources, truth, way)
        requests = len(sent) - sent_before
        if record is None:
            yield InsertionOutcome(truth, way, habits, requests, faults=("nothing found",))
        else:
            yield insert_record(truth, record, habits, way, requests)


def project_of(path: str, text: str) -> Project:
    """A project of one bibliography."""
    document = Document(path, text, languages.language_of_path(path).name)
    return Project({path: Source(document, syntax.parse(document))}, house.Settings(), bibliographies=(path,))


def insert_record(truth: Record, record: Record, habits: str, way: str = "", requests: int = 0) -> InsertionOutcome:
    """Put a record into a bibliography, read its entry back and compare it with the truth.

    `habits` names one of `FILES`, bibliographies that are written in different ways, as with double braces: the entry
    is to follow them.  `way` is how the work was looked up, with so many `requests`: both are noted only.  Faults are
    what went wrong with the file, and what is added when the work is inserted once more, which nothing should be.
    """
    path, before = FILES[habits]
    insertion = insert_entry.add_record(project_of(path, before), path, record)
    if isinstance(insertion, Refused):
        return InsertionOutcome(truth, way, habits, requests, faults=(insertion.reason,))
    after = apply(before, insertion.change.edits)
    project = project_of(path, after)
    [place] = project.find(insertion.key)  # one: in FILES each key stands once, and a new entry gets a free one
    edits = insertion.change.edits  # none if the work was there before
    changes = describe_changes(path, before, after, edits[0].span.start if edits else len(before))
    return InsertionOutcome(
        truth,
        way,
        habits,
        requests,
        insertion.entry,
        departures=tuple(departures(place.entry, truth, record)),
        faults=(*changes, *_try_again(project, path, record)),
        after=after,
    )


def describe_changes(path: str, before: str, after: str, start: int) -> Iterator[str]:
    """Yield what is wrong with a file if an entry was to be inserted into it at `start`, and nothing else to change.

    By the ending of `path` the texts `before` and `after` are read, as BibTeX or CSL.
    """
    end = start + len(after) - len(before)
    if after[:start] + after[end:] != before:
        yield "the rest of the file changed"
    if "\r\n" in before and re.search(r"(?<!\r)\n", after):
        yield "line ends differ"
    entries_before = list(project_of(path, before).entries())
    entries_after = list(project_of(path, after).entries())
    # No entry is added if the work was there before.
    if len(entries_after) - len(entries_before) not in (0, 1):
        yield "entries were lost or split"


def _try_again(project: Project, path: str, record: Record) -> Iterator[str]:
    """Insert a work that is there already in several ways; yield those that add a second entry or are refused.

    None should, as the work is to be known again.
    """
    # Without identifiers the work has to be known by its title alone, in any letter case.
    bare = replace(record, title=decode(record.title), identifiers=Identifiers())
    again = {
        "as it is": record,
        "without identifiers": bare,
        "ALL CAPS": replace(bare, title=bare.title.upper()),
        "small letters": replace(bare, title=bare.title.lower()),
        "Title Case": replace(bare, title=bare.title.title()),
        "as a preprint": replace(bare, type="preprint", venue="arXiv"),
    }
    for how, changed in again.items():
        second = insert_entry.add_record(project, path, changed)
        if isinstance(second, Refused) or second.change:
            yield f"inserted twice, the second time {how}"
    # The other way round, into another bibliography: capitals first, then the record as it is.
    other_path, other_text = FILES["double braces"]
    in_capitals = insert_entry.add_record(project_of(other_path, other_text), other_path, again["ALL CAPS"])
    if isinstance(in_capitals, Refused):
        return  # nothing was inserted that could be inserted twice
    with_first = project_of(other_path, apply(other_text, in_capitals.change.edits))
    second = insert_entry.add_record(with_first, other_path, record)
    if isinstance(second, Refused) or second.change:
        yield "inserted twice, the first time ALL CAPS"


def departures(entry: Entry, truth: Record, record: Record) -> Iterator[Departure]:
    """Yield the fields of an entry that are not the truth to the letter, but for dashes in pages and case in DOIs.

    A field of which the truth says nothing is not compared.  `record` is what the services said, and the entry was made
    of it: a field that is missing in both is no fault of the entry.  What verification would take for the same, as
    “J. Roe” for “Jane Roe”, is “written otherwise”.
    """
    comparison = compare(entry, truth)
    recorded = dict(_values_of_record(record))
    for name, true in _values_of_record(truth):
        written = _value_of_entry(entry, name)
        if not true or true == written:
            continue
        if not written:
            how = "missing" if recorded[name] else "not said by any source asked"
        elif name in _COMPARED and comparison.outcome(name) in ("same", "looser"):
            how = "written otherwise"
        else:
            how = "wrong"
        yield Departure(name, true, written, how)  # type: ignore[arg-type]


def _values_of_record(work: Record) -> Iterator[tuple[str, str]]:
    """Field and what a record says of it, in one spelling; a preprint has no venue."""
    yield "title", decode(work.title) if "$" in work.title else " ".join(work.title.split())
    yield "authors", _list_names(work.authors) + " et al." * (not work.authors_complete)
    yield "year", str(work.year or "")
    yield "venue", "" if kind_of(work) == "preprint" else " ".join(work.venue.split())
    for name, attribute in _PLAIN.items():
        yield name, _plain_text(getattr(work, attribute))
    yield "doi", work.identifiers.doi
    yield "arxiv", work.identifiers.arxiv


def _value_of_entry(entry: Entry, name: str) -> str:
    """Return what an entry says in the field `name`, in the spelling of `_values_of_record`; "" if it says nothing."""
    match name:
        case "title" | "venue":
            return str(getattr(entry, name))
        case "authors":
            names = _list_names(entry.authors)
            return f"{names} et al." if entry.authors_truncated else names
        case "year":
            return str(entry.year or "")
        case "doi" | "arxiv":
            return str(getattr(entry.identifiers, name))
    # In biblatex the number may stand in the field `issue`.  “arXiv:…” in `pages` is an identifier, and no pages.
    value = _plain_text(entry.text(name) or (entry.text("issue") if name == "number" else ""))
    return "" if value.startswith("arXiv:") else value


def _plain_text(text: str) -> str:
    """The text with single spaces, and any dash as a hyphen without spaces."""
    return re.sub(r"\s*[-–—]+\s*", "-", " ".join(text.split()))


def _list_names(names: Iterable[Name]) -> str:
    return "; ".join(f"{it.family} | {it.given}{', ' + it.suffix if it.suffix else ''}" for it in names)


def report(outcomes: Sequence[InsertionOutcome]) -> str:
    return "\n".join(_write_counts(way, [it for it in outcomes if it.way == way]) for way in WAYS)


def _write_counts(way: str, outcomes: Sequence[InsertionOutcome]) -> str:
    """Return the lines that tell of one way how many entries are right, and how often each field or the file is wrong.

    “To the letter” are entries without any departure from the truth, “equal” those without any that is a fault; an
    outcome with `faults`, such as a work that was not found, is neither.
    """
    n = len(outcomes)
    exact = 0
    equal = 0
    requests = 0
    fields: Counter[tuple[str, str]] = Counter()
    faults: Counter[str] = Counter()
    for outcome in outcomes:
        if not outcome.faults:
            exact += not outcome.departures
            equal += not any(it.fault for it in outcome.departures)
        requests += outcome.requests
        fields.update((it.field, it.how) for it in outcome.departures)
        faults.update(re.sub(r"“.*”", "…", fault) for fault in outcome.faults)  # “…”: a name of one work
    of_all = max(1, n)
    lines = [
        f"{way}: n = {n}; to the letter {exact} ({exact / of_all:.1%}), equal {equal} ({equal / of_all:.1%}),"
        f" requests {requests / of_all:.2f}"
    ]
    lines += [f"  {times:4d}  {name} {how}" for (name, how), times in sorted(fields.items())]
    lines += [f"  {times:4d}  {fault}" for fault, times in faults.most_common()]
    return "\n".join(lines)


def list_departures(outcomes: Sequence[InsertionOutcome]) -> str:
    """What departs from the truth, work by work."""
    return "\n".join(_show_departure(it) for it in outcomes if it.departures or it.faults)


def _show_departure(outcome: InsertionOutcome) -> str:
    lines = [f"- {outcome.way}, {outcome.habits}: {outcome.truth.title} [{outcome.truth.id}]", *outcome.faults]
    lines += [f"    {it.field} {it.how}: {it.written!r} for {it.true!r}" for it in outcome.departures]
    return "\n".join(lines)


def write(outcomes: Iterable[InsertionOutcome], directory: Path) -> None:
    """Keep the bibliographies as they are with what was written into them."""
    directory.mkdir(parents=True, exist_ok=True)
    for number, outcome in enumerate(outcomes):
        if outcome.after:
            suffix = Path(FILES[outcome.habits][0]).suffix
            (directory / f"{number:04d}-{outcome.way}{suffix}").write_bytes(outcome.after.encode())
