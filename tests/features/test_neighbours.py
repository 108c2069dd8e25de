"""What is left to other programs in the same editor, and how that is said."""

import pytest

from citelsp.base.settings import Settings
from citelsp.features import neighbours
from citelsp.syntax import languages


@pytest.mark.parametrize(
    ("programs", "keys", "said"),
    [
        (["texlab"], True, "texlab runs here too: what both offer, such as keys while you type, is left to it."),
        (["texlab"], False, "texlab runs here too: what both offer, such as hovers, is left to it."),
        (["vimtex", "latex-workshop"], True, "VimTeX's source and LaTeX Workshop run here too: what both "
            "offer, such as keys while you type, is left to them."),
    ],
)  # fmt: skip
def test_what_is_left_to_others_is_said(programs, keys, said):
    assert neighbours.remark(programs, keys=keys) == f"{said} Change this with the setting “beside”."
    assert not keys or neighbours.remark(programs) == f"{said} Change this with the setting “beside”."


@pytest.mark.parametrize(
    ("beside", "part", "path", "offered"),
    [
        (("texlab",), "rename", "a.tex", True),
        (("texlab",), "rename", "a.md", False),
        (("vimtex",), "hover", "a.tex", False),
        (("vimtex", "texlab"), "hover", "a.tex", True),
        (("quarto",), "hover", "a.qmd", True),
        ((), "hover", "a.tex", False),
    ],
)
def test_a_program_offers_what_it_can_in_its_own_languages(beside, part, path, offered):
    assert neighbours.offer(Settings(beside=beside), part, languages.language_of_path(path)) is offered
