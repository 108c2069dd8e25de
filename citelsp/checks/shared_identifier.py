"""One DOI, arXiv id, ISBN or PubMed id in two entries of different works: one of them was copied.

Chapters share the ISBN of their book, and what has the same title is another check's.
"""

import re
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import normal_isbn
from citelsp.bibliography.same_work import SHORT, marks
from citelsp.bibliography.tolerant_comparison import titles
from citelsp.checks.duplicate_entry import files_of, pairs, same_work
from citelsp.checks.finding import Check, Finding, Related, limit_findings, make_bound_finding
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Place, Project

CODE = "shared-identifier"
# In lower case, and without \b in front, so that the search skips to the letters `i` and `p`.
_SERIAL = re.compile(r"(?P<name>isbn|pmid)(?<!\w(?:isbn|pmid))\s*+=\s*+[{\"]?\s*+(?P<value>[\dx -]{4,20})")
_PARTS = frozenset(
    "inbook incollection inproceedings conference inreference bookinbook suppbook suppcollection".split()
)
_BOOKS = frozenset(
    "book mvbook collection mvcollection proceedings mvproceedings manual thesis phdthesis reference".split()
)


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return limit_findings(_make_findings(project, knowledge))


def _make_findings(project: Project, knowledge: Knowledge) -> Iterator[Finding]:
    """Report two entries with one identifier once, at the second; at the first if only the second is verified.

    Compared are only entries that have a hash in common: of DOI, arXiv id and title, then of ISBN and PubMed id.  If a
    bound ends the search, a finding says so.
    """
    files = files_of(project)
    reported: set[tuple[str, str]] = set()  # the keys of both
    for fact in (marks, _number_identifiers):
        for first, second in pairs(project, files, fact):
            if second is None:
                path = first.source.document.path
                yield make_bound_finding(CODE, path, first.key_span, kind="pairs of entries with one identifier")
                continue
            if (first.node.key, second.node.key) in reported:
                continue
            shared = _find_shared(first, second)
            if shared is None:
                continue
            reported.add((first.node.key, second.node.key))
            only_second_is_verified = _is_verified(second, knowledge) and not _is_verified(first, knowledge)
            if only_second_is_verified:
                first, second = second, first
            yield _make_finding(first, second, shared)


def _is_verified(place: Place, knowledge: Knowledge) -> bool:
    """True if the work was found as the entry describes it: then the identifier is the other entry's mistake."""
    if not knowledge.verdicts:
        return False
    verdict = knowledge.verdicts.get(place.content)
    return verdict is not None and verdict.kind == "verified"


def _number_identifiers(node: BibNode) -> Iterable[int]:
    """A number for each ISBN of a book and each PubMed id, by which two entries with the same one are found.

    Chapters rightly have the ISBN of their book, and those of a few books are thousands of pairs.
    """
    lowered = node.source.lower()
    # Most entries have neither, and end here.
    if "isbn" not in lowered and "pmid" not in lowered:
        return []
    numbers = []
    for serial in _SERIAL.finditer(lowered, node.key_span.end):
        name, value = serial.group("name", "value")
        if name == "pmid" or node.kind in _BOOKS:
            numbers.append(hash((name, _normalize(name, value))))
    return numbers


def _normalize(name: str, value: str) -> str:
    """Write an identifier in one form: a right ISBN as its thirteen digits, others as they are."""
    if name == "isbn":
        return normal_isbn(value) or value
    return value.strip()


class _Shared(NamedTuple):
    field: str
    identifier: str  # with its kind: `ISBN 9780262035613`


def _find_shared(first: Place, second: Place) -> _Shared | None:
    """Return the identifier that two entries of different works have in common, which one must have by mistake.

    None if there is none, or if it may be right, as the two may be one work or parts of one book.
    """
    # Without what they inherit: chapters rightly have the identifiers of their book.
    entry = Entry(first.node, first.source.syntax.strings)
    other = Entry(second.node, second.source.syntax.strings)
    if _are_alike(entry, other) or same_work(first.entry, second.entry):
        return None
    identifiers = entry.identifiers
    kinds = {first.node.kind, second.node.kind}
    if identifiers.doi and identifiers.doi == other.identifiers.doi:
        if _are_in_one_book(entry, other, kinds):
            return None
        return _Shared("doi", f"DOI {identifiers.doi}")
    # A DOI may be the whole book's, as an ISBN is; an arXiv id and a PubMed id are of one text.
    if identifiers.arxiv and identifiers.arxiv == other.identifiers.arxiv:
        return _Shared("eprint", f"arXiv id {identifiers.arxiv}")
    pmid = _normalize("pmid", entry.text("pmid"))
    if pmid and pmid == _normalize("pmid", other.text("pmid")):
        return _Shared("pmid", f"PubMed id {pmid}")
    isbn = _normalize("isbn", entry.text("isbn"))
    # Chapters share the ISBN of their book, and the volumes of a work may share that of the whole.
    are_whole = kinds <= _BOOKS and not (_is_part(entry) or _is_part(other))
    are_books_alike = are_whole and entry.text("volume") == other.text("volume")
    if isbn and are_books_alike and isbn == _normalize("isbn", other.text("isbn")):
        return _Shared("isbn", f"ISBN {isbn}")
    return None


def _is_part(entry: Entry) -> bool:
    """True for an entry with the `booktitle` of another book: reference managers export chapters as @book, too."""
    book = _key_of_title(entry, "booktitle")
    return bool(book) and book != titles.key(entry.title)


def _are_in_one_book(entry: Entry, other: Entry, kinds: Set[str]) -> bool:
    """True of a part and a book, and of two parts of books that are called the same."""
    if not kinds & _PARTS:
        return False
    return bool(kinds & _BOOKS) or _key_of_title(entry, "booktitle") == _key_of_title(other, "booktitle")


def _are_alike(first: Entry, second: Entry) -> bool:
    """True if the titles may be of one work, or are not known."""
    title = titles.key(first.title)
    other_title = titles.key(second.title)
    if not title or not other_title or title.startswith(other_title) or other_title.startswith(title):
        return True
    # "Supplemental material: …", "Erratum to …"
    shorter, longer = sorted((title, other_title), key=len)
    return len(shorter) >= SHORT and shorter in longer


def _key_of_title(entry: Entry, name: str) -> str:
    return titles.key(entry.text(name))


def _make_finding(first: Place, second: Place, shared: _Shared) -> Finding:
    """Report the shared identifier at the field of `second`; at its key if it stands elsewhere, as in its URL."""
    node = second.node
    field_span = next((field.value_span for field in node.fields() if field.name == shared.field), node.key_span)
    identifier = shared.identifier
    message = f"“{first.node.key}” has the {identifier} too: they are one work, or one identifier is wrong."
    related = (Related(first.source.document.path, first.key_span, f"the {identifier} again"),)
    return Finding(
        CODE,
        second.source.document.path,
        field_span.moved(second.start),
        message,
        key=node.key,
        field=shared.field,
        related=related,
    )


CHECK = Check(
    CODE,
    "warning",
    "Two entries of different works have the same DOI, arXiv id, ISBN or PubMed id.",
    check,
    facts=lambda *_: [marks, _number_identifiers],
)
