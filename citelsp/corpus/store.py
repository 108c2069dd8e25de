"""What is known of every work, in one SQLite file: the truth from which the word index can be rebuilt.

A writer holds the file's write lock for a whole transaction; readers in any process see the last committed state.
"""

import os
import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from citelsp.corpus.words import key_number, stems, title_key
from citelsp.corpus.work import Work

FORMAT = 2
_PATIENCE = 180  # seconds that a writer waits for another
_PAUSE = 0.01  # seconds between two attempts
_MOST_VARIABLES = 900  # of one statement; SQLite's oldest limit is 999
_SCHEMA_1 = """
CREATE TABLE node(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE work(n INTEGER PRIMARY KEY, digest BLOB NOT NULL, title TEXT NOT NULL, title_key INTEGER NOT NULL,
    abstract TEXT NOT NULL, authors TEXT NOT NULL, year INTEGER, date TEXT NOT NULL, venue TEXT NOT NULL,
    doi TEXT, arxiv TEXT, published TEXT NOT NULL, title_stems TEXT NOT NULL, abstract_stems TEXT NOT NULL,
    cites BLOB NOT NULL);
CREATE INDEX work_title ON work(title_key);
CREATE INDEX work_doi ON work(doi) WHERE doi IS NOT NULL;
CREATE INDEX work_arxiv ON work(arxiv) WHERE arxiv IS NOT NULL;
CREATE TABLE citation(cited INTEGER, citing INTEGER, year INTEGER NOT NULL, PRIMARY KEY(cited, citing)) WITHOUT ROWID;
CREATE TABLE fulltext(n INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE state(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_SCHEMA_2 = """
CREATE TABLE wanted(name TEXT, citing INTEGER, PRIMARY KEY(name, citing)) WITHOUT ROWID;
CREATE INDEX wanted_citing ON wanted(citing);
CREATE TABLE file(digest TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
"""
_COLUMNS = "work.n, node.id, title, abstract, authors, year, date, venue, doi, arxiv, cites"


class CorpusError(Exception):
    """The corpus cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """A work under its number; `cites` are numbers of works that may or may not be in the corpus."""

    n: int
    work: Work
    cites: Sequence[int]


class Sketch(NamedTuple):
    """What ranking needs of a work; made by the hundred for every query."""

    n: int
    title: str
    title_key: int  # words.key_number of its title key
    year: int | None
    published: str
    authors: str  # one a line
    title_stems: str  # separated by spaces
    abstract_stems: str


@dataclass(frozen=True, slots=True)
class Fresh:
    """A work just written, with the stems of its title and abstract."""

    n: int
    work: Work
    title_stems: str
    abstract_stems: str

    @classmethod
    def from_work(cls, n: int, work: Work) -> "Fresh":
        return cls(n, work, " ".join(stems(work.title)), " ".join(stems(work.abstract)))


class Citing(NamedTuple):
    """A work whose references are known."""

    n: int
    title_key: int
    published: str
    cites: Sequence[int]


class Store:
    """One SQLite file.  Safe to share between threads."""

    def __init__(self, path: Path, *, create: bool) -> None:
        """Open the file, which is made if `create` is true; OSError if it cannot be made.

        CorpusError if there is none, if it cannot be opened or written, or if it is no corpus of a format that is read
        here.  Several threads may use it, one at a time.
        """
        if not create and not path.exists():
            raise CorpusError(f"there is no corpus in {path.parent}; create one with `citelsp corpus add FILE`")
        # Made by hand first, as SQLite would make it readable by other users of the machine.
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self._lock = RLock()
        self._path = path
        try:
            # Without a level sqlite3 begins no transaction by itself: `writing` does.
            self._db = sqlite3.connect(path, timeout=_PATIENCE, check_same_thread=False, isolation_level=None)
        except sqlite3.OperationalError as problem:  # it is a folder, or another user's
            raise CorpusError(f"{path} cannot be opened: {problem}") from problem
        try:
            self._prepare(path)
        except sqlite3.OperationalError as problem:  # it is locked, or may not be written: the file itself may be whole
            self._db.close()
            raise CorpusError(f"{path} cannot be opened: {problem}") from problem
        except sqlite3.DatabaseError as problem:
            self._db.close()
            raise CorpusError(f"{path} is not a corpus: {problem}") from problem
        except CorpusError:
            self._db.close()
            raise

    def _prepare(self, path: Path) -> None:
        """Set how the connection reads and writes, and bring an empty or older file to this version's format.

        CorpusError if the file has the format of a newer version.
        """
        self._set_write_ahead()
        # With the write-ahead log a power cut loses the last commits at most, never the file (sqlite.org/wal.html).
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._map_much_memory()
        if self._read_version() < FORMAT:
            with self.writing():
                # The version is read again under the lock, as another process may have done this meanwhile.  It is 0 in
                # an empty file, and else how many of the schemas the file has.
                for schema in (_SCHEMA_1, _SCHEMA_2)[self._read_version() :]:
                    for statement in filter(str.strip, schema.split(";")):
                        self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {FORMAT}")
        version = self._read_version()
        if version != FORMAT:
            raise CorpusError(
                f"{path} has format {version}, this citelsp reads {FORMAT}: add the files to a new corpus"
            )

    def _set_write_ahead(self) -> None:
        """Switch the write-ahead log on: with it readers see the last committed state while a writer goes on.

        sqlite3.OperationalError if the file stays locked for `_PATIENCE` seconds, or cannot be written.
        """
        # Here SQLite does not wait, whatever its timeout: if two processes make one corpus, it refuses one of them.
        last_attempt = time.monotonic() + _PATIENCE
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as problem:
                if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > last_attempt:
                    raise
                time.sleep(_PAUSE)

    def _read_version(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    def close(self) -> None:
        """Once no other thread is in the middle of something."""
        with self._lock:
            self._db.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make what is done within `with` one transaction: all of it is written, or nothing if an exception leaves it.

        It waits minutes (`_PATIENCE`) for another writer; CorpusError if that one goes on longer, if the disk takes no
        more, if the file is damaged, or for an OSError of what is done within.  Not to be nested: SQLite refuses a
        transaction within one, which counts as another writer.
        """
        with self._lock, self._damage_as_error():
            try:
                self._map_little_memory()
                self._begin()
                with self._db:  # commits, or rolls back whatever went wrong
                    yield
            except (OSError, sqlite3.OperationalError) as problem:
                raise CorpusError(f"cannot write to {self._path.parent}: {problem}") from problem
            finally:
                self._map_much_memory()

    @contextmanager
    def _damage_as_error(self) -> Iterator[None]:
        """Raise CorpusError for what SQLite says of a damaged file."""
        try:
            yield
        except sqlite3.DatabaseError as problem:
            # Of this class itself are only SQLITE_CORRUPT and SQLITE_NOTADB; classes below it have other causes.
            if type(problem) is not sqlite3.DatabaseError:
                raise
            raise CorpusError(f"{self._path} is damaged ({problem}): add the files to a new corpus") from problem

    def _begin(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as problem:
            raise CorpusError("another process is adding to this corpus: try again when it has finished") from problem

    def _map_much_memory(self) -> None:
        self._db.execute("PRAGMA mmap_size = 2147418112")  # SQLite's largest
        self._db.execute("PRAGMA cache_size = -131072")  # KiB, taken as needed

    def _map_little_memory(self) -> None:
        """Millions of works are written by as little memory as some thousands."""
        self._db.execute("PRAGMA mmap_size = 0")
        self._db.execute("PRAGMA cache_size = -32768")

    def changes(self) -> int:
        """A number that differs once another connection has committed."""
        with self._lock:
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def state(self, name: str) -> str:
        found = self._select("SELECT value FROM state WHERE name = ?", (name,))
        return found[0][0] if found else ""

    def set_state(self, name: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO state VALUES(?, ?)", (name, value))

    def _select(self, sql: str, values: Sequence[object] = ()) -> list[tuple]:  # type: ignore[type-arg]
        with self._lock, self._damage_as_error():
            return self._db.execute(sql, values).fetchall()

    def _select_in(self, sql: str, values: Sequence[object]) -> Iterator[tuple]:  # type: ignore[type-arg]
        """The rows of a query with "IN ({})" for any number of values: of several queries, if these are many."""
        for start in range(0, len(values), _MOST_VARIABLES):
            part = values[start : start + _MOST_VARIABLES]
            yield from self._select(sql.format(",".join("?" * len(part))), part)

    def numbers(self, ids: Sequence[str]) -> dict[str, int]:
        """Numbers of the ids that are known, as works or as references of works."""
        return dict(self._select_in("SELECT id, n FROM node WHERE id IN ({})", ids))

    def ids(self, numbers: Sequence[int]) -> list[str]:
        """The ids of these numbers, in their order."""
        found = dict(self._select_in("SELECT n, id FROM node WHERE n IN ({})", numbers))
        return [found[it] for it in numbers]

    def rows(self, numbers: Sequence[int]) -> dict[int, Row]:
        """Works by number, without full text; numbers of no work are left out."""
        sql = f"SELECT {_COLUMNS} FROM work JOIN node USING(n) WHERE work.n IN ({{}})"  # noqa: S608 - columns are ours
        return {it[0]: _read_row(it) for it in self._select_in(sql, numbers)}

    def sketches(self, numbers: Sequence[int]) -> dict[int, Sketch]:
        sql = """SELECT n, title, title_key, year, published, authors, title_stems, abstract_stems
                 FROM work WHERE n IN ({})"""
        return {it[0]: Sketch._make(it) for it in self._select_in(sql, numbers)}

    def dated(self, numbers: Sequence[int]) -> Iterator[tuple[int, int, str]]:
        """(number, number of the title key, date of publication) of works, in no order."""
        return self._select_in("SELECT n, title_key, published FROM work WHERE n IN ({})", numbers)

    def citing(self, numbers: Sequence[int]) -> dict[int, Citing]:
        sql = "SELECT n, title_key, published, cites FROM work WHERE n IN ({})"
        return {n: Citing(n, key, date, _read_numbers(blob)) for n, key, date, blob in self._select_in(sql, numbers)}

    def cites(self, numbers: Sequence[int]) -> dict[int, Sequence[int]]:
        """Reference lists by number."""
        found = self._select_in("SELECT n, cites FROM work WHERE n IN ({})", numbers)
        return {n: _read_numbers(blob) for n, blob in found}

    def citing_numbers(self) -> list[int]:
        """Numbers of the works whose references are known."""
        return [it[0] for it in self._select("SELECT n FROM work WHERE length(cites) > 0 ORDER BY n")]

    def works_among(self, numbers: Sequence[int]) -> list[int]:
        """The numbers that are of works, not of references alone, in no order."""
        return [n for (n,) in self._select_in("SELECT n FROM work WHERE n IN ({})", numbers)]

    def cited_by(self, number: int, limit: int = 1000) -> list[int]:
        return [it[0] for it in self._select("SELECT citing FROM citation WHERE cited = ? LIMIT ?", (number, limit))]

    def cited_counts(self, numbers: Sequence[int], since: int, until: int) -> dict[int, tuple[int, int]]:
        """How many works of the corpus published until a year cite each of these, and how many of them since another.

        Uncited works are left out.
        """
        sql = f"""SELECT cited, count(*), sum(year >= {since:d}) FROM citation
                  WHERE cited IN ({{}}) AND year <= {until:d} GROUP BY cited"""  # noqa: S608 - two numbers
        return {n: (count, recent) for n, count, recent in self._select_in(sql, numbers)}

    def citers(self, numbers: Sequence[int], until: int) -> Iterator[tuple[int, int]]:
        """(cited, citing) for each work of the corpus published until a year that cites one of these."""
        sql = f"SELECT cited, citing FROM citation WHERE cited IN ({{}}) AND year <= {until:d}"  # noqa: S608 - a number
        return self._select_in(sql, numbers)

    def by_title(self, title: str) -> list[int]:
        key = title_key(title)
        found = self._select("SELECT n, title FROM work WHERE title_key = ?", (key_number(key),))
        return [n for n, other in found if title_key(other) == key]

    def title_numbers(self, keys: Sequence[int]) -> dict[int, list[int]]:
        """Numbers of works by words.key_number of their title keys."""
        found: dict[int, list[int]] = {}
        for key, n in self._select_in("SELECT title_key, n FROM work WHERE title_key IN ({})", keys):
            found.setdefault(key, []).append(n)
        return found

    def by_identifier(self, *, doi: str = "", arxiv: str = "") -> list[int]:
        sql = "SELECT n FROM work WHERE doi = ? UNION SELECT n FROM work WHERE arxiv = ?"
        return [it[0] for it in self._select(sql, (doi.lower() or None, arxiv or None))]

    def fulltext(self, numbers: Sequence[int]) -> dict[int, str]:
        return dict(self._select_in("SELECT n, text FROM fulltext WHERE n IN ({})", numbers))

    def counts(self) -> tuple[int, int, int, int, int, int]:
        """Works, those with an abstract, with references, with full text; citations; files."""
        sql = """SELECT count(*), total(abstract <> ''), total(length(cites) > 0), (SELECT count(*) FROM fulltext),
                 (SELECT count(*) FROM citation), (SELECT count(*) FROM file) FROM work"""
        works, abstracts, citing, texts, citations, files = self._select(sql)[0]
        return works, int(abstracts), int(citing), texts, citations, files

    def all_numbers(self) -> list[int]:
        return [it[0] for it in self._select("SELECT n FROM work ORDER BY n")]

    def put(self, works: Sequence[Work]) -> tuple[list[Fresh], set[int]]:
        """Write works that are new or changed; return these, and the numbers of the changed ones among them.

        The caller has begun a transaction.  Of several works with one id the last one counts.
        """
        latest = {work.id: work for work in works}
        ids: dict[str, None] = {}  # of the works and of those that they cite, each once, in order
        for work in latest.values():
            ids |= dict.fromkeys((work.id, *work.references))
        self._db.executemany("INSERT OR IGNORE INTO node(id) VALUES(?)", ((id_,) for id_ in ids))
        number_of = self.numbers(list(ids))
        # A folder is added again and again; what has not changed must cost a look, not a new index.
        numbers = [number_of[id_] for id_ in latest]
        digest_of = dict(self._select_in("SELECT n, digest FROM work WHERE n IN ({})", numbers))
        fresh: list[Fresh] = []
        for work in latest.values():
            n = number_of[work.id]
            if n not in digest_of or digest_of[n] != work.digest:
                fresh.append(Fresh.from_work(n, work))
        changed = {added.n for added in fresh if added.n in digest_of}
        self._write(fresh, changed, number_of)
        # Of works that are the same, too: their files were read, and need not be read again.
        files = ((work.file, number_of[work.id]) for work in latest.values() if work.file)
        self._db.executemany("INSERT OR REPLACE INTO file VALUES(?, ?)", files)
        return fresh, changed

    def remove(self, numbers: Sequence[int]) -> None:
        """Forget works, inside a transaction.  Their ids stay known to the works that cite them."""
        for n, cites in self.cites(numbers).items():
            # By both columns of the key: a search by `citing` alone would go through the whole table.
            self._db.executemany("DELETE FROM citation WHERE cited = ? AND citing = ?", ((it, n) for it in cites))
        for table, column in (("work", "n"), ("fulltext", "n"), ("file", "n"), ("wanted", "citing")):
            self._db.executemany(f"DELETE FROM {table} WHERE {column} = ?", ((n,) for n in numbers))  # noqa: S608

    def vacuum(self) -> None:
        """Give unused space back to the disk; CorpusError if that has no room for the file a second time meanwhile."""
        with self._lock, self._damage_as_error():
            try:
                self._db.execute("VACUUM")
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.OperationalError as problem:
                raise CorpusError(f"cannot write to {self._path.parent}: {problem}") from problem

    def has_file(self, digest: str) -> bool:
        """Whether the work in a file of these bytes is here."""
        return bool(self._select("SELECT 1 FROM file WHERE digest = ?", (digest,)))

    def works_of_files(self, digests: Sequence[str]) -> list[int]:
        """Numbers of the works in files of these digests."""
        return [n for (n,) in self._select_in("SELECT DISTINCT n FROM file WHERE digest IN ({})", digests)]

    def forget_files(self, digests: Sequence[str]) -> None:
        """Forget that files of these digests were read, inside a transaction; their works stay."""
        self._db.executemany("DELETE FROM file WHERE digest = ?", ((it,) for it in digests))

    def want(self, citing: int, names: Iterable[str]) -> None:
        """Remember by which names a work cites others, instead of those remembered before."""
        self._db.execute("DELETE FROM wanted WHERE citing = ?", (citing,))
        self._db.executemany("INSERT INTO wanted VALUES(?, ?)", ((it, citing) for it in names))

    def wants(self) -> bool:
        return bool(self._select("SELECT 1 FROM wanted LIMIT 1"))

    def unlinked_of(self, citing: Sequence[int]) -> list[tuple[int, str]]:
        return list(self._select_in("SELECT citing, name FROM wanted WHERE citing IN ({})", citing))

    def unlinked_to(self, names: Sequence[str]) -> list[tuple[int, str]]:
        """(number of a citing work, name by which it cites) for each of the names."""
        return list(self._select_in("SELECT citing, name FROM wanted WHERE name IN ({})", names))

    def holders(self, names: Iterable[str]) -> dict[str, int]:
        """Return for each of these names, `doi:…`, `arxiv:…` or `title:…`, the number of one of the works that have it.

        Behind `title:` stands the number of a title key, as reference_list.title_name writes it.  Names that no work
        has, or that are of another kind, are left out.
        """
        values_of: dict[str, list[str | int]] = {"title": [], "arxiv": [], "doi": []}
        for name in names:
            kind, _, value = name.partition(":")
            if kind in values_of:
                values_of[kind].append(int(value) if kind == "title" else value)
        holder_of: dict[str, int] = {}
        for kind, column in (("title", "title_key"), ("arxiv", "arxiv"), ("doi", "doi")):
            sql = f"SELECT {column}, n FROM work WHERE {column} IN ({{}})"  # noqa: S608 - columns are ours
            holder_of |= {f"{kind}:{value}": n for value, n in self._select_in(sql, values_of[kind])}
        return holder_of

    def cite(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Add references to works, given as pairs of numbers (citing, cited); what a work has already is not repeated.

        The caller has begun a transaction.
        """
        cited_by: dict[int, set[int]] = {}
        for citing, cited in pairs:
            cited_by.setdefault(citing, set()).add(cited)
        year_of = dict(self._select_in("SELECT n, year FROM work WHERE n IN ({})", list(cited_by)))
        for citing, earlier in self.cites(list(cited_by)).items():
            new = sorted(cited_by[citing].difference(earlier))
            cites = array("I", [*earlier, *new]).tobytes()
            self._db.execute("UPDATE work SET cites = ? WHERE n = ?", (cites, citing))
            # Without a year 0: the citation counts until any year, and is recent only if all are.
            citations = ((cited, citing, year_of[citing] or 0) for cited in new)
            self._db.executemany("INSERT OR REPLACE INTO citation VALUES(?, ?, ?)", citations)

    def set_stems(self, fresh: Iterable[Fresh]) -> None:
        """Write stems anew, for when they are made in another way than before."""
        sql = "UPDATE work SET title_stems = ?, abstract_stems = ? WHERE n = ?"
        self._db.executemany(sql, ((it.title_stems, it.abstract_stems, it.n) for it in fresh))

    def _write(self, fresh: Sequence[Fresh], changed: set[int], number_of: dict[str, int]) -> None:
        """Write rows of works, citations and full texts; `changed` are the numbers of those that are there already.

        `number_of` has the numbers of all ids, also of cited works.  A changed work loses the references that it had;
        its old full text stays if it comes without one.
        """
        for n, earlier in self.cites(list(changed)).items():
            self._db.executemany(
                "DELETE FROM citation WHERE cited = ? AND citing = ?", ((cited, n) for cited in earlier)
            )
        rows: list[tuple[object, ...]] = []
        citations: list[tuple[int, int, int]] = []  # cited, citing, year of the citing
        for added in fresh:
            cites = [number_of[id_] for id_ in dict.fromkeys(added.work.references)]
            rows.append((added.n, *_list_values(added), array("I", cites).tobytes()))
            citations += [(cited, added.n, added.work.year or 0) for cited in cites]  # 0: see `cite`
        self._db.executemany("INSERT OR REPLACE INTO work VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)
        self._db.executemany("INSERT OR REPLACE INTO citation VALUES(?, ?, ?)", citations)
        texts = ((added.n, added.work.text) for added in fresh if added.work.text)
        self._db.executemany("INSERT OR REPLACE INTO fulltext VALUES(?, ?)", texts)


def _list_values(fresh: Fresh) -> tuple[object, ...]:
    """The columns of the table `work` between `n` and `cites`, in their order."""
    work = fresh.work
    return (
        work.digest, work.title, key_number(title_key(work.title)), work.abstract, "\n".join(work.authors),
        work.year, work.date, work.venue, work.doi or None, work.arxiv or None, work.published,
        fresh.title_stems, fresh.abstract_stems,
    )  # fmt: skip


def _read_numbers(blob: bytes) -> Sequence[int]:
    numbers = array("I")
    numbers.frombytes(blob)
    return numbers


def _read_row(values: tuple) -> Row:  # type: ignore[type-arg]
    n, id_, title, abstract, authors, year, date, venue, doi, arxiv, cites = values
    names = tuple(authors.split("\n")) if authors else ()
    return Row(n, Work(id_, title, abstract, names, year, date, venue, doi or "", arxiv or ""), _read_numbers(cites))
