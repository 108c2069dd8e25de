"""Five megabytes of anything: looked at by `citelsp check` within 5 s of CPU and 500 MB."""

import sys

import pytest

from hostile_texts import LANGUAGES, document, pieces
from hostile_workspaces import ENDINGS, cost

LENGTH = 5_000_000  # characters
MEMORY = 500 << 20  # bytes
TRIES = 3  # as other programs take their share of the machine
FAMILY = [(language, piece) for language in LANGUAGES for piece in pieces(language)]

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="measured in processes that are forked"),
]


FIELDS = """abstract addendum annotation author booktitle editor foreword howpublished institution journal keywords
    label language note organization pages publisher school series subtitle title venue version type month year number
    volume""".split()
VALUES = ["%", "#", "_", "$", r"\(", r"\[", r"\a[", r"\%", "{}", "}{", "{", "and ", ",", "- "]


@pytest.mark.parametrize(("language", "piece"), FAMILY)
def test_five_megabytes_end_soon(tmp_path, language, piece):
    checked(tmp_path, f"main.{ENDINGS.get(language, language)}", document(language, piece, LENGTH).text)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("times", [1, 100, 178_000])
def test_five_megabytes_of_values_end_soon(tmp_path, value, times):
    fields = "".join(f"  {it} = {{{value * max(1, times // len(value))}}},\n" for it in FIELDS)
    checked(tmp_path, "refs.bib", "".join(f"@misc{{k{it},\n{fields}}}\n" for it in range(LENGTH // len(fields))))


def checked(tmp_path, name, text):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / name).write_text(text, encoding="utf-8", newline="")
    wrong = None
    for _ in range(TRIES):
        if not (wrong := cost(folder, (), tmp_path / "log", MEMORY)):
            return
    pytest.fail(str(wrong))
