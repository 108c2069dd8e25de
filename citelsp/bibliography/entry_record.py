"""An entry of one bibliography as a record, to be written into another."""

import re

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record

_TYPES = dict(
    pair.split(":")
    for pair in """article:article-journal inproceedings:paper-conference conference:paper-conference book:book
    collection:book incollection:chapter inbook:chapter inreference:entry-encyclopedia thesis:thesis phdthesis:thesis
    mastersthesis:thesis report:report techreport:report online:webpage software:software dataset:dataset
    patent:patent standard:standard proceedings:proceedings""".split()
)
_DASHES = re.compile(r"(?:(?<!\s)\s+)?[-\u2010-\u2015]+\s*")
_VENUES = ("journal", "journaltitle", "booktitle", "school", "institution", "howpublished")


def from_entry(entry: Entry) -> Record:
    """Return as a record what the entry says of its work; fields that it lacks are empty.

    Its source is "library", as of all that the author's own bibliographies say, and its id the citekey.  Its type is ""
    for entries whose type tells none, such as @misc.
    """
    year = entry.year
    return Record(
        source="library",
        id=entry.key,
        title=entry.title,
        authors=entry.authors,
        authors_complete=not entry.authors_truncated,
        years=(year,) if year else (),
        date=str(year or ""),
        venue=next(filter(None, map(entry.text, _VENUES)), ""),
        type=_TYPES.get(entry.kind, ""),
        identifiers=entry.identifiers,
        volume=entry.text("volume"),
        issue=entry.text("number") or entry.text("issue"),
        pages=_DASHES.sub("-", entry.text("pages")),
        publisher=entry.text("publisher"),
        abstract=entry.text("abstract"),
        url=entry.text("url"),
    )
