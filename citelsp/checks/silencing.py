"""Which comments silence a finding."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate

from citelsp.checks.finding import Finding
from citelsp.syntax.nodes import Suppression
from citelsp.workspace.project import Project

Silenced = dict[tuple[str, Suppression], set[str]]  # path and comment → the codes it silenced


def split(project: Project, found: Iterable[Finding]) -> tuple[list[Finding], list[Finding], Silenced]:
    """The findings that no comment silences, the others, and what the comments silence."""
    comments: dict[str, _Comments] = {}
    silenced: Silenced = defaultdict(set)
    reported: list[Finding] = []
    rest: list[Finding] = []
    for finding in found:
        if finding.path not in comments:
            source = project.sources.get(finding.path)
            comments[finding.path] = _Comments(source.syntax.suppressions if source else ())
        hits = [at for at in comments[finding.path].at(finding.span.start) if not at.codes or finding.code in at.codes]
        for comment in hits:
            silenced[finding.path, comment].add(finding.code)
        (rest if hits else reported).append(finding)
    return reported, rest, silenced


class _Comments:
    """The comments of one document by what they cover, as there may be as many as findings."""

    def __init__(self, comments: Iterable[Suppression]) -> None:
        self._comments = sorted(comments, key=lambda it: it.covers)
        self._starts = [it.covers.start for it in self._comments]
        self._furthest = list(accumulate((it.covers.end for it in self._comments), max))

    def at(self, offset: int) -> Iterator[Suppression]:
        index = bisect_right(self._starts, offset)
        while index > 0 and self._furthest[index - 1] >= offset:
            index -= 1
            if self._comments[index].covers.touches(offset):
                yield self._comments[index]
