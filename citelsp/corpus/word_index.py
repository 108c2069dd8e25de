"""The word index: BM25 over titles, titles with abstracts, introductions and passages of full texts.

Each field that only some works have is an index of its own, as BM25 measures lengths against the average of an index:

    title, text   every work; `text` is title and abstract joined, which ranks better than two fields
    citing        `text` of the works whose references are known
    intro         `text` and the introduction (level 2)
    passage       the full text, one document a passage (level 3)

Words come stemmed and without stop words, as `words.stems` makes them, separated by spaces.
"""

import json
import math
import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast

from citelsp.corpus.store import CorpusError

FORMAT = 3
TextField = Literal["title", "text", "citing", "intro", "passage"]
_FIELDS: dict[str, tuple[TextField, ...]] = {
    "works": ("title", "text"),
    "citing": ("citing",),
    "intros": ("intro",),
    "passages": ("passage",),
}
# Bytes of a writer's memory by index: full, a segment is written, and few segments are searched faster.
_HEAP = {"works": 1_000_000_000, "citing": 150_000_000}
_SMALL_HEAP = 50_000_000  # of the others; tantivy's minimum is 15 MB
_END_OF_FILE = struct.pack("<I", 1337)  # tantivy's FOOTER_MAGIC_NUMBER


@dataclass(frozen=True, slots=True)
class Page:
    """The stems of one work, separated by spaces."""

    n: int
    title: str
    abstract: str = ""
    cites: bool = False  # its references are known
    intro: str = ""
    passages: tuple[str, ...] = ()


class Engine:
    """Four tantivy indexes in one directory."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(mode=0o700, exist_ok=True)
        self._indexes = {name: _Index(directory / name, fields) for name, fields in _FIELDS.items()}
        self._by_field = {field: self._indexes[name] for name, fields in _FIELDS.items() for field in fields}
        self.reload()

    def reload(self) -> None:
        """See what has been committed since."""
        for index in self._indexes.values():
            index.reload()
        self.rarity = lru_cache(maxsize=100_000)(self._compute_rarity)

    @property
    def stamp(self) -> str:
        """Names the last commit."""
        return " ".join(it.stamp for it in self._indexes.values())

    @property
    def size(self) -> int:
        """How many works are indexed."""
        return self._indexes["works"].size

    def holds(self, field: TextField, stem: str) -> bool:
        return self._by_field[field].count(field, stem) > 0

    def search(self, field: TextField, weights: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        """Return numbers and BM25 scores of the works with any of the weighted stems in `field`, best first.

        In the field "passage" a work has several documents, and counts by its best.  `limit`: how many documents are
        looked at.  [] if there are no stems, or no documents in this field.
        """
        index = self._by_field[field]
        if not weights or not index.size:
            return []
        hits = index.search(field, weights, limit)
        if field != "passage":
            return hits
        # Hits come best first, so the first of a work's passages is its best.
        best: dict[int, float] = {}
        for n, score in hits:
            best.setdefault(n, score)
        return list(best.items())

    def _compute_rarity(self, field: TextField, stem: str) -> float:
        """Inverse document frequency of a stem, as BM25 counts it."""
        index = self._by_field[field]
        count = index.count(field, stem)
        return math.log1p((index.size - count + 0.5) / (count + 0.5))

    @contextmanager
    def writing(self) -> Iterator["IndexWriter"]:
        """A writer; whatever it does not commit is forgotten.  OSError if the disk takes no more."""
        with ExitStack() as stack:
            yield IndexWriter(self._indexes, stack)
        self.reload()


@contextmanager
def _damage(directory: Path) -> Iterator[None]:
    """Turn what tantivy raises of damaged files into CorpusError."""
    try:
        with _panics_as(_damaged(directory)):
            yield
    except (ValueError, LookupError, TypeError) as problem:
        raise _damaged(directory) from problem


def _damaged(directory: Path) -> CorpusError:
    return CorpusError(f"the word index {directory.parent} is damaged: delete it, and it will be rebuilt")


@contextmanager
def _panics_as(error: Exception) -> Iterator[None]:
    """This error for a panic of tantivy, which is no Exception."""
    try:
        yield
    except _panics() as problem:
        raise error from problem


def _panics() -> tuple[type[BaseException], ...]:
    """Return the classes of panics in Rust: made at the first one, and in no module that could be imported."""
    return tuple(it for it in BaseException.__subclasses__() if it.__name__ == "PanicException")


@contextmanager
def _disk_errors() -> Iterator[None]:
    """OSError for the ValueError by which tantivy says that it could not read or write a file."""
    try:
        with _panics_as(OSError("the word index is damaged: delete words-*, and it will be rebuilt")):
            yield
    except ValueError as problem:
        raise OSError(str(problem)) from problem


class IndexWriter:
    """Adds works to an Engine.  An index that gets and loses nothing is not written: a commit waits for the disk."""

    def __init__(self, indexes: Mapping[str, "_Index"], stack: ExitStack) -> None:
        self._indexes = indexes
        self._stack = stack
        self._writers: dict[str, Any] = {}

    def _open_writer(self, name: str) -> Any:  # noqa: ANN401 - tantivy has no types
        if name not in self._writers:
            heap = _HEAP.get(name, _SMALL_HEAP)
            self._writers[name] = self._stack.enter_context(self._indexes[name].writing(heap))
        return self._writers[name]

    @_disk_errors()
    def clear(self) -> None:
        for name in self._indexes:
            self._open_writer(name).delete_all_documents()

    @_disk_errors()
    def remove(self, numbers: Iterable[int]) -> None:
        for n in numbers:
            for name in self._indexes:
                self._open_writer(name).delete_documents_by_term("number", n)

    @_disk_errors()
    def add(self, pages: Iterable[Page]) -> None:
        """Index works under their numbers.  A work that is there already must be removed first, or is found twice.

        Works whose references are known (`cites`) are indexed a second time: a search for citing works asks only these.
        """
        from tantivy import Document

        for page in pages:
            text = f"{page.title} {page.abstract}" if page.abstract else page.title
            self._open_writer("works").add_document(Document(number=page.n, title=page.title, text=text))
            if page.cites:
                self._open_writer("citing").add_document(Document(number=page.n, citing=text))
            if page.intro:
                self._open_writer("intros").add_document(Document(number=page.n, intro=f"{text} {page.intro}"))
            for passage in page.passages:
                self._open_writer("passages").add_document(Document(number=page.n, passage=passage))

    @_disk_errors()
    def commit(self) -> str:
        """Make all additions visible to readers; the name of the commit, as Engine.stamp has it."""
        stamps: list[str] = []
        for name, index in self._indexes.items():
            writer = self._writers.get(name)  # None: nothing was added to this index or removed from it
            stamps.append(index.stamp if writer is None else str(writer.commit()))
        return " ".join(stamps)


class _Index:
    """One tantivy index."""

    def __init__(self, directory: Path, fields: Iterable[str]) -> None:
        """Open the index in `directory`, or make it there, with these fields of text.  CorpusError if it is damaged."""
        from tantivy import Index, SchemaBuilder

        directory.mkdir(mode=0o700, exist_ok=True)
        self._directory = directory
        builder = SchemaBuilder()
        # Signed: with an unsigned field, tantivy's thread panics at `Document(number=…)`.
        builder.add_integer_field("number", indexed=True, fast=True)
        for field in fields:
            # Without positions, as no phrase is searched.
            builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
        self._schema = builder.build()
        with _damage(directory):
            _refuse_damage(directory)
            self._index = Index(self._schema, path=str(directory), reuse=True)
            self._index.config_reader(reload_policy="manual")  # what others commit is seen after `reload` only
        self.reload()

    def reload(self) -> None:
        with _damage(self._directory):
            self._index.reload()
            self._searcher = self._index.searcher()
            self.size = int(self._searcher.num_docs)

    @property
    def stamp(self) -> str:
        with suppress(OSError, ValueError, LookupError, TypeError):
            return str(json.loads((self._directory / "meta.json").read_text(encoding="utf-8"))["opstamp"])
        return "?"

    def count(self, field: str, stem: str) -> int:
        with _damage(self._directory):
            return int(self._searcher.doc_freq(field, stem))

    def search(self, field: str, weights: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        """Return numbers and BM25 scores of at most `limit` documents with any of the weighted stems, best first."""
        from tantivy import Occur, Query

        terms = []
        for stem, weight in weights.items():
            query = Query.term_query(self._schema, field, stem, "freq")
            terms.append((Occur.Should, Query.boost_query(query, weight)))
        with _damage(self._directory):
            hits = self._searcher.search(Query.boolean_query(terms), limit, count=False).hits
            if not hits:
                return []
            scores, addresses = zip(*hits, strict=True)
            numbers = cast("list[int]", self._searcher.fast_field_values("number", list(addresses)))
            return list(zip(numbers, scores, strict=True))

    @contextmanager
    def writing(self, heap: int) -> Iterator[Any]:
        """Open tantivy's writer with `heap` bytes of memory; at the end, what it has not committed is dropped."""
        writer = self._index.writer(heap_size=heap, num_threads=1)
        # A commit that was killed leaves files behind, whose names the next one may want.
        writer.garbage_collect_files()
        try:
            yield writer
        finally:
            # After a commit there is nothing to roll back; after an exception the lock must not stay with half a batch.
            with _disk_errors():
                writer.rollback()
                writer.wait_merging_threads()


def _refuse_damage(directory: Path) -> None:
    """Raise ValueError if a committed file is cut off or empty, at which tantivy would panic.

    Each whole file ends with a mark (`_END_OF_FILE`).  `meta.json` names the committed segments,
    {"segments": [{"segment_id": "1f2e-…"}]}; their files are named by this id without hyphens: "1f2e….idx".  Other
    files may be half written, but nobody reads them.
    """
    meta = directory / "meta.json"
    if not meta.exists():
        return
    segments = json.loads(meta.read_text(encoding="utf-8"))["segments"]
    committed = {it["segment_id"].replace("-", "") for it in segments}
    for file in directory.iterdir():
        if file.name.partition(".")[0] not in committed:
            continue
        with suppress(FileNotFoundError), file.open("rb") as opened:  # another process may have merged it away
            opened.seek(-min(len(_END_OF_FILE), file.stat().st_size), os.SEEK_END)
            if opened.read() != _END_OF_FILE:
                raise ValueError(f"{file.name} is damaged")
