"""What other programs offer in the same editor: the setting `beside` names them, and nothing is offered twice.

Only citelsp has placeholders, verdicts, evidence, fixes and services: those stay.
"""

from collections.abc import Mapping, Sequence
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
_TITLES: Mapping[str, str] = {
    "texlab": "texlab",
    "latex-workshop": "LaTeX Workshop",
    "vimtex": "VimTeX's source",
    "quarto": "Quarto's extension",
    "tinymist": "Tinymist",
}
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
    """True if a program that is named beside citelsp offers this in documents of the language."""
    here = [program for program in settings.beside if program in language.programs]
    return any(part in _OFFERED.get(program, ()) for program in here)


def remark(programs: Sequence[str], *, keys: bool = True) -> str:
    """What is left to programs that the editor runs, for its author; not the completion of keys unless `keys`."""
    names = " and ".join(_TITLES[it] for it in programs)
    verb, others = ("runs", "it") if len(programs) == 1 else ("run", "them")
    left = f"what both offer, such as {'keys while you type' if keys else 'hovers'}, is left to {others}"
    return f"{names} {verb} here too: {left}. Change this with the setting “beside”."
