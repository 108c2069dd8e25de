"""All that is said of the example of each finding's page, and as it was when it was last read.

python tests/support/whole_findings.py     writes tests/checks/whole_findings.txt anew; read what changed in it
"""

from pathlib import Path

import page_examples
from citelsp.base import pages
from citelsp.base.text import apply
from citelsp.checks import ALL

RECORDED = Path(__file__).parent.parent / "checks" / "whole_findings.txt"


def described(code):
    marked, findings = page_examples.whole(pages.read(pages.of_finding(code)), code)
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


def recorded():
    parts = RECORDED.read_text(encoding="utf-8").removeprefix("## ").split("\n## ")
    return {code: text.rstrip("\n") for code, _, text in (it.partition("\n") for it in parts)}


if __name__ == "__main__":
    RECORDED.write_text("\n".join(f"## {it.code}\n{described(it.code)}\n" for it in ALL), encoding="utf-8")
