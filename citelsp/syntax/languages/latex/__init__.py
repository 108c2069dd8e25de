"""LaTeX, with Sweave, knitr and literate Haskell."""

import re
from importlib import import_module

from citelsp.base.text import Document, Span
from citelsp.syntax.languages.language import Editors, Language, ManuscriptLanguage
from citelsp.syntax.languages.latex import declaring, files, writing
from citelsp.syntax.nodes import Entries, Syntax

_BEGIN = r"\begin{document}"


def _parse(document: Document, cite_commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.languages.latex import parsing

    import_module("citelsp.syntax.languages.latex.incremental")  # else the first keystroke would wait for it
    return parsing.parse(document, cite_commands, old)


def _reparse(old: Syntax, document: Document, span: Span, new_text: str) -> Syntax | None:
    from citelsp.syntax.languages.latex import incremental

    return incremental.reparse(old, document, span, new_text) if old.ground is not None else None


def _markup() -> re.Pattern[str]:
    from citelsp.syntax import markup

    return markup.pattern_of("tex")


def _body(text: str, start: int, end: int) -> int:
    r"""`start`, or behind the last `\begin{document}` between it and `end`."""
    begin = text.rfind(_BEGIN, max(0, start - len(_BEGIN)), end)
    return begin + len(_BEGIN) if begin >= 0 else start


MANUSCRIPT = ManuscriptLanguage(
    skim=files.skim,
    markup=_markup,
    body=_body,
    reader=None,
    search="kpathsea",
    names=files.names,
    certain=True,
    cite=writing.cite,
    placeholder=lambda words: f"\\cite<{words}>",
    fill=writing.fill,
    comment=lambda words: f"% {words}",
    declare=declaring.declare,
    declare_beside=declaring.insert_beside,
    declared_by=r"\bibliography or \addbibresource",
    naming=files.naming,
)
LATEX = Language(
    name="latex",
    title="LaTeX",
    endings=("tex", "ltx", "latex", "sty", "cls", "rnw", "snw", "rtex", "lhs"),
    editors=Editors(
        vscode=(
            ("latex", "LaTeX", (".tex",)),
            ("tex", "TeX", ()),
            ("rsweave", "Sweave and knitr", (".rnw", ".Rnw", ".snw", ".Snw", ".rtex", ".Rtex")),
            ("literate haskell", "Literate Haskell", (".lhs",)),
        ),
        neovim=("tex", "plaintex", "rnoweb", "lhaskell"),
        emacs=(
            "tex-mode",
            "latex-mode",
            "plain-tex-mode",
            "LaTeX-mode",
            "Rnw-mode",
            "poly-noweb+r-mode",
            "literate-haskell-mode",
        ),
        helix=(("latex", "texlab"),),
        sublime=("text.tex.latex",),
        triggers="{<, ",
        kate=("LaTeX", "Literate Haskell"),
    ),
    programs=frozenset({"texlab", "latex-workshop", "vimtex"}),
    parse=_parse,
    reparse=_reparse,
    manuscript=MANUSCRIPT,
)
