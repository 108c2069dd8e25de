"""Naming one more bibliography in the YAML of Markdown, or in a file of metadata: `bibliography:`."""

import re
from collections.abc import Iterable, Sequence

from citelsp.base.text import Span, newline_of
from citelsp.syntax.languages.language import Replacement
from citelsp.syntax.nodes import Link

_LINE_END = re.compile(r"\r?\n|\Z")
_FLOW = re.compile(r":\s*\[[^\]]*\Z")  # a list in brackets that is still open
_EMPTY = re.compile(
    r"^bibliography[ \t]*:(?P<value>(?:[ \t]*(?:\[[ \t]*\]|null|~))?)(?=[ \t]*(?:#[^\n]*)?\r?$)", re.MULTILINE
)
_OTHER_FRONT = re.compile(  # pandoc's title block, Hugo's front matter: what must stay first
    r"\ufeff?(?:(?:%[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){1,3}|\+\+\+[ \t\r]*\n(?s:.*?)\n\+\+\+[ \t\r]*\n|\ufeff)"
)


def declare(text: str, _hidden: Sequence[Span], name: str, _texts: Iterable[str]) -> Replacement:
    from citelsp.syntax.languages.markdown.parsing import metadata_blocks

    newline = newline_of(text)
    blocks = metadata_blocks(text)
    if blocks and text[: blocks[0].start].strip("\ufeff \t\r\n") == "---":
        empty = _EMPTY.search(text, *blocks[0])
        if empty:
            return Replacement(Span(*empty.span("value")), f" {name}")
        return Replacement(Span(blocks[0].end, blocks[0].end), f"bibliography: {name}{newline}")
    first = _OTHER_FRONT.match(text)
    offset = first.end() if first else 0
    lead = newline if first and first[0].endswith("\n") else ""
    block = f"---{newline}bibliography: {name}{newline}---{newline}"
    return Replacement(Span(offset, offset), lead + block + ("" if lead else newline))


def insert_beside(text: str, link: Link, name: str) -> Replacement:
    span = link.span
    if span.start > 0 and text[span.start - 1] in "'\"" and text[span.end : span.end + 1] == text[span.start - 1]:
        span = Span(span.start - 1, span.end + 1)
    before = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    if before.lstrip().startswith("- "):
        indent = before[: len(before) - len(before.lstrip())]
        offset = next(it.start() for it in _LINE_END.finditer(text, span.end))
        return Replacement(Span(offset, offset), f"{newline_of(text)}{indent}- {name}")
    if _FLOW.search(text, 0, span.start):
        return Replacement(Span(span.end, span.end), f", {name}")
    return Replacement(span, f"[{span.within(text)}, {name}]")
