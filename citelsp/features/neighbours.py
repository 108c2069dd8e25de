"""What other programs offer in the same editor: the setting `beside` names one, and nothing is offered twice.

Only citelsp has placeholders, verdicts, evidence, fixes and services: those stay.
"""

from collections.abc import Mapping
from typing import Literal

from citelsp.base.settings import Settings
from citelsp.base.text import Language

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
_TEX: frozenset[Language] = frozenset({"latex", "bibtex"})
_MARKDOWN: frozenset[Language] = frozenset({"markdown"})
_OFFERED: Mapping[str, tuple[frozenset[Language], frozenset[str]]] = {
    "texlab": (
        _TEX,
        frozenset(
            "completion hover definition references highlight rename symbols links folding formatting".split(),
        ),
    ),
    "latex-workshop": (_TEX, frozenset("completion hover definition symbols folding formatting".split())),
    "vimtex": (_TEX, frozenset({"completion", "folding"})),
    "quarto": (_MARKDOWN, frozenset("completion hover definition symbols links folding".split())),
}


def offer(settings: Settings, part: Part, language: Language) -> bool:
    """True if the program that is named beside citelsp offers this in documents of the language."""
    languages, parts = _OFFERED.get(settings.beside, (frozenset(), frozenset()))
    return part in parts and language in languages
