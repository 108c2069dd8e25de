"""`--baseline FILE`: the findings that were there before, so that only new ones are reported."""

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import named_files
from citelsp.cli.finding_identity import identities
from citelsp.cli.report_parts import show_path

if TYPE_CHECKING:
    from citelsp.cli.report_parts import Checked

_VERSION = 1
_FIRST_LINE = f'{{"version": {_VERSION}, "findings": ['
# How the lines of a baseline begin, also of one that git merged.
_LINES = (_FIRST_LINE, '  {"code": "', "]}", "<<<<<<<", "|||||||", "=======", ">>>>>>>")
_LARGEST = 100_000_000  # bytes


class BaselineError(Exception):
    """The file is missing or no baseline; says so."""


def folder(path: Path) -> Path:
    """Return the folder from which the paths in a baseline at `path` count, absolute and without `..`."""
    return Path(os.path.normpath(path.absolute())).parent


def read(path: Path) -> frozenset[str]:
    """Read the identities of the findings in a baseline; BaselineError if the file is missing or no such baseline.

    An identity is a hash by which a finding is known again although the text before it has changed.  What is no finding
    in the list is passed over, and one without an id matches none.
    """
    if not named_files.is_there(str(path)):
        raise BaselineError(f"there is no baseline {path}; create one with --write-baseline")
    return _parse(path, _read_bytes(path))


def read_replaceable(path: Path) -> bytes | None:
    """Return the bytes of the baseline that is to be written anew, None if there is no such file.

    BaselineError if the file is neither a baseline, as it was written or merged by git, nor empty: a manuscript may
    have been named by mistake.
    """
    if not named_files.is_there(str(path)):
        return None
    data = _read_bytes(path)
    if data.strip() and not _has_lines_of_baseline(data):
        try:
            _parse(path, data)
        except BaselineError as problem:
            raise BaselineError(f"{problem}; name another file, or remove it if it is a damaged one") from problem
    return data


def _has_lines_of_baseline(data: bytes) -> bool:
    """Return True if each line is one that `write` writes, or a mark of git between the two sides of a merge."""
    lines = data.decode(errors="replace").splitlines()
    return lines[:1] == [_FIRST_LINE] and all(line.startswith(_LINES) for line in lines if line.strip())


def _read_bytes(path: Path) -> bytes:
    try:
        return named_files.read_bytes(path, _LARGEST)
    except (FileNotFoundError, named_files.FileProblem) as problem:
        raise BaselineError(f"{path} is not a baseline: {problem}") from problem


def _parse(path: Path, data: bytes) -> frozenset[str]:
    """Return the identities in the data of the file at `path`; BaselineError if they are no baseline."""
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError) as problem:
        if _has_lines_of_baseline(data):
            raise BaselineError(f"{path} is damaged, as by a merge: write it again with --write-baseline") from problem
        raise BaselineError(f"{path} is not a baseline: {problem}") from problem
    # {"version": 1, "findings": [{"code": …, "path": …, "key": …, "field": …, "id": the identity}]}
    if not isinstance(raw, dict) or raw.get("version") != _VERSION or not isinstance(raw.get("findings"), list):
        raise BaselineError(f"{path} is not a baseline of version {_VERSION}")
    return frozenset(str(finding.get("id")) for finding in raw["findings"] if isinstance(finding, dict))


def write(path: Path, checked: Sequence["Checked"]) -> int:
    """Write the findings of `checked` as a baseline; return how many there are.

    They are sorted, one a line, so that a diff of two baselines can be read.  Paths count from the file's folder; by
    the identity a finding is known again although the text before it has changed.  A baseline that is there is
    replaced.  BaselineError if the file is something else or larger than _LARGEST, FileProblem if it cannot be written.
    """
    base = folder(path)
    rows = []
    for finding, identity in identities(checked, base):
        members = {
            "code": finding.code,
            "path": show_path(finding.path, base),
            "key": finding.key or None,
            "field": finding.field,
            "id": identity,
        }
        rows.append(json.dumps(members, ensure_ascii=False))
    body = ",\n".join(f"  {row}" for row in sorted(rows))
    # Read first, as `rewrite` refuses to overwrite what it was not shown.
    before = read_replaceable(path)
    text = f"{_FIRST_LINE}\n{body}\n]}}\n"
    named_files.rewrite(path, before, text.encode(errors="replace"))  # `?` for what is no text, as in a file's name
    return len(rows)


def fresh(checked: Sequence["Checked"], known: Collection[str], base: Path) -> list["Checked"]:
    """Return what was checked without the findings whose identities are `known`; paths in these count from `base`."""
    new = {id(finding) for finding, identity in identities(checked, base) if identity not in known}
    return [replace(it, findings=[finding for finding in it.findings if id(finding) in new]) for it in checked]
