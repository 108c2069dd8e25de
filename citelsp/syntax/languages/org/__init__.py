"""Org, with the citations of Org 9.5 and those of org-ref."""

import re

from citelsp.base.text import Document
from citelsp.syntax.languages.language import (
    Editors,
    Language,
    ManuscriptLanguage,
    Naming,
    plain_names,
)
from citelsp.syntax.languages.org import writing
from citelsp.syntax.nodes import Entries, Placeholder, Syntax

_NAMING_LINES = re.compile(
    r"^[ \t]*#\+(?:bibliography|include|setupfile|title|date)[^\n]*|^.*(?:bibliography|addbibresource)[:\[{]\S.*",
    re.MULTILINE | re.IGNORECASE,
)
_TYPED = re.compile(r"^[ \t]*#\+bibliography:[ \t]*\"?(?P<typed>[^\s\"]*)\Z", re.MULTILINE | re.IGNORECASE)
_LOOK_BACK = 2000  # characters


def _parse(document: Document, cite_commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.languages.org import parsing

    return parsing.parse(document, cite_commands, old)


def _markup() -> re.Pattern[str]:
    from citelsp.syntax import markup

    return markup.pattern_of("org")


def _skim(document: Document) -> str:
    return "\n".join(it[0] for it in _NAMING_LINES.finditer(document.text))


def _naming(text: str, offset: int) -> Naming | None:
    match = _TYPED.search(text[max(0, offset - _LOOK_BACK) : offset])
    return Naming(match["typed"], ("bib",)) if match else None


def _find_empty_place(text: str, offset: int) -> Placeholder | None:
    from citelsp.syntax.languages.org import empty_places

    return empty_places.find(text, offset)


ORG = Language(
    name="org",
    title="Org",
    endings=("org",),
    editors=Editors(
        vscode=(("org", "Org", (".org",)),),
        neovim=("org",),
        emacs=("org-mode",),
        helix=(("org", ""),),
        sublime=("text.orgmode",),
        triggers="@<",
        kate=("Org Mode",),
    ),
    parse=_parse,
    key_problem=writing.key_problem,
    manuscript=ManuscriptLanguage(
        skim=_skim,
        markup=_markup,
        body=lambda _text, start, _end: start,
        reader="pandoc",
        search="document",
        names=plain_names,
        certain=True,
        cite=writing.cite,
        placeholder=lambda words: f"[cite:@<{words}>]",
        fill=writing.fill,
        comment=lambda words: f"@@comment: {words}@@",  # a line of its own would part a paragraph, a list or a table
        declare=writing.declare,
        declare_beside=writing.insert_beside,
        declared_by="#+bibliography:",
        naming=_naming,
        empty=_find_empty_place,
    ),
)
