"""The whole project at a glance: its references with what is known of them and where they are cited, its gaps."""

from collections.abc import Iterator
from dataclasses import dataclass

from citelsp.features import code_lens, settled_verdicts
from citelsp.features.values import Location, label
from citelsp.knowledge import Knowledge, VerdictKind
from citelsp.workspace.project import Place, Project

_LIMIT = 1000  # uncited entries shown


@dataclass(frozen=True, slots=True)
class CitedEntry:
    """An entry; `verdict` is None if nothing is known of it yet."""

    key: str
    title: str
    who: str  # "Vaswani et al. 2017"
    verdict: VerdictKind | None
    reason: str
    settled: bool  # a comment or the settings silence all findings that the verdict leads to
    place: Location
    cited: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A citation still to be filled."""

    words: str
    place: Location


@dataclass(frozen=True, slots=True)
class Overview:
    summary: str  # "118 verified, 1 mismatch"; "" if nothing is known
    references: tuple[CitedEntry, ...]  # cited ones first, each part in the order of the files
    gaps: tuple[Gap, ...]


def find(project: Project, knowledge: Knowledge) -> Overview:
    """Return every cited entry, at most _LIMIT of the others, and the placeholders of the manuscript.

    Each entry has its verdict, from `knowledge`, and where it is cited.  If there are verdicts on any entries, a line
    sums up those on the cited ones.
    """
    cited: dict[Place, list[Location]] = {}  # where each entry is cited
    for source, citation in project.citations():
        place = project.find_first(citation.key)
        if place:
            cited.setdefault(place, []).append(Location(source.document.path, citation.span, citation.whole))
    summary = str(code_lens.summary(knowledge, cited)) if knowledge.verdicts and cited else ""
    references = [_make_reference(knowledge, place, locations) for place, locations in cited.items()]
    references += [_make_reference(knowledge, place, []) for place in _list_uncited(project, cited)]
    gaps: list[Gap] = []
    for source in project.parts:
        path = source.document.path
        gaps += [Gap(it.words, Location(path, it.span, it.whole)) for it in source.syntax.placeholders]
    return Overview(summary, tuple(references), tuple(gaps))


def _list_uncited(project: Project, cited: dict[Place, list[Location]]) -> Iterator[Place]:
    shown = 0
    for place in project.entries():
        if place not in cited:
            shown += 1
            if shown > _LIMIT:
                return
            yield place


def _make_reference(knowledge: Knowledge, place: Place, cited: list[Location]) -> CitedEntry:
    """Return an entry with its verdict, if there is one, and where it is cited; `cited` is empty if it is not."""
    verdict = knowledge.verdicts.get(place.content)
    entry = place.entry
    return CitedEntry(
        key=place.node.key,
        title=entry.title,
        who=label(entry),
        verdict=verdict.kind if verdict else None,
        reason=verdict.reason if verdict else "",
        settled=verdict is not None and settled_verdicts.is_settled(place, verdict),
        place=Location(place.source.document.path, place.key_span, place.span),
        cited=tuple(cited),
    )
