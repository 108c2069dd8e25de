"""citelsp check: the findings that an editor shows, in a terminal or a CI job."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.cli.report import Checked
    from citelsp.files import DiskFiles
    from citelsp.project import Project

HELP = "report what is wrong with the citations of manuscripts and bibliographies"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="a manuscript, a bibliography or a folder")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    common.add_settings(parser)


def run(given: argparse.Namespace) -> int:
    from citelsp.cli import report

    missing = [it for it in given.paths if not it.exists()]
    if missing:
        common.warn(f"there is no {missing[0]}")
        return exits.USAGE
    unread: list[Path] = []
    checked = list(_checked(given, unread))
    print(report.as_json(checked) if given.format == "json" else report.as_text(checked))
    for path in unread:
        common.warn(f"{path} could not be read")
    if unread:
        return exits.UNFINISHED
    serious = any(it.severity in ("error", "warning") for one in checked for it in one.findings)
    return exits.FINDINGS if serious else exits.OK


def _checked(given: argparse.Namespace, unread: list[Path]) -> "Iterator[Checked]":
    """Each document once, in the first project that holds it."""
    from citelsp import project
    from citelsp.files import DiskFiles

    done: set[str] = set()
    for named in (it.absolute() for it in given.paths):
        folder = named if named.is_dir() else named.parent
        settings = common.read_settings(given, folder)
        files = DiskFiles([str(folder)], settings.syntax.cite_commands)
        for path in _documents(named, files):
            if path in done:
                continue
            found = project.build(files, path, settings)
            if path not in found.sources:
                unread.append(Path(path))
                continue
            one = _check(found, path, done)
            done.update({path} if path in found.bibliographies else found.manuscript)
            yield one


def _documents(named: Path, files: "DiskFiles") -> Sequence[str]:
    """The document itself; of a folder its manuscripts, or, where it has none, its bibliographies."""
    if not named.is_dir():
        return [str(named)]
    return [*files.manuscripts()] or [str(it) for it in sorted(named.rglob("*.bib"))]


def _check(found: "Project", path: str, done: set[str]) -> "Checked":
    """A bibliography is checked whole; through a manuscript only what it cites."""
    from citelsp import checks
    from citelsp.cli.report import Checked
    from citelsp.knowledge import Knowledge

    knowledge = Knowledge()
    if path in found.bibliographies:
        places = [it for it in found.entries() if it.source.document.path == path]
        return Checked(found, knowledge, checks.run(found, knowledge, [path]), places)
    cited = found.cited
    places = [it for it in found.entries() if found.cites_all or it.node.key in cited]
    own = set(found.manuscript) - done
    findings = [
        it
        for it in checks.run(found, knowledge)
        if it.path in own or (it.path in found.bibliographies and _concerns(it.key, cited, all_=found.cites_all))
    ]
    return Checked(found, knowledge, findings, places)


def _concerns(key: str | None, cited: frozenset[str], *, all_: bool) -> bool:
    return key is None or all_ or key in cited
