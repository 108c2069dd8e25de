r"""Titles with commands of the author's own: `The \lhcb detector`.

What they print stands in the author's class or preamble, so of such a title nobody else knows every word.
"""

from citelsp.bibliography import decode_tex
from citelsp.bibliography.tolerant_comparison import titles

_LEAST = 3  # words that are known, and half of all


def agree(written: str, cited: str, recorded: str) -> bool:
    """Whether the recorded title is the cited one with words or formulas where the TeX has a command of its own."""
    if "\\" not in written or not decode_tex.has_own_command(written):
        return False
    mine = titles.comparable(cited)
    its = titles.comparable(recorded)
    rest = iter(its)
    return len(mine) >= _LEAST and len(its) <= 2 * len(mine) and all(it in rest for it in mine)
