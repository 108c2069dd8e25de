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
_FORMULA = re.compile(
    r"\\[(\[]|\\verb\*?(?P<mark>[!-)+-@\[-`{-~])|(?P<rest>\\begin\s*+\{)|\\[^A-Za-z]|\$\$?", re.DOTALL
)
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$"}
_DOLLAR = re.compile(r"\$|\\.", re.DOTALL)
_ARGUMENT = re.compile(r"\\([A-Za-z]+)\*?\s*+(?:\[[^\[\]]*+\]\s*+){0,9}(?=\{)")
_ESCAPABLE = 50  # signs in one value; of more there is no fix, as they are no slips
_TEXT = frozenset(
    "emph textit textbf textrm textsf texttt textsc textsl textmd textup enquote mkbibquote mkbibemph uppercase".split()
)
_CUTTING = {
    "%": ("LaTeX does not find the end of the field after it", "LaTeX takes the rest of the line as a comment"),
    "#": ("LaTeX rejects the field", "LaTeX omits it and reports an error"),
}
_STOPPING = "LaTeX stops there if the field is printed"


class _Places(NamedTuple):
    field: str
    sign: str
    spans: tuple[Span, ...]  # the first, from the entry's start; where the sign stands in plain text
    ending: frozenset[Span] = frozenset()  # those of them that end a line, as a comment of TeX does
    lines: tuple[Span, ...] = ()  # that begin with one, so that their words are not to be printed


def check(project: Project, _: Knowledge) -> list[Finding]:
    allowed = "_" if _prints_underscores(project) else ""
    found = (it for it in findings(project, CODE, _characters) if it.cited != allowed)
    return [it for it in found if not is_left_out(project, it)]


def _prints_underscores(project: Project) -> bool:
    packages = (link.target for it in project.parts for link in it.syntax.links if link.kind == "package")
    return "underscore.sty" in packages


def _characters(node: BibNode) -> tuple[Complaint, ...]:
    source = node.source
    if not _may_hold(source, node.key_span.end):
        return ()
    written = (it for it in plain(node, source) if it[0].name in _WRITTEN_BY_BIBER)
    return tuple(complaint for field, value, at in written for complaint in _of_value(field.name, value, at))


def _may_hold(source: str, start: int) -> bool:
    """A quick look, which passes over the addresses that most entries hold, each on a line of its own."""
    looked, passed = 0, False  # up to where for the beginning of a line; whether that one is passed over
    while found := _SPECIAL.search(source, start):
        if not looked or source.find("\n", looked, found.start()) >= 0:
            line = source.rfind("\n", 0, found.start()) + 1
            passed = source[line : max(source.find("=", line, found.start()), line)].strip().lower() in _VERBATIM
        looked = found.start()
        if passed:
            start = source.find("\n", found.end())
            if start < 0:
                return False
        elif source[found.start() - 1] != "\\" or source[found.start() - 2] == "\\":
            return True
        else:
            start = found.end()
    return False


def _of_value(field: str, value: str, at: int) -> Iterator[Complaint]:
    if not _SPECIAL.search(value):
        return
    value = foreign_markup.ENTITY.sub(_without_entity, value)
    text, raw = _text(value), _ESCAPED.sub(hide_match, value)
    for sign, (biber, bibtex) in _CUTTING.items():
        places = _Places(field, sign, _spans(re.finditer(sign, text), at))
        if sign == "%" and "\n" in text:
            ending, lines = (_spans(it.finditer(text), at) for it in (_LAST_ON_LINE, _COMMENT_LINE))
            places = places._replace(ending=frozenset(ending), lines=lines)
        if (first := raw.find(sign)) >= 0:
            bibtex = bibtex if places.spans and field in CERTAIN else ""
            yield _complaint(places, Span(first, first + 1).moved(at), biber, bibtex, "error")
    for sign in "&_^$" if field in BY_BIBLATEX else "":
        found = re.finditer(re.escape(sign), text)
        alone = field in NAMES and sign == "&"
        if spans := _spans((it for it in found if not (alone and _stands_alone(value, it))), at):
            bibtex = _STOPPING if field in BY_BIBTEX else ""
            yield _complaint(_Places(field, sign, spans), spans[0], _STOPPING, bibtex)


def _spans(found: Iterable[re.Match[str]], at: int) -> tuple[Span, ...]:
    return tuple(Span(*it.span()).moved(at) for it in islice(found, _ESCAPABLE + 1))


def _text(value: str) -> str:
    """The value with NUL for what is no plain text: escapes, formulas, arguments of other than text commands."""
    text = _without_formulas(value)
    shown, last = [], 0
    for command in _ARGUMENT.finditer(text):
        end = command.end()
        while command[1] not in _TEXT and end >= last and text[end : end + 1] == "{":
            close = brace_end(text, end + 1, len(text)) or len(text)
            shown += [text[last:end], "\0" * (close - end)]
            last = end = close
    return "".join([*shown, text[last:]])


def _without_formulas(value: str) -> str:
    shown, offset = [], 0
    lasts: dict[str, int] = {}  # where what closes a formula stands for the last time
    while found := _FORMULA.search(value, offset):
        start, end = found.span()
        closing = found["mark"] or _CLOSING.get(found[0], "")
        if closing and closing not in lasts:
            lasts[closing] = value.rfind(closing)
        if found["rest"]:
            end = len(value)
        elif found[0] == "$":
            end = next((it.end() for it in _DOLLAR.finditer(value, end) if it[0] == "$"), 0) or end
            start = start if end > start + 1 else end
        elif closing and lasts[closing] >= end:
            end = value.index(closing, end) + len(closing)
        elif found["mark"]:
            start = end = found.start("mark")
        shown += [value[offset:start], "\0" * (end - start)]
        offset = end
    return "".join([*shown, value[offset:]])


def _without_entity(found: re.Match[str]) -> str:
    """HTML's entities are another check's."""
    return hide_match(found) if foreign_markup.is_entity(found) else found[0]


def _stands_alone(value: str, sign: re.Match[str]) -> bool:
    """Between names, where another check speaks of it."""
    before, after = value[max(sign.start() - 1, 0) : sign.start()], value[sign.end() : sign.end() + 1]
    return before.isspace() and after.isspace()


def _complaint(places: _Places, first: Span, biber: str, bibtex: str, severity: Severity = "usual") -> Complaint:
    field, sign, spans, ending, lines = places
    others = [it for it in spans if not any(line.start <= it.start < line.end for line in lines)]
    written = [*((it, "") for it in lines), *((it, "" if it in ending else f"\\{sign}") for it in others)]
    edits = tuple(sorted(written)) if sign in "%#&_" and len(spans) <= _ESCAPABLE else ()
    title = f"Write \\{sign}" if edits else ""
    fault = "A formula is not closed" if sign == "$" else f"“{sign}” needs a backslash"
    if spans and ending.issuperset(others):
        title, fault = "Remove the comment" if lines else "Remove “%”", "“%” begins no comment in a value"
    # Somebody wrote these words: whether they may go is for people to say.
    safety: Safety = "review" if lines else "safe"
    return Complaint(field, first, fault, biber, bibtex, edits, title, safety, severity=severity)


CHECK = Check(
    CODE,
    "warning",
    "A `%`, `#`, `&`, `_`, `^` or single `$` in a field that LaTeX reads as a command. It is an error if it "
    "spoils the whole list.",
    check,
    needs="project",
    facts=lambda *_: [_characters],
)
