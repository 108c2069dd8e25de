"""The command line: arguments and printing."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import citelsp
from citelsp.cli import examples, exits

COMMANDS = ("serve", "check", "suggest", "add", "corpus", "cache", "eval", "demo", "doctor", "completion")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    written = list(sys.argv[1:] if arguments is None else arguments)
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what could come next
        import argcomplete

        argcomplete.autocomplete(parser())
    named = next((it for it in written if it in COMMANDS), None)
    try:
        given = parser(COMMANDS if named is None else (named,)).parse_args(written)
    except SystemExit as stopped:
        return exits.USAGE if stopped.code else 0
    run = import_module(f"citelsp.cli.{given.command}").run
    try:
        status = int(run(given))
        if not sys.stdout.closed:  # the server closes it
            sys.stdout.flush()
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except BrokenPipeError:  # whoever reads us has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.UNFINISHED
    return status


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Of these commands alone, as each costs the import of what it needs."""
    whole = argparse.ArgumentParser(
        prog="citelsp",
        description="Finds, completes, checks and repairs citations in LaTeX and Markdown.",
        epilog=exits.MEANINGS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"citelsp {citelsp.__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        command = import_module(f"citelsp.cli.{name}")
        shape = argparse.RawDescriptionHelpFormatter
        told = f"{command.HELP[0].upper()}{command.HELP[1:]}."
        epilog = "\n\n".join(filter(None, (examples.OF.get(name), exits.OF.get(name))))
        command.arguments(
            commands.add_parser(name, help=command.HELP, description=told, epilog=epilog, formatter_class=shape)
        )
    return whole
