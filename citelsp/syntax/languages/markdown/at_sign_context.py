"""Whether an at sign in Markdown begins a citation, by what stands before it."""

import re

from citelsp.syntax.languages.latex.grammar import is_escaped
from citelsp.syntax.languages.markdown.indented_code import LinePlace, is_indented_code

NOT_IN_WORD = r"@(?<![^\W_]@)"  # no `@` behind a letter or a figure is looked at, as in `doe@example.org`
# An address or the target of a link from its beginning up to a place in it: `https://a.org/`, `](a`, `<a href=`.
_TARGET = re.compile(r"(?:[a-zA-Z][\w+.-]*://\S*|\]\([^()\s]*|<[a-zA-Z][^<>\n]*|www\.\S*|mailto:\S*)\Z")
_ADDRESS = r"(?:<[^<>\n]*>|(?:[^\s()<]|\([^\s()]*\))+)"
_SPACE = r"[ \t]*\n?[ \t]*"
# From `](` or `]:` over the address up to a place in the title behind it.
_TITLE = re.compile(
    rf"(?:\]\({_SPACE}|\]:{_SPACE}){_ADDRESS}(?:[ \t]+\n?[ \t]*|\n[ \t]*)(?:\"[^\"\n]*|'[^'\n]*|\([^()\n]*)"
)
_LINK_LABEL = re.compile(r" {0,3}\[(?![\^@])[^\]\n]+")  # of a definition, `[label]: address "title"`
_ATTRIBUTE = re.compile(r"\{[^{}\n]*(?<!cap)=(?:\"[^\"\n]*|'[^'\n]*)")  # captions are prose to Quarto
# `$x_1$` on one line.
_MATH = re.compile(r"(?<![\\$])\$(?=[^\s$])(?:[^$\n\\]|\\.)*(?<=[^\s$])\$(?![\d$])")
_EMPHASIS = re.compile(r"(?<!\\)(?:\*+|_+)")
_BOOKDOWN_REFERENCE = "@ref("  # `\\@ref(fig:a)`; in a string of R the backslash is doubled
_LOOK_BACK = 500  # characters: what an `@` is part of begins no further before it
_LOOK_BACK_ATTRIBUTE = 2000  # attributes in braces may be long
_LOOK_BACK_EMPHASIS = 200


def is_prose(text: str, line: int, offset: int, code: dict[int, LinePlace]) -> bool:
    """True if the `@` at `offset` may begin a citation; False if it is escaped or part of something else.

    It may be part of a word that a full stop joins to it (behind a letter, no `@` is looked at: NOT_IN_WORD), indented
    code, an address, the target or title of a link, an HTML tag, an attribute, a shortcode, or mathematics.  `line` is
    the offset at which its line begins; `code` is where `is_indented_code` keeps what it knows of lines: the same for
    all of a text, at first empty.
    """
    before = text[offset - 1 : offset] if offset else ""
    if before == "\\" and (is_escaped(text, offset) or text.startswith(_BOOKDOWN_REFERENCE, offset)):
        return False
    if before == "." and _is_within_word(text, offset):
        return False
    if text.startswith((" ", "\t"), line) and is_indented_code(text, line, code):
        return False
    if _is_target(text, line, offset) or _is_title(text, offset) or _is_attribute(text, line, offset):
        return False
    if _is_shortcode(text, line, offset):
        return False
    # Behind the end of an emphasis pandoc reads on as in a word: `*see*@key`.
    is_emphasis_mark = before in ("*", "_")
    return not is_emphasis_mark or not _closes_emphasis(text, offset)


def _is_within_word(text: str, offset: int) -> bool:
    """True if a full stop binds the `@` to its word; pandoc reads three, an ellipsis, by themselves."""
    before = text[max(0, offset - _LOOK_BACK) : offset]
    dots = len(before) - len(before.rstrip("."))
    is_escaped = dots == 1 and text[offset - 2 : offset - 1] == "\\"
    return dots % len("...") > 0 and not is_escaped


def _is_target(text: str, line_start: int, offset: int) -> bool:
    """True if the `@` at `offset` stands in an address, in the target of a link, in an HTML tag or in mathematics.

    Each is looked for on its line alone, which begins at `line_start`, and near.
    """
    start = max(line_start, offset - _LOOK_BACK)
    # No address goes on behind a space, `[`, `;` or `(`: most citations need no look for one.  Behind `](` one begins.
    before = text[offset - 1]
    stands_apart = offset == start or before in " [;" or (before == "(" and text[offset - 2] != "]")
    may_be_in_tag = text.find("<", start, offset) >= 0  # a tag holds spaces and such signs too
    if (not stands_apart or may_be_in_tag) and _TARGET.search(text, start, offset):
        return True
    if text.find("$", start, offset) < 0:
        return False
    # Mathematics on one line, and near: two dollar amounts in a paragraph are no formula around what they enclose.
    line_end = text.find("\n", offset)
    end = min(len(text) if line_end < 0 else line_end, offset + _LOOK_BACK)
    return any(formula.start() < offset < formula.end() for formula in _MATH.finditer(text, start, end))


def _is_title(text: str, offset: int) -> bool:
    """True if `offset` is in the title of a link, `[words](address "title")`, or in that of its definition.

    A definition stands on a line of its own: `[label]: address "title"`.
    """
    start = max(0, offset - _LOOK_BACK)
    target = text.rfind("](", start, offset)
    if target >= 0 and _TITLE.fullmatch(text, target, offset):
        return True
    label_end = text.rfind("]:", start, offset)
    if label_end < 0:
        return False
    line = max(start, text.rfind("\n", start, label_end) + 1)
    is_definition = _LINK_LABEL.fullmatch(text, line, label_end) is not None
    return is_definition and _TITLE.fullmatch(text, label_end, offset) is not None


def _is_attribute(text: str, line_start: int, offset: int) -> bool:
    """True in the value of an attribute in braces on the same line: `{width="@x"}`."""
    opening = text.rfind("{", max(line_start, offset - _LOOK_BACK_ATTRIBUTE), offset)
    return opening >= 0 and _ATTRIBUTE.fullmatch(text, opening, offset) is not None


def _is_shortcode(text: str, line_start: int, offset: int) -> bool:
    """True in a shortcode of Quarto or Hugo on the same line: `{{< video x.org/@y >}}`."""
    start = max(line_start, offset - _LOOK_BACK_ATTRIBUTE)
    opening = text.rfind("{{<", start, offset)
    if opening < 0:
        return False
    closing = text.find(">}}", opening, offset + _LOOK_BACK_ATTRIBUTE)
    return closing >= offset


def _closes_emphasis(text: str, offset: int) -> bool:
    """True if the stars or underscores right before `offset` end an emphasis, `*see*`.

    The emphasis has to begin in the same paragraph, and near.
    """
    start = max(0, offset - _LOOK_BACK_EMPHASIS)
    start = max(start, text.rfind("\n\n", start, offset))
    unclosed: list[str] = []  # runs of stars or underscores that opened an emphasis and are still open
    last_closing = -1  # where the last run ends that closed an emphasis
    for run in _EMPHASIS.finditer(text, start, offset):
        signs = run[0]
        before = text[max(start, run.start() - 1) : run.start()]
        after = text[run.end() : run.end() + 1]
        # A run closes behind a letter or sign, and opens before one; underscores do not open within a word.
        opened = _find_opened(unclosed, signs) if before.strip() else None
        if opened is not None:
            del unclosed[opened:]
            last_closing = run.end()
        elif after.strip() and (signs[0] == "*" or not before.isalnum()):
            unclosed.append(signs)
    return last_closing == offset


def _find_opened(unclosed: list[str], run: str) -> int | None:
    """Return the index of the first open run that `run` closes, and with it all opened since: `***` ends `**` and `*`.

    None unless the runs opened last are the same sign as `run` and together exactly as many.
    """
    missing = len(run)
    for index in range(len(unclosed) - 1, -1, -1):
        missing -= len(unclosed[index])
        if missing < 0 or unclosed[index][0] != run[0]:
            return None
        if missing == 0:
            return index
    return None
