"""Tuned instructions and worked examples as a file."""

import json

import pytest

from citelsp.agent import program
from citelsp.agent.program import Demonstration, Program


def test_a_program_is_read_as_it_was_saved(tmp_path):
    tuned = Program("Choose “well”.", (Demonstration("Which?", "It is named.", "W2"),))
    program.save(tuned, tmp_path / "program.json")
    assert program.load(tmp_path / "program.json") == program.read_program(str(tmp_path / "program.json")) == tuned


def test_demonstrations_stand_after_the_instructions():
    tuned = Program("Choose.", (Demonstration("W1 «A»\nW2 «B»", "B fits", "W2"),))
    assert tuned.text == 'Choose.\n\nExample.\nW1 «A»\nW2 «B»\n{"choice": "W2", "why": "B fits"}'


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"instructions": "Choose."}, "is not a program of version 2: run `citelsp eval tune` again"),
        ({"version": 1, "instructions": "Choose."}, "is not a program of version 2"),
        ({"version": 2, "instructions": 7}, "is not a program of version 2"),
        (
            {"version": 2, "instructions": "Choose.", "demonstrations": [{"question": "x"}]},
            "holds a demonstration without",
        ),
    ],
)
def test_what_is_no_program_is_called_so(tmp_path, written, said):
    path = tmp_path / "program.json"
    path.write_text(json.dumps(written), encoding="utf-8")
    with pytest.raises(ValueError, match=said) as caught:
        program.load(path)
    assert str(caught.value).startswith(str(path))
    assert program.read_program(str(path)) is None


def test_without_a_file_there_is_no_program(tmp_path):
    assert program.read_program("") is None
    assert program.read_program(str(tmp_path / "none.json")) is None


def test_a_file_that_is_nested_without_end_is_no_program(tmp_path):
    path = tmp_path / "program.json"
    path.write_text("[" * 200_000, encoding="utf-8")
    assert program.read_program(str(path)) is None
