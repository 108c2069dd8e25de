"""Which finding is the same one in another run: by what it says of what, never by its place."""

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from citelsp.checks.finding import Finding
from citelsp.cli.report_parts import Checked, show_path


def identities(checked: Sequence[Checked], base: Path) -> Iterator[tuple[Finding, str]]:
    """Each finding with its identity, paths counted from `base`; equal ones are numbered in their order."""
    occurrences: Counter[str] = Counter()
    for of_project in checked:
        for finding in of_project.findings:
            digest = _hash_finding(finding, _read_written(of_project, finding), base)
            occurrences[digest] += 1
            yield finding, f"{digest}:{occurrences[digest]}"


def _read_written(checked: Checked, finding: Finding) -> str:
    """What stands at the finding's place, spaces collapsed."""
    source = checked.project.sources.get(finding.path)
    return " ".join(finding.span.within(source.document.text).split()) if source else ""


def _hash_finding(finding: Finding, written: str, base: Path) -> str:
    parts = (finding.code, show_path(finding.path, base), finding.key or "", finding.field or "", written)
    return blake2b("\x1f".join(parts).encode(errors="replace"), digest_size=12).hexdigest()
