"""Which entries stand near a place: cited there, cited elsewhere beside those, or next to those in the bibliography."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from citelsp.workspace.project import Place, Project
from citelsp.workspace.question import Question

_TOGETHER = 3  # citations on either side
_NEXT = 3  # entries on either side


@dataclass(frozen=True, slots=True)
class Nearby:
    """By key; what is nearer weighs more, the reciprocal of how many citations away it is."""

    cited: Mapping[str, float]
    together: Mapping[str, float]  # cited elsewhere near what is cited here: summed
    places: Mapping[str, tuple[tuple[int, float], ...]]  # by path of a bibliography: where such entries stand in it

    def written(self, place: Place) -> float:
        """How near an entry stands to one of those cited here, in its bibliography."""
        rows = self.places.get(place.source.document.path, ())
        return max((worth / (1 + abs(at - place.index)) for at, worth in rows if at != place.index), default=0.0)


def of(project: Project, question: Question) -> Nearby:
    cited: dict[str, float] = {}
    for key, distance in question.near:
        cited[key] = max(cited.get(key, 0.0), 1 / distance)
    together: dict[str, float] = defaultdict(float)
    for source in project.parts:
        # In the order of the text: a few citations on either side are the same paragraph as a rule.
        keys = [it.key for it in source.syntax.citations]
        for at, key in enumerate(keys):
            if worth := cited.get(key):
                for other in keys[max(0, at - _TOGETHER) : at + _TOGETHER + 1]:
                    if other != key:
                        together[other] += worth
    places: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for key, worth in cited.items():
        if place := project.first(key):
            places[place.source.document.path].append((place.index, worth))
    return Nearby(cited, together, {path: tuple(rows) for path, rows in places.items()})


def keys(project: Project, nearby: Nearby) -> list[str]:
    """Entries worth weighing because of where they stand, whatever their words."""
    found = dict.fromkeys((*nearby.cited, *sorted(nearby.together, key=nearby.together.__getitem__, reverse=True)))
    for path, rows in nearby.places.items():
        entries = project.sources[path].syntax.entries
        for at, _ in rows if entries is not None else ():
            for index in range(max(0, at - _NEXT), min(len(entries or ()), at + _NEXT + 1)):
                found.setdefault(entries.node(index).key if entries else "")
    return [it for it in found if it]
