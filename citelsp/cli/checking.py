"""One run of `citelsp check`: targets → verdicts → findings, and again after each round of fixes."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp import checks
from citelsp.base.text import is_package, quoted
from citelsp.bibliography.datamodel import meaning
from citelsp.checks import contradicted_claim, overclaimed, profiles, unused_entry
from citelsp.checks.finding import Finding, Note
from citelsp.cli import baseline, left_out, verify_online
from citelsp.cli.check_report import UNASKED, Checked, merge_notes, shown
from citelsp.cli.fix import Mending, Refusal
from citelsp.cli.switched_off import Hidden
from citelsp.knowledge import Knowledge
from citelsp.received.inputs import Received
from citelsp.syntax.formats.items import ReferenceItem
from citelsp.workspace import claims

if TYPE_CHECKING:
    from citelsp.checks.finding import Safety
    from citelsp.cli.check_links import LinkAsking
    from citelsp.cli.judge_claims import Judging
    from citelsp.cli.since import Before
    from citelsp.cli.targets import Target, Workplace
    from citelsp.cli.verify_online import ServiceFailure
    from citelsp.sources.ask_services import Sources
    from citelsp.workspace.claims import Claim
    from citelsp.workspace.project import Place, Project

_ROUNDS = 4  # of fixing, as one fix may make room for another


@dataclass(frozen=True, slots=True)
class Extent:
    """How much was read: documents with their citations, bibliographies with the entries looked at, of all."""

    manuscripts: int = 0
    citations: int = 0
    bibliographies: int = 0
    entries: int = 0
    of: int = 0
    cut: bool = False  # a bibliography has more, which were not read
    received: int = 0  # of the bibliographies, lists of papers that are no files of a project


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What was found, and what was not."""

    targets: Sequence["Target"]
    checked: Sequence[Checked]
    unread: Sequence[str]
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

    def problems(self) -> list[str]:
        """What kept the check from finishing, in sentences."""
        lost = [paper for paper in self.received if paper.problem or not self._has_entries(paper)]
        unread = [f"{quoted(it.name)} {it.problem or 'holds no reference that was found'}" for it in lost]
        unread += [
            f"{shown(path)} could not be read: it is too large, is not text, or cannot be opened"
            for path in self.unread
        ]
        failure = str(self.failure) if self.failure else ""
        others = filter(None, [failure, self.unjudged, self.unasked, self.stopped])
        return [*unread, *self.unreadable, *map(_empty, self._empty()), *others]

    def unread_sentence(self) -> str:
        """What stands in the place of "No findings" if nothing could be read of what was named; "" if something was."""
        if any(one.findings for one in self.checked):
            return ""
        if not any(it.places for it in self.targets) and any(not self._has_entries(it) for it in self.received):
            return "Nothing was checked"
        if self.unread and not self.targets:
            return "Nothing was checked"
        if self.unread or self.unreadable:
            return "No findings in what could be read"
        return "Nothing was looked up" if self._only_unasked_references() else ""

    def _only_unasked_references(self) -> bool:
        """True for printed lists that no service was asked about: of them nothing else can be found out."""
        verdicts = [verdict for one in self.checked for _, verdict in one.verdicts()]
        printed = all(isinstance(place.node, ReferenceItem) for target in self.targets for place in target.places)
        return bool(verdicts) and printed and all(it == UNASKED for it in verdicts)

    def _has_entries(self, paper: Received) -> bool:
        return any(it.places for it in self.targets if it.path in paper.texts)

    def _empty(self) -> list[Path]:
        """The folders named in which there is nothing to look at; a path that is mistyped must not pass."""
        found = [Path(it) for it in (*(it.path for it in self.targets), *self.unread, *self.idle)]
        return [folder for folder in self.folders if not any(it.is_relative_to(folder) for it in found)]

    def notes(self) -> list[str]:
        """What was not looked at and why."""
        every: dict[Note, None] = {}  # each once, in their order
        for target in self.targets:
            every |= dict.fromkeys([*checks.notes(target.project), *target.notes])
        every |= dict.fromkeys(left_out.notes(self.folders))
        # Of what is looked at whole, nothing that a manuscript leaves out is left out.
        whole = {it.path for it in self.targets if it.whole}
        notes = [it for it in every if it.path not in whole]
        merged = merge_notes(it for it in notes if it.text != unused_entry.SHARED or it.path not in self.shared)
        received = [f"{quoted(paper.name)}: {note}" for paper in self.received for note in paper.notes]
        return [*self.hidden, *received, *merged]

    def extent(self) -> Extent:
        """Each document counted once, however many projects share it."""
        citations: dict[str, int] = {}  # of each document of a manuscript
        judged: dict[str, set[int]] = defaultdict(set)  # of each bibliography, the entries that are looked at
        entries: dict[str, int] = {}
        bibliographies: set[str] = set()
        for project in (it.project for it in self.targets):
            for part in project.parts:
                if not is_package(part.document.path):
                    citations[part.document.path] = len(part.syntax.citations)
            for source in project.defining:
                judged[source.document.path].update(project.judged(source))
                entries[source.document.path] = len(source.syntax.entries or ())
            bibliographies.update(project.bibliographies)
        received = {path for paper in self.received for path in paper.texts}
        return Extent(
            len(citations.keys() | self.idle),
            sum(citations.values()),
            len(bibliographies),
            sum(map(len, judged.values())),
            sum(entries.values()),
            cut=any(it.project.cut for it in self.targets),
            received=len(bibliographies & received),
        )

    def is_serious(self) -> bool:
        return any(it.severity in ("error", "warning") for one in self.checked for it in one.findings)


def _unreadable(targets: Sequence["Target"]) -> Iterator[str]:
    """A sentence for each list of references of which some say nothing that is understood."""
    for target in targets:
        if mute := sum(_is_mute(it) for it in target.places):
            yield f"{mute} of {len(target.places)} references in {shown(target.path)} could not be read"


def _is_mute(place: "Place") -> bool:
    """True for a printed reference in which neither a title, an identifier nor a place in a journal was found."""
    if not isinstance(place.node, ReferenceItem):
        return False
    entry = place.entry
    return not (entry.title or entry.identifiers or entry.text("volume") or entry.text("url"))


def _stopped(checked: Sequence[Checked]) -> str:
    left = sum(verdict == UNASKED for one in checked for _, verdict in one.verdicts())
    entries = "1 entry was" if left == 1 else f"{left:,} entries were"
    return f"interrupted: {entries} not looked up; the next run goes on from here"


def _empty(folder: Path) -> str:
    return f"{shown(str(folder))} holds no manuscript or bibliography"


@dataclass
class Checking:
    """Keeps what was learnt between rounds."""

    workplace: "Workplace"
    sources: "Sources | None"  # None: offline
    before: "Before | None" = None  # only what changed since
    known: Collection[str] = ()  # identities of findings that are not reported
    base: Path = field(default_factory=Path.cwd)  # of the paths in those identities
    only: str = ""  # the profile that the report is narrowed to
    judging: "Judging | None" = None
    links: "LinkAsking | None" = None
    untrusted: bool = False  # the folder's comments silence nothing
    hidden: Hidden = field(default_factory=Hidden)
    knowledge: Knowledge = field(default_factory=Knowledge)
    stoppable: bool = False  # Ctrl-C ends the questions, and what is known is reported
    is_stopped: bool = False

    async def check(self) -> CheckOutcome:
        targets = [self._narrowed(it) for it in self.workplace.targets()]
        places = [place for target in targets for place in target.places]
        self.knowledge = await self._learnt(places)
        if self.judging:
            for one in targets:
                self.knowledge = await self.judging.learnt(one.project, list(self._claims(one)), self.knowledge)
        if self.links and not self.is_stopped:
            self.knowledge = await self.links.learnt(targets, self.knowledge)
        reported: set[object] = set()
        self.hidden = Hidden()
        checked = [self._findings(it, reported) for it in targets]
        shared = [] if self.only else list(self.workplace.shared(targets))
        checked += [self._unused(it, reported) for it in shared]
        if self.known:
            checked = baseline.fresh(checked, self.known, self.base)
        failure = None
        if self.sources and verify_online.asks(self.sources.settings):
            failure = verify_online.failure(checked, self.sources.settings)
        unjudged = self.judging.problem() if self.judging else ""
        unread = list(self.workplace.unread)
        searched = frozenset(it.subject for it in shared)
        folders = self.workplace.folders()
        idle = frozenset(self.workplace.idle)
        unasked = self._unasked(checked)
        received = self.workplace.received
        outcome = CheckOutcome(targets, checked, unread, failure, unjudged, folders, searched, idle, unasked, received)
        stopped = _stopped(checked) if self.is_stopped else ""
        unreadable = tuple(_unreadable(targets))
        return replace(outcome, hidden=self.hidden.notes(), stopped=stopped, unreadable=unreadable)

    def _unasked(self, checked: Sequence[Checked]) -> str:
        """Why a report of identities says nothing of some entries; what was interrupted says so itself."""
        verdicts = [verdict for one in checked for _, verdict in one.verdicts()]
        left = verdicts.count(UNASKED)
        if not self.only or not left or self.is_stopped:
            return ""
        if left == len(verdicts):
            return f"no service was asked and no answer is cached, so --only {self.only} checked nothing"
        return f"{left:,} of {len(verdicts):,} entries were not looked up, and --only {self.only} says nothing of them"

    async def _learnt(self, places: Sequence["Place"]) -> Knowledge:
        if self.sources is None:
            return verify_online.recalled(places, self.knowledge)
        try:
            return await verify_online.learnt(places, self.sources, self.knowledge, stoppable=self.stoppable)
        except verify_online.StoppedError as stopped:
            self.is_stopped = True
            return stopped.knowledge

    async def mend(self, outcome: CheckOutcome, level: "Safety") -> tuple[CheckOutcome, Mending]:
        """The outcome after the fixes, which stand in the workplace's texts only until `Mending.write`."""
        mending = Mending(level)
        for _ in range(_ROUNDS):
            changed = mending.apply(outcome.checked, self._refusal(outcome))
            if not changed:
                break
            for path in changed:
                self.workplace.hold(path, mending.texts[path])
            outcome = await self.check()
        return outcome, mending

    def fixable(self, outcome: CheckOutcome) -> Counter[tuple["Safety", str]]:
        """How many fixes there are to apply now, by their safety and the code of their findings."""
        return Mending("review").count(outcome.checked, self._refusal(outcome))

    def _refusal(self, outcome: CheckOutcome) -> Refusal:
        def refusal(path: str) -> str:
            named = any(self.workplace.may_write(path, it) for it in outcome.targets)
            return "" if named else "you named neither it nor its folder"

        return refusal

    def _narrowed(self, target: "Target") -> "Target":
        before = self.before
        if before is None:
            return target
        return replace(target, places=tuple(it for it in target.places if before.changed(it)))

    def _claims(self, target: "Target") -> Iterator["Claim"]:
        """Those of which a contradiction or an exaggeration would be reported."""
        severity = target.project.settings.checks.severity
        if all(severity.get(it) == "off" for it in (contradicted_claim.CODE, overclaimed.CODE)):
            return
        for claim in claims.find_claims(target.project):
            finding = contradicted_claim.finding(claim)
            brought = self.before is None or self.before.brings(target.project, finding)
            if brought and target.concerns(finding):
                yield claim

    def _findings(self, target: "Target", reported: set[object]) -> Checked:
        """Those that concern the target; each once, though several projects share a bibliography."""
        codes = profiles.CODES.get(self.only)
        report = checks.report(target.project, self.knowledge, codes=codes, heeds_comments=not self.untrusted)
        self.hidden.by_comments += self._fresh(target, report.silenced, reported)
        fresh = self._fresh(target, report.findings, reported)
        less = self.workplace.switched_off(target.project)
        if less:
            hidden = self.hidden.by_settings.setdefault(less.origin, [])
            hidden += [it for it in fresh if it.code in less.codes]
            off = less.off & codes if codes else less.off
            if off:
                # What these settings switch off is looked for with those of the user, and counted.
                project = replace(target.project, settings=less.user)
                hidden += self._fresh(target, checks.run(project, self.knowledge, codes=off), reported)
        knowledge = profiles.without_fields(self.knowledge) if self.only else self.knowledge
        return Checked(target.project, knowledge, fresh, target.places)

    def _fresh(self, target: "Target", found: Iterable[Finding], reported: set[object]) -> list[Finding]:
        """Those that concern the target, and are not among those reported already."""
        concerned = (it for it in found if target.concerns(it))
        return self._once(target.project, concerned, reported)

    def _once(self, project: "Project", found: Iterable[Finding], reported: set[object]) -> list[Finding]:
        """Those that were not reported already; and that a change brings, if only these are asked for."""
        fresh = []
        for finding in found:
            mark = (finding.code, finding.path, finding.span, finding.key, meaning(finding.field or ""))
            if mark not in reported and (self.before is None or self.before.brings(project, finding)):
                fresh.append(finding)
                reported.add(mark)
        return fresh

    def _unused(self, project: "Project", reported: set[object]) -> Checked:
        """Of a bibliography that several targets share, what none of them cites."""
        where = {project.subject}
        heeds = not self.untrusted
        found = checks.report(project, self.knowledge, where, {unused_entry.CODE}, heeds_comments=heeds).findings
        return Checked(project, self.knowledge, self._once(project, found, reported), ())
