"""citelsp add: look works up and write their entries into a bibliography."""

import argparse
import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.bibliography.record import Record
    from citelsp.investigate.insert import LookUp
    from citelsp.knowledge import Candidate
    from citelsp.workspace.project import Project

HELP = "look up works and add their entries to a bibliography"
_SHOWN = 5  # works of which one may be meant
_NAMED = 5  # files in one sentence
_PRINT = Path("-")  # instead of a bibliography: the entries are printed


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "works",
        metavar="IDENTIFIER|TITLE|FILE",
        nargs="+",
        help="a DOI, arXiv id, ISBN, PMID, ACL id, address or title; or a bibliography (.bib, .json, .yaml, .ris, "
        ".xml), whose entries are copied",
    )
    parser.add_argument(
        "--bib",
        metavar="FILE",
        type=Path,
        help="the bibliography to add to, or - to print the entries; default: the only .bib file of this folder",
    )
    common.add_settings(parser)


def run(options: argparse.Namespace) -> int:
    settings = common.read_settings(
        options, common.workspace(Path.cwd() if options.bib is None else _file(options.bib))
    )
    bib = _only(settings) if options.bib is None else options.bib
    if isinstance(bib, str):
        common.warn(bib)
        return exits.USAGE
    bibliography = _read(_file(bib), settings)
    if isinstance(bibliography, str):
        return common.fail(bibliography)
    if doubt := bibliography.doubt():
        return common.fail(f"{bib} {doubt}")
    if options.bib is None:
        common.warn(f"adding to {bib}")
    read = {it: _works(Path(it)) for it in options.works if _is_file(it)}
    if unread := next((it for it, works in read.items() if not works), ""):
        return common.fail(f"{unread}: there is no entry in it")
    named = [it for it in options.works if it not in read]
    found = iter(asyncio.run(_answers(named, settings)) if named else ())
    works = [(it, answer) for it in options.works for answer in (read[it] if it in read else (next(found),))]
    answers, keys = [answer for _, answer in works], []
    for work, answer in works:
        if not answer.certain:
            common.warn(_doubt(work, answer))
        elif (key := bibliography.add(answer.candidates[0].record)) is not None:
            keys.append(key)
    if bib == _PRINT:
        print(bibliography.text, end="")
    elif problem := bibliography.write():
        return common.fail(problem)
    else:
        print("".join(f"{it}\n" for it in keys), end="")
    if any(it.unavailable for it in answers if not it.certain):
        return exits.UNFINISHED
    return exits.OK if len(keys) == len(answers) else exits.FINDINGS


def _file(bib: Path) -> Path:
    """The whole path of a bibliography; of what is printed one that no file has."""
    return (bib.with_name("-.bib") if bib == _PRINT else bib).absolute()


def _only(settings: "Settings") -> "Path | str":
    """The bibliography that is meant if none is named: the one set, else the only one here; or why none is."""
    from citelsp.base.text import quoted

    if settings.writing.write_to:
        return Path(settings.writing.write_to).expanduser()
    here = sorted(it.name for it in Path.cwd().glob("*.bib") if it.is_file())
    if len(here) == 1:
        return Path(here[0])
    if not here:
        return "there is no .bib file in this folder: name one with --bib, or print the entries with --bib -"
    more = f" and {len(here) - _NAMED} more" if len(here) > _NAMED else ""
    return f"say with --bib which is meant: {', '.join(map(quoted, here[:_NAMED]))}{more}"


async def _answers(works: Sequence[str], settings: "Settings") -> "list[LookUp]":
    from citelsp.cli import verify_online
    from citelsp.investigate import insert

    async with verify_online.asking(settings) as sources:
        return await insert.find_all(works, sources)


def _is_file(work: str) -> bool:
    """True for a bibliography whose works are meant."""
    from citelsp.syntax import languages

    return languages.of_path(work).bibliography is not None and Path(work).is_file()


def _works(path: Path) -> "list[LookUp]":
    """What the entries of a file describe."""
    from citelsp.base.settings import Settings
    from citelsp.bibliography import entry_record
    from citelsp.investigate.insert import LookUp
    from citelsp.knowledge import Candidate
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    full = str(path.absolute())
    project = include_graph.build(DiskFiles(), full, Settings())
    places = [it for it in project.entries() if it.source.document.path == full]
    records = [entry_record.from_entry(it.entry) for it in places]
    answers = [LookUp((Candidate(it),), certain=True) for it in records if it.title]
    if len(answers) < len(records):
        common.warn(f"{path}: left out, because they have no title: {len(records) - len(answers)}")
    return answers


@dataclass
class _Bibliography:
    """One file with what is to be added; nothing is written before `write`."""

    path: Path
    before: bytes | None  # None if there is no such file yet
    encoding: str
    text: str = field(repr=False)
    settings: "Settings"
    chosen: bool  # by its author, for new entries

    def add(self, record: "Record") -> str | None:
        """The key under which the work now stands; None, with the reason said, if it cannot be added."""
        from citelsp.base.text import apply
        from citelsp.features import insert_entry
        from citelsp.features.values import Refused

        insertion = insert_entry.add_record(self._project(), str(self.path), record)
        if isinstance(insertion, Refused):
            common.warn(insertion.reason)
            return None
        if insertion.change:
            self.text = apply(self.text, insertion.change.edits)
        else:
            common.warn(insertion.message)
        if warning := insert_entry.caution(record):
            common.warn(f"{insertion.key}: {warning}")
        return insertion.key

    def doubt(self) -> str:
        """Why nothing should be added to this file; "" if nothing speaks against it, or its author has settled that."""
        from citelsp.features import exports

        if self.chosen:
            return ""
        source = self._project().sources[str(self.path)]
        if exporter := exports.exporter(source):
            return f"is exported by {exporter}, whose next export would drop what is added. Add to another file"
        if exports.may_be_better_bibtex(source):
            return (
                "may be exported by Better BibTeX, whose next export would drop what is added. If you keep this file "
                "yourself, name it in writing.write_to"
            )
        return ""

    def write(self) -> str:
        """Whole or not at all; says what went wrong."""
        from citelsp.cli.rewrite import ChangedError, rewrite

        try:
            after = self.text.encode(self.encoding)
            if after == (self.before or b""):
                return ""
            if self.before is None:
                self.path.touch(exist_ok=False)
            rewrite(str(self.path), self.before or b"", after)
        except UnicodeEncodeError as problem:
            return f"{self.path} is in {self.encoding}, which has no “{problem.object[problem.start]}”"
        except (ChangedError, OSError) as problem:
            return f"{self.path} could not be written: {problem}"
        return ""

    def _project(self) -> "Project":
        """The file alone: what other bibliographies hold does not count."""
        from citelsp import syntax
        from citelsp.base.text import Document
        from citelsp.syntax import languages
        from citelsp.workspace.project import Project, Source

        document = Document(str(self.path), self.text, languages.of_path(str(self.path)).name)
        source = Source(document, syntax.parse(document))
        return Project({document.path: source}, self.settings, bibliographies=(document.path,))


def _read(path: Path, settings: "Settings") -> "_Bibliography | str":
    from citelsp.syntax import languages
    from citelsp.workspace.disk import decode

    if not languages.of_path(str(path)).written:
        return f"{path} is not a bibliography: its name should end in .bib, .json or .yaml"
    try:
        before = path.read_bytes() if path.exists() else None
    except OSError as problem:
        return f"{path} could not be read: {problem}"
    decoded = decode(before or b"")
    if decoded is None:
        return f"{path} is not text"
    written = Path(settings.writing.write_to)
    chosen = os.path.normpath(path.parent / written.expanduser()) == os.path.normpath(path)
    writing = replace(settings.writing, write_to="", dialect=_dialect(path, settings))
    return _Bibliography(path, before, decoded[1], decoded[0], replace(settings, writing=writing), chosen)


def _dialect(path: Path, settings: "Settings") -> Literal["auto", "bibtex", "biblatex"]:
    """What the manuscripts around the file are written for, if neither the settings nor the file decide."""
    from citelsp.bibliography import style
    from citelsp.features import insert_entry
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    files = DiskFiles([str(common.workspace(path))], settings.syntax.cite_commands)
    found = include_graph.build(files, str(path), settings)
    source = found.sources.get(str(path))
    dialect = insert_entry.dialect(found, style.detect(source.document) if source else style.Style())
    return "bibtex" if dialect == "bibtex" else "biblatex" if dialect == "biblatex" else "auto"


def _doubt(work: str, answer: "LookUp") -> str:
    """Why nothing is added, with the works of which one may be meant."""
    if not answer.candidates:
        return answer.reason or f"{work}: not found"
    nearest = "\n  ".join(map(_line, answer.candidates[:_SHOWN]))
    return f"{work}: which of these? Give its identifier.\n  {nearest}"


def _line(candidate: "Candidate") -> str:
    from citelsp.features.values import author_year

    record = candidate.record
    known = record.identifiers
    name = known.doi or (known.arxiv and f"arXiv:{known.arxiv}") or record.url
    return ", ".join(filter(None, (author_year(record.authors, record.year), record.title, record.venue, name)))
