"""What checks will ask of single entries, worked out before they run."""

from collections.abc import Iterator

from citelsp.checks import ALL
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project

_ENTRIES_OF_LARGE = 1000  # entries of a file; of fewer `checks.run` asks fast enough by itself
_ENTRIES_AT_ONCE = 300  # entries between two steps
_MOST_PER_ENTRY = 4  # complaints of one check about an entry, on average: of more not all are reported


def prepare(project: Project) -> Iterator[None]:
    """Work out what `checks.run` will ask of single entries of large bibliographies, which keep the answers.

    A fact is such a question: a function of one entry, whose answer does not depend on any other.  Yields after each
    step of some milliseconds, so that the caller may do something else.  If a check complains of nearly all entries,
    its work ends early, as it does not report that many.
    """
    severities = project.settings.checks.severity
    checks = [check for check in ALL if severities.get(check.code) != "off"]
    for source in project.defining:
        entries = source.syntax.entries
        judged = list(project.judged(source))
        if not isinstance(entries, BibEntries) or len(judged) < _ENTRIES_OF_LARGE:
            continue
        facts = [fact for check in checks for fact in check.facts(project, source)]
        unknown_facts = [fact for fact in facts if not entries.known(fact)]  # not worked out before
        for fact in unknown_facts:
            complaints = 0  # a value that is a list holds those of one entry
            for start in range(0, len(judged), _ENTRIES_AT_ONCE):
                values = entries.values_of(fact, judged[start : start + _ENTRIES_AT_ONCE])
                complaints += sum(len(value) for _, value in values if isinstance(value, tuple | list))
                if complaints > _MOST_PER_ENTRY * len(judged):
                    break  # `run` asks for as many as it reports
                yield
