"""How a bibliography file is written, so that what is added looks like the rest of it."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar

from citelsp.base.text import Document, newline_of
from citelsp.syntax import languages
from citelsp.syntax.bibtex import parsing
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.formats import hayagriva

Months = Literal["macro", "number", "none"]
Case = Literal["lower", "title", "upper"]

# The ends, as what was added last shows today's habits, and a large file costs no more than a small one.
_SAMPLE = 16_000  # characters read at either end of a file
_FEWEST_FOR_HABIT = 3  # entries without a month: one is chance
_TEX_LETTER = re.compile(r"\\['`^\"~=.cHkvur][\s{]*\\?[A-Za-z]|\\(?:ss|o|l|ae|oe|aa)\b")
_BIBLATEX = re.compile(r"\b(?:journaltitle|date|eprinttype|eprintclass|location)\s*=\s*[{\"\d]")
_BIBTEX = re.compile(r"\b(?:journal|year|archiveprefix|primaryclass|address)\s*=\s*[{\"\d]")
_LOOKED_AT = 8_000  # characters in which fields tell the dialect

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Style:
    """The habits of one file; the defaults are those of a new one."""

    language: str = languages.BIBTEX.name
    newline: str = "\n"
    indent: str = "  "
    indented: bool = False  # the indent is what entries of the file show
    equals: str = " = "  # between a name and its value, where names are not aligned
    column: int = 0  # of the `=` counted from the name's start, where they are aligned; else 0
    quotes: bool = False  # "…" instead of {…}
    double_braces: bool = False  # {{Title}}
    trailing_comma: bool = True
    kinds: Case = "lower"
    names: Case = "lower"
    kind_spellings: tuple[tuple[str, str], ...] = ()  # such as `InProceedings`, in the way of `spellings`
    spellings: tuple[tuple[str, str], ...] = ()  # of names by their letters in lower case, as the file has them mostly
    tex: bool = False  # letters beyond ASCII as TeX
    months: Months = "macro"
    order: tuple[str, ...] = ()  # field names as the file's entries order them
    dialect: Literal["", "bibtex", "biblatex"] = ""  # "" if the file does not say
    blank_lines: int = 1
    mapping: bool = False  # in YAML: Hayagriva's works by their keys, not a list of CSL items


def detect(document: Document) -> Style:
    """The habits of a bibliography, from its first and last entries."""
    text = document.text
    if len(text) <= 2 * _SAMPLE:
        return _detect(document.language, text, "")
    return _detect(document.language, text[:_SAMPLE], text[-_SAMPLE:])


@lru_cache(maxsize=8)
def _detect(language: str, head: str, tail: str) -> Style:
    """Read the habits of a file from its beginning and end, `head` and `tail`, which may cut entries.

    What most entries do counts, as some may be pasted from elsewhere; what shows nowhere is as `Style` has it.  `tail`
    is "" for a short file, all of which is the head.
    """
    newline = newline_of(head)
    if language != languages.BIBTEX.name:  # a list of CSL or Hayagriva has no more habits than these
        return Style(language=language, newline=newline, indent=_json_indent(head), mapping=hayagriva.is_list(head))
    nodes = [*_sample(head), *_sample(tail)]
    default = Style(newline=newline)
    if not nodes:
        return default

    entries = [node.values() for node in nodes]
    values = [value for entry in entries for value in entry.values()]
    titles = [entry["title"] for entry in entries if "title" in entry]
    indents = [indent for indent in map(_indent, nodes) if indent is not None]
    opening_signs = (value[0] for value in values if value.startswith(("{", '"')))
    kinds = [node.source[1 : 1 + len(node.kind)] for node in nodes]
    names = [name for node in nodes for name in _names(node)]
    return Style(
        newline=newline,
        indent=_most(indents, default.indent),
        indented=bool(indents),
        equals=_most(map(_equals, nodes), default.equals),
        column=_column(nodes),
        quotes=_most(opening_signs, "{") == '"',
        double_braces=_most(map(_doubled, titles), default=False),
        trailing_comma=_most((node.source[:-1].rstrip().endswith(",") for node in nodes), default=True),
        kinds=_most(map(_case, kinds), "lower"),
        names=_most(map(_case, names), "lower"),
        kind_spellings=_spellings(kinds),
        spellings=_spellings(names),
        tex=_writes_tex(head + tail),
        months=_months(entries),
        order=_order(entries),
        dialect=dialect_in(head),
        blank_lines=_blank_lines(head),
    )


def _writes_tex(text: str) -> bool:
    """True if letters beyond ASCII stand there as TeX, for the most part."""
    accents = len(_TEX_LETTER.findall(text))
    if accents == 0 or text.isascii():
        return accents > 0
    letters_beyond_ascii = sum(sign.isalpha() for sign in text if not sign.isascii())
    return accents >= letters_beyond_ascii


def _sample(text: str) -> list[BibNode]:
    """Return the entries in a part of a file, without those that are cut at its ends."""
    entries = parsing.parse(Document("", text, languages.BIBTEX.name)).entries
    if not isinstance(entries, parsing.BibEntries):
        return []
    return [node for node in entries if node.closed]


def _most(values: Iterable[T], default: T) -> T:
    """Return the value that is there most often, of two equals the first; `default` if there are no values."""
    [(value, _)] = Counter(values).most_common(1) or [(default, 0)]
    return value


def _names(node: BibNode) -> list[str]:
    """The names of the entry's fields as written."""
    source = node.source
    return [field.name_span.within(source) for field in node.fields()]


def _spellings(names: list[str]) -> tuple[tuple[str, str], ...]:
    """Each name, of a field or of a kind of entry, in small letters, with how it is mostly written."""
    spellings: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        spellings[name.lower()].append(name)
    return tuple((lowered, _most(spelled, lowered)) for lowered, spelled in spellings.items())


def _case(word: str) -> Case:
    if word.islower():
        return "lower"
    is_upper = word.isupper() and len(word) > 1  # one capital is the beginning of a word as well
    return "upper" if is_upper else "title"


def _indent(node: BibNode) -> str | None:
    """What stands before the first field on a line of its own; None if there is no such line."""
    fields = node.fields()
    before = node.source[: fields[0].span.start] if fields else ""
    _, line_break, indent = before.rpartition("\n")
    begins_line = bool(line_break) and not indent.strip()
    return indent if begins_line else None


def _equals(node: BibNode) -> str:
    """What mostly stands between a name and its value in an entry: ` = `."""
    source = node.source
    return _most([source[field.name_span.end : field.value_span.start] for field in node.fields()], " = ")


def _column(nodes: list[BibNode]) -> int:
    """Return the column in which most entries align their `=`, in characters from the field name's start; 0 if none do.

    Entries whose field names are all of one length do not show whether they are aligned.  `nodes`: the entries.
    """
    columns_of_entries: list[int] = []
    for node in nodes:
        source = node.source
        columns: set[int] = set()
        lengths: set[int] = set()
        for field in node.fields():
            columns.add(source.find("=", field.name_span.end) - field.span.start)
            lengths.add(len(field.name))
        if len(lengths) > 1:
            is_aligned = len(columns) == 1
            columns_of_entries.append(columns.pop() if is_aligned else 0)
    return _most(columns_of_entries, 0)


def _months(entries: list[dict[str, str]]) -> Months:
    """How months are written: as macros (`jun`), as numbers, or in several entries not at all."""
    months = [entry["month"] for entry in entries if "month" in entry]
    if not months:
        return "none" if len(entries) >= _FEWEST_FOR_HABIT else "macro"
    numbers = sum(month.strip('{}"').isdigit() for month in months)
    return "number" if 2 * numbers > len(months) else "macro"


def _order(entries: list[dict[str, str]]) -> tuple[str, ...]:
    """Names of fields by how far behind in their entries they stand on average."""
    places: defaultdict[str, list[float]] = defaultdict(list)
    for fields in entries:
        for index, name in enumerate(fields):
            places[name].append(index / len(fields))
    return tuple(sorted(places, key=lambda name: sum(places[name]) / len(places[name])))


def dialect_in(text: str) -> Literal["", "bibtex", "biblatex"]:
    """Tell the dialect by the fields of the first entries; "" if they do not show it."""
    lowered = text[:_LOOKED_AT].lower()
    modern = len(_BIBLATEX.findall(lowered))
    classic = len(_BIBTEX.findall(lowered))
    if modern == classic:
        return ""
    return "biblatex" if modern > classic else "bibtex"


def _doubled(value: str) -> bool:
    return value.startswith(("{{", '"{')) and value.endswith(("}}", '}"'))


def _blank_lines(text: str) -> int:
    """How many blank lines mostly stand between entries, two at most."""
    gaps: list[str] = re.findall(r"\n[ \t]*[})][ \t]*\r?\n((?:[ \t]*\r?\n)*)@", text)
    return _most([min(2, gap.count("\n")) for gap in gaps], 1)


def _json_indent(text: str) -> str:
    match = re.search(r"\n([ \t]+)\S", text)
    return match[1] if match else "  "


def dialect_of(style: Style, chosen: str, *, default: str = "bibtex") -> str:
    """The dialect to write: the one wanted, else the file's own, else the default."""
    return chosen if chosen in ("bibtex", "biblatex") else style.dialect or default
