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
    """The places with the titles of the works that are right at the others of their manuscripts, their own left out.

    The nearest stand first, if a manuscript's places follow each other as they do in it.  Places that come with what
    their manuscripts cite stay as they are.
    """
    ids = sorted({id_ for place in places for gold in place.gold for id_ in gold.ids})
    titles = {row.work.id: row.work.title for row in corpus.rows(list(corpus.store.numbers(ids).values()))}
    manuscripts: dict[str, list[LabelledPlace]] = defaultdict(list)
    for place in places:
        manuscripts[place.cluster].append(place)
    cites: dict[str, tuple[str, ...]] = {}
    for mine in manuscripts.values():
        cites |= {place.id: tuple(_nearest(mine, at, titles))[:CITES] for at, place in enumerate(mine)}
    return [replace(it, cites=it.cites or cites[it.id]) for it in places]


def _nearest(mine: Sequence[LabelledPlace], at: int, titles: Mapping[str, str]) -> dict[str, None]:
    """The titles of a manuscript's other works, as seen from one of its places."""
    own = {title_key(it) for it in _titles(mine[at], titles)}.union(*(it.titles for it in mine[at].gold))
    others = sorted((it for it in range(len(mine)) if it != at), key=lambda it: abs(it - at))
    found = dict.fromkeys(title for it in others for title in _titles(mine[it], titles))
    return {it: None for it in found if title_key(it) not in own}


def _titles(place: LabelledPlace, titles: Mapping[str, str]) -> Iterator[str]:
    return (titles[id_] for gold in place.gold for id_ in sorted(gold.ids & titles.keys()))
