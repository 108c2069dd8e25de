"""Titles made comparable."""

import re

from citelsp.bibliography.fold import squeezed

_SUBTITLE = re.compile(r"\s*(?:[:?!](?=\s)|\s[–—-](?=\s))\s*")


def key(title: str) -> str:
    """Letters and digits, folded: equal for titles that differ in case, accents, dashes, quotes and spaces."""
    return squeezed(title)


def parts(title: str) -> tuple[str, str]:
    """Title and subtitle: "Head: Tail" → ("Head", "Tail"); no subtitle is ""."""
    match = _SUBTITLE.search(title)
    if match is None or match.start() == 0:
        return title, ""
    return title[: match.start()].strip(), title[match.end() :].strip()


def joined(title: str, subtitle: str) -> str:
    """Both in one, unless the title holds the subtitle already."""
    if not subtitle or key(subtitle) in key(title):
        return title
    return f"{title.rstrip(' .:')}: {subtitle}" if title else subtitle
