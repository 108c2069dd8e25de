"""What is one work: entries and records that have a mark in common, and records that are grouped by work.

Marks are hashes of identifiers and of titles, found without parsing an entry: two entries, or an entry and a record,
that are one work have one in common; whether they are one is for a closer look.  `marks` is a fact of an entry, so that
a file of tens of thousands keeps them across edits.

Records are one work if they share an identifier, or if title and authors agree and the years allow it; two publications
with DOIs of their own stay two works, even under one title.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from citelsp.bibliography import venues
from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import words
from citelsp.bibliography.identifiers import read_doi_field
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import author_lists, titles
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.parsing import fold_key

# `Deep learning` and `Introduction` are titles of hundreds; with the year they are of few.
SHORT = 20  # letters and digits below which a title does not name a work
YEARS_APART = 2  # a preprint and its publication, under one short title

# Of types that tell: an article and a paper may be one publication, and so may a paper and a chapter.
_FORMS = {
    "thesis": "phdthesis mastersthesis thesis",
    "book": "book mvbook collection mvcollection proceedings mvproceedings",
    "chapter": "incollection inbook suppbook suppcollection inreference",
    "report": "techreport report",
    "article": "article",
    "paper": "inproceedings conference",
}
_FORM_OF = {kind: form for form, kinds in _FORMS.items() for kind in kinds.split()}
_COMPATIBLE_FORMS = ({"article", "paper"}, {"paper", "chapter"})
_MOST_YEARS_APART = 4  # preprint and publication
_IDENTIFIERS = ("doi", "arxiv", "pmid", "pmcid", "acl", "openalex", "s2", "dblp", "bibcode")
_NUMBERED_FIELDS = ("volume", "number", "part")

# A value in braces, with braces within to a depth of three
_BRACED = r"\{(?P<braced>(?:[^{}]++|\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*\})*\})*)\}"
_TITLE = re.compile(r"title\s*+=\s*+(?:" + _BRACED + r'|"(?P<quoted>(?:[^"{}]++|\{[^{}]*+\})*)")')
_DOI = re.compile(r"doi\s*=\s*[{\"]([^}\"]*)")
_YEAR = re.compile(r"(?:year|date)\s*=\s*[{\"]*(\d{4})")
# A DOI in which nothing needs to be decoded or cut off
_PLAIN_DOI = re.compile(r"10\.\d{4,9}/[\w.()/:;-]*\w")


def marks(node: BibNode) -> Iterable[int]:
    """Return hashes of an entry's DOI, arXiv id and title: another entry of the same work has one of them too.

    A short title is hashed with the entry's year, 0 if it has none.  Empty if the entry has none of the three.  The
    hashes are of this process alone: another one has others, so that none may be kept on the disk.
    """
    lowered = node.source.lower()
    hashes: list[int] = []
    # By regular expressions, as a file of ten thousand entries is read when it is opened: parsing takes far longer.
    doi = ""
    doi_field = _match_field(_DOI, "doi", lowered)
    if doi_field:
        doi = doi_field[1] if _PLAIN_DOI.fullmatch(doi_field[1]) else read_doi_field(doi_field[1])
    elif "/10." in lowered:  # in an address
        doi = Entry(node).identifiers.doi
    if doi:
        hashes.append(hash(("doi", doi)))
    title_field = _match_field(_TITLE, "title", lowered)
    if title_field:
        title = titles.key(decode(title_field["braced"] or title_field["quoted"] or ""))
        year = _YEAR.search(lowered) if len(title) < SHORT else None  # only a short title needs it
        hashes += _title_marks(title, [int(year[1]) if year else 0])
    # Without one of these there is no id; `abs/1706.03762` is what DBLP writes as the volume.
    may_be_on_arxiv = "xiv" in lowered or "eprint" in lowered or "abs/" in lowered
    arxiv = Entry(node).identifiers.arxiv if may_be_on_arxiv else ""
    if arxiv:
        hashes.append(hash(("arxiv", arxiv)))
    return hashes


def marks_of(record: Record) -> Iterator[int]:
    """Yield the hashes of DOI, arXiv id and title that `marks` gives for any entry that may be of this work.

    The entry may lack the subtitle, and of a short title its year may differ by YEARS_APART.
    """
    identifiers = record.identifiers
    if identifiers.doi:
        yield hash(("doi", identifiers.doi))
    if identifiers.arxiv:
        yield hash(("arxiv", identifiers.arxiv))
    years = [0]  # of entries without a year
    for year in record.years:
        years += range(year - YEARS_APART, year + YEARS_APART + 1)
    whole = plain_title(record)
    for title in dict.fromkeys((titles.key(whole), titles.key(titles.parts(whole)[0]))):
        yield from _title_marks(title, years)


def are_two_publications(one: Entry, other: Entry) -> bool:
    """True if two entries with one title show that they are of two publications.

    They do if their types tell two forms, such as thesis and article, that no one publication has (see
    _COMPATIBLE_FORMS); if they are in two volumes or two books; or on other pages.  False for a preprint, which counts
    as the work that it became, and for two with the same range of pages, whatever else differs, unless both have a year
    and these differ.
    """
    if venues.is_preprint_server(one.venue) or venues.is_preprint_server(other.venue):
        return False
    pages = words(one.text("pages"))
    other_pages = words(other.text("pages"))
    # A column such as “Official announcements” may be on the same page in each volume.
    are_of_two_years = bool(one.year and other.year) and one.year != other.year
    if len(pages) > 1 and pages == other_pages and not are_of_two_years:
        return False
    forms = {_FORM_OF.get(entry.kind, "") for entry in (one, other)} - {""}
    if len(forms) > 1 and forms not in _COMPATIBLE_FORMS:
        return True
    # The key of the book that holds the chapter.
    books = {fold_key(entry.value("crossref").strip()) for entry in (one, other)} - {""}
    if len(books) > 1:
        return True
    for name in _NUMBERED_FIELDS:
        count = one.text(name)
        other_count = other.text(name)
        # Only bare numbers: `12(3)` may be another way of writing 12.
        if count != other_count and count.isdecimal() and other_count.isdecimal():
            return True
    return _are_on_other_pages(pages, other_pages)


def _are_on_other_pages(one: Sequence[str], other: Sequence[str]) -> bool:
    """True for two ranges that share no first or last page; from page 1 on, every publication counts for itself."""
    for pages in (one, other):
        is_range = len(pages) > 1
        if not is_range or pages[0] == "1":
            return False
    return set(one).isdisjoint(other)


def plain_title(record: Record) -> str:
    """Return the record's title as text; some sources keep formulas as TeX."""
    return decode(record.title) if "$" in record.title or "\\" in record.title else record.title


def _title_marks(title: str, years: Iterable[int]) -> list[int]:
    """Hash a title (see `titles.key`); a short one once with each of the years, 0 for an unknown one."""
    if len(title) >= SHORT:
        return [hash(("title", title))]
    return [hash(("title", title, year)) for year in years] if title else []


def _match_field(pattern: re.Pattern[str], name: str, lowered: str) -> re.Match[str] | None:
    """Return the first match of a field's pattern that begins with this very name: `booktitle` is no `title`.

    `lowered` is an entry's source in lower case, which begins with `@`.  None if no such field is there.
    """
    start = lowered.find(name)
    while start >= 0:
        before = lowered[start - 1]
        is_end_of_name = before.isalpha() or before in "_-"  # as of `booktitle`
        match = None if is_end_of_name else pattern.match(lowered, start)
        if match:
            return match
        start = lowered.find(name, start + 1)
    return None


@dataclass(eq=False)
class _Group:
    """Records of one work, as far as is known; equal only to itself."""

    records: list[Record] = field(default_factory=list)

    @property
    def publications(self) -> set[str]:
        """The DOIs of the publications, which no preprint is."""
        published = [record for record in self.records if record.type != "preprint"]
        return {record.identifiers.doi for record in published if record.identifiers.doi}

    def may_join(self, other: "_Group") -> bool:
        """False if the two have more than one publication together: these stay two works."""
        return len(self.publications | other.publications) <= 1


def group_records(records: Iterable[Record]) -> list[list[Record]]:
    """Group the records by work.

    First by identifiers: a record joins all groups with which it shares one into one group, unless two publications
    (two DOIs that are no preprint's) would come together.  Then groups that agree in title and people are joined.
    Groups come in the order of their first records, but groups that one record links stand at the place of the last of
    these.
    """
    groups: list[_Group] = []
    for record in records:
        group_of_record = _Group([record])
        groups.append(group_of_record)
        for group in groups[:-1]:
            is_linked = any(_share_identifier(other, record) for other in group.records)
            # A record of a preprint may link two publications.
            if is_linked and group.may_join(group_of_record):
                group.records += group_of_record.records
                groups.remove(group_of_record)
                group_of_record = group
    return [group.records for group in _by_title(groups)]


def without_copies(groups: Iterable[list[Record]]) -> list[list[Record]]:
    """Join groups that seem to be of one work which reference lists misprint: `Bees Lerning to Dance`.

    Their first records have nearly the same title, near years, and an author in common (if both have any).  Only for
    lists that people choose from: to repair or judge an entry, records must agree in more than this.
    """
    works: list[list[Record]] = []
    for group in groups:
        work = next((earlier for earlier in works if _are_copies(earlier[0], group[0])), None)
        if work is None:
            works.append(list(group))
        else:
            work += group
    return works


def _are_copies(left: Record, right: Record) -> bool:
    """True if one may be the other as a reference list gives it: alike in title, near in years, an author in common."""
    if _years_between(left, right) > _MOST_YEARS_APART or not titles.are_copies(left.title, right.title):
        return False
    if not left.authors or not right.authors:
        return True
    return _count_shared(left, right) > 0


def _count_shared(left: Record, right: Record) -> int:
    """Count the authors whom two records share, the same in either order of the two."""
    # Of an only author `compare` lets the given name differ on the right side, not on the left one.
    one_way = author_lists.compare(left.authors, right.authors).shared
    return min(one_way, author_lists.compare(right.authors, left.authors).shared) if one_way else 0


def _years_between(left: Record, right: Record) -> int:
    """Return how many years lie between the nearest two of their years; 0 if one record has none."""
    gaps: list[int] = []
    for year in left.years:
        gaps += [abs(year - other) for other in right.years]
    return min(gaps, default=0)


def _by_title(groups: Sequence[_Group]) -> list[_Group]:
    """Join groups that agree in title and people; each joins the first that fits.  Changes the groups."""
    works: list[_Group] = []
    for group in groups:
        for work in works:
            if work.may_join(group) and _same_work(work.records[0], group.records[0]):
                work.records += group.records
                break
        else:
            works.append(group)
    return works


def _share_identifier(left: Record, right: Record) -> bool:
    """True if two records have an identifier in common, by which they are of one work.

    If it is one of _IDENTIFIERS, and both have DOIs that differ, they are still two works, unless one is a preprint.
    An ISBN alone, which all chapters of a book have, counts only for two books, whatever their DOIs.
    """
    mine = left.identifiers
    its = right.identifiers
    if any(getattr(mine, name) and getattr(mine, name) == getattr(its, name) for name in _IDENTIFIERS):
        have_two_dois = mine.doi and its.doi and mine.doi != its.doi
        has_preprint = "preprint" in {left.type, right.type}
        return has_preprint or not have_two_dois
    return bool(mine.isbn) and mine.isbn == its.isbn and left.type == right.type == "book"


def _same_work(left: Record, right: Record) -> bool:
    """True if titles are alike and half of the authors of the shorter list are shared; identifiers are not looked at.

    The years may be _MOST_YEARS_APART apart, as those of a preprint and its publication are.  If one record has no
    authors, the titles must be the same, of four words at least, and the years one apart at most.
    """
    if titles.likeness(left.title, right.title) < titles.LIKE:
        return False
    years_apart = _years_between(left, right)
    if not left.authors or not right.authors:
        # Without people to compare only a title that names one work will do.
        has_words_enough = min(len(words(left.title)), len(words(right.title))) >= 4
        is_telling = has_words_enough and titles.compare(left.title, right.title) == "same"
        return years_apart <= 1 and is_telling
    shared = _count_shared(left, right)
    half_are_shared = shared * 2 >= min(len(left.authors), len(right.authors))
    return years_apart <= _MOST_YEARS_APART and half_are_shared
