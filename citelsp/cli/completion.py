"""citelsp completion: what a shell sources to complete citelsp's own commands and options."""

import argparse

HELP = "print the completion script of a shell"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def run(given: argparse.Namespace) -> int:
    import shtab

    from citelsp import cli

    print(shtab.complete(cli.parser(), given.shell))
    return cli.exits.OK
