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


@pytest.mark.parametrize(("language", "piece"), FAMILY)
def test_five_megabytes_end_soon(tmp_path, language, piece):
    folder = tmp_path / "work"
    folder.mkdir()
    path = folder / f"main.{ENDINGS.get(language, language)}"
    path.write_text(document(language, piece, LENGTH).text, encoding="utf-8", newline="")
    wrong = None
    for _ in range(TRIES):
        if not (wrong := cost(folder, (), tmp_path / "log", MEMORY)):
            return
    pytest.fail(str(wrong))
