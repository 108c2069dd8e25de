"""What kind of entry a work is: an article, a paper at a conference, a preprint, a book …

Services disagree (a paper at a conference is an "article" to one, a "book chapter" to another), so the venue's name has
a say where it says more.
"""

from typing import Literal, cast

from citelsp.bibliography import venues
from citelsp.bibliography.record import Record

Kind = Literal[
    "article", "inproceedings", "incollection", "inreference", "book", "proceedings", "preprint", "thesis", "report",
    "dataset", "software", "online", "patent", "misc",
]  # fmt: skip

# By CSL's types, in which “article” is a preprint, and by the names that services give.
_KINDS = dict(
    pair.split(":")
    for pair in """article-journal:article article-magazine:article article-newspaper:article review:article
    journal-article:article paper-conference:inproceedings proceedings-article:inproceedings book:book monograph:book
    edited-book:book collection:book chapter:incollection book-chapter:incollection proceedings:proceedings
    preprint:preprint posted-content:preprint article:preprint manuscript:preprint thesis:thesis dissertation:thesis
    report:report standard:report dataset:dataset software:software webpage:online post:online post-weblog:online
    patent:patent entry-encyclopedia:inreference entry-dictionary:inreference component:misc speech:misc""".split()
)


def kind_of(record: Record) -> Kind:
    """Return the kind of a work, by the type that the sources give and the name of the venue.

    The type counts.  Only if it is that of an article, a conference paper or a chapter, which sources mix up, the venue
    may overrule it: by being a preprint server, or by showing that an article is a conference's or the other way round.
    An article or paper with an arXiv id and no venue is a preprint, too.  Without a type, or with one that is not
    known, the venue tells; if it tells nothing, a work is a book, an article or "online".
    """
    kind = _KINDS.get(record.type, "")
    may_venue_overrule = kind in ("article", "inproceedings", "incollection", "")
    if may_venue_overrule:
        # Aggregators call what is on arXiv an article, too; but a chapter has a book, named or not.
        is_only_on_arxiv = not record.venue and record.identifiers.arxiv
        if venues.is_preprint_server(record.venue) or (is_only_on_arxiv and kind != "incollection"):
            return "preprint"
        form = form_of(record.venue)  # "article" for a journal, "inproceedings" for a conference, "" if it is neither
        if not kind:
            return form or _kind_without_type(record)
        kind = _corrected_by_venue(kind, form, record)
    return cast("Kind", kind)  # _KINDS has none but kinds


def form_of(venue: str) -> Literal["article", "inproceedings", ""]:
    """Return the kind that a venue's name alone tells; "" if it tells none."""
    if not venue or venues.is_preprint_server(venue):
        return ""
    form = venues.form(venue)
    if form == "journal":
        return "article"
    # A host is a series that prints the proceedings of many conferences.
    is_gathering = bool(form) or venues.is_host(venue)
    return "inproceedings" if is_gathering else ""


def _corrected_by_venue(kind: str, form: str, record: Record) -> str:
    """Return the kind, unless the `form` of the venue tells another.

    With the venue of a conference a work is a paper: one called a chapter, as in a series of books, always, and one
    called an article if the conference is known.  With a journal, what is called a paper is an article.
    """
    if form == "inproceedings" and (kind != "article" or venues.identify(record.venue).series):
        return "inproceedings"
    if form == "article" and kind == "inproceedings":
        return "article"
    return kind


def _kind_without_type(record: Record) -> Kind:
    """Return the kind of a work of which neither its source nor its venue tells one."""
    if record.identifiers.isbn and not record.pages:
        return "book"
    return "article" if record.venue else "online"
