"""One field of an entry rewritten from a record, or added: nothing else of the file changes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from citelsp.base.text import Document, Edit, Span
from citelsp.bibliography import authors, datamodel, record_quality, style, venues
from citelsp.bibliography.bylines import byline
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import squeezed, words
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.render import equals, fields_of, pages, value
from citelsp.bibliography.style import Style
from citelsp.syntax import languages
from citelsp.syntax.nodes import Field

_NAMES = {
    "title": ("title",),
    "authors": ("author",),
    "year": ("year", "date"),
    "venue": ("journal", "journaltitle", "booktitle", "howpublished"),
    "volume": ("volume",),
    "number": ("number", "issue"),
    "pages": ("pages",),
    "publisher": ("publisher",),
    "doi": ("doi",),
    "eprint": ("eprint",),
}
_GENERIC = frozenset({"misc", "online", "electronic", "www", "unpublished"})
_OF_ITS_TYPE = frozenset(
    "booktitle journal journaltitle publisher institution school organization howpublished type".split()
)


def field_of(entry: Entry, name: str) -> Field | None:
    """The field that holds this part of the reference, under the name that the entry uses for it."""
    names = _NAMES[name]
    return next((it for it in entry.fields if it.name in names), None)


def rewritten(document: Document, start: int, entry: Entry, name: str, record: Record) -> Edit | None:
    """The edit that makes one field say what the record says; None if the record or the format does not allow it."""
    if name == "authors":
        record = replace(record, authors=_written_out(record.authors, entry.authors))
        if any(_abbreviates(it, entry.authors) or _is_half(it, entry.authors) for it in record.authors):
            return None
    if name == "title" and _spoils(record.title, entry):
        return None
    text = recorded(name, record) if record_quality.is_fit_to_write(name, record, entry.authors) else ""
    # A name written out is not replaced by its abbreviation, which says less.
    if not languages.language_of(document).by_field or not text or (name == "venue" and _is_shorter(text, entry.venue)):
        return None
    habits = style.detect(document)
    field = field_of(entry, name)
    if field is None:
        return _added(document, start, entry, _fresh_name(entry, name, habits), text, habits)
    keep = entry.node.source[field.value_span.start : field.value_span.end]
    if field.name == "date":
        new = _date(keep, text)
    else:
        # `year = 2019` stays without braces.
        new = text if keep.isdigit() and text.isdigit() else value(_written_as(name), text, habits)
    return Edit(document.path, field.value_span.moved(start), new)


def says_less(entry: Entry, name: str, record: Record) -> bool:
    """What would be written has nobody who is not cited, or only letters of the title.

    One record alone may have lost the rest, or stand for another version, whose people are in another order.
    """
    if name == "authors":
        people = authors.compare(entry.authors, record.authors)
        return not (people.dropped or people.replaced) or len(record.authors) < len(entry.authors)
    rest = iter(squeezed(entry.title))
    return name == "title" and all(it in rest for it in squeezed(record.title))


def _spoils(title: str, entry: Entry) -> bool:
    """Formulas, accents and small letters get lost on the way into an index; what the author has of them is better."""
    has_formula = "$" in entry.value("title") or "\\(" in entry.value("title")
    has_letters = any(it.isalpha() and not it.isascii() for it in entry.title)
    return has_formula or (has_letters and title.isascii()) or (title.isupper() and not entry.title.isupper())


def _written_out(recorded: Sequence[Name], cited: Sequence[Name]) -> tuple[Name, ...]:
    """The people on record, as the entry writes those of whom the record has no more than initials."""
    by_family: dict[str, list[Name]] = {}
    for person in cited:
        by_family.setdefault(squeezed(person.family), []).append(person)
    return tuple(_fuller(it, by_family.get(squeezed(it.family), ())) for it in recorded)


def _fuller(recorded: Name, namesakes: Sequence[Name]) -> Name:
    if any(len(it) > 1 for it in words(recorded.given)):
        return recorded
    fuller = (it for it in namesakes if len(it.given) > len(recorded.given) and authors.same_person(it, recorded))
    return next(fuller, recorded)


def _abbreviates(recorded: Name, cited: Sequence[Name]) -> bool:
    """Another's initials, where somebody of that family name is cited with names written out: `Frazier, R`."""
    if any(len(it) > 1 for it in words(recorded.given)):
        return False
    family = [it for it in cited if squeezed(it.family) == squeezed(recorded.family)]
    return bool(family) and all(any(len(word) > 1 for word in words(it.given)) for it in family)


def _is_half(recorded: Name, cited: Sequence[Name]) -> bool:
    """`Jeffrey`, of whom Dean, Jeffrey is cited."""
    lone = set(words(recorded.family))
    return not recorded.given and any(it.given and lone < set(words(str(it))) for it in cited)


def _is_shorter(venue: str, cited: str) -> bool:
    """An abbreviation, if the entry has a name written out."""
    return "." in venue and "." not in cited and len(venue) < len(cited)


def completed(document: Document, start: int, entry: Entry, record: Record, dialect: str = "auto") -> tuple[Edit, ...]:
    """The edits that add what an entry lacks of the record; one of no certain type becomes one of the record's."""
    habits = style.detect(document)
    if not languages.language_of(document).by_field or not entry.fields:
        return ()
    kind, values = fields_of(record, habits, biblatex=style.dialect_of(habits, dialect) == "biblatex")
    retyped = entry.kind in _GENERIC and kind not in _GENERIC
    alike = retyped or kind == entry.kind
    filled = {datamodel.meaning(name) for name in entry.own if entry.text(name)}
    # An editor is who stands there in place of an author, and a chapter's venue is no journal's.
    filled |= {"author"} if "editor" in filled else set()
    missing = {
        name: text
        for name, text in values.items()
        if datamodel.meaning(name) not in filled and (alike or name not in _OF_ITS_TYPE)
    }
    if not missing:
        return ()
    edits = [_appended(document, start, entry, missing, habits)]
    if retyped:
        edits.append(Edit(document.path, Span(start + 1, start + 1 + len(entry.node.kind)), kind))
    return tuple(edits)


def removed(document: Document, start: int, entry: Entry, name: str) -> Edit | None:
    """The edit that takes a field out, with its comma and its line; None if the entry lacks the field."""
    field = field_of(entry, name)
    if not languages.language_of(document).by_field or field is None:
        return None
    source = entry.node.source
    comma = re.match(r"\s*,", source[field.span.end :])
    before = source[: field.span.start].rstrip()
    head = before if comma else before.removesuffix(",")
    return Edit(document.path, Span(len(head), field.span.end + (comma.end() if comma else 0)).moved(start), "")


def recorded(name: str, record: Record) -> str:
    """What a record says of a part of the reference, ready to be written; "" if nothing."""
    match name:
        case "title":
            return record.title
        case "authors":
            return byline(record.authors, complete=record.authors_complete)
        case "year":
            return str(record.year or "")
        case "number":
            return record.issue
        case "pages":
            return pages(record.pages)
        case "doi":
            return record.identifiers.doi
        case "eprint":
            return record.identifiers.arxiv
        case "venue":
            return venues.written_out(record.venue)
        case "volume" | "publisher":
            return str(getattr(record, name))
    return ""


def _written_as(name: str) -> str:
    return {"authors": "author"}.get(name, name)


def _fresh_name(entry: Entry, name: str, habits: Style) -> str:
    if name == "venue":
        if entry.kind in ("inproceedings", "conference", "incollection"):
            return "booktitle"
        return "journaltitle" if habits.dialect == "biblatex" else "journal"
    if name == "year" and habits.dialect == "biblatex":
        return "date"
    return _NAMES[name][0]


def _date(old: str, year: str) -> str:
    """A biblatex date keeps its delimiters; month and day of a wrong year are not kept."""
    return f'"{year}"' if old.startswith('"') else f"{{{year}}}"


def _added(document: Document, start: int, entry: Entry, name: str, text: str, habits: Style) -> Edit | None:
    """A field behind the last one, indented as that one is."""
    if not entry.fields:
        return None
    return _appended(document, start, entry, {name: value(_written_as(name), text, habits)}, habits)


def _appended(document: Document, start: int, entry: Entry, values: Mapping[str, str], habits: Style) -> Edit:
    """Fields as they are to be written, behind the last one and indented as that one is.

    `start` is where the entry begins in the document.
    """
    source = entry.node.source
    last = entry.fields[-1]
    line_break = source.rfind("\n", 0, last.name_span.start)
    if line_break < 0:
        lead = " "
    else:
        before = source[line_break + 1 : last.name_span.start]
        lead = habits.newline + (before if before.isspace() else habits.indent)
    fields = [f"{lead}{name}{equals(name, habits)}{text}" for name, text in values.items()]
    end = last.span.end
    has_comma = source[end:].lstrip().startswith(",")
    if has_comma:
        offset = source.index(",", end) + 1
        written = "".join(f"{field}," for field in fields)
    else:
        offset = end
        written = "".join(f",{field}" for field in fields)
    return Edit(document.path, Span(start + offset, start + offset), written)
