"""One field of an entry rewritten from a record, or added: nothing else of the file changes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from citelsp.base.text import Document, Edit, Span
from citelsp.bibliography import datamodel, file_style, record_quality, venues
from citelsp.bibliography.bylines import byline
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.file_style import Style
from citelsp.bibliography.fold import bare_letters, words
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import author_lists
from citelsp.bibliography.tolerant_comparison.same_person import same_person
from citelsp.bibliography.write_entry import equals, fields_of, pages, spell_kind, spell_name, value
from citelsp.syntax import languages
from citelsp.syntax.nodes import Field

# By part of a reference, the fields that may hold it
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
# Types that say little of what a work is
_GENERIC = frozenset({"misc", "online", "electronic", "www", "unpublished"})
# Fields that only fit some types of entry
_OF_ITS_TYPE = frozenset(
    "booktitle journal journaltitle publisher institution school organization howpublished type".split()
)


def field_of(entry: Entry, name: str) -> Field | None:
    """Return the field that holds a part of the reference, `name` as in _NAMES; None if the entry has none."""
    names = _NAMES[name]
    return next((field for field in entry.fields if field.name in names), None)


def edit_field(document: Document, start: int, entry: Entry, name: str, record: Record) -> Edit | None:
    """Return the edit that makes one field say what the record says, or adds the field.

    `start` is where the entry begins in the document; `name` is the part of the reference, "authors" or "venue", say,
    whatever the field is called.  None if entries of this format cannot be edited field by field, or if the record says
    nothing fit to be written: a value that broke, initials of people whom the entry writes out, half of a name, a title
    without the entry's formulas or accents, a venue cut shorter.  None also if there is no field to write it behind.
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
    habits = file_style.detect(document)
    field = field_of(entry, name)
    if field is None:
        return _added(document, start, entry, _fresh_name(entry, name, habits), text, habits)
    old_value = field.value_span.within(entry.node.source)
    if field.name == "date":
        new_value = _date(old_value, text)
    elif old_value.isdigit() and text.isdigit():  # `year = 2019` stays without braces
        new_value = text
    else:
        new_value = value(_written_as(name), text, habits)  # as the file writes values, in braces or quotes
    return Edit(document.path, field.value_span.moved(start), new_value)


def says_less(entry: Entry, name: str, record: Record) -> bool:
    """True if a record has no more of the authors or the title (`name`) than the entry has; False for other parts.

    For authors: it names nobody whom the entry does not, or it names fewer people.  For the title: its letters are the
    entry's, in order, perhaps with some left out.  One such record is no reason to change the entry: it may have lost
    the rest, or be of another version, whose people are in another order.
    """
    if name == "authors":
        people = author_lists.compare(entry.authors, record.authors)
        has_nobody_new = not people.dropped and not people.replaced
        return has_nobody_new or len(record.authors) < len(entry.authors)
    if name != "title":
        return False
    unmatched = iter(bare_letters(entry.title))
    return all(letter in unmatched for letter in bare_letters(record.title))  # one after the other


def _spoils(title: str, entry: Entry) -> bool:
    """True if the entry's own title has formulas, accents or small letters that this title on record has lost."""
    written = entry.value("title")
    if "$" in written or "\\(" in written:
        return True
    has_accents = any(sign.isalpha() and not sign.isascii() for sign in entry.title)
    if has_accents and title.isascii():
        return True
    return title.isupper() and not entry.title.isupper()


def _written_out(recorded: Sequence[Name], cited: Sequence[Name]) -> tuple[Name, ...]:
    """Return the people on record; those with initials alone as the entry writes them, if it writes more."""
    by_family: dict[str, list[Name]] = {}
    for person in cited:
        by_family.setdefault(bare_letters(person.family), []).append(person)
    return tuple(_fuller(person, by_family.get(bare_letters(person.family), ())) for person in recorded)


def _fuller(recorded: Name, namesakes: Sequence[Name]) -> Name:
    """Return the person on record; if it has initials alone, the first namesake who may be the same and has more."""
    if _has_whole_name(recorded):
        return recorded
    for namesake in namesakes:
        if len(namesake.given) > len(recorded.given) and same_person(namesake, recorded):
            return namesake
    return recorded


def _has_whole_name(name: Name) -> bool:
    """True if a given name is more than an initial."""
    return any(len(word) > 1 for word in words(name.given))


def _abbreviates(recorded: Name, cited: Sequence[Name]) -> bool:
    """True for initials on record, `Frazier, R`, if all cited people of that family have their names written out.

    Written to the entry, the initials would stand beside whole names.
    """
    if _has_whole_name(recorded):
        return False
    namesakes = [person for person in cited if bare_letters(person.family) == bare_letters(recorded.family)]
    return bool(namesakes) and all(map(_has_whole_name, namesakes))


def _is_half(recorded: Name, cited: Sequence[Name]) -> bool:
    """True for a name on record that is half of a cited one: `Jeffrey` beside `Dean, Jeffrey`."""
    if recorded.given:
        return False
    lone_words = set(words(recorded.family))
    return any(person.given and lone_words < set(words(str(person))) for person in cited)


def _is_shorter(venue: str, cited: str) -> bool:
    """True if the venue on record is an abbreviation, and the entry has a name written out."""
    return "." in venue and "." not in cited and len(venue) < len(cited)


def complete_entry(
    document: Document, start: int, entry: Entry, record: Record, dialect: str = "auto"
) -> tuple[Edit, ...]:
    """Return the edits that add the fields that an entry neither has nor inherits, but the record has; () if none.

    With them an entry of a type that says little (_GENERIC, as @misc) takes the record's type, unless that says as
    little.  () also if the entry has no field behind which others could stand, or if entries of this format cannot be
    edited field by field.  `start` is where the entry begins in the document; `dialect` is the setting.
    """
    habits = file_style.detect(document)
    if not languages.language_of(document).by_field or not entry.fields:
        return ()
    kind, values = fields_of(record, habits, biblatex=file_style.dialect_of(habits, dialect) == "biblatex")
    is_retyped = entry.kind in _GENERIC and kind not in _GENERIC
    has_type_of_record = is_retyped or kind == entry.kind
    # Also what it inherits; `year` and `date` mean the same.
    filled = {datamodel.common_name(name) for name in entry.values if entry.text(name)}
    # Editors alone stand in the place of an author, who is not lacking then.
    if "editor" in filled:
        filled.add("author")
    missing: dict[str, str] = {}
    for name, text in values.items():
        # The venue of a record of another type would stand in the wrong field: a chapter's in `journal`.
        fits_type = has_type_of_record or name not in _OF_ITS_TYPE
        if fits_type and datamodel.common_name(name) not in filled:
            missing[name] = text
    if not missing:
        return ()
    edits = [_appended(document, start, entry, missing, habits)]
    if is_retyped:
        type_start = start + len("@")
        type_span = Span(type_start, type_start + len(entry.node.kind))
        edits.append(Edit(document.path, type_span, spell_kind(kind, habits)))
    return tuple(edits)


def remove_field(document: Document, start: int, entry: Entry, name: str) -> Edit | None:
    """Return the edit that takes a field out, with its comma and its line.

    `start` is where the entry begins in the document; `name` is the part of the reference, "venue", say, whatever the
    field is called.  None if the entry lacks the field, or if entries of this format cannot be edited field by field.
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
    """Return what a record says of a part of the reference, such as "authors", as an entry has it; "" if nothing.

    "" also for a part that _NAMES does not have, and for a venue all in small letters, which no file should get.
    """
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
    """Choose the name of the field in which to write a part of the reference, `name`, that the entry lacks."""
    if name == "venue":
        if entry.kind in ("inproceedings", "conference", "incollection"):
            return "booktitle"
        return "journaltitle" if habits.dialect == "biblatex" else "journal"
    if name == "year" and habits.dialect == "biblatex":
        return "date"
    return _NAMES[name][0]


def _date(old: str, year: str) -> str:
    """Write a year as a biblatex date, in the delimiters of the old one, without its month and day."""
    return f'"{year}"' if old.startswith('"') else f"{{{year}}}"


def _added(document: Document, start: int, entry: Entry, name: str, text: str, habits: Style) -> Edit | None:
    """Return the edit that adds one field, with `text` not escaped yet; None if the entry has no field to follow."""
    if not entry.fields:
        return None
    return _appended(document, start, entry, {name: value(_written_as(name), text, habits)}, habits)


def _appended(document: Document, start: int, entry: Entry, values: Mapping[str, str], habits: Style) -> Edit:
    """Return the edit that adds fields behind the entry's last one, indented as that one is.

    `values` are by field name, with their braces or quotes; `start` is where the entry begins in the document.
    `habits`: how the file writes fields.
    """
    source = entry.node.source
    last = entry.fields[-1]
    line_break = source.rfind("\n", 0, last.name_span.start)
    if line_break < 0:
        lead = " "
    else:
        before = source[line_break + 1 : last.name_span.start]
        lead = habits.newline + (before if before.isspace() else habits.indent)
    fields = [f"{lead}{spell_name(name, habits)}{equals(name, habits)}{text}" for name, text in values.items()]
    end = last.span.end
    has_comma = source[end:].lstrip().startswith(",")
    if has_comma:
        offset = source.index(",", end) + 1
        written = "".join(f"{field}," for field in fields)
    else:
        offset = end
        written = "".join(f",{field}" for field in fields)
    return Edit(document.path, Span(start + offset, start + offset), written)
