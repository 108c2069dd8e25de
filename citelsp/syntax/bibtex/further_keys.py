"""Further keys of entries: biblatex's `ids`."""

import re

from citelsp.syntax.bibtex.blocks import BibNode

_IDS = ("ids", "IDS", "Ids")
_EQUALS = re.compile(r"\s*=")


def may_hold_aliases(text: str) -> bool:
    """A look at a whole bibliography, far faster than one at each of its entries."""
    for name in _IDS:
        offset = text.find(name)
        while offset >= 0:
            if not text[offset - 1].isalnum() and _EQUALS.match(text, offset + len(name)):
                return True
            offset = text.find(name, offset + 1)
    return False


def aliases_of(node: BibNode) -> tuple[str, ...]:
    source = node.source
    if not any(it in source for it in _IDS):
        return ()
    return tuple(key for it in node.raw("ids").split(",") if (key := it.strip()))
