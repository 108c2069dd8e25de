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
_PRINTED_BY_BIBTEX = frozenset({"author", "editor"})  # the ones that BibTeX's styles print
_NAME_FIELDS = _PRINTED_BY_BIBTEX | frozenset(
    """afterword annotator bookauthor commentator editora editorb editorc foreword holder introduction namea nameb namec
    translator shortauthor shorteditor sortname""".split()
)
_BEGINNING_OF_VALUE = re.compile(r"=\s*+[{\"]")
_AND = re.compile(r"(?<!\s)\s+and(?=\s)", re.IGNORECASE)
_BRACE = re.compile(r"[{}]")
_COMMA = re.compile(r",\s*+")
_AND_AT_AN_END = re.compile(r"^and\s|\sand$", re.IGNORECASE)
_SEMICOLON = re.compile(r"(?:(?<![\s\\])\s+)?(?<!\\);\s*")
_ENTITY = re.compile(r"[&\0]\\?#?\w+;")  # also with its ampersand in a group, which is hidden
_AMPERSAND = re.compile(r"(?<!\s)\s+&\s+")
_ET_AL = re.compile(r"(?:(?:,|(?<![\s,]))\s+)?\bet\.?\s+al\b\.?$", re.IGNORECASE)
# `family=Roe, given=Ada`: a name in parts, as biber reads them
_LABELLED = re.compile(r"(?:family|given|prefix|suffix)(?:-i)?\s*=|^\S+\s*=\s*\S+$")
_NUMBER_OF_DBLP = re.compile(r"(?:^|(?<=[\s~]))0\d{3}(?=$|\s*,)")  # from 0001 on, by which DBLP tells namesakes apart
# `A. K. Roe`
_PERSON = re.compile(r"(?:[A-Z]\.[\s~-]*+){1,3}[^\W\d_][\w'’-]++")
# `A. K.`, `AK`
_INITIALS = re.compile(r"(?:[A-Z]\.?[\s~-]*){1,4}")
# What institutions call themselves, in the languages in which most of them write; no family has such a name.
_INSTITUTION = re.compile(
    r"\b(?:Academ(?:y|ies)|Administration|Agency|Akademie|Asociaci[oó]n|Association|Associazione|Authority|Bundesamt"
    r"|Cent(?:er|re)s?|Collaboration|Commission|Committee|Consortium|Corporation|Council|Department|Division|Federation"
    r"|Foundation|Fundaci[oó]n|Gesellschaft|GmbH|Group|Inc|Institut[eo]?|Istituto|LLC|Laborator(?:y|ies)|Ltd"
    r"|Minist(?:ry|erium|[eè]re|erio)|Ministério|Office|Organi[sz]ation|Parliament|Society|Soci[eé]t[eé]|Stiftung|Team|Union"
    r"|Universidade?|Universit[aàäé]t?|Universit(?:y|é|eit)|Verband|World Bank)\b"
)
# `Ada Roe und Max Doe`
_ANOTHER_AND = re.compile(r"(?<!\s)\s+(?:e|en|et|och|og|und|ve|y|и)\s+(?=[^\W\d_a-zа-я])")
_FAMILY_BEFORE_COMMA = re.compile(r"[^\s,]+,")
_PARTICLES = frozenset("da das de del della der des di do dos du la las los van von".split())
_ODD_STARTS = ("and ", ",")  # of names that want a closer look
_ODD_ENDS = (" and", ",", " al", " al.")
_MOST_COMMAS = 2  # in a name
_SUFFIX = re.compile(r"(?:jr|sr|[ivx]+|ph|m|d|ph\.?d|m\.?d)\.?", re.IGNORECASE)
_FIELD_NAME = 60  # characters of a field's name with the blanks around it, at most
_READ_AS_PART = "it is read as part of a name"
_DROPPED = "biber drops the entry"
# Titles of fixes.
_REMOVE = "Remove “and”"
_BRACE_IT = "Put braces around the institution"
_SEPARATE = "Separate the names with “and”"


def check(project: Project, _: Knowledge) -> list[Finding]:
    return findings(project, CODE, _complain_of_names)


def _complain_of_names(node: BibNode) -> tuple[Complaint, ...]:
    """What is wrong with the lists of names in an entry."""
    source = node.source
    if not node.closed or not _may_be_odd(source, node.key_span.end):
        return ()
    found: list[Complaint] = []
    for field, value, start in plain(node, source):
        if field.name in _NAME_FIELDS:
            found += _complain_of_list(field.name, value, start)
    return tuple(found)


def _may_be_odd(source: str, start: int) -> bool:
    """True if a list of names in `source`, from `start` on, may be amiss: a quick look, which most entries pass.

    The entry is not parsed: the word before `= {` or `= "` is taken for the field's name.
    """
    opening = _BEGINNING_OF_VALUE.search(source, start)
    while opening:
        value_start = opening.end()
        next_start = value_start
        if _name_before(source, opening.start()) in _NAME_FIELDS:
            if source[value_start - 1] == '"':
                end = source.find('"', value_start) + 1
            else:
                end = brace_end(source, value_start, len(source))
            has_no_end = not end  # True then, so that the entry is parsed
            if has_no_end or _is_odd_list(source[value_start : end - 1]):
                return True
            next_start = end
        opening = _BEGINNING_OF_VALUE.search(source, next_start)
    return False


def _name_before(source: str, equals_sign: int) -> str:
    """The word before an equals sign on its line, in lower case; "" if there is none near."""
    furthest = max(equals_sign - _FIELD_NAME, 0)
    line_start = source.rfind("\n", furthest, equals_sign) + 1
    words = source[line_start or furthest : equals_sign].replace(",", " ").split()
    return words[-1].lower() if words else ""


def _is_odd_list(value: str) -> bool:
    """True if something in a list of names may be amiss: another separator, a number, an institution, an odd name."""
    names = " ".join(value.lower().split())
    if any(sign in names for sign in ";&=") or ("0" in names and re.search(r"\b0\d{3}\b", names)):
        return True
    if _INSTITUTION.search(value) or _ANOTHER_AND.search(value):
        return True
    return bool(names) and any(map(_is_odd, names.split(" and ")))


def _is_odd(name: str) -> bool:
    name = name.strip()
    if not name or name.startswith(_ODD_STARTS) or name.endswith(_ODD_ENDS):
        return True
    return name.count(",") >= _MOST_COMMAS or ",," in name


def _complain_of_list(field: str, value: str, value_start: int) -> Iterator[Complaint]:
    """Yield what is wrong with the names of the list `value`, which begins at `value_start` in its entry."""
    value_start += len(value) - len(value.lstrip())
    value = value.strip()
    shown = _hide_groups(value)
    ands = [match.span() for match in _AND.finditer(shown)]
    start = 0
    # Each name ends where an `and` begins, and the next one starts behind that; the last ends with the value, and is
    # not empty if there is an `and`, as that needs white space behind it and the value ends with none.
    for stop, next_start in [*ands, (len(value), 0)]:
        part = shown[start:stop]
        name = part.strip()
        if name:
            offset = start + len(part) - len(part.lstrip())
            span = Span(offset, offset + len(name))
            yield from _complain_of_name(field, name, span.within(value), span.moved(value_start))
        elif ands:  # nothing stands between two of them; a list that is empty has none
            and_before = Span(value_start + start - len("and"), value_start + start)
            removed = Span(value_start + stop, value_start + next_start)
            yield Complaint(
                field,
                and_before,
                "A name is empty",
                biber=_DROPPED,
                bibtex="BibTeX prints it as such" if field in _PRINTED_BY_BIBTEX else "",
                edits=((removed, ""),),
                title=_REMOVE,
                milder=True,  # a warning to all but biber, which alone loses the entry
            )
        start = next_start


def _hide_groups(value: str) -> str:
    """Return the value with NUL for every character in braces, and for these: `{A and B} and C`.

    So offsets stay, and no `and` or comma is found inside.  A brace without a partner hides nothing.
    """
    open_braces: list[int] = []
    groups: list[tuple[int, int]] = []  # the outermost ones so far
    for brace in _BRACE.finditer(value):
        if brace[0] == "{":
            open_braces.append(brace.start())
        elif open_braces:
            start = open_braces.pop()
            while groups and groups[-1][0] > start:  # which lie within this one
                groups.pop()
            groups.append((start, brace.end()))
    pieces = []
    last_end = 0
    for start, end in groups:
        pieces += [value[last_end:start], "\0" * (end - start)]
        last_end = end
    return "".join([*pieces, value[last_end:]])


def _complain_of_name(field: str, shown: str, name: str, span: Span) -> Iterator[Complaint]:
    """Yield what is wrong with one name at `span`: `shown` is the name with what stands in braces hidden by NUL.

    Of a name in parts (`family=…`), which biber reads, one with an `and` at an end, or an institution, nothing else is
    looked at; nor are commas and separators of one that begins and ends with a brace, which is taken for one group.
    """
    is_printed = field in _PRINTED_BY_BIBTEX
    if _LABELLED.search(name):
        if is_printed:
            yield Complaint(
                field, span, "BibTeX does not read names written in parts", bibtex="it prints this text as it is"
            )
        return
    and_at_an_end = _AND_AT_AN_END.search(shown)
    if and_at_an_end:
        place = Span(*and_at_an_end.span()).moved(span.start)
        yield Complaint(
            field,
            place,
            "There is no name on one side of this “and”",
            biber=_READ_AS_PART,
            bibtex=_READ_AS_PART if is_printed else "",
            edits=((place, ""),),
            title=_REMOVE,
        )
        return
    institution = _complain_of_institution(field, shown, name, span)
    is_in_braces = name[0] == "{" and name[-1] == "}"
    if institution:
        yield institution
    elif not is_in_braces:
        yield from _complain_of_commas(field, shown, name, span)
        # With more commas it was complained of already, and its semicolons with them.
        if shown.count(",") <= _MOST_COMMAS:
            yield from _complain_of_separators(field, shown, span)


def _complain_of_institution(field: str, shown: str, name: str, span: Span) -> Complaint | None:
    """Complain of an institution without braces: `World Health Organization` is printed `Organization, W. H.`

    None if the name is no institution's, or is read right.  `shown` is `name` with what stands in braces hidden by NUL.
    If people follow behind commas, the complaint is that `and` should stand there.  `span`: of the name in its entry.
    """
    if not _is_misread_institution(shown):
        return None
    parts = [part.strip() for part in shown.split(",")[1:]]
    # `U.S. Committee` has a person's form.
    if any(_PERSON.fullmatch(part) and not _INSTITUTION.search(part) for part in parts):
        return Complaint(
            field,
            span,
            "Separate names by “and”, not by commas",
            edits=tuple((Span(*comma.span()).moved(span.start), " and ") for comma in _COMMA.finditer(shown)),
            title=_SEPARATE,
            severity="warning",
            for_any_reader="all is read as one name",
        )
    # Behind a comma at its end an `and` follows that belongs to it: `Academies of Sciences, Engineering, and Medicine`.
    is_whole = bool(parts[-1]) if parts else True
    return Complaint(
        field,
        span,
        "An institution without braces is read as a person",
        edits=((span, f"{{{name}}}"),) if is_whole else (),
        title=_BRACE_IT if is_whole else "",
        severity="warning",
        for_any_reader="put braces around it",
    )


def _is_misread_institution(shown: str) -> bool:
    """True if a name without braces is an institution's, and is read as a person's; `shown` has NUL for braces."""
    # A first word in small letters is printed before the rest, as it should be: `the CMS Collaboration`.
    is_printed_whole = shown[:1].islower() and "," not in shown
    if "\0" in shown or is_printed_whole or not _INSTITUTION.search(shown):
        return False
    family, *behind_commas = shown.split(",")
    if len(family.split()) < 2:  # a family may be called so
        return False
    parts = [part.strip() for part in behind_commas]
    # `R Core Team,` is a family name whole, `Coq Development Team, The` is printed with its article first, and with
    # initials it is a person, whatever the family.
    return parts not in ([""], ["The"]) and not any(map(_INITIALS.fullmatch, parts))


def _complain_of_commas(field: str, shown: str, name: str, span: Span) -> Iterator[Complaint]:
    """Yield the first thing that is wrong with the commas of a name; the gravest are asked for first.

    `shown` is the name with what stands in braces hidden by NUL.  BibTeX minds only in fields that its styles print.
    `span`: of the name in its entry.
    """
    commas_outside = shown.count(",")
    is_printed = field in _PRINTED_BY_BIBTEX
    edits = _replace_commas(shown, span)
    if commas_outside > _MOST_COMMAS:
        yield _complain_of_many_commas(field, span, _replace_semicolons(shown, span) or edits)
    elif name.count(",") > _MOST_COMMAS:
        yield Complaint(field, span, "biber also counts commas in braces, and a name has at most two", biber=_DROPPED)
    elif ",," in shown:  # to BibTeX the name has an empty suffix, and prints as it should
        yield Complaint(field, span, "This name has two commas in a row", biber=_DROPPED)
    elif commas_outside == _MOST_COMMAS and edits and not _has_suffix(shown):  # one comma is right: `Le Roe, Ada B.`
        read_as_one = "all is read as one name"
        yield Complaint(
            field,
            span,
            "Separate names by “and”, not by commas",
            biber=read_as_one,
            bibtex=read_as_one if is_printed else "",
            edits=edits,
            title=_SEPARATE,
            severity="warning",
        )
    else:
        yield from _complain_of_comma_at_an_end(field, shown, span)


def _complain_of_many_commas(field: str, span: Span, edits: tuple[tuple[Span, str], ...]) -> Complaint:
    """Complain of more commas than a name has; `edits` write `and` between several names, () if it may be one."""
    return Complaint(
        field,
        span,
        "Separate names by “and”, not by commas" if edits else "A name has at most two commas",
        biber=_DROPPED,
        bibtex="BibTeX reports an error and misprints it" if field in _PRINTED_BY_BIBTEX else "",
        edits=edits,
        title=_SEPARATE if edits else "",
    )


def _complain_of_comma_at_an_end(field: str, shown: str, span: Span) -> Iterator[Complaint]:
    """Yield that nothing stands before the first comma of a name, or else behind the last, which only BibTeX minds."""
    is_printed = field in _PRINTED_BY_BIBTEX
    if shown.startswith(",") and shown.strip(", "):
        has_one_comma = shown.count(",") == 1
        yield Complaint(
            field,
            span,
            "There is no family name before the comma",
            biber="biber stops" if has_one_comma else "biber prints none",
            bibtex="BibTeX prints none" if is_printed else "",
            severity="usual" if has_one_comma else "warning",
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
    """True if a part between commas is nothing but a suffix, such as `Jr.`: then two commas are right.

    Asked where `_replace_commas` found names, so that no part is a single word.
    """
    return any(all(map(_SUFFIX.fullmatch, part.split())) for part in shown.split(","))


def _replace_commas(shown: str, span: Span) -> tuple[tuple[Span, str], ...]:
    """Return the edits that put `and` for the commas between names: `First Last, First Last` or `Last, F., Last, F.`

    () if the parts are neither whole names nor families and initials in turn.  `shown`: the name with what stands in
    braces hidden by NUL; `span`: of the name in its entry.
    """
    commas = [match.span() for match in _COMMA.finditer(shown)]
    pieces = [piece.strip() for piece in shown.split(",")]
    if all(len(piece.split()) > 1 and not _INITIALS.fullmatch(piece) for piece in pieces):
        between_names = commas
    elif len(pieces) % 2 == 0 and all(_INITIALS.fullmatch(piece) for piece in pieces[1::2]):
        between_names = commas[1::2]
    else:
        return ()
    return tuple((Span(*comma).moved(span.start), " and ") for comma in between_names)


def _replace_semicolons(shown: str, span: Span) -> tuple[tuple[Span, str], ...]:
    """Return the edits that put `and` for the semicolons of a name at `span`; () if one may end an entity of HTML."""
    if _ENTITY.search(shown):
        return ()
    edits = []
    for semicolon in _SEMICOLON.finditer(shown):
        ends_the_list = semicolon.end() == len(shown)
        edits.append((Span(*semicolon.span()).moved(span.start), "" if ends_the_list else " and "))
    return tuple(edits)


def _replace_foreign_and(shown: str, span: Span) -> tuple[tuple[Span, str], ...]:
    """Return the edits that write `and` for that of another language, and for commas before it: `A B, C D und E F`.

    () if there is none between two whole names: in Spanish, Catalan and Portuguese it may stand within a family's name,
    as in `José Ortega y Gasset` and `do Couto e Silva, E.`  `shown`: the name with what stands in braces hidden by NUL;
    `span`: of the name in its entry.
    """
    for another_and in _ANOTHER_AND.finditer(shown):
        before = shown[: another_and.start()]
        after = shown[another_and.end() :]
        words_after = after.split()
        are_whole_names = min(len(before.split()), len(words_after)) > 1
        is_one_family = "," not in before and _FAMILY_BEFORE_COMMA.match(after)  # `do Couto e Silva, E.`
        # A particle behind the first word goes on with a family's name: `Ana Roe y Doe de la Lee`.
        if are_whole_names and not is_one_family and words_after[1].lower() not in _PARTICLES:
            return (*_replace_commas(before, span), (Span(*another_and.span()).moved(span.start), " and "))
    return ()


def _complain_of_separators(field: str, shown: str, span: Span) -> Iterator[Complaint]:
    """Yield the first of these in a name: `;`, `&`, an `and` of another language, `et al.`, a number of DBLP's.

    People write them between names or at the end of a list, and programs read them as letters of one name.  Only
    authors and editors are looked at: in other fields, such as `shortauthor`, these signs may be right.  `shown`: the
    name with what stands in braces hidden by NUL; `span`: of the name in its entry.
    """
    if field not in _PRINTED_BY_BIBTEX:
        return
    semicolons = _replace_semicolons(shown, span)
    if semicolons:
        first_place, _ = semicolons[0]
        yield _complain_of_text(field, first_place, "“;” does not separate names", semicolons, _SEPARATE)
        return
    ampersands = tuple((Span(*match.span()).moved(span.start), " and ") for match in _AMPERSAND.finditer(shown))
    if ampersands:
        first_place, _ = ampersands[0]
        yield _complain_of_text(field, first_place, "“&” does not separate names", ampersands, _SEPARATE)
        return
    another_and = _replace_foreign_and(shown, span)
    if another_and:
        place, _ = another_and[-1]  # before it are commas
        word = place.moved(-span.start).within(shown).strip()
        yield _complain_of_text(field, place, f"Separate names by “and”, not by “{word}”", another_and, _SEPARATE)
        return
    et_al = _ET_AL.search(shown)
    if et_al:
        cut = Span(span.start + et_al.start(), span.end)
        others = " and others" if et_al.start() else "others"
        yield _complain_of_text(field, cut, "“et al.” is not a name", ((cut, others),), "Write “and others”")
        return
    number = _NUMBER_OF_DBLP.search(shown)
    if number:
        yield _complain_of_number(field, shown, number, span)


def _complain_of_text(
    field: str, place: Span, fault: str, edits: tuple[tuple[Span, str], ...], title: str
) -> Complaint:
    """Complain of what stands for no name, and is read as letters of one; `title` is that of the edits."""
    read_as_name = "it is read as part of one name"
    return Complaint(
        field, place, fault, biber=read_as_name, bibtex=read_as_name, edits=edits, title=title, severity="warning"
    )


def _complain_of_number(field: str, shown: str, number: re.Match[str], span: Span) -> Complaint:
    """Complain of a number by which DBLP tells namesakes apart, in the name at `span`."""
    printed = "it is printed with the name"
    return Complaint(
        field,
        Span(*number.span()).moved(span.start),
        f"DBLP tells namesakes apart by numbers such as {number[0]}",
        biber=printed,
        bibtex=printed,
        edits=_remove_number(shown, number, span),
        title="Remove the number",
        severity="warning",
    )


def _remove_number(shown: str, number: re.Match[str], span: Span) -> tuple[tuple[Span, str], ...]:
    """Return the edit that removes the number and the space before it; of `0001, Ada` the comma goes, too."""
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
    facts=lambda *_: [_complain_of_names],
)
