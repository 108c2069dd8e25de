"""What the PATHs of `citelsp check` mean: projects, the entries to be asked about, the documents to be reported on."""

import argparse
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp import syntax
from citelsp.base import read_settings, regular_files
from citelsp.base.text import Document, enumerate_names, is_package
from citelsp.checks import duplicate_entry, malformed_entry, refused_by_typst, undefined_string, unused_entry
from citelsp.checks.finding import Note
from citelsp.cli import common
from citelsp.cli.report_parts import show_on_one_line
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

_DEPTH = 10  # folders below a named one that are searched for bibliographies
_HEAD = 1000  # bytes at the beginning of a file, to tell what XML it is
_EntryMark = tuple[str, int]  # a bibliography's path, and the index of an entry in it
# Findings about one entry for which Typst refuses the whole file.
_SPOILING_FILE = frozenset({duplicate_entry.CODE, malformed_entry.CODE, refused_by_typst.CODE, undefined_string.CODE})


@dataclass(frozen=True, slots=True)
class Target:
    """A document to be checked, in its project.

    A bibliography is checked whole; through a manuscript only what it cites.
    """

    project: "Project"
    path: str
    places: tuple["Place", ...]  # the entries that are looked up
    whole: bool  # a bibliography, all of whose entries are checked
    notes: tuple[Note, ...] = ()

    def documents(self) -> frozenset[str]:
        """Return the paths of the documents all of whose findings count: a bibliography, or a manuscript's documents.

        If it is a guess that the document belongs to the project, its findings count alone, too.
        """
        return frozenset([self.path] if self.whole or self.project.guessed else self.project.manuscript)

    def declared(self) -> frozenset[str]:
        """Return the bibliographies that these documents name; a guess excuses none from being looked at itself."""
        named = () if self.project.guessed else self.project.bibliographies
        return frozenset(named) - self.project.unnamed

    def compiled_lists(self) -> frozenset[str]:
        """Return the lists (.bbl) that are compiled from the entries of this target: the same references once more.

        Empty if the manuscript cites nothing that its bibliographies have: then the list is looked at itself.
        """
        if self.whole or self.project.guessed or not self.places:
            return frozenset()
        return frozenset(map(link_paths.compiled, _main_documents(self.project)))

    def concerns(self, finding: "Finding") -> bool:
        """Return True if the finding is to be reported of this target.

        In the target's documents every finding is; in the bibliographies of a manuscript, what concerns the entries
        that it cites; in files of metadata, such as `_quarto.yml`, every one, unless it is a guess that the document
        belongs to the project (`guessed`).  None is in other documents, such as the manuscripts that name a
        bibliography: if these are to be reported on, they are targets themselves.
        """
        if finding.path in self.documents():
            return True
        is_in_own_bibliography = not self.whole and finding.path in self.project.bibliographies  # whole: it is one
        if is_in_own_bibliography:
            return self._concerns_what_is_cited(finding)
        return is_metadata(finding.path) and not self.project.guessed

    def _concerns_what_is_cited(self, finding: "Finding") -> bool:
        """Return True if a finding in a manuscript's bibliography is about an entry that it cites, or about none.

        Also True of those that name an entry as not cited (`unused_entry`), and if Typst reads the bibliography, of
        what makes it refuse the whole file, whichever entry that is in.
        """
        is_cited = finding.key is None or self.project.cites_all or self.project.cites(finding.key)
        spoils_file = self.project.reader == "typst" and finding.code in _SPOILING_FILE
        return is_cited or spoils_file or finding.code == unused_entry.CODE


@dataclass
class _Covered:
    """What the targets that were found so far look at."""

    documents: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)  # bibliographies that manuscripts of named folders name
    compiled: set[str] = field(
        default_factory=set
    )  # lists that are compiled from entries of manuscripts in named folders
    entries: set[_EntryMark] = field(default_factory=set)  # that are asked about

    def covers(self, path: str) -> bool:
        """Return True if a target of its own would bring nothing new.

        A bibliography that a manuscript names is looked at through it, unless nothing of it is cited there; so is the
        list that is compiled from it.
        """
        is_cited_from = path in self.declared and any(entry_path == path for entry_path, _ in self.entries)
        return path in self.documents or path in self.compiled or is_cited_from


@dataclass
class Workplace:
    """The files of one run, read once; texts that `hold` gave stand for those on the disk."""

    options: argparse.Namespace
    unread: dict[str, str] = field(default_factory=dict)  # by path: the sentence of its project that says why, or ""
    idle: set[str] = field(default_factory=set)  # documents in which nothing could be found, such as drawings
    received: Sequence[Received] = ()  # papers that are no files of a project
    lent: str = ""  # the bibliography for manuscripts that name none
    fetched: dict[str, str] = field(default_factory=dict)  # files of bibliographies by their addresses
    _open: dict[str, tuple[DiskFiles, "Settings"]] = field(default_factory=dict)

    def settings(self) -> "Settings":
        """Read the settings for the first place named.

        What concerns the network is the user's own, and the same for every place.
        """
        named = self._list_named()
        return self._open_folder(common.workspace(named[0]))[1] if named else common.read_settings(self.options)

    def targets(self) -> list[Target]:
        """List each document once, in the first project that holds it; note in `unread` what cannot be read.

        A bibliography is looked at through the manuscripts that name it, or whole if none of them cites from it.
        """
        self.unread.clear()
        self.idle.clear()
        covered = _Covered()
        return [*self._open_papers(covered), *self._open_paths(covered)]

    def _open_papers(self, covered: _Covered) -> Iterator[Target]:
        for paper in self.received:
            files, settings = self._open_paper(paper)
            for path in main_texts(paper):
                target = None if covered.covers(path) else self._make_target(files, settings, path, covered.entries)
                if target:
                    # A paper's texts come with its list, which is never a target of its own.
                    covered.documents |= target.documents() | target.declared()
                    yield target

    def _open_paths(self, covered: _Covered) -> Iterator[Target]:
        """Yield the targets of the files and folders that were named.

        Documents of a folder in which no finding is possible are noted in `idle`, documents that cannot be read in
        `unread`.  Adds to `covered` what the targets look at: their documents and entries; and of a folder's
        manuscripts the bibliographies that they declare and the lists compiled from these (.bbl).  Later documents
        that are covered so become no targets.
        """
        for named in self._list_named():
            files, settings = self._open_folder(common.workspace(named))
            files.lend(self.lent)  # a bibliography, for manuscripts that name none; "" lends none
            files.provide(self.fetched)  # bibliographies on the web, by their addresses
            # Of a link that leads nowhere a note tells (see `left_out`).
            for path in filter(os.path.exists, _list_documents(named, files)):
                source = files.read(path)  # None if it cannot be read, which `_make_target` notes
                real_path = source.document.path if source else path  # without links
                # Only of a folder, which may have thousands: a file named by itself is a target whatever is in it.
                if source and named.is_dir() and _is_idle(source):
                    self.idle.add(real_path)
                    continue
                if covered.covers(real_path):
                    continue
                target = self._make_target(files, settings, real_path, covered.entries)
                if target:
                    covered.documents |= target.documents()
                    # A manuscript named by itself covers none: its bibliography may be named, too, to be checked whole.
                    if named.is_dir():
                        covered.declared |= target.declared()
                        covered.compiled |= target.compiled_lists()
                    yield target

    def shared(self, targets: Sequence[Target]) -> "Iterator[Project]":
        """Yield, for bibliographies that several manuscripts use, the projects that tell which entries nobody cites.

        The project of a target cannot tell: it has the target's own manuscripts, and others may cite the entry.  Each
        project here is that of one bibliography, with all manuscripts that use it.  None is yielded if one of these is
        no target; a note of the check says then that unused entries are not reported.
        """
        documents: set[str] = set()
        bibliographies: dict[str, None] = {}  # a set that keeps its order
        for target in targets:
            documents |= target.documents()
            used = target.project.bibliographies
            # `Project.shared`: those that manuscripts outside the project use too.
            bibliographies |= dict.fromkeys(path for path in used if path in target.project.shared)
        for path in bibliographies:
            # A bibliography that is a target itself is checked in such a project already.
            project = None if path in documents else self._find_checked_project(path, documents)
            if project:
                yield project

    def _find_checked_project(self, bibliography: str, documents: Collection[str]) -> "Project | None":
        """Find the project of all manuscripts that use a bibliography, if `documents`, which are checked, has them all.

        If several workspaces have such a project, that of the first to be opened.  None if a manuscript is not among
        `documents`, or if nobody knows all: a bibliography always counts as shared with others in a workspace that it
        lies outside of, or whose settings give it to every manuscript.
        """
        for files, settings in self._open.values():  # of each workspace, and of each received paper
            project = include_graph.build(files, bibliography, settings)
            # No manuscript uses it here, as in the files of a received paper: `all` would be true of none.
            if not project.manuscript:
                continue
            is_used_outside = bibliography in project.shared
            if not is_used_outside and all(path in documents for path in project.manuscript):
                return project
        return None

    def folders(self) -> list[Path]:
        return [it for it in self._list_named() if it.is_dir()]

    def hold(self, path: str, text: str) -> None:
        """Have this text stand for the file's, as if it were saved; the file stays as it is."""
        for files, _ in self._open.values():
            if files.exists(path):
                files.open(path, text, edited=False)

    def may_write(self, path: str, target: Target) -> bool:
        """Only what was named: a file, all in a folder, and a manuscript's bibliographies beside or below it."""
        for named in self._list_named():
            is_named = named == Path(path) or (named.is_dir() and Path(path).is_relative_to(named))
            is_beside = path in target.project.bibliographies and Path(path).is_relative_to(named.parent)
            if is_named or (is_beside and str(named) in target.project.manuscript):
                return True
        return False

    def _open_paper(self, paper: Received) -> tuple[DiskFiles, "Settings"]:
        """Open a paper's texts, by the user's settings, over a disk without files: it sees nothing of this machine."""
        if paper.name not in self._open:
            settings = common.read_settings(self.options)
            files = DiskFiles(disk=EmptyDisk(), environment={})
            for path, text in paper.texts.items():
                files.open(path, text, languages.RECEIVED.name, edited=False)
            self._open[paper.name] = files, settings
        return self._open[paper.name]

    def _list_named(self) -> list[Path]:
        """Return the files and folders of the command line, by whole paths; without what is received as a paper."""
        of_disk = [it for it in self.options.paths if not is_received(str(it))]
        return [Path(os.path.normpath(it.absolute())) for it in of_disk]

    def _open_folder(self, folder: Path) -> tuple[DiskFiles, "Settings"]:
        """Return the files of a workspace and its settings, opened once a run."""
        if str(folder) not in self._open:
            settings = common.read_settings(self.options, folder)
            files = DiskFiles([str(folder)], settings.syntax.cite_commands, disk=SteadyDisk())
            self._open[str(folder)] = files, settings
        return self._open[str(folder)]

    def switched_off(self, project: "Project") -> "SwitchedOff | None":
        """Return the checks that the folder's settings make less of than the user's own; None if they weaken none."""
        for folder, (_, settings) in self._open.items():
            is_of_project = settings is project.settings  # a project is made with the very object of its folder
            if is_of_project and settings.checks.severity:
                layer, _ = common.read_layer(self.options)
                user_settings, _ = read_settings.merge(layer)
                lowered = SwitchedOff(str(read_settings.workspace_file(folder)), user_settings, settings)
                return lowered if lowered.codes else None
        return None

    def _make_target(
        self, files: DiskFiles, settings: "Settings", path: str, asked_about: set[_EntryMark]
    ) -> Target | None:
        """Make a target of the document at `path` in its project, with the entries that no earlier target asks about.

        So each entry is looked up and counted once.  Of a bibliography these are all its entries (the target is
        `whole`), of a manuscript those that it cites.  Adds them to `asked_about`.  None if the document cannot be
        read, which is noted in `unread`.
        """
        project = include_graph.build(files, path, settings)
        source = files.read(path)
        if source:
            path = source.document.path  # without links
        if path not in project.sources:
            self.unread[path] = files.describe_unread(path)
            return None
        # It is a bibliography because a manuscript names it as one, or by its kind.
        whole = path in project.bibliographies or project.sources[path].language.bibliography is not None
        places = tuple(it for it in _list_places(project, path if whole else "") if _mark_entry(it) not in asked_about)
        asked_about.update(map(_mark_entry, places))
        return Target(project, path, places, whole, notes=tuple(_tell_outdated_lists(files, project)))


def _is_idle(source: "Source") -> bool:
    """Return True for a LaTeX file in which nothing can be found, such as a drawing: it neither cites nor names files.

    A folder may have thousands of these, and building a project for each would take long.
    """
    is_latex = source.language.search == "kpathsea"  # by which TeX searches for files
    # Idle documents are counted as manuscripts that were read, and a package is none.
    if not is_latex or is_package(source.document.path):
        return False
    syntax_of = source.syntax
    names_or_cites = (
        syntax_of.citations
        or syntax_of.links
        or syntax_of.placeholders
        or syntax_of.suppressions  # comments that silence findings
        or syntax_of.signs  # commands that tell who reads its bibliographies
        or syntax_of.root  # the main document that it says it is a part of
    )
    is_bibliography = syntax_of.entries is not None
    # True of a main document, and of a file that has macros we cannot read, writes files, or was not read whole.
    may_say_more = syntax_of.is_root or syntax_of.opaque or syntax_of.written or syntax_of.reduced
    return not (names_or_cites or is_bibliography or may_say_more)


def _tell_outdated_lists(files: DiskFiles, project: "Project") -> Iterator[Note]:
    """Yield a note about each compiled list (.bbl) that lacks some of the keys cited by now.

    A manuscript submitted with it would print question marks.  Compiled lists are those of BibTeX or biber beside a
    main document; `files` reads them.  One that is a part of the project is left out: its entries are checked anyway.
    """
    for path in _main_documents(project):
        compiled = files.read(link_paths.compiled(path))
        if compiled is None or compiled.document.path in project.sources:
            continue
        # A key that no bibliography has is another finding: to compile the list anew would not bring it.
        cited = {key for key in project.cited if project.defines(key)}
        lacking = cited.difference(compiled.keys)
        # A list without any key that is cited belongs to something else.
        is_of_this_manuscript = len(lacking) < len(cited)
        if lacking and is_of_this_manuscript:
            text = "it was compiled before {keys} of the manuscript; run BibTeX or biber before you submit it"
            yield Note(compiled.document.path, text, len(lacking))


def _main_documents(project: "Project") -> Iterator[str]:
    """Yield the main documents in LaTeX, which alone has compiled lists."""
    for source in project.parts:
        if source.syntax.is_root and source.language.search == "kpathsea":
            yield source.document.path


def _list_places(project: "Project", bibliography: str) -> Iterator["Place"]:
    """Yield all entries of the bibliography at this path; if it is "", the entries that the manuscript cites.

    Lines of a printed list count as cited: they have no keys to be cited by.
    """
    for place in project.entries():
        if bibliography:
            if place.source.document.path == bibliography:
                yield place
        elif project.cites_all or project.cites(place.node.key) or place.node.kind == "reference":
            yield place


def _mark_entry(place: "Place") -> _EntryMark:
    return place.source.document.path, place.index


def _list_documents(named: Path, files: DiskFiles) -> Sequence[str]:
    """List the documents to check: a named file itself; of a folder its manuscripts, then all bibliographies in it.

    The order matters: through a manuscript only the entries of its bibliography that it cites are looked at.  Hidden
    files are none, as macOS leaves a `._refs.bib` without entries on other systems' disks.
    """
    if not named.is_dir():
        return [str(named)]
    bibliographies: list[Path] = []
    for folder in LocalDisk().list_folders(str(named), _DEPTH):
        visible = (it for it in sorted(Path(folder).iterdir()) if not it.name.startswith("."))
        bibliographies += filter(_is_bibliography, visible)
    # Read what a link leads to by its own path first, so that `files` knows all links to it under this path.
    for path in bibliographies:
        if path.is_symlink():
            real = Path(os.path.realpath(path))
            if real.is_relative_to(named):
                files.read(str(real))
    # `files` are those of the whole workspace, which `named` may be a folder of.
    manuscripts = [it for it in files.manuscripts() if Path(it).is_relative_to(named)]
    return [*manuscripts, *map(str, bibliographies)]


def _is_bibliography(path: Path) -> bool:
    """Return True if it is one by its name, or, if other kinds share the ending, by its first bytes."""
    bibliography = languages.language_of_path(path.name).bibliography
    # Manuscripts may hold entries of their own, and are found as manuscripts.  JSON, YAML and Python may as well be
    # settings (`declare_beside`).
    if bibliography is None or bibliography.declare_beside or path.is_dir():
        return False
    return bibliography.begins is None or bibliography.begins(_read_beginning(path))


def _read_beginning(path: Path) -> str:
    try:
        return regular_files.read(path, _HEAD).decode(errors="replace")
    except OSError:
        return ""


def unreadable(path: Path) -> bool:
    """Return True for a file of a kind that is never read, or with neither entries nor the name of a bibliography.

    False for a file whose ending alone makes it a manuscript or a bibliography, whatever is in it; for a folder, or
    if there is no such file; and for a file of another kind that may be read, such as JSON, if it is empty, is no text
    or cannot be opened.
    """
    language = languages.language_of_path(path.name)
    if language.by_ending or language.manuscript or not path.is_file():
        return False
    if language is languages.OTHER:
        return True
    data = LocalDisk().load(str(path))
    decoded = decode(data) if data else None
    if decoded is None:  # its kind is right, and whoever reads it says what else is wrong
        return False
    parsed = syntax.parse(Document(str(path), decoded.text, language.name))
    return not (parsed.entries or parsed.links)


def unread_kinds(paths: Iterable[Path]) -> str:
    """Write the sentences about named files that are `unreadable`.

    If one of them is of a kind that is never read, the kinds that are read are listed.
    """
    without_references: list[str] = []  # their endings promise what is not in them
    of_other_kinds: list[str] = []
    for path in paths:
        is_of_known_kind = languages.language_of_path(path.name).title or is_manuscript(str(path))
        names = without_references if is_of_known_kind else of_other_kinds
        names.append(show_on_one_line(str(path)))
    sentences = []
    if without_references:
        listed = ", ".join(without_references)
        sentences.append(f"{listed}: citelsp finds no bibliography there, nor anything that names one")
    if of_other_kinds:
        listed = ", ".join(of_other_kinds)
        sentences.append(f"{listed}: citelsp does not read this kind of file. It reads {_list_kinds()}")
    return ". ".join(sentences)


def _list_kinds() -> str:
    """`LaTeX (.tex, …), … and BibTeX (.bib, …)`: the kinds of files that are read, with their endings."""
    kinds = []
    for language in languages.ALL:
        if language.title:  # Python has none: of its files only Sphinx's settings are read
            # One kind has no endings of its own: lists of references, which are read from papers with these endings.
            endings = [f".{ending}" for ending in language.endings] or ENDINGS
            kinds.append(f"{language.title} ({', '.join(endings)})")
    return enumerate_names(kinds)
