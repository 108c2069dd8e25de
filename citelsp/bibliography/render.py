"""A work written as an entry of a bibliography, in the manner of the file that receives it.

BibTeX and biblatex are written from fields, escaped, never pasted; braces always balance.
"""

import html
import re
from dataclasses import replace

from citelsp.base.footprint import MB, remembered
from citelsp.base.text import Document, Edit, Span, still
from citelsp.bibliography import item_writers, second_reading, style
from citelsp.bibliography.bylines import byline
from citelsp.bibliography.capitals import protected
from citelsp.bibliography.entry import MONTHS, Entry
from citelsp.bibliography.kinds import kind_of
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.style import Case, Style
from citelsp.bibliography.tex import encode, escape

# BibTeX's standard styles print types that they do not know as @misc, after a warning.
_CLASSIC = {
    "thesis": "phdthesis", "report": "techreport", "dataset": "misc", "software": "misc", "online": "misc",
    "preprint": "misc", "patent": "misc", "inreference": "incollection", "misc": "misc",
}  # fmt: skip
_CONTAINED = frozenset({"inproceedings", "incollection", "inreference"})
_ORDER = (
    "author title year date month booktitle journal journaltitle howpublished volume number pages publisher institution"
    " school organization type isbn doi eprint archiveprefix eprinttype primaryclass eprintclass url urldate"
).split()
_PLACES = {name: at for at, name in enumerate(_ORDER)}
_SPELLING = {"archiveprefix": "archivePrefix", "primaryclass": "primaryClass"}
_OF_EPRINT = frozenset({"archiveprefix", "eprinttype", "primaryclass", "eprintclass"})  # stand beside it
_VERBATIM = frozenset({"doi", "url"})
_NUMBERED = frozenset({"eprint", "isbn"})
_NOT_OF_NUMBERS = re.compile(r"[^\w./:-]+", re.ASCII)
_PERCENT = str.maketrans({it: f"%{ord(it):02X}" for it in '{}\\"^'})
_DASHES = re.compile(r"(?:(?<!\s)\s+)?[-–—−‐‑]+\s*")
_MARKUP = re.compile(
    r"</?(?:jats:|mml:)?(?:i|b|u|p|em|strong|sub|sup|inf|sc|scp|tt|span|font|italic|bold|underline|monospace|title|math"
    r"|m(?:row|i|n|o|sub|sup|subsup|text|frac|space|style|sqrt|over|under))\b[^<>]{0,300}>",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$!])")
_TAIL = 2000  # characters in which the end of a file is looked for
_SHOWN = 3  # authors in a reference line


def style_of(document: Document, *, mapping: bool = False) -> Style:
    """The habits of a bibliography, from its first and last entries; `mapping`: of Hayagriva if nothing is in it."""
    habits = style.detect(document)
    return replace(habits, mapping=True) if mapping and not document.text.strip() else habits


def render(record: Record, key: str, habits: Style, dialect: str = "auto") -> str:
    """The entry, without a line break behind it; in CSL files an element of their list."""
    if writer := item_writers.WRITERS.get(habits.language):
        return writer.render(record, key, habits)
    modern = style.dialect_of(habits, dialect) == "biblatex"
    kind, values = fields_of(record, habits, biblatex=modern)
    names = _ordered(tuple(values), habits.order)
    lines = [f"{_cased_name(it, habits)}{equals(it, habits)}{values[it]}" for it in names]
    joined = f",{habits.newline}".join(habits.indent + it for it in lines)
    comma = "," if habits.trailing_comma else ""
    return f"@{_cased(kind, habits.kinds)}{{{key},{habits.newline}{joined}{comma}{habits.newline}}}"


def takes(document: Document) -> bool:
    """True if a work can be added."""
    return document.language not in item_writers.WRITERS or item_writers.takes(document)


def reads(document: Document, text: str, key: str) -> bool:
    """True if another program reads the rendered entry under this key."""
    return document.language in item_writers.WRITERS or second_reading.reads(text, key)


def insertion(document: Document, text: str) -> Edit:
    """The edit that adds a rendered entry at the end of a bibliography; no other character changes.

    It stands before the last line break, as an editor may add one of its own to text put behind that.
    """
    if document.language in item_writers.WRITERS:
        return item_writers.insertion(document, text)
    habits = style.detect(document)
    newline, before = habits.newline, document.text
    end = before[-_TAIL:]
    ending = end.rstrip("\r\n \t")
    lead = ""
    if ending or (len(before) > _TAIL and before.strip()):
        lead = newline * max(0, 1 + habits.blank_lines - end[len(ending) :].count("\n"))
        lead = lead or ("" if before.endswith("\n") else newline)
    elif before and not before.endswith("\n"):
        lead = newline
    whole = lead + text + newline
    at = len(before)
    # Neovim adds a line break of its own to an edit behind the last one: the file would grow by an empty line.
    if before.endswith(newline):
        at, whole = at - len(newline), newline + whole.removesuffix(newline)
    return Edit(document.path, Span(at, at), whole)


def fields_of(record: Record, habits: Style, *, biblatex: bool) -> tuple[str, dict[str, str]]:
    """The entry type, and each field as it is to be written, with its braces or quotes."""
    kind: str = kind_of(record)
    plain = _plain_fields(record, kind, biblatex=biblatex)
    if kind == "preprint" and biblatex:
        kind = "online"
    elif not biblatex:
        kind = _CLASSIC.get(kind, kind)
    values = {name: value(name, text, habits) for name, text in plain.items() if text}
    month = _month(record, habits)
    if month and not biblatex:
        values["month"] = month
    return kind, values


def _plain_fields(record: Record, kind: str, *, biblatex: bool) -> dict[str, str]:
    known = record.identifiers
    year = str(record.year or "")
    month = record.issued[:7] if year and record.issued.startswith(f"{year}-") else ""
    fields = {
        "author": byline(record.authors, complete=record.authors_complete),
        "title": record.title,
        "date" if biblatex else "year": (month or year) if biblatex else year,
        "volume": record.volume,
        "number": record.issue,
        "pages": pages(record.pages),
        "isbn": known.isbn if kind in ("book", "proceedings") else "",
        "doi": known.doi,
        # Styles make a link of the identifier; a URL beside it would be printed as well.
        "url": "" if known.doi or known.arxiv else record.url or known.url,
    }
    fields |= _venue(record, kind, biblatex=biblatex)
    if known.arxiv:
        archive = record.primary_class or (known.arxiv.partition("/")[0] if "/" in known.arxiv else "")
        kind_name, class_name = ("eprinttype", "eprintclass") if biblatex else ("archiveprefix", "primaryclass")
        fields |= {"eprint": known.arxiv, kind_name: "arxiv" if biblatex else "arXiv", class_name: archive}
    return fields


def _venue(record: Record, kind: str, *, biblatex: bool) -> dict[str, str]:
    if kind in _CONTAINED:
        return {"booktitle": record.venue, "publisher": record.publisher}
    if kind == "article":
        return {"journaltitle" if biblatex else "journal": record.venue, "publisher": record.publisher}
    if kind in ("thesis", "report"):
        holder = "school" if kind == "thesis" and not biblatex else "institution"
        kinds = {"type": "phdthesis" if kind == "thesis" else "techreport"} if biblatex else {}
        return {holder: record.publisher or record.venue, **kinds}
    if kind == "preprint":
        server = "" if record.identifiers.arxiv else record.venue
        return {
            "organization" if biblatex else "howpublished": server,
            "publisher": "" if not server else record.publisher,
        }
    if kind in ("misc", "dataset", "software", "online"):
        return {"publisher": record.publisher or record.venue}
    return {"publisher": record.publisher}


def pages(text: str) -> str:
    """Every range with an en-dash: `12--34`, `S1--S10`, `3-1--3-12`, `12:1--12:20`; article numbers as they are."""
    return ", ".join(_page_range(it.strip()) for it in text.split(","))


def _page_range(text: str) -> str:
    parts = _DASHES.split(text)
    if len(parts) == 4:
        return f"{parts[0]}-{parts[1]}--{parts[2]}-{parts[3]}"
    return ("--" if len(parts) == 2 and all(parts) else "-").join(parts)


def value(name: str, text: str, habits: Style) -> str:
    text = still(" ".join(unmarked(text).split()))
    if name in _VERBATIM:
        return _delimited(_encoded_for_tex(text), habits)
    if name in _NUMBERED:
        return _delimited(_NOT_OF_NUMBERS.sub("", text), habits)
    if name == "title":
        text = escape(text)
        text = f"{{{text}}}" if habits.double_braces else protected(text)
    elif name != "author":
        text = escape(text)
    return _delimited(encode(text) if habits.tex else text, habits)


def unmarked(text: str) -> str:
    """The text without what is left of HTML and JATS."""
    if "<" in text:
        text = _MARKUP.sub("", text)
    return html.unescape(text) if "&" in text and ";" in text else text


def _encoded_for_tex(text: str) -> str:
    """An identifier or address without what ends a field or begins a command, `^^5c` being a backslash to TeX."""
    return text.translate(_PERCENT)


def _delimited(text: str, habits: Style) -> str:
    quotes = habits.quotes and '"' not in re.sub(r"\{[^{}]*\}", "", text)
    return f'"{text}"' if quotes else f"{{{text}}}"


def _month(record: Record, habits: Style) -> str:
    match = re.match(r"(\d{4})-(\d\d)", record.issued)
    if not match or habits.months == "none" or int(match[1]) != record.year:
        return ""
    number = int(match[2])
    name = next((it for it, at in MONTHS.items() if at == number), "")
    return f"{{{number}}}" if name and habits.months == "number" else name


@remembered(MB // 4)  # entries of one file have the same few sets of fields
def _ordered(names: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    """Names of fields as they follow each other; `own`: the file's order."""
    order = {name: at for at, name in enumerate(own)}
    return tuple(sorted(names, key=lambda it: (_rank("eprint" if it in _OF_EPRINT else it, order), _rank(it, order))))


def _rank(name: str, order: dict[str, int]) -> tuple[float, int]:
    """The file's own order; a field that it never has stands behind the one that usually precedes it."""
    usual = _PLACES.get(name, len(_ORDER))
    if name in order:
        return order[name], -1
    before = [order[it] for it in _ORDER[:usual] if it in order]
    return (before[-1] if before else -1) + 0.5, usual


def equals(name: str, habits: Style) -> str:
    if not habits.column:
        return habits.equals
    after = habits.equals.partition("=")[2] or " "
    return " " * max(1, habits.column - len(name)) + "=" + after


def _cased_name(name: str, habits: Style) -> str:
    usual = _SPELLING.get(name, name) if habits.names == "lower" else _cased(name, habits.names)
    return dict(habits.spellings).get(name, usual)


def _cased(word: str, case: Case) -> str:
    return {"lower": word, "upper": word.upper(), "title": word[:1].upper() + word[1:]}[case]


def formatted(work: Entry | Record, *, markdown: bool = False) -> str:
    """One line for people: authors (year). Title. Venue."""
    names = [_short(it) for it in work.authors[:_SHOWN]]
    cut = work.authors_truncated if isinstance(work, Entry) else not work.authors_complete
    if len(work.authors) > _SHOWN or (cut and names):
        names.append("et al.")
    elif len(names) > 1:
        names[-2:] = [f"{names[-2]} & {names[-1]}"]
    year = f"({work.year})." if work.year else ""
    title, venue = (work.title, work.venue) if not markdown else (_escaped(work.title), _italic(work.venue))
    authors = ", ".join(names) if not markdown else _escaped(", ".join(names))
    ended = [f"{it}." if it and it[-1] not in ".?!" else it for it in (title, venue)]
    return " ".join(filter(None, (authors, year, *ended)))


def _short(name: Name) -> str:
    initials = " ".join(f"{it[0]}." for it in re.split(r"[\s.]+", name.given) if it)
    return ", ".join(filter(None, (name.family, initials, name.suffix)))


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text).replace("&", "&amp;")


def _italic(text: str) -> str:
    return f"*{_escaped(text)}*" if text else ""
