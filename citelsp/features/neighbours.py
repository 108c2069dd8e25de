"""What other programs offer in the same editor: the setting `beside` names one, and nothing is offered twice.

Only citelsp has placeholders, verdicts, evidence, fixes and services: those stay.
"""

from collections.abc import Mapping
from typing import Literal

from citelsp.base.settings import Settings
from citelsp.syntax.languages.language import Language

Part = Literal[
    "completion",
    "hover",
    "definition",
    "references",
    "highlight",
    "rename",
    "symbols",
    "links",
    "folding",
    "formatting",
]
_OFFERED: Mapping[str, frozenset[str]] = {
    "texlab": frozenset(
        "completion hover definition references highlight rename symbols links folding formatting".split(),
    ),
    "latex-workshop": frozenset("completion hover definition symbols folding formatting".split()),
    "vimtex": frozenset({"completion", "folding"}),
    "quarto": frozenset("completion hover definition symbols links folding".split()),
    "tinymist": frozenset("completion hover definition references highlight rename symbols links folding".split()),
}


def offer(settings: Settings, part: Part, language: Language) -> bool:
    """True if the program that is named beside citelsp offers this in documents of the language."""
    return settings.beside in language.programs and part in _OFFERED.get(settings.beside, ())
