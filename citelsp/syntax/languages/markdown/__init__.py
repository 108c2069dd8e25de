"""Markdown as pandoc, Quarto, R Markdown and bookdown read it."""

import re

from citelsp.base.text import Document
from citelsp.syntax.languages.language import (
    Editors,
    Language,
    ManuscriptLanguage,
    plain_names,
)
from citelsp.syntax.languages.markdown import declaring, empty_places, files, writing
from citelsp.syntax.nodes import Entries, Syntax


def _parse(document: Document, cite_commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.languages.markdown import parsing

    return parsing.parse(document, cite_commands, old)


def _markup() -> re.Pattern[str]:
    from citelsp.syntax import markup

    return markup.pattern_of("markdown")


MANUSCRIPT = ManuscriptLanguage(
    skim=files.skim,
    markup=_markup,
    body=lambda _text, start, _end: start,
    reader="pandoc",
    search="pandoc",
    names=plain_names,
    certain=False,
    cite=writing.cite,
    placeholder=lambda words: f"[@<{words}>]",
    fill=writing.fill,
    comment=lambda words: f"<!-- {words} -->",
    declare=declaring.declare,
    declare_beside=declaring.insert_beside,
    declared_by="bibliography: in the metadata",
    naming=files.naming,
    empty=empty_places.find,
)
MARKDOWN = Language(
    name="markdown",
    title="Markdown",
    endings=("md", "markdown", "qmd", "rmd", "mdx", "mmd"),
    editors=Editors(
        vscode=(
            ("markdown", "Markdown", ()),
            ("quarto", "Quarto", (".qmd",)),
            ("rmd", "R Markdown", (".rmd", ".Rmd")),
        ),
        neovim=("markdown", "quarto", "rmd"),
        emacs=("markdown-mode", "gfm-mode", "markdown-ts-mode", "poly-quarto-mode", "poly-markdown+r-mode"),
        helix=(("markdown", "marksman"),),
        sublime=("text.html.markdown",),
        triggers="@<",
        kate=("Markdown", "R Markdown"),
    ),
    programs=frozenset({"quarto"}),
    parse=_parse,
    key=writing.replace_key,
    key_problem=writing.key_problem,
    manuscript=MANUSCRIPT,
)
