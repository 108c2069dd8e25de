"""How much of what a place in a manuscript asks for a work answers, by the words of its title and abstract."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from citelsp.bibliography.record import Record
from citelsp.corpus.index import Corpus
from citelsp.corpus.place_query import Query
from citelsp.corpus.words import stems

_ENOUGH = 0.3  # share of the sentence, or of the hint, below which nothing is said to fit
_HINT = 3.0  # a word that the author wrote into the placeholder counts so often
_NEAR = 2.0  # a word of the clause that the citation stands behind
_ASIDE = 0.4  # of the weight of a word in a title has one in an abstract

Rarity = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class SoughtWords:
    """The words wanted, by stem, with their rarity."""

    hint: Mapping[str, float]
    sentence: Mapping[str, float]
    sought: Mapping[str, float] = field(repr=False)  # both, the hint's more heavily

    def share(self, text: str, abstract: str = "") -> float:
        """The share of what is sought, by rarity, from 0 to 1.  A word of the sentence counts less in an abstract."""
        present = set(stems(text))
        aside = set(stems(abstract))
        present |= aside & self.hint.keys()
        return _measure_covered(self.sought, present) + _ASIDE * _measure_covered(self.sought, aside - present)

    def fits(self, text: str) -> bool:
        """True if the text has enough words of the hint, or of the sentence."""
        present = set(stems(text))
        return max(_measure_covered(self.hint, present), _measure_covered(self.sentence, present)) >= _ENOUGH


def weigh_sought_words(query: Query, texts: Iterable[str], corpus: Corpus | None) -> SoughtWords:
    """Weigh the words of the hint and the sentence by their rarity, in the corpus or, without one, in these texts."""
    rare = _make_rarity(corpus, texts)
    hint = {it: rare(it) for it in stems(query.question.hint)}
    sentence = {it: rare(it) for it in stems(query.sentence) if it not in hint}
    near = set(stems(query.clause))
    weighted = {it: (_NEAR if it in near else 1.0) * weight for it, weight in sentence.items()}
    return SoughtWords(hint, sentence, weighted | {it: _HINT * weight for it, weight in hint.items()})


def text_of(record: Record) -> str:
    return f"{record.title} {record.abstract} {' '.join(it.family for it in record.authors)}"


def rarity(corpus: Corpus | None) -> Rarity:
    """Make the function that says how rare a stem is in the corpus; without one all are equally rare."""
    return lambda it: corpus.engine.rarity("text", it) if corpus else 1.0


def _make_rarity(corpus: Corpus | None, texts: Iterable[str]) -> Rarity:
    """A function that says how rare a stem is: in the corpus, or without one among these texts."""
    stems_of_texts = [frozenset(stems(text)) for text in texts]

    def rarity(stem: str) -> float:
        if corpus:
            return corpus.engine.rarity("text", stem)
        holding = sum(stem in stems_of_text for stems_of_text in stems_of_texts)
        return math.log(2 + len(stems_of_texts) / (1 + holding))

    return rarity


def _measure_covered(weights: Mapping[str, float], present: set[str]) -> float:
    """The share of the weight of some stems that belongs to those that are present; 0 if there are none."""
    total = sum(weights.values())
    return sum(weight for stem, weight in weights.items() if stem in present) / total if total else 0.0
