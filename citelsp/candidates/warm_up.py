"""What every list of a project rests on, worked out before one is asked for; documents and entries keep it."""

from collections.abc import Iterator

from citelsp.bibliography.same_work import marks
from citelsp.candidates import entries
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace import question as questions
from citelsp.workspace.project import Project

_PORTION = 500  # entries


def sentences(project: Project) -> Iterator[None]:
    """Work out the sentences that cite, by which entries are ranked, with a step for each document."""
    meanings = questions.acronyms(project)
    for source in project.parts:
        entries.sentences(source, meanings)
        yield


def copies(project: Project) -> Iterator[None]:
    """Work out the hashes by which copies of one work are found, in steps of some milliseconds."""
    for source in project.defining:
        bibliography = source.syntax.entries
        if isinstance(bibliography, BibEntries):
            for start in range(0, len(bibliography), _PORTION):
                bibliography.values_of(marks, range(start, min(start + _PORTION, len(bibliography))))
                yield
            bibliography.shared(marks)
            yield
