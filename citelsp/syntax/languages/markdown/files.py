"""The files that Markdown names: how they are found without reading all of a document, and how they are being typed."""

import re

from citelsp.base.text import Document
from citelsp.syntax.languages.language import Naming

_INCLUDE = re.compile(
    r"^.*(?:\{\{<\s*include|child\s*[=:]|<!--\s*include|^!include|^:\[|\{(?:include|bibliography)\}).*$", re.MULTILINE
)
# What opens a chunk of code or a directive: ```{r child='b.Rmd'}, ```{include} b.md
_FENCE = re.compile(r"(?P<signs>(?<!`)`{3,}+|(?<!~)~{3,}+)[ \t]*+\{[^`~\n]*+$")
_TYPED = re.compile(
    r"^[ \t]*(?P<name>bibliography|csl)[ \t]*:"
    r"(?:[ \t]*\[?|[ \t]*\[[^\]\n]*,|[ \t\r]*\n(?:[ \t]*-[^\n]*\n)*[ \t]*-)[ \t]*"
    r"[\"']?(?P<typed>[^\s\"'\[\],]*)\Z",
    re.MULTILINE,
)
_FRONT_END = re.compile(r"^(?:---|\.\.\.)[ \t\r]*$", re.MULTILINE)
_LOOK_BACK = 2000  # characters


def skim(document: Document) -> str:
    from citelsp.syntax.languages.markdown.parsing import metadata_blocks

    blocks = (f"---\n{it.within(document.text)}---\n" for it in metadata_blocks(document.text))
    lines = (_close_fence(match[0]) for match in _INCLUDE.finditer(document.text))
    return "\n\n".join((*blocks, *lines))


def _close_fence(line: str) -> str:
    """Return the line; if it opens a block, from there on and with its end, so that no later line stands in it."""
    fence = _FENCE.search(line)
    return f"{line[fence.start() :]}\n{fence['signs']}" if fence else line


def naming(text: str, offset: int) -> Naming | None:
    match = _TYPED.search(text[max(0, offset - _LOOK_BACK) : offset])
    if match is None or not _in_front_matter(text, offset):
        return None
    return Naming(match["typed"], (match["name"],) if match["name"] == "csl" else ("bib",))


def _in_front_matter(text: str, offset: int) -> bool:
    """True if `offset` stands in the metadata at the beginning of `text`, which may have no end yet."""
    if not text.startswith("---"):
        return False
    end = _FRONT_END.search(text[3:])
    return end is None or offset <= end.start() + 3
