"""What a manuscript says where it cites its entries already: a work is cited again in words like those before."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from citelsp.corpus.query import Query, of_sentence
from citelsp.corpus.words import stems
from citelsp.project import Project, Source
from citelsp.syntax.nodes import Citation, Placeholder
from citelsp.text import Span

_REACH = 300  # characters of a sentence on either side of a citation
_KEPT = 4096  # sentences
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_MARKUP = re.compile(
    r"(?P<citation>\\[A-Za-z]*cite[A-Za-z]*\*?(?:\[[^\]]*\])*\{[^{}]*\}|\[-?@[^\]]*\])"
    r"|(?<!\\)%[^\n]*|<!--.*?-->|\\(?:begin|end|label|ref|section|subsection)\*?\{[^{}]*\}|\\[A-Za-z]+\*?(?:<[^<>\n]*>)?|[{}$~]",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Contexts:
    """What the manuscript's own citations tell of a place."""

    said: Mapping[str, float]  # by key: share of the place's words in a sentence
    beside: frozenset[str]  # keys and titles of what the place's own sentence cites


def of(project: Project, path: str, placeholder: Placeholder, query: Query) -> Contexts | None:
    """None where the author says in the placeholder what is meant."""
    if placeholder.words.strip():
        return None
    return Contexts(_said(project, query), _beside(project, path, placeholder.whole))


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


def _beside(project: Project, path: str, place: Span) -> frozenset[str]:
    source = project.sources[path]
    text = source.document.text
    before = _PARAGRAPH.split(text[max(0, place.start - _REACH) : place.start])[-1]
    start, end = of_sentence(before, _PARAGRAPH.split(text[place.end : place.end + _REACH])[0])
    sentence = range(place.start - len(start), place.end + len(end))
    keys = {it.key for it in source.syntax.citations if it.span.start in sentence}
    return frozenset(filter(None, keys | {it.entry.title for key in keys for it in project.find(key)}))


def _around(source: Source, citation: Citation) -> frozenset[str]:
    text, whole = source.document.text, citation.whole
    return _stems(text[max(0, whole.start - _REACH) : whole.start], text[whole.end : whole.end + _REACH])


@lru_cache(maxsize=_KEPT)
def _stems(before: str, after: str) -> frozenset[str]:
    return frozenset(stems(prose(" | ".join(of_sentence(before, after)))))


def prose(text: str) -> str:
    """The text without markup; citations stay, as a query looks at where they stand."""
    return " ".join(_MARKUP.sub(lambda it: it["citation"] or " ", text).split())
