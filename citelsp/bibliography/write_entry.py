"""A work written as an entry of a bibliography, in the manner of the file that receives it.

BibTeX and biblatex are written from fields, escaped, never pasted; braces always balance.
"""

import html
import re
from dataclasses import replace

from citelsp.base.footprint import MB, remember
from citelsp.base.text import Document, Edit, Span, still
from citelsp.bibliography import file_style, item_writers, second_reading
from citelsp.bibliography.bylines import byline
from citelsp.bibliography.capitals import protect_capitals
from citelsp.bibliography.encode_tex import encode, escape
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.file_style import Case, Style
from citelsp.bibliography.kinds import kind_of
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.string_macros import MONTHS

# BibTeX's standard styles print types that they do not know as @misc, after a warning.
_TYPE_IN_BIBTEX = {
    "thesis": "phdthesis", "report": "techreport", "dataset": "misc", "software": "misc", "online": "misc",
    "preprint": "misc", "patent": "misc", "inreference": "incollection", "misc": "misc",
}  # fmt: skip
_IN_A_BOOK = frozenset({"inproceedings", "incollection", "inreference"})
_ORDER = (
    "author title year date month booktitle journal journaltitle howpublished volume number pages publisher institution"
    " school organization type isbn doi eprint archiveprefix eprinttype primaryclass eprintclass url urldate"
).split()
_USUAL_PLACES = {name: place for place, name in enumerate(_ORDER)}
_SPELLING = {"archiveprefix": "archivePrefix", "primaryclass": "primaryClass"}
_INTERCHANGEABLE = (  # fields of which an entry has one, whatever its type calls it
    ("journal", "journaltitle", "booktitle", "howpublished"),
    ("publisher", "institution", "school", "organization"),
    ("year", "date"),
)
_OF_EPRINT = frozenset({"archiveprefix", "eprinttype", "primaryclass", "eprintclass"})  # stand beside it
_VERBATIM = frozenset({"doi", "url"})
_NUMBERED = frozenset({"eprint", "isbn"})
_NOT_OF_NUMBERS = re.compile(r"[^\w./:-]+", re.ASCII)
_PERCENT_ENCODED = str.maketrans({sign: f"%{ord(sign):02X}" for sign in '{}\\"^'})
# `12--34`, `12 – 34`
_DASHES = re.compile(r"(?:(?<!\s)\s+)?[-–—−‐‑]+\s*")
_MARKUP = re.compile(
    r"</?(?:jats:|mml:)?(?:i|b|u|p|em|strong|sub|sup|inf|sc|scp|tt|span|font|italic|bold|underline|monospace|title|math"
    r"|m(?:row|i|n|o|sub|sup|subsup|text|frac|space|style|sqrt|over|under))\b[^<>]{0,300}>",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$!])")
_YAML_CONTENT = re.compile(r"^(?!---)[ \t\ufeff]*[^\s#\ufeff]", re.MULTILINE)  # but for comments, and the line above it
_LENGTH_OF_TAIL = 2000  # characters in which the end of a file is looked for
_MOST_AUTHORS = 3  # in a reference line


def style_of(document: Document, *, mapping: bool = False) -> Style:
    """Read the habits of a bibliography; `mapping`: those of a list for Hayagriva, if the document has no items yet."""
    habits = file_style.detect(document)
    return replace(habits, mapping=True) if mapping and not _YAML_CONTENT.search(document.text) else habits


def write_work(record: Record, key: str, habits: Style, dialect: str = "auto") -> str:
    """Write the work as an entry of a .bib file, without a line break behind it.

    `habits` are how the file writes entries: indentation, order, case, quotes and so on.  For a file in another format
    (`habits.language`) it is an item of its list.  `dialect` is the setting that says whether the fields and types of
    BibTeX or of biblatex are used; "auto" leaves it to the habits.
    """
    writer = item_writers.WRITERS.get(habits.language)
    if writer:
        return writer.render(record, key, habits)
    is_biblatex = file_style.dialect_of(habits, dialect) == "biblatex"
    kind, values = fields_of(record, habits, biblatex=is_biblatex)
    names = _ordered(tuple(values), habits.order)
    fields = [f"{habits.indent}{spell_name(name, habits)}{equals(name, habits)}{values[name]}" for name in names]
    body = f",{habits.newline}".join(fields)
    if habits.trailing_comma:
        body += ","
    return habits.newline.join([f"@{spell_kind(kind, habits)}{{{key},", body, "}"])


def takes(document: Document) -> bool:
    """True if a work can be added."""
    return document.language not in item_writers.WRITERS or item_writers.takes(document)


def reads(document: Document, text: str, key: str) -> bool:
    """True if another program reads the rendered entry under this key; always for items of YAML or JSON."""
    return document.language in item_writers.WRITERS or second_reading.reads(text, key)


def insertion(document: Document, text: str) -> Edit:
    """Return the edit that adds a rendered entry, `text`, at the end of a bibliography; no other character changes.

    The new text goes in before the file's last line break, as an editor may add one of its own to text behind that.
    """
    if document.language in item_writers.WRITERS:
        return item_writers.insertion(document, text)
    habits = file_style.detect(document)
    newline = habits.newline
    before = document.text
    tail = before[-_LENGTH_OF_TAIL:]
    content = tail.rstrip("\r\n \t")
    has_content = bool(content)
    if not has_content and len(before) > _LENGTH_OF_TAIL:  # nothing but white space at the end
        has_content = bool(before.strip())
    lead = ""
    if has_content:  # as many blank lines as the file has between entries, those that are there counted
        line_breaks = tail[len(content) :].count("\n")
        lead = newline * max(0, 1 + habits.blank_lines - line_breaks)
    if not lead and before and not before.endswith("\n"):  # nothing but spaces in the last line
        lead = newline
    inserted = lead + text + newline
    offset = len(before)
    # Neovim adds a line break of its own to an edit behind the last one: the file would grow by an empty line.
    if before.endswith(newline):
        offset -= len(newline)
        inserted = newline + inserted.removesuffix(newline)
    return Edit(document.path, Span(offset, offset), inserted)


def fields_of(record: Record, habits: Style, *, biblatex: bool) -> tuple[str, dict[str, str]]:
    """Return the entry type, and the fields by name, as they are to be written: with braces or quotes, but for a month.

    What the record lacks is left out.  `habits` are how the file writes entries.  `biblatex`: with the fields and types
    of biblatex, else with BibTeX's.
    """
    kind: str = kind_of(record)
    unescaped = _plain_fields(record, kind, biblatex=biblatex)
    if kind == "preprint" and biblatex:
        kind = "online"
    elif not biblatex:
        kind = _TYPE_IN_BIBTEX.get(kind, kind)
    values = {name: value(name, text, habits) for name, text in unescaped.items() if text}
    month = _month(record, habits)
    if month and not biblatex:  # biblatex's date holds the month
        values["month"] = month
    return kind, values


def _plain_fields(record: Record, kind: str, *, biblatex: bool) -> dict[str, str]:
    """Return the values of the entry's fields by name; some may be empty.

    Only the names in `author` are TeX already (`byline`); the others are to be escaped.  `kind`: of the work;
    `biblatex`: with biblatex's fields, else BibTeX's.
    """
    known = record.identifiers
    year = str(record.year or "")
    fields = {
        "author": byline(record.authors, complete=record.authors_complete),
        "title": record.title,
    }
    if biblatex:
        has_month = year and record.issued.startswith(f"{year}-")  # a date of another year is another version's
        fields["date"] = record.issued[: len("2017-06")] if has_month else year
    else:
        fields["year"] = year
    fields |= {
        "volume": record.volume,
        "number": record.issue,
        "pages": pages(record.pages),
        "isbn": known.isbn if kind in ("book", "proceedings") else "",  # that of a paper is its whole book's
        "doi": known.doi,
        # Styles make a link of the identifier; a URL beside it would be printed as well.
        "url": "" if known.doi or known.arxiv else record.url or known.url,
    }
    fields |= _venue(record, kind, biblatex=biblatex)
    if known.arxiv:
        fields |= _eprint_fields(known.arxiv, record.primary_class, biblatex=biblatex)
    return fields


def _eprint_fields(arxiv: str, primary_class: str, *, biblatex: bool) -> dict[str, str]:
    # Ids before 2007 begin with the class: `hep-th/9711200`.
    archive, slash, _ = arxiv.partition("/")
    primary_class = primary_class or (archive if slash else "")
    if biblatex:
        return {"eprint": arxiv, "eprinttype": "arxiv", "eprintclass": primary_class}
    return {"eprint": arxiv, "archiveprefix": "arXiv", "primaryclass": primary_class}


def _venue(record: Record, kind: str, *, biblatex: bool) -> dict[str, str]:
    """Return the fields that say where and by whom the work was brought out, by the names that `kind` has for them.

    Values may be empty.  `biblatex`: with biblatex's fields, else BibTeX's.
    """
    if kind in _IN_A_BOOK:
        return {"booktitle": record.venue, "publisher": record.publisher}
    if kind == "article":
        return {"journaltitle" if biblatex else "journal": record.venue, "publisher": record.publisher}
    if kind in ("thesis", "report"):
        # A record has no part for the institution itself, and does not tell a doctoral thesis from a master's.
        institution = record.publisher or record.venue
        if biblatex:
            return {"institution": institution, "type": "phdthesis" if kind == "thesis" else "techreport"}
        return {"school" if kind == "thesis" else "institution": institution}
    if kind == "preprint":
        server = "" if record.identifiers.arxiv else record.venue  # arXiv is named by the field of its id
        publisher = record.publisher if server else ""
        return {"organization" if biblatex else "howpublished": server, "publisher": publisher}
    if kind in ("misc", "dataset", "software", "online"):
        return {"publisher": record.publisher or record.venue}
    return {"publisher": record.publisher}


def pages(text: str) -> str:
    """Write every range with TeX's en-dash: `12--34`, `S1--S10`, `3-1--3-12`, `12:1--12:20`; leave article numbers."""
    return ", ".join(_page_range(part.strip()) for part in text.split(","))


def _page_range(text: str) -> str:
    """Write one range or page; of four numbers the first two are the first page, as of a chapter: `3-1--3-12`."""
    parts = _DASHES.split(text)
    if len(parts) == 4:
        return f"{parts[0]}-{parts[1]}--{parts[2]}-{parts[3]}"
    is_range = len(parts) == 2 and all(parts)
    return ("--" if is_range else "-").join(parts)


def value(name: str, text: str, habits: Style) -> str:
    """Write the value of a field, in braces or quotes as the file has them: `{On {RNA} \\& Bees}`.

    Texts are escaped, and the capitals of titles protected.  Addresses and numbers are not escaped: they lose, or have
    encoded, what TeX would read as its own.  Authors were escaped as their names were joined.  `habits`: how the file
    writes values.
    """
    # `still` drops characters that move the cursor or turn the direction of writing.
    text = still(" ".join(remove_markup(text).split()))
    if name in _VERBATIM:
        return _delimited(_encoded_for_tex(text), habits)
    if name in _NUMBERED:
        return _delimited(_NOT_OF_NUMBERS.sub("", text), habits)
    if name != "author":
        text = escape(text)
    if name == "title":
        text = f"{{{text}}}" if habits.double_braces else protect_capitals(text)
    return _delimited(encode(text) if habits.tex else text, habits)


def remove_markup(text: str) -> str:
    """The text without what is left of HTML and JATS."""
    if "<" in text:
        text = _MARKUP.sub("", text)
    return html.unescape(text) if "&" in text and ";" in text else text


def _encoded_for_tex(text: str) -> str:
    """Percent-encode what would end a field or begin a command; `^` too, as `^^5c` is a backslash to TeX."""
    return text.translate(_PERCENT_ENCODED)


def _delimited(text: str, habits: Style) -> str:
    """Put a value in braces, or in quotes if the file has them and none stands in the value outside of braces."""
    has_quote = '"' in re.sub(r"\{[^{}]*\}", "", text)
    return f'"{text}"' if habits.quotes and not has_quote else f"{{{text}}}"


def _month(record: Record, habits: Style) -> str:
    """Write the month as the file does, `jun` or `{6}`; "" if it is not known.

    Also "" if the file has entries enough to show that it writes no months (`habits.months` is "none").
    """
    match = re.match(r"(\d{4})-(\d\d)", record.issued)
    # A date of another year is that of another version.
    if not match or habits.months == "none" or int(match[1]) != record.year:
        return ""
    number = int(match[2])
    macro = next((month for month, count in MONTHS.items() if count == number), "")
    return f"{{{number}}}" if macro and habits.months == "number" else macro


@remember(MB // 4)  # entries of one file have the same few sets of fields
def _ordered(names: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    """Order the names of fields as the file does; `own` are the names of its fields in that order."""
    order = {name: index for index, name in enumerate(own)}

    def rank(name: str) -> tuple[tuple[float, int], tuple[float, int]]:
        neighbour = "eprint" if name in _OF_EPRINT else name
        return _rank(neighbour, order), _rank(name, order)

    return tuple(sorted(names, key=rank))


def _rank(name: str, order: dict[str, int]) -> tuple[float, int]:
    """Return what a field is sorted by: its place in the file's `order`, then in the usual order.

    A field that the file never has stands where others of its role do (`journal` and `booktitle`), else half a place
    behind the last of those that usually precede it.
    """
    usual = _USUAL_PLACES.get(name, len(_ORDER))
    if name in order:
        return order[name], -1  # before those that come to stand at its place
    same_role = next((role for role in _INTERCHANGEABLE if name in role), ())
    for other in same_role:
        if other in order:
            return order[other], usual
    places_before = [order[other] for other in _ORDER[:usual] if other in order]
    nearest_before = places_before[-1] if places_before else -1
    return nearest_before + 0.5, usual


def equals(name: str, habits: Style) -> str:
    """Return what stands between a field's name and its value: ` = `, with more spaces if the file aligns its `=`."""
    if not habits.column:
        return habits.equals
    behind = habits.equals.partition("=")[2] or " "
    spaces = " " * max(1, habits.column - len(name))
    return f"{spaces}={behind}"


def spell_kind(kind: str, habits: Style) -> str:
    """Write a type of entry as the file does: `InProceedings`."""
    return dict(habits.kind_spellings).get(kind, _cased(kind, habits.kinds))


def spell_name(name: str, habits: Style) -> str:
    """Write the name of a field as the file does, or if it has none of that name in the usual way."""
    usual = _SPELLING.get(name, name) if habits.names == "lower" else _cased(name, habits.names)
    return dict(habits.spellings).get(name, usual)


def _cased(word: str, case: Case) -> str:
    return {"lower": word, "upper": word.upper(), "title": word[:1].upper() + word[1:]}[case]


def format_work(work: Entry | Record, *, markdown: bool = False) -> str:
    """Write the work on one line for people: `Byron, A. K. & Doe, J. (1843). Title. Venue.`

    What is not known is left out.  Of more authors than _MOST_AUTHORS, or of a list that goes on, the first are named,
    with “et al.”  `markdown`: signs that would be read as markup are escaped, and the venue is set in italics.
    """
    names = [_short(name) for name in work.authors[:_MOST_AUTHORS]]
    is_cut = work.authors_truncated if isinstance(work, Entry) else not work.authors_complete
    if len(work.authors) > _MOST_AUTHORS or (is_cut and names):
        names.append("et al.")
    elif len(names) > 1:
        names[-2:] = [f"{names[-2]} & {names[-1]}"]
    authors = ", ".join(names)
    title = work.title
    venue = work.venue
    if markdown:
        authors = _escaped(authors)
        title = _escaped(title)
        venue = _italic(venue)
    year = f"({work.year})." if work.year else ""
    return " ".join(filter(None, (authors, year, _as_sentence(title), _as_sentence(venue))))


def _as_sentence(text: str) -> str:
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."


def _short(name: Name) -> str:
    """`Byron, A. K.`"""
    initials = " ".join(f"{word[0]}." for word in re.split(r"[\s.]+", name.given) if word)
    return ", ".join(filter(None, (name.family, initials, name.suffix)))


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text).replace("&", "&amp;")


def _italic(text: str) -> str:
    return f"*{_escaped(text)}*" if text else ""
