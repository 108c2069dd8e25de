r"""The files that LaTeX names: how they are found without reading all of a document, and how they are being typed."""

import re

from citelsp.base.text import Document
from citelsp.syntax.languages.language import Naming, plain_names
from citelsp.syntax.languages.latex import literate

# White space and comments between a command and its arguments: a few, as in a long comment each line may be a command.
_BETWEEN = r"\s*+(?>(?:%[^\n]*+\n\s*+){0,20})"
# A command that can name files, with its arguments and the rest of the line.
_COMMAND = re.compile(
    r"\\(?:document(?:class|style)|(?:no)?bibliography|bibliography(?!style)[A-Za-z]+|newcites|newrefsection"
    r"|add(?:bibresource|globalbib|sectionbib)|putbib|@?input|include\w*|InputIfFileExists|markdownInput|loadglsentries"
    r"|subfile\w*|(?:sub)?(?:import|inputfrom|includefrom)|usepackage|PassOptionsToPackage|RequirePackage\w*|LoadClass\w*)(?![A-Za-z@])"
    rf"(?:{_BETWEEN}\*)?(?:{_BETWEEN}(?:\{{[^{{}}]*\}}|\[[^\[\]]*\]))*[^\n]*"
    r"|\\begin[ \t]*\{(?:document\}|refsection\}\s*\[[^\[\]]*\])"
)
# Code within a line, `\verb|50%|` or `\lstinline{50%}`, in which `%` begins no comment.
_INLINE_CODE = re.compile(
    r"\\(?:(?:[vV]erb|spverb)\*?|lstinline(?:\[[^\[\]\n]*+\])?|mint(?:inline)?(?:\[[^\[\]\n]*+\])?\{[^{}\n]*+\})"
    r"(?:\{[^{}\n]*+\}|[ \t]*+(?P<mark>[^\sa-zA-Z*{])(?:(?!(?P=mark))[^\n]){0,2000}(?P=mark))"
)
# An own command is made that names bibliographies: `\newcommand{\refs}[1]{\bibliography{#1}}`, or another name of one.
_HANDED_ON = re.compile(
    r"\\(?:(?:no)?bibliography|addbibresource|addglobalbib|addsectionbib)[ \t]*+(?:\[[^\[\]\n]*+\])?(?:\{#\d|\})"
    r"|\\let[ \t]*+\\[a-zA-Z]++[ \t]*+=?+[ \t]*+\\(?:no)?bibliography(?![a-zA-Z@])"
)
# `% !TeX root = main.tex`
_MAGIC = re.compile(r"^[ \t]*%++[ \t]*+(?:![ \t]*+)?T[eE]X[ \t]+root[^\n]*", re.MULTILINE)
# `\bibliography{a,re` up to the cursor: `re` is the name being typed.
_TYPED = re.compile(
    r"\\(?P<name>bibliography|nobibliography\*?|addbibresource|addglobalbib|addsectionbib)\s*(?:\[[^\[\]\n]*\]\s*)?"
    r"\{(?:[^{}\n]*,)?[ \t]*(?P<typed>[^{},\n]*)\Z"
)
_LOOK_BACK = 2000  # characters before the cursor
_ROOT_WITHIN = 2000  # characters at the beginning, in which a comment may name the main document


def skim(document: Document) -> str:
    """Return the commands and comments of a document that may name files, one a line, to be parsed in its place.

    All of it is returned if it makes commands of its own for that: only a full reading tells how they are used.
    """
    text = document.text
    if _HANDED_ON.search(text):
        return text
    roots = _MAGIC.findall(text, 0, _ROOT_WITHIN)
    includes = (it[0] for it in literate.INCLUDE.finditer(text)) if literate.is_haskell(document.path) else ()
    return "\n".join((*roots, *includes, *_commands(text)))


def _commands(text: str) -> list[str]:
    """Find the commands that can name files, each with its arguments; those in comments are left out.

    Commands in verbatim text are found too: one too many costs a look at a file, and the full reading decides.
    """
    from citelsp.syntax.languages.latex.grammar import Comments  # not before the first document

    comments = Comments(_INLINE_CODE.sub(lambda code: code[0].replace("%", " "), text))
    return [command[0] for command in _COMMAND.finditer(text) if not comments.cover(command.start())]


def names(kind: str, target: str) -> tuple[str, ...]:
    if kind == "bibliography":
        return plain_names(kind, target)
    # TeX tries the name with its ending first (kpathsea), so `chapter.one` is `chapter.one.tex`.
    return (target,) if target.lower().endswith(".tex") else (target + ".tex", target)


def naming(text: str, offset: int) -> Naming | None:
    match = _TYPED.search(text[max(0, offset - _LOOK_BACK) : offset])
    return Naming(match["typed"], ("bib",), "bibliography" in match["name"]) if match else None
