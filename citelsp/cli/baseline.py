"""`--baseline FILE`: the findings that were there before, so that only new ones are reported."""

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import named_files
from citelsp.cli.check_report import named
from citelsp.cli.identity import identities

if TYPE_CHECKING:
    from citelsp.cli.check_report import Checked

_VERSION = 1
_LARGEST = 100_000_000  # bytes


class BaselineError(Exception):
    """The file is missing or no baseline; says so."""


def read(path: Path) -> frozenset[str]:
    """The identities in a baseline."""
    try:
        raw = json.loads(named_files.read_bytes(path, _LARGEST))
    except FileNotFoundError as problem:
        raise BaselineError(f"there is no baseline {path}; create one with --write-baseline") from problem
    except (named_files.FileProblem, ValueError, RecursionError) as problem:
        raise BaselineError(f"{path} is not a baseline: {problem}") from problem
    if not isinstance(raw, dict) or raw.get("version") != _VERSION or not isinstance(raw.get("findings"), list):
        raise BaselineError(f"{path} is not a baseline of version {_VERSION}")
    return frozenset(str(it.get("id")) for it in raw["findings"] if isinstance(it, dict))


def write(path: Path, checked: Sequence["Checked"]) -> int:
    """A line for each finding, sorted, so that a change of the file can be read; how many there are.  FileProblem."""
    base = path.absolute().parent
    rows = sorted(
        json.dumps(
            {
                "code": finding.code,
                "path": named(finding.path, base),
                "key": finding.key or None,
                "field": finding.field,
                "id": mark,
            },
            ensure_ascii=False,
        )
        for finding, mark in identities(checked, base)
    )
    body = ",\n".join(f"  {row}" for row in rows)
    before = named_files.read_bytes(path, _LARGEST) if path.exists() else None
    named_files.rewrite(path, before, f'{{"version": {_VERSION}, "findings": [\n{body}\n]}}\n'.encode())
    return len(rows)


def fresh(checked: Sequence["Checked"], known: Collection[str], base: Path) -> list["Checked"]:
    """What is checked, with the findings that are not known."""
    new = {id(finding) for finding, mark in identities(checked, base) if mark not in known}
    return [replace(it, findings=[found for found in it.findings if id(found) in new]) for it in checked]
