import os
import shlex
import subprocess
import sys

import pytest

from citelsp.cli import COMMANDS, examples, main, parser

LINES = [line.strip() for text in examples.OF.values() for line in text.splitlines()[1:]]


@pytest.mark.parametrize("line", LINES)
def test_examples_are_commands(line):
    command = line.partition("   ")[0].partition(" >")[0]
    program, *words = shlex.split(command)
    assert (program, parser().parse_args(words).command) == ("citelsp", words[0])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command, capsys):
    assert main([command, "--help"]) == 0
    assert f"usage: citelsp {command}" in capsys.readouterr().out


def test_help_names_every_exit_status(capsys):
    assert main(["--help"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.partition("exit status:\n")[2].splitlines()[:5]] == [
        "0", "1", "2", "3", "130",
    ]  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell, capsys):
    assert main(["completion", shell]) == 0
    assert "citelsp" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the answer comes through an inherited file descriptor")
def test_a_shell_is_told_commands_and_options():
    assert {"check", "suggest"} <= answered("citelsp ")
    assert answered("citelsp check --ba") == {"--baseline"}


def answered(line):
    """As bash asks, through the eighth file descriptor."""
    asked = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    command = shlex.join([sys.executable, "-m", "citelsp"]) + " 8>&1 9>&2 >/dev/null"
    told = subprocess.run(
        ["bash", "-c", command], env=os.environ | asked, capture_output=True, encoding="utf-8", check=True
    )
    return {it.strip() for it in told.stdout.split("\n")}
