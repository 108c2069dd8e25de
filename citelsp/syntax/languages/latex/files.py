r"""The files that LaTeX names: how they are found without reading all of a document, and how they are being typed."""

import re

from citelsp.base.text import Document
from citelsp.syntax.languages.language import Naming, plain_names
from citelsp.syntax.languages.latex import literate

_COMMAND = re.compile(
    r"\\(?:documentclass|(?:no)?bibliography|add(?:bibresource|globalbib|sectionbib)|putbib|@?input|include\w*"
    r"|subfile\w*|(?:sub)?(?:import|inputfrom|includefrom)|usepackage|PassOptionsToPackage|RequirePackage\w*|LoadClass\w*)(?![A-Za-z@])"
    r"(?:\s*\*)?(?:\s*(?:\{[^{}]*\}|\[[^\[\]]*\]))*[^\n]*|\\begin[ \t]*\{document\}"
)
_MAGIC = re.compile(r"^[ \t]*%++[ \t]*+(?:![ \t]*+)?T[eE]X[ \t]+root[^\n]*", re.MULTILINE)
_TYPED = re.compile(
    r"\\(?P<name>bibliography|nobibliography\*?|addbibresource|addglobalbib|addsectionbib)\s*(?:\[[^\]\n]*\]\s*)?"
    r"\{(?:[^{}\n]*,)?[ \t]*(?P<typed>[^{},\n]*)\Z"
)
_LOOK_BACK = 2000  # characters before the cursor
_ROOT_WITHIN = 2000  # characters at the beginning, in which a comment may name the main document


def skim(document: Document) -> str:
    """The commands and comments of a document that may name files, one a line; to be read in its place."""
    text = document.text
    roots = _MAGIC.findall(text, 0, _ROOT_WITHIN)
    includes = (it[0] for it in literate.INCLUDE.finditer(text)) if literate.is_haskell(document.path) else ()
    return "\n".join((*roots, *includes, *_commands(text)))


def _commands(text: str) -> list[str]:
    """The commands that can name files, each with its arguments; those in comments are left out."""
    commands: list[str] = []
    looked = 0  # up to there this line was looked through for the beginning of a comment
    commented = False  # there is one
    for match in _COMMAND.finditer(text):
        # Roughly: a link too many costs a look, and the full reading decides.
        line_start = text.rfind("\n", looked, match.start()) + 1
        if line_start > 0:
            looked = line_start
            commented = False
        commented = commented or "%" in text[looked : match.start()].replace("\\%", "")
        looked = match.start()
        if not commented:
            commands.append(match[0])
    return commands


def names(kind: str, target: str) -> tuple[str, ...]:
    if kind == "bibliography":
        return plain_names(kind, target)
    # TeX tries the name with its ending first (kpathsea), so `chapter.one` is `chapter.one.tex`.
    return (target,) if target.lower().endswith(".tex") else (target + ".tex", target)


def naming(text: str, offset: int) -> Naming | None:
    match = _TYPED.search(text[max(0, offset - _LOOK_BACK) : offset])
    return Naming(match["typed"], ("bib",), "bibliography" in match["name"]) if match else None
