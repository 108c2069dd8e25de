"""citelsp completion: what a shell sources to complete citelsp's own commands and options, which it then asks for."""

import argparse

from citelsp.cli import exits

HELP = "print a shell completion script"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def run(options: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["citelsp"], shell=options.shell))
    return exits.OK
