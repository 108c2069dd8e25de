r"""A character that TeX takes for a command: `%` cuts off the rest of the line, `&`, `_`, `#` stop it.

biber writes every field of the data model into its .bbl, printed or not, as an argument: there `%` swallows the closing
brace and `#` is an illegal parameter, in the argument of \url too.  BibTeX writes what the style prints, on lines.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from citelsp.base.text import Span
from citelsp.checks import foreign_markup
from citelsp.checks.complaints import Complaint, findings, hide_match, is_left_out, plain
from citelsp.checks.finding import Check, Finding, Safety, Severity
from citelsp.checks.printed_fields import BY_BIBLATEX, BY_BIBTEX, CERTAIN, NAMES
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.syntax.bibtex.fields import brace_end
from citelsp.workspace.project import Project

CODE = "unescaped-character"
_WRITTEN_BY_BIBER = BY_BIBLATEX | frozenset(
    """abstract afterword annotation annotator annote chapter commentator editora editorb editorc eid eprintclass
    eprinttype eventtitleaddon foreword holder indextitle introduction isan isbn ismn isrn issn issue issuesubtitle
    issuetitleaddon iswc journaltitleaddon keywords label language library lista listb listc listd liste listf
    maintitleaddon month namea nameaddon nameb namec origlanguage origlocation origpublisher origtitle pagetotal part
    relatedstring reprinttitle shortauthor shorteditor shorthand shorthandintro shortjournal shortseries shorttitle type
    usera userb userc userd usere userf volumes year""".split()
)
_VERBATIM = frozenset(  # or not printed
    """url doi eprint file pdf local-url crossref xref xdata entryset ids related tags biburl bibsource adsurl
    bdsk-url-1 bdsk-url-2 bdsk-file-1 archiveprefix""".split()
)
_SPECIAL = re.compile(r"[%&#_^$]")
_LAST_ON_LINE = re.compile(r"%(?=[ \t]*+\r?\n)")
_COMMENT_LINE = re.compile(r"(?<=\n)[ \t]*+%[^\n]*+(?:\n|\Z)")
_ESCAPED = re.compile(r"\\[^A-Za-z]", re.DOTALL)
# A formula or verbatim text, by what opens it, an environment, or an escaped character.
_FORMULA = re.compile(
    r"\\[(\[]|\\verb\*?(?P<mark>[!-)+-@\[-`{-~])|(?P<rest>\\begin\s*+\{)|\\[^A-Za-z]|\$\$?", re.DOTALL
)
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$"}
_DOLLAR = re.compile(r"\$|\\.", re.DOTALL)
# `\command[option]`, before the brace of its argument
_ARGUMENT = re.compile(r"\\([A-Za-z]+)\*?\s*+(?:\[[^\[\]]*+\]\s*+){0,9}(?=\{)")
_MOST_ESCAPED = 50  # signs in one value; of more there is no fix, as they are no slips
_ESCAPED_BY_BACKSLASH = "%#&_"  # signs that a fix writes with a backslash
_TEXT_COMMANDS = frozenset(  # whose argument is plain text
    "emph textit textbf textrm textsf texttt textsc textsl textmd textup enquote mkbibquote mkbibemph uppercase".split()
)


class _Cutting(NamedTuple):
    """What follows for the readers of a field from a sign that spoils more than the field."""

    biber: str
    bibtex: str


_CUTTING_SIGNS = {
    "%": _Cutting(
        biber="LaTeX does not find the end of the field after it",
        bibtex="LaTeX takes the rest of the line as a comment",
    ),
    "#": _Cutting(biber="LaTeX rejects the field", bibtex="LaTeX omits it and reports an error"),
}
_LATEX_STOPS = "LaTeX stops there if the field is printed"


class _Places(NamedTuple):
    """Where one sign stands in a value; spans count from the entry's start."""

    field: str
    sign: str
    in_text: tuple[Span, ...]  # the first ones that are plain text; none if all stand in formulas
    at_line_ends: frozenset[Span] = frozenset()  # those of them that end a line, as a comment of TeX does
    comment_lines: tuple[Span, ...] = ()  # lines that begin with one, so that their words are not to be printed

    @property
    def outside_comment_lines(self) -> list[Span]:
        """Those in plain text that stand in none of these lines."""
        lines = self.comment_lines
        return [it for it in self.in_text if not any(line.start <= it.start < line.end for line in lines)]


def check(project: Project, _: Knowledge) -> list[Finding]:
    allowed = "_" if _prints_underscores(project) else ""
    amiss = [finding for finding in findings(project, CODE, _complain_of_characters) if finding.cited != allowed]
    return [finding for finding in amiss if not is_left_out(project, finding)]


def _prints_underscores(project: Project) -> bool:
    """True if the manuscript loads a package that makes `_` a letter in text."""
    links = (link for source in project.parts for link in source.syntax.links)
    return any(link.kind == "package" and link.target == "underscore.sty" for link in links)


def _complain_of_characters(node: BibNode) -> tuple[Complaint, ...]:
    source = node.source
    if not _may_be_amiss(source, node.key_span.end):
        return ()
    found: list[Complaint] = []
    for field, value, start in plain(node, source):
        if field.name in _WRITTEN_BY_BIBER:
            found += _complain_of_value(field.name, value, start)
    return tuple(found)


def _may_be_amiss(source: str, start: int) -> bool:
    """True if a sign may be amiss from `start` on: a quick look, without parsing, which most entries pass.

    It passes over escaped signs, and over lines of a verbatim field, as the addresses that most entries hold.
    """
    known_until = -1  # the end of a line that is of no verbatim field
    while match := _SPECIAL.search(source, start):
        sign = match.start()
        if sign > known_until:
            newline = source.find("\n", sign)
            line_end = newline if newline >= 0 else len(source)
            if _begins_verbatim_line(source, sign):
                start = line_end  # the rest of the line is the same field's
                continue
            known_until = line_end
        is_escaped = source[sign - 1] == "\\" and source[sign - 2] != "\\"  # `\\%` is a line break and a bare sign
        if not is_escaped:
            return True
        start = match.end()
    return False


def _begins_verbatim_line(source: str, sign: int) -> bool:
    """True if the line of a sign begins with the name of a verbatim field and `=`, before the sign."""
    line_start = source.rfind("\n", 0, sign) + 1
    name_end = max(source.find("=", line_start, sign), line_start)
    return source[line_start:name_end].strip().lower() in _VERBATIM


def _complain_of_value(field: str, value: str, value_start: int) -> Iterator[Complaint]:
    """Complain once of each sign that is amiss in a value: of `%` and `#`, then of those that stop LaTeX (`&_^$`).

    The first two, which cut the field or spoil it whole, are amiss in formulas and arguments, too; the others only in
    plain text.  Escaped signs are right.  BibTeX is said to mind the first two only in plain text of fields that every
    style prints, the others in fields that its styles may print.
    """
    if not _SPECIAL.search(value):
        return
    value = foreign_markup.ENTITY.sub(_hide_entity, value)
    text = _hide_non_text(value)
    unescaped = _ESCAPED.sub(hide_match, value)
    for sign, cutting in _CUTTING_SIGNS.items():
        # Also in formulas and arguments, which biber's argument holds as well.
        first = unescaped.find(sign)
        if first >= 0:
            places = _find_cutting(field, sign, text, value_start)
            # An error has to be certain: only some of the fields in BY_BIBTEX are printed by every style.
            bibtex = cutting.bibtex if places.in_text and field in CERTAIN else ""
            place = Span(first, first + 1).moved(value_start)
            yield _make_complaint(places, place, cutting.biber, bibtex, severity="error")
    if field not in BY_BIBLATEX:  # biber writes it, but no style prints it as text: other signs do no harm
        return
    for sign in "&_^$":
        matches: Iterable[re.Match[str]] = re.finditer(re.escape(sign), text)
        if field in NAMES and sign == "&":  # alone between names it is another check's
            matches = (match for match in matches if not _stands_alone(value, match))
        spans = _take_spans(matches, value_start)
        if spans:
            bibtex = _LATEX_STOPS if field in BY_BIBTEX else ""
            yield _make_complaint(_Places(field, sign, spans), spans[0], biber=_LATEX_STOPS, bibtex=bibtex)


def _find_cutting(field: str, sign: str, text: str, value_start: int) -> _Places:
    """Find `%` or `#` in plain text; of `%` also those that end a line, and lines that begin with one."""
    spans = _take_spans(re.finditer(sign, text), value_start)
    if sign != "%" or "\n" not in text:
        return _Places(field, sign, spans)
    ending = frozenset(_take_spans(_LAST_ON_LINE.finditer(text), value_start))
    return _Places(field, sign, spans, ending, _take_spans(_COMMENT_LINE.finditer(text), value_start))


def _take_spans(matches: Iterable[re.Match[str]], value_start: int) -> tuple[Span, ...]:
    """Return the spans of the first matches, from the entry's start; one more than a fix may have, to tell too many."""
    return tuple(Span(*it.span()).moved(value_start) for it in islice(matches, _MOST_ESCAPED + 1))


def _hide_non_text(value: str) -> str:
    r"""Return the value with NUL for what is no plain text: formulas, escapes as `\%`, arguments as of `\url{…}`.

    Arguments of text commands, as of `\emph{…}`, are plain text.
    """
    text = _hide_formulas(value)
    pieces: list[str] = []
    last_end = 0
    for command in _ARGUMENT.finditer(text):
        end = command.end()
        # A command may have several arguments; one inside an argument that is hidden is hidden with it.
        while command[1] not in _TEXT_COMMANDS and end >= last_end and text[end : end + 1] == "{":
            close = brace_end(text, end + 1, len(text)) or len(text)
            pieces += [text[last_end:end], "\0" * (close - end)]
            last_end = end = close
    return "".join([*pieces, text[last_end:]])


def _hide_formulas(value: str) -> str:
    r"""Return the value with NUL for formulas, `\verb|…|`, escaped characters, and all that follows `\begin{`."""
    pieces: list[str] = []
    offset = 0
    last_places: dict[str, int] = {}
    while opening := _FORMULA.search(value, offset):
        start, end = _find_formula(value, opening, last_places)
        pieces += [value[offset:start], "\0" * (end - start)]
        offset = end
    return "".join([*pieces, value[offset:]])


def _find_formula(value: str, opening: re.Match[str], last_places: dict[str, int]) -> Span:
    r"""Return where the formula or verbatim text stands that `opening` (a match of _FORMULA) opens.

    Of one that nothing closes, and of an escaped character, it is the opening alone.  Of a lone `$` it is an empty span
    behind it, so that it stays, to be complained of; so it is of a `\verb` without its end, before its mark.
    `last_places` remembers where each closing stands last: behind that nobody searches again, as there may be thousands
    to close.
    """
    start, end = opening.span()
    if opening["rest"]:  # \begin{…}
        return Span(start, len(value))
    if opening[0] == "$":
        closing_end = _find_dollar(value, end)
        return Span(start, closing_end) if closing_end else Span(end, end)
    closing = opening["mark"] or _CLOSING.get(opening[0], "")
    if closing and closing not in last_places:
        last_places[closing] = value.rfind(closing)
    if closing and last_places[closing] >= end:
        return Span(start, value.index(closing, end) + len(closing))
    if opening["mark"]:  # \verb without its end, whose mark may be a sign that is amiss
        return Span(opening.start("mark"), opening.start("mark"))
    return Span(start, end)


def _find_dollar(value: str, start: int) -> int:
    r"""The end of the next `$` that is no `\$`; 0 if there is none."""
    return next((match.end() for match in _DOLLAR.finditer(value, start) if match[0] == "$"), 0)


def _hide_entity(found: re.Match[str]) -> str:
    """Hide an entity of HTML, which is another check's; leave alone what only looks like one."""
    return hide_match(found) if foreign_markup.is_entity(found) else found[0]


def _stands_alone(value: str, sign: re.Match[str]) -> bool:
    """True for a sign between two spaces, as `&` between names, of which another check complains."""
    before = value[max(sign.start() - 1, 0) : sign.start()]
    after = value[sign.end() : sign.end() + 1]
    return before.isspace() and after.isspace()


def _make_complaint(places: _Places, first: Span, biber: str, bibtex: str, severity: Severity = "usual") -> Complaint:
    """Complain of all places of a sign at once, shown at `first`, which may stand in a formula, with their edits.

    `biber`, `bibtex`: what each does then; "" if it does not mind.
    """
    sign = places.sign
    edits = _list_edits(places)
    # True if each place in plain text ends its line or stands in a line that begins with the sign: a comment was meant.
    are_comments = bool(places.in_text) and places.at_line_ends.issuperset(places.outside_comment_lines)
    if are_comments:
        fault = "“%” begins no comment in a value"
        title = "Remove the comment" if places.comment_lines else "Remove “%”"
    else:
        fault = "A formula is not closed" if sign == "$" else f"“{sign}” needs a backslash"
        title = f"Write \\{sign}"
    # Somebody wrote these words: whether they may go is for people to say.
    safety: Safety = "review" if places.comment_lines else "safe"
    title_of_fix = title if edits else ""
    return Complaint(
        places.field,
        first,
        fault,
        biber=biber,
        bibtex=bibtex,
        edits=tuple(edits),
        title=title_of_fix,
        safety=safety,
        severity=severity,
    )


def _list_edits(places: _Places) -> list[tuple[Span, str]]:
    r"""Return the edits that mend the places of a sign in plain text.

    A `%` that ends a line is removed, as is a whole line that begins with one; all other signs get a backslash.  [] for
    `^` and `$`, as `\^` is an accent and a formula may be meant, and for more than _MOST_ESCAPED, which are no slips.
    """
    if places.sign not in _ESCAPED_BY_BACKSLASH or len(places.in_text) > _MOST_ESCAPED:
        return []
    edits = [(line, "") for line in places.comment_lines]
    edits += [(it, "" if it in places.at_line_ends else f"\\{places.sign}") for it in places.outside_comment_lines]
    return sorted(edits)


CHECK = Check(
    CODE,
    "warning",
    "A `%`, `#`, `&`, `_`, `^` or single `$` in a field that LaTeX reads as a command. It is an error if it "
    "spoils the whole list.",
    check,
    needs="project",
    facts=lambda *_: [_complain_of_characters],
)
