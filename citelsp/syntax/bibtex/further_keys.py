"""Further keys of entries: biblatex's `ids`."""

import re

from citelsp.syntax.bibtex.blocks import BibNode

_IDS = ("ids", "IDS", "Ids")
_EQUALS = re.compile(r"\s*=")


def may_hold_aliases(text: str) -> bool:
    """A look at a whole bibliography, far faster than one at each of its entries."""
    for name in _IDS:
        at = text.find(name)
        while at >= 0:
            if not text[at - 1].isalnum() and _EQUALS.match(text, at + len(name)):
                return True
            at = text.find(name, at + 1)
    return False


def aliases_of(node: BibNode) -> tuple[str, ...]:
    source = node.source
    if not any(it in source for it in _IDS):
        return ()
    return tuple(key for it in node.raw("ids").split(",") if (key := it.strip()))
