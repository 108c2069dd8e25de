"""The command line: arguments and printing."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

import citelsp
from citelsp.cli import common, examples, exits

COMMANDS = (
    *("serve", "check", "suggest", "evidence", "add", "format", "sort", "export"),
    *("corpus", "cache", "eval", "demo", "doctor", "mcp", "completion", "help"),
)

_ELSEWHERE = {"eval": "citelsp.evals.command"}  # evaluations stand above the command line, which only names them


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; if `arguments` is None, take those that citelsp was called with.

    INTERRUPTED, without a word, after Ctrl-C.  UNFINISHED if whoever reads our output goes away, and if something
    cannot be read or written anywhere (OSError), which is told in a sentence; other errors are mistakes of ours.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what could come next
        import argcomplete

        argcomplete.autocomplete(parser())  # which answers the shell, and ends the process
    try:
        status = _run_command(words)
        if not sys.stdout.closed:  # the server closes it
            sys.stdout.flush()
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except BrokenPipeError:  # whoever reads us has seen enough, as `head` does; what it would have got is not whole
        _discard_output()
        return exits.UNFINISHED
    except OSError as problem:  # of a disk that is full, a folder that may not be opened
        return _tell_problem(problem)
    return status


def _run_command(words: Sequence[str]) -> int:
    """Parse the words and run the command; return its exit status, or that for words that argparse refuses."""
    _prepare_streams()
    if words[:1] == ["fix"]:  # a word that many try first
        print("citelsp: fixing is a part of checking: citelsp check PATH --fix safe", file=sys.stderr)
        return exits.USAGE
    try:
        options = parser(_choose_commands(words)).parse_args(words)
    except SystemExit as refusal:
        return exits.USAGE if refusal.code else exits.OK
    try:
        return int(_import_command(options.command).run(options))
    except common.SettingsError as problem:
        common.warn(str(problem))
        return exits.USAGE


def _choose_commands(words: Sequence[str]) -> Sequence[str]:
    """The commands to be imported: the one that is meant; all if they have to be listed, none for the version alone."""
    first = next((word for word in words if not word.startswith("-")), "")  # no option before it takes a value
    if first in COMMANDS:
        return (first,)
    return () if "--version" in words else COMMANDS


def _import_command(command: str) -> ModuleType:
    return import_module(_ELSEWHERE.get(command, f"citelsp.cli.{command}"))


def _prepare_streams() -> None:
    """Set up stdout and stderr so that nothing that is printed fails, and no printed text is a command to CI.

    Reports, on stdout, are in UTF-8 whatever the locale; a terminal keeps its own encoding, and gets `?` for what that
    lacks.  On stderr Python itself writes such characters as escapes.
    """
    if sys.stdout is None or sys.stderr is None:  # closed by whoever called
        nobody = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  until the end
        sys.stdout = sys.stdout or nobody
        sys.stderr = sys.stderr or nobody
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"  # None leaves it as it is
        sys.stdout.reconfigure(encoding=encoding, errors="replace")
    if os.environ.get("GITHUB_ACTIONS") or os.environ.get("TF_BUILD"):
        from citelsp.cli import ci_log

        ci_log.guard_streams()  # GitHub and Azure run lines such as `::error::…` and `##vso[…]`


def _tell_problem(problem: OSError) -> int:
    """Say what could not be read or written, after all that was printed before; the exit status."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
    what = problem.strerror or str(problem)
    return common.fail(": ".join(filter(None, (str(problem.filename or ""), what))))


def _discard_output() -> None:
    """Have what is still to be printed go nowhere: Python flushes at its end, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Make the parser of the command line with the commands of these names; each costs the import of its module.

    Its result has the name of the command as `command`, beside the options that the command's `arguments` declares.
    """
    whole = argparse.ArgumentParser(
        prog="citelsp",
        description="Find, complete, check and fix citations in LaTeX and Markdown.",
        epilog=exits.MEANINGS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"citelsp {citelsp.__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        command = _import_command(name)
        parser_of_command = commands.add_parser(
            name,
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
            epilog="\n\n".join(filter(None, (examples.OF.get(name), exits.OF.get(name)))),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(parser_of_command)
    return whole
