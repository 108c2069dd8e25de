"""How many faults are found that are seeded in real entries, and what is found in these entries as they are.

    python tests/lab seeded_values DIR [--entries 500] [--seed N] [--show]

DIR holds a folder of .bib files for each hand.  Entries are drawn from the hands in turn: articles and papers of
proceedings with authors, title, year and venue.  Each kind of fault is put into every entry that has room for it, and
counts as found if its check then says more of the entry than before.  --show prints what is found in the entries as
they are, to be read by eye.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from types import ModuleType

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.checks.finding import Finding
from citelsp.evals.metrics import wilson
from citelsp.evals.page import Section, Table, markdown
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from fixture_projects import project_of
from seeded_values import CHECKS, SEEDS, SeededValue

_KINDS = frozenset({"article", "inproceedings", "conference"})
_NEEDED = ("author", "title", "year")
_VENUES = ("journal", "booktitle")


@dataclass(frozen=True, slots=True)
class RealEntry:
    """An entry as its hand wrote it, under a key of our own."""

    kind: str
    values: tuple[tuple[str, str], ...]  # of each field, without its braces or quotation marks

    def written(self, key: str, seed: SeededValue | None = None) -> str | None:
        """The entry as text, with the fault in it; None if it has no room for that."""
        values = dict(self.values)
        if seed:
            before = values.get(seed.field, "")
            after = seed.spoil(before) if before or seed.is_added else None
            if not after or after == before:
                return None
            values[seed.field] = after
        lines = "".join(f"  {name} = {{{value}}},\n" for name, value in values.items())
        return f"@{self.kind}{{{key},\n{lines}}}\n"


def entries_of(path: Path) -> Iterator[RealEntry]:
    text = path.read_bytes().decode("utf-8", "replace")
    parsed = syntax.parse(Document(path.name, text, "bibtex"))
    for index in range(len(parsed.entries or ())):
        node = parsed.entries.node(index)  # type: ignore[union-attr]  # a bibliography has them
        if isinstance(node, BibNode) and node.closed and node.kind in _KINDS and (values := _values(node)):
            yield RealEntry(node.kind, values)


def _values(node: BibNode) -> tuple[tuple[str, str], ...]:
    """None of an entry that lacks what a reader needs, or has macros, or one field twice."""
    values = {}
    for field in node.fields():
        written = field.value_span.within(node.source)
        grouped = written[:1] + written[-1:] in ("{}", '""')
        if not (grouped or written.isdigit()) or field.name in values:
            return ()
        values[field.name] = written[1:-1] if grouped else written
    complete = all(values.get(it) for it in _NEEDED) and any(values.get(it) for it in _VENUES)
    return tuple(values.items()) if complete and "crossref" not in values else ()


def draw(directory: Path, number: int, seed: int) -> list[RealEntry]:
    """So many entries of all hands in turn, of one title the first."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    hands = []
    for folder in sorted(it for it in directory.iterdir() if it.is_dir()):
        found = [entry for path in sorted(folder.rglob("*.bib")) for entry in entries_of(path)]
        hands.append(chance.sample(found, len(found)))
    turns = (entry for turn in zip_longest(*hands) for entry in turn if entry)
    distinct = {dict(it.values)["title"].casefold(): it for it in reversed(list(islice(turns, 3 * number)))}
    return list(reversed(distinct.values()))[:number]


def found_in(texts: Sequence[str], check: ModuleType) -> list[Finding]:
    return check.CHECK.run(project_of({"r.bib": "".join(texts)}), Knowledge())


def measure(entries: Sequence[RealEntry]) -> Table:
    rows = []
    for fault, seed in SEEDS.items():
        keyed = {f"k{number}": entry for number, entry in enumerate(entries)}
        spoiled = {key: text for key, it in keyed.items() if (text := it.written(key, seed))}
        before = Counter(it.key for it in found_in([keyed[it].written(it) or "" for it in spoiled], seed.check))
        after = Counter(it.key for it in found_in([*spoiled.values()], seed.check))
        found = sum(after[key] > before[key] for key in spoiled)
        share = wilson(found, len(spoiled))
        cells = f"{100 * share.mean:.1f} % ({100 * share.low:.1f}–{100 * share.high:.1f})"
        rows.append((fault, str(len(spoiled)), str(found), cells))
    return Table(("fault", "entries with room", "found", "share"), tuple(rows))


def section(entries: Sequence[RealEntry], said: Sequence[Finding]) -> Section:
    note = f"{len(entries)} entries; as they are, {len(said)} findings in {len({it.key for it in said})} of them"
    command = f"python tests/lab seeded_values DIR --entries {len(entries)}"
    return Section("Faults seeded in real entries", command, notes=(note,), tables=(measure(entries),))


def findings(entries: Sequence[RealEntry]) -> list[Finding]:
    """What is found in the entries as they are."""
    texts = [it.written(f"k{number}") or "" for number, it in enumerate(entries)]
    return [it for check in CHECKS for it in found_in(texts, check)]


def shown(entries: Sequence[RealEntry], finding: Finding) -> str:
    values = dict(entries[int((finding.key or "k0")[1:])].values)
    value = " ".join(values[finding.field or ""].split())
    return f"{finding.severity}: {finding.message} [{finding.code}]\n    {value}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="faults seeded in real entries")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--entries", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="what is found in the entries as they are")
    options = parser.parse_args(arguments)
    entries = draw(options.directory, options.entries, options.seed)
    said = findings(entries)
    print(markdown("Seeded faults", [section(entries, said)]))
    if options.show:
        print(*(shown(entries, it) for it in said), sep="\n")


if __name__ == "__main__":
    main()
