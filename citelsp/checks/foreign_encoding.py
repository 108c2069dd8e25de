r"""A bibliography that is no UTF-8: biber refuses it unless the manuscript names another encoding.

BibTeX passes single bytes on, whatever they mean, and finds no entry in UTF-16, where every letter is two.  Typst
refuses every file that is no UTF-8, pandoc at least a bibliography in UTF-16.
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
# What names an encoding other than UTF-8 in a manuscript: biber then reads the bibliography by that one.
_NAMES_ENCODING = re.compile(
    r"bibencoding|\\inputencoding|\{(?:luainputenc|selinput)\}|\[(?!utf8)[^\[\]\n]*\]\s*\{inputenc\}"
)
_LONGEST_MARK = 80  # characters of the first line that are underlined


def check(project: Project, _: Knowledge) -> list[Finding]:
    """One finding at the start of each file that the program that reads it cannot read.

    Of LaTeX only .bib files are looked at, of pandoc all bibliographies, of Typst manuscripts, too.
    """
    findings = []
    is_typst = project.reader == "typst"
    sources = dict.fromkeys((*project.parts, *project.defining)) if is_typst else project.defining
    for source in sources:
        is_looked_at = project.reader in ("typst", "pandoc") or isinstance(source.syntax.entries, BibEntries)
        if source.encoding in _UTF8 or not is_looked_at:
            continue
        message = _say_why_unreadable(project, source.encoding)
        if message:
            findings.append(_make_finding(source, message))
    return findings


def _say_why_unreadable(project: Project, encoding: str) -> str:
    """Why a file in this encoding cannot be read by the program that reads the project's; "" if it can."""
    # No reader known ("") means BibTeX or biber, and neither reads UTF-16.
    if encoding == "utf-16" and project.reader in ("biber", "bibtex", ""):
        return "This file is UTF-16, so BibTeX and biber find no entries in it. Save it as UTF-8."
    if project.reader == "typst":
        return f"This file is not UTF-8 but seems to be {encoding}, which Typst cannot read. Save it as UTF-8."
    if encoding == "utf-16" and project.reader == "pandoc":
        return "This file is UTF-16, which pandoc cannot read. Save it as UTF-8."
    # BibTeX passes single bytes on, so of the other encodings only biber complains, unless it is told which.
    if project.reader == "biber" and not any(_NAMES_ENCODING.search(part.document.text) for part in project.parts):
        return f"This file is not UTF-8 but seems to be {encoding}, which biber cannot read. Save it as UTF-8."
    return ""


def _make_finding(source: Source, message: str) -> Finding:
    """At the first line of the file, of which at least one character is marked."""
    first_line = source.document.text.partition("\n")[0]
    end = max(1, min(len(first_line), _LONGEST_MARK))
    return Finding(CODE, source.document.path, Span(0, end), message)


CHECK = Check(
    CODE,
    "error",
    "The bibliography is not saved as UTF-8, so the program that should read it cannot.",
    check,
    needs="project",
)
