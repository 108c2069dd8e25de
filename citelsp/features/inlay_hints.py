"""Author and year of the entry, shown after each citekey."""

from dataclasses import dataclass

from citelsp.base.text import Span
from citelsp.features.entry_cache import per_entry
from citelsp.features.values import label
from citelsp.workspace.project import Project

_label = per_entry(label)


@dataclass(frozen=True, slots=True)
class Hint:
    """Text shown at `offset`, which is no part of the document."""

    offset: int
    text: str


def find(project: Project, path: str, span: Span) -> list[Hint]:
    """Return the hints for the citations inside `span`, as far as their keys have entries.

    [] if the settings switch hints off.
    """
    source = project.sources.get(path)
    if source is None or not project.settings.inlay_hints:
        return []
    hints: list[Hint] = []
    for citation in source.syntax.citations:
        if citation.span.start < span.start or citation.span.end > span.end:
            continue
        place = project.find_first(citation.key)
        text = _label(place) if place else ""  # "" also if the entry has neither author nor year
        if text:
            hints.append(Hint(citation.span.end, text))
    return hints
