"""Which comments silence a finding."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from citelsp.checks.finding import Finding
from citelsp.syntax.nodes import Suppression
from citelsp.workspace.project import Project

Silenced = dict[tuple[str, Suppression], set[str]]  # path and comment → the codes it silenced


class Split(NamedTuple):
    reported: list[Finding]
    silenced: list[Finding]
    by_comment: Silenced


def split(project: Project, findings: Iterable[Finding]) -> Split:
    """Part the findings by whether a comment silences them; say of each comment which codes it silenced.

    A comment silences findings that begin in the text that it covers: those of its codes, or all if it names none.
    """
    comments: dict[str, _Comments] = {}  # by path
    by_comment: Silenced = defaultdict(set)
    reported: list[Finding] = []
    silenced: list[Finding] = []
    for finding in findings:
        path = finding.path
        if path not in comments:
            source = project.sources.get(path)
            comments[path] = _Comments(source.syntax.suppressions if source else ())
        covering = comments[path].at(finding.span.start)
        silencing = [it for it in covering if not it.codes or finding.code in it.codes]
        for comment in silencing:
            by_comment[path, comment].add(finding.code)
        if silencing:
            silenced.append(finding)
        else:
            reported.append(finding)
    return Split(reported, silenced, by_comment)


class _Comments:
    """The comments of one document by what they cover, as there may be as many as findings."""

    def __init__(self, comments: Iterable[Suppression]) -> None:
        self._comments = sorted(comments, key=lambda comment: comment.covers)
        self._starts = [comment.covers.start for comment in self._comments]
        # How far the comments up to each one reach: behind that none of them covers anything.
        self._furthest = list(accumulate((comment.covers.end for comment in self._comments), max))

    def at(self, offset: int) -> Iterator[Suppression]:
        """Yield the comments that cover the offset, the last one first."""
        index = bisect_right(self._starts, offset)
        while index > 0 and self._furthest[index - 1] >= offset:
            index -= 1
            if self._comments[index].covers.touches(offset):
                yield self._comments[index]
