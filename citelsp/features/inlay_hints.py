"""Author and year shown after citekeys that say neither."""

from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.features.entry_cache import per_entry
from citelsp.features.values import label
from citelsp.workspace.project import Project

_label = per_entry(label)


@dataclass(frozen=True, slots=True)
class Hint:
    """Text shown at `offset`, if it is not part of the document."""

    offset: int
    text: str


def find(project: Project, path: str, span: Span) -> list[Hint]:
    """Hints for the citations inside `span`; none if the settings switch them off, or a key has no entry."""
    source = project.sources.get(path)
    if source is None or not project.settings.inlay_hints:
        return []
    hints: list[Hint] = []
    for citation in source.syntax.citations:
        if citation.span.start < span.start or citation.span.end > span.end:
            continue
        place = project.find_first(citation.key)
        text = _label(place) if place else ""
        if text:
            hints.append(Hint(citation.span.end, text))
    return hints
