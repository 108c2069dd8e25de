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


def is_prose(text: str, line: int, at: int, code: dict[int, Placed]) -> bool:
    """False if the `@`, whose line begins at `line`, is escaped or part of something else.

    That is a word, code, an address, the target or title of a link, an attribute, mathematics.  `code`: what is known
    of lines that may be indented code.
    """
    before = text[at - 1 : at] if at else ""
    if before == "\\" or (before == "." and _is_within_word(text, at)):
        return False
    if text.startswith((" ", "\t"), line) and is_indented_code(text, line, code):
        return False
    if _is_target(text, line, at) or _is_title(text, at) or _is_attribute(text, line, at):
        return False
    return before not in ("*", "_") or not _closes_emphasis(text, at)


def _is_within_word(text: str, at: int) -> bool:
    """True if a full stop binds the `@` to its word; pandoc reads three, an ellipsis, by themselves."""
    before = text[max(0, at - _BACK) : at]
    dots = len(before) - len(before.rstrip("."))
    return dots % 3 > 0 and not (dots == 1 and text[at - 2 : at - 1] == "\\")


def _is_target(text: str, line_start: int, at: int) -> bool:
    """True if `at` stands in an address, in the target of a link, in an HTML tag or in mathematics."""
    start = max(line_start, at - _BACK)
    # No address ends in these: most citations need no look at all for one.
    alone = at == start or text[at - 1] in " [;" or (text[at - 1] == "(" and text[at - 2] != "]")
    if (not alone or text.find("<", start, at) >= 0) and _TARGET.search(text, start, at):
        return True
    if text.find("$", start, at) < 0:
        return False
    # Mathematics on one line, and near: two dollar amounts in a paragraph are no formula around what they enclose.
    end = text.find("\n", at)
    end = min(len(text) if end < 0 else end, at + _BACK)
    return any(it.start() < at < it.end() for it in _MATH.finditer(text, start, end))


def _is_title(text: str, at: int) -> bool:
    """True in the title of a link, or of the address that a label stands for."""
    start = max(0, at - _BACK)
    if (inline := text.rfind("](", start, at)) >= 0 and _TITLE.fullmatch(text, inline, at):
        return True
    if (label := text.rfind("]:", start, at)) < 0:
        return False
    line = max(start, text.rfind("\n", start, label) + 1)
    return all((_DEFINED.fullmatch(text, line, label), _TITLE.fullmatch(text, label, at)))


def _is_attribute(text: str, line_start: int, at: int) -> bool:
    opening = text.rfind("{", max(line_start, at - 4 * _BACK), at)
    return opening >= 0 and _ATTRIBUTE.fullmatch(text, opening, at) is not None


def _closes_emphasis(text: str, at: int) -> bool:
    """True behind the stars or underscores that end an emphasis: pandoc reads on as in a word."""
    start = max(0, at - _EMPHASISED)
    start = max(start, text.rfind("\n\n", start, at))
    unclosed: list[str] = []
    closed = -1
    for run in _EMPHASIS.finditer(text, start, at):
        before, after = text[max(start, run.start() - 1) : run.start()], text[run.end() : run.end() + 1]
        opened = _opened(unclosed, run[0]) if before.strip() else None
        if opened is not None:
            del unclosed[opened:]
            closed = run.end()
        elif after.strip() and (run[0][0] == "*" or not before.isalnum()):
            unclosed.append(run[0])
    return closed == at


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
