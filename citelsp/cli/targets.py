"""What the PATHs of `citelsp check` mean: projects, the entries to be asked about, the documents to be reported on."""

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp import syntax
from citelsp.base import read_settings, regular_files, user_places
from citelsp.base.text import Document, is_package, quoted
from citelsp.checks import unused_entry
from citelsp.checks.finding import Note
from citelsp.cli import common
from citelsp.cli.switched_off import SwitchedOff
from citelsp.received.inputs import ENDINGS, Received, is_received, main_texts
from citelsp.syntax import languages
from citelsp.workspace import include_graph, link_paths
from citelsp.workspace.disk import EmptyDisk, LocalDisk, SteadyDisk, decode, is_manuscript
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.roots import is_metadata

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.checks.finding import Finding
    from citelsp.workspace.project import Place, Project
    from citelsp.workspace.source import Source

_DEPTH = 10
_LOOKED_AT = 1000  # bytes of a file, to tell what XML it is


@dataclass(frozen=True, slots=True)
class Target:
    """A document to be checked, in its project.

    A bibliography is checked whole; through a manuscript only what it cites.
    """

    project: "Project"
    path: str
    places: tuple["Place", ...]
    whole: bool
    notes: tuple[Note, ...] = ()

    def documents(self) -> frozenset[str]:
        """Those whose findings count wherever they stand."""
        return frozenset([self.path] if self.whole or self.project.guessed else self.project.manuscript)

    def declared(self) -> frozenset[str]:
        """The bibliographies that these documents name; a guess excuses none from being looked at itself."""
        named = () if self.project.guessed else self.project.bibliographies
        return frozenset(named) - self.project.unnamed

    def concerns(self, finding: "Finding") -> bool:
        """True in these documents, and in a manuscript's bibliography on what it cites, or that it does not."""
        if finding.path in self.documents():
            return True
        if self.whole or finding.path not in self.project.bibliographies:
            return is_metadata(finding.path) and not self.project.guessed
        cited = finding.key is None or self.project.cites_all or self.project.cites(finding.key)
        return cited or finding.code == unused_entry.CODE


@dataclass
class Workplace:
    """The files of one run, read once; texts that `hold` gave stand for those on the disk."""

    options: argparse.Namespace
    unread: list[str] = field(default_factory=list)
    idle: set[str] = field(default_factory=set)  # documents in which nothing could be found, such as drawings
    received: Sequence[Received] = ()  # papers that are no files of a project
    lent: str = ""  # the bibliography for manuscripts that name none
    fetched: dict[str, str] = field(default_factory=dict)  # files of bibliographies by their addresses
    _open: dict[str, tuple[DiskFiles, "Settings"]] = field(default_factory=dict)

    def settings(self) -> "Settings":
        """Of the first place named; what concerns the network is the user's own and the same everywhere."""
        named = self._named()
        return self._open_folder(common.workspace(named[0]))[1] if named else common.read_settings(self.options)

    def targets(self) -> list[Target]:
        """Each document once, in the first project that holds it; what cannot be read is noted.

        A bibliography is looked at through the manuscripts that name it, or whole if none of them cites from it.
        """
        found: list[Target] = []
        self.unread.clear()
        self.idle.clear()
        done: set[str] = set()
        declared: set[str] = set()
        entries: set[tuple[str, int]] = set()
        for paper in self.received:
            files, settings = self._paper_target(paper)
            for path in main_texts(paper):
                if path not in done and (target := self._target(files, settings, path, entries)):
                    found.append(target)
                    done |= target.documents() | target.declared()
        for named in self._named():
            files, settings = self._open_folder(common.workspace(named))
            files.lend(self.lent)
            files.provide(self.fetched)
            for path in filter(os.path.exists, _documents(named, files)):
                source = files.read(path)
                path = source.document.path if source else path
                if source and named.is_dir() and _is_idle(source):
                    self.idle.add(path)
                    continue
                if path in declared and any(it == path for it, _ in entries):
                    continue
                if path not in done and (target := self._target(files, settings, path, entries)):
                    found.append(target)
                    done |= target.documents()
                    if named.is_dir():
                        declared |= target.declared()
        return found

    def shared(self, targets: Sequence[Target]) -> "Iterator[Project]":
        """Of each bibliography that several of these targets use and no other manuscript, the project."""
        documents: set[str] = set()
        several: dict[str, None] = {}
        for target in targets:
            documents |= target.documents()
            several |= dict.fromkeys(it for it in target.project.bibliographies if it in target.project.shared)
        for path in several:
            if path in documents:
                continue
            for files, settings in self._open.values():
                project = include_graph.build(files, path, settings)
                if path not in project.shared and documents.issuperset(project.manuscript):
                    yield project
                    break

    def folders(self) -> list[Path]:
        return [it for it in self._named() if it.is_dir()]

    def hold(self, path: str, text: str) -> None:
        for files, _ in self._open.values():
            if files.exists(path):
                files.open(path, text, edited=False)

    def may_write(self, path: str, target: Target) -> bool:
        """Only what was named: a file, all in a folder, and a manuscript's bibliographies beside or below it."""
        for named in self._named():
            if named == Path(path) or (named.is_dir() and Path(path).is_relative_to(named)):
                return True
            below = path in target.project.bibliographies and Path(path).is_relative_to(named.parent)
            if below and str(named) in target.project.manuscript:
                return True
        return False

    def _paper_target(self, paper: Received) -> tuple[DiskFiles, "Settings"]:
        """A paper's texts over a disk without files: nothing of this machine is seen, and the user's settings hold."""
        if paper.name not in self._open:
            settings = common.read_settings(self.options)
            files = DiskFiles(disk=EmptyDisk(), environment={})
            for path, text in paper.texts.items():
                files.open(path, text, languages.RECEIVED.name, edited=False)
            self._open[paper.name] = files, settings
        return self._open[paper.name]

    def _named(self) -> list[Path]:
        named = [it for it in self.options.paths if not is_received(str(it))]
        return [Path(os.path.normpath(it.absolute())) for it in named]

    def _open_folder(self, folder: Path) -> tuple[DiskFiles, "Settings"]:
        if str(folder) not in self._open:
            settings = common.read_settings(self.options, folder)
            files = DiskFiles([str(folder)], settings.syntax.cite_commands, disk=SteadyDisk())
            self._open[str(folder)] = files, settings
        return self._open[str(folder)]

    def switched_off(self, project: "Project") -> "SwitchedOff | None":
        """What the settings of its folder make less of than the user's own; None if they do not."""
        for folder, (_, settings) in self._open.items():
            if settings is project.settings and settings.checks.severity:
                user, _ = read_settings.merged(
                    read_settings.read_file(self.options.config or user_places.user_file())[0]
                )
                found = SwitchedOff(str(read_settings.workspace_file(folder)), user, settings)
                return found if found.codes else None
        return None

    def _target(
        self, files: DiskFiles, settings: "Settings", path: str, entries: set[tuple[str, int]]
    ) -> Target | None:
        """The project of a document with those of its entries that are not in `entries` yet; None if it is unread."""
        project = include_graph.build(files, path, settings)
        source = files.read(path)
        if source:
            path = source.document.path  # without links
        if path not in project.sources:
            self.unread.append(path)
            return None
        whole = path in project.bibliographies or project.sources[path].language.bibliography is not None
        places = tuple(it for it in _places(project, path if whole else "") if _mark(it) not in entries)
        entries.update(map(_mark, places))
        return Target(project, path, places, whole, tuple(_outdated(files, project)))


def _is_idle(source: "Source") -> bool:
    """True for a part in LaTeX that neither cites nor names anything: thousands of drawings need no project each."""
    written = source.syntax
    found = written.citations, written.links, written.placeholders, written.suppressions, written.signs, written.root
    says = written.entries is not None or written.is_root or written.opaque or written.written or written.reduced
    return source.language.search == "kpathsea" and not (any(found) or says or is_package(source.document.path))


def _outdated(files: DiskFiles, project: "Project") -> Iterator[Note]:
    """The compiled lists that lack what is cited by now: who submits them submits question marks."""
    for source in project.parts:
        compiled = files.read(link_paths.compiled(source.document.path)) if source.syntax.is_root else None
        if compiled is None or compiled.document.path in project.sources or source.language.search != "kpathsea":
            continue
        cited = {key for key in project.cited if project.defines(key)}
        # Of a manuscript with several lists, one for each chapter or kind, none has all keys.
        if (lacking := cited.difference(compiled.keys)) and len(lacking) < len(cited):
            text = "it was compiled before {keys} of the manuscript; run BibTeX or biber before you submit it"
            yield Note(compiled.document.path, text, len(lacking))


def _places(found: "Project", bibliography: str) -> Iterator["Place"]:
    """All entries of the bibliography; if none is named, those that the manuscript cites."""
    for place in found.entries():
        if bibliography:
            if place.source.document.path == bibliography:
                yield place
        elif found.cites_all or found.cites(place.node.key) or place.node.kind == "reference":
            yield place


def _mark(place: "Place") -> tuple[str, int]:
    return place.source.document.path, place.index


def _documents(named: Path, files: DiskFiles) -> Sequence[str]:
    """The document itself; of a folder its manuscripts, then the bibliographies that none of them names."""
    if not named.is_dir():
        return [str(named)]
    bibliographies: list[Path] = []
    for folder in LocalDisk().list_folders(str(named), _DEPTH):
        bibliographies += [it for it in sorted(Path(folder).iterdir()) if _is_bibliography(it)]
    for path in bibliographies:
        if path.is_symlink():
            real = Path(os.path.realpath(path))
            if real.is_relative_to(named):
                files.read(str(real))  # first, and all its links are known under this name
    manuscripts = [it for it in files.manuscripts() if Path(it).is_relative_to(named)]
    return [*manuscripts, *map(str, bibliographies)]


def _is_bibliography(path: Path) -> bool:
    bibliography = languages.language_of_path(path.name).bibliography
    if bibliography is None or bibliography.declare_beside or not path.suffix or path.is_dir():
        return False
    return bibliography.begins is None or bibliography.begins(_beginning(path))


def _beginning(path: Path) -> str:
    try:
        return regular_files.read(path, _LOOKED_AT).decode(errors="replace")
    except OSError:
        return ""


def unreadable(path: Path) -> bool:
    """True for a file of a kind that is never read: no manuscript, no bibliography and no metadata that names one."""
    language = languages.language_of_path(path.name)
    if language.by_ending or language.manuscript or not path.is_file():
        return False
    decoded = decode(LocalDisk().load(str(path)) or b"\0")
    written = syntax.parse(Document(str(path), decoded[0], language.name)) if decoded else None
    return language is languages.OTHER or (written is not None and not (written.entries or written.links))


def unread_kinds(paths: Iterable[Path]) -> str:
    """The sentence about named files that are never read, or whose ending promises what is not in them."""
    paths = list(paths)
    names = ", ".join(quoted(str(it)) for it in paths)
    if all(languages.language_of_path(it.name).title or is_manuscript(str(it)) for it in paths):
        return f"{names}: citelsp finds no bibliography there, nor anything that names one"
    kinds = []
    for language in languages.ALL:
        if language.title:
            endings = [f".{ending}" for ending in language.endings] or ENDINGS
            kinds.append(f"{language.title} ({', '.join(endings)})")
    *first_kinds, last_kind = kinds
    return f"{names}: citelsp does not read this kind of file. It reads {', '.join(first_kinds)} and {last_kind}"
