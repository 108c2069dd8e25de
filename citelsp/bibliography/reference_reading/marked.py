r"""A reference in TeX as plain text in which signs stand for what tells its parts apart: `\newblock`, italics, bold.

What a style names itself, as `\bibinfo{title}{…}` does, is given apart: it need not be guessed.
"""

import re
from typing import NamedTuple

from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN, SIGNS
from citelsp.bibliography.tex import decode
from citelsp.syntax.languages.latex.grammar import argument

_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
_PENALTY = re.compile(r"\\penalty\s*-?\d+\s?")  # natbib's, in `27\penalty0 (2)`
_GAP = re.compile(r"\\hskip\s+1em\s+plus\s+0\.5em\s+minus\s+0\.4em\s*(?:\\relax)?")  # of IEEE's styles, behind a book
_COMMAND = re.compile(r"\\(?P<name>[a-zA-Z@]+)\*?\s*")
_INFO = {
    "title": "title", "booktitle": "booktitle", "journal": "journal", "year": "year", "volume": "volume",
    "number": "number", "pages": "pages", "publisher": "publisher", "series": "series", "edition": "edition",
    "school": "school", "institution": "institution", "eprint": "eprint", "doi": "doi", "url": "url", "isbn": "isbn",
}  # fmt: skip
_PEOPLE = frozenset({"author", "person"})
_TITLES = frozenset("showarticletitle APACrefatitle APACrefbtitle APACrefaetitle APACrefbetitle btxtitlefont".split())
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
_STRUCTURE = ("BIBentry", "mcite", "EndOfBibitem")  # of IEEE's styles and mciteplus
_ADDRESSES = frozenset({"url", "nolinkurl", "path", "showURL", "urlprefix", "APACrefURL"})
_OF_APACITE = {
    "BPBI": ". ", "BHBI": ".-", "BBOQ": "“", "BBCQ": "”", "BBA": "&", "BBOP": "(", "BBCP": ")", "BIn": "In",
    "BED": "Ed.", "BEDS": "Eds.", "BBACOMMA": ",", "BBCOMMA": ",", "BBIN": "in",
    "BCBT": "", "BCBL": "",
}  # fmt: skip
_DEEPEST = 12
_LONGEST = 20_000  # characters of a reference that are looked at


class Marked(NamedTuple):
    text: str
    exact: dict[str, str]  # fields that the style names; people as BibTeX joins them


def mark_tex(tex: str) -> Marked:
    exact: dict[str, list[str]] = {}
    plain = _mark(_GAP.sub(" ", _PENALTY.sub("", _COMMENT.sub("", tex[:_LONGEST]))), exact, 0)
    text = re.sub(r"[ \t\r\n]+", " ", decode(plain)).strip()
    fields = {name: " and ".join(it) if name in ("author", "editor") else it[0] for name, it in exact.items()}
    return Marked(text, {name: value for name, value in fields.items() if value})


def strip_signs(text: str) -> str:
    return " ".join(SIGNS.sub("", text).split())


def _mark(tex: str, exact: dict[str, list[str]], depth: int) -> str:
    """The text with signs for what commands say, the other commands left to be decoded."""
    if depth > _DEEPEST:
        return ""
    parts, at = list[str](), 0
    while found := _COMMAND.search(tex, at):
        parts.append(tex[at : found.start()])
        replacement, at = _mark_command(tex, found, exact, depth)
        parts.append(replacement)
    return "".join([*parts, tex[at:]])


def _mark_command(tex: str, found: re.Match[str], exact: dict[str, list[str]], depth: int) -> tuple[str, int]:
    name, end = found["name"], found.end()
    if name == "newblock":
        return f" {BLOCK} ", end
    if name in _SWITCHES:
        return _mark_group(tex, found, exact, depth)
    if name.startswith(_STRUCTURE):
        return " ", end
    if name in _OF_APACITE:
        return _OF_APACITE[name], end
    if name in ("bibinfo", "bibfield", "Bibfield"):
        return _mark_named(tex, found, exact, depth)
    if name == "APACjournalVolNumPages":
        return _mark_journal(tex, found, exact, depth)
    if name == "APACrefYearMonthDay":
        year, end = _read_arguments(tex, found.end(), 3)
        return f"({_mark(year[0], exact, depth + 1)})" if year else "", end
    if name == "href":
        return _mark_link(tex, end, exact, depth)
    if _DROPPED.fullmatch(found[0].strip()):
        return "", _read_arguments(tex, end, 1)[1]
    inner = argument(tex, end)
    if inner is None:
        return found[0], end
    return _mark_argument(found, inner.within(tex), exact, depth), inner.end + 1


def _mark_link(tex: str, at: int, exact: dict[str, list[str]], depth: int) -> tuple[str, int]:
    r"""The words of `\href`; where they lead may be the only place that names a DOI."""
    values, end = _read_arguments(tex, at, 2)
    address, words = (*values, "", "")[:2]
    if "doi.org/" in address or "arxiv.org/" in address:
        exact.setdefault("url", []).append(address.replace("\\", ""))
    return _mark(words, exact, depth + 1), end


def _mark_argument(found: re.Match[str], inner: str, exact: dict[str, list[str]], depth: int) -> str:
    name = found["name"]
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
    return f"{found[0]}{{{text}}}"


def _mark_group(tex: str, found: re.Match[str], exact: dict[str, list[str]], depth: int) -> tuple[str, int]:
    r"""`{\em Title}`: what follows up to the end of the group."""
    end, level = found.end(), 0
    while end < len(tex) and level >= 0:
        level += (tex[end] == "{") - (tex[end] == "}")
        end += 1
    end -= level < 0
    sign = _SWITCHES[found["name"]]
    text = _mark(tex[found.end() : end], exact, depth + 1)
    return f"{sign}{text.removesuffix(chr(92) + '/')}{_ENDS[sign]}", end


def _mark_named(tex: str, found: re.Match[str], exact: dict[str, list[str]], depth: int) -> tuple[str, int]:
    values, end = _read_arguments(tex, found.end(), 2)
    if len(values) < 2:
        return "", max(end, found.end())
    kind, is_one = values[0].strip(), found["name"] == "bibinfo"
    inner = _mark(values[1], exact, depth + 1)
    value = _plain_value(inner)
    if is_one and (kind in _PEOPLE or kind == "editor"):
        exact.setdefault("editor" if kind == "editor" else "author", []).append(_write_person(values[1], value))
    elif kind in ("author", "editor") and re.search(r"et[~ ]+al|others", value):
        exact.setdefault(kind, []).append("others")
    elif is_one and kind in _INFO and value:
        exact.setdefault(_INFO[kind], []).append(value)
    return inner, end


def _write_person(tex: str, text: str) -> str:
    r"""`\bibfnamefont{A.} \bibnamefont{Last}`, or the name as it is printed."""
    family, initials = (re.search(rf"\\{it}\s*(?=\{{)", tex) for it in ("bibnamefont", "bibfnamefont"))
    if family and (inner := argument(tex, family.end())):
        first = argument(tex, initials.end()) if initials else None
        before = decode(first.within(tex)) if first else ""
        return f"{decode(inner.within(tex))}, {before}" if before else f"{{{decode(inner.within(tex))}}}"
    return text.strip(" .,;")


def _mark_journal(tex: str, found: re.Match[str], exact: dict[str, list[str]], depth: int) -> tuple[str, int]:
    values, end = _read_arguments(tex, found.end(), 4)
    texts = [_plain_value(_mark(it, exact, depth + 1)) for it in values]
    for name, value in zip(("journal", "volume", "number", "pages"), texts, strict=False):
        if value:
            exact.setdefault(name, []).append(value)
    return " ".join(texts), end


def _plain_value(marked: str) -> str:
    return strip_signs(decode(marked)).strip(" ,;")


def _read_arguments(tex: str, at: int, most: int) -> tuple[list[str], int]:
    found = []
    for _ in range(most):
        inner = argument(tex, at)
        if inner is None:
            break
        found.append(inner.within(tex))
        at = inner.end + 1
    return found, at
