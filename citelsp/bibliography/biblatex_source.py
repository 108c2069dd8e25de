"""An entry of any format as a biblatex entry that stands by itself, for programs that read those."""

import re

from citelsp.bibliography.entry import Entry
from citelsp.syntax.bibtex.blocks import BibNode

_NAME = re.compile(r"[a-z][\w-]*", re.ASCII)
_LEFT_OUT = frozenset("crossref xref xdata entryset ids related options abstract keywords file".split())
_DATED = {"year", "month", "date"}


def write(entry: Entry) -> str:
    """The entry with its macros replaced and what it inherits written out, under the key `k`.

    A type whose name is no plain word becomes @misc; fields whose name is none, and those in _LEFT_OUT, are left out.
    """
    kind = entry.kind if _NAME.fullmatch(entry.kind) else "misc"
    # A parent's year beside the entry's own date would be a second date.
    older = _DATED - entry.own.keys() if entry.own.keys() & {"year", "date"} else set()
    values = {it: value for it, value in entry.values.items() if it not in _LEFT_OUT | older and _NAME.fullmatch(it)}
    if not isinstance(entry.node, BibNode):
        # A title of biblatex is in headline case, which a style may lower; of other formats it is as it is printed.
        values |= {name: f"{{{value}}}" for name, value in values.items() if name.endswith("title")}
    fields = "".join(f",\n  {name} = {{{value}}}" for name, value in values.items())
    return f"@{kind}{{k{fields}\n}}\n"
