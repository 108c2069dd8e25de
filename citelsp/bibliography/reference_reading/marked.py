r"""A reference in TeX as plain text in which signs stand for what tells its parts apart: `\newblock`, italics, bold.

What a style names itself, as `\bibinfo{title}{…}` does, is given apart: it need not be guessed.
"""

import re
from typing import NamedTuple

from citelsp.bibliography import journal_macros
from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN, SIGNS
from citelsp.syntax.languages.latex.grammar import argument

# A comment; or, as group `read`, an address, in which `%` begins none, or two signs of which the first is a backslash.
_COMMENT = re.compile(r"(?P<read>\\(?:url|href|nolinkurl|path)\s*+\{[^{}\n]*+\}|\\[^\n])|%[^\n]*\n?[ \t]*")
_PERCENT = re.compile(r"(?<!\\)%")  # without a backslash before it
_PENALTY = re.compile(r"\\penalty\s*-?\d+\s?")  # natbib's, in `27\penalty0 (2)`
_GAP = re.compile(r"\\hskip\s+1em\s+plus\s+0\.5em\s+minus\s+0\.4em\s*(?:\\relax)?")  # of IEEE's styles, behind a book
# Around a reference in journals of statistics, and twice in it: `\begin{barticle}[author] … \bfnm{A.}\binits{A.}`
_KIND_OF_ENTRY = re.compile(r"\\(?:begin\{b[a-z]{3,15}\}(?:\[\w+\])?|end\{b[a-z]{3,15}\})")
_GIVEN_TWICE = re.compile(r"(\\bfnm\s?\{[^{}]*\})\s?\\binits\s?\{[^{}]*\}")
_COMMAND = re.compile(r"\\(?P<name>[a-zA-Z@]+)\*?\s*")
_INFO = {
    "title": "title", "booktitle": "booktitle", "journal": "journal", "year": "year", "volume": "volume",
    "number": "number", "pages": "pages", "publisher": "publisher", "series": "series", "edition": "edition",
    "school": "school", "institution": "institution", "eprint": "eprint", "doi": "doi", "url": "url", "isbn": "isbn",
    "eid": "pages",
}  # fmt: skip
_PEOPLE = frozenset({"author", "person"})
_TITLES = frozenset({"showarticletitle", "btxtitlefont"})
# apacite's, of which one argument is printed: the title as the manuscript's options want it, or as the .bib has it
_TITLES_TWICE = frozenset({"APACrefatitle", "APACrefbtitle", "APACrefaetitle", "APACrefbetitle"})
# Commands with two arguments, of which one is printed: its place.
_PRINTED_OF_TWO = {
    "BIBforeignlanguage": 1,
    "foreignlanguage": 1,
    "textcolor": 1,
    "btxifchangecase": 0,
    "texorpdfstring": 0,
}
_ITALICS = frozenset({"emph", "textit", "textsl", "Bem", "BBem", "btxjournalfont"})
_BOLDS = frozenset({"textbf", "btxvolumefont"})
_SWITCHES = {
    "em": ITALIC, "it": ITALIC, "itshape": ITALIC, "sl": ITALIC, "slshape": ITALIC, "bf": BOLD, "bfseries": BOLD,
}  # fmt: skip
_ENDS = {ITALIC: ROMAN, BOLD: LIGHT}
_DROPPED = re.compile(
    r"\\(?:natexlab|noopsort|APACexlab|BCnt|Bibitem(?:Open|Shut)|label|eprint@tag|penalty0?|relax|protect|unskip"
    r"|APACinsertmetastar|PrintBackRefs|bibAnnoteFile|href@noop|MR|Eprint@noop)\b"
)
_DROPPED_OF_THREE = "abntrefinfo"  # abntex2's, for citations in the text
_STRUCTURE = ("BIBentry", "mcite", "EndOfBibitem")  # of IEEE's styles and mciteplus
_ADDRESSES = frozenset({"url", "nolinkurl", "path", "showURL", "urlprefix", "APACrefURL"})
_OF_APACITE = {
    "BPBI": ". ", "BHBI": ".-", "BBOQ": "“", "BBCQ": "”", "BBA": "&", "BBOP": "(", "BBCP": ")", "BIn": "In",
    "BED": "Ed.", "BEDS": "Eds.", "BBACOMMA": ",", "BBCOMMA": ",", "BBIN": "in",
    "BCBT": "", "BCBL": "", "BDBL": " … ", "BOthersPeriod": " et al.", "BTR": "Tech. Rep.", "BVOL": "Vol.",
    "BVOLS": "Vols.", "BNUM": "No.", "BPG": "p.", "BPGS": "pp.", "BCHAP": "chap.", "BPhD": "Doctoral dissertation",
    "BUPhD": "Doctoral dissertation", "BMTh": "Master’s thesis", "BUMTh": "Master’s thesis",
    "BAvailFrom": "Available from", "BRetrievedFrom": "Retrieved from", "BRetrieved": "Retrieved",
}  # fmt: skip
# Of the same package: how many arguments, the field that the last one is, and what stands between them.
_PLACES_OF_APACITE = {
    "APACaddressPublisher": (2, "publisher", ": "),
    "APACaddressPublisherEqAuth": (2, "", ": "),
    "APACaddressInstitution": (2, "institution", ": "),
    "APACaddressSchool": (2, "school", ": "),
    "APACtypeAddressSchool": (3, "school", ", "),
    "APACbVolEdTR": (2, "", " "),
}
_DEEPEST = 12
_LONGEST = 20_000  # characters of a reference that are looked at


class Marked(NamedTuple):
    text: str
    exact: dict[str, str]  # fields that the style names; people as BibTeX joins them


class Replacement(NamedTuple):
    """What a command becomes, and where in the TeX reading goes on behind it and its arguments."""

    text: str
    end: int


class Arguments(NamedTuple):
    values: list[str]  # as many as there are, without their braces
    end: int


def mark_tex(tex: str) -> Marked:
    """Write a reference in TeX as plain text with signs, and find the fields that its style names."""
    exact: dict[str, list[str]] = {}
    bare = _COMMENT.sub(_drop_comment, tex[:_LONGEST])
    bare = _GIVEN_TWICE.sub(r"\1", _KIND_OF_ENTRY.sub("", bare)).replace("\\AND", " and ")
    bare = journal_macros.write_out_all(_GAP.sub(" ", _PENALTY.sub("", bare)))
    text = re.sub(r"[ \t\r\n]+", " ", decode(_mark(bare, exact, 0))).strip()
    fields = {name: values[0] for name, values in exact.items()}
    for name in exact.keys() & {"author", "editor"}:
        fields[name] = " and ".join(exact[name])
    return Marked(text, {name: value for name, value in fields.items() if value})


def _drop_comment(match: re.Match[str]) -> str:
    r"""Return "" for a comment, and an address with `\%` for its `%`, as it would be written in an argument."""
    return _PERCENT.sub(r"\%", match["read"] or "")


def strip_signs(text: str) -> str:
    return " ".join(SIGNS.sub("", text).split())


def _mark(tex: str, exact: dict[str, list[str]], depth: int) -> str:
    """Replace in TeX the commands that have a meaning here by signs or text; all others stay, to be decoded later.

    Fields that commands name are added to `exact`.  `depth`: how many commands are around; too many give "".
    """
    if depth > _DEEPEST:
        return ""
    parts: list[str] = []
    end = 0
    while command := _COMMAND.search(tex, end):
        parts.append(tex[end : command.start()])
        replacement = _mark_command(tex, command, exact, depth)
        parts.append(replacement.text)
        end = replacement.end
    return "".join([*parts, tex[end:]])


def _mark_command(tex: str, command: re.Match[str], exact: dict[str, list[str]], depth: int) -> Replacement:
    """Return what a command with its arguments becomes; the fields that it names are added to `exact`.

    Without an argument in braces an unknown command stays as it is.  `depth`: how many commands are around this one.
    """
    name = command["name"]
    if name == "newblock":
        return Replacement(f" {BLOCK} ", command.end())
    if name in _SWITCHES:
        return _mark_group(tex, command, exact, depth)
    if name.startswith(_STRUCTURE):
        return Replacement(" ", command.end())
    if name in _OF_APACITE:
        return Replacement(_OF_APACITE[name], command.end())
    if name in ("bibinfo", "bibfield", "Bibfield"):
        return _mark_named(tex, command, exact, depth)
    if name == "APACjournalVolNumPages":
        return _mark_journal(tex, command, exact, depth)
    if name in _TITLES_TWICE:  # two arguments, the title in two ways: the first is taken
        titles, end = _read_arguments(tex, command.end(), most=2)
        title = _mark(titles[0], exact, depth + 1) if titles else ""
        exact.setdefault("title", []).append(_plain_value(title))
        return Replacement(title, end)
    if name in _PLACES_OF_APACITE:
        return _mark_place(tex, command, exact, depth)
    if name == "BOthers":
        return Replacement(" et al.", _read_arguments(tex, command.end(), most=1).end)
    if name == "APACrefYearMonthDay":
        date, end = _read_arguments(tex, command.end(), most=3)  # of year, month and day the year alone is taken
        return Replacement(f"({_mark(date[0], exact, depth + 1)})" if date else "", end)
    if name in _PRINTED_OF_TWO:
        values, end = _read_arguments(tex, command.end(), most=2)
        printed = values[_PRINTED_OF_TWO[name]] if len(values) == 2 else ""
        return Replacement(_mark(printed, exact, depth + 1), end)
    if name == _DROPPED_OF_THREE:
        return Replacement("", _read_arguments(tex, command.end(), most=3).end)
    if name == "href":
        return _mark_link(tex, command.end(), exact, depth)
    if name == "mn@doi":
        return _mark_words_of_doi(tex, command.end(), exact, depth)
    if _DROPPED.fullmatch(command[0].strip()):
        return Replacement("", _read_arguments(tex, command.end(), most=1).end)
    inner = argument(tex, command.end())
    if inner is None:
        return Replacement(command[0], command.end())
    return Replacement(_mark_argument(command, inner.within(tex), exact, depth), inner.end + 1)


def _mark_link(tex: str, start: int, exact: dict[str, list[str]], depth: int) -> Replacement:
    r"""The words of `\href`; where they lead may be the only place that names a DOI."""
    values, end = _read_arguments(tex, start, most=2)
    address = values[0] if values else ""
    words = values[1] if len(values) > 1 else ""
    if "doi.org/" in address or "arxiv.org/" in address:
        exact.setdefault("url", []).append(address.replace("\\", ""))
    return Replacement(_mark(words, exact, depth + 1), end)


def _mark_words_of_doi(tex: str, start: int, exact: dict[str, list[str]], depth: int) -> Replacement:
    r"""MNRAS' `\mn@doi [Science] {10.1126/…}`: the words in brackets are printed."""
    words = argument(tex, start, "[")
    values, end = _read_arguments(tex, words.end + 1 if words else start, most=1)
    if values:
        exact.setdefault("doi", []).append(values[0])
    return Replacement(_mark(words.within(tex), exact, depth + 1) if words else "", end)


def _mark_argument(command: re.Match[str], inner: str, exact: dict[str, list[str]], depth: int) -> str:
    """Return what a command with one argument becomes; one without a meaning here stays, with its argument marked.

    The field that it names is added to `exact`; `inner` is the argument, `depth` how many commands are around this one.
    """
    name = command["name"]
    if name in _ADDRESSES:
        return f" {inner} "
    if name == "doi":
        exact.setdefault("doi", []).append(inner)
        return f" doi:{inner} "
    text = _mark(inner, exact, depth + 1)
    if name in _ITALICS:
        return f"{ITALIC}{text}{ROMAN}"
    if name in _BOLDS:
        return f"{BOLD}{text}{LIGHT}"
    if name in _TITLES:
        exact.setdefault("title", []).append(_plain_value(text))
        return text
    if name in ("begin", "end"):
        return ""
    return f"{command[0]}{{{text}}}"


def _mark_group(tex: str, switch: re.Match[str], exact: dict[str, list[str]], depth: int) -> Replacement:
    r"""Put signs around what follows a switch up to the end of its group: `{\em Title}`.

    Fields that commands in the group name are added to `exact`; `depth`: how many commands are around the switch.
    """
    end = switch.end()
    level = 0  # of braces, counted from the switch
    while end < len(tex):
        level += (tex[end] == "{") - (tex[end] == "}")
        if level < 0:
            break
        end += 1
    sign = _SWITCHES[switch["name"]]
    text = _mark(tex[switch.end() : end], exact, depth + 1)
    text = text.removesuffix("\\/")  # TeX's correction behind italics
    return Replacement(f"{sign}{text}{_ENDS[sign]}", end)


def _mark_named(tex: str, command: re.Match[str], exact: dict[str, list[str]], depth: int) -> Replacement:
    r"""Replace a command that names a field by its value, which is added to `exact`.

    `\bibinfo{author}{Ada Byron}` has one value; `\bibfield{author}{…}` surrounds all values of a field, and says
    whether the people within are editors, and whether their list goes on.  With fewer than two arguments the command is
    dropped.  `depth`: how many commands are around this.
    """
    values, end = _read_arguments(tex, command.end(), most=2)
    if len(values) < 2:
        return Replacement("", end)
    field = values[0].strip()
    is_one_value = command["name"] == "bibinfo"
    within: dict[str, list[str]] = {}
    inner = _mark(values[1], within, depth + 1)
    if field == "editor" and "author" in within:
        # ACM's `\bibfield{editor}{\bibinfo{person}{…}}`: only what surrounds a person says whose name it is.
        within["editor"] = [*within.pop("author"), *within.get("editor", [])]
    for name, of_name in within.items():
        exact.setdefault(name, []).extend(of_name)
    value = _plain_value(inner)
    if is_one_value and (field in _PEOPLE or field == "editor"):
        role = "editor" if field == "editor" else "author"
        exact.setdefault(role, []).append(_write_person(values[1], value))
    elif field in ("author", "editor") and re.search(r"\bet[~ ]+al\b|\bothers\b", value):  # `et~al.`, `and others`
        exact.setdefault(field, []).append("others")
    elif is_one_value and field in _INFO and value:
        exact.setdefault(_INFO[field], []).append(value)
    return Replacement(inner, end)


def _write_person(tex: str, text: str) -> str:
    r"""`\bibfnamefont{A.} \bibnamefont{Last}` as `Last, A.`, or the name as it is printed."""
    family = _argument_of("bibnamefont", tex)
    if not family:
        return text.strip(" .,;")
    given = _argument_of("bibfnamefont", tex)
    return f"{family}, {given}" if given else f"{{{family}}}"


def _argument_of(name: str, tex: str) -> str:
    command = re.search(rf"\\{name}\s*(?=\{{)", tex)
    inner = argument(tex, command.end()) if command else None
    return decode(inner.within(tex)) if inner else ""


def _mark_journal(tex: str, command: re.Match[str], exact: dict[str, list[str]], depth: int) -> Replacement:
    r"""`\APACjournalVolNumPages{Nature}{521}{7553}{436--444}`"""
    values, end = _read_arguments(tex, command.end(), most=4)
    texts = [_plain_value(_mark(value, exact, depth + 1)) for value in values]
    for field, text in zip(("journal", "volume", "number", "pages"), texts, strict=False):
        if text:
            exact.setdefault(field, []).append(text)
    return Replacement(" ".join(texts), end)


def _mark_place(tex: str, command: re.Match[str], exact: dict[str, list[str]], depth: int) -> Replacement:
    r"""`\APACaddressPublisher{London}{Wiley}`"""
    count, field, between = _PLACES_OF_APACITE[command["name"]]
    values, end = _read_arguments(tex, command.end(), count)
    texts = [_plain_value(_mark(value, exact, depth + 1)) for value in values]
    if field and texts and texts[-1]:
        exact.setdefault(field, []).append(texts[-1])
    return Replacement(between.join(filter(None, texts)), end)


def _plain_value(marked: str) -> str:
    return strip_signs(decode(marked)).strip(" ,;")


def _read_arguments(tex: str, start: int, most: int) -> Arguments:
    """Read at most so many arguments in braces, from where the first one may begin."""
    values: list[str] = []
    end = start
    for _ in range(most):
        inner = argument(tex, end)
        if inner is None:
            break
        values.append(inner.within(tex))
        end = inner.end + 1
    return Arguments(values, end)
