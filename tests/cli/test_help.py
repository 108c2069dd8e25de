import shlex

import pytest

from citelsp.cli import COMMANDS, examples, main, parser

LINES = [line.strip() for text in examples.OF.values() for line in text.splitlines()[1:]]


@pytest.mark.parametrize("line", LINES)
def test_examples_are_commands(line):
    command = line.partition("   ")[0].partition(" > ")[0]
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


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(command in script for command in COMMANDS) and "--baseline" in script
