"""What a manuscript says where it cites its entries already: a work is cited again in words like those before."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from citelsp.base.footprint import MB, remembered
from citelsp.corpus.query import Query
from citelsp.corpus.words import stems
from citelsp.syntax import prose, sentences
from citelsp.syntax.nodes import Citation
from citelsp.workspace.project import Project, Source

_REACH = 300  # characters of a sentence on either side of a citation
_TELLING = 100  # keys; fewer do not tell how rare a word is
_SHORT = 10  # stems; what longer sentences share counts less


@dataclass(frozen=True, slots=True)
class Contexts:
    """By key, how much the sentences that cite it have in common with a place: the most that one of them has."""

    sentence: Mapping[str, float]
    clause: Mapping[str, float]


def of(project: Project, query: Query) -> Contexts:
    by_key: dict[str, list[frozenset[str]]] = defaultdict(list)
    for source, citation in project.citations():
        by_key[citation.key].append(_around(source, citation))
    counts = Counter(stem for sentences in by_key.values() for stem in frozenset().union(*sentences))

    def shared(stems_of_place: Set[str]) -> Mapping[str, float]:
        # Counted by key: a work cited ten times in one phrase does not make its words common.
        rarity = {it: math.log1p(max(_TELLING, len(by_key)) / (1 + counts[it])) for it in stems_of_place}
        return {key: max(_shared(it, rarity) for it in sentences) for key, sentences in by_key.items()}

    return Contexts(shared(frozenset(stems(query.sentence))), shared(frozenset(stems(query.clause))))


def _shared(sentence: Iterable[str], rarity: Mapping[str, float]) -> float:
    sentence = frozenset(sentence)
    return sum(rarity[it] for it in sentence & rarity.keys()) / math.sqrt(_SHORT + len(sentence))


def _around(source: Source, citation: Citation) -> frozenset[str]:
    found = prose.around(source.document, source.syntax, citation.whole, _REACH)
    return _stems(found.before, found.after)


@remembered(32 * MB)
def _stems(before: str, after: str) -> frozenset[str]:
    return frozenset(stem for part in sentences.around(before, after) for stem in stems(part))
