"""The YAML of one item of a bibliography, with every scalar as text."""

import re
from typing import TYPE_CHECKING

from citelsp.base import bounds
from citelsp.base.text import Span
from citelsp.syntax.nodes import EntryProblem

if TYPE_CHECKING:
    import yaml

_ITEM_IN_BRACES = re.compile(r"[ \t]*-[ \t]*\{")


def load(source: str) -> object:
    """Parse an item into maps, lists and strings; None if it is no YAML, or is nested deeper than anyone writes."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return None if _is_deep(source) else yaml.load(source, Loader=loader)  # noqa: S506  # makes strings only
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def find_depth_problem(source: str) -> list[EntryProblem]:
    """Say that an item is not read because it is nested too deeply; empty if it is not, or if it is no YAML."""
    import yaml

    try:
        too_deep = _is_deep(source)
    except (yaml.YAMLError, ValueError, RecursionError):
        return []
    message = f"citelsp reads no item of more than {bounds.LEVELS} levels"
    return [EntryProblem(message, line_around(source, 0), serious=False)] if too_deep else []


def find_syntax_problem(source: str) -> list[EntryProblem]:
    """Say what is no YAML in an item that stands at the margin of its file; empty if all is.

    Also empty if the reader gives up without saying what it minds.  An alias whose anchor stands in another item is no
    fault: so the item is only parsed, not composed, at which PyYAML would mind that.
    """
    import yaml

    try:
        for _ in yaml.parse(source, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
            pass
    except yaml.MarkedYAMLError as error:
        offset = _offset_of(source, error.problem_mark)
        return [EntryProblem(f"This is not YAML ({error.problem})", line_around(source, offset))]
    except yaml.reader.ReaderError:
        # PyYAML's reader in C counts bytes up to what it minds, so it is looked for once more.
        unprintable = yaml.reader.Reader.NON_PRINTABLE.search(source)
        if unprintable is None:
            return []
        message = f"This is not YAML (it has a control character, U+{ord(unprintable[0]):04X})"
        return [EntryProblem(message, line_around(source, unprintable.start()))]
    except (yaml.YAMLError, ValueError, RecursionError):
        return []
    return []


def find_value_nodes(source: str) -> "yaml.MappingNode | None":
    """The map that the item's key names, with the places of its values; None if it is none, or no YAML.

    None also if an alias in it has its anchor in another item.  For an item in which `find_depth_problem` finds
    nothing: one that is nested deeper could exhaust the stack.
    """
    import yaml

    try:
        node = yaml.compose(source, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if not isinstance(node, yaml.MappingNode) or not node.value:
        return None
    _, value = node.value[0]
    return value if isinstance(value, yaml.MappingNode) else None


def _offset_of(source: str, mark: "yaml.Mark | None") -> int:
    """The offset of the line and column at which YAML stumbled, both from 0; of the item's start if it does not say."""
    if mark is None:
        return 0
    lines = source.split("\n")[: mark.line]
    return min(sum(len(line) + 1 for line in lines) + mark.column, len(source))


def find_own(pattern: re.Pattern[str], source: str) -> re.Match[str] | None:
    """Find the name in a YAML mapping that a pattern matches, if it stands in the item itself and in a map within it.

    The item's own is on the line that is indented least, or if it is on no line the first in braces.  Of an item that
    is in braces itself, `- {id: a, custom: {…}}`, the first counts.  The pattern's group `indent` is what stands before
    the name on its line, with a hyphen; None in braces.  The result is None if the pattern matches nothing.
    """
    if _ITEM_IN_BRACES.match(source):
        return pattern.search(source)

    def indent(match: re.Match[str]) -> int:
        return len(source if match["indent"] is None else match["indent"])

    return min(pattern.finditer(source), key=indent, default=None)


def line_around(source: str, offset: int) -> Span:
    """The line in which an offset stands, without the white space around it."""
    start = source.rfind("\n", 0, offset) + 1
    end = source.find("\n", offset)
    line = source[start : end if end >= 0 else len(source)]
    indent = len(line) - len(line.lstrip())
    return Span(start + indent, start + max(indent, len(line.rstrip())))


def _is_deep(source: str) -> bool:
    """True if lists and maps are nested more than bounds.LEVELS deep: PyYAML's reader in C would exhaust the stack.

    What PyYAML raises of a text that is no YAML is for the caller.
    """
    # A level needs at least one of these signs: with few of them nothing has to be parsed.
    if sum(map(source.count, "[{-?:")) <= bounds.LEVELS:
        return False
    import yaml

    depth = 0
    # PyYAML's reader in C, where it was built, is the quicker one.
    for event in yaml.parse(source, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > bounds.LEVELS:
            return True
    return False
