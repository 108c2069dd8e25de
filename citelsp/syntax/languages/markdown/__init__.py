"""Markdown as pandoc, Quarto, R Markdown and bookdown read it."""

import re
from collections.abc import Sequence

from citelsp.base.text import Document, Span
from citelsp.syntax.languages.language import (
    Editors,
    EmptyCitation,
    Form,
    Language,
    ManuscriptLanguage,
    Replacement,
    plain_names,
)
from citelsp.syntax.languages.latex import fill as fill_tex
from citelsp.syntax.languages.markdown import declaring, files
from citelsp.syntax.nodes import Entries, Placeholder, Syntax

_PLAIN_KEY = re.compile(r"\w(?:[\w]|[:.#$%&\-+?<>~/](?=\w))*", re.UNICODE)  # pandoc manual, "Citation syntax"


def _parse(document: Document, cite_commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.languages.markdown import parsing

    return parsing.parse(document, cite_commands, old)


def _markup() -> re.Pattern[str]:
    from citelsp.syntax import markup

    return markup.pattern_of("markdown")


def _key(text: str, span: Span, key: str) -> Replacement:
    """In braces if pandoc would otherwise stop reading it too early; not in raw LaTeX, nor in braces already."""
    return Replacement(span, _after_at(key) if text[span.start - 1 : span.start] == "@" else key)


def _after_at(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else f"{{{key}}}"


def key_problem(key: str) -> str:
    if not (key[0].isalnum() or key[0] == "_"):
        return "In Markdown and YAML, a key must begin with a letter, a digit or an underscore."
    return "In Markdown and YAML, a key cannot end with a colon." if key.endswith(":") else ""


def _cite(keys: Sequence[str], form: Form) -> str:
    names = [f"@{_after_at(it)}" for it in keys]
    if form.textual:
        return ", ".join(names) + (f" [{form.locator}]" if form.locator else "")
    return f"[{'; '.join(names)}{f', {form.locator}' if form.locator else ''}]"


def _fill(placeholder: Placeholder, keys: Sequence[str]) -> str:
    """What stands instead of a placeholder of Markdown, or of raw LaTeX, once these keys are cited."""
    if placeholder.before != "@":
        return fill_tex(placeholder, keys)
    return placeholder.before + "; @".join(map(_after_at, keys)) + placeholder.after


MANUSCRIPT = ManuscriptLanguage(
    skim=files.skim,
    markup=_markup,
    body=lambda _text, start, _end: start,
    reader="pandoc",
    search="pandoc",
    names=plain_names,
    certain=False,
    cite=_cite,
    placeholder=lambda words: f"[@<{words}>]",
    fill=_fill,
    comment=lambda words: f"<!-- {words} -->",
    declare=declaring.declare,
    declare_beside=declaring.insert_beside,
    declared_by="bibliography: in the metadata",
    naming=files.naming,
    empty=EmptyCitation(re.compile(r"\{(?P<command>(?:foot)?cite(?::[a-z]{1,12})?)\}`(?P<keys> *)`(?!`)")),  # of MyST
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
    key=_key,
    key_problem=key_problem,
    manuscript=MANUSCRIPT,
)
