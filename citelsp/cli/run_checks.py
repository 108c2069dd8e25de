"""One run of `citelsp check`: targets → verdicts → findings, and again after each round of fixes."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp import checks
from citelsp.base.text import Span, write_count
from citelsp.bibliography.datamodel import common_name
from citelsp.checks import contradicted_claim, overclaimed, profiles, unused_entry
from citelsp.checks.finding import Finding
from citelsp.cli import baseline, verify_online
from citelsp.cli.check_outcome import CheckOutcome
from citelsp.cli.fix import Mending, Refusal
from citelsp.cli.report_parts import UNASKED, Checked, show_on_one_line
from citelsp.cli.switched_off import Hidden
from citelsp.knowledge import Knowledge
from citelsp.syntax.formats import printed_references
from citelsp.syntax.formats.items import ReferenceItem
from citelsp.workspace import cited_claims

if TYPE_CHECKING:
    from citelsp.checks.finding import Safety
    from citelsp.cli.check_links import LinkAsking
    from citelsp.cli.judge_claims import Judging
    from citelsp.cli.since import Before
    from citelsp.cli.targets import Target, Workplace
    from citelsp.sources.ask_services import Sources
    from citelsp.workspace.cited_claims import Claim
    from citelsp.workspace.project import Place, Project

_MOST_ROUNDS = 4  # of fixing, as one fix may make room for another
# Code, path, span, key and field of a finding: two with the same mark are one, met in two projects.
_Mark = tuple[str, str, Span, str | None, str]


def _tell_unreadable(targets: Sequence["Target"]) -> Iterator[str]:
    """Yield a sentence for each list with references that could not be read."""
    for target in targets:
        mute = sum(_is_mute(place) for place in target.places)
        if mute:
            references = write_count(len(target.places), "reference")
            yield f"{mute} of {references} in {show_on_one_line(target.path)} could not be read"


def _is_mute(place: "Place") -> bool:
    """Return True for a printed reference in which no title, identifier or place in a journal was found.

    False for a footnote, in which it is no reference but a remark.
    """
    if not isinstance(place.node, ReferenceItem) or printed_references.is_footnote(place.node.source):
        return False
    entry = place.entry
    return not (entry.title or entry.identifiers or entry.text("volume") or entry.text("url"))


def _tell_stopped(checked: Sequence[Checked]) -> str:
    unasked = sum(verdict == UNASKED for of_project in checked for _, verdict in of_project.verdicts())
    entries = write_count(unasked, "entry was", "entries were")
    return f"interrupted: {entries} not looked up; the next run goes on from here"


@dataclass
class Checking:
    """A check and its rounds: what is asked for, and what was learnt so far, which the next round begins with."""

    workplace: "Workplace"
    sources: "Sources | None"  # None: offline
    before: "Before | None" = None  # only what changed since
    known: Collection[str] = ()  # identities of findings that are not reported, as a baseline has them
    base: Path = field(default_factory=Path.cwd)  # of the paths in those identities
    only: str = ""  # the profile that the report is narrowed to
    judging: "Judging | None" = None  # asks a model about claims
    links: "LinkAsking | None" = None  # asks servers whether links still lead somewhere
    untrusted: bool = False  # the folder's comments silence nothing
    hidden: Hidden = field(default_factory=Hidden)  # what the last round found and does not report
    knowledge: Knowledge = field(default_factory=Knowledge)
    stoppable: bool = False  # Ctrl-C ends the questions, and what is known is reported
    is_stopped: bool = False

    async def check(self) -> CheckOutcome:
        """Read what was named, look its entries up as far as is allowed, and run the checks.

        Afterwards `knowledge` has what was learnt, and `hidden` what the folder keeps from being reported.
        """
        targets = [self._only_changed_entries(it) for it in self.workplace.targets()]
        await self._learn_about(targets)
        # A bibliography of several targets is searched once more, for entries that none of them cites; but `--only`
        # asks for a report of identities, and who cites an entry is no matter of that.
        shared = [] if self.only else list(self.workplace.shared(targets))
        checked = self._check_everything(targets, shared)
        failure = None
        # `sources` alone do not say that anybody was asked: lookups, too, heed the settings.
        if self.sources and verify_online.asks(self.sources.settings):
            failure = verify_online.failure(checked, self.sources.settings)
        return CheckOutcome(
            targets=targets,
            checked=checked,
            unread=dict(self.workplace.unread),
            failure=failure,
            unjudged=self.judging.problem() if self.judging else "",
            folders=self.workplace.folders(),
            shared=frozenset(it.subject for it in shared),
            idle=frozenset(self.workplace.idle),
            unasked=self._tell_unasked(checked),
            received=self.workplace.received,
            hidden=self.hidden.notes(),
            stopped=_tell_stopped(checked) if self.is_stopped else "",
            unreadable=tuple(_tell_unreadable(targets)),
            since=self.before is not None,
        )

    def _check_everything(self, targets: Sequence["Target"], shared: Sequence["Project"]) -> list[Checked]:
        """Run the checks on the targets, then on their `shared` bibliographies; return what is to be reported of each.

        Sets `hidden` to what the folder keeps from being reported.  Findings that are `known` are left out.
        """
        self.hidden = Hidden()
        reported: set[_Mark] = set()
        checked = [self._check_target(it, reported) for it in targets]
        checked += [self._check_shared(it, reported) for it in shared]
        return baseline.fresh(checked, self.known, self.base) if self.known else checked

    def _tell_unasked(self, checked: Sequence[Checked]) -> str:
        """Say why a report of identities (`--only`) says nothing of some entries.

        "" if all were looked up, and for other reports, which say something of such entries all the same, and count
        them.  `checked`: the findings and verdicts of each project.
        """
        verdicts = [verdict for of_project in checked for _, verdict in of_project.verdicts()]
        unasked = verdicts.count(UNASKED)
        if not self.only or not unasked:
            return ""
        if self.is_stopped:
            return ""  # the sentence about the interruption says how many
        if unasked == len(verdicts):
            return f"no service was asked and no answer is cached, so --only {self.only} checked nothing"
        verb, them = ("was", "it") if unasked == 1 else ("were", "them")
        of_all = write_count(len(verdicts), "entry", "entries")
        return f"{unasked:,} of {of_all} {verb} not looked up, and --only {self.only} says nothing of {them}"

    async def _learn_about(self, targets: Sequence["Target"]) -> None:
        """Add to `knowledge` the verdicts on all entries, what a model says of claims, and what servers say of links.

        Without services (`sources` is None) the verdicts are those in the cache.  Sets `is_stopped` if somebody
        interrupts the lookups; links are not asked about then.  `targets`: what is checked, each with its entries.
        """
        places = [place for target in targets for place in target.places]
        if self.sources is None:
            self.knowledge = verify_online.add_cached_verdicts(places, self.knowledge)
        else:
            try:
                self.knowledge = await verify_online.learn_verdicts(
                    places, self.sources, self.knowledge, stoppable=self.stoppable
                )
            except verify_online.StoppedError as stopped:
                self.is_stopped = True
                self.knowledge = stopped.knowledge
        if self.judging:  # never after an interruption, which ends a run with a model: it is not `stoppable`
            for target in targets:
                claims_of_target = list(self._list_claims(target))
                self.knowledge = await self.judging.learnt(target.project, claims_of_target, self.knowledge)
        if self.links and not self.is_stopped:
            self.knowledge = await self.links.learnt(targets, self.knowledge)

    async def mend(self, outcome: CheckOutcome, level: "Safety") -> tuple[CheckOutcome, Mending]:
        """Apply fixes up to this level of safety; return the outcome of the last check, and the texts to be written.

        No file is written: the workplace holds the new texts in place of those on the disk, so that each round
        checks what the one before made.  `Mending.write` writes them.  After _MOST_ROUNDS some fixes may be left.
        """
        mending = Mending(level)
        for _ in range(_MOST_ROUNDS):
            changed = mending.apply(outcome.checked, self._make_refusal(outcome))
            if not changed:
                break
            for path in changed:
                self.workplace.hold(path, mending.texts[path])
            outcome = await self.check()
        return outcome, mending

    async def write(self, outcome: CheckOutcome, mending: Mending) -> tuple[CheckOutcome, list[str]]:
        """Write the texts of `mend`; return what is found in the files then, and the paths of those written.

        That is `outcome`, of the texts, unless a file could not be written: then it is checked again as it was.
        """
        written = mending.write()
        unwritten = [path for path in mending.changed() if path not in written]
        for path in unwritten:
            self.workplace.hold(path, mending.originals[path].text)
        return (await self.check() if unwritten else outcome), written

    def fixable(self, outcome: CheckOutcome) -> Counter[tuple["Safety", str]]:
        """Count the fixes that could be applied now, by their safety and the code of their findings."""
        return Mending("review").count(outcome.checked, self._make_refusal(outcome))

    def _make_refusal(self, outcome: CheckOutcome) -> Refusal:
        """Return a function of a path that says why its file may not be written; "" if it may."""
        of_papers = {path for paper in self.workplace.received for path in paper.texts}

        def tell_refusal(path: str) -> str:
            if path in of_papers:  # a text of standard input, of an archive, of Word, of Zotero
                return "only a copy of it was read; make the change where it comes from"
            may_write = any(self.workplace.may_write(path, target) for target in outcome.targets)
            return "" if may_write else "you named neither it nor its folder"

        return tell_refusal

    def _only_changed_entries(self, target: "Target") -> "Target":
        """Return the target with the entries that changed since the revision; as it is if none was named."""
        before = self.before
        if before is None:
            return target
        return replace(target, places=tuple(it for it in target.places if before.changed(it)))

    def _list_claims(self, target: "Target") -> Iterator["Claim"]:
        """Yield the claims to ask a model about: those whose contradiction or exaggeration would be reported.

        No claim if the settings switch both findings off.  One that is on is enough, as one verdict tells of both.
        """
        severity = target.project.settings.checks.severity
        if all(severity.get(code) == "off" for code in (contradicted_claim.CODE, overclaimed.CODE)):
            return
        for claim in cited_claims.find_claims(target.project):
            # Where it would stand decides, and both findings about a claim stand at one place.
            finding = contradicted_claim.make_finding(claim)
            is_new = self.before is None or self.before.brings(target.project, finding)
            if is_new and target.concerns(finding):
                yield claim

    def _check_target(self, target: "Target", reported: set[_Mark]) -> Checked:
        """Return the findings that concern the target, and were not reported of an earlier target.

        Two targets that share a bibliography have findings in common.  Adds to `reported` what is reported, silenced or
        switched off here, and to `self.hidden` what comments silence or the folder's settings play down.
        """
        codes = profiles.CODES.get(self.only)  # None: all
        select = partial(self._select_unreported, target, reported=reported)
        findings = self._run_checks(target.project, select, codes=codes)
        # A report of identities counts an entry as verified if it is the right work, though fields differ.
        knowledge = profiles.without_fields(self.knowledge) if self.only else self.knowledge
        return Checked(target.project, knowledge, findings=findings, places=target.places)

    def _check_shared(self, project: "Project", reported: set[_Mark]) -> Checked:
        """Report the entries of a bibliography, shared by several targets, that none of them cites.

        `project`: that of the bibliography.  It has no entries of its own to tell verdicts of: they are the targets'.
        Not called with `--only`, whose reports have no such findings (see `check`).
        Adds to `reported` and `self.hidden` as `_check_target` does.
        """
        select = partial(self._select_new, project, reported=reported)
        findings = self._run_checks(project, select, paths={project.subject}, codes={unused_entry.CODE})
        return Checked(project, self.knowledge, findings, places=())

    def _run_checks(
        self,
        project: "Project",
        select: Callable[[Iterable[Finding]], list[Finding]],
        *,
        paths: Collection[str] | None = None,
        codes: Collection[str] | None = None,
    ) -> list[Finding]:
        """Run the checks on a project; return the findings that `select` chooses.

        Adds to `self.hidden` what comments silence and what the folder's settings make less of than the user's, as far
        as `select` chooses it.  `paths` and `codes`: of the findings; None stands for all.
        """
        report = checks.report(project, self.knowledge, paths, codes, heeds_comments=not self.untrusted)
        self.hidden.by_comments += select(report.silenced)
        findings = select(report.findings)
        # None if they make less of nothing, and with --untrusted, by which they are not read.
        lowered = self.workplace.switched_off(project)
        if lowered:
            by_these_settings = self.hidden.by_settings.setdefault(lowered.origin, [])
            by_these_settings += [it for it in findings if it.code in lowered.codes]  # reported, but more mildly
            off = lowered.off.intersection(codes) if codes else lowered.off
            if off:
                # What is off is not in the report: look for it with the user's own settings, and only count it.
                project_of_user = replace(project, settings=lowered.user)
                by_these_settings += select(checks.run(project_of_user, self.knowledge, paths, off))
        return findings

    def _select_unreported(self, target: "Target", findings: Iterable[Finding], reported: set[_Mark]) -> list[Finding]:
        """Select the findings that concern the target and are not reported yet; add them to `reported`."""
        concerning = (it for it in findings if target.concerns(it))
        return self._select_new(target.project, concerning, reported)

    def _select_new(self, project: "Project", findings: Iterable[Finding], reported: set[_Mark]) -> list[Finding]:
        """Select the findings that are not reported yet; add them to `reported`.

        If a revision is named, select only those that came since.
        """
        fresh = []
        for finding in findings:
            # What makes two findings one; `year` and `date` mean the same field.
            mark = (finding.code, finding.path, finding.span, finding.key, common_name(finding.field or ""))
            is_new = self.before is None or self.before.brings(project, finding)
            if mark not in reported and is_new:
                fresh.append(finding)
                reported.add(mark)
        return fresh
