"""Org, with the citations of Org 9.5 and those of org-ref."""

import re
from collections.abc import Iterable, Sequence

from citelsp.base.text import Document, Span, newline_of
from citelsp.syntax.languages.language import (
    Editors,
    EmptyCitation,
    Form,
    Language,
    ManuscriptLanguage,
    Naming,
    Replacement,
    plain_names,
)
from citelsp.syntax.nodes import Entries, Link, Placeholder, Syntax

_KEY = re.compile(r"[\w.:?!`'/*@+|(){}<>&^$#%~-]+")  # org-syntax, "Citation references"
_NAMING_LINES = re.compile(
    r"^[ \t]*#\+(?:bibliography|include|setupfile|title|date)[^\n]*|^.*(?:bibliography|addbibresource)[:\[{]\S.*",
    re.MULTILINE | re.IGNORECASE,
)
_TYPED = re.compile(r"^[ \t]*#\+bibliography:[ \t]*\"?(?P<typed>[^\s\"]*)\Z", re.MULTILINE | re.IGNORECASE)
_LOOK_BACK = 2000  # characters
_KEYWORDS = re.compile(r"(?:[ \t]*#(?:\+\w+:|[ \t])[^\n]*\n|[ \t]*\r?\n(?=#\+))*")
_LINE_END = re.compile(r"\r?\n|\Z")


def _parse(document: Document, cite_commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.languages.org import parsing

    return parsing.parse(document, cite_commands, old)


def _markup() -> re.Pattern[str]:
    from citelsp.syntax import markup

    return markup.pattern_of("org")


def _skim(document: Document) -> str:
    return "\n".join(it[0] for it in _NAMING_LINES.finditer(document.text))


def _key_problem(key: str) -> str:
    return "" if _KEY.fullmatch(key) else "In Org, a key cannot hold spaces, commas, semicolons or square brackets."


def _cite(keys: Sequence[str], form: Form) -> str:
    place = f" {form.locator}" if form.locator else ""
    return f"[cite{'/t' if form.textual else ''}:@{';@'.join(keys)}{place}]"


def _fill(placeholder: Placeholder, keys: Sequence[str]) -> str:
    return placeholder.before + ";@".join(keys) + placeholder.after if placeholder.before else ",".join(keys)


def _declare(text: str, _hidden: Sequence[Span], name: str, _texts: Iterable[str]) -> Replacement:
    """Behind the keywords that a document begins with."""
    first = _KEYWORDS.match(text)
    newline = newline_of(text)
    offset = first.end() if first else 0
    return Replacement(Span(offset, offset), f"#+bibliography: {name}{newline}" + ("" if offset else newline))


def _insert_beside(text: str, link: Link, name: str) -> Replacement:
    end = next(it.start() for it in _LINE_END.finditer(text, link.span.end))
    return Replacement(Span(end, end), f"{newline_of(text)}#+bibliography: {name}")


def _naming(text: str, offset: int) -> Naming | None:
    match = _TYPED.search(text[max(0, offset - _LOOK_BACK) : offset])
    return Naming(match["typed"], ("bib",)) if match else None


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
    key_problem=_key_problem,
    manuscript=ManuscriptLanguage(
        skim=_skim,
        markup=_markup,
        body=lambda _text, start, _end: start,
        reader="pandoc",
        search="document",
        names=plain_names,
        certain=True,
        cite=_cite,
        placeholder=lambda words: f"[cite:@<{words}>]",
        fill=_fill,
        comment=lambda words: f"# {words}",
        declare=_declare,
        declare_beside=_insert_beside,
        declared_by="#+bibliography:",
        naming=_naming,
        empty=EmptyCitation(re.compile(r"\[(?P<command>cite)(?:/[\w/-]+)?:(?P<keys> *)\]"), before="@"),
    ),
)
