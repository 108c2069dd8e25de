"""What a manuscript says where it cites its entries already: a work is cited again in words like those before."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from citelsp.corpus.query import Query
from citelsp.corpus.words import stems
from citelsp.project import Project, Source
from citelsp.syntax import prose, sentences
from citelsp.syntax.nodes import Citation

_REACH = 300  # characters of a sentence on either side of a citation
_CACHED = 4096  # sentences


@dataclass(frozen=True, slots=True)
class Contexts:
    """What the manuscript's own citations tell of a place."""

    said: Mapping[str, float]  # by key: share of the place's words in a sentence


def of(project: Project, query: Query) -> Contexts | None:
    """None if the author says in the placeholder what is meant."""
    return None if query.question.hint else Contexts(_said(project, query))


def _said(project: Project, query: Query) -> dict[str, float]:
    """For each key that is cited the largest share, by rarity among them all, of the place's words in one sentence."""
    wanted = frozenset(stems(query.sentence))
    met = [(it.key, wanted & _around(source, it)) for source, it in project.citations()]
    counts = Counter(stem for _, held in met for stem in held)
    rarity = {it: math.log1p(len(met) / (1 + counts[it])) for it in wanted}
    total = sum(rarity.values()) or 1.0
    found: dict[str, float] = {}
    for key, held in met:
        found[key] = max(found.get(key, 0.0), sum(rarity[it] for it in held) / total)
    return found


def _around(source: Source, citation: Citation) -> frozenset[str]:
    found = prose.around(source.document, source.syntax, citation.whole, _REACH)
    return _stems(found.before, found.after)


@lru_cache(maxsize=_CACHED)
def _stems(before: str, after: str) -> frozenset[str]:
    return frozenset(stem for part in sentences.around(before, after) for stem in stems(part))
