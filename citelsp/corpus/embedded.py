"""The embedded index as a catalogue: its word index and its store, as last committed."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import itemgetter

from citelsp.corpus.catalogue import Hits, Seeds, Wording
from citelsp.corpus.engine import Engine
from citelsp.corpus.store import Citing, Row, Sketch, Store
from citelsp.corpus.words import key_number, title_key


class EmbeddedCatalogue:
    """Everything is on this machine: each question to it is a look, and none of them fails."""

    def __init__(self, engine: Engine, store: Store) -> None:
        self._engine, self._store = engine, store
        self.rarity = engine.rarity  # asked by the thousand for every question

    @property
    def size(self) -> int:
        return self._engine.size

    def numbers(self, ids: Sequence[str]) -> dict[str, int]:
        return self._store.numbers(ids)

    def titled(self, titles: Sequence[str]) -> list[int]:
        keys = [key_number(title_key(it)) for it in titles]
        found = self._store.title_numbers(keys)
        return [n for key in dict.fromkeys(keys) for n in found.get(key, ())]

    def ids(self, numbers: Sequence[int]) -> list[str]:
        return self._store.ids(numbers)

    def search(
        self,
        wordings: Mapping[str, Wording],
        stems: Collection[str],  # noqa: ARG002
        titles: Sequence[str] = (),  # noqa: ARG002
    ) -> Mapping[str, Hits]:
        return {name: self._engine.search(*it) for name, it in wordings.items()}

    def citing(self, numbers: Sequence[int]) -> Mapping[int, Citing]:
        return self._store.citing(numbers)

    def beside(
        self,
        ballots: Mapping[str, Seeds],
        since: int,  # noqa: ARG002
        until: int,
        likely: Callable[[], Sequence[int]],  # noqa: ARG002
    ) -> Mapping[str, tuple[Mapping[int, float], Hits]]:
        return {name: self._beside(it, until) for name, it in ballots.items()}

    def _beside(self, seeds: Seeds, until: int) -> tuple[Mapping[int, float], Hits]:
        citers: dict[int, list[int]] = {}
        for cited, citing in self._store.citers(list(seeds.strengths), until):
            citers.setdefault(cited, []).append(citing)
        shares = {n: seeds.strengths[n] / math.sqrt(3 + len(works)) for n, works in citers.items()}
        total: dict[int, float] = {}
        for n, works in citers.items():
            for citing in works:
                total[citing] = total.get(citing, 0.0) + shares[n]
        return shares, sorted(total.items(), key=itemgetter(1), reverse=True)[: seeds.limit]

    def sketches(self, numbers: Sequence[int]) -> Mapping[int, Sketch]:
        return self._store.sketches(numbers)

    def cited_counts(self, numbers: Sequence[int], since: int, until: int) -> dict[int, tuple[int, int]]:
        return self._store.cited_counts(numbers, since, until)

    def dated(self, numbers: Sequence[int]) -> Iterator[tuple[int, int, str]]:
        return self._store.dated(numbers)

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        found = self._store.rows(numbers)
        return [found[n] for n in numbers if n in found]

    def fulltext(self, numbers: Sequence[int]) -> Mapping[int, str]:
        return self._store.fulltext(numbers)
