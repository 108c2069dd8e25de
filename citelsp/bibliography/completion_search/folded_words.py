"""What of an entry is searched, read from its source by one regular expression: parsing all fields would cost seconds.

A shortcut over `EntryNode.fields`, never a second grammar: an entry in which a title, people and a year are not found
at the starts of lines is asked for its fields.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from citelsp.base import bounds
from citelsp.base.footprint import MB, remember
from citelsp.bibliography import reference_reading
from citelsp.bibliography.fold import fold
from citelsp.syntax.bibtex.fields import strip_delimiters
from citelsp.syntax.formats.items import ReferenceItem
from citelsp.syntax.nodes import EntryNode

_TITLES = ("title", "subtitle", "shorttitle")
_VENUES = ("journal", "journaltitle", "shortjournal", "booktitle", "maintitle", "eventtitle", "school", "institution")
_NAMES = ("author", "editor", "year", "date", "ids", "crossref", "xdata", "publisher", *_TITLES, *_VENUES)


def _alternatives(words: Sequence[str]) -> str:
    """Return a pattern for these words, grouped by their first letter, which the engine then tests once.

    That is twice as fast as a flat alternation.
    """
    branches: list[str] = []
    for first, group in groupby(sorted(words), key=lambda word: word[0]):
        tails = "|".join(word[1:] for word in group)
        branches.append(f"{first}(?:{tails})")
    return "|".join(branches)


_FIELDS = re.compile(
    rf"\n[ \t]*+({_alternatives([*_NAMES, *map(str.capitalize, _NAMES), *map(str.upper, _NAMES)])})[ \t]*+=[ \t]*+"
    r"(.*+(?:\n(?![ \t]*+(?:[\w-]++[ \t]*+=|[})])).*+)*)"
).findall

# `\"o`, `\'{e}`, `\v{c}`
_ACCENT = re.compile(r"\\(?:[\"'`^~=.]\s*|[cvuHdbkrt](?:\s+|(?=[{\\])))\{?\\?([A-Za-z])\}?")
# `\ss`, `\o{}`
_LETTER = re.compile(r"\\(ss|ae|oe|aa|o|l|i|j|dh|dj|th|ng|AE|OE|AA|O|L|DH|DJ|TH|NG)(?![A-Za-z])(?:\{\}| )?")
_COMMAND = re.compile(
    r"\\(?:emph|text[a-z]*|math[a-z]+|mbox|url|href|enquote|mkbib[a-z]+|[a-z]+series|[a-z]+shape)(?![A-Za-z])"
)
_FOREIGN = re.compile(r"[^\x00-\x7f]+")

_BRACES_AND_BLANKS = '{}", \t\r\n'
_SEPARATOR = "\x02"  # parts texts that are folded together
_FOLDED_AT_ONCE = 64  # the more, the likelier that one beyond Latin-1 makes all be read one by one
_DROPPED = "{}'"


def _shown(code: int) -> str:
    """Return the character that stands for a Latin-1 character in the index: a letter, a digit, or a space."""
    letter = chr(code)
    folded = fold(letter)
    if letter == _SEPARATOR or (len(folded) == 1 and folded.isascii() and folded.isalnum()):
        return folded
    return letter.lower() if letter.isalnum() and code < 128 else " "


_LATIN = "".join(map(_shown, range(256))).encode()
_DIGRAPHS = tuple(
    (letter.encode("latin-1"), fold(letter).encode())
    for letter in map(chr, range(128, 256))
    if letter.isalpha() and len(fold(letter)) > 1
)
_LETTERS = _LATIN.translate(bytes.maketrans(b"0123456789", b" " * 10))
# The same tables for texts that hold more than Latin-1, by the table that stands for each there.
_WIDE = {
    table: {code: None if chr(code) in _DROPPED else chr(table[code]) for code in range(128)}
    for table in (_LATIN, _LETTERS)
}


class Values:
    """The searched values of many entries, each with the entries that have it: most names, venues and years repeat."""

    def __init__(self) -> None:
        self.names: defaultdict[str, list[int]] = defaultdict(list)
        self.first: defaultdict[str, list[int]] = defaultdict(list)  # names of first authors
        self.years: defaultdict[str, list[int]] = defaultdict(list)
        self.venues: defaultdict[str, list[int]] = defaultdict(list)  # and everything else
        self.titles: list[str] = []
        self.aliases: list[tuple[str, int]] = []


def read(nodes: Sequence[EntryNode], strings: Mapping[str, str], parent: Callable[[str], EntryNode | None]) -> Values:
    """Read the values by which entries are searched, each with the entries that have it, as indices in `nodes`.

    What an entry lacks is "", in which there is no word to search.  Editors count as people only without an author, and
    `date` only without a `year`.  `strings` are the @string macros; `parent` finds the entry that crossref or xdata
    names by its key, None if there is none.
    """
    values = Values()
    names = values.names
    years = values.years
    venues = values.venues
    titles = values.titles
    for place, node in enumerate(nodes):  # `place` stands for the entry
        remaining = fields(node)  # each is taken out when it is read
        if strings or "crossref" in remaining or "xdata" in remaining:
            inherited = _inherited(remaining, parent)
            remaining = {name: expand_macro(value, strings) for name, value in inherited.items()}
        people = remaining.pop("author", "") or remaining.pop("editor", "")
        persons = people.strip(_BRACES_AND_BLANKS).split(" and ")
        for person in persons:
            names[person].append(place)
        values.first[persons[0]].append(place)  # the first author, who is also searched for alone
        title = remaining.pop("title", "") + " " + remaining.pop("subtitle", "")
        titles.append(title[: bounds.VALUE])  # so many characters, however long it is
        year = remaining.pop("year", "") or remaining.pop("date", "")
        years[year.strip(_BRACES_AND_BLANKS)].append(place)
        # Of the fields that are searched these are left, most of them names of venues; editors, if there are authors.
        for name, value in remaining.items():
            if name == "ids":
                values.aliases += [(alias, place) for alias in aliases(remaining)]
            else:
                venues[value].append(place)
    return values


def words(text: str) -> list[str]:
    """Return the words of a text as they stand in the index: no case, accents, TeX, braces or apostrophes."""
    return _folded(text).split()


def fields(node: EntryNode) -> dict[str, str]:
    """Return the searched fields of an entry, names in lower case; values may have their braces and commas.

    If none is found, the whole source of the entry counts as its title.
    """
    if isinstance(node, ReferenceItem):
        return dict(reference_reading.read_item(node).fields) or {"title": node.source}
    source = node.source
    by_name: dict[str, str] = dict(_FIELDS(source))  # those that begin lines, by a regular expression
    # A field on the line of the key begins no line, and the expression would miss it.
    first_line_has_field = source.find("=", 0, source.find("\n")) >= 0
    if not first_line_has_field:
        has_usual_names = "title" in by_name and "author" in by_name and "year" in by_name
        if has_usual_names and "".join(by_name).islower():  # as most are written
            return by_name
        by_name = {name.lower(): value for name, value in by_name.items()}
        has_people = "author" in by_name or "editor" in by_name
        if "title" in by_name and has_people and ("year" in by_name or "date" in by_name):
            return by_name
    names = {field.name for field in node.fields()}
    return {name: node.raw(name) for name in _NAMES if name in names} or {"title": source}


def expand_macro(value: str, strings: Mapping[str, str]) -> str:
    """Return a value; if it is the name of an @string macro, what the macro stands for."""
    macro = strings.get(value.rstrip(", \t\r").lower())
    return value if macro is None else strip_delimiters(macro)


def year(value: str) -> int:
    """Return the year with which a date begins; 0 if there is none."""
    return int(value[:4]) if len(value) >= 4 and value[:4].isdecimal() else 0


def aliases(written: Mapping[str, str]) -> list[str]:
    """Return the further keys of an entry, from biblatex's `ids`."""
    return [it for it in re.split(r"[\s,{}\"]+", written["ids"]) if it] if "ids" in written else []


def family(name: str) -> str:
    """Return the family name in a name as written; braces and commas may be left in it."""
    before, comma, _ = name.partition(",")
    return before if comma or name.startswith("{") else name.rpartition(" ")[2]


def key_words(keys: Sequence[str]) -> list[str]:
    """Return the words in each key: `smith_jones2020deep` has three.  A key's beginning is found by the whole key."""
    return fold_texts(keys, _LETTERS)


def fold_texts(texts: Sequence[str], table: bytes = _LATIN) -> list[str]:
    """Write each text in small ASCII letters, digits and spaces, as words are in the index: `Erdős, P.` → `erdos  p `.

    `table`, _LATIN or _LETTERS, says what becomes of each character of Latin-1.  There are as many results as texts.
    """
    rows: list[str] = []
    # Sixty-four texts joined are folded in one call of C, where each alone would take several.  If one of them holds
    # the sign that joins them, or one beyond Latin-1, each is folded by itself.
    for start in range(0, len(texts), _FOLDED_AT_ONCE):
        chunk = texts[start : start + _FOLDED_AT_ONCE]
        try:
            folded_chunk = _of_latin(_SEPARATOR.join(chunk), table).split(_SEPARATOR)
        except UnicodeEncodeError:
            folded_chunk = []
        if len(folded_chunk) == len(chunk):  # else a text holds _SEPARATOR itself
            rows += folded_chunk
        else:
            rows += [_folded(text.replace(_SEPARATOR, " "), table) for text in chunk]
    return rows


def _inherited(own: dict[str, str], parent: Callable[[str], EntryNode | None]) -> dict[str, str]:
    """Return the fields of an entry, `own`, with those that xdata sets, even in their place, and that crossref adds.

    The title of a crossref's parent is the child's venue (biblatex manual, appendix B).  `parent` finds nothing for an
    xdata that names several entries: it gives nothing to search.
    """
    inherited = own
    xdata = parent(own["xdata"].strip(_BRACES_AND_BLANKS)) if "xdata" in own else None
    if xdata is not None:
        names = {field.name for field in xdata.fields()} - {"ids"}
        values = {name: xdata.raw(name) for name in _NAMES if name in names}
        inherited = own | {name: value for name, value in values.items() if value}
    book = parent(inherited["crossref"].strip(_BRACES_AND_BLANKS)) if "crossref" in inherited else None
    if book is None:
        return inherited
    of_book = fields(book)
    if "title" in of_book:
        of_book["booktitle"] = of_book.pop("title")
        of_book.pop("author", None)  # who wrote the book did not write what stands in it
    return {**of_book, **inherited}


def _folded(text: str, table: bytes = _LATIN) -> str:
    try:
        return _of_latin(text, table)
    except UnicodeEncodeError:
        text = _FOREIGN.sub(_fold_match, _without_tex(text))
    return text.translate(_WIDE[table]) if not text.isascii() else _of_latin(text, table)


def _of_latin(text: str, table: bytes = _LATIN) -> str:
    """Folded by a table of 256 characters; UnicodeEncodeError if the text holds others."""
    encoded = _without_tex(text).encode("latin-1")
    if not encoded.isascii():
        for letter, digraph in _DIGRAPHS:
            encoded = encoded.replace(letter, digraph)
    return encoded.translate(table, _DROPPED.encode()).decode()


def _without_tex(text: str) -> str:
    if "\\" not in text:
        return text
    return _COMMAND.sub(" ", _LETTER.sub(r"\1", _ACCENT.sub(r"\1", text)))


def _fold_match(match: re.Match[str]) -> str:
    return _fold_run(match[0])


@remember(2 * MB)
def _fold_run(run: str) -> str:
    return "".join(it if it.isalnum() or it in _DROPPED else " " for it in fold(run))
