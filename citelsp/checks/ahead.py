"""What checks will ask of single entries, worked out before they run."""

from collections.abc import Iterator

from citelsp.checks import ALL
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project

_MANY = 1000  # entries of a file; of fewer `checks.run` asks fast enough by itself
_PORTION = 300  # entries between two steps
_USUAL = 4  # things said of an entry at most, on average


def prepare(project: Project) -> Iterator[None]:
    """Work out what `checks.run` will ask of entries, some milliseconds between two steps; the entries keep it.

    Only of large bibliographies, and of a check that has much to say no more than it reports.
    """
    severities = project.settings.checks.severity
    checks = [check for check in ALL if severities.get(check.code) != "off"]
    for source in project.defining:
        entries = source.syntax.entries
        judged = list(project.judged(source))
        if not isinstance(entries, BibEntries) or len(judged) < _MANY:
            continue
        facts = [fact for check in checks for fact in check.facts(project, source)]
        for fact in [fact for fact in facts if not entries.known(fact)]:
            count = 0
            for start in range(0, len(judged), _PORTION):
                values = entries.values_of(fact, judged[start : start + _PORTION])
                count += sum(len(value) for _, value in values if isinstance(value, tuple | list))
                if count > _USUAL * len(judged):
                    break  # `run` asks for as many as it reports
                yield
