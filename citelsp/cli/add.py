"""citelsp add: look works up and write their entries into a bibliography."""

import argparse
import asyncio
import os
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.bibliography.record import Record
    from citelsp.cli.named_files import TextFile
    from citelsp.investigate.insert import LookUp
    from citelsp.knowledge import Candidate
    from citelsp.workspace.project import Project

HELP = "look up works and add their entries to a bibliography"
_TRIES, _PAUSE = 40, (0.0, 0.1)  # seconds between two, while others write to the same file
_SHOWN = 5  # works of which one may be meant
_NAMED = 5  # files in one sentence


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "works",
        metavar="IDENTIFIER|TITLE|FILE",
        nargs="+",
        help="a DOI, arXiv id, ISBN, PMID, ACL id, URL or title; or a bibliography (.bib, .json, .yaml, .ris, "
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
    workspace = common.workspace(Path.cwd() if options.bib is None else _file(options.bib))
    settings = common.read_settings(options, workspace)
    bib = options.bib
    if bib is None:
        bib = _only_bibliography(settings)
        if isinstance(bib, str):
            common.warn(bib)
            return exits.USAGE
    bibliography = _read(_file(bib), settings)
    if isinstance(bibliography, str):
        return common.fail(bibliography)
    doubt = bibliography.doubt()
    if doubt:
        return common.fail(f"{bib} {doubt}")
    if options.bib is None:
        common.warn(f"adding to {bib}")
    of_files = {work: _works(Path(work)) for work in options.works if _is_file(work)}
    for path, of_file in of_files.items():
        if not of_file:
            return common.fail(f"{path}: there is no entry in it")
    names = [work for work in options.works if work not in of_files]
    looked_up = iter(asyncio.run(_answers(names, settings)) if names else ())
    answers: list[LookUp] = []
    # In the order in which they were given.
    for work in options.works:
        of_work = of_files[work] if work in of_files else [next(looked_up)]
        for answer in of_work:
            answers.append(answer)
            if answer.certain:
                bibliography.add(answer.candidates[0].record)
            else:
                common.warn(_doubt(work, answer))
    if bib == common.PRINT:
        print(bibliography.text, end="")
    else:
        problem = bibliography.write()
        if problem:
            return common.fail(problem)
        for key in bibliography.keys:
            print(key)
    if any(it.unavailable for it in answers if not it.certain):
        return exits.UNFINISHED
    return exits.OK if len(bibliography.keys) == len(answers) else exits.FINDINGS


def _file(bib: Path) -> Path:
    """The whole path of a bibliography; of what is printed one that no file has."""
    return (bib.with_name("-.bib") if bib == common.PRINT else bib).absolute()


def _only_bibliography(settings: "Settings") -> "Path | str":
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

    return languages.language_of_path(work).bibliography is not None and Path(work).is_file()


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

    file: "TextFile"
    settings: "Settings"
    chosen: bool  # by its author, for new entries
    text: str = field(init=False, repr=False)
    inserted: str = ""
    records: "list[Record]" = field(default_factory=list)
    keys: list[str] = field(default_factory=list)  # of the works that stand in the text

    def __post_init__(self) -> None:
        self.text = self.file.text

    @property
    def path(self) -> Path:
        return Path(self.file.path)

    def add(self, record: "Record") -> None:
        """Have the work stand in the text; the reason is said if it cannot."""
        self.records.append(record)
        for warning in self._added(record):
            common.warn(warning)

    def _added(self, record: "Record") -> "Iterator[str]":
        from citelsp.base.text import apply
        from citelsp.features import insert_entry
        from citelsp.features.values import Refused

        insertion = insert_entry.add_record(self._project(), str(self.path), record)
        if isinstance(insertion, Refused):
            yield insertion.reason
            return
        if insertion.change:
            self.text = apply(self.text, insertion.change.edits)
            self.inserted += "".join(it.new_text for it in insertion.change.edits)
        else:
            yield insertion.message
        self.keys.append(insertion.key)
        if warning := insert_entry.caution(record):
            yield f"{insertion.key}: {warning}"

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
        from citelsp.cli import named_files

        for _ in range(_TRIES):
            try:
                return self._written()
            except named_files.ChangedError:
                time.sleep(random.uniform(*_PAUSE))  # noqa: S311  nothing secret
                if problem := self._read_again():
                    return problem
        return f"{self.path} is not changed: others change it all the time"

    def _written(self) -> str:
        from citelsp.cli import named_files

        if self.text == self.file.text:
            return ""
        if lacks := self.file.lacks(self.inserted):
            return f"{self.path} is not changed: {lacks}"
        try:
            named_files.rewrite(self.path, self.file.data, self.file.bytes_of(self.text))
        except named_files.ChangedError:
            raise
        except named_files.FileProblem as problem:
            return f"{self.path} is not changed: {problem}"
        return ""

    def _read_again(self) -> str:
        """Add the same works to the file as it is by now; says what went wrong."""
        file = _file_of(self.path)
        if isinstance(file, str):
            return file
        self.file = file
        self.text = file.text
        self.inserted = ""
        self.keys = []
        for record in self.records:
            for _ in self._added(record):  # said already
                continue
        return ""

    def _project(self) -> "Project":
        """The file alone: what other bibliographies hold does not count."""
        from citelsp import syntax
        from citelsp.base.text import Document
        from citelsp.syntax import languages
        from citelsp.workspace.project import Project
        from citelsp.workspace.source import Source

        document = Document(str(self.path), self.text, languages.language_of_path(str(self.path)).name)
        source = Source(document, syntax.parse(document))
        return Project({document.path: source}, self.settings, bibliographies=(document.path,))


def _read(path: Path, settings: "Settings") -> "_Bibliography | str":
    from citelsp.syntax import languages

    if not languages.language_of_path(str(path)).written:
        return f"{path} is not a bibliography: its name should end in .bib, .json or .yaml"
    file = _file_of(path)
    if isinstance(file, str):
        return file
    written = Path(settings.writing.write_to)
    chosen = os.path.normpath(path.parent / written.expanduser()) == os.path.normpath(path)
    writing = replace(settings.writing, write_to="", dialect=_dialect(path, settings))
    return _Bibliography(file, replace(settings, writing=writing), chosen)


def _file_of(path: Path) -> "TextFile | str":
    from citelsp.cli import named_files

    try:
        return named_files.read_text(path)
    except FileNotFoundError:
        return named_files.TextFile(str(path), None, "", "utf-8")
    except named_files.FileProblem as problem:
        return f"{path} is not changed: {problem}"


def _dialect(path: Path, settings: "Settings") -> Literal["auto", "bibtex", "biblatex"]:
    """What the manuscripts around the file are written for, if neither the settings nor the file decide."""
    from citelsp.bibliography import style
    from citelsp.features import insert_entry
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    files = DiskFiles([str(common.workspace(path))], settings.syntax.cite_commands)
    project = include_graph.build(files, str(path), settings)
    source = project.sources.get(str(path))
    file_style = style.detect(source.document) if source else style.Style()
    match insert_entry.dialect(project, file_style):
        case "bibtex":
            return "bibtex"
        case "biblatex":
            return "biblatex"
        case _:
            return "auto"


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
