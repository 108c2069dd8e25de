"""Naming one more bibliography in the YAML of Markdown, or in a file of metadata: `bibliography:`."""

import re
from collections.abc import Iterable, Sequence

from citelsp.base.text import Span, newline_of
from citelsp.syntax.languages.language import Replacement
from citelsp.syntax.nodes import Link

_LINE_END = re.compile(r"\r?\n|\Z")
_OPEN_LIST = re.compile(r":\s*\[[^\]]*\Z")  # in brackets
_NO_BIBLIOGRAPHY = re.compile(  # a setting that names none yet
    r"^bibliography[ \t]*:(?P<value>(?:[ \t]*(?:\[[ \t]*(?:(?:\"\"|'')[ \t]*)?\]|\{\}|\"\"|''|null|~))?)"
    r"(?=[ \t]*(?:#[^\n]*)?\r?$)",
    re.MULTILINE,
)
# A list with an item that names none yet: `bibliography:` with `-` below.
_EMPTY_ITEM = re.compile(r"^bibliography[ \t]*:[ \t]*(?:#[^\n]*)?\r?\n[ \t]*-(?=[ \t]*(?:#[^\n]*)?\r?$)", re.MULTILINE)
_OTHER_FRONT = re.compile(  # pandoc's title block, Hugo's front matter: what must stay first
    r"\ufeff?(?:(?:%[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){1,3}|\+\+\+[ \t\r]*\n(?s:.*?)\n\+\+\+[ \t\r]*\n|\ufeff)"
)


def declare(text: str, _hidden: Sequence[Span], name: str, _texts: Iterable[str]) -> Replacement:
    """Return the edit by which a document names the bibliography `name` in the YAML at its beginning.

    A document without such YAML gets some.  The hidden parts and the texts of the other documents, which LaTeX needs to
    know, say nothing here.
    """
    from citelsp.syntax.languages.markdown.parsing import metadata_blocks

    newline = newline_of(text)
    blocks = metadata_blocks(text)
    begins_with_yaml = blocks and text[: blocks[0].start].strip("\ufeff \t\r\n") == "---"
    if begins_with_yaml:
        item = _EMPTY_ITEM.search(text, *blocks[0])
        if item:
            return Replacement(Span(item.end(), item.end()), f" {name}")
        setting = _NO_BIBLIOGRAPHY.search(text, *blocks[0])
        if setting:  # `bibliography: []` is there, to be filled in
            return Replacement(Span(*setting.span("value")), f" {name}")
        return Replacement(Span(blocks[0].end, blocks[0].end), f"bibliography: {name}{newline}")
    block = f"---{newline}bibliography: {name}{newline}---{newline}"
    other_front = _OTHER_FRONT.match(text)  # a title block, Hugo's front matter or a byte-order mark: they stay first
    offset = other_front.end() if other_front else 0
    # A blank line parts the new block from what stays before it, or else from what follows.
    if other_front and other_front[0].endswith("\n"):
        return Replacement(Span(offset, offset), newline + block)
    return Replacement(Span(offset, offset), block + newline)


def insert_beside(text: str, link: Link, name: str) -> Replacement:
    """Return the edit that names the bibliography `name` beside the one that `link` names.

    It is added to the list in which that one stands; a name that stands alone, or in a map, becomes a list of both.
    """
    span = link.span
    quote = text[span.start - 1] if span.start > 0 else ""
    if quote and quote in "'\"" and text.startswith(quote, span.end):  # the quotes around the name belong to it
        span = Span(span.start - 1, span.end + 1)
    before = text[text.rfind("\n", 0, span.start) + 1 : span.start]  # on its line
    if before.lstrip().startswith("- "):  # in a list with an item a line
        indent = before[: len(before) - len(before.lstrip())]
        # At the line's end, behind a comment that may stand there; the text's end counts as one.
        line_end = next(match.start() for match in _LINE_END.finditer(text, span.end))
        return Replacement(Span(line_end, line_end), f"{newline_of(text)}{indent}- {name}")
    if _OPEN_LIST.search(text, 0, span.start):  # in `[a.bib, b.bib]`
        return Replacement(Span(span.end, span.end), f", {name}")
    return Replacement(span, f"[{span.within(text)}, {name}]")
