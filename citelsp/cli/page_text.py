"""Markdown, as far as the documentation uses it, as text for a terminal."""

import re
from collections.abc import Iterator

from citelsp.cli import paint

_FENCE = "```"
_ITEM = re.compile(r"(?:[-*]|\d+\.) ")  # the beginning of an item of a list
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")  # the line below a table's head
_BETWEEN_CELLS = re.compile(r"(?<!\\)\|")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\((?P<target>[^)]*)\)")
_EMPHASIS = re.compile(r"(?<![\w*`])\*(?=\S)([^*`]+)\*(?!\w)")
_GAP = 2  # columns between the cells of a table


def render_page(page: str, width: int) -> str:
    """Return the page wrapped to `width` columns: headings bold, code as it is, tables in columns or row by row."""
    blocks = [_render_block(block, width) for block in _split_blocks(page)]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _split_blocks(page: str) -> Iterator[list[str]]:
    """Split a page into blocks of lines: paragraphs, headings, tables, lists and fenced code.

    Empty lines and comments of one line end a block and are left out, but stay in fenced code.  Nothing else ends one,
    so a fence stands between empty lines.  A block without lines may come, as between two empty lines.
    """
    lines: list[str] = []
    is_in_code = False
    for line in page.splitlines():
        if line.startswith(_FENCE):
            is_in_code = not is_in_code
        ends_block = not line.strip() or line.startswith("<!--")
        if ends_block and not is_in_code:
            yield lines
            lines = []
        else:
            lines.append(line)
    yield lines


def _render_block(lines: list[str], width: int) -> str:
    """Write one block, of the kind that it begins like; "" if it has nothing but pictures, or no line."""
    first = lines[0] if lines else ""
    if first.startswith(_FENCE):
        return "\n".join(f"    {line}" for line in lines if not line.startswith(_FENCE))
    if first.startswith("#"):
        return paint.paint(_make_plain(first.lstrip("# ")), "bold")
    if first.startswith("|"):
        return _write_table([_split_cells(line) for line in lines if not _RULE.fullmatch(line)], width)
    return "\n".join(_wrap(paragraph, width) for paragraph in _join_paragraphs(lines)).strip()


def _join_paragraphs(lines: list[str]) -> Iterator[str]:
    """Yield the block as a line without breaks; of a list each item by itself, with the lines that continue it."""
    paragraph: list[str] = []
    for line in lines:
        if _ITEM.match(line) and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        paragraph.append(line.strip())
    if paragraph:
        yield " ".join(paragraph)


def _wrap(paragraph: str, width: int) -> str:
    """Return the paragraph on lines of at most `width` columns; those of an item stand below its text, not its mark."""
    item = _ITEM.match(paragraph)
    return paint.wrap(_make_plain(paragraph), width, len(item[0]) if item else 0)


def _make_plain(text: str) -> str:
    """Remove pictures and emphasis; write links as their text, with the address if it is not a page of ours."""
    text = _LINK.sub(_write_link, _IMAGE.sub("", text)).replace("**", "").replace(r"\|", "|")
    return _EMPHASIS.sub(r"\1", text)


def _write_link(found: re.Match[str]) -> str:
    target = found["target"]
    return f"{found[1]} ({target})" if "://" in target else found[1]


def _split_cells(row: str) -> list[str]:
    return [_make_plain(it.strip()) for it in _BETWEEN_CELLS.split(row.strip().strip("|"))]


def _write_table(rows: list[list[str]], width: int) -> str:
    """Write a table, whose first row is the head, in lines of `width` columns.

    The last column takes the room that is left, and is wrapped.  If the others take more than half of `width`, that
    room would be too narrow: then each row but the head is written as a list of its cells (`_write_row`).
    """
    head, *body = rows
    *columns, _ = zip(*rows, strict=False)  # all columns but the last
    widths = [max(map(len, column)) + _GAP for column in columns]
    indent = sum(widths)
    if indent <= width // 2:
        lines = []
        for row in rows:
            # Not strict: the last cell has no width, and is not padded.
            padded = [cell.ljust(cell_width) for cell, cell_width in zip(row, widths, strict=False)]
            lines.append(paint.wrap("".join(padded) + row[-1], width, indent))
        first, *others = lines
        return "\n".join([paint.paint(first, "bold"), *others])
    return "\n\n".join(_write_row(head, row, width) for row in body)


def _write_row(head: list[str], row: list[str], width: int) -> str:
    """Return a row of a table as lines: its first cell as a heading, then each cell behind the name of its column."""
    first, *others = row
    lines = [paint.wrap(paint.paint(first, "bold"), width)]
    for name, cell in zip(head[1:], others, strict=False):
        if cell:
            lines.append(paint.wrap(f"  {name}: {cell}" if name else f"  {cell}", width))
    return "\n".join(lines)
