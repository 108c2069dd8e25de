"""The reference list of a paper as printed: its items, and by what names each may be known."""

import re
from collections.abc import Iterator

from citelsp.corpus.words import key_number, title_key

_MARKER = re.compile(r"^[^\S\n]*+(?:\[\d{1,4}\]|\d{1,3}\.(?=\s+\D))\s*", re.MULTILINE)
_FEWEST_MARKERS = 3
_STARTS = re.compile(
    r"^(?!(?:In|Proc\w*|Advances|Journal|Transactions|ACM|IEEE|Springer|Association|Conference)\b)"
    r"(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?, |(?:[A-Z]\.[ -]?)+ ?[A-Z]|[A-Z][\w'’-]+ (?:[A-Z]\. )*[A-Z])"
)
_ENDED = re.compile(r"[.\d)/]$")
DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}]+[^\s\"<>{}.,;:)\]]")
_ARXIV = re.compile(
    r"arXiv[:.\s]\s*(?:abs/)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})|abs/(\d{4}\.\d{4,5})", re.IGNORECASE
)
_QUOTED = re.compile(r"[“\"‘]([^”\"’]{15,300}?)[,.?]?[”\"’]")
_CUT = re.compile(
    r"(?<=[^\W\d_]{2})[.?!]\s+(?=[A-Z\d“\"]|arXiv|https?:|doi)|(?<=\b[A-Z])\.\s+(?=[A-Z][a-z]+[ :])|"
    r"(?<=\d)[a-z]?\)?[.,:]\s+|\)[.,]?\s+(?=[A-Z])|,\s+(?=in\b|In\b|[Pp]roc)"
)
_LONGEST, _MOST, _TITLES = 1500, 2000, 6


def split(text: str) -> list[str]:
    """The items of a list, each on one line, at most 2,000."""
    marks = [it.span() for it in _MARKER.finditer(text)]
    # One or two such marks may be numbers at the beginning of lines, such as a volume.
    if len(marks) >= _FEWEST_MARKERS or (marks and not text[: marks[0][0]].strip()):
        ends = [start for start, _ in marks[1:]] + [len(text)]
        items = [text[start:end] for (_, start), end in zip(marks, ends, strict=True)]
    else:
        items = list(_unmarked(text))
    joined = (" ".join(it.split())[:_LONGEST] for it in items)
    return [it for it in joined if len(it) > 20][:_MOST]


def _unmarked(text: str) -> Iterator[str]:
    """Items that begin with a name on a new line after a line that ended."""
    item: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if item and _ENDED.search(item[-1]) and _STARTS.match(line):
            yield " ".join(item)
            item = []
        item.append(line)
    if item:
        yield " ".join(item)


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
