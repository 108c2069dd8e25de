"""A list of names that BibTeX and biber read otherwise than it looks.

Both part a list at `and` between white space, and a name at its commas: `von Last, Jr, First` has two at most.
biber drops an entry with a name that has more, or none of its own; BibTeX prints something else and reports an error.
"""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, findings, plain
from citelsp.checks.finding import Check, Finding
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
_STARTS = ("and ", ",")  # of names that want a closer look
_ENDS = (" and", ",", " al", " al.")
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
    """What is wrong with the lists of names in an entry."""
    source = node.source
    if not node.closed or not _may_be_odd(source, node.key_span.end):
        return ()
    found: list[Complaint] = []
    for field, value, start in plain(node, source):
        if field.name in _FIELDS:
            found += _of_list(field.name, value, start)
    return tuple(found)


def _may_be_odd(source: str, start: int) -> bool:
    """A quick look at the values from `start` on, which most entries pass."""
    opening = _VALUE.search(source, start)
    while opening:
        value_start = opening.end()
        furthest = max(opening.start() - _NAME, 0)
        line_start = source.rfind("\n", furthest, opening.start()) + 1
        before = source[line_start or furthest : opening.start()].replace(",", " ").split()
        next_start = value_start
        if before and before[-1].lower() in _FIELDS:
            if source[value_start - 1] == '"':
                end = source.find('"', value_start) + 1
            else:
                end = brace_end(source, value_start, len(source))
            if not end or _is_odd_list(source[value_start : end - 1]):
                return True
            next_start = end
        opening = _VALUE.search(source, next_start)
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
    if not name or name.startswith(_STARTS) or name.endswith(_ENDS):
        return True
    return name.count(",") >= _MOST or ",," in name


def _of_list(field: str, value: str, value_start: int) -> Iterator[Complaint]:
    """What is wrong with the names of one value, which begins at `value_start` in its entry."""
    value_start += len(value) - len(value.lstrip())
    value = value.strip()
    shown = _outside_braces(value)
    ands = [it.span() for it in _AND.finditer(shown)]
    start = 0
    # The last name ends with the value, behind which nothing follows.
    for stop, following in [*ands, (len(value), 0)]:
        part = shown[start:stop]
        name = part.strip()
        if name:
            offset = start + len(part) - len(part.lstrip())
            span = Span(offset, offset + len(name))
            yield from _of_name(field, name, span.within(value), span.moved(value_start))
        elif ands:
            the_and = Span(value_start + start - len("and"), value_start + start)
            removed = Span(value_start + stop, value_start + following)
            yield Complaint(
                field,
                the_and,
                "A name is empty",
                biber="biber drops the entry",
                bibtex="BibTeX prints it as such" if field in _STANDARD else "",
                edits=((removed, ""),),
                title=_REMOVE,
                milder=True,
            )
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
    shown = []
    last = 0
    for start, end in groups:
        shown += [value[last:start], "\0" * (end - start)]
        last = end
    return "".join([*shown, value[last:]])


def _of_name(field: str, shown: str, name: str, span: Span) -> Iterator[Complaint]:
    """What is wrong with one name at `span`: `shown` is the name with what stands in braces hidden by NUL."""
    is_printed = field in _STANDARD
    if _LABELLED.search(name):
        if is_printed:
            yield Complaint(
                field, span, "BibTeX does not read names written in parts", bibtex="it prints this text as it is"
            )
        return
    edge = _EDGE.search(shown)
    if edge:
        yield Complaint(
            field,
            Span(*edge.span()).moved(span.start),
            "There is no name on one side of this “and”",
            biber=_TAKEN,
            bibtex=_TAKEN if is_printed else "",
            edits=((Span(*edge.span()).moved(span.start), ""),),
            title=_REMOVE,
        )
        return
    institution = _institution(field, shown, name, span)
    if institution:
        yield institution
    elif not (name[0] == "{" and name[-1] == "}"):
        yield from _commas(field, shown, name, span)
        if shown.count(",") <= _MOST:
            yield from _separators(field, shown, span)


def _institution(field: str, shown: str, name: str, span: Span) -> Complaint | None:
    """Of one that stands without braces, which is read as a person of that family: `Organization, W. H.`."""
    # A first word in small letters is printed before the rest, as it should be: `the CMS Collaboration`.
    is_printed_whole = shown[:1].islower() and "," not in shown
    if "\0" in shown or is_printed_whole or not _INSTITUTION.search(shown):
        return None
    family, *behind_commas = shown.split(",")
    if len(family.split()) < 2:
        return None
    parts = [it.strip() for it in behind_commas]
    if parts == [""] or any(map(_INITIALS.fullmatch, parts)):
        return None  # `R Core Team,` is a family name whole, and with initials it is a person, whatever the family
    if any(map(_PERSON.fullmatch, parts)):
        return Complaint(
            field,
            span,
            "Separate names by “and”, not by commas",
            edits=tuple((Span(*it.span()).moved(span.start), " and ") for it in _COMMA.finditer(shown)),
            title=_PART,
            severity="warning",
            anyhow="all is read as one name",
        )
    return Complaint(
        field,
        span,
        "An institution without braces is read as a person",
        edits=((span, f"{{{name}}}"),),
        title=_BRACE_IT,
        severity="warning",
        anyhow="put braces around it",
    )


def _commas(field: str, shown: str, name: str, span: Span) -> Iterator[Complaint]:
    """What is wrong with the commas of a name, of which `shown` has those outside of braces alone."""
    outside = shown.count(",")
    is_printed = field in _STANDARD
    dropped = "biber drops the entry"
    edits = _parted(shown, span)
    if outside > _MOST:
        edits = _at_semicolons(shown, span) or edits
        yield Complaint(
            field,
            span,
            "Separate names by “and”, not by commas" if edits else "A name has at most two commas",
            biber=dropped,
            bibtex="BibTeX reports an error and misprints it" if is_printed else "",
            edits=edits,
            title=_PART if edits else "",
        )
    elif name.count(",") > _MOST:
        yield Complaint(field, span, "biber also counts commas in braces, and a name has at most two", biber=dropped)
    elif ",," in shown:
        yield Complaint(field, span, "This name has two commas in a row", biber=dropped)
    elif outside == _MOST and edits and not _has_suffix(shown):
        read_as_one = "all is read as one name"
        yield Complaint(
            field,
            span,
            "Separate names by “and”, not by commas",
            biber=read_as_one,
            bibtex=read_as_one if is_printed else "",
            edits=edits,
            title=_PART,
            severity="warning",
        )
    elif shown.startswith(",") and shown.strip(", "):
        yield Complaint(
            field,
            span,
            "There is no family name before the comma",
            biber="biber stops" if outside == 1 else "biber prints none",
            bibtex="BibTeX prints none",
            severity="usual" if outside == 1 else "warning",
        )
    elif shown.endswith(",") and is_printed:
        yield Complaint(
            field,
            span,
            "A comma ends this name",
            bibtex="BibTeX reports an error",
            edits=((Span(span.end - 1, span.end), ""),),
            title="Remove “,”",
            severity="warning",
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
    """Edits that put `and` for the semicolons of a name at `span`; none if one may end an entity of HTML."""
    if _ENTITY.search(shown):
        return ()
    edits = []
    for semicolon in _SEMICOLON.finditer(shown):
        ends_the_list = semicolon.end() == len(shown)
        edits.append((Span(*semicolon.span()).moved(span.start), "" if ends_the_list else " and "))
    return tuple(edits)


def _at_another_and(shown: str, span: Span) -> tuple[tuple[Span, str], ...]:
    """Edits at the `and` of another language between two whole names, and at commas before it: `A B, C D und E F`.

    In Spanish and Catalan a family may be called so: `José Ortega y Gasset`.
    """
    for another_and in _ANOTHER_AND.finditer(shown):
        before = shown[: another_and.start()]
        words_after = shown[another_and.end() :].split()
        are_whole_names = min(len(before.split()), len(words_after)) > 1
        if are_whole_names and words_after[1].lower() not in _PARTICLES:
            return (*_parted(before, span), (Span(*another_and.span()).moved(span.start), " and "))
    return ()


def _separators(field: str, shown: str, span: Span) -> Iterator[Complaint]:
    """What people put between names or at the end of a list, and programs read as letters of one name."""
    read_as_name = "it is read as part of one name" if field in _STANDARD else ""

    def complaint(place: Span, fault: str, edits: tuple[tuple[Span, str], ...], title: str = _PART) -> Complaint:
        return Complaint(field, place, fault, read_as_name, read_as_name, edits, title, severity="warning")

    semicolons = _at_semicolons(shown, span)
    if semicolons:
        yield complaint(semicolons[0][0], "“;” does not separate names", semicolons)
        return
    ampersands = tuple((Span(*it.span()).moved(span.start), " and ") for it in _AMPERSAND.finditer(shown))
    if ampersands:
        yield complaint(ampersands[0][0], "“&” does not separate names", ampersands)
        return
    another_and = _at_another_and(shown, span)
    if another_and:
        place = another_and[-1][0]
        word = place.moved(-span.start).within(shown).strip()
        yield complaint(place, f"Separate names by “and”, not by “{word}”", another_and)
        return
    et_al = _ET_AL.search(shown)
    if et_al:
        cut = Span(span.start + et_al.start(), span.end)
        others = " and others" if et_al.start() else "others"
        yield complaint(cut, "“et al.” is not a name", ((cut, others),), "Write “and others”")
        return
    number = _NUMBER.search(shown)
    if number:
        printed = "it is printed with the name" if field in _STANDARD else ""
        yield Complaint(
            field,
            Span(*number.span()).moved(span.start),
            f"DBLP tells namesakes apart by numbers such as {number[0]}",
            biber=printed,
            bibtex=printed,
            edits=_removal(shown, number, span),
            title="Remove the number",
            severity="warning",
        )


def _removal(shown: str, number: re.Match[str], span: Span) -> tuple[tuple[Span, str], ...]:
    """The edit that removes it: with the space before it, or with the comma after it if it stands for a family name."""
    start = len(shown[: number.start()].rstrip(" ~\t\n"))
    end = number.end()
    if start == 0:
        after = shown[end:]
        end += len(after) - len(after.lstrip(", \t\n"))
    return ((Span(start, end).moved(span.start), ""),)


CHECK = Check(
    CODE,
    "error",
    "Names are separated by something else than `and`, an `and` has no name on one side, an institution has no braces, "
    "or a number is printed with a name.",
    check,
    needs="project",
    facts=lambda *_: [_names],
)
