"""*Ignore this finding here*: the comment that silences a finding, written where its language reads one."""

import re

from citelsp import syntax
from citelsp.base.text import Document, Edit, Span
from citelsp.checks.finding import Finding
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

_HEADING_OR_ROW = re.compile(r"\s*(?:#+ |\*+ |\|)")  # in Markdown and Org
_OF_LATEX = re.compile(r"\s*#\+\w*(?:latex|beamer)\w*:", re.IGNORECASE)  # Org hands the line on, comments included
_PERCENT = "% "  # BibTeX takes what stands between entries for a comment


def edit(project: Project, finding: Finding) -> Edit | None:
    """Return the edit that silences a finding by a comment; None if none can stand there, or the file is read-only.

    If a comment covers the place already and names codes, `citelsp: ignore[…]`, it gets one more code.
    """
    source = project.sources.get(finding.path)
    if source is None or not source.writable:
        return None
    text = source.document.text
    for comment in source.syntax.suppressions:
        # One without codes silences every finding: where it holds, there is none to ignore.
        if comment.codes and comment.covers.touches(finding.span.start):
            bracket = text.find("]", comment.span.start, comment.span.end)
            return Edit(finding.path, Span(bracket, bracket), f", {finding.code}") if bracket >= 0 else None
    if source.language.bibliography:
        return _above_entry(source, finding)
    return _beside_citation(project, source, finding)


def _above_entry(source: Source, finding: Finding) -> Edit | None:
    """Return the edit that puts a comment above the entry of a .bib, as BibTeX has no comments inside entries.

    None if something else stands before the entry on its line, or if the finding is in no entry of a .bib.
    """
    entries = source.syntax.entries
    index = entries.entry_at(finding.span.start) if entries and source.language.by_field else None
    if entries is None or index is None:
        return None
    text = source.document.text
    start = entries.start(index)
    line_start = text.rfind("\n", 0, start) + 1
    before_entry = text[line_start:start]
    if before_entry.strip():
        return None
    comment = f"{before_entry}{_PERCENT}{_write_comment(finding)}{_choose_line_break(text)}"
    return Edit(finding.path, Span(line_start, line_start), comment)


def _beside_citation(project: Project, source: Source, finding: Finding) -> Edit | None:
    """Return the edit that puts a comment at the end of the line of a citation or placeholder, or else above the line.

    Each place is tried on the line alone, as LaTeX reads no comment in a verbatim one; a line that Org hands on to
    LaTeX has it above.  None if the comment silences at neither, or if nothing is cited there.
    """
    path = finding.path
    place = finding.span.start
    manuscript = source.language.manuscript
    cited = project.citation_at(path, place) or project.placeholder_at(path, place)
    if manuscript is None or cited is None:
        return None
    text = source.document.text
    line_start = text.rfind("\n", 0, place) + 1
    newline = text.find("\n", place)
    line = text[line_start : newline if newline >= 0 else len(text)].removesuffix("\r")
    indent = line[: len(line) - len(line.lstrip())]
    comment = manuscript.comment(_write_comment(finding))
    column = place - line_start
    at = _choose_column(line, cited.whole.moved(-line_start), comment)
    with_comment = f"{line[:at]} {comment}{line[at:]}"
    is_of_latex = _OF_LATEX.match(line) is not None
    new_column = column if at > column else column + len(f" {comment}")
    if not is_of_latex and _silences(source, path, with_comment, new_column):
        return Edit(path, Span(line_start + at, line_start + at), f" {comment}")
    above = f"{indent}{comment}{_choose_line_break(text)}"
    if _silences(source, path, above + line, len(above) + column):
        return Edit(path, Span(line_start, line_start), above)
    return None


def _choose_column(line: str, cited: Span, comment: str) -> int:
    """Return where on its line a comment is put for the citation at `cited`: at the end, if it may stand there.

    In a heading attributes or tags have to be the last, in a table the bar: there it stands behind the citation.  One
    that goes on in the next line has it before it.  A comment that goes on to the end of its line stands there.
    """
    ends_itself = comment.endswith(("-->", "@@"))
    if not ends_itself:
        return len(line)
    if 0 <= cited.start < len(line) < cited.end:
        return len(line[: cited.start].rstrip())
    return cited.end if _HEADING_OR_ROW.match(line) and cited.end <= len(line) else len(line)


def _silences(source: Source, path: str, text: str, offset: int) -> bool:
    """True if a comment in this text, read by itself, covers what stands at `offset`."""
    alone = Document(path, text, source.document.language)
    return any(it.covers.touches(offset) for it in syntax.parse(alone).suppressions)


def _write_comment(finding: Finding) -> str:
    return f"citelsp: ignore[{finding.code}]"


def _choose_line_break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
