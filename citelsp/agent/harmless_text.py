"""Text that strangers, models and endpoints wrote, made harmless to show: to people and to models."""

import re

_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u034f\u061c\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff"
    r"\ufe00-\ufe0f\U000e0000-\U000e0fff]"  # selectors and tags, in which whole sentences can hide from readers
)
_FENCES = str.maketrans({"«": "‹", "»": "›", "<": "‹", ">": "›", "`": "'"})


def make_plain(text: str, limit: int) -> str:
    """Put text on one line of at most so many characters, cut after a word; replace control characters and fences."""
    line = " ".join(_CONTROL.sub(" ", text[: 4 * limit]).translate(_FENCES).split())
    if len(line) <= limit:
        return line
    end = line.rfind(" ", limit // 2, limit)
    return line[: end if end > 0 else limit - 1] + "…"
