"""Text reduced to what does not vary between two ways of writing the same words."""

import re
import unicodedata

from citelsp.base.footprint import MB, remember

_LETTERS = str.maketrans(
    {"ß": "ss", "ẞ": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th",
     "Þ": "th", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ı": "i", "ŋ": "n", "ħ": "h", "ĸ": "k",
     "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-",
     "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"'}
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """Case, accents, ligatures, compatibility forms, dashes and quotation marks made equal.

    Letters that carry no combining mark get their usual spelling: ß → ss, ø → o, ł → l.  Scripts stay what they are.
    """
    if text.isascii():
        return text.lower()
    # Before and after: letters without a mark of their own do not decompose, and some decompose into such.
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(it for it in decomposed if not unicodedata.combining(it)).translate(_LETTERS).casefold()


@remember(MB // 4)
def words(text: str) -> tuple[str, ...]:
    """The folded words of a text: runs of letters and digits; hyphens and apostrophes part words."""
    return tuple(_WORD.findall(fold(text)))


def bare_letters(text: str) -> str:
    """The folded letters and digits alone, for comparing titles that differ in spaces, hyphens or punctuation."""
    return "".join(_WORD.findall(fold(text)))
