"""Identifiers as services send them, normalised."""

import re

from citelsp.bibliography.identifiers import Identifiers, normal_arxiv, normal_doi

_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")  # `10.48550/arxiv.1706.03762`
_ACL_DOI = re.compile(r"10\.(?:18653/v1|3115/v1)/(.+)")  # `10.18653/v1/p19-1001`


def normal_pmcid(text: str) -> str:
    digits = text.upper().removeprefix("PMC")
    return f"PMC{digits}" if digits.isdigit() else ""


def make_identifiers(*, doi_text: str = "", arxiv_text: str = "", **others: str) -> Identifiers:
    """Make a record's identifiers of what a service wrote, each "" if it is none; `others` are taken as they are.

    arXiv's own DOI of a preprint is read as its arXiv id, and not kept; what follows its prefix counts as the id even
    if it does not look like one.  An ACL DOI also names its ACL id, unless `others` hold one.
    """
    doi = normal_doi(doi_text)
    arxiv = normal_arxiv(arxiv_text)
    of_arxiv = _ARXIV_DOI.fullmatch(doi)
    if of_arxiv:
        doi = ""
        arxiv = arxiv or normal_arxiv(of_arxiv[1]) or of_arxiv[1]
    of_acl = _ACL_DOI.fullmatch(doi)
    if of_acl and "acl" not in others:
        # Old ids, P19-1001, are capitals on the Anthology's site; new ones begin with the year and are small.
        acl = of_acl[1]
        others["acl"] = acl if acl[0].isdigit() else acl.upper()
    return Identifiers(doi=doi, arxiv=arxiv, **others)
