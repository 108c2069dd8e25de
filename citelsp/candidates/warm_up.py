"""What every list of a project rests on, worked out before one is asked for; documents and entries keep it."""

from collections.abc import Iterator

from citelsp.bibliography.same_work import marks
from citelsp.candidates import entries
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace import question as questions
from citelsp.workspace.project import Project

_PORTION = 500  # entries


def sentences(project: Project) -> Iterator[None]:
    """What ranks entries, a step for each document."""
    meanings = questions.acronyms(project)
    for source in project.parts:
        entries.sentences(source, meanings)
        yield


def copies(project: Project) -> Iterator[None]:
    """What makes copies of one work one line; some milliseconds between two steps."""
    for source in project.defining:
        bibliography = source.syntax.entries
        if isinstance(bibliography, BibEntries):
            for start in range(0, len(bibliography), _PORTION):
                bibliography.values_of(marks, range(start, min(start + _PORTION, len(bibliography))))
                yield
            bibliography.shared(marks)
            yield
