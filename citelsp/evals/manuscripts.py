"""What else a manuscript cites, as far as the other questions from it say.

An author who writes a placeholder has cited other works before; questions hold one place each, without what it cites.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from citelsp.corpus.index import Corpus
from citelsp.corpus.words import title_key
from citelsp.evals.questions import LabelledPlace
from citelsp.workspace.question import CITES


def citing(corpus: Corpus, places: Sequence[LabelledPlace]) -> list[LabelledPlace]:
    """Return the questions, each with the titles of the works that are right at the others of its manuscript.

    There are CITES at most, without the question's own right works.  The titles of the nearest questions come first, as
    the questions of a manuscript are taken to stand in its order.  A question that says what its manuscript cites stays
    as it is.
    """
    ids = sorted({id_ for place in places for gold in place.gold for id_ in gold.ids})
    rows = corpus.rows(list(corpus.store.numbers(ids).values()))
    title_of = {row.work.id: row.work.title for row in rows}
    places_of: dict[str, list[LabelledPlace]] = defaultdict(list)  # by manuscript
    for place in places:
        places_of[place.cluster].append(place)
    cites: dict[str, tuple[str, ...]] = {}
    for in_manuscript in places_of.values():
        for index, place in enumerate(in_manuscript):
            cites[place.id] = tuple(_list_cited_elsewhere(in_manuscript, index, title_of)[:CITES])
    return [replace(it, cites=it.cites or cites[it.id]) for it in places]


def _list_cited_elsewhere(in_manuscript: Sequence[LabelledPlace], index: int, title_of: Mapping[str, str]) -> list[str]:
    """The titles that are right at a manuscript's other places and not at this one, those of the nearest first."""
    place = in_manuscript[index]
    own = {title_key(it) for it in _right_titles(place, title_of)}.union(*(it.titles for it in place.gold))
    others = sorted((it for it in range(len(in_manuscript)) if it != index), key=lambda it: abs(it - index))
    titles = dict.fromkeys(title for it in others for title in _right_titles(in_manuscript[it], title_of))
    return [it for it in titles if title_key(it) not in own]


def _right_titles(place: LabelledPlace, title_of: Mapping[str, str]) -> Iterator[str]:
    """The titles of a place's right works, as far as the corpus has them."""
    return (title_of[id_] for gold in place.gold for id_ in sorted(gold.ids & title_of.keys()))
