"""What checks will ask of single entries, worked out before they run."""

from collections.abc import Iterator

from citelsp.checks import ALL
from citelsp.syntax.bibtex.parsing import BibEntries
from citelsp.workspace.project import Project

_MANY, _PORTION = 1000, 300  # entries
_USUAL = 4  # things said of an entry at most, on average


def prepare(project: Project) -> Iterator[None]:
    """Work out what `checks.run` will ask of entries, some milliseconds between two steps; the entries keep it."""
    severities = project.settings.checks.severity
    for source in project.defining:
        entries, judged = source.syntax.entries, list(project.judged(source))
        if not isinstance(entries, BibEntries) or len(judged) < _MANY:
            continue
        checks = (it for it in ALL if severities.get(it.code) != "off")
        for fact in [fact for it in checks for fact in it.facts(project, source) if not entries.known(fact)]:
            count = 0
            for start in range(0, len(judged), _PORTION):
                asked = entries.values_of(fact, judged[start : start + _PORTION])
                count += sum(len(it) for _, it in asked if isinstance(it, tuple | list))
                if count > _USUAL * len(judged):
                    break  # `run` asks for as many as it reports
                yield
