"""Online checks on a marked-up fixture: the entries' verdicts are written in the test."""

import marks
from citelsp.base.text import apply
from citelsp.bibliography.entry import fingerprint
from citelsp.knowledge import Knowledge


def check(of, fixture, verdicts):
    """Runs one check knowing these verdicts, by key, and compares what it finds with the marks."""
    marked = marks.parse(fixture)
    project = marks.project(marked)
    known = {fingerprint(it.entry): verdicts[it.node.key] for it in project.entries() if it.node.key in verdicts}
    found = of.run(project, Knowledge(verdicts=known))
    assert sorted((it.path, it.span.start, it.span.end, it.code) for it in found) == sorted(marked.ranges)
    return found


def after(fixture, finding, number=0):
    """The text of the finding's document after one of its fixes."""
    return apply(marks.parse(fixture).files[finding.path], finding.fixes[number].edits)
