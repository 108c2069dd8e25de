"""All that is said of the example of each finding's page and of the fixtures of checks, as it was when last read.

python tests/support/whole_findings.py     writes tests/checks/whole_findings.txt anew; read what changed in it
CITELSP_RECORD=yes pytest tests/checks     writes tests/checks/fixture_findings.txt likewise; to drop what no fixture
                                           has any more, remove the file first
"""

import hashlib
import os
from pathlib import Path

import page_examples
from citelsp.base import docs
from citelsp.base.text import apply
from citelsp.checks import ALL

RECORDED = Path(__file__).parent.parent / "checks" / "whole_findings.txt"
OF_FIXTURES = RECORDED.with_name("fixture_findings.txt")


def described(code):
    marked, findings = page_examples.whole(docs.read(docs.finding_page(code)), code)
    return "\n".join(line for it in findings for line in lines(it, marked.files))


def lines(finding, files):
    """The finding with everything that it carries; of its fixes what stands there afterwards."""
    known = {"key": finding.key, "field": finding.field, "cited": finding.cited, "recorded": finding.recorded}
    place = f"{finding.path}:{finding.span.start}-{finding.span.end}"
    yield f"{place} {finding.severity}{' faded' if finding.faded else ''}: {finding.message}"
    if any(known.values()):
        yield f"  {', '.join(f'{name} {value!r}' for name, value in known.items() if value is not None)}"
    for it in finding.related:
        yield f"  related {it.path}:{it.span.start}-{it.span.end}: {it.message}"
    for fix in finding.fixes:
        yield f"  {fix.safety}: {fix.title}"
        for path in dict.fromkeys(it.path for it in fix.edits):
            after = apply(files[path], [it for it in fix.edits if it.path == path])
            yield from (f"    {line}" for line in after.splitlines() if line not in files[path].splitlines())


def compare(marked, findings):
    """With what is recorded of this fixture, if anything is: a new one is recorded when somebody reads it."""
    name = hashlib.sha256(repr(sorted(marked.files.items())).encode()).hexdigest()[:8]
    now = "\n".join(line for it in findings for line in lines(it, marked.files))
    known = recorded(OF_FIXTURES) if OF_FIXTURES.exists() else {}
    if os.environ.get("CITELSP_RECORD") and now:
        write(OF_FIXTURES, dict(sorted((known | {name: now}).items())))
    else:
        assert now == known.get(name, now), "CITELSP_RECORD=yes pytest tests/checks, and read the difference"


def recorded(path=RECORDED):
    parts = path.read_text(encoding="utf-8").removeprefix("## ").split("\n## ")
    return {name: text.rstrip("\n") for name, _, text in (it.partition("\n") for it in parts)}


def write(path, described):
    path.write_text("\n".join(f"## {name}\n{text}\n" for name, text in described.items()), encoding="utf-8")


if __name__ == "__main__":
    write(RECORDED, {it.code: described(it.code) for it in ALL})
