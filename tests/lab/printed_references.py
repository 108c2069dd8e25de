"""How well compiled reference lists are read, by the bibliographies that they were compiled from.

    python tests/lab printed_references FOLDER [--plain] [--show]

FOLDER holds NAME.bbl beside NAME.bib.  With --plain the references are read as a PDF gives them, without markup.  A
field counts only if the reference prints the bibliography's value; a title is exact if its letters and digits are.
An author is counted apart, too, if the bibliography itself is unclear: see `doubt_author`.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from citelsp.base.text import Document
from citelsp.bibliography import names, reference_reading
from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters
from citelsp.bibliography.names import Name, family_key
from citelsp.syntax import parse
from citelsp.syntax.formats.items import ReferenceItem

_SUFFIX = re.compile(r"(?:jr|sr)\.?|[ivx]{2,4}\.?", re.IGNORECASE)


class Read(NamedTuple):
    """A field of one reference: whether it is read as the bibliography has it, and if not, what is said for certain.

    `doubt` says why the bibliography may be wrong itself, "" if it is clear.
    """

    field: str
    key: str
    is_right: bool
    is_accusing: bool = False
    found: str = ""
    doubt: str = ""


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
    printed, fields = bare_letters(whole), read.fields
    if (title := bare_letters(truth.text("title"))) and title in printed:
        found = decode(fields.get("title", ""))
        right = bare_letters(found) in (title, bare_letters(truth.title))
        yield Read("title", key, right, bool(found) and not right and "title" not in read.unsure, found)
    if truth.authors and bare_letters(truth.authors[0].family) in printed:
        people, _ = names.parse(fields.get("author", "") or fields.get("editor", ""))
        right = bool(people) and family_key(people[0]) == family_key(truth.authors[0])
        doubt = doubt_author(truth.value("author") or truth.value("editor"), people, is_right=right)
        is_accusing = bool(people) and not right and "author" not in read.unsure
        yield Read("first author", key, right, is_accusing, ", ".join(map(str, people)), doubt)
    for name, value in (("year", str(truth.year or "")), ("volume", truth.text("volume"))):
        found = decode(fields.get(name, ""))
        is_printed = re.search(rf"(?<!\d){re.escape(value)}(?!\d)", whole) is not None
        if value and is_printed and (found or name in always):
            yield Read(name, key, found == value, bool(found) and found != value, found)


def doubt_author(written: str, people: Sequence[Name], *, is_right: bool) -> str:
    """Why a bibliography's list of authors does not tell who comes first, "" if it does.

    `people` are what was read.  Two commas are no name to BibTeX, unless a suffix stands between them; and where the
    letters are the same, only the bibliography says which word is the family's, or where a comma stands for `and`.
    """
    first = names.split(written)[0]
    if "\N{REPLACEMENT CHARACTER}" in first:
        return "the file is not UTF-8"
    parts = [it.strip() for it in re.sub(r"\{[^{}]*\}", "", first).split(",")]
    if len(parts) > 3 or (len(parts) == 3 and not any(map(_SUFFIX.fullmatch, parts[1:]))):
        return "several people are one"
    letters = bare_letters(decode(first))
    count = next((it for it in range(1, len(people) + 1) if _letters(people[:it]) == letters), 0)
    # `Bain & Company` is one name; that it was read as two is the reader's fault.
    is_unclear = count == 1 or (count > 1 and len(parts) > 1)
    return "the same letters, divided otherwise" if is_unclear and not is_right else ""


def _letters(people: Sequence[Name]) -> str:
    return bare_letters(" ".join(map(str, people)))


def table(reads: list[Read]) -> str:
    """A line for each field: of how many references, right in how many of a hundred, wrong and sure in how many.

    Behind it the same of those that the bibliography is clear about, if these are fewer.
    """
    lines = []
    for field in dict.fromkeys(it.field for it in reads):
        every = [it for it in reads if it.field == field]
        clear = [it for it in every if not it.doubt]
        line = f"{field:13} {_shares(every)}"
        lines.append(line if len(clear) == len(every) else f"{line}; where the truth is clear: {_shares(clear)}")
    return "\n".join(lines)


def _shares(reads: Sequence[Read]) -> str:
    if not reads:
        return f"{0:6}"
    counts = Counter((it.is_right, it.is_accusing) for it in reads)
    right = counts[True, False]
    accusing = counts[False, True]
    return (
        f"{len(reads):6} {100 * right / len(reads):5.1f} % right, {100 * accusing / len(reads):4.1f} % wrong and sure"
    )


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
