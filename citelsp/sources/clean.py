"""Plain text out of what services send: markup, entities, doubly encoded letters."""

import html
import re
from collections.abc import Iterable

from citelsp.base.text import still
from citelsp.bibliography import names
from citelsp.bibliography.names import Name
from citelsp.bibliography.tolerant_comparison import titles

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|list|list-item|div|br|h\d)\b[^<>]{0,200}>", re.IGNORECASE)
_TWICE = re.compile(r"\$\$[^$]*\$\$(?=\s*\S)")  # as TeX, before the same as text
_FORMULA = re.compile(r"<(?:\w+:)?(?:tex-math|annotation)\b")
_FORMULA_END = re.compile(r"</(?:\w+:)?(?:tex-math|annotation)>")
# The first bytes of UTF-8's letters of Europe and of its quotes, each with what may follow it, read one by one.
_MOJIBAKE = re.compile("[ÂÃÄÅâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")


def plain(text: str) -> str:
    """Drop tags, resolve entities (twice, as some services escape twice), repair letters, collapse spaces."""
    if "<" in text or "&" in text:
        for _ in range(2):
            text = html.unescape(_TAG.sub("", _BLOCK.sub(" ", _without_formulas(text))))
    if "$$" in text:
        text = _TWICE.sub(" ", text)
    return still(" ".join(repair_encoding(text).split()))


def _without_formulas(text: str) -> str:
    """Remove the copies of formulas in TeX that stand beside those in MathML; one that is not closed stays."""
    parts: list[str] = []
    at = 0
    while True:
        start = _FORMULA.search(text, at)
        end = _FORMULA_END.search(text, start.end()) if start else None
        if not start or not end:
            break
        parts.append(text[at : start.start()])
        at = end.end()
    return "".join([*parts, text[at:]])


def repair_encoding(text: str) -> str:
    """UTF-8 once read as Windows-1252 or Latin-1, read again as what it was."""
    if text.isascii() or not _MOJIBAKE.search(text):
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return text


def title(text: str) -> str:
    """A title without its closing full stop and the publisher's notice of retraction."""
    cleaned = titles.RETRACTED.sub("", plain(text))
    return cleaned.removesuffix(".") if not cleaned.endswith("..") else cleaned


def says_retracted(text: str) -> bool:
    """Whether a publisher marked the title as that of a retracted work."""
    return bool(titles.RETRACTED.match(plain(text)))


def join_titles(head: str, tail: str) -> str:
    """Title and subtitle, unless the title holds it already."""
    return titles.join_titles(title(head), title(tail))


def person(given: str, family: str, suffix: str = "") -> Name:
    """A name that the service has split."""
    family, given = plain(family), plain(given)
    if not family:
        return Name(given, literal=True)
    # Publishers deposit names in capitals; three letters or fewer may be initials or a name such as LI.
    if family.isupper() and len(family) > 3 and family.isalpha():
        family = family.capitalize()
    return Name(family, given, plain(suffix))


def people(found: Iterable[Name]) -> tuple[tuple[Name, ...], bool]:
    """Return the people that have a name, and whether all have: a list with one that has none counts as cut."""
    everyone = list(found)
    named = tuple(it for it in everyone if it.family)
    return named, len(named) == len(everyone)


def display_name(text: str) -> Name:
    """A name as one string, "Given Family" or "Family, Given", DBLP's homonym number dropped."""
    whole = plain(text)
    return names.parse_one(whole) or Name(whole, literal=True)
