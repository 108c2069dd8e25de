"""Typst."""

import re

from citelsp.base.text import Document
from citelsp.syntax.languages.language import Editors, Language, ManuscriptLanguage
from citelsp.syntax.languages.typst import declaring, empty_places, writing
from citelsp.syntax.nodes import Entries, Syntax


def _parse(document: Document, cite_commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.languages.typst import parsing

    return parsing.parse(document, cite_commands, old)


def _markup() -> re.Pattern[str]:
    from citelsp.syntax import markup

    return markup.pattern_of("typst")


TYPST = Language(
    name="typst",
    title="Typst",
    endings=("typ",),
    editors=Editors(
        vscode=(("typst", "Typst", (".typ",)),),
        neovim=("typst",),
        emacs=("typst-ts-mode", "typst-mode", "citelsp-typst-mode"),  # the last is citelsp.el's own
        helix=(("typst", "tinymist"),),
        sublime=("text.typst",),
        triggers="@<",
        kate=("Typst",),
    ),
    programs=frozenset({"tinymist"}),
    parse=_parse,
    key=writing.replace_key,
    key_problem=writing.key_problem,
    manuscript=ManuscriptLanguage(
        skim=lambda document: document.text,
        markup=_markup,
        body=lambda _text, start, _end: start,
        reader="typst",
        search="document",
        names=lambda _kind, target: (target,),
        certain=True,
        cite=writing.cite,
        placeholder=lambda words: f"@<{words}>",
        fill=writing.fill,
        comment=lambda words: f"// {words}",
        declare=declaring.declare,
        declare_beside=declaring.insert_beside,
        declared_by="#bibliography",
        naming=declaring.naming,
        empty=empty_places.find,
    ),
)
