"""How the identifiers of an entry are written, and in which form their fields want them."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from citelsp.base.text import Edit, Span
from citelsp.bibliography.identifiers import normal_arxiv, normal_doi, normal_isbn
from citelsp.checks.finding import Finding, Fix, bounded
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import stripped
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project

_DOI_FIELD = re.compile(r"doi\s*=\s*")
_RARER = ("isbn", "issn", "eprint", "pmid")
_PLAIN_DOI = re.compile(r"[{\"]10\.\d{4,9}/[^\s{}\"\\%]+(?<![.,;])[}\"]")
_SHORT_DOI = re.compile(r"10/[a-z0-9]+", re.IGNORECASE)  # of shortdoi.org
_ARCHIVE = re.compile(r"(?P<archive>[a-z-]+)(?:\.[A-Za-z-]+)?")
_ISSN = re.compile(r"\d{4}-\d{3}[\dXx](?![\d-])")
_ISSN_ALONE = re.compile(r"(?<![\w-])\d{4}-?\d{3}[\dXx](?![\w-])")
_URL = re.compile(r"[\s{]*(?:https?\s*:|www\.|(?:[\w-]+\.)?doi\.org\b)", re.IGNORECASE)
_PREFIX = re.compile(r"https?:|doi\s*:|doi\.org", re.IGNORECASE)
_SLASH = re.compile("%2f", re.IGNORECASE)
_PREFIXED = re.compile(r"arxiv|https?:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value that is no identifier, or is written in another form than its field wants."""

    field: str
    span: Span  # of the value, from the entry's start
    cited: str
    message: str
    better: str = ""  # the same identifier in the form that the field wants

    @property
    def is_url(self) -> bool:
        return self.field == "doi" and _URL.match(self.cited) is not None


def findings(project: Project, code: str, *, urls: bool) -> list[Finding]:
    """In the entries that are judged.  `urls`: only doi fields that hold a URL; else every other fault."""
    found: list[Finding] = []
    for source in project.defining:
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            found += bounded(_of_entries(code, source.document.path, entries, project.judged(source), urls=urls))
    return found


def _of_entries(code: str, path: str, entries: BibEntries, judged: Collection[int], *, urls: bool) -> Iterator[Finding]:
    for index, every in entries.each_value(wrongs, judged):
        for wrong in every:
            if wrong.is_url == urls:
                yield _finding(code, path, entries.node(index), entries.start(index), wrong)


def _finding(code: str, path: str, node: BibNode, start: int, wrong: Wrong) -> Finding:
    fixes: tuple[Fix, ...] = ()
    span = wrong.span.moved(start)
    if wrong.better:
        fixes = (Fix(f"Write {wrong.better}", "safe", (Edit(path, span, wrong.better),)),)
    return Finding(code, path, span, wrong.message, node.key, wrong.field, wrong.cited, wrong.better or None, fixes)


def wrongs(node: BibNode) -> tuple[Wrong, ...]:
    """What is wrong with the identifiers in an entry's fields, in their order."""
    source = node.source
    lowered = source.lower()
    # A quick look, which most entries pass.
    has_plain_dois = all(_PLAIN_DOI.match(lowered, it.end()) for it in _DOI_FIELD.finditer(lowered))
    if has_plain_dois and not any(name in lowered for name in _RARER):
        return ()
    found = []
    for field in node.fields():
        examine = _EXAMINERS.get(field.name)
        written = field.value_span.within(source)
        if examine and written[:1] in ("{", '"') and "#" not in written:
            value = stripped(written)
            start = field.value_span.start + 1
            inner = Span(start, start + len(value))
            found += [Wrong(field.name, inner, value, message, better) for message, better in examine(value, node)]
    return tuple(found)


Verdicts = Iterator[tuple[str, str]]  # message, better form


def _doi(value: str, _: BibNode) -> Verdicts:
    written = value.strip()
    if not written or _SHORT_DOI.fullmatch(written):
        return
    normal = normal_doi(value) or normal_doi(value.strip("\"' "))
    plain = _SLASH.sub("/", value)
    # With its letters as the author wrote them; a normal DOI is in lower case.
    start = plain.lower().find(normal)
    doi = plain[start : start + len(normal)] if start >= 0 else normal
    if _URL.match(value):
        yield "The doi field contains a URL: biblatex and other styles put https://doi.org/ before it again.", doi
    elif not normal:
        yield f"“{written}” is not a DOI, which has four digits or more between “10.” and a slash.", ""
    elif written[0] in "\"'":
        yield "The doi field should contain the DOI without quotes.", doi
    elif plain != value and not _PREFIX.search(plain):
        yield "The doi field should contain the DOI with a slash, not with %2F.", doi
    elif _PREFIX.search(plain):
        yield "The doi field should contain the DOI only, without a prefix.", doi


def _eprint(value: str, node: BibNode) -> Verdicts:
    """Only of arXiv's ids, as other archives have ids of their own."""
    values = node.values()
    kind = stripped(values.get("archiveprefix") or values.get("eprinttype") or "").lower()
    written = value.strip()
    if kind != "arxiv" or not written:
        return
    normal = normal_arxiv(value)
    archive = _ARCHIVE.fullmatch(stripped(values.get("primaryclass") or values.get("eprintclass") or ""))
    if archive and re.fullmatch(r"\d{7}", written):
        yield "Old arXiv ids need their archive, as in hep-th/9901001.", f"{archive['archive']}/{written}"
    elif not normal:
        yield f"“{written}” is not an arXiv id, such as 1706.03762 or hep-th/9901001.", ""
    elif _PREFIXED.search(value):
        version = re.search(r"v\d+(?=\s*$|\.pdf|\s*\[)", value)  # of `1706.03762v5 [cs.CL]`, `…/pdf/1706.03762v5.pdf`
        yield "The eprint field should contain the arXiv id only.", normal + (version[0] if version else "")


def _isbn(value: str, _: BibNode) -> Verdicts:
    written = value.strip()
    if not written or normal_isbn(value):
        return
    digits = re.sub(r"[^0-9Xx]", "", value)
    if _ISSN.match(written):
        yield f"“{written}” is the ISSN of a journal, not an ISBN. It belongs in the issn field.", ""
    elif len(digits) in (10, 13):
        yield f"“{written}” is not an ISBN: its check digit is wrong.", ""
    elif len(digits) < 20:  # two ISBNs have as many or more
        yield f"“{written}” is not an ISBN, which has 10 or 13 digits.", ""


def _issn(value: str, _: BibNode) -> Verdicts:
    """Of one or several, as journals have one in print and one online."""
    for found in _ISSN_ALONE.finditer(value):
        digits = [10 if it in "Xx" else int(it) for it in found[0].replace("-", "")]
        if sum(digit * weight for digit, weight in zip(digits, range(8, 0, -1), strict=True)) % 11:
            yield f"“{found[0]}” is not an ISSN: its check digit is wrong.", ""


def _pmid(value: str, _: BibNode) -> Verdicts:
    text = value.strip()
    if not text or re.fullmatch(r"\d{1,9}", text):
        return
    if match := re.fullmatch(r"pmid\s*:?\s*(\d{1,9})", text, re.IGNORECASE):
        yield "The pmid field should contain the number only.", match[1]
    else:
        yield f"“{text}” is not a PubMed id, which is a number of nine digits at most.", ""


_EXAMINERS: dict[str, Callable[[str, BibNode], Verdicts]] = {
    "doi": _doi,
    "eprint": _eprint,
    "isbn": _isbn,
    "issn": _issn,
    "pmid": _pmid,
}
