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
_LOOK_BACK = 2000  # characters


def skim(document: Document) -> str:
    parts = (it[0] for it in literate.INCLUDE.finditer(document.text) if literate.is_haskell(document.path))
    return "\n".join((*_MAGIC.findall(document.text, 0, 2000), *parts, *_commands(document.text)))


def _commands(text: str) -> list[str]:
    """The commands that can name files, those in comments left out."""
    found = []
    looked = 0
    commented = False
    for match in _COMMAND.finditer(text):
        # Roughly: a link too many costs a look, and the full reading decides.
        line = text.rfind("\n", looked, match.start()) + 1
        if line > 0:
            looked = line
            commented = False
        commented = commented or "%" in text[looked : match.start()].replace("\\%", "")
        looked = match.start()
        if not commented:
            found.append(match[0])
    return found


def names(kind: str, target: str) -> tuple[str, ...]:
    if kind == "bibliography":
        return plain_names(kind, target)
    # TeX tries the name with its ending first (kpathsea), so `chapter.one` is `chapter.one.tex`.
    return (target,) if target.lower().endswith(".tex") else (target + ".tex", target)


def naming(text: str, offset: int) -> Naming | None:
    match = _TYPED.search(text[max(0, offset - _LOOK_BACK) : offset])
    return Naming(match["typed"], ("bib",), "bibliography" in match["name"]) if match else None
