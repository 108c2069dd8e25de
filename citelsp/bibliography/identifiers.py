"""Identifiers of works: recognised in text, normalised, checked for form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from urllib.parse import unquote

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
# Of DOIs with angle brackets, those of the standard for parts of serials: `<0950:ACOAWS>2.0.CO;2`.
_DOI_IN_TEXT = re.compile(
    r"(?<![\w.])10\.\d{4,9}(?:\.\d+)*/(?:[^\s\"'<>{}|\\^`]|<[a-z]?\d+[a-z]?:[^\s<>]{0,20}>)+", re.IGNORECASE
)
_PAGE_NAME_BEHIND = re.compile(  # what publishers' addresses put behind a DOI
    r"(?:[?#].*|&(?:amp;)?\w+=.*|[./](?:full|fulltext|abstract|e?pdf|epub|x?html?|meta|summary|references|short|long|figures?|citation|suppl\w*"
    r"|download)(?:[./].*)?)$",
    re.IGNORECASE,
)
_VERSIONED = re.compile(r"(10\.(?:1101|64898)/[\d.]+\d)v\d+(?:[./].*)?")  # bioRxiv and medRxiv write versions behind
PREPRINT_DOIS = (
    "10.48550/", "10.1101/", "10.64898/", "10.2139/", "10.31234/", "10.31219/", "10.26434/", "10.21203/", "10.20944/",
    "10.36227/", "10.22541/", "10.32388/", "10.14293/", "10.5281/", "10.31222/", "10.35542/",
)  # fmt: skip
DATACITE_DOIS = ("10.48550/", "10.5281/")  # of arXiv and Zenodo, which Crossref does not know
# Numbers that the ACM gives to what has no DOI: `dl.acm.org/doi/abs/10.5555/3295222.3295349`.
_UNREGISTERED = re.compile(r"\bdl\.acm\.org/doi/(?:\w{1,20}/)?10\.5555/", re.IGNORECASE)
_TITLE_IN_ADDRESS = re.compile(r"[a-z]{2,}+-[a-z]++-[a-z][\w-]*", re.IGNORECASE)  # `fundamentals-of-computing`
_ARTICLE_NUMBER = re.compile(r"\d{5,}")  # of the publisher's, between a DOI and the name of the page
# Behind `article/doi/`, as addresses of Oxford and MIT have it, that number may also stand alone behind the DOI.
_BEFORE_NUMBERED_DOI = re.compile(r"[/-]article(?:-[a-z]{1,20})?/doi/\Z")
_NUMBER_BEHIND = re.compile(r"\A(?P<doi>[^/]+/.+)/\d{5,}\Z")
# The ISBN that the DOI of a book holds, said again: `10.1093/oso/9780198803195.001.0001/oso-9780198803195`; of a part
# of the book (`…-chapter-20`) this is not the DOI.
_BOOK_PAGE = re.compile(
    r"(?P<doi>10\.[\d.]{4,20}/[^/]+/(?P<isbn>97[89]\d{10})[\d.]*)/\w+-(?P=isbn)(?P<part>-.+)?", re.IGNORECASE
)
_MAY_HOLD_IDENTIFIER = re.compile(r"\d|://")
_DOI_PREFIX = re.compile(
    r"\s*(?:(?:https?://)?(?:[\w.-]{0,100}\.)?doi\.org/|doi\s*+(?:[:=]\s*+)?|urn:doi:|info:doi/)*", re.IGNORECASE
)
_ARXIV_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_ARXIV_OLD = r"[a-z][a-z-]+(?:\.[a-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}"
_ARXIV = re.compile(
    rf"\s*(?:(?:https?://)?(?:[\w.]*\.)?arxiv\.org/(?:abs|pdf|html)/|ar\s?xiv\s*+(?:[:.]\s*+)?|abs/)?"
    rf"({_ARXIV_NEW}|{_ARXIV_OLD})(v\d+)?(?:\.pdf)?(?:\s*\[[\w.-]+(?:,\s*[\w.-]+)*\])?\s*",
    re.IGNORECASE,
)
# `arXiv preprint arXiv:1706.03762`
_ARXIV_IN_TEXT = re.compile(
    r"(?:arxiv\.org/(?:abs|pdf|html)/|alphaxiv\.org/abs/"
    r"|ar\s?xiv(?:\s++preprint)?\s*+(?:[:.,]\s*+)?(?:ar\s?xiv\s*+:\s*+)?|\babs/)"
    rf"({_ARXIV_NEW}|{_ARXIV_OLD})(?!\d)",
    re.IGNORECASE,
)
_ARXIV_MONTH = re.compile(r"(?:[a-z.-]+/)?(\d\d)(?:0[1-9]|1[0-2])", re.IGNORECASE)  # in which an id was given
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+?)(?:v\d+)?", re.IGNORECASE)
_ISBN_IN_TEXT = re.compile(r"isbn(?:-1[03])?\s*+(?:[:=]\s*+)?((?:97[89][-\s]?)?[\d][\d\s-]{7,15}[\dx])", re.IGNORECASE)
_PMID_IN_TEXT = re.compile(
    r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|/pubmed/|\bpmid\s*+(?:[:=]\s*+)?)(\d{1,9})\b", re.IGNORECASE
)
_PMCID = re.compile(r"\bPMC\s?(\d{3,9})\b", re.IGNORECASE)
# `P19-1001`, `2020.acl-main.1`
_ACL = r"[A-Z]\d{2}-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+"
_ACL_URL = re.compile(
    rf"(?:aclanthology\.org/|aclweb\.org/anthology/(?:papers/\w/\w+/)?|aclanthology\.info/papers/)({_ACL})",
    re.IGNORECASE,
)
_ACL_DOI = re.compile(rf"10\.18653/v1/({_ACL})", re.IGNORECASE)
_OPENALEX = re.compile(r"openalex\.org/(?:works/)?(W\d+)|\b(W\d{6,})\b", re.IGNORECASE)
_S2 = re.compile(r"semanticscholar\.org/paper/(?:[^/\s]+/)?([0-9a-f]{40})|\b(CorpusI[dD]:\d+)")
_DBLP = re.compile(r"(?:dblp\.org/rec/|dblp:)((?:conf|journals|books|phd|series|reference)/[\w/-]+)", re.IGNORECASE)
_BIBCODE = re.compile(r"adsabs\.harvard\.edu/abs/([\w.&%]{19,25})")
_URL = re.compile(r"https?://[^\s{}<>\"]+")
# `\_`, `{_}`, `$<$`, `\textless{}`
_ESCAPED = re.compile(
    r"\\([_&%#$~{}<>])|\{(\\?[_%&#])\}|\$([<>_])\$|\\text(?:less|greater|underscore)(?![a-z])(?:\{\})?"
)
# `Erratum: …`, `see also …`: a note on another work
_ANOTHER = re.compile(
    r"erratum|correct|retract|comment|repl(?:y|ies)|supersed|translat|version of|see |review of", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z]{2,}")
_NOTE_WORDS = 4  # of a note about the work itself: `arXiv preprint arXiv:1706.03762`
_ISBN_LABEL = re.compile(r"isbn(?:-?1[03]\b)?", re.IGNORECASE)
_ISBN_DIGITS = re.compile(r"(?:97[89])?\d{9}[\dXx]")
_OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}


CALLED = {"doi": "DOI", "arxiv": "arXiv id", "isbn": "ISBN", "pmid": "PubMed id"}  # for people


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Normalised identifiers of one work; "" if unknown."""

    doi: str = ""  # lower case, no resolver: "10.1000/xyz123"
    arxiv: str = ""  # without version: "1706.03762", "hep-th/9901001"
    isbn: str = ""  # 13 digits
    pmid: str = ""
    pmcid: str = ""  # "PMC123"
    acl: str = ""  # "P19-1001", "2020.acl-main.1"
    openalex: str = ""  # "W2741809807"
    s2: str = ""  # 40 hexadecimal digits, or "CorpusId:…"
    dblp: str = ""  # "conf/nips/VaswaniSPUJGKP17"
    bibcode: str = ""
    url: str = ""

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__ if name != "url")

    def filled_from(self, other: "Identifiers") -> "Identifiers":
        """Return these identifiers, with what is unknown here taken from `other`."""
        names = [it.name for it in fields(self)]
        return Identifiers(**{name: getattr(self, name) or getattr(other, name) for name in names})


def from_text(text: str) -> Identifiers:
    """Find the identifiers in a text, which is one alone or a sentence with some; the first of each kind.

    A text that is nothing but an arXiv id, an id of the ACL Anthology or an ISBN needs no word before it; in a sentence
    these count only with one, such as “ISBN”, or within an address or a DOI.
    """
    bare = _read_bare(text.strip())
    if bare:
        return bare
    doi = _doi_in(text)
    pmcid = _first_group(_PMCID, text)
    url = _URL.search(text)
    return Identifiers(
        doi=doi,
        arxiv=_of_doi(_ARXIV_DOI, doi) or _first_group(_ARXIV_IN_TEXT, text).lower(),
        isbn=normal_isbn(_first_group(_ISBN_IN_TEXT, text)),
        pmid=_first_group(_PMID_IN_TEXT, text),
        pmcid=f"PMC{pmcid}" if pmcid else "",
        acl=_acl(_first_group(_ACL_URL, text) or _of_doi(_ACL_DOI, doi)),
        openalex=_first_group(_OPENALEX, text).upper(),
        s2=_first_group(_S2, text),
        dblp=_first_group(_DBLP, text),
        bibcode=unquote(_first_group(_BIBCODE, text)),
        url=url[0].rstrip(".,;)") if url else "",
    )


def _first_group(pattern: re.Pattern[str], text: str) -> str:
    """Return the first group that is not empty in the first match; "" if there is none."""
    match = pattern.search(text)
    return next(filter(None, match.groups()), "") if match else ""


def _doi_in(text: str) -> str:
    # Addresses escape the slash of DOIs as %2F, and BibTeX files their underscores with a backslash.
    plain = unquote(_unescaped(text)) if "%" in text or "\\" in text else text
    match = _DOI_IN_TEXT.search(plain)
    if match is None:
        return ""
    if "://" not in text:
        return normal_doi(match[0])
    doi = _without_page(match[0])
    if _BEFORE_NUMBERED_DOI.search(plain[: match.start()]):
        doi = _NUMBER_BEHIND.sub(r"\g<doi>", doi)
    return normal_doi(doi)


def _read_bare(text: str) -> Identifiers | None:
    """Read a text that is an arXiv id, an id of the ACL Anthology or an ISBN, and nothing else; None if it is none."""
    arxiv = normal_arxiv(text)
    if arxiv:
        return Identifiers(arxiv=arxiv, url=text if text.startswith("http") else "")
    if re.fullmatch(_ACL, text):
        return Identifiers(acl=text)
    digits = re.sub(r"[\s-]", "", text)
    isbn = normal_isbn(text) if _ISBN_DIGITS.fullmatch(digits) else ""
    return Identifiers(isbn=isbn) if isbn else None


def from_fields(fields: Mapping[str, str]) -> Identifiers:
    """Find the identifiers of an entry's work by its fields; their values are as written, but without their braces.

    The fields for identifiers count first; what they lack is looked for in others that hold some now and then.
    """
    identifiers = _from_fields_for_them(fields)
    # In the order of how surely a field is about the work itself; `journal = {arXiv:1706.03762}` holds an id.  What an
    # earlier one says stays, and `howpublished` is read only without a `url`.
    texts = [_unescaped(_value_of(fields, "url", "howpublished"))]
    volume = fields.get("volume", "")
    if volume.startswith("abs/"):  # `abs/1706.03762`, as DBLP writes arXiv's ids
        texts.append(volume)
    texts += [fields.get(name, "") for name in ("adsurl", "biburl", "journal", "journaltitle", "publisher")]
    for text in texts:
        if _UNREGISTERED.search(text):  # `dl.acm.org/doi/10.5555/…`: what looks like a DOI is none
            identifiers = identifiers.filled_from(Identifiers(url=text))
        elif _MAY_HOLD_IDENTIFIER.search(text):
            identifiers = identifiers.filled_from(from_text(text))
    # Last, and only for want of any other, as what is in a note may well be of another work.
    note = _value_of(fields, "note", "annote")
    if note and not identifiers and _is_about_the_work(note):
        identifiers = identifiers.filled_from(from_text(note))
    return identifiers


def _from_fields_for_them(fields: Mapping[str, str]) -> Identifiers:
    """Read the fields that are there for identifiers, `doi` and the like; each is "" if its field does not hold one.

    An arXiv id that the DOI tells counts before that in `eprint`; an id of the ACL Anthology comes from the DOI alone.
    """
    doi = read_doi_field(fields.get("doi", ""))
    pmcid = _digits(_value_of(fields, "pmcid", "pmc"))
    eprint_pmid = _digits(fields.get("eprint", "")) if _kind(fields) == "pubmed" else ""
    return Identifiers(
        doi=doi,
        arxiv=_of_doi(_ARXIV_DOI, doi) or _eprint(fields),
        isbn=normal_isbn(fields.get("isbn", "")),
        pmid=_digits(fields.get("pmid", "")) or eprint_pmid,
        pmcid=f"PMC{pmcid}" if pmcid else "",
        acl=_acl(_of_doi(_ACL_DOI, doi)),
    )


def _value_of(fields: Mapping[str, str], name: str, other_name: str) -> str:
    """Return what a field holds, or if it is empty the other one; "" if neither has anything."""
    return fields.get(name) or fields.get(other_name, "")


def _is_about_the_work(note: str) -> bool:
    """False for a note of more words, or one that corrects, translates or reviews: it speaks of another work."""
    return len(_WORD.findall(note)) <= _NOTE_WORDS and not _ANOTHER.search(note)


def read_doi_field(value: str) -> str:
    """Return the DOI in a doi field, where it stands alone or in the address of a page; "" if there is none.

    `http://doi.acm.org/10.1145/1456403.1456405` → `10.1145/1456403.1456405`, as the ACM used to export it.
    """
    doi = normal_doi(value)
    if doi or "://" not in value or _UNREGISTERED.search(value):
        return doi
    return _doi_in(value)


def normal_doi(text: str) -> str:
    """Return a DOI in lower case, without resolver, and without the version of bioRxiv and medRxiv; "" if it is none.

    `https://doi.org/10.1101/2020.01.02v3` → `10.1101/2020.01.02`; of several words the first must be the DOI.
    """
    if "/" not in text and "%" not in text:  # every DOI has a slash, which an address may escape as %2F
        return ""
    text = _unescaped(text.strip())
    if "%" in text:
        text = unquote(text)
    text = text[_doi_prefix(text) :].strip()
    text = text.partition(" ")[0].rstrip(".,;\"'")
    # DOIs may hold brackets, but in pairs: a closing one alone belongs to the sentence around.
    while text[-1:] in _OPENING and text.count(text[-1]) > text.count(_OPENING[text[-1]]):
        text = text[:-1].rstrip(".,;")
    if not _DOI.fullmatch(text):
        return ""
    doi = text.lower()
    with_version = _VERSIONED.fullmatch(doi)
    return with_version[1] if with_version else doi


def _without_page(text: str) -> str:
    """Return the DOI in an address without what the publisher adds to name the page.

    `10.1000/182/full.pdf?x=1` → `10.1000/182`; "" if the page is a chapter's and the DOI that of the whole book.
    """
    doi = text.rstrip("/")
    # Again and again, as one such ending may stand behind another.
    while True:
        shorter = _PAGE_NAME_BEHIND.sub("", doi)
        if shorter == doi:
            break
        doi = shorter
    book = _BOOK_PAGE.fullmatch(doi)
    if book:
        return "" if book["part"] else book["doi"]
    return _without_page_name(doi)


def _without_page_name(text: str) -> str:
    """Cut an article's number and title from behind a DOI: `/99150/data-standards`, or `/data-for-life` alone."""
    *doi, last = text.split("/")
    has_number = len(doi) > 2 and _ARTICLE_NUMBER.fullmatch(doi[-1]) is not None
    if has_number and not last.isdigit():
        return "/".join(doi[:-1])
    if len(doi) >= 2 and _TITLE_IN_ADDRESS.fullmatch(last):
        return "/".join(doi)
    return text


def _doi_prefix(text: str) -> int:
    match = _DOI_PREFIX.match(text)
    return match.end() if match else 0


def normal_arxiv(text: str) -> str:
    """Return an arXiv id without version, of an id, `arXiv:…`, an address or a 10.48550 DOI; "" if it is none."""
    match = _ARXIV.fullmatch(text.strip())
    if match:
        return match[1].lower() if "/" not in match[1] else _old_arxiv(match[1])
    return _of_doi(_ARXIV_DOI, normal_doi(text)) if "48550" in text else ""


def _old_arxiv(text: str) -> str:
    archive, _, number = text.partition("/")
    return f"{archive.partition('.')[0].lower()}/{number}"


def tell_arxiv_year(arxiv: str) -> int | None:
    """Return the year of submission that an arXiv id tells, `0709.2092`, `hep-ph/9709356`; None if it tells none."""
    year_and_month = _ARXIV_MONTH.match(arxiv)
    if year_and_month is None:
        return None
    year = int(year_and_month[1])
    return (1900 if year > 90 else 2000) + year  # arXiv began in 1991


def normal_isbn(text: str) -> str:
    """Return the first ISBN in a text whose check digit is right, as 13 digits; "" if there is none.

    One of the older form, with ten digits, is turned into the newer one: `0-201-89683-4` → `9780201896831`.
    """
    # A field may hold several: one for print and one for the digital book.  A single space may also stand within one,
    # as in `978 0 201 89683 1`, so it parts two of them only before 978 or 979.
    for part in re.split(r"[,;/()]|\s{2,}|\s(?=97[89])", _ISBN_LABEL.sub(",", text)):
        digits = re.sub(r"[^0-9Xx]", "", part).upper()  # X stands for 10 as a check digit
        is_of_older_form = len(digits) == 10 and "X" not in digits[:-1]
        if is_of_older_form and _sum10(digits) % 11 == 0:
            without_check_digit = "978" + digits[:9]
            check_digit = -_sum13(without_check_digit) % 10
            return f"{without_check_digit}{check_digit}"
        if len(digits) == 13 and digits.isdigit() and _sum13(digits) % 10 == 0:
            return digits
    return ""


def _sum10(digits: str) -> int:
    """The weighted sum of an ISBN of ten digits, which 11 divides; X counts ten."""
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum((10 - place) * value for place, value in enumerate(values))


def _sum13(digits: str) -> int:
    """The weighted sum of an ISBN of thirteen digits, which 10 divides."""
    return sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))


def _eprint(fields: Mapping[str, str]) -> str:
    """Return the arXiv id in `eprint`, if that is of no other archive, or in a field of its own; "" if none is."""
    if _kind(fields) not in ("arxiv", ""):
        return ""
    eprint = normal_arxiv(_unescaped(fields.get("eprint", "")))
    return eprint or normal_arxiv(fields.get("arxiv") or fields.get("arxivid", ""))


def _kind(fields: Mapping[str, str]) -> str:
    return (fields.get("archiveprefix") or fields.get("eprinttype", "")).strip().lower()


def _of_doi(pattern: re.Pattern[str], doi: str) -> str:
    match = pattern.fullmatch(doi) if doi else None
    return match[1] if match else ""


def _acl(text: str) -> str:
    return text.upper() if re.fullmatch(r"[A-Za-z]\d{2}-\d{4}", text) else text.lower()


def _digits(text: str) -> str:
    match = re.search(r"\d{1,9}", text) if text else None
    return match[0] if match else ""


def _unescaped(text: str) -> str:
    if "\\" not in text and "{" not in text and "$" not in text:
        return text
    text = re.sub(r"\\url\s*|\\href\s*|\\textless(?:\{\})?|\\textgreater(?:\{\})?", _angle, text)
    return _ESCAPED.sub(lambda it: (it[1] or it[2] or it[3] or "_").strip("\\"), text).strip("{} ")


def _angle(match: re.Match[str]) -> str:
    return {"\\textl": "<", "\\textg": ">"}.get(match[0][:6], "")
