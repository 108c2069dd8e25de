"""The links of a manuscript without reading it all: only the lines that can hold one are parsed."""

import re

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.syntax import literate, markdown
from citelsp.syntax.nodes import Syntax

_COMMAND = re.compile(
    r"\\(?:documentclass|(?:no)?bibliography|add(?:bibresource|globalbib|sectionbib)|putbib|@?input|include\w*"
    r"|subfile\w*|(?:sub)?(?:import|inputfrom|includefrom)|usepackage|PassOptionsToPackage|RequirePackage\w*|LoadClass\w*)(?![A-Za-z@])"
    r"(?:\s*\*)?(?:\s*(?:\{[^{}]*\}|\[[^\[\]]*\]))*[^\n]*|\\begin[ \t]*\{document\}"
)
_MAGIC = re.compile(r"^[ \t]*%+[ \t]*!?[ \t]*T[eE]X[ \t]+root[^\n]*", re.MULTILINE)
_INCLUDE = re.compile(r"^.*(?:\{\{<\s*include|child\s*[=:]|<!--\s*include|^!include|^:\[).*$", re.MULTILINE)


def skim(document: Document) -> Syntax:
    """A syntax that has at least the links of the whole document, and the same `root` and `is_root`.

    It may have more links, as it does not know what is verbatim, and its spans mean nothing.
    """
    match document.language:
        case "latex":
            parts = (it[0] for it in literate.INCLUDE.finditer(document.text) if literate.is_haskell(document.path))
            reduced = "\n".join((*_MAGIC.findall(document.text, 0, 2000), *parts, *_commands(document.text)))
        case "markdown":
            blocks = (f"---\n{it.within(document.text)}---\n" for it in markdown.metadata_blocks(document.text))
            reduced = "\n\n".join((*blocks, *(it[0] for it in _INCLUDE.finditer(document.text))))
        case _:
            return syntax.parse(document)
    return syntax.parse(Document(document.path, reduced + "\n", document.language))


def _commands(text: str) -> list[str]:
    """The commands that can name files, those in comments left out."""
    found = []
    for match in _COMMAND.finditer(text):
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        # Roughly: a link too many costs a look, and the full reading decides.
        if "%" not in line.replace("\\%", ""):
            found.append(match[0])
    return found
