"""An acronym in a title that a style of BibTeX prints in small letters.

`"t" change.case$` leaves the first letter of a title, the first behind a colon, and what stands in braces; the styles
below do so with the titles of papers, not of books.
"""

import re
from collections.abc import Iterator

from citelsp.base.text import Span
from citelsp.checks.complaints import Complaint, findings, hide_match, plain
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace import bibtex_style
from citelsp.workspace.project import Project

CODE = "unprotected-capitals"
_STYLES = frozenset(  # tried, or read in the styles of TeX Live
    """plain abbrv alpha unsrt acm ieeetr siam apalike plainnat abbrvnat unsrtnat splncs04 elsarticle-num
    elsarticle-harv amsplain amsalpha chicago agsm plainurl alphaurl unsrturl abbrvurl naturemag vancouver apsrev4-1
    apsrev4-2""".split()
)
_TYPES = frozenset("article inproceedings conference incollection techreport misc unpublished".split())
_BRACED = re.compile(r"\{[^{}]*\}")
_COMMAND_OR_FORMULA = re.compile(r"\\(?:[A-Za-z]+|.)|\$[^$]*\$", re.DOTALL)
_WORD = re.compile(r"[^\W_]+(?:[-/'’][^\W_]+)*")
# A capital behind the first letter of a word: `GPU`, `iPhone`
_INNER_CAPITAL = re.compile(r"(?<=[^\W_])[A-Z]")
_COLON = re.compile(r":\s+\Z")


def check(project: Project, _: Knowledge) -> list[Finding]:
    styles = bibtex_style.find_named(project)
    if project.reader != "bibtex" or not styles or not styles <= _STYLES:
        return []
    return findings(project, CODE, _complain_of_capitals)


def _complain_of_capitals(node: BibNode) -> tuple[Complaint, ...]:
    if node.kind not in _TYPES:
        return ()
    found: list[Complaint] = []
    for field, value, start in plain(node, node.source):
        if field.name == "title":
            found += _complain_of_title(value, start)
    return tuple(found)


def _complain_of_title(title: str, value_start: int) -> Iterator[Complaint]:
    """Complain once of all words of a title that a style changes: `GPU` in `A GPU for {DNA}`.

    Nothing if most words are in capitals, as the whole title is then written so.
    """
    words = list(_WORD.finditer(_COMMAND_OR_FORMULA.sub(hide_match, _hide_groups(title))))
    in_capitals = sum(word[0].isupper() for word in words)
    if in_capitals * 2 > len(words):  # the whole title is written so
        return
    changed = [Span(*word.span()) for word in words if _INNER_CAPITAL.search(word[0])]
    if not changed:
        return
    first = changed[0].within(title)
    fault = f"“{first}” is not in braces"
    if len(changed) > 1:
        fault = f"“{first}” and {len(changed) - 1} more are not in braces"
    yield Complaint(
        "title",
        changed[0].moved(value_start),
        fault,
        bibtex=f"the style prints “{_print_word(title, changed[0])}”",
        edits=tuple((span.moved(value_start), f"{{{span.within(title)}}}") for span in changed),
        title="Put the capitals in braces",
        safety="safe",
    )


def _hide_groups(title: str) -> str:
    """The title with NUL for what stands in braces, from the innermost outwards."""
    hidden = _BRACED.sub(hide_match, title)
    while hidden != title:
        title = hidden
        hidden = _BRACED.sub(hide_match, title)
    return hidden


def _print_word(title: str, word: Span) -> str:
    """A word as the style prints it: `Gpu` at the beginning of a title and behind a colon, else `gpu`."""
    written = word.within(title)
    before = title[: word.start]
    is_first = not before.strip() or _COLON.search(before)
    return written[0] + written[1:].lower() if is_first else written.lower()


CHECK = Check(
    CODE,
    "hint",
    "Your BibTeX style will print an acronym in a title in lower case, because it is not in braces.",
    check,
    needs="project",
    facts=lambda project, _: [_complain_of_capitals] if project.reader == "bibtex" else [],
)
