"""Whether an at sign in Markdown begins a citation, by what stands before it."""

import re

from citelsp.syntax.languages.markdown.indented_code import Placed, is_indented_code

_TARGET = re.compile(r"(?:[a-zA-Z][\w+.-]*://\S*|\]\([^()\s]*|<[a-zA-Z][^<>\n]*|www\.\S*|mailto:\S*)\Z")
_ADDRESS = r"(?:<[^<>\n]*>|(?:[^\s()<]|\([^\s()]*\))+)"
_SPACE = r"[ \t]*\n?[ \t]*"
_TITLE = re.compile(
    rf"(?:\]\({_SPACE}|\]:{_SPACE}){_ADDRESS}(?:[ \t]+\n?[ \t]*|\n[ \t]*)(?:\"[^\"\n]*|'[^'\n]*|\([^()\n]*)"
)
_DEFINED = re.compile(r" {0,3}\[(?![\^@])[^\]\n]+")
_ATTRIBUTE = re.compile(r"\{[^{}\n]*(?<!cap)=(?:\"[^\"\n]*|'[^'\n]*)")  # captions are prose to Quarto
_MATH = re.compile(r"(?<![\\$])\$(?=[^\s$])(?:[^$\n\\]|\\.)*(?<=[^\s$])\$(?![\d$])")
_EMPHASIS = re.compile(r"(?<!\\)(?:\*+|_+)")
_BACK, _EMPHASISED = 500, 200  # characters


def is_prose(text: str, line: int, offset: int, code: dict[int, Placed]) -> bool:
    """False if the `@`, whose line begins at `line`, is escaped or part of something else.

    That is a word, code, an address, the target or title of a link, an attribute, mathematics.  `code`: what is known
    of lines that may be indented code.
    """
    before = text[offset - 1 : offset] if offset else ""
    if before == "\\" or (before == "." and _is_within_word(text, offset)):
        return False
    if text.startswith((" ", "\t"), line) and is_indented_code(text, line, code):
        return False
    if _is_target(text, line, offset) or _is_title(text, offset) or _is_attribute(text, line, offset):
        return False
    return before not in ("*", "_") or not _closes_emphasis(text, offset)


def _is_within_word(text: str, offset: int) -> bool:
    """True if a full stop binds the `@` to its word; pandoc reads three, an ellipsis, by themselves."""
    before = text[max(0, offset - _BACK) : offset]
    dots = len(before) - len(before.rstrip("."))
    return dots % 3 > 0 and not (dots == 1 and text[offset - 2 : offset - 1] == "\\")


def _is_target(text: str, line_start: int, offset: int) -> bool:
    """True if `offset` stands in an address, in the target of a link, in an HTML tag or in mathematics."""
    start = max(line_start, offset - _BACK)
    # No address ends in these: most citations need no look at all for one.
    alone = offset == start or text[offset - 1] in " [;" or (text[offset - 1] == "(" and text[offset - 2] != "]")
    if (not alone or text.find("<", start, offset) >= 0) and _TARGET.search(text, start, offset):
        return True
    if text.find("$", start, offset) < 0:
        return False
    # Mathematics on one line, and near: two dollar amounts in a paragraph are no formula around what they enclose.
    end = text.find("\n", offset)
    end = min(len(text) if end < 0 else end, offset + _BACK)
    return any(it.start() < offset < it.end() for it in _MATH.finditer(text, start, end))


def _is_title(text: str, offset: int) -> bool:
    """True in the title of a link, or of the address that a label stands for."""
    start = max(0, offset - _BACK)
    inline = text.rfind("](", start, offset)
    if inline >= 0 and _TITLE.fullmatch(text, inline, offset):
        return True
    label = text.rfind("]:", start, offset)
    if label < 0:
        return False
    line = max(start, text.rfind("\n", start, label) + 1)
    return all((_DEFINED.fullmatch(text, line, label), _TITLE.fullmatch(text, label, offset)))


def _is_attribute(text: str, line_start: int, offset: int) -> bool:
    opening = text.rfind("{", max(line_start, offset - 4 * _BACK), offset)
    return opening >= 0 and _ATTRIBUTE.fullmatch(text, opening, offset) is not None


def _closes_emphasis(text: str, offset: int) -> bool:
    """True behind the stars or underscores that end an emphasis: pandoc reads on as in a word."""
    start = max(0, offset - _EMPHASISED)
    start = max(start, text.rfind("\n\n", start, offset))
    unclosed: list[str] = []
    closed = -1
    for run in _EMPHASIS.finditer(text, start, offset):
        before = text[max(start, run.start() - 1) : run.start()]
        after = text[run.end() : run.end() + 1]
        opened = _opened(unclosed, run[0]) if before.strip() else None
        if opened is not None:
            del unclosed[opened:]
            closed = run.end()
        elif after.strip() and (run[0][0] == "*" or not before.isalnum()):
            unclosed.append(run[0])
    return closed == offset


def _opened(unclosed: list[str], run: str) -> int | None:
    """Which of the runs still open, up to the last, are together what closes them."""
    missing = len(run)
    for index in range(len(unclosed) - 1, -1, -1):
        missing -= len(unclosed[index])
        if missing < 0 or unclosed[index][0] != run[0]:
            return None
        if missing == 0:
            return index
    return None
