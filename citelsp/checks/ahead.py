"""What checks will ask of single entries, worked out before they run."""

from collections.abc import Iterator, Sequence
from typing import Any

from citelsp.checks import ALL
from citelsp.syntax.bibtex.parsing import BibEntries, Fact
from citelsp.workspace.project import Project

_ENTRIES_OF_LARGE = 1000  # entries of a file; of fewer `checks.run` asks fast enough by itself
_ENTRIES_AT_ONCE = 300  # entries between two steps
_MOST_PER_ENTRY = 4  # complaints of one check about an entry, on average: of more not all are reported


def prepare(project: Project) -> Iterator[None]:
    """Work out what `checks.run` will ask of single entries of large bibliographies, which keep the answers.

    A fact is such a question: a function of one entry, whose answer does not depend on any other.  Yields after each
    step of some milliseconds, so that the caller may do something else.  Once a check has more complaints than
    _MOST_PER_ENTRY for each entry of the file, its work ends, as it does not report that many.
    """
    severities = project.settings.checks.severity
    checks = [check for check in ALL if severities.get(check.code) != "off"]
    for source in project.defining:
        entries = source.syntax.entries
        if not isinstance(entries, BibEntries):
            continue
        judged = list(project.judged(source))  # the entries that findings are about
        parsed = list(project.list_parsed(source))  # those whose syntax matters: to Typst all, else the judged ones
        for check in checks:
            indices = parsed if check.of_parsed else judged
            if len(indices) >= _ENTRIES_OF_LARGE:
                for fact in check.facts(project, source):
                    yield from _work_out(entries, fact, indices)


def _work_out(entries: BibEntries, fact: Fact[Any], indices: Sequence[int]) -> Iterator[None]:
    """Work out a fact of the entries with these indices, as `prepare` does; nothing if that was done before."""
    if entries.known(fact):
        return
    complaints = 0  # a value that is a list holds those of one entry
    for start in range(0, len(indices), _ENTRIES_AT_ONCE):
        values = entries.values_of(fact, indices[start : start + _ENTRIES_AT_ONCE])
        complaints += sum(len(value) for _, value in values if isinstance(value, tuple | list))
        if complaints > _MOST_PER_ENTRY * len(indices):
            break  # of the others `run` asks itself, until it has as many as it reports
        yield
