r"""A bibliography that is no UTF-8: biber refuses it unless the manuscript names another encoding.

BibTeX passes single bytes on, whatever they mean, and finds no entry in UTF-16, where every letter is two.
"""

import re

from citelsp.base.text import Span
from citelsp.checks.finding import Check, Finding
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "foreign-encoding"
_UTF8 = frozenset({"utf-8", "utf-8-sig", "ascii"})
_OTHER = re.compile(r"bibencoding|\\inputencoding|\{(?:luainputenc|selinput)\}|\[(?!utf8)[^\[\]\n]*\]\s*\{inputenc\}")
_MOST = 80  # characters that are marked


def check(project: Project, _: Knowledge) -> list[Finding]:
    odd = [it for it in project.defining if it.encoding not in _UTF8 and isinstance(it.syntax.entries, BibEntries)]
    return [_finding(it, message) for it in odd if (message := _message(project, it.encoding))]


def _message(project: Project, encoding: str) -> str:
    if encoding == "utf-16" and project.reader in ("biber", "bibtex", ""):
        return "This file is UTF-16, so BibTeX and biber find no entries in it. Save it as UTF-8."
    if project.reader == "biber" and not any(_OTHER.search(it.document.text) for it in project.parts):
        return f"This file is not UTF-8 but seems to be {encoding}, which biber cannot read. Save it as UTF-8."
    return ""


def _finding(source: Source, message: str) -> Finding:
    first = source.document.text.partition("\n")[0]
    return Finding(CODE, source.document.path, Span(0, max(1, min(len(first), _MOST))), message)


CHECK = Check(
    CODE, "error", "The bibliography is not saved as UTF-8, so BibTeX or biber cannot read it.", check, needs="project"
)
