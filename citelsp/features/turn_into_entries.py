"""A compiled, printed or pasted list of references turned into a .bib of its own.

Only works that were verified are written, as they are on record, under the list's own keys, so that citations stay
right.  What was not verified, or has a key that no .bib can hold, is left out and counted.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from citelsp.base.text import Document, Span, write_count
from citelsp.bibliography import write_entry
from citelsp.bibliography.identifiers import CALLED
from citelsp.bibliography.record import Record
from citelsp.checks import verdicts
from citelsp.features import insert_entry
from citelsp.features.values import Change, NewFile, Refused, file_name, fit_title
from citelsp.knowledge import Knowledge, Verdict
from citelsp.syntax import languages
from citelsp.workspace.disk import is_inside
from citelsp.workspace.project import Place, Project
from citelsp.workspace.roots import NOWHERE
from citelsp.workspace.source import Source

_NAME = "{stem}-verified.bib"
_NUMBERED_NAME = "{stem}-verified-{number}.bib"
_LAST_NUMBER = 19  # of a new file's name
_KEY = 60  # characters of a key that a message shows
# BibTeX begins an entry at every @, wherever it stands.
_UNFIT_FOR_COMMENT = re.compile(r"[^\w .,()+-]")


@dataclass(frozen=True, slots=True)
class VerifiedEntries:
    """The text of a .bib, "" if there is nothing to write, and the keys of the references that it leaves out."""

    text: str
    written: int  # entries
    unverified: tuple[str, ...]  # keys
    unwritable: tuple[str, ...]  # keys of works that are verified, under which no .bib could be read back


def is_list(source: Source) -> bool:
    """True for references that are printed or compiled, wherever they stand; not for a bibliography."""
    bibliography = source.language.bibliography
    derived = bibliography.derived if bibliography else source.language.manuscript is not None
    return derived and bool(source.syntax.entries)


def count_verified(project: Project, knowledge: Knowledge, path: str, span: Span) -> tuple[int, int] | None:
    """Count the verified works of the reference list at the start of `span`, and all its works; None if none is there.

    `knowledge` has the verdicts on them.
    """
    source = project.sources.get(path)
    if source is None or not is_list(source) or source.syntax.entries is None:
        return None
    entries = source.syntax.entries  # the list's items, read as entries; one at least, or it would be no list
    last = len(entries) - 1
    is_within_list = entries.start(0) <= span.start <= entries.start(last) + len(entries.node(last).source)
    if not is_within_list:
        return None
    verified = sum(1 for _ in _find_verified(project, knowledge, path))
    return verified, len(entries)


def entries_of(project: Project, knowledge: Knowledge, path: str) -> VerifiedEntries:
    """Return the text of a new .bib with the verified works of the reference list at `path`.

    They are verified if `knowledge` has a verdict that says so.  Of several works under one key the first that can be
    is written.  A work is left out if its record, written as an entry, would not be read back under its key.
    """
    entries = project.sources[path].syntax.entries
    empty = Document("new.bib", "", languages.BIBTEX.name)  # what the entries are laid out and read back for
    style = write_entry.style_of(empty)
    dialect = insert_entry.dialect(project, style)
    blocks: dict[str, str] = {}  # by key
    verified: set[str] = set()  # keys
    for place, verdict, record in _find_verified(project, knowledge, path):
        key = place.node.key
        verified.add(key)
        entry = write_entry.write_work(record, key, style, dialect)
        if key not in blocks and write_entry.reads(empty, entry, key):
            blocks[key] = f"{_tell_how_found(place, verdict, record)}\n{entry}"
    keys = [entries.node(index).key for index in range(len(entries))] if entries else []
    left_out = tuple(dict.fromkeys(key for key in keys if key not in blocks))
    unverified = tuple(key for key in left_out if key not in verified)
    unwritable = tuple(key for key in left_out if key in verified)
    text = ""
    if blocks:
        head = _write_head(file_name(path), len(blocks), len(unverified), len(unwritable))
        text = "\n\n".join([head, *blocks.values()]) + "\n"
    return VerifiedEntries(text, len(blocks), unverified, unwritable)


def change_for(
    project: Project, knowledge: Knowledge, path: str, exists: Callable[[str], bool] = os.path.exists
) -> Change | Refused:
    """Return the change that creates a .bib with the verified works of the list at `path`, beside that document.

    `exists` says whether a file is there: such a one is never written to.  Refused if the document has no file yet, if
    no work can be written (none is verified, or no verified one has a key that a .bib can hold), or if all names for
    the new file are taken.
    """
    target = new_file(path, exists)
    if is_inside(path, NOWHERE):
        return Refused("Save this document first: its .bib is created beside it.")
    entries = entries_of(project, knowledge, path) if path in project.sources else None
    if entries and entries.unwritable and not entries.text:
        return Refused(f"A .bib cannot hold the key “{fit_title(entries.unwritable[0], _KEY)}”: change it first.")
    if entries is None or not entries.text:
        return Refused("No reference of this list is verified yet. Choose “Check references now” first.")
    if not target:
        return Refused("All names for a new .bib are taken: rename or remove one.")
    return Change(files=(NewFile(target, entries.text),))


def new_file(path: str, exists: Callable[[str], bool] = os.path.exists) -> str:
    """The path of a .bib beside a list that is not there yet; "" if all names are taken."""
    stem = str(PurePath(path).with_suffix(""))
    candidates = [_NAME.format(stem=stem)]
    candidates += [_NUMBERED_NAME.format(stem=stem, number=number) for number in range(2, _LAST_NUMBER + 1)]
    return next((candidate for candidate in candidates if not exists(candidate)), "")


def _find_verified(project: Project, knowledge: Knowledge, path: str) -> Iterator[tuple[Place, Verdict, Record]]:
    """The entries of the document that are verified, each with its verdict and the record of the work."""
    for place, verdict in verdicts.find_judged(project, knowledge):
        if place.source.document.path == path and verdict.kind == "verified" and verdict.record:
            yield place, verdict, verdict.record


def _write_head(name: str, written: int, unverified: int, unwritable: int) -> str:
    """A comment: how many entries of which list, and how many of its references are left out for which reason."""
    count = write_count(written, "verified entry", "verified entries")
    lines = [f"% {count} of {_fit_into_comment(name)}, as on record."]
    if unverified == 1:
        lines.append("% 1 of its references was not verified and is left out.")
    elif unverified:
        lines.append(f"% {unverified} of its references were not verified and are left out.")
    if unwritable == 1:
        lines.append("% 1 of its references was verified, but has a key that no .bib can hold, and is left out.")
    elif unwritable:
        lines.append(f"% {unwritable} of its references were verified, but have keys that no .bib can hold: left out.")
    return "\n".join(lines)


def _tell_how_found(place: Place, verdict: Verdict, record: Record) -> str:
    """Return a comment for the .bib: by what the work was found, where and when, and if its version may be another.

    `% Found by its DOI: Crossref (checked 2026-05-04)`.
    """
    sources = record.origins.get("title") or (record.source,)  # of a merged record those that say this title
    means = "title and authors"
    identifier = next((it for it in verdict.traced if it.leads == "here"), None)  # the first that leads to this work
    if identifier:
        sources = (identifier.source, *sources)
        means = f"its {CALLED.get(identifier.name, identifier.name)}"
    services = verdicts.name_services(tuple(dict.fromkeys(sources)))
    when = f" (checked {_fit_into_comment(verdict.date)})" if verdict.date else ""
    lines = [f"% Found by {_fit_into_comment(means)}: {_fit_into_comment(services)}{when}"]
    if not verdicts.is_this_version(place.entry, record):
        lines.append("% The list may cite another version of it: compare year and venue.")
    return "\n".join(lines)


def _fit_into_comment(text: str) -> str:
    return _UNFIT_FOR_COMMENT.sub("_", text)
