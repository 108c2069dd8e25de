"""How well compiled reference lists are read, by the bibliographies that they were compiled from.

    python tests/lab printed_references FOLDER [--plain] [--show]

FOLDER holds NAME.bbl beside NAME.bib.  With --plain the references are read as a PDF gives them, without markup.  A
field counts only if the reference prints the bibliography's value; a title is exact if its letters and digits are.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from citelsp.base.text import Document
from citelsp.bibliography import names, reference_reading
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import squeezed
from citelsp.bibliography.names import family_key
from citelsp.bibliography.tex import decode
from citelsp.syntax import parse
from citelsp.syntax.formats.items import ReferenceItem


class Read(NamedTuple):
    """A field of one reference: whether it is read as the bibliography has it, and if not, what is said for certain."""

    field: str
    key: str
    is_right: bool
    is_accusing: bool = False
    found: str = ""


def compared(bbl: str, bib: str, *, plain: bool) -> Iterator[Read]:
    """What is read of each reference beside what it was made from."""
    truth = dict(entries(bib, "bibtex"))
    for key, entry in entries(bbl, "bbl"):
        if key in truth and isinstance(entry.node, ReferenceItem):
            read = reference_reading.read_item(entry.node)
            printed = read.plain
            yield from fields_read(
                key, truth[key], reference_reading.read(printed, "plain") if plain else read, printed
            )


def entries(text: str, language: str) -> Iterator[tuple[str, Entry]]:
    syntax = parse(Document(f"x.{language}", text, language))
    for index in range(len(syntax.entries or ())):
        node = syntax.entries.node(index)
        yield node.key.lower(), Entry(node, syntax.strings)


def fields_read(
    key: str, truth: Entry, read: reference_reading.Reading, whole: str, *, always: Sequence[str] = ("year",)
) -> Iterator[Read]:
    """Each field of an entry that the whole reference prints, beside what is read of it.

    A volume is a short number that may stand there for something else: it counts if one is read, or `always` names it.
    """
    printed, fields = squeezed(whole), read.fields
    if (title := squeezed(truth.text("title"))) and title in printed:
        found = decode(fields.get("title", ""))
        right = squeezed(found) in (title, squeezed(truth.title))
        yield Read("title", key, right, bool(found) and not right and "title" not in read.unsure, found)
    if truth.authors and squeezed(truth.authors[0].family) in printed:
        people, _ = names.parse(fields.get("author", "") or fields.get("editor", ""))
        right = bool(people) and family_key(people[0]) == family_key(truth.authors[0])
        yield Read("first author", key, right, bool(people) and not right, ", ".join(map(str, people)))
    for name, value in (("year", str(truth.year or "")), ("volume", truth.text("volume"))):
        found = decode(fields.get(name, ""))
        is_printed = re.search(rf"(?<!\d){re.escape(value)}(?!\d)", whole) is not None
        if value and is_printed and (found or name in always):
            yield Read(name, key, found == value, bool(found) and found != value, found)


def table(reads: list[Read]) -> str:
    """A line for each field: of how many references, right in how many of a hundred, wrong and sure in how many."""
    lines = []
    for field in dict.fromkeys(it.field for it in reads):
        of = [it for it in reads if it.field == field]
        counts = Counter((it.is_right, it.is_accusing) for it in of)
        right, wrong = sum(n for (ok, _), n in counts.items() if ok), counts[False, True]
        share = f"{100 * right / len(of):5.1f} % right, {100 * wrong / len(of):4.1f} % wrong and sure" if of else "–"
        lines.append(f"{field:13} {len(of):6} {share}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--plain", action="store_true", help="read the references without their markup")
    parser.add_argument("--show", action="store_true", help="list what is wrong")
    options = parser.parse_args()
    every: list[Read] = []
    for bbl in sorted(options.folder.glob("*.bbl")):
        bib = bbl.with_suffix(".bib")
        if bib.exists():
            texts = (it.read_text(encoding="utf-8", errors="replace") for it in (bbl, bib))
            every += compared(*texts, plain=options.plain)
    print(table(every))
    if options.show:
        print("\n".join(f"{it.field}: {it.key}: {it.found}" for it in every if not it.is_right))
