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
    return next((field for field in entry.fields if field.name in names), None)


def edit_field(document: Document, start: int, entry: Entry, name: str, record: Record) -> Edit | None:
    """The edit that makes one field say what the record says, or adds it.

    `start` is where the entry begins in the document; `name` is the part of the reference, as _NAMES has it.  None if
    the record does not know better, or if the format of the bibliography does not allow it.
    """
    if name == "authors":
        record = replace(record, authors=_written_out(record.authors, entry.authors))
        if any(_abbreviates(person, entry.authors) or _is_half(person, entry.authors) for person in record.authors):
            return None
    if name == "title" and _spoils(record.title, entry):
        return None
    is_fit = record_quality.is_fit_to_write(name, record, entry.authors)
    text = value_on_record(name, record) if is_fit else ""
    if not text or not languages.language_of(document).by_field:
        return None
    # A name written out is not replaced by its abbreviation, which says less.
    if name == "venue" and _is_shorter(text, entry.venue):
        return None
    habits = style.detect(document)
    field = field_of(entry, name)
    if field is None:
        return _added(document, start, entry, _fresh_name(entry, name, habits), text, habits)
    old_value = field.value_span.within(entry.node.source)
    if field.name == "date":
        new_value = _date(old_value, text)
    elif old_value.isdigit() and text.isdigit():  # `year = 2019` stays without braces
        new_value = text
    else:
        new_value = value(_written_as(name), text, habits)
    return Edit(document.path, field.value_span.moved(start), new_value)


def says_less(entry: Entry, name: str, record: Record) -> bool:
    """True if a record has no more of the authors or the title than the entry has.

    That is nobody who is not cited, or fewer people; or the letters of the title, perhaps with some left out.  One
    record alone may have lost the rest, or stand for another version, whose people are in another order.
    """
    if name == "authors":
        people = authors.compare(entry.authors, record.authors)
        has_nobody_new = not people.dropped and not people.replaced
        return has_nobody_new or len(record.authors) < len(entry.authors)
    if name != "title":
        return False
    unmatched = iter(squeezed(entry.title))
    return all(letter in unmatched for letter in squeezed(record.title))  # one after the other


def _spoils(title: str, entry: Entry) -> bool:
    """True if the author's own title has more than this one of what gets lost on the way into an index.

    That is formulas, accents and small letters.
    """
    written = entry.value("title")
    if "$" in written or "\\(" in written:
        return True
    has_accents = any(sign.isalpha() and not sign.isascii() for sign in entry.title)
    if has_accents and title.isascii():
        return True
    return title.isupper() and not entry.title.isupper()


def _written_out(recorded: Sequence[Name], cited: Sequence[Name]) -> tuple[Name, ...]:
    """The people on record, as the entry writes those of whom the record has no more than initials."""
    by_family: dict[str, list[Name]] = {}
    for person in cited:
        by_family.setdefault(squeezed(person.family), []).append(person)
    return tuple(_fuller(person, by_family.get(squeezed(person.family), ())) for person in recorded)


def _fuller(recorded: Name, namesakes: Sequence[Name]) -> Name:
    """The person on record, or if only initials are there the first of the namesakes who is the same, and longer."""
    if _has_whole_name(recorded):
        return recorded
    for namesake in namesakes:
        if len(namesake.given) > len(recorded.given) and authors.same_person(namesake, recorded):
            return namesake
    return recorded


def _has_whole_name(name: Name) -> bool:
    """True if a given name is more than an initial."""
    return any(len(word) > 1 for word in words(name.given))


def _abbreviates(recorded: Name, cited: Sequence[Name]) -> bool:
    """Another's initials, where everybody of that family name is cited with names written out: `Frazier, R`."""
    if _has_whole_name(recorded):
        return False
    namesakes = [person for person in cited if squeezed(person.family) == squeezed(recorded.family)]
    return bool(namesakes) and all(map(_has_whole_name, namesakes))


def _is_half(recorded: Name, cited: Sequence[Name]) -> bool:
    """`Jeffrey`, of whom Dean, Jeffrey is cited."""
    if recorded.given:
        return False
    lone_words = set(words(recorded.family))
    return any(person.given and lone_words < set(words(str(person))) for person in cited)


def _is_shorter(venue: str, cited: str) -> bool:
    """An abbreviation, if the entry has a name written out."""
    return "." in venue and "." not in cited and len(venue) < len(cited)


def complete_entry(
    document: Document, start: int, entry: Entry, record: Record, dialect: str = "auto"
) -> tuple[Edit, ...]:
    """The edits that add the fields that an entry lacks and the record has; none if nothing is lacking.

    An entry of no certain type (_GENERIC) becomes one of the record's.  `start` is where the entry begins in the
    document; `dialect` is that of the settings.
    """
    habits = style.detect(document)
    if not languages.language_of(document).by_field or not entry.fields:
        return ()
    kind, values = fields_of(record, habits, biblatex=style.dialect_of(habits, dialect) == "biblatex")
    is_retyped = entry.kind in _GENERIC and kind not in _GENERIC
    has_type_of_record = is_retyped or kind == entry.kind
    filled = {datamodel.meaning(name) for name in entry.own if entry.text(name)}
    # Editors alone stand in the place of an author, who is not lacking then.
    if "editor" in filled:
        filled.add("author")
    missing: dict[str, str] = {}
    for name, text in values.items():
        # The venue of a record of another type would stand in the wrong field: a chapter's in `journal`.
        fits_type = has_type_of_record or name not in _OF_ITS_TYPE
        if fits_type and datamodel.meaning(name) not in filled:
            missing[name] = text
    if not missing:
        return ()
    edits = [_appended(document, start, entry, missing, habits)]
    if is_retyped:
        type_start = start + len("@")
        edits.append(Edit(document.path, Span(type_start, type_start + len(entry.node.kind)), kind))
    return tuple(edits)


def remove_field(document: Document, start: int, entry: Entry, name: str) -> Edit | None:
    """The edit that takes a field out, with its comma and its line; None if the entry lacks the field.

    `start` is where the entry begins in the document.
    """
    field = field_of(entry, name)
    if not languages.language_of(document).by_field or field is None:
        return None
    source = entry.node.source
    before = source[: field.span.start].rstrip()
    comma = re.match(r"\s*,", source[field.span.end :])
    if comma:
        removed_span = Span(len(before), field.span.end + comma.end())
    else:  # the last field: the comma before it goes with it
        removed_span = Span(len(before.removesuffix(",")), field.span.end)
    return Edit(document.path, removed_span.moved(start), "")


def value_on_record(name: str, record: Record) -> str:
    """What a record says of a part of the reference, named as in _NAMES, ready to be written; "" if nothing."""
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
    """The field in which a part of the reference, which the entry lacks, is to be written."""
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
    """The edit that adds fields (by name, with values as they are to be written) behind the last, and indented as that.

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
