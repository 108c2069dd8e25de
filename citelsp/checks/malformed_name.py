"""A list of names that BibTeX and biber read otherwise than it looks.

Both part a list at `and` between white space, and a name at its commas: `von Last, Jr, First` has two at most.
biber drops an entry with a name that has more, or none of its own; BibTeX prints something else and reports an error.
"""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, findings, plain
from citelsp.checks.finding import Check, Finding, Severity
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import brace_end
from citelsp.workspace.project import Project

CODE = "malformed-name"
_STANDARD = frozenset({"author", "editor"})  # the ones that BibTeX's styles print
_FIELDS = _STANDARD | frozenset(
    """afterword annotator bookauthor commentator editora editorb editorc foreword holder introduction namea nameb namec
    translator shortauthor shorteditor sortname""".split()
)
_VALUE = re.compile(r"=\s*+[{\"]")
_AND = re.compile(r"(?<!\s)\s+and(?=\s)", re.IGNORECASE)
_BRACE = re.compile(r"[{}]")
_COMMA = re.compile(r",\s*+")
_EDGE = re.compile(r"^and\s|\sand$", re.IGNORECASE)
_SEMICOLON = re.compile(r"(?:(?<![\s\\])\s+)?(?<!\\);\s*")
_ENTITY = re.compile(r"[&\0]#?\w+;")  # also with its ampersand in a group, which is hidden
_AMPERSAND = re.compile(r"(?<!\s)\s+&\s+")
_ET_AL = re.compile(r"(?:(?:,|(?<![\s,]))\s+)?\bet\.?\s+al\b\.?$", re.IGNORECASE)
_LABELLED = re.compile(r"(?:family|given|prefix|suffix)(?:-i)?\s*=|^\S+\s*=\s*\S+$")
_NUMBER = re.compile(r"(?:^|(?<=[\s~]))0\d{3}(?=$|\s*,)")  # from 0001 on, where DBLP knows several of the name
_PERSON = re.compile(r"(?:[A-Z]\.[\s~-]*+){1,3}[^\W\d_][\w'’-]++")
_INITIALS = re.compile(r"(?:[A-Z]\.?[\s~-]*){1,4}")
# What institutions call themselves, in the languages in which most of them write; no family has such a name.
_INSTITUTION = re.compile(
    r"\b(?:Academ(?:y|ies)|Administration|Agency|Akademie|Asociaci[oó]n|Association|Associazione|Authority|Bundesamt"
    r"|Cent(?:er|re)s?|Collaboration|Commission|Committee|Consortium|Corporation|Council|Department|Division|Federation"
    r"|Foundation|Fundaci[oó]n|Gesellschaft|GmbH|Group|Inc|Institut[eo]?|Istituto|LLC|Laborator(?:y|ies)|Ltd"
    r"|Minist(?:ry|erium|[eè]re|erio)|Ministério|Office|Organi[sz]ation|Parliament|Society|Soci[eé]t[eé]|Stiftung|Team|Union"
    r"|Universidade?|Universit[aàäé]t?|Universit(?:y|é|eit)|Verband|World Bank)\b"
)
_ANOTHER_AND = re.compile(r"(?<!\s)\s+(?:e|en|et|och|og|und|ve|y|и)\s+(?=[^\W\d_a-zа-я])")
_PARTICLES = frozenset("da das de del della der des di do dos du la las los van von".split())
_STARTS, _ENDS = ("and ", ","), (" and", ",", " al", " al.")  # of names that want a closer look
_MOST = 2  # commas in a name
_SUFFIX = re.compile(r"(?:jr|sr|[ivx]+|ph|m|d|ph\.?d|m\.?d)\.?", re.IGNORECASE)
_NAME = 60  # characters of a field's name with the blanks around it
_TAKEN = "it is read as part of a name"
_REMOVE = "Remove “and”"
_BRACE_IT = "Put braces around the institution"
_PART = "Separate the names with “and”"


def check(project: Project, _: Knowledge) -> list[Finding]:
    return findings(project, CODE, _names)


def _names(node: BibNode) -> tuple[Complaint, ...]:
    source = node.source
    if not node.closed or not _may_be_odd(source, node.key_span.end):
        return ()
    fields = ((it, value, at) for it, value, at in plain(node, source) if it.name in _FIELDS)
    return tuple(complaint for it, value, at in fields for complaint in _of_list(it.name, value, at))


def _may_be_odd(source: str, start: int) -> bool:
    """A quick look at the values from `start` on, which most entries pass."""
    while value := _VALUE.search(source, start):
        start = value.end()
        name = source.rfind("\n", max(value.start() - _NAME, 0), value.start()) + 1
        before = source[name or max(value.start() - _NAME, 0) : value.start()].replace(",", " ").split()[-1:]
        if before and before[0].lower() in _FIELDS:
            quoted = source[start - 1] == '"'
            end = source.find('"', start) + 1 if quoted else brace_end(source, start, len(source))
            if not end or _is_odd_list(source[start : end - 1]):
                return True
            start = end
    return False


def _is_odd_list(value: str) -> bool:
    names = " ".join(value.lower().split())
    if any(it in names for it in ";&=") or ("0" in names and re.search(r"\b0\d{3}\b", names)):
        return True
    if _INSTITUTION.search(value) or _ANOTHER_AND.search(value):
        return True
    return bool(names) and any(map(_is_odd, names.split(" and ")))


def _is_odd(name: str) -> bool:
    name = name.strip()
    return not name or name.count(",") >= _MOST or ",," in name or name.startswith(_STARTS) or name.endswith(_ENDS)


def _of_list(field: str, value: str, at: int) -> Iterator[Complaint]:
    at += len(value) - len(value.lstrip())
    value = value.strip()
    shown = _outside_braces(value)
    ands = [it.span() for it in _AND.finditer(shown)]
    start = 0
    for stop, following in [*ands, (len(value), 0)]:
        part = shown[start:stop]
        name, offset = part.strip(), start + len(part) - len(part.lstrip())
        if name:
            span = Span(offset, offset + len(name))
            yield from _of_name(field, name, span.within(value), span.moved(at))
        elif ands:
            span = Span(at + start - len("and"), at + start)
            bibtex = "BibTeX prints it as such" if field in _STANDARD else ""
            edits = ((Span(at + stop, at + following), ""),)
            dropped = "biber drops the entry"
            yield Complaint(field, span, "A name is empty", dropped, bibtex, edits, _REMOVE, milder=True)
        start = following


def _outside_braces(value: str) -> str:
    """The value with NUL for every character of its groups."""
    opened: list[int] = []
    groups: list[tuple[int, int]] = []
    for brace in _BRACE.finditer(value):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            start = opened.pop()
            while groups and groups[-1][0] > start:
                groups.pop()
            groups.append((start, brace.end()))
    shown, last = [], 0
    for start, end in groups:
        shown += [value[last:start], "\0" * (end - start)]
        last = end
    return "".join([*shown, value[last:]])


def _of_name(field: str, shown: str, name: str, span: Span) -> Iterator[Complaint]:
    """`shown` has its groups hidden."""
    printed = field in _STANDARD
    if _LABELLED.search(name):
        if printed:
            yield Complaint(
                field, span, "BibTeX does not read names written in parts", bibtex="it prints this text as it is"
            )
    elif edge := _EDGE.search(shown):
        cut = Span(span.start + edge.start(), span.start + edge.end())
        fault = "There is no name on one side of this “and”"
        yield Complaint(field, cut, fault, _TAKEN, _TAKEN if printed else "", ((cut, ""),), _REMOVE)
    elif institution := _institution(field, shown, name, span):
        yield institution
    elif not (name[0] == "{" and name[-1] == "}"):
        yield from _commas(field, shown, name, span)
        if shown.count(",") <= _MOST:
            yield from _separators(field, shown, span)


def _institution(field: str, shown: str, name: str, span: Span) -> Complaint | None:
    """Of one that stands without braces, which is read as a person of that family: `Organization, W. H.`."""
    if "\0" in shown or not _INSTITUTION.search(shown) or len(shown.partition(",")[0].split()) < 2:
        return None
    given = [it.strip() for it in shown.split(",")[1:]]
    if given == [""] or any(map(_INITIALS.fullmatch, given)):
        return None  # `R Core Team,` is a family name whole, and with initials it is a person, whatever the family
    if any(map(_PERSON.fullmatch, given)):
        commas = tuple((Span(*it.span()).moved(span.start), " and ") for it in _COMMA.finditer(shown))
        fault, one = "Separate names by “and”, not by commas", "all is read as one name"
        return Complaint(field, span, fault, edits=commas, title=_PART, severity="warning", anyhow=one)
    fault = "An institution without braces is read as a person"
    consequence = "put braces around it"
    edits = ((span, f"{{{name}}}"),)
    return Complaint(field, span, fault, severity="warning", edits=edits, title=_BRACE_IT, anyhow=consequence)


def _commas(field: str, shown: str, name: str, span: Span) -> Iterator[Complaint]:
    outside, printed = shown.count(","), field in _STANDARD
    dropped, misprints = "biber drops the entry", "BibTeX reports an error and misprints it" if printed else ""
    if outside > _MOST:
        edits = _at_semicolons(shown, span) or _parted(shown, span)
        title = _PART if edits else ""
        fault = "Separate names by “and”, not by commas" if edits else "A name has at most two commas"
        yield Complaint(field, span, fault, dropped, misprints, edits=edits, title=title)
    elif name.count(",") > _MOST:
        yield Complaint(field, span, "biber also counts commas in braces, and a name has at most two", dropped)
    elif ",," in shown:
        yield Complaint(field, span, "This name has two commas in a row", dropped)
    elif outside == _MOST and (edits := _parted(shown, span)) and not _has_suffix(shown):
        fault, one = "Separate names by “and”, not by commas", "all is read as one name"
        yield Complaint(field, span, fault, one, one if printed else "", edits, _PART, severity="warning")
    elif shown.startswith(",") and shown.strip(", "):
        how: Severity = "usual" if outside == 1 else "warning"
        biber, bibtex = "biber stops" if outside == 1 else "biber prints none", "BibTeX prints none"
        yield Complaint(field, span, "There is no family name before the comma", biber, bibtex, severity=how)
    elif shown.endswith(",") and printed:
        cut = ((Span(span.end - 1, span.end), ""),)
        consequence = "BibTeX reports an error"
        yield Complaint(
            field, span, "A comma ends this name", bibtex=consequence, severity="warning", edits=cut, title="Remove “,”"
        )


def _has_suffix(shown: str) -> bool:
    """A part of the name is nothing else; `_parted` leaves no part of one word."""
    return any(all(map(_SUFFIX.fullmatch, part.split())) for part in shown.split(","))


def _parted(shown: str, span: Span) -> tuple[tuple[Span, str], ...]:
    """Edits that put `and` for the commas between names: `First Last, First Last` or `Last, F., Last, F.`."""
    places = [it.span() for it in _COMMA.finditer(shown)]
    pieces = [it.strip() for it in shown.split(",")]
    if all(len(it.split()) > 1 and not _INITIALS.fullmatch(it) for it in pieces):
        commas = places
    elif len(pieces) % 2 == 0 and all(_INITIALS.fullmatch(it) for it in pieces[1::2]):
        commas = places[1::2]
    else:
        return ()
    return tuple((Span(*it).moved(span.start), " and ") for it in commas)


def _at_semicolons(shown: str, span: Span) -> tuple[tuple[Span, str], ...]:
    places = [] if _ENTITY.search(shown) else [it.span() for it in _SEMICOLON.finditer(shown)]
    return tuple(
        (Span(span.start + start, span.start + end), " and " if end < len(shown) else "") for start, end in places
    )


def _at_another_and(shown: str, span: Span) -> tuple[tuple[Span, str], ...]:
    """Edits at the `and` of another language between two whole names, and at commas before it: `A B, C D und E F`.

    In Spanish and Catalan a family may be called so: `José Ortega y Gasset`.
    """
    for found in _ANOTHER_AND.finditer(shown):
        before, after = shown[: found.start()], shown[found.end() :].split()
        if min(len(before.split()), len(after)) > 1 and after[1].lower() not in _PARTICLES:
            return (*_parted(before, span), (Span(*found.span()).moved(span.start), " and "))
    return ()


def _separators(field: str, shown: str, span: Span) -> Iterator[Complaint]:
    """What people put between names or at the end of a list, and programs read as letters of one name."""
    one = "it is read as part of one name" if field in _STANDARD else ""
    if edits := _at_semicolons(shown, span):
        yield Complaint(field, edits[0][0], "“;” does not separate names", one, one, edits, _PART, severity="warning")
    elif signs := [it.span() for it in _AMPERSAND.finditer(shown)]:
        edits = tuple((Span(span.start + start, span.start + end), " and ") for start, end in signs)
        yield Complaint(field, edits[0][0], "“&” does not separate names", one, one, edits, _PART, severity="warning")
    elif edits := _at_another_and(shown, span):
        word = edits[-1][0].moved(-span.start).within(shown).strip()
        fault = f"Separate names by “and”, not by “{word}”"
        yield Complaint(field, edits[-1][0], fault, one, one, edits, _PART, severity="warning")
    elif short := _ET_AL.search(shown):
        cut = Span(span.start + short.start(), span.end)
        edit = ((cut, " and others" if short.start() else "others"),)
        yield Complaint(field, cut, "“et al.” is not a name", one, one, edit, "Write “and others”", severity="warning")
    elif number := _NUMBER.search(shown):
        marked = Span(span.start + number.start(), span.start + number.end())
        fault = f"DBLP tells namesakes apart by numbers such as {number[0]}"
        how = "it is printed with the name" if field in _STANDARD else ""
        yield Complaint(
            field, marked, fault, how, how, _removal(shown, number, span), "Remove the number", severity="warning"
        )


def _removal(shown: str, number: re.Match[str], span: Span) -> tuple[tuple[Span, str], ...]:
    """The edit that removes it: with the space before it, or with the comma after it if it stands for a family name."""
    before, after = shown[: number.start()], shown[number.end() :]
    start = len(before.rstrip(" ~\t\n"))
    end = number.end() if start else number.end() + len(after) - len(after.lstrip(", \t\n"))
    return ((Span(span.start + start, span.start + end), ""),)


CHECK = Check(
    CODE,
    "error",
    "Names are separated by something else than `and`, an `and` has no name on one side, an institution has no braces, "
    "or a number is printed with a name.",
    check,
    needs="project",
    facts=lambda *_: [_names],
)
