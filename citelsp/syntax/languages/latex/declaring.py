r"""Naming one more bibliography in LaTeX: `\addbibresource`, `\bibliography`."""

import re
from collections.abc import Iterable, Sequence

from citelsp.base.text import Span, newline_of
from citelsp.syntax.languages.language import Replacement
from citelsp.syntax.nodes import Link

_BIBLATEX = re.compile(
    r"^[^%\n]*\\(?:usepackage|RequirePackage)\s*+(?:\[[^\]]{0,2000}+\]\s*+)?\{[^{}]*\bbiblatex\b[^}]*\}[^\r\n]*",
    re.MULTILINE,
)
_BEGIN = re.compile(r"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_END = re.compile(r"^[^%\n]*?(?=\\end\s*\{document\})", re.MULTILINE)
_STYLE = re.compile(r"^[^%\n]*\\(?:bibliographystyle|bibliography)\s*\{", re.MULTILINE)


def loads_biblatex(text: str) -> bool:
    return _BIBLATEX.search(text) is not None


def declare(text: str, hidden: Sequence[Span], name: str, texts: Iterable[str]) -> Replacement:
    """What makes the document name a bibliography, as biblatex or BibTeX wants it; `texts` are those of all parts."""
    texts = list(texts)
    newline = newline_of(text)
    loaded = _BIBLATEX.search(text)
    if loaded:
        return Replacement(Span(loaded.end(), loaded.end()), f"{newline}\\addbibresource{{{name}}}")
    begin = _BEGIN.search(text) if any(map(loads_biblatex, texts)) else None
    if begin:
        return Replacement(Span(begin.start(), begin.start()), f"\\addbibresource{{{name}}}{newline}")

    declaration = f"\\bibliography{{{name.removesuffix('.bib')}}}{newline}"
    if not any(map(_STYLE.search, texts)):
        declaration = f"\\bibliographystyle{{plain}}{newline}{declaration}"
    # Before the document's end, or at the end of a part.
    offset = len(text)
    for end in _END.finditer(text):
        if not any(span.start <= end.end() < span.end for span in hidden):
            offset = end.end()
            break
    begins_line = offset == 0 or text[offset - 1] == "\n"
    return Replacement(Span(offset, offset), declaration if begins_line else newline + declaration)


def insert_beside(text: str, link: Link, name: str) -> Replacement:
    if link.insert_at is None:
        end = text.find("}", link.span.end) + 1 or link.span.end
        return Replacement(Span(end, end), newline_of(text) + f"\\addbibresource{{{name}}}")
    behind = text[link.span.end : link.insert_at]  # `}` of \subfix{…}, white space, a comment
    end = link.span.end + (0 if "%" in behind else len(behind.rstrip()))
    written = name if link.target.endswith(".bib") else name.removesuffix(".bib")
    return Replacement(Span(end, end), f",{written}")
