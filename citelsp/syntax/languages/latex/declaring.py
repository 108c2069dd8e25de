r"""Naming one more bibliography in LaTeX: `\addbibresource`, `\bibliography`."""

import re
from collections.abc import Iterable, Sequence

from citelsp.base.text import Span, newline_of
from citelsp.syntax.languages.language import Replacement
from citelsp.syntax.nodes import Link

# The line that loads biblatex; the line that begins the document, and what stands before its end; who lists references.
_BIBLATEX = re.compile(
    r"^[^%\n]*\\(?:usepackage|RequirePackage)\s*+(?:\[[^\]]{0,2000}+\]\s*+)?\{[^{}]*\bbiblatex\b[^}]*\}[^\r\n]*",
    re.MULTILINE,
)
_BEGIN = re.compile(r"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_END = re.compile(r"^[^%\n]*?(?=\\end\s*\{document\})", re.MULTILINE)
_EMPTY = re.compile(r"^[^%\n]*\\(?P<command>bibliography|addbibresource)\s*\{(?P<names>\s*)\}", re.MULTILINE)
_SUBFIX = re.compile(r"\\subfix\s*\{\s*\Z")  # of \addbibresource{\subfix{refs.bib}}, up to the name
_BRACE = re.compile(r"(?:[\s\"]|%[^\n]*\n)*\}")  # that closes an argument, behind a quotation mark or a comment, too
_LOOK_BACK = 100  # characters
_STYLE = re.compile(r"^[^%\n]*\\(?:bibliographystyle|bibliography)\s*\{", re.MULTILINE)


def loads_biblatex(text: str) -> bool:
    return _BIBLATEX.search(text) is not None


def declare(text: str, hidden: Sequence[Span], name: str, texts: Iterable[str]) -> Replacement:
    r"""Return the edit by which the document names the bibliography `name`, as biblatex or BibTeX wants it.

    `text` is the document's, `hidden` are the parts of it that TeX does not read as commands (verbatim text), and
    `texts` are those of all parts of the manuscript, in one of which biblatex may be loaded.
    """
    for empty in _EMPTY.finditer(text):
        if not any(span.start <= empty.start("names") < span.end for span in hidden):
            # BibTeX refuses a second \bibliography, so the one that is there is filled.
            written = name.removesuffix(".bib") if empty["command"] == "bibliography" else name
            return Replacement(Span(*empty.span("names")), written)
    texts = list(texts)
    newline = newline_of(text)
    loading = _BIBLATEX.search(text)
    if loading:  # in this very document: right behind that
        return Replacement(Span(loading.end(), loading.end()), f"{newline}\\addbibresource{{{name}}}")
    begin = _BEGIN.search(text) if any(map(loads_biblatex, texts)) else None
    # Without \begin{document} there is no such place here, and \bibliography is written as for BibTeX.
    if begin:  # another part loads biblatex, so the preamble's end is the first place that is surely behind it
        return Replacement(Span(begin.start(), begin.start()), f"\\addbibresource{{{name}}}{newline}")

    declaration = f"\\bibliography{{{name.removesuffix('.bib')}}}{newline}"
    # Without a style BibTeX writes no references; beside a \bibliography that is there already none is added.
    if not any(map(_STYLE.search, texts)):
        declaration = f"\\bibliographystyle{{plain}}{newline}{declaration}"
    offset = _document_end(text, hidden)
    begins_line = offset == 0 or text[offset - 1] == "\n"
    return Replacement(Span(offset, offset), declaration if begins_line else newline + declaration)


def _document_end(text: str, hidden: Sequence[Span]) -> int:
    r"""Return the offset of the `\end{document}` that is not hidden; the text's end if there is none, as in a part.

    One before the `\begin{document}` stands in a definition.
    """
    begin = _BEGIN.search(text)
    for end in _END.finditer(text, begin.start() if begin else 0):  # lines are matched whole
        if not any(span.start <= end.end() < span.end for span in hidden):
            return end.end()
    return len(text)


def insert_beside(text: str, link: Link, name: str) -> Replacement:
    r"""Return the edit that names the bibliography `name` beside the one that the document names already by `link`.

    It is added to the list of `\bibliography{a,b}`, with .bib if that one is so written; behind a command without a
    list, \addbibresource, a line of its own is added.
    """
    if link.insert_at is None:  # no list
        start = link.span.start
        end = link.span.end
        is_in_subfix = _SUBFIX.search(text, max(0, start - _LOOK_BACK), start)
        for _ in range(2 if is_in_subfix else 1):  # the brace of \subfix, and that of the command
            closing = _BRACE.match(text, end)
            end = closing.end() if closing else end
        return Replacement(Span(end, end), newline_of(text) + f"\\addbibresource{{{name}}}")
    # `}` of \subfix{…} and white space, up to a comment, in which the new one would not be read.
    behind, _, _ = text[link.span.end : link.insert_at].partition("%")
    end = link.span.end + len(behind.rstrip())
    written = name if link.target.endswith(".bib") else name.removesuffix(".bib")
    return Replacement(Span(end, end), f",{written}")
