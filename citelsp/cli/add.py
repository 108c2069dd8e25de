"""citelsp add: look works up and write their entries into a bibliography."""

import argparse
import asyncio
import os
import random
import time
from collections.abc import Mapping, Sequence
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
    from citelsp.sources.ask_services import Sources
    from citelsp.workspace.project import Project

HELP = "look up works and add their entries to a bibliography"
_MOST_TRIES = 40  # to write, while others write to the same file
_PAUSE = (0.0, 0.1)  # seconds between two tries: at least, at most
_SHOWN = 5  # works of which one may be meant
_MOST_NAMED = 5  # files in one sentence


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes, from which `run` gets its options."""
    parser.add_argument(
        "works",
        metavar="IDENTIFIER|TITLE|FILE",
        nargs="+",
        help="a DOI, arXiv id, ISBN, PMID, ACL id, URL or title; a PDF, whose work is looked up; or a bibliography "
        "(.bib, .json, .yaml, .ris, .xml), whose entries are copied",
    )
    parser.add_argument(
        "--bib",
        metavar="FILE",
        type=Path,
        help="the bibliography to add to, or - to print the entries; default: the only .bib file of this folder",
    )
    common.add_settings(parser)


class AddError(Exception):
    """Nothing can be added; says why.  `status` is the exit status of that."""

    def __init__(self, message: str, status: int = exits.UNFINISHED) -> None:
        super().__init__(message)
        self.status = status


def run(options: argparse.Namespace) -> int:
    """Add every work that is certain, say of the others why not, and return the exit status: OK if all have entries.

    The keys of the works that are in the file now, some of which may have been before, are printed, one a line; none
    if it could not be written.  With `--bib -` the text with the entries is printed, instead.
    """
    workspace = common.workspace(Path.cwd() if options.bib is None else _choose_file(options.bib))
    settings = common.read_settings(options, workspace)
    try:
        bib = options.bib or _only_bibliography(settings)
        bibliography = _open_bibliography(bib, settings)
        if options.bib is None:
            common.warn(f"adding to {bib}")
        works_of_files = _read_works_of_files(options.works)
    except AddError as problem:
        common.warn(str(problem))
        return problem.status
    answers = _add_all(bibliography, options.works, works_of_files, settings)
    if bib == common.PRINT:
        print(bibliography.text, end="")
    else:
        why_not = bibliography.write()
        if why_not:
            return common.fail(why_not)
        for key in bibliography.keys:
            print(key)
    uncertain = [answer for answer in answers if not answer.certain]
    # A work that is certain has no key if no entry can be written for it (`_insert_work`).
    is_any_unwritten = len(bibliography.keys) + len(uncertain) < len(answers)
    # A service that did not answer may have the work.
    if is_any_unwritten or any(answer.unavailable for answer in uncertain):
        return exits.UNFINISHED
    return exits.FINDINGS if uncertain else exits.OK


def _read_works_of_files(works: Sequence[str]) -> "dict[str, list[LookUp]]":
    """Read the works of each bibliography among the words of the command; no other word is in the mapping.

    AddError if a bibliography has no entry with a title, or if a word is blank, names a file from which nothing can be
    added, or one that is not there.
    """
    for work in works:
        if not work.strip():
            raise AddError("what is to be added is empty", exits.USAGE)
        if _is_other_file(work):
            why = "is neither a bibliography nor a PDF, so nothing can be added from it"
            raise AddError(f"{work} {why}", exits.USAGE)
        if _names_missing_file(work):
            raise AddError(common.say_missing(work), exits.USAGE)
    return {work: _split_works(Path(work)) for work in works if _is_bibliography(work)}


def _add_all(
    bibliography: "_Bibliography", works: "Sequence[str]", of_files: "Mapping[str, list[LookUp]]", settings: "Settings"
) -> "list[LookUp]":
    """Add the works that are certain to `bibliography`, in the order of the command line; return all answers.

    `works` are the words of the command: identifiers, titles, files.  `of_files` has the works of those that are
    bibliographies; all others are looked up at once.
    """
    names = [work for work in works if work not in of_files]
    looked_up = asyncio.run(_look_up(names, settings)) if names else {}
    answers: list[LookUp] = []
    for work in works:
        answers_of_work = of_files[work] if work in of_files else [looked_up[work]]
        for answer in answers_of_work:
            answers.append(answer)
            if answer.certain:  # then the first candidate is the work, whatever stands behind it
                bibliography.add(answer.candidates[0].record)
            else:
                common.warn(_say_doubt(work, answer))
    return answers


def _choose_file(bib: Path) -> Path:
    """Return the absolute path of a bibliography; for `-`, entries to be printed, that of a .bib that is not there."""
    return (bib.with_name("-.bib") if bib == common.PRINT else bib).absolute()


def _only_bibliography(settings: "Settings") -> Path:
    """Return the bibliography that is meant if none is named.

    It is the one of the setting `writing.write_to`, there or not; else the only .bib file of this folder that is not
    hidden.  AddError, which counts as wrong usage, if that leaves none, or several.
    """
    from citelsp.base.text import quote_name

    if settings.writing.write_to:
        return Path(settings.writing.write_to).expanduser()
    names = sorted(it.name for it in Path.cwd().glob("*.bib") if it.is_file() and not it.name.startswith("."))
    if len(names) == 1:
        return Path(names[0])
    if not names:
        message = "there is no .bib file in this folder: name one with --bib, or print the entries with --bib -"
        raise AddError(message, exits.USAGE)
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    listed = ", ".join(map(quote_name, names[:_MOST_NAMED]))
    raise AddError(f"say with --bib which is meant: {listed}{more}", exits.USAGE)


async def _look_up(works: Sequence[str], settings: "Settings") -> "dict[str, LookUp]":
    """Look the works up, all at once; return the answer for each, by the word that names it.

    The works are named by identifiers, titles or the PDFs that they are in.  Meanwhile a terminal shows which services
    have not answered yet.
    """
    from citelsp.cli import verify_online
    from citelsp.investigate import insert

    read_papers = _read_papers([work for work in works if _is_paper(work)])
    names = [work for work in works if work not in read_papers]
    async with verify_online.open_for_question(settings) as sources:
        answers_to_names, answers_to_papers = await asyncio.gather(
            insert.find_all(names, sources), _look_up_papers(read_papers, sources)
        )
    return {**dict(zip(names, answers_to_names, strict=True)), **answers_to_papers}


def _read_papers(paths: "Sequence[str]") -> "dict[str, Record | str]":
    """Read title, people, year and identifiers off the first pages of PDFs; or a sentence why that cannot be done."""
    from citelsp.corpus import pdf_processes

    papers: dict[str, Record | str] = {}
    for path in paths:
        problems: list[str] = []
        works = list(pdf_processes.read([Path(path)], problems.append))
        papers[path] = works[0].record() if works else problems[0]  # of a file `read` gives one or the other
    return papers


async def _look_up_papers(read_papers: "Mapping[str, Record | str]", sources: "Sources") -> "dict[str, LookUp]":
    """Return an answer for each paper by its path: certain if a service surely has the work that was read from it.

    Otherwise it has the works that it may be, if any, and a reason; of a PDF that could not be read only the reason.
    """
    from citelsp.investigate import complete_records
    from citelsp.investigate.insert import LookUp
    from citelsp.knowledge import Candidate

    records = {path: paper for path, paper in read_papers.items() if not isinstance(paper, str)}
    completions = await complete_records.look_up_all(list(records.values()), sources)
    answers = {path: LookUp(reason=problem) for path, problem in read_papers.items() if isinstance(problem, str)}
    for path, completion in zip(records, completions, strict=True):
        if completion.complete:
            answers[path] = LookUp((Candidate(completion.record),), certain=True)
        else:
            # The answer may be certain, but of a work that need not be the paper's own.  Its reason is told only if it
            # has no candidates (see `_say_doubt`).
            reason = f"{path}: {completion.answer.reason}"
            answers[path] = replace(completion.answer, certain=False, reason=reason)
    return answers


def _is_bibliography(work: str) -> bool:
    """True for a file whose entries are meant."""
    from citelsp.syntax import languages

    return languages.language_of_path(work).bibliography is not None and _is_file(work)


def _is_paper(work: str) -> bool:
    """True for a PDF whose own work is meant."""
    return Path(work).suffix.lower() == ".pdf" and _is_file(work)


def _is_other_file(work: str) -> bool:
    """True for a file that is neither; a title may be the name of a folder, or of a file without an ending."""
    return bool(Path(work).suffix) and _is_file(work) and not _is_bibliography(work) and not _is_paper(work)


def _names_missing_file(work: str) -> bool:
    """True for `-`, and for a word that ends as bibliographies or PDFs do, but is no file, identifier or address.

    Titles have spaces.
    """
    from citelsp.investigate import insert
    from citelsp.syntax import languages

    if work == "-":
        return True
    ending = Path(work).suffix  # "" for a title of one word, such as BibTeX
    is_like_a_file = ending and (ending.lower() == ".pdf" or languages.language_of_path(work).bibliography is not None)
    if not is_like_a_file or len(work.split()) > 1 or _is_file(work):
        return False
    names = insert.read_identifiers(work)
    return not names and not names.url


def _is_file(work: str) -> bool:
    try:
        return Path(work).is_file()
    except OSError:  # a title that is longer than any name of a file
        return False


def _split_works(path: Path) -> "list[LookUp]":
    """Read the works that the entries of a file describe, each certain: it is copied, and nothing is looked up.

    Entries without a title are left out, and a warning says how many.  AddError if no entry has one, or none is there.
    """
    from citelsp.base.settings import Settings
    from citelsp.bibliography import entry_record
    from citelsp.investigate.insert import LookUp
    from citelsp.knowledge import Candidate
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    full_path = str(path.absolute())
    project = include_graph.build(DiskFiles(), full_path, Settings())
    # The project may hold further bibliographies, of the manuscripts that name this file.
    places = [place for place in project.entries() if place.source.document.path == full_path]
    records = [entry_record.from_entry(place.entry) for place in places]
    answers = [LookUp((Candidate(record),), certain=True) for record in records if record.title]
    if not answers:
        what = "no entry in it has a title, so none can be added" if records else "there is no entry in it"
        raise AddError(f"{path}: {what}")
    if len(answers) < len(records):
        common.warn(f"{path}: left out, because they have no title: {len(records) - len(answers)}")
    return answers


@dataclass
class _Bibliography:
    """One file with what is to be added; nothing is written before `write`."""

    file: "TextFile"
    settings: "Settings"
    chosen: bool  # by its author, for new entries: `writing.write_to` names it
    text: str = field(init=False, repr=False)  # as it will be
    inserted: str = ""  # all that the text has more than the file
    records: "list[Record]" = field(default_factory=list)  # to be added
    keys: list[str] = field(default_factory=list)  # of these records, as far as they stand in the text

    def __post_init__(self) -> None:
        self.text = self.file.text

    @property
    def path(self) -> Path:
        return Path(self.file.path)

    @property
    def name(self) -> str:
        """The path from here, for people."""
        from citelsp.cli.report_parts import show_on_one_line

        return show_on_one_line(self.file.path)

    def add(self, record: "Record") -> None:
        """Add the work to the text; warn if that cannot be done, or of what to beware."""
        self.records.append(record)
        for warning in self._insert_work(record):
            common.warn(warning)

    def _insert_work(self, record: "Record") -> list[str]:
        """Insert an entry for the work, unless it has one in this file; return warnings.

        Changes `text` (the file's) and `inserted` (all that was added to it) if an entry is inserted, and `keys` also
        if the work has one already.  Warnings say if none can be inserted, if it has one, and if the work was
        retracted, withdrawn or removed by its publisher.
        """
        from citelsp.base.text import apply
        from citelsp.features import insert_entry
        from citelsp.features.values import Refused

        insertion = insert_entry.add_record(self._make_project(), str(self.path), record)
        if isinstance(insertion, Refused):
            return [insertion.reason]
        warnings = []
        if insertion.change:
            self.text = apply(self.text, insertion.change.edits)
            self.inserted += "".join(edit.new_text for edit in insertion.change.edits)
        else:  # it is there already
            warnings.append(insertion.message)
        self.keys.append(insertion.key)
        caution = insert_entry.caution(record)
        if caution:
            warnings.append(f"{insertion.key}: {caution}")
        return warnings

    def doubt(self) -> str:
        """Say why nothing should be added to this file, as the end of a sentence; "" if nothing speaks against it.

        Nothing does if the author chose the file in the settings.  Else a file that is surely exported is not added to,
        nor is one whose keys look like Better BibTeX's: of that only its author knows whether it is an export.
        """
        from citelsp.features import exports

        if self.chosen:
            return ""
        source = self._make_project().sources[str(self.path)]
        exporter = exports.exporter(source)
        if exporter:
            return f"is exported by {exporter}, whose next export would drop what is added. Add to another file"
        if exports.may_be_better_bibtex(source):
            return (
                "may be exported by Better BibTeX, whose next export would drop what is added. If you keep this file "
                "yourself, name it in writing.write_to"
            )
        return ""

    def write(self) -> str:
        """Write the text, whole or not at all; return what went wrong, or "".

        If somebody else changed the file meanwhile, it is read again, the works are added to it, and that is written;
        _MOST_TRIES times at most.
        """
        from citelsp.cli import named_files

        for _ in range(_MOST_TRIES):
            try:
                return self._write_once()
            except named_files.ChangedError:
                # For a random time, lest two that add to one file meet again and again.
                time.sleep(random.uniform(*_PAUSE))  # noqa: S311  nothing secret
                problem = self._read_again()
                if problem:
                    return problem
        return f"{self.name} is not changed: others change it all the time"

    def _write_once(self) -> str:
        """Write the text once; return what went wrong, or "".  ChangedError if the file is no longer what was read."""
        from citelsp.cli import named_files

        if self.text == self.file.text:  # nothing is added, so a file that is not there is not made either
            return ""
        # The file keeps its encoding, which may lack letters of the new entries.
        why_not = self.file.find_why_not_added(self.inserted)
        if why_not:
            return f"{self.name} is not changed: {why_not}"
        try:
            named_files.rewrite(self.path, self.file.data, self.file.bytes_of(self.text))
        except named_files.ChangedError:
            raise  # a FileProblem too, but the caller tries again
        except named_files.FileProblem as problem:
            return f"{self.name} is not changed: {problem}"
        return ""

    def _read_again(self) -> str:
        """Read the file again and add the same works to its text; return what went wrong, or ""."""
        file = _read_file(self.path)
        if isinstance(file, str):
            return file
        self.file = file
        self.text = file.text
        self.inserted = ""
        self.keys = []
        for record in self.records:
            # Its warnings were told the first time.  One that only the changed file gives rise to is dropped, too.
            self._insert_work(record)
        return ""

    def _make_project(self) -> "Project":
        """Make a project of this file alone, with its text as it will be: other bibliographies do not count."""
        from citelsp import syntax
        from citelsp.base.text import Document
        from citelsp.syntax import languages
        from citelsp.workspace.project import Project
        from citelsp.workspace.source import Source

        document = Document(str(self.path), self.text, languages.language_of_path(str(self.path)).name)
        source = Source(document, syntax.parse(document))
        return Project({document.path: source}, self.settings, bibliographies=(document.path,))


def _open_bibliography(bib: Path, settings: "Settings") -> _Bibliography:
    """Read the bibliography `bib`, an empty one if there is no such file yet; AddError if nothing can be added to it.

    What is only printed (`-`) begins as an empty one.  Nothing can be added, too, if `doubt` speaks against it: if a
    program exports the file, or may, and would drop what is added.
    """
    from citelsp.cli import named_files
    from citelsp.cli.report_parts import show_on_one_line
    from citelsp.syntax import languages

    path = _choose_file(bib)
    if not languages.language_of_path(str(path)).written:
        why = "is not a bibliography: its name should end in .bib, .json or .yaml"
        raise AddError(f"{show_on_one_line(str(path))} {why}", exits.USAGE)
    is_written = bib != common.PRINT
    file = _read_file(path) if is_written else _new_file(path)
    if isinstance(file, str):
        raise AddError(file)
    why_not = named_files.refusal(path) if is_written and file.data is None else ""
    if why_not:  # told before anything is looked up
        raise AddError(f"{show_on_one_line(str(path))} cannot be written: {why_not}")
    write_to = Path(settings.writing.write_to).expanduser()
    # It counts from the folder of a manuscript, which may be this one or the bibliography's own.
    named = {os.path.normpath(folder / write_to) for folder in (Path.cwd(), path.parent.absolute())}
    chosen = os.path.normpath(path.absolute()) in named  # the settings name this file
    # `write_to` is emptied, as else the works could go to the file that it names, and not to this one.
    writing = replace(settings.writing, write_to="", dialect=_choose_dialect(path, settings))
    bibliography = _Bibliography(file, replace(settings, writing=writing), chosen)
    doubt = bibliography.doubt()
    if doubt:
        raise AddError(f"{show_on_one_line(str(path))} {doubt}")
    return bibliography


def _read_file(path: Path) -> "TextFile | str":
    """Read the file, an empty one if there is none; or return a sentence why it cannot be read."""
    from citelsp.cli import named_files
    from citelsp.cli.report_parts import show_on_one_line

    try:
        return named_files.read_text(path)
    except FileNotFoundError:
        return _new_file(path)
    except named_files.FileProblem as problem:
        return f"{show_on_one_line(str(path))} is not changed: {problem}"


def _new_file(path: Path) -> "TextFile":
    from citelsp.cli import named_files

    return named_files.TextFile(str(path), data=None, text="", encoding="utf-8")


def _choose_dialect(path: Path, settings: "Settings") -> Literal["auto", "bibtex", "biblatex"]:
    """Find out whether entries are to be written for BibTeX or biblatex; "auto" leaves it to the file's own fields.

    The setting decides; if it does not, and the file shows neither (one that is not there yet shows none), a manuscript
    of its workspace that uses it and loads biblatex does.
    """
    from citelsp.bibliography import file_style
    from citelsp.features import insert_entry
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    files = DiskFiles([str(common.workspace(path))], settings.syntax.cite_commands)
    project = include_graph.build(files, str(path), settings)
    source = project.sources.get(str(path))
    style = file_style.detect(source.document) if source else file_style.Style()
    return insert_entry.dialect(project, style)


def _say_doubt(work: str, answer: "LookUp") -> str:
    """Say why nothing is added for a word of the command, with the works of which one may be meant."""
    if not answer.candidates:
        return answer.reason or f"{work}: not found"
    nearest = "\n  ".join(map(_describe_candidate, answer.candidates[:_SHOWN]))
    return f"{work}: which of these? Give its identifier.\n  {nearest}"


def _describe_candidate(candidate: "Candidate") -> str:
    """`Vaswani et al. 2017, Attention Is All You Need, NeurIPS, 10.…`: what a work is and how to name it."""
    from citelsp.features.values import author_year

    record = candidate.record
    identifiers = record.identifiers
    arxiv = identifiers.arxiv and f"arXiv:{identifiers.arxiv}"
    name = identifiers.doi or arxiv or record.url
    return ", ".join(filter(None, (author_year(record.authors, record.year), record.title, record.venue, name)))
