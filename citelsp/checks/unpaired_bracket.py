"""A bracket in a title that has no partner, as after a cut or a slip of the pen."""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, fields_of, findings
from citelsp.checks.finding import Check, Finding
from citelsp.checks.printed_fields import TITLES
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Project

CODE = "unpaired-bracket"
_MAY_HOLD = re.compile(r"[()\[\]]")
# Formulas, and commands with their options: `$f(x$`, `\cite[p. 3]`
_FORMULA_OR_COMMAND = re.compile(
    r"\$[^$]*+\$|\\\(.{0,500}?\\\)|\\\[.{0,500}?\\\]|\\[A-Za-z]++(?:\[[^\[\]]*+\])?|\\.", re.DOTALL
)
# `:-)`, and intervals: `[0,1)`
_SMILEY_OR_INTERVAL = re.compile(r"[:;]-?[()]|[\[(][^\[\]()]{0,20},[^\[\]()]{0,20}[)\]]")
_NUMBER_BEFORE_PARENTHESIS = re.compile(
    r"(?:^|\s)(?:\w|[ivx]{1,4}|\d{1,3})\Z"
)  # before the parenthesis of `a)` and `1)`
_CLOSING = {"(": ")", "[": "]"}


def check(project: Project, _: Knowledge) -> list[Finding]:
    return findings(project, CODE, _complain_of_brackets)


def _complain_of_brackets(node: BibNode) -> tuple[Complaint, ...]:
    if not _MAY_HOLD.search(node.source, node.key_span.end):
        return ()
    complaints: list[Complaint] = []
    for field, value, value_start in fields_of(node, TITLES):
        complaints += _complain_of_value(field.name, value, value_start)
    return tuple(complaints)


def _complain_of_value(field: str, value: str, value_start: int) -> Iterator[Complaint]:
    """Complain of one bracket without a partner: the first closing one, else the last that stays open.

    Not of those in `a)`, in smileys, in intervals (`[0,1)`), in formulas, and in the options of commands.
    """
    text = _SMILEY_OR_INTERVAL.sub(_blank_out, _FORMULA_OR_COMMAND.sub(_blank_out, value))
    open_brackets: list[re.Match[str]] = []
    for bracket in _MAY_HOLD.finditer(text):
        if bracket[0] in _CLOSING:
            open_brackets.append(bracket)
            continue
        opening = open_brackets.pop() if open_brackets else None
        closes_number = (
            opening is None and bracket[0] == ")" and _NUMBER_BEFORE_PARENTHESIS.search(text, 0, bracket.start())
        )
        if closes_number:
            continue
        if opening is None or _CLOSING[opening[0]] != bracket[0]:
            yield _make_complaint(field, bracket, value_start)
            return
    if open_brackets:
        yield _make_complaint(field, open_brackets[-1], value_start)


def _make_complaint(field: str, bracket: re.Match[str], value_start: int) -> Complaint:
    span = Span(*bracket.span()).moved(value_start)
    fault = f"“{bracket[0]}” in the {field} has no partner"
    return Complaint(field, span, fault, for_any_reader="something may be missing")


def _blank_out(found: re.Match[str]) -> str:
    return " " * len(found[0])


CHECK = Check(
    CODE,
    "hint",
    "A parenthesis or a square bracket in a title has no partner.",
    check,
    needs="project",
    facts=lambda *_: [_complain_of_brackets],
)
