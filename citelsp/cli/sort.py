"""citelsp sort: the entries of .bib files in order."""

import argparse
from typing import TYPE_CHECKING

from citelsp.cli import tidying

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citelsp.base.text import Edit
    from citelsp.workspace.project import Project

HELP = "sort the entries of .bib files; comments move with them, macros and groups stay"


def arguments(parser: argparse.ArgumentParser) -> None:
    tidying.arguments(parser)
    parser.add_argument("--by", choices=("key", "author", "year"), default="key", help="default: key")


def run(options: argparse.Namespace) -> int:
    from citelsp.features import sort_entries

    def sort(project: "Project", path: str) -> "Sequence[Edit] | str":
        return sort_entries.obstacle(project, path) or sort_entries.edits(project, path, options.by)

    return tidying.run(options, sort)
