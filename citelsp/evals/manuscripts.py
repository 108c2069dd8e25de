"""What else a manuscript cites, as far as the other questions from it say.

An author who writes a placeholder has cited other works before; questions hold one place each, without what it cites.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from citelsp.corpus.index import Corpus
from citelsp.corpus.words import title_key
from citelsp.evals.questions import LabelledPlace


def citing(corpus: Corpus, places: Sequence[LabelledPlace]) -> list[LabelledPlace]:
    """The places with the titles of the works that are right at the others of their manuscripts, their own left out."""
    ids = sorted({id_ for place in places for gold in place.gold for id_ in gold.ids})
    titles = {row.work.id: row.work.title for row in corpus.rows(list(corpus.store.numbers(ids).values()))}
    cited: dict[str, dict[str, None]] = defaultdict(dict)
    for place in places:
        cited[place.cluster].update(dict.fromkeys(_titles(place, titles)))
    return [replace(it, cites=tuple(_others(it, titles, cited[it.cluster]))) for it in places]


def _titles(place: LabelledPlace, titles: dict[str, str]) -> list[str]:
    return [titles[id_] for gold in place.gold for id_ in sorted(gold.ids & titles.keys())]


def _others(place: LabelledPlace, titles: dict[str, str], cited: dict[str, None]) -> list[str]:
    own = {title_key(it) for it in _titles(place, titles)}.union(*(it.titles for it in place.gold))
    return [it for it in cited if title_key(it) not in own]
