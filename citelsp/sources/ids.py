"""Identifiers as services send them, normalised."""

import re

from citelsp.bibliography.identifiers import Identifiers

_DOI = re.compile(r"10\.\d{4,9}/\S+", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?<![\d.])(\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{7})(v\d+)?(?!\d)", re.IGNORECASE
)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ACL_DOI = re.compile(r"10\.(?:18653/v1|3115/v1)/(.+)", re.IGNORECASE)


def doi(text: str) -> str:
    """Lower case, without resolver; "" where there is none."""
    found = _DOI.search(text)
    return found[0].lower().rstrip(".,;") if found else ""


def arxiv(text: str) -> str:
    """Without version; "" where there is none."""
    found = _ARXIV.search(text)
    return found[1] if found else ""


def isbn(text: str) -> str:
    """Thirteen digits, also from ten; "" where the check digit is wrong."""
    digits = "".join(it for it in text.upper() if it.isdigit() or it == "X")
    if len(digits) == 10 and digits[:9].isdigit():
        body = "978" + digits[:9]
        return body + _check(body) if _ten(digits) else ""
    return digits if len(digits) == 13 and digits.isdigit() and _check(digits[:12]) == digits[12] else ""


def _ten(digits: str) -> bool:
    values = [10 if it == "X" else int(it) for it in digits]
    return sum(weight * value for weight, value in zip(range(10, 0, -1), values, strict=True)) % 11 == 0


def _check(body: str) -> str:
    return str(-sum(int(it) * (3 if place % 2 else 1) for place, it in enumerate(body)) % 10)


def pmcid(text: str) -> str:
    digits = text.upper().removeprefix("PMC")
    return f"PMC{digits}" if digits.isdigit() else ""


def identifiers(*, doi_text: str = "", arxiv_text: str = "", **others: str) -> Identifiers:
    """Identifiers of a record.  The DOI of an arXiv preprint is its arXiv id, and an ACL DOI names its ACL id."""
    found, preprint = doi(doi_text), arxiv(arxiv_text)
    if (own := _ARXIV_DOI.fullmatch(found)) is not None:
        found, preprint = "", preprint or arxiv(own[1]) or own[1]
    if (acl := _ACL_DOI.fullmatch(found)) is not None and "acl" not in others:
        others["acl"] = acl[1] if acl[1][0].isdigit() else acl[1].upper()
    return Identifiers(doi=found, arxiv=preprint, **others)


def arxiv_year(preprint: str) -> int | None:
    """The year of submission that every arXiv id tells."""
    digits = preprint.rpartition("/")[2][:2]
    if not digits.isdigit():
        return None
    return (1900 if int(digits) > 90 else 2000) + int(digits)
