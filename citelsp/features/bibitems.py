r"""A work added to a `thebibliography`, for manuscripts that keep their references in the text itself."""

from citelsp.bibliography import render
from citelsp.bibliography.tex import escape
from citelsp.knowledge import Record
from citelsp.project import Project
from citelsp.text import Edit, Span, newline_of

_END = "\\end{thebibliography}"


def edit_for(project: Project, record: Record, key: str) -> Edit | None:
    r"""A `\bibitem` before the end of the list; None where the manuscript has no such list that can be written."""
    for source in project.parts:
        entries, text, path = source.syntax.entries, source.document.text, source.document.path
        if source.document.language != "latex" or not entries or not source.writable:
            continue
        end = text.find(_END, entries.start(len(entries) - 1))
        if end < 0:
            continue
        newline = newline_of(text)
        start = text.rfind("\n", 0, end) + 1
        at, lead = (start, "") if not text[start:end].strip() else (end, newline)
        item = f"{lead}\\bibitem{{{key}}} {escape(render.formatted(record))}{newline}"
        return Edit(path, Span(at, at), item)
    return None
