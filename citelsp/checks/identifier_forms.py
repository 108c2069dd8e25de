"""How the identifiers of an entry are written, and in which form their fields want them."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from citelsp.base.text import Edit, Span
from citelsp.bibliography.identifiers import normal_arxiv, normal_doi, normal_isbn, read_doi_field
from citelsp.checks.finding import Finding, Fix, limit_findings
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import strip_delimiters
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project

_DOI_FIELD = re.compile(r"doi\s*=\s*")
_OTHER_FIELDS = ("isbn", "issn", "eprint", "pmid")
# A doi field's value as it should be: `{10.1000/xyz}`
_PLAIN_DOI = re.compile(r"[{\"]10\.\d{4,9}/[^\s{}\"\\%]+(?<![.,;])[}\"]")
_SHORT_DOI = re.compile(r"10/[a-z0-9]+", re.IGNORECASE)  # of shortdoi.org
# `hep-th`, `math.AG`: the archive of an old arXiv id, and perhaps its subject
_ARCHIVE = re.compile(r"(?P<archive>[a-z-]+)(?:\.[A-Za-z-]+)?")
_FEWEST_DIGITS_OF_TWO = 20  # digits of two ISBNs
_ISSN = re.compile(r"\d{4}-\d{3}[\dXx](?![\d-])")
_BARE_ISSN = re.compile(r"\d{7}[\dXx]")  # without its hyphen
_ISSN_ALONE = re.compile(r"(?<![\w-])\d{4}-?\d{3}[\dXx](?![\w-])")
_URL = re.compile(r"[\s{]*(?:https?\s*:|www\.|(?:[\w-]+\.)?doi\.org\b)", re.IGNORECASE)
_PREFIX_OF_DOI = re.compile(r"https?:|doi\s*:|doi\.org", re.IGNORECASE)
_SPACE_AT_SLASH = re.compile(r"(?<=/)\s+|(?<!\s)\s+(?=/)")  # `10.1000/ abc`
_ENCODED_SLASH = re.compile("%2f", re.IGNORECASE)
_PREFIX_OF_ARXIV = re.compile(r"arxiv|https?:", re.IGNORECASE)


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
    """Report faults in the entries that are judged; `urls`: only doi fields that hold a URL, else all others."""
    every: list[Finding] = []
    for source in project.defining:
        entries = source.syntax.entries
        if isinstance(entries, BibEntries):
            every += limit_findings(
                _find_in_entries(code, source.document.path, entries, project.judged(source), urls=urls)
            )
    return every


def _find_in_entries(
    code: str, path: str, entries: BibEntries, judged: Collection[int], *, urls: bool
) -> Iterator[Finding]:
    """The findings of one bibliography: those of doi fields that hold a URL, or all others."""
    for index, faults in entries.each_value(wrongs, judged):
        for wrong in faults:
            if wrong.is_url == urls:
                yield _make_finding(code, path, entries.node(index), entries.start(index), wrong)


def _make_finding(code: str, path: str, node: BibNode, start: int, wrong: Wrong) -> Finding:
    """Make the finding of a fault of the entry `node`, which begins at `start`; a better form becomes its fix.

    `code`: of the check; `wrong`: the fault, where it is, and the better form, "" if there is none.
    """
    fixes: tuple[Fix, ...] = ()
    span = wrong.span.moved(start)
    if wrong.better:
        # Where the DOI ends in the address of a publisher's page is a guess.
        is_guess = wrong.is_url and not normal_doi(wrong.cited)
        edits = (Edit(path, span, wrong.better),)
        fixes = (Fix(f"Write {wrong.better}", "review" if is_guess else "safe", edits),)
    return Finding(
        code,
        path,
        span,
        wrong.message,
        key=node.key,
        field=wrong.field,
        cited=wrong.cited,
        recorded=wrong.better or None,
        fixes=fixes,
    )


def wrongs(node: BibNode) -> tuple[Wrong, ...]:
    """Return what is wrong with the identifiers in an entry's fields, in their order; values with `#` are left out.

    () for an entry without an end, which is left to `malformed_entry`: its last value may still be being written.
    """
    if not node.closed:
        return ()
    source = node.source
    lowered = source.lower()
    # A quick look, which most entries pass: nothing but DOIs as they should be.
    has_plain_dois = all(_PLAIN_DOI.match(lowered, doi_field.end()) for doi_field in _DOI_FIELD.finditer(lowered))
    if has_plain_dois and not any(name in lowered for name in _OTHER_FIELDS):
        return ()
    faults = []
    for field in node.fields():
        examine = _EXAMINERS.get(field.name)
        written = field.value_span.within(source)
        is_one_text = written[:1] in ("{", '"') and "#" not in written  # no macro, and no parts joined by #
        if examine and is_one_text:
            value = strip_delimiters(written)
            start = field.value_span.start + 1
            inner = Span(start, start + len(value))
            faults += [Wrong(field.name, inner, value, message, better) for message, better in examine(value, node)]
    return tuple(faults)


Verdicts = Iterator[tuple[str, str]]  # message, better form


def _examine_doi(value: str, _: BibNode) -> Verdicts:
    """Yield what is wrong with a doi field: a URL, no DOI, or one in quotes, with a prefix, a space or %2F for slash.

    The better form is the DOI alone, "" if there is none.  A short DOI, `10/abc`, is right.  `value`: without its
    braces or quotes.
    """
    written = value.strip()
    if not written or _SHORT_DOI.fullmatch(written):
        return
    normal = read_doi_field(value) or normal_doi(value.strip("\"' "))
    with_slash = _ENCODED_SLASH.sub("/", value)
    # The normal form, "" if there is no DOI, is in lower case: the better form keeps the author's letters, if they are
    # found in the value.
    start = with_slash.lower().find(normal)
    doi = with_slash[start : start + len(normal)] if start >= 0 else normal
    joined = _SPACE_AT_SLASH.sub("", written)
    has_prefix = _PREFIX_OF_DOI.search(with_slash) is not None
    if _URL.match(value):
        yield "The doi field contains a URL: biblatex and other styles put https://doi.org/ before it again.", doi
    elif not normal and len(joined.split()) == 1 and normal_doi(joined):
        yield f"“{written}” is not a DOI: it holds a space.", joined
    elif not normal:
        yield f"“{written}” is not a DOI, which has four digits or more between “10.” and a slash.", ""
    elif written[0] in "\"'":
        yield "The doi field should contain the DOI without quotes.", doi
    elif has_prefix:
        yield "The doi field should contain the DOI only, without a prefix.", doi
    elif with_slash != value:
        yield "The doi field should contain the DOI with a slash, not with %2F.", doi


def _examine_eprint(value: str, node: BibNode) -> Verdicts:
    """Yield what is wrong with an eprint field of an entry whose other fields say that it holds an arXiv id.

    Ids of other archives are not looked at.  The better form is the id alone, with its version if it has one.
    """
    values = node.values()
    archive = strip_delimiters(values.get("archiveprefix") or values.get("eprinttype") or "").lower()
    written = value.strip()
    if archive != "arxiv" or not written:
        return
    normal = normal_arxiv(value)
    subject = _ARCHIVE.fullmatch(strip_delimiters(values.get("primaryclass") or values.get("eprintclass") or ""))
    if subject and re.fullmatch(r"\d{7}", written):
        yield "Old arXiv ids need their archive, as in hep-th/9901001.", f"{subject['archive']}/{written}"
    elif not normal:
        yield f"“{written}” is not an arXiv id, such as 1706.03762 or hep-th/9901001.", ""
    elif _PREFIX_OF_ARXIV.search(value) or "[" in value:
        version = re.search(r"v\d+(?=\s*$|\.pdf|\s*\[)", value)  # of `1706.03762v5 [cs.CL]`, `…/pdf/1706.03762v5.pdf`
        yield "The eprint field should contain the arXiv id only.", normal + (version[0] if version else "")


def _examine_isbn(value: str, _: BibNode) -> Verdicts:
    """Yield what is wrong with an isbn field: an ISSN, a DOI, a wrong check digit, a wrong number of digits.

    Nothing if it has so many digits that it may hold several ISBNs; there is no better form.
    """
    written = value.strip()
    if not written or normal_isbn(value):
        return
    digits = re.sub(r"[^0-9Xx]", "", value)
    is_bare_issn = _BARE_ISSN.fullmatch(written) is not None and not _misses_check_digit(written)
    if is_bare_issn or _ISSN.match(written):
        yield f"“{written}” is the ISSN of a journal, not an ISBN. It belongs in the issn field.", ""
    elif read_doi_field(written):  # as Mendeley has it
        yield f"“{written}” is a DOI, not an ISBN. It belongs in the doi field.", ""
    elif len(digits) in (10, 13):
        yield f"“{written}” is not an ISBN: its check digit is wrong.", ""
    elif len(digits) < _FEWEST_DIGITS_OF_TWO:
        yield f"“{written}” is not an ISBN, which has 10 or 13 digits.", ""


def _examine_issn(value: str, _: BibNode) -> Verdicts:
    """Yield each ISSN with a wrong check digit; a field may have two, as journals have one in print and one online."""
    for issn in _ISSN_ALONE.finditer(value):
        if _misses_check_digit(issn[0]):
            yield f"“{issn[0]}” is not an ISSN: its check digit is wrong.", ""


def _misses_check_digit(issn: str) -> bool:
    """True unless the digits of an ISSN, X for 10, times 8, 7, … 1, add up to a multiple of 11."""
    digits = [10 if sign in "Xx" else int(sign) for sign in issn.replace("-", "")]
    return sum(digit * weight for digit, weight in zip(digits, range(8, 0, -1), strict=True)) % 11 > 0


def _examine_pmid(value: str, _: BibNode) -> Verdicts:
    text = value.strip()
    if not text or re.fullmatch(r"\d{1,9}", text):
        return
    labelled = re.fullmatch(r"pmid\s*:?\s*(\d{1,9})", text, re.IGNORECASE)
    if labelled:
        yield "The pmid field should contain the number only.", labelled[1]
    else:
        yield f"“{text}” is not a PubMed id, which is a number of nine digits at most.", ""


_EXAMINERS: dict[str, Callable[[str, BibNode], Verdicts]] = {
    "doi": _examine_doi,
    "eprint": _examine_eprint,
    "isbn": _examine_isbn,
    "issn": _examine_issn,
    "pmid": _examine_pmid,
}
