"""citelsp format: the layout of .bib files, as the editor's formatting gives it."""

import argparse

from citelsp.cli import tidying

HELP = "format .bib files: one field a line, aligned equals signs; only white space changes"


def arguments(parser: argparse.ArgumentParser) -> None:
    tidying.arguments(parser)


def run(options: argparse.Namespace) -> int:
    from citelsp.features import format_entries

    return tidying.run(options, format_entries.edits)
