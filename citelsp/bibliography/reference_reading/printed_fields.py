"""The one way from the text of a reference, in TeX or plain, to its fields."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from citelsp.base.footprint import MB, remember
from citelsp.bibliography import identifiers
from citelsp.bibliography.encode_tex import escape
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN
from citelsp.bibliography.reference_reading import forms, labelled_parts, places
from citelsp.bibliography.reference_reading.forms import Parts
from citelsp.bibliography.reference_reading.marked import Marked, mark_tex, strip_signs
from citelsp.bibliography.reference_reading.people import NOBODY
from citelsp.bibliography.reference_reading.untitled import YEAR

# `Available at: https://…`, `doi: 10.1000/xyz`
_ADDRESS = re.compile(
    r"(?:(?:available(?: (?:at|from|online))?|url|retrieved from|doi|accessed|adresse|disponible en)\s*:?\s*)?"
    r"(?:https?://|www\.)[^\s\ue000-\ue004]+(?:(?:\s[\w.%&=?/~-]{1,60}){1,8}\.(?:pdf|html?|php|aspx?|docx?|txt|zip)\b|(?<=\.)\s(?:html?|pdf|php)\b)?|(?:doi\s*:?\s*)?10\.\d{4,9}/[^\s\ue000-\ue004]+|doi:\s*(?=$|[.,;])",
    re.IGNORECASE,
)
# When somebody looked at an address: `(visited on 09/26/2024)`, `Accessed September 21, 2021`, `consulté le 5 mai 2019`
_DATE = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
    r"|\d{1,2}-[^\W\d_]{3,10}\.?-(?:19|20)\d\d|(?:19|20)\d\d-(?:19|20)\d\d"
    r"|(?:(?:\d{1,2}(?:st|nd|rd|th|er)?\.?|[^\W\d_]{3,10}\.?|de),?\s){1,5}(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?:,?\s[^\W\d_]{3,10}\.?(?:\s\d{1,2})?)?)"
)
_ACCESSED = re.compile(
    rf"(?:(?<=[.,;:)\]{BLOCK}] )|[(\[](?:online[;,]\s)?)(?:last |zuletzt |letzter )?"
    r"(?:visited|visitado|stand|accessed|retrieved|viewed|cited|date of access|besucht|abgerufen|zugriff|abruf"
    r"|consult[ée]e?s?|visit[ée]e?s?|vu|consultado|accedido|acesso|acessado|acedido|consultato|geraadpleegd|dostęp|cit)\b"
    rf"[.:]?\s(?:(?:on|am|le|el|em|il|op):?\s)?{_DATE}[)\]]?(?:\sfrom\b)?",
    re.IGNORECASE,
)
# Where the manuscript cites the reference: `(citado na pg. 4)`, `[cf. p. 1, 4]`, `Cited on pages 3 and 5.`
_CITED_ON = re.compile(
    r"(?:[(\[]\s?(?:cit|cited|citado|citada|cité|citée|zitiert|cf|see|ver|voir|backref)\b"
    r"|(?<=[.,;)\]] )(?:cited|citado|cité|zitiert)\b)(?:\s\d+\s(?:times|vezes|veces|fois))?"
    r"[^()\[\]\d]{0,20}\b(?:pp?|pgs?|pages?|páginas?|S|Seiten?)\b\.?\s"
    r"[\divxlc]{1,6}(?:(?:[\s,;–-]|\b(?:and|und|et|e|y)\b){1,6}[\divxlc]{1,6}){0,60}[)\]]?\.?$",
    re.IGNORECASE,
)
# ` 16, 26, 35` behind the end: the pages of the manuscript that cite the reference, as hyperref prints them
_PAGES_THAT_CITE = re.compile(r"(?<=[\d)]\.) \d{1,3}(?:, \d{1,3}){0,60}$")
_STOP_WITHOUT_SPACE = re.compile(
    r"(?:(?<=^1[89]\d\d)|(?<=^20\d\d)|(?<=[a-zß-ÿ]{4}))\.(?=[A-ZÀ-Þ][a-zß-ÿ]|[A-ZÀ-Þ]$)|(?:(?<=^1[89]\d\d)|(?<=^20\d\d))\.(?=[^\W\d_])"
)
_QUOTES_LOST = re.compile(r"(?<=\s)\?(?=[^\W_])([^?]{6,400}\??)\?(?=[\s.,])")
_OTHERS_WITHOUT_SPACE = re.compile(r"\bandothers\b")  # biblatex prints so without its file of the language
_IN_WITHOUT_SPACE = re.compile(r"(?<=[”“.?»] )in(?=[A-ZÀ-Þ][a-zß-ÿ]{2}|[A-Z]{3})")
# Not a volume, `Vol. 12(3)`, `Ser. A 12`: few letters before a number
_TITLE_IN_BOLD = re.compile(
    rf"{BOLD}(?![^\d{LIGHT}]{{0,12}}\d[\d\s(),–-]*{LIGHT})([^{LIGHT}]*[^\W\d_]{{3}}[^{LIGHT}]*){LIGHT}"
)
# `[Erratum: Memoirs 13, 7 (1844)]`: where the errors of a work are told, which is another work
_ERRATUM = re.compile(r",?\s\[(?:Erratum|Errata|Corrigendum)(?:[-:,]|\s?ibid)[^\[\]]{1,200}\]")
# `ISBN 978-0-262-03561-3`, `ISSN: 1234-5678`
_NUMBERS_OF_BOOKS = re.compile(r"\b(?:isbn|issn)(?:[\s:]|-1[03])*(?:[\dxX][\d-]{7,16}[\dxX]\b[\s,;]*)+", re.IGNORECASE)
# `arXiv:1706.03762v5 [cs.CL]`, `arXiv preprint hep-th/9711200`
_PREPRINT = re.compile(
    r"(?:arxiv(?:\s+(?:e-?prints?|preprint))?,?\s*){1,3}[:\s]*(?:abs/)?"
    r"(?:\d{4}\.\d{4,5}|[a-z-]{1,20}(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\s*\[[\w.-]+\])?",
    re.IGNORECASE,
)
# `, 0706.3220.` at the end, as physicists' styles print it: two digits for the year, two for the month
_BARE_PREPRINT = re.compile(
    r"(?<=[,;)\]] )(?P<number>\d\d(?:0[1-9]|1[0-2])\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})"
    r"(?:v\d+)?(?:\s\[[\w.-]+\])?[\s.]*$"
)
# `Title (arXiv:1706.03762).`
_BRACKETED_PREPRINT = re.compile(rf"\s?[(\[]{_PREPRINT.pattern}[)\]](?=[.,])", re.IGNORECASE)
# What stands behind a title and is none of it: an edition, `, 2nd ed.`; a server, `. arXiv preprint`; a volume,
# `, vol. 3`; a version, `. Version 1.2`; a report, `, Tech. Rep. 5`; pages, `, 12-34`; a host, `. engines.example.org`
_BEHIND_TITLE = re.compile(
    r"(?:,\s*\(?(?:\d+(?:st|nd|rd|th)|[Ss]econd|[Tt]hird|\d+\.)\s+(?:[Ee]d|Aufl)\w*\.?\)?.*"
    r"|,\s+\w+ edition\b.*|[.,]\s[Pp]reprint"
    r"|\.\s(?:[a-z0-9-]{1,40}\.){1,3}(?:com|org|net|edu|gov|io|[a-z]{2})(?:/\S*)?"
    r"|(?:\.|(?<=[?!]))\s*(?i:arxiv|biorxiv|medrxiv)(?: [Pp]reprint)?(?: at)?"
    r"|[.,]\s*(?:[Vv]ol(?:ume|\.)|Bd\.|Band|[Tt]ome)\s*\d+(?:\s(?:of\b|\().*)?"
    r"|\.\s*(?:(?:[Rr]|Python)\s[Pp]ackage\s)?[Vv]ersion\sv?\d[\w.-]*"
    r"|,\s*(?:[Tt]ech(?:nical|\.)\s[Rr]ep(?:ort|\.)?\b.*|(?:pages|pp\.)\s\d{1,6}[-–—]\d{1,6}"
    r"|(?!(?:1[89]|20)\d\d[-–—](?:\d\d|(?:1[89]|20)\d\d)$)\d{1,6}[-–—]\d{1,6}))$"
)
# What APA puts in brackets behind a title: `[Internet]`, `[Doctoral dissertation, Engine College]`, `(2nd ed.)`
_NOTE_OF_APA = re.compile(
    r"\s*(?:\[(?:Internet|Online|en ligne|en línea|Electronic|Publisher|ISBN|ISSN|Place|Number|Section|Series)[^\]]*\]"
    r"|[\[(][^\])]*(?:\bEds?\.|\bed\.|\bedition\b|Report|thesis|dissertation|preprint|data ?set|software|Vol\.)"
    r"[^\])]*[\])])$",
    re.IGNORECASE,
)
# `, 1999`, `(May 1999)`, `, 2001–`
_YEAR_BEHIND = re.compile(rf"(?:[.;,]\s*|\s*\()(?:[A-Z][a-z.]+ )?{YEAR}(?:[a-z]|[-–]{{1,2}})?\)?(?:\.?\s*arXiv)?$")
# `January 13`, before a year that belongs to the title
_MONTH_AND_DAY = re.compile(r"\b[A-Z][a-z]{2,8}\.? \d{1,2}$")
_PENDING = re.compile(
    r"\b(?:in press|forthcoming|to appear|submitted|in preparation|under review"
    r"|im Druck|erscheint|à paraître|en prensa)\b",
    re.IGNORECASE,
)
_DOTLESS = re.compile("ı(?=[\u0300-\u036f])")
_VERBATIM = frozenset({"doi", "url", "eprint", "isbn", "pmid", "archiveprefix"})
_SHORTEST_TITLE, _LONGEST_TITLE = 3, 500  # characters of a title
_LONGEST_READ = 20_000  # characters that are looked at
_LONGEST_REFERENCE = 4000  # characters of a reference; beyond it is no single one


@dataclass(frozen=True, slots=True)
class Reading:
    """Fields as BibTeX has them, and the names of those that were not read for certain."""

    kind: str
    fields: Mapping[str, str]
    plain: str  # the reference as a reader sees it, of a very long one the beginning
    unsure: frozenset[str] = frozenset()


@remember(2 * MB)
def read(text: str, markup: str) -> Reading:
    """Read the type of entry and the fields of a reference; `markup` is "tex" or "plain".

    Identifiers come first, then people, title and year, then the place; none of these replaces a field that is there.
    Fields that the TeX itself names (`marked.exact`) replace what was read of the place.
    """
    marked = mark(text, markup)
    plain = strip_signs(marked.text)
    known = _identifiers(plain, marked)
    fields = _name_identifiers(known)
    title_in_doubt = frozenset({"title"})
    if len(plain) > _LONGEST_REFERENCE:  # several references run together: only identifiers are taken
        return Reading("misc", fields, plain[:_LONGEST_REFERENCE], title_in_doubt)

    bare = strip_addresses(marked.text)
    parts = _tell_parts_apart(bare, known)
    fields |= _state_fields(parts, marked.exact, plain)
    of_place = parts.place.fields if parts.place else {}  # the reference has no title: its form has read what is there
    is_parted = bool(parts.title or parts.rest)
    of_rest = places.read(parts.rest if is_parted else bare, year=parts.year, whole=bare)
    for name, value in (*of_place.items(), *of_rest.items()):
        if value:
            fields.setdefault(name, value)
    fields |= {name: value for name, value in marked.exact.items() if name in _EXACT and value}
    pending = _PENDING.search(plain)
    if pending:
        fields["pubstate"] = pending[0].lower()

    kind = places.kind_of(fields, plain, parts.rest)
    # The place was not read, which does not mean that there is none: people find it in the note.
    if kind == "misc" and not fields.keys() & {"journal", "booktitle", "publisher"}:
        rest = strip_signs(parts.rest).lstrip(" .,;:")
        if rest:
            fields["note"] = rest
    if kind in ("inproceedings", "incollection") and "journal" in fields and "booktitle" not in fields:
        fields["booktitle"] = fields.pop("journal")
    written = {name: value if name in _VERBATIM else _write_tex(name, value) for name, value in fields.items()}
    return Reading(kind, written, plain, _name_unsure(parts, marked.exact, has_author="author" in fields))


def _tell_parts_apart(bare: str, known: Identifiers) -> Parts:
    """Part a reference without its addresses by its form, and by the labels of its words; all is rest if none fits.

    `known`: what its addresses and numbers say, of which one may be all that stood behind a title.
    """
    parts = forms.part_reference(_name_server_alone(bare))
    if parts is None and (known.url or known.doi or known.arxiv):
        parts = forms.part_before_address(bare)
    if parts is None:
        parts = Parts(NOBODY, "", bare, sure=False)
    return labelled_parts.complete(parts, bare)  # a second reader, for what the form does not know or is unsure of


def _name_unsure(parts: Parts, exact: Mapping[str, str], *, has_author: bool) -> frozenset[str]:
    """Return which of "title" and "author" were not read for certain; what the TeX itself names (`exact`) was."""
    unsure: set[str] = set()
    if not parts.sure and "title" not in exact:
        unsure.add("title")
    if has_author and not parts.are_people_sure and "author" not in exact:
        unsure.add("author")
    return frozenset(unsure)


def mark(text: str, markup: str) -> Marked:
    """Write a reference with the signs of `printed_signs`, without where it is cited and where its errata are.

    Words in bold, as ABNT sets titles, get the signs of italics: only volumes in bold tell something of their own.
    """
    if markup == "tex":
        marked = mark_tex(text)
    else:
        marked = Marked(_part_joined(_single_space(_compose(text[:_LONGEST_READ]))), {})
    in_italics = _TITLE_IN_BOLD.sub(rf"{ITALIC}\1{ROMAN}", marked.text)
    return marked._replace(text=_ERRATUM.sub("", _PAGES_THAT_CITE.sub("", _CITED_ON.sub("", in_italics))))


def strip_addresses(text: str) -> str:
    """Remove addresses, DOIs, days of access and numbers of books, which stand anywhere in a reference."""
    without_addresses = _single_space(_ADDRESS.sub(" ", text))
    return _single_space(_NUMBERS_OF_BOOKS.sub(" ", _ACCESSED.sub(" ", without_addresses))).lstrip(" .,;:")


def _name_server_alone(text: str) -> str:
    """Remove the numbers of preprints: `arXiv:2101.00001` becomes `arXiv`, or in brackets (APA) nothing at all."""
    bare = _BARE_PREPRINT.sub("", _BRACKETED_PREPRINT.sub("", text))
    return _single_space(_PREPRINT.sub(" arXiv ", bare))


def _compose(text: str) -> str:
    """Compose letters and their accents to one character; TeX draws accents on an i without a dot."""
    return unicodedata.normalize("NFC", _DOTLESS.sub("i", text))


def _single_space(text: str) -> str:
    """Replace runs of white space, for which patterns take long, by single spaces."""
    return " ".join(text.replace("https: //", "https://").split())


def _part_joined(text: str) -> str:
    """Put the spaces between sentences that a page lost, as in `1843.Engines at work.Memoirs 12`, and between words.

    Addresses are left alone.  `?Engines?`, as fonts without quotation marks print them, gets some.
    """
    parted = " ".join(word if "/" in word else _STOP_WITHOUT_SPACE.sub(". ", word) for word in text.split())
    return _IN_WITHOUT_SPACE.sub("in ", _OTHERS_WITHOUT_SPACE.sub("and others", _QUOTES_LOST.sub(r"“\1”", parted)))


_EXACT = frozenset("journal booktitle volume number pages publisher series edition school institution".split())


def _write_tex(name: str, value: str) -> str:
    if name in ("author", "editor"):
        return value.replace("&", r"\&").replace("_", r"\_").replace("%", r"\%")
    return escape(value)


def _strip_quotes(title: str) -> str:
    """The title without the quotes around it; `An approach to the “engine”` keeps its own."""
    bare = title.strip('“”„«»"')
    return bare + "”" if bare.count("“") > bare.count("”") and title.endswith("”") else bare


def _drop_year(title: str) -> str:
    """The title without a year behind it; `A reply (Byron, 1999)` and `Interview: January 13, 2005` end in one."""
    dated = _YEAR_BEHIND.search(title)
    if dated is None:
        return title
    undated = title[: dated.start()]
    is_in_title = undated.count("(") != undated.count(")") or _MONTH_AND_DAY.search(undated)
    return title if is_in_title else undated


def _named_title(exact: Mapping[str, str], plain: str) -> str:
    """Return the title that the TeX names; "" if it names none.

    The title of a book may be named as `booktitle`: it is the work's own if an author is named beside it, unless the
    whole reference, `plain`, prints “in” before it, as for a work that stands in that book.
    """
    title = exact.get("title", "")
    book = exact.get("booktitle", "")
    if title or not book or not exact.get("author"):
        return title
    is_in_book = re.search(rf"\bin:?\s+[“\"]?{re.escape(book)}", plain, re.IGNORECASE)
    return "" if is_in_book else book


def _state_fields(parts: Parts, exact: Mapping[str, str], plain: str) -> dict[str, str]:
    """Return the fields of people, title and year, each if it was read.

    `exact` are the fields that the TeX itself names, which count more than `parts`; `plain` is the whole reference.
    """
    fields = dict[str, str]()
    title = _named_title(exact, plain) or strip_signs(parts.title)  # without the signs of italics and bold
    title = _strip_quotes(title.strip(" .,;:，．")).strip(" ,")
    title = _NOTE_OF_APA.sub("", _BEHIND_TITLE.sub("", title))
    if not (exact.get("year") or parts.year):  # else a year at the end belongs to the title
        title = _drop_year(title)
    if _SHORTEST_TITLE <= len(title) <= _LONGEST_TITLE and forms.A_WORD.search(title):
        fields["title"] = title
    # The people of `parts` are those before the title, whom the TeX may name as authors: then they are no editors.
    people = exact.get("author") or ("" if parts.people.are_editors else str(parts.people))
    if people:
        fields["author"] = people
    elif parts.people.are_editors:
        fields["editor"] = str(parts.people)
    year = exact.get("year") or parts.year
    if year:
        match = re.search(YEAR, year)
        fields |= {"year": match[0]} if match else {}
    return fields


def _identifiers(plain: str, marked: Marked) -> Identifiers:
    known = identifiers.from_text(plain)
    for name in ("doi", "eprint", "url"):
        value = marked.exact.get(name)
        if value:
            known = known.filled_from(identifiers.from_text(value))
    bare = _BARE_PREPRINT.search(plain)
    if bare and not known.arxiv:
        known = known.filled_from(identifiers.from_text(f"arXiv:{bare['number']}"))
    return known


def _name_identifiers(known: Identifiers) -> dict[str, str]:
    found = {"doi": known.doi, "isbn": known.isbn, "pmid": known.pmid, "eprint": known.arxiv}
    if known.arxiv:
        found["archiveprefix"] = "arXiv"
    if known.url and not known.doi and not known.arxiv:
        found["url"] = known.url
    return {name: value for name, value in found.items() if value}
