"""The command line: arguments and printing."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import citelsp
from citelsp.cli import exits

COMMANDS = ("serve", "check", "suggest", "add", "corpus", "cache", "demo", "doctor")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    written = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser(written)
    try:
        given = parser.parse_args(written)
    except SystemExit as stopped:
        return exits.USAGE if stopped.code else 0
    run = import_module(f"citelsp.cli.{given.command}").run
    try:
        status = int(run(given))
        if not sys.stdout.closed:  # the server closes it
            sys.stdout.flush()
    except BrokenPipeError:  # whoever reads us has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.UNFINISHED
    return status


def _parser(written: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="citelsp", description="Finds, completes, checks and repairs citations in LaTeX and Markdown."
    )
    parser.add_argument("--version", action="version", version=f"citelsp {citelsp.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    named = next((it for it in written if it in COMMANDS), None)
    for name in COMMANDS if named is None else (named,):
        command = import_module(f"citelsp.cli.{name}")
        command.arguments(commands.add_parser(name, help=command.HELP, description=command.HELP))
    return parser
