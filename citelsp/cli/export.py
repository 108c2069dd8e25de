"""citelsp export: the bibliography of a manuscript by itself, as a journal or a co-author wants it."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.workspace.project import Project

HELP = "write a sorted .bib file of the entries that a manuscript cites, with their parents and macros"
_NAMED = 10  # keys in one sentence


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", metavar="PAPER", type=Path, help="a manuscript, or a list such as main.bbl")
    parser.add_argument(
        "--bib", metavar="FILE", type=Path, required=True, help="the .bib file to write, or - to print it"
    )
    parser.add_argument("--by", choices=("key", "author", "year"), default="key", help="default: key")
    common.add_settings(parser)


def run(options: argparse.Namespace) -> int:
    """Write or print the entries that the paper cites, and say what is missing; return the exit status.

    If the paper is itself a list of references, such as a PDF or a .bbl, or has no bibliography but a list in its text,
    such as a `thebibliography`, `export_list` makes entries of the list instead.
    """
    from citelsp.cli import export_list
    from citelsp.features import turn_into_entries

    if export_list.takes(options.paper):
        return export_list.run(options)
    project = _read_project(options)
    source = project.sources.get(project.subject)
    # Without a `source` the paper cannot be read: `_export_cited` says so.
    if not project.bibliographies and source and turn_into_entries.is_list(source):
        return export_list.run(options)
    return _export_cited(options, project)


def _export_cited(options: argparse.Namespace, project: "Project") -> int:
    """Write or print the entries that the manuscript cites, and say what is missing; return the exit status.

    Nothing is written if the options do not fit (USAGE), or if a file cannot be read or written (UNFINISHED).  Else
    all that was found is, and the status says the gravest: that a bibliography was not read (UNFINISHED), in which
    missing entries may stand, or that entries are missing (FINDINGS).
    """
    from citelsp.base.text import quote_name, write_count
    from citelsp.features import export_entries

    if _is_unread_manuscript(project):
        return common.fail(f"{quote_name(str(options.paper))} could not be read")
    path = Path(os.path.normpath(options.bib.absolute()))
    misuse = _find_misuse(options, path, project)
    if misuse:
        common.warn(misuse)
        return exits.USAGE
    export = export_entries.export(project, options.by)
    if options.bib == common.PRINT:
        print(export.text, end="")
    else:
        bib = quote_name(str(options.bib))
        problem = _write_file(path, export.text)
        if problem:
            return common.fail(f"{bib} is not written: {problem}")
        print(f"{write_count(export.entries, 'entry', 'entries')} in {bib}")
    if export.undefined:
        common.warn(f"cited, but not in any bibliography: {_enumerate_first(export.undefined)}")
    if export.foreign:
        common.warn(f"left out, because they are not in a .bib file: {_enumerate_first(export.foreign)}")
    unread = _list_unread(project)
    if unread:
        return common.fail(f"not all bibliographies could be read: {_enumerate_first(unread)}")
    return exits.FINDINGS if export.undefined or export.foreign else exits.OK


def _read_project(options: argparse.Namespace) -> "Project":
    from citelsp.workspace import include_graph
    from citelsp.workspace.files import DiskFiles

    paper = os.path.normpath(options.paper.absolute())
    folder = common.workspace(Path(paper))
    settings = common.read_settings(options, folder)
    return include_graph.build(DiskFiles([str(folder)], settings.syntax.cite_commands), paper, settings)


def _is_unread_manuscript(project: "Project") -> bool:
    """Return True if the paper is there and is a manuscript by its name, but could not be read."""
    from citelsp.syntax import languages

    path = project.subject
    is_manuscript = languages.language_of_path(path).manuscript is not None
    return is_manuscript and Path(path).is_file() and path not in project.sources


def _find_misuse(options: argparse.Namespace, path: Path, project: "Project") -> str:
    """Say why nothing may be exported to `path`; "" if it may.

    Either the paper is no manuscript; or `path` is no .bib, or one that the manuscript uses, or a file that may not be
    replaced.
    """
    from citelsp.base.text import quote_name
    from citelsp.cli import targets
    from citelsp.syntax import languages

    paper = quote_name(str(options.paper))
    bib = quote_name(str(options.bib))
    if not options.paper.is_file():
        return f"there is no manuscript {paper}"
    if targets.unreadable(options.paper):
        return targets.unread_kinds([options.paper])
    if project.subject not in project.manuscript:
        return f"{paper} is not a manuscript"
    if options.bib == common.PRINT:  # no file is touched
        return ""
    if not languages.language_of_path(path.name).by_field:  # laid out field by field: of BibTeX's format alone
        return f"{bib} is not a bibliography: its name should end in .bib"
    if not path.exists():
        return ""
    if any(Path(source).exists() and path.samefile(source) for source in project.sources):
        return f"the manuscript itself uses {bib}: name another file"
    if not _may_be_replaced(path):
        return f"{bib} was not written by citelsp export: remove it, or name another file"
    return ""


def _may_be_replaced(path: Path) -> bool:
    """Return True for a file that is empty, or that this command wrote; False if it cannot be read."""
    from citelsp.cli import named_files
    from citelsp.features.export_entries import HEADER

    try:
        text = named_files.read_text(path).text
    except (FileNotFoundError, named_files.FileProblem):
        return False
    return not text or text.startswith(HEADER)


def _write_file(path: Path, text: str) -> str:
    """Write the file, whole or not at all; what went wrong, or ""."""
    from citelsp.base import bounds
    from citelsp.cli import named_files

    try:
        before = named_files.read_bytes(path, bounds.BIBLIOGRAPHY) if path.exists() else None
        named_files.rewrite(path, before, text.encode())
    except (FileNotFoundError, named_files.FileProblem) as problem:
        return str(problem)
    return ""


def _list_unread(project: "Project") -> list[str]:
    """Return the bibliographies that the manuscript names and that should have been read.

    Those that come with TeX ("distributed") need not, nor those that something else may bring ("elsewhere").
    """
    bibliographies = [it for it in project.unresolved if it.link.kind == "bibliography"]
    return sorted({it.link.target for it in bibliographies if it.why not in ("distributed", "elsewhere")})


def _enumerate_first(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    from citelsp.base.text import quote_name

    listed = ", ".join(map(quote_name, names[:_NAMED]))
    more = len(names) - _NAMED
    return f"{listed} and {more} more" if more > 0 else listed
