"""An item of a reference list as printed: by what names its work may be known."""

import re

from citelsp.corpus.words import key_number, title_key

DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}]+[^\s\"<>{}.,;:)\]]")
_ARXIV = re.compile(
    r"arXiv[:.\s]\s*(?:abs/)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})|abs/(\d{4}\.\d{4,5})", re.IGNORECASE
)
_QUOTED = re.compile(r"[“\"‘]([^”\"’]{15,300}?)[,.?]?[”\"’]")
_CUT = re.compile(
    r"(?<=[^\W\d_]{2})[.?!]\s+(?=[A-Z\d“\"]|arXiv|https?:|doi)|(?<=\b[A-Z])\.\s+(?=[A-Z][a-z]+[ :])|"
    r"(?<=\d)[a-z]?\)?[.,:]\s+|\)[.,]?\s+(?=[A-Z])|,\s+(?=in\b|In\b|[Pp]roc)"
)
_TITLES = 6


def names(item: str) -> list[str]:
    """The names under which the work of an item may be in the corpus, `doi:…`, `arxiv:…` and `title:…`."""
    found = [f"doi:{it.lower()}" for it in DOI.findall(item)]
    found += [f"arxiv:{new or other}" for new, other in _ARXIV.findall(item)]
    # Quotation marks stand around titles alone; without them any part between full stops may be one.
    quoted = _QUOTED.findall(item)
    parts = [it for it in quoted or _CUT.split(item) if _may_be_title(it)]
    return list(dict.fromkeys([*found, *map(title_name, parts[:_TITLES])]))


def title_name(title: str) -> str:
    """The name of a work by its title, equal for two spellings of it."""
    return f"title:{key_number(title_key(title))}"


def _may_be_title(part: str) -> bool:
    words = part.split()
    initials = sum(len(it.strip(".,")) == 1 for it in words)
    return len(part) >= 12 and len(words) >= 2 and initials <= len(words) / 4
