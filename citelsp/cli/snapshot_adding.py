"""citelsp corpus add --openalex FOLDER: works from OpenAlex's snapshot, to one's own corpus or a server's."""

import argparse
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common

if TYPE_CHECKING:
    from citelsp.corpus.index import Corpus
    from citelsp.corpus.openalex_snapshot import MergedIds
    from citelsp.corpus.server_writing import ServerWriter
    from citelsp.corpus.work import Work

_WORKS_AT_ONCE = 20_000  # that are committed together, which bounds the memory
_IDS_AT_ONCE = 1000  # that are removed together
_YEARS = re.compile(r"(\d{4})?(?:(-)(\d{4})?)?")  # first, dash, last
_ALL_YEARS = (0, 9999)


def arguments(add: argparse.ArgumentParser) -> None:
    add.add_argument("--openalex", metavar="FOLDER", type=Path, help="also add works from a snapshot of OpenAlex")
    add.add_argument(
        "--concept", default="", metavar="NAME", help="with --openalex: only works on this concept, topic or field"
    )
    add.add_argument(
        "--years", default="", metavar="FROM-TO", help="with --openalex: only works of these years, such as 2000-2024"
    )
    add.add_argument(
        "--language", default="", metavar="CODE", help="with --openalex: only works in this language, such as en"
    )


def find_misuse(options: argparse.Namespace) -> str:
    """Say that options that choose works of a snapshot are given without one, as all works would be added; else ""."""
    chooses = options.concept or options.years or options.language
    return "--concept, --years and --language need --openalex" if chooses and not options.openalex else ""


class Snapshot:
    """What the arguments select of a snapshot; adds to `problems`, while it is read, what cannot be."""

    def __init__(self, options: argparse.Namespace, problems: list[str]) -> None:
        from citelsp.corpus import openalex_snapshot

        since, until = _read_years(options.years)
        selection = openalex_snapshot.Selection(options.concept, since, until, options.language)
        self.name = str(options.openalex)
        self.merged: MergedIds = openalex_snapshot.merged_ids(options.openalex, problems.append)
        self.works = openalex_snapshot.works(options.openalex, selection, self.merged, problems.append)


def add(corpus: "Corpus", options: argparse.Namespace, problems: list[str]) -> None:
    """Add the selected works of a snapshot of OpenAlex to the user's own corpus, and print how many.

    Removes works that OpenAlex has since merged into others or deleted, whatever is selected.  Adds to `problems` what
    could not be read.
    """
    from citelsp.base.text import quote_name
    from citelsp.cli.progress import Progress
    from citelsp.corpus.index import Added

    snapshot = Snapshot(options, problems)
    total = Added()
    removed = 0
    with Progress(quote_name(snapshot.name)) as progress:
        # Smaller parts than `Corpus.add` makes by itself.  A generator: each goes on where the one before ended.
        works = progress.counted(snapshot.works)
        part = list(islice(works, _WORKS_AT_ONCE))
        while part:
            added = corpus.add(part)
            total = total.plus(added)
            progress.added(total.new + total.changed + total.same)
            part = list(islice(works, _WORKS_AT_ONCE))
        for ids in _split_into_parts(snapshot.merged):
            numbers = corpus.store.numbers(ids)  # also of works that are only cited by others
            rows = corpus.store.rows(list(numbers.values()))  # of those whose records the corpus holds
            if rows:  # `remove` would commit even without any
                removed += len(corpus.remove([row.work.id for row in rows.values()]))
    _print_totals(snapshot.name, total.new, total.changed, total.same, removed)


async def add_to(writer: "ServerWriter", options: argparse.Namespace, problems: list[str]) -> None:
    """Add the selected works of a snapshot of OpenAlex to a server's corpus, and print how many.

    Removes works that OpenAlex has since merged into others or deleted, whatever is selected.  Adds to `problems` what
    could not be read or written.
    """
    from citelsp.base.text import quote_name
    from citelsp.cli.progress import Progress

    snapshot = Snapshot(options, problems)
    removed = 0
    with Progress(quote_name(snapshot.name)) as progress:
        works: Iterator[Work] = progress.counted(snapshot.works)  # the writer sends them some at a time
        added = await writer.add(works, progress.collect_problems_in(problems), progress.added)
        for ids in _split_into_parts(snapshot.merged):
            # Not by `progress`: what cannot be removed was not read from the snapshot, nor skipped in it.
            removed += len(await writer.remove(ids, problems.append))
    _print_totals(snapshot.name, added.new, added.changed, added.same, removed)


def _print_totals(name: str, new: int, changed: int, same: int, removed: int) -> None:
    from citelsp.base.text import quote_name

    print(f"{quote_name(name)}: {new} new, {changed} changed, {same} unchanged, {removed} removed", flush=True)


def _split_into_parts(merged: "MergedIds") -> Iterator[list[str]]:
    """Yield the ids of works that were merged into others, some at a time."""
    ids = merged.ids()
    while part := list(islice(ids, _IDS_AT_ONCE)):
        yield part


def _read_years(written: str) -> tuple[int, int]:
    """Read the first and last year of "2000-2024", "2000-", "-2024" or "2024".

    Returns all years for "" and "-", and for anything else, of which it prints a warning.  A last year before the first
    is returned as written: no work is of such years.
    """
    if not written:
        return _ALL_YEARS
    span = _YEARS.fullmatch(written)
    if not span:
        common.warn(f"{written} is not a span of years such as 2000-2024, and is left out")
        return _ALL_YEARS
    first, dash, last = span.groups()
    earliest, latest = _ALL_YEARS
    if not dash:  # "2024"
        last = first
    return int(first or earliest), int(last or latest)
