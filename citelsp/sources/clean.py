"""Plain text out of what services send: markup, entities, doubly encoded letters."""

import html
import re

from citelsp.bibliography.names import Name

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|list|list-item|div|br|h\d)\b[^<>]{0,200}>", re.IGNORECASE)
_FORMULA = re.compile(r"<(?:\w+:)?(?:tex-math|annotation)\b.*?</(?:\w+:)?(?:tex-math|annotation)>", re.DOTALL)
_MOJIBAKE = re.compile("[ÂÃÄÅâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
_HOMONYM = re.compile(r"\s+\d{4}$")
_RETRACTED = re.compile(r"^\W*(?:retracted(?:\s+article)?|withdrawn(?:\s+article)?|removed)\s*[:\]]\s*", re.IGNORECASE)


def plain(text: str) -> str:
    """Tags dropped, entities resolved (twice, as some services escape twice), letters repaired, spaces collapsed."""
    if "<" in text or "&" in text:
        for _ in range(2):
            text = html.unescape(_TAG.sub("", _BLOCK.sub(" ", _FORMULA.sub("", text))))
    return " ".join(repaired(text).split())


def repaired(text: str) -> str:
    """UTF-8 once read as Windows-1252 or Latin-1, read again as what it was."""
    if not _MOJIBAKE.search(text):
        return text
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return text


def title(text: str) -> str:
    """A title without its closing full stop and the publisher's notice of retraction."""
    cleaned = _RETRACTED.sub("", plain(text))
    return cleaned.removesuffix(".") if not cleaned.endswith("..") else cleaned


def says_retracted(text: str) -> bool:
    """Whether a publisher marked the title as that of a retracted work."""
    return bool(_RETRACTED.match(plain(text)))


def joined(head: str, tail: str) -> str:
    """Title and subtitle, unless the title already ends with it."""
    head, tail = title(head), title(tail)
    if not tail or tail.casefold() in head.casefold():
        return head
    return f"{head.rstrip(':')}: {tail}" if head else tail


def person(given: str, family: str, suffix: str = "") -> Name:
    """A name that the service has split."""
    family, given = plain(family), plain(given)
    if not family:
        return Name(given, literal=True)
    if family.isupper() and len(family) > 3 and family.isalpha():
        family = family.capitalize()
    return Name(family, given, plain(suffix))


def display_name(text: str) -> Name:
    """A name as one string, "Given Family" or "Family, Given", DBLP's homonym number dropped."""
    return split_name(_HOMONYM.sub("", plain(text)))


_PARTICLES = re.compile(
    "(?:af|al|ap|ben|bin|da|dal|de|del|della|den|der|des|di|do|dos|du|el|la|las|le|los|ten|ter|van|von|zu)",
    re.IGNORECASE,
)
_SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})


def split_name(text: str) -> Name:
    if "," in text:
        family, given, *rest = (part.strip() for part in text.split(","))
        if given.casefold() in _SUFFIXES:
            return Name(family, rest[0] if rest else "", given)
        return Name(family, given, rest[0] if rest else "")
    words = text.split()
    suffix = words.pop() if len(words) > 2 and words[-1].casefold() in _SUFFIXES else ""
    if not words:
        return Name("", literal=True)
    start = len(words) - 1
    while start > 1 and _PARTICLES.fullmatch(words[start - 1]):
        start -= 1
    return Name(" ".join(words[start:]), " ".join(words[:start]), suffix)
