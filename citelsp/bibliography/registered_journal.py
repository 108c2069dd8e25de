"""A journal as a registry lists it: its names, and how many works it registered in each year."""

from collections.abc import Iterable
from dataclasses import dataclass

from citelsp.bibliography.fold import words
from citelsp.bibliography.tolerant_comparison import venue_names

_FILL = frozenset({"the", "of", "and", "for", "in", "on", "a"})


@dataclass(frozen=True, slots=True)
class Journal:
    """Former titles are journals of their own at some registries, and further names at others."""

    source: str
    id: str  # at that source
    title: str
    names: tuple[str, ...] = ()  # further ones: abbreviated, former, translated
    issns: tuple[str, ...] = ()
    works: tuple[tuple[int, int], ...] = ()  # (year, how many were registered), as far as is known

    def count(self, year: int) -> int:
        """How many works of that year are registered."""
        return dict(self.works).get(year, 0)


def find_journals(name: str, journals: Iterable[Journal]) -> tuple[Journal, ...]:
    """The journals of this very name; if there are none, those whose name it abbreviates."""
    alike = [it for it in journals if venue_names.compare(name, (it.title, *it.names)) == "same"]
    exact = tuple(it for it in alike if _bare(name) in map(_bare, (it.title, *it.names)))
    return exact or tuple(it for it in alike if any(_begins_so(name, other) for other in (it.title, *it.names)))


def _begins_so(name: str, title: str) -> bool:
    """The `International Journal of Bees` is no `Journal of Bees`; of an acronym nothing can be said."""
    cited = _bare(name)
    listed = _bare(title)
    if not cited or not listed:  # nothing that tells: `The`, `*`
        return False
    return len(cited) == 1 or len(listed) == 1 or cited[0][0] == listed[0][0]


def _bare(name: str) -> tuple[str, ...]:
    return tuple(it for it in words(name) if it not in _FILL)
