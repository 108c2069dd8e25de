r"""A work added to a `thebibliography`, for manuscripts that keep their references in the text itself."""

from collections.abc import Iterator

from citelsp.base.text import Document, Edit, Span, newline_of
from citelsp.bibliography import write_entry
from citelsp.bibliography.encode_tex import escape
from citelsp.bibliography.record import Record
from citelsp.workspace.project import Project

_END = "\\end{thebibliography}"


def edit_for(project: Project, record: Record, key: str) -> Edit | None:
    r"""A `\bibitem` before the end of the list, of several the first; None if no list of the kind can be written."""
    for document, end in _find_lists(project):
        text = document.text
        newline = newline_of(text)
        item = f"\\bibitem{{{key}}} {escape(write_entry.format_work(record))}{newline}"
        line_start = text.rfind("\n", 0, end) + 1
        if text[line_start:end].strip():  # the end stands behind an item, on its line
            return Edit(document.path, Span(end, end), newline + item)
        return Edit(document.path, Span(line_start, line_start), item)
    return None


def takes(project: Project) -> bool:
    """True if the manuscript has such a list that can be written."""
    return any(True for _ in _find_lists(project))


def _find_lists(project: Project) -> Iterator[tuple[Document, int]]:
    """Documents that hold a list to be written to, with the offset of its end."""
    for source in project.parts:
        entries = source.syntax.entries
        document = source.document
        if source.language.manuscript and entries and source.writable:
            end = document.text.find(_END, entries.start(len(entries) - 1))
            if end >= 0:
                yield document, end
