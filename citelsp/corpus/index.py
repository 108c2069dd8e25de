"""A corpus: a directory with a store of works and a word index over them."""

import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from threading import RLock

from citelsp.base.settings import Settings
from citelsp.corpus import compounds, linking, passages
from citelsp.corpus.catalogue import CoCitations, Hits, Seeds, Wording, share_strength
from citelsp.corpus.store import FORMAT as STORE_FORMAT
from citelsp.corpus.store import Citing, CorpusError, Fresh, Row, Sketch, Store
from citelsp.corpus.word_index import FORMAT as ENGINE_FORMAT
from citelsp.corpus.word_index import Engine, IndexWriter, Page
from citelsp.corpus.words import key_number, stems, title_key
from citelsp.corpus.work import Work
from citelsp.knowledge import Candidate

_CHUNK = 5_000  # works that are written or read at once
_BATCH = 200_000  # works that are committed together
_SECONDS = 20.0  # after which what was read is committed
_SIMILAR_TITLE = 95.0  # of 100, by letters in order
_RAREST_WORDS, _LOOKED_AT = 5, 20  # words of a title by which it is looked for, and works that are compared with it
_STAMP = "words"  # state of the store: the commit of the word index that belongs to it


@dataclass(frozen=True, slots=True)
class Added:
    """How many works were new, changed or the same."""

    new: int = 0
    changed: int = 0
    same: int = 0

    def plus(self, other: "Added") -> "Added":
        return Added(self.new + other.new, self.changed + other.changed, self.same + other.same)


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    path: Path
    works: int
    abstracts: int
    with_references: int
    with_text: int
    citations: int  # of one work by another, known or not
    files: int  # PDF files that were read
    bytes: int
    format: str  # of the store and of the word index


class EmbeddedCatalogue:
    """A corpus for one question, as last committed: each question to it is a look, and none of them fails."""

    def __init__(self, engine: Engine, store: Store) -> None:
        self._engine = engine
        self._store = store
        self.rarity = engine.rarity  # asked by the thousand for every question
        self.may_hold = engine.holds

    @property
    def size(self) -> int:
        return self._engine.size

    def numbers(self, ids: Sequence[str]) -> dict[str, int]:
        return self._store.numbers(ids)

    def titled(self, titles: Sequence[str]) -> list[Sequence[int]]:
        keys = [key_number(title_key(it)) for it in titles]
        numbers = self._store.title_numbers(keys)
        return [numbers.get(key, ()) for key in keys]

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

    def co_citations(
        self,
        ballots: Mapping[str, Seeds],
        since: int,  # noqa: ARG002
        until: int,
        likely: Callable[[], Sequence[int]],  # noqa: ARG002
    ) -> Mapping[str, CoCitations]:
        return {name: self._count_co_citations(it, until) for name, it in ballots.items()}

    def _count_co_citations(self, seeds: Seeds, until: int) -> CoCitations:
        """Return who cites the seeds among works published until a year: `seeds.limit` citers at most, the best first.

        The best are those that get most: each seed gives them its share.  A seed that nobody cites has none.
        """
        citers_of: dict[int, list[int]] = {}
        for cited, citing in self._store.citers(list(seeds.strengths), until):
            citers_of.setdefault(cited, []).append(citing)
        shares = {seed: share_strength(seeds.strengths[seed], len(citers)) for seed, citers in citers_of.items()}
        received: dict[int, float] = {}
        for seed, citers in citers_of.items():
            for citing in citers:
                received[citing] = received.get(citing, 0.0) + shares[seed]
        best_first = sorted(received.items(), key=itemgetter(1), reverse=True)
        return CoCitations(shares, best_first[: seeds.limit])

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


class Corpus:
    """An open corpus.  Safe to share between threads; any number of processes may have one open."""

    def __init__(self, directory: Path, *, create: bool = False) -> None:
        """Open the corpus in a directory, or `create` it if there is none.

        CorpusError if it cannot be read or made, or if there is none and `create` is false; also if its lost words have
        to be indexed anew, and cannot be written.
        """
        self.path = directory
        try:
            if create:
                directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.store = Store(directory / "works.sqlite", create=create)
        except OSError as problem:
            raise CorpusError(f"{directory} cannot be used as a corpus: {problem.strerror or problem}") from problem
        self._lock = RLock()
        # Read before the words are opened: a commit made meanwhile then differs from this, and `engine` reads again.
        self._seen = self.store.changes()
        words = words_directory(directory)
        try:
            self._engine = Engine(words)
        except CorpusError:
            self.store.close()
            raise
        except (OSError, ValueError) as problem:
            self.store.close()
            message = f"the word index {words} cannot be opened ({problem}); delete it, and it will be rebuilt"
            raise CorpusError(message) from problem
        # No words, but the store says that some were committed: they are of an older format, or were deleted.
        if not self.engine.size and self.store.state(_STAMP):
            self.rebuild()

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> "Corpus":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def engine(self) -> Engine:
        """The word index as last committed by any process."""
        with self._lock:
            now = self.store.changes()
            if now != self._seen:
                self._seen = now
                self._engine.reload()
        return self._engine

    def catalogue(self) -> EmbeddedCatalogue:
        """Return the corpus for one question."""
        return EmbeddedCatalogue(self.engine, self.store)

    @property
    def generation(self) -> int:
        """Another number after each commit, of any process."""
        with self._lock:
            self.engine.size  # noqa: B018  as last committed
            return self._seen

    def add(self, works: Iterable[Work], report: Callable[[int], None] = lambda _: None) -> Added:
        """Add works, and replace those that changed, by id; return how many were new, changed and the same.

        `report` is told how many were written so far.  Works are committed every few seconds of reading, and what was
        read is committed, too, if reading ends by an exception.  A reader sees a whole commit or nothing of it.  No
        lock is held while works are read.  CorpusError if another process keeps writing for minutes, or if the disk is
        full; what was committed before stays.
        """
        added = Added()
        done = 0
        # A batch is read before the corpus is locked: PDF files take seconds each, and other processes want to write.
        for batch in _read_batches(works):
            with self.store.writing(), self._engine.writing() as writer:
                self._mend(writer)
                for start in range(0, len(batch), _CHUNK):
                    chunk = batch[start : start + _CHUNK]
                    added = added.plus(self._write(chunk, writer))
                    done += len(chunk)
                    report(done)
                # The words are committed before the store, which notes their commit: so `_mend` can tell later if this
                # writer was killed in between.
                self.store.set_state(_STAMP, writer.commit())
        return added

    def _write(self, works: Sequence[Work], writer: IndexWriter) -> Added:
        """Write works into store and word index, inside their transactions.

        Of several with one id the last is written, and the others count as the same.  A work read from a file is joined
        with what the corpus has of it, and replaces what an earlier version of citelsp read from that file.
        """
        joined = [linking.join_stored(self.store, it) if it.file else it for it in works]
        replaced = linking.find_replaced(self.store, joined)  # numbers of what was read from the same files before
        fresh, changed = self.store.put(joined)
        self.store.remove(replaced)
        linking.link(self.store, fresh)  # citations by the names in reference lists, in either direction
        # tantivy does not replace: what is not removed first would be found twice.
        writer.remove(changed.union(replaced))
        writer.add(self._make_pages(fresh, changed))
        # `fresh` has all works written, `changed` those among them whose id was there before.  A new reading of a file
        # has another id, so the store does not count it as changed; we do.  One may replace several earlier ones.
        new = max(0, len(fresh) - len(changed) - len(replaced))
        return Added(new, changed=len(fresh) - new, same=len(works) - len(fresh))

    def _make_pages(self, fresh: Sequence[Fresh], changed: Collection[int]) -> Iterator[Page]:
        """Make what the word index takes of works just written; a changed work without full text keeps that it had."""
        earlier_texts = self.store.fulltext([it.n for it in fresh if it.n in changed and not it.work.text])
        for item in fresh:
            cites = bool(item.work.references or item.work.listed)
            yield _make_page(item, item.work.text or earlier_texts.get(item.n, ""), cites=cites)

    def remove(self, ids: Sequence[str]) -> list[str]:
        """Remove works from store and word index; the ids that named one."""
        with self.store.writing(), self._engine.writing() as writer:
            self._mend(writer)
            number_of = self.store.numbers(ids)
            rows = self.store.rows(list(number_of.values()))
            self.store.remove(list(rows))
            writer.remove(rows)
            self.store.set_state(_STAMP, writer.commit())
        return [it for it in ids if number_of.get(it) in rows]

    def compact(self) -> None:
        """Write the word index anew in as few segments as possible, and give unused space back."""
        self.rebuild()
        self.store.vacuum()
        # Indexes of earlier formats, which a citelsp that was replaced may have used until now.
        for other in self.path.glob("words-*"):
            if other.name != f"words-{ENGINE_FORMAT}":
                shutil.rmtree(other, ignore_errors=True)

    def works(self) -> Iterator[Work]:
        """Yield all that is known of each work, in the order in which they were added."""
        numbers = self.store.all_numbers()
        for start in range(0, len(numbers), _CHUNK):
            part = numbers[start : start + _CHUNK]
            texts = self.store.fulltext(part)
            for row in self.rows(part):
                references = tuple(self.store.ids(row.cites))
                yield replace(row.work, references=references, text=texts.get(row.n, ""))

    def _mend(self, writer: IndexWriter) -> None:
        """Write the word index anew if it is ahead of the store, as the last writer died between its two commits.

        In a new corpus neither has anything: its stamp is not written yet.
        """
        expected = self.store.state(_STAMP)
        if not expected:  # the first writer may have died since we looked, which the store does not tell
            self._engine.reload()
        is_new = not expected and not self._engine.size
        if self._engine.stamp != expected and not is_new:
            self._write_words(writer)

    def _write_words(self, writer: IndexWriter) -> None:
        """Index every work of the store anew; the stems in the store are made anew too."""
        writer.clear()
        numbers = self.store.all_numbers()
        for start in range(0, len(numbers), _CHUNK):
            part = numbers[start : start + _CHUNK]
            texts = self.store.fulltext(part)
            rows = self.store.rows(part)
            fresh = [Fresh.from_work(it.n, it.work) for it in rows.values()]
            self.store.set_stems(fresh)
            writer.add(_make_page(it, texts.get(it.n, ""), cites=bool(rows[it.n].cites)) for it in fresh)

    def rebuild(self) -> None:
        """Write the word index anew from the store."""
        with self.store.writing(), self._engine.writing() as writer:
            self._write_words(writer)
            self.store.set_state(_STAMP, writer.commit())

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        """Return the works under these numbers, in this order; numbers of no work are left out."""
        found = self.store.rows(numbers)
        return [found[n] for n in numbers if n in found]

    def fulltext(self, id_: str) -> str:
        """Return the full text of a work, "" if there is none."""
        return "".join(self.store.fulltext(list(self.store.numbers([id_]).values())).values())

    def search(self, query: str, limit: int = 10) -> list[Candidate]:
        """Return the works whose titles and abstracts match a query best, however compounds are written."""
        hits = self.engine.search("text", compounds.spread(self.engine, self.store, query), limit)
        return [_make_candidate(row) for row in self.rows([n for n, _ in hits])]

    def lookup(self, *, id: str = "", title: str = "", doi: str = "", arxiv: str = "") -> list[Candidate]:  # noqa: A002
        """Return the works known by any of these; the title counts only if no work is found by an identifier.

        An `id` that works of the corpus only cite finds nothing.  A title matches up to a few letters if no work has
        exactly that title.
        """
        numbers = list(self.store.numbers([id]).values()) if id else []
        numbers += self.store.by_identifier(doi=doi, arxiv=arxiv)
        rows = self.rows(list(dict.fromkeys(numbers)))
        if title and not rows:
            rows = self.rows(self.store.by_title(title) or self._find_similar_titles(title))
        return [_make_candidate(row) for row in rows]

    def _find_similar_titles(self, title: str) -> list[int]:
        """Return the numbers of works whose titles differ by a few letters, among those that share its rarest words.

        Only those that match these words best are compared; none if no title of the corpus has any of its words.
        """
        from rapidfuzz import fuzz

        key = title_key(title)
        engine = self.engine
        indexed = [it for it in set(stems(title)) if engine.holds("title", it)]
        rarest = sorted(indexed, key=lambda it: -engine.rarity("title", it))[:_RAREST_WORDS]
        hits = engine.search("title", dict.fromkeys(rarest, 1.0), _LOOKED_AT)
        rows = self.rows([n for n, _ in hits])
        return [it.n for it in rows if fuzz.ratio(title_key(it.work.title), key) >= _SIMILAR_TITLE]

    def info(self) -> CorpusInfo:
        size = 0
        for file in self.path.rglob("*"):
            with suppress(FileNotFoundError):  # another process may have merged it away
                if file.is_file():
                    size += file.stat().st_size
        return CorpusInfo(self.path, *self.store.counts(), size, f"{STORE_FORMAT}.{ENGINE_FORMAT}")


def words_directory(directory: Path) -> Path:
    """Return the directory of a corpus's word index."""
    return directory / f"words-{ENGINE_FORMAT}"


def default_path(settings: Settings) -> Path:
    """Return the directory of the user's corpus."""
    from platformdirs import user_data_path

    return Path(settings.corpus.path).expanduser() if settings.corpus.path else user_data_path("citelsp") / "corpus"


def _read_batches(works: Iterable[Work]) -> Iterator[list[Work]]:
    """Yield works in batches of at most `_BATCH`, or of what was read in `_SECONDS`.

    If reading ends by an exception, what was read before comes as the last batch, and then the exception.
    """
    iterator = iter(works)
    has_more = True
    while has_more:
        batch: list[Work] = []
        began = time.monotonic()
        has_more = False
        try:
            for work in iterator:
                batch.append(work)
                if len(batch) >= _BATCH or time.monotonic() - began > _SECONDS:
                    has_more = True
                    break
        finally:  # an exception of the reading goes on from here
            if batch:
                yield batch


def _make_page(item: Fresh, text: str, *, cites: bool) -> Page:
    """Make of a work what the word index takes; `text`: its full text, "" if there is none."""
    intro = " ".join(stems(passages.introduction(text))) if text else ""
    parts = tuple(" ".join(stems(part.text)) for part in passages.split(text)) if text else ()
    return Page(item.n, item.title_stems, item.abstract_stems, cites, intro, parts)


def _make_candidate(row: Row) -> Candidate:
    return Candidate(row.work.record(), origins=("corpus",))
