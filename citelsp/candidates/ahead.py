"""What every list of a project rests on, worked out before one is asked for; documents and entries keep it."""

from collections.abc import Iterator

from citelsp.bibliography.sameness import marks
from citelsp.candidates import entries
from citelsp.syntax.bibtex import BibEntries
from citelsp.workspace.project import Project

_PORTION = 500  # entries


def steps(project: Project) -> Iterator[None]:
    """Some milliseconds between two steps, or what one document takes."""
    for source in project.parts:
        entries.sentences(source)
        yield
    for source in project.defining:
        bibliography = source.syntax.entries
        if isinstance(bibliography, BibEntries):
            for start in range(0, len(bibliography), _PORTION):
                bibliography.values_of(marks, range(start, min(start + _PORTION, len(bibliography))))
                yield
            bibliography.shared(marks)
            yield
