"""Markdown, as far as the documentation uses it, as text for a terminal."""

import re
from collections.abc import Iterator
from itertools import groupby

from citelsp.cli import paint

_FENCE = "```"
_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_CELL = re.compile(r"(?<!\\)\|")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\((?P<target>[^)]*)\)")
_GAP = 2  # columns between the cells of a table


def rendered(page: str, width: int) -> str:
    """The page wrapped to `width` columns: headings bold, code as it is, tables in columns or row by row."""
    return "\n\n".join(text for block in _blocks(page) if (text := _rendered(block, width))) + "\n"


def _blocks(page: str) -> Iterator[list[str]]:
    """Paragraphs, headings, tables, lists and fenced code, as their lines."""
    lines: list[str] = []
    fenced = False
    for line in page.splitlines():
        if line.startswith(_FENCE):
            fenced = not fenced
        if not fenced and (not line.strip() or line.startswith("<!--")):
            yield lines
            lines = []
        else:
            lines.append(line)
    yield lines


def _rendered(lines: list[str], width: int) -> str:
    first = lines[0] if lines else ""
    if first.startswith(_FENCE):
        return "\n".join(f"    {it}" for it in lines if not it.startswith(_FENCE))
    if first.startswith("#"):
        return paint.paint(_plain(first.lstrip("# ")), "bold")
    if first.startswith("|"):
        return _table([_cells(it) for it in lines if not _RULE.fullmatch(it)], width)
    return "\n".join(_wrapped(it, width) for it in _paragraphs(lines)).strip()


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Each item of a list by itself, with the lines that continue it."""
    number = 0
    numbered = [(number := number + bool(_ITEM.match(it)), it.strip()) for it in lines]
    for _, group in groupby(numbered, key=lambda it: it[0]):
        yield " ".join(line for _, line in group)


def _wrapped(text: str, width: int) -> str:
    item = _ITEM.match(text)
    return paint.wrapped(_plain(text), width, len(item[0]) if item else 0)


def _plain(text: str) -> str:
    """Without pictures, and links as their text, with the address of what is not a page of ours."""
    text = _LINK.sub(_link, _IMAGE.sub("", text)).replace("**", "").replace(r"\|", "|")
    return re.sub(r"(?<![\w*`])\*(?=\S)([^*`]+)\*(?!\w)", r"\1", text)


def _link(found: re.Match[str]) -> str:
    target = found["target"]
    return f"{found[1]} ({target})" if "://" in target else found[1]


def _cells(row: str) -> list[str]:
    return [_plain(it.strip()) for it in _CELL.split(row.strip().strip("|"))]


def _table(rows: list[list[str]], width: int) -> str:
    """In columns if they fit, the last one wrapped; else a row as its cells, each on a line of its own."""
    head, *body = rows
    widths = [max(map(len, column)) + _GAP for column in list(zip(*rows, strict=False))[:-1]]
    indent = sum(widths)
    if indent <= width // 2:
        lines = ["".join(cell.ljust(size) for cell, size in zip(row, widths, strict=False)) + row[-1] for row in rows]
        first, *others = (paint.wrapped(it, width, indent) for it in lines)
        return "\n".join([paint.paint(first, "bold"), *others])
    return "\n\n".join(_row(head, row, width) for row in body)


def _row(head: list[str], row: list[str], width: int) -> str:
    first, *others = row
    named = [f"  {name}: {cell}" if name else f"  {cell}" for name, cell in zip(head[1:], others, strict=False) if cell]
    return "\n".join([paint.wrapped(paint.paint(first, "bold"), width), *(paint.wrapped(it, width, 4) for it in named)])
