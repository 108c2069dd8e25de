"""The word index: BM25 over titles, over titles with abstracts, and over works whose references are known.

Fields: `title`; `text` (title and abstract joined, which ranks better than two fields); `citing` (the same text, only
of works with a reference list).
"""

import json
import math
from collections.abc import Iterable, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citelsp.corpus.words import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 1
WRITER_BYTES = 128_000_000
TextField = Literal["title", "text", "citing"]


@dataclass(frozen=True, slots=True)
class Page:
    """The words of one work."""

    n: int
    title: str
    abstract: str
    cites: bool  # its references are known


class Engine:
    """A tantivy index in a directory of its own."""

    def __init__(self, directory: Path) -> None:
        import tantivy

        directory.mkdir(mode=0o700, exist_ok=True)
        self._directory = directory
        self._schema = _schema()
        self._index = tantivy.Index(self._schema, path=str(directory), reuse=True)
        self._index.config_reader(reload_policy="manual")
        self.reload()

    def reload(self) -> None:
        """See what has been committed since."""
        self._index.reload()
        self._searcher = self._index.searcher()
        self.rarity = lru_cache(maxsize=100_000)(self._rarity)

    @property
    def stamp(self) -> str:
        """Names the last commit."""
        with suppress(OSError, ValueError):
            return str(json.loads((self._directory / "meta.json").read_text(encoding="utf-8"))["opstamp"])
        return ""

    @property
    def size(self) -> int:
        return int(self._searcher.num_docs)

    def search(self, field: TextField, weights: Mapping[str, float], limit: int) -> list[tuple[int, float]]:
        """Numbers and BM25 scores of the works that hold any of the weighted stems, best first."""
        from tantivy import Occur, Query

        terms = [
            (Occur.Should, Query.boost_query(Query.term_query(self._schema, field, stem, "freq"), weight))
            for stem, weight in weights.items()
        ]
        if not terms:
            return []
        hits = self._searcher.search(Query.boolean_query(terms), limit, count=False).hits
        numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
        return [(int(n), score) for n, (score, _) in zip(numbers, hits, strict=True) if n is not None]

    def holds(self, field: TextField, stem: str) -> bool:
        return bool(self._searcher.doc_freq(field, stem))

    def _rarity(self, field: TextField, stem: str) -> float:
        """Inverse document frequency of a stem, as BM25 counts it."""
        count = self._searcher.doc_freq(field, stem)
        return math.log1p((self.size - count + 0.5) / (count + 0.5))

    @contextmanager
    def writing(self) -> "Iterator[Writer]":
        """A writer for one commit at a time; whatever is not committed is forgotten."""
        writer = Writer(self._index.writer(heap_size=WRITER_BYTES, num_threads=1))
        try:
            yield writer
        finally:
            writer.finish()
            self.reload()


class Writer:
    """Adds works to an Engine."""

    def __init__(self, writer: Any) -> None:  # noqa: ANN401 - tantivy is untyped
        self._writer = writer

    def clear(self) -> None:
        self._writer.delete_all_documents()

    def remove(self, numbers: Iterable[int]) -> None:
        for n in numbers:
            self._writer.delete_documents_by_term("number", n)

    def add(self, pages: Iterable[Page]) -> None:
        """Index works under their numbers; one that is there already must be removed first."""
        from tantivy import Document

        for page in pages:
            title = fold(page.title)
            text = f"{title} {fold(page.abstract)}" if page.abstract else title
            document = Document(number=page.n, title=title, text=text)
            if page.cites:
                document.add_text("citing", text)
            self._writer.add_document(document)

    def commit(self) -> str:
        """Make all additions visible to readers; the name of the commit."""
        return str(self._writer.commit())

    def finish(self) -> None:
        self._writer.rollback()
        self._writer.wait_merging_threads()


def _schema() -> Any:  # noqa: ANN401
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_integer_field("number", indexed=True, fast=True)
    for name in ("title", "text", "citing"):
        builder.add_text_field(name, tokenizer_name="en_stem", index_option="freq")
    return builder.build()
