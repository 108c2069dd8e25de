"""What came of one run of `citelsp check`: how much was read, what was found, and what kept it from finishing."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp import checks
from citelsp.base.text import is_package, quote_name
from citelsp.checks import unused_entry
from citelsp.checks.finding import SERIOUS, Note
from citelsp.cli import left_out
from citelsp.cli.report_parts import UNASKED, Checked, merge_notes, show_on_one_line
from citelsp.received.inputs import Received
from citelsp.syntax.formats.items import ReferenceItem

if TYPE_CHECKING:
    from citelsp.cli.targets import Target
    from citelsp.cli.verify_online import ServiceFailure


@dataclass(frozen=True, slots=True)
class Extent:
    """How much was read: documents with their citations, bibliographies with the entries looked at, of all."""

    manuscripts: int = 0
    citations: int = 0
    bibliographies: int = 0
    entries: int = 0  # that were looked at
    of: int = 0  # all entries of the bibliographies
    cut: bool = False  # a bibliography has more, which were not read
    received: int = 0  # of the bibliographies, lists of papers that are no files of a project


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What was found, and what was not."""

    targets: Sequence["Target"]
    checked: Sequence[Checked]
    unread: Mapping[str, str]  # by path: the sentence of its project that says why, or ""
    failure: "ServiceFailure | None"
    unjudged: str = ""  # why claims were not judged
    folders: Sequence[Path] = ()  # that were named
    shared: frozenset[str] = frozenset()  # bibliographies of several targets, searched for what none of them cites
    idle: frozenset[str] = frozenset()  # documents in which nothing could be found
    unasked: str = ""  # why a report of identities says nothing of them
    received: Sequence[Received] = ()  # papers that are no files of a project
    hidden: Sequence[str] = ()  # what folders keep from being reported, in sentences
    stopped: str = ""  # how many entries were not looked up, as somebody stopped it
    unreadable: Sequence[str] = ()  # of which lists references could not be read, in sentences
    since: bool = False  # only what changed since a revision was looked at

    def changed(self) -> int | None:
        """Count the entries that changed since the revision; None if no revision was named."""
        return sum(len(target.places) for target in self.targets) if self.since else None

    def problems(self) -> list[str]:
        """Say in sentences what kept the check from finishing; an empty list if it finished.

        First papers that could not be read or have no references, then files that could not be read, lists with
        references that could not be, folders without any file to check, services that failed, claims that were not
        judged, and entries that were not looked up, in a report of identities (`unasked`) or after an interruption.
        """
        without_entries = [paper for paper in self.received if paper.problem or not self._has_entries(paper)]
        problems = [
            f"{quote_name(paper.name)} {paper.problem or 'holds no reference that was found'}"
            for paper in without_entries
        ]
        problems += [_tell_unread(path, why) for path, why in self.unread.items()]
        problems += self.unreadable
        problems += [
            f"{show_on_one_line(str(folder))} holds no manuscript or bibliography"
            for folder in self._find_empty_folders()
        ]
        failure = str(self.failure) if self.failure else ""
        problems += filter(None, [failure, self.unjudged, self.unasked, self.stopped])
        return problems

    def unread_sentence(self) -> str:
        """Return the words to print instead of "No findings" if what was named could not be read or looked up.

        "" if there are findings to print, or if "No findings" is true of all that was named.  One of several papers
        that was read and has no references changes nothing here: `problems` tells of it.
        """
        if any(of_project.findings for of_project in self.checked):
            return ""
        # A paper in which no reference was found may be a target all the same; a file that was not read never is one.
        are_without_entries = not any(target.places for target in self.targets)
        lacks_list = any(not self._has_entries(paper) for paper in self.received)
        holds_nothing = not self.targets and bool(self.unread or self._find_empty_folders())
        if (lacks_list and are_without_entries) or holds_nothing:
            return "Nothing was checked"
        lacks_paper = any(paper.problem for paper in self.received)
        if self.unread or self.unreadable or lacks_paper or self._find_empty_folders():
            return "No findings in what could be read"
        return "Nothing was looked up" if self._only_unasked_references() else ""

    def _only_unasked_references(self) -> bool:
        """Return True for printed lists that no service was asked about: of them nothing else can be found out."""
        verdicts = [verdict for of_project in self.checked for _, verdict in of_project.verdicts()]
        printed = all(isinstance(place.node, ReferenceItem) for target in self.targets for place in target.places)
        return bool(verdicts) and printed and all(it == UNASKED for it in verdicts)

    def _has_entries(self, paper: Received) -> bool:
        return any(it.places for it in self.targets if it.path in paper.texts)

    def _find_empty_folders(self) -> list[Path]:
        """Return the folders named in which there is nothing to look at; a path that is mistyped must not pass."""
        seen = [Path(path) for path in (*(it.path for it in self.targets), *self.unread, *self.idle)]
        return [folder for folder in self.folders if not any(it.is_relative_to(folder) for it in seen)]

    def notes(self) -> list[str]:
        """Say in sentences what was not looked at and why, each once, and what folders keep from being reported."""
        whole = {target.path for target in self.targets if target.whole}
        unmerged: dict[Note, None] = {}  # a set that keeps its order
        for target in self.targets:
            for note in (*checks.notes(target.project), *target.notes):
                # A manuscript's project cannot tell what nobody cites in a bibliography that others share; that of
                # the bibliography can, if it is a target itself, or searched as `shared`: then nothing is left out.
                is_other_target = note.path in whole and note.path != target.path
                is_searched = is_other_target or note.path in self.shared
                is_problem = note.text in self.unread.values()  # which `problems` says
                if not is_problem and (note.text != unused_entry.SHARED or not is_searched):
                    unmerged[note] = None
        unmerged |= dict.fromkeys(left_out.notes(self.folders))  # of what lies there and is never read
        of_papers = [f"{quote_name(paper.name)}: {note}" for paper in self.received for note in paper.notes]
        return [*self.hidden, *of_papers, *merge_notes(list(unmerged))]

    def extent(self) -> Extent:
        """Count what was read; each document counts once, however many projects share it.

        Documents of a folder in which nothing could be found, such as drawings, count as manuscripts (`idle`).
        """
        citations: dict[str, int] = {}  # path of a manuscript's document → how many it has
        # Path of a bibliography → indexes of the entries looked at, which may be those that a manuscript cites.
        judged: dict[str, set[int]] = defaultdict(set)
        entries: dict[str, int] = {}  # path of a bibliography → how many it has
        bibliographies: set[str] = set()
        for project in (it.project for it in self.targets):
            cited = Counter(source.document.path for source, _ in project.citations())
            for part in project.parts:
                if not is_package(part.document.path):  # .sty and .cls are no manuscripts
                    citations[part.document.path] = cited[part.document.path]
            # Sources that hold entries: bibliographies, and manuscripts with entries of their own.
            for source in project.defining:
                judged[source.document.path].update(project.judged(source))
                entries[source.document.path] = len(source.syntax.entries or ())
            bibliographies.update(project.bibliographies)
        received = {path for paper in self.received for path in paper.texts}
        return Extent(
            manuscripts=len(citations.keys() | self.idle),
            citations=sum(citations.values()),
            bibliographies=len(bibliographies),
            entries=sum(map(len, judged.values())),
            of=sum(entries.values()),
            cut=any(it.project.cut for it in self.targets),
            received=len(bibliographies & received),
        )

    def is_serious(self) -> bool:
        """Return True if there is a finding by which the command fails."""
        findings = [it for of_project in self.checked for it in of_project.findings]
        return any(it.severity in SERIOUS for it in findings)


def _tell_unread(path: str, why: str) -> str:
    """Say that a file could not be read; `why` is the sentence of its project, which names it by its whole path."""
    name = show_on_one_line(path)
    if why:
        return name + why.removeprefix(path).removesuffix(".")
    return f"{name} could not be read"
