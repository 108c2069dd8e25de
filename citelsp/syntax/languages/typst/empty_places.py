"""Places for a key in Typst's calls that cite, at which none stands yet: `#cite(<>)`, `cite(<>, form: "prose")`."""

import re

from citelsp.base.text import Span
from citelsp.syntax.nodes import Placeholder

_ALONE = re.compile(r"#(?P<command>cite)\( *(?:<> *)?\);?")
# A call up to its key: named arguments may stand before it.
_UP_TO_KEY = re.compile(
    r"(?<![\w-])(?P<command>[\w-]*cit(?:e|ation)[\w-]*)\("
    r"(?:\s*[\w-]+\s*:\s*(?:\"[^\"\n]*\"|\[[^\[\]]*\]|[\w-]+)\s*,)*\s*"
    r"(?P<key><>?|label\(\s*(?P<quote>\")|)\Z"
)
_LOOK_BACK = 400  # characters
_BEHIND = re.compile(r"(?P<close><>|>|)\s*(?:[,)]|\Z|\n)")


def find(text: str, offset: int) -> Placeholder | None:
    """Return a placeholder for the key that may stand at `offset`; None if no call that cites lacks one there.

    If its `before` is not empty, one key alone can stand there: `<` of a label, or the quotation mark of its name.
    """
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:].partition("\n")[0]
    for call in _ALONE.finditer(line):
        if call.start() < offset - start < call.end():
            whole = Span(*call.span()).moved(start)
            return Placeholder("", whole, call["command"], whole)
    return _find_among_arguments(text, offset)


def _find_among_arguments(text: str, offset: int) -> Placeholder | None:
    call = _UP_TO_KEY.search(text, max(0, offset - _LOOK_BACK), offset)
    if call is None:
        return None
    if call["quote"]:
        place = Span(offset, offset)
        is_open = not text.startswith('"', offset)
        return None if is_open else Placeholder("", place, call["command"], Span(call.start(), offset), before='"')
    behind = _BEHIND.match(text, offset)
    if behind is None:
        return None
    end = behind.end("close")
    return Placeholder("", Span(call.start("key"), end), call["command"], Span(call.start(), end), before="<")
