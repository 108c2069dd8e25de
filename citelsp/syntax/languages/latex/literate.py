r"""LaTeX with programs in it: chunks of R (Sweave, knitr), and literate Haskell, which lhs2TeX makes LaTeX of."""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.syntax.nodes import Link

_CHUNK = re.compile(r"^<<[^\n]*>>=[ \t]*\r?$(?s:.*?)^@(?=[ \t\r]*$|[ \t]+%)", re.MULTILINE)
_HASKELL = re.compile(r"^[ \t]*\\begin\{(?P<env>code|spec)\}|^[><][^\n]*(?:\n[><][^\n]*)*", re.MULTILINE)
INCLUDE = re.compile(r"^%include[ \t]+(?P<file>\S+)[^\n]*", re.MULTILINE)  # lhs2TeX's own


def is_haskell(path: str) -> bool:
    return path.lower().endswith(".lhs")


def programs(text: str, path: str) -> Iterator[Span]:
    """What is no LaTeX, in order."""
    if is_haskell(path):
        return _haskell(text)
    return (Span(*it.span()) for it in _CHUNK.finditer(text)) if ">>=" in text else iter(())


def _haskell(text: str) -> Iterator[Span]:
    """The environments of code, and lines behind a `>` or, of code that is not run, a `<`."""
    end = 0
    for match in _HASKELL.finditer(text):
        start = match.start()
        # A `>` within an environment of code is no line of code of its own.
        if start >= end >= 0:
            end = text.find(f"\\end{{{match['env']}}}", start) if match["env"] else match.end()
            yield Span(start, end if end >= 0 else len(text))


def includes(text: str, path: str) -> Iterator[Link]:
    """The parts that lhs2TeX reads; its own styles are none."""
    if is_haskell(path):
        for include in INCLUDE.finditer(text):
            if not include["file"].endswith((".fmt", ".sty")):
                yield Link("part", include["file"], Span(*include.span("file")))
