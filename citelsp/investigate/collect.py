"""Works for the corpus out of the world: by their identifiers from the services, and from the user's own Zotero.

What the corpus holds already is neither asked for nor read again.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from citelsp.bibliography.record import Record
from citelsp.corpus import pdf_processes
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work, from_mapping
from citelsp.investigate import fulltexts, insert
from citelsp.knowledge import Absent, Unavailable
from citelsp.sources import fulltext, semantic_scholar, zotero
from citelsp.sources.ask_services import Sources
from citelsp.sources.fulltext import FullText
from citelsp.sources.reference_query import chunks

Note = Callable[[str], None]

_TOGETHER = 40  # identifiers that share requests
_AT_ONCE = 4  # works whose texts are fetched at the same time
_MOST_CITED = 500  # works that one cites
_YEAR_ALONE = len("2020")  # of a date


@dataclass(frozen=True, slots=True)
class ZoteroItem:
    """An item of the user's library with its PDF on this machine."""

    work: Work
    file: Path | None = None


async def find_works(
    names: Sequence[str], sources: Sources, corpus: Corpus, problem: Note, known: Note
) -> AsyncGenerator[Work, None]:
    """Yield the works that `names` mean, in the order in which they are ready, for the corpus to take in.

    `names`: identifiers, each of which `insert.read_identifiers` can read; a title would be searched for, and its
    likeliest work taken.  A work has its references, and its text if that may be read freely.
    `problem` is called with a line for each that leads to no work, or whose free text could not be fetched (the work
    comes without it), `known` with the name of each to whose work in the corpus nothing can be added.  Cancel at any
    time.
    """
    gate = asyncio.Semaphore(_AT_ONCE)  # so many texts are fetched at a time
    shelf = _Shelf(sources, corpus, problem, known)
    for part in chunks(list(dict.fromkeys(names)), _TOGETHER):
        answers = await insert.find_all(part, sources)
        reading = []
        for name, answer in zip(part, answers, strict=True):
            if answer.candidates:  # one: what an identifier leads to is certain
                record = answer.candidates[0].record
                reading.append(asyncio.ensure_future(_read_work(name, record, gate, shelf)))
            else:
                problem(answer.reason)
        try:
            for task in asyncio.as_completed(reading):
                work = await task
                if work:
                    yield work
        finally:
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class _Shelf:
    """What a work is read with."""

    sources: Sources
    corpus: Corpus
    problem: Note
    known: Note


async def _read_work(name: str, record: Record, gate: asyncio.Semaphore, shelf: _Shelf) -> Work | None:
    """Return the work of a record for the corpus, with its text and what it cites, as far as these can be had.

    None if nothing can be added to what the corpus has (then `shelf.known` is called), or if the record is of no work
    (then `shelf.problem` is).  `shelf.problem` is called, too, if the text did not come.  `name` is what the user asked
    for; `gate` limits how many texts are fetched at a time.
    """
    described = make_work(record)
    if isinstance(described, str):
        shelf.problem(f"{name}: {described}")
        return None
    work, stored = _join_stored(shelf.corpus, described)
    is_unchanged = stored == work
    has_text = bool(shelf.corpus.store.fulltext(_find_numbers(shelf.corpus, work)))
    if is_unchanged and has_text:
        shelf.known(name)
        return None
    async with gate:
        # Also for a known work without a text, which may be free by now.
        answer = await fulltext.fetch(shelf.sources.client, record)
        if is_unchanged and isinstance(answer, Absent):
            shelf.known(name)
            return None
        if isinstance(answer, Unavailable):
            # Also an unchanged work comes back then: the corpus, which compares it with its own, counts it as such.
            shelf.problem(f"{name}: its text is not available ({answer})")
        return await _add_text(work, record, answer if isinstance(answer, FullText) else None, shelf.sources)


async def _add_text(work: Work, record: Record, free_text: FullText | None, sources: Sources) -> Work:
    """Return the work with its text, if there is one, and with what it cites, as items of a reference list.

    These are the DOIs in its record and the items of the text's own list; without any, what Semantic Scholar says.  If
    text or list stays empty, the corpus keeps what it has of it.
    """
    text = ""
    listed: tuple[str, ...] = ()
    if free_text:
        text, listed = await asyncio.to_thread(fulltexts.read, free_text)
    # Among a record's references are ids of other kinds, too, which no reference list has.
    dois = tuple(f"doi:{reference}" for reference in record.references if reference.startswith("10."))
    if not dois and not listed:
        listed = await _ask_for_references(record, sources)
    return replace(work, text=text, listed=(*dois, *listed))


async def _ask_for_references(record: Record, sources: Sources) -> tuple[str, ...]:
    """Ask Semantic Scholar what the work cites; return that as items of a reference list.

    Empty if the settings do not let it be asked, if it does not answer, or if the work has none of its identifiers.
    """
    identifiers = record.identifiers
    # As Semantic Scholar names a work, in order of preference; its own id has no prefix.
    value_by_prefix = {
        "ARXIV:": identifiers.arxiv,
        "DOI:": identifiers.doi,
        "ACL:": identifiers.acl,
        "PMID:": identifiers.pmid,
        "": identifiers.s2,
    }
    name = next((prefix + value for prefix, value in value_by_prefix.items() if value), "")
    if not name or "semantic_scholar" not in insert.list_services(sources):
        return ()
    answer = await semantic_scholar.references(sources.client, name, _MOST_CITED)
    if isinstance(answer, Unavailable):
        return ()
    return tuple(_write_reference(candidate.record) for candidate in answer)


def _write_reference(record: Record) -> str:
    """`doi:10.… arXiv:1706.03762 “Attention Is All You Need.”`"""
    identifiers = record.identifiers
    doi = f"doi:{identifiers.doi}" if identifiers.doi else ""
    arxiv = f"arXiv:{identifiers.arxiv}" if identifiers.arxiv else ""
    return " ".join(filter(None, (doi, arxiv, f"“{record.title}.”")))


async def read_zotero(sources: Sources, *, groups: bool = False) -> list[ZoteroItem] | Unavailable:
    """Return every item of the user's Zotero that has a title; with `groups` also those of their group libraries.

    Unavailable if one of the libraries cannot be read: the rest would be taken for all.
    """
    places = await zotero.libraries(sources.client) if groups else (zotero.OWN,)
    if isinstance(places, Unavailable):
        return places
    every: list[ZoteroItem] = []
    for place in places:
        items = await _read_library(sources, place)
        if isinstance(items, Unavailable):
            return items
        every += items
    return every


async def _read_library(sources: Sources, place: str) -> list[ZoteroItem] | Unavailable:
    """Return the items of one library of Zotero, each with the first of its PDFs that is on this machine.

    Items without a title, of which the corpus can make no work, are passed over.  `place`: the library's address in
    Zotero's interface, such as zotero.OWN.
    """
    records = await zotero.library(sources.client, place)
    if isinstance(records, Unavailable):
        return records
    attachments_of = await zotero.attachments(sources.client, place) if records else {}  # by id of an item
    if isinstance(attachments_of, Unavailable):
        return attachments_of
    items = []
    for record in records:
        work = make_work(record)
        if isinstance(work, str):  # why it is none
            continue
        items.append(ZoteroItem(work, await _find_pdf(sources, attachments_of.get(record.id, ()), place)))
    return items


async def _find_pdf(sources: Sources, attachments: Sequence[str], place: str) -> Path | None:
    """Return the path of the first attachment that is a PDF on this machine; None if none is."""
    for attachment in attachments:
        file = await zotero.file_of(sources.client, attachment, place)
        if file:
            return file
    return None


def find_new_works(items: Sequence[ZoteroItem], corpus: Corpus, problem: Note, known: Note) -> Iterator[Work]:
    """Yield the works of these items that are new to the corpus, or have changed since; then those with a new PDF.

    The latter have the PDF's text and reference list.  A new work with a new PDF comes twice, so that it is there even
    if the PDF cannot be read.  Items that share a new PDF all get its text, and it is read once.  `known` is called
    with the title of each work that is neither new nor changed, nor has a new PDF; `problem` with a line for each file
    that cannot be read, or changes meanwhile.
    """
    works_by_digest: dict[str, list[Work]] = {}
    unread: list[Path] = []
    for item in items:
        work, stored = _join_stored(corpus, item.work)
        digest = _hash_file(item.file, problem) if item.file else ""
        is_new_file = bool(digest) and not corpus.store.has_file(digest)
        if item.file and is_new_file:
            if digest not in works_by_digest:
                unread.append(item.file)
            works_by_digest.setdefault(digest, []).append(work)
        if stored != work:
            yield work
        elif not is_new_file:
            known(work.title)
    yield from _read_files(unread, works_by_digest, problem)


def _read_files(files: Sequence[Path], works_by_digest: Mapping[str, Sequence[Work]], problem: Note) -> Iterator[Work]:
    """Read these PDFs; yield the works whose file each is, with its text and reference list.

    `works_by_digest` has them by the digest that their file had before it was read.
    """
    for read in pdf_processes.read(files, problem):  # `read.file` is the digest of the bytes that were read
        works = works_by_digest.get(read.file, [])
        if not works:  # no item had such a file when it was hashed
            problem("A PDF in Zotero changed while it was read: add the library again.")
        for work in works:
            # People, year and identifiers are Zotero's: what a PDF says of them may be misread.
            abstract = work.abstract or read.abstract
            yield replace(work, abstract=abstract, text=read.text, listed=read.listed, file=read.file)


def _hash_file(path: Path, problem: Note) -> str:
    """Return the digest by which the corpus knows a file; "" if it cannot be read, which `problem` is called with."""
    try:
        return pdf_processes.digest_of(path)
    except OSError as error:
        problem(f"{path}: cannot be read: {error.strerror or error}")
        return ""


def make_work(record: Record) -> Work | str:
    """Return the work of a record as the corpus keeps it, without text and references; “no title” if it has none."""
    return from_mapping(
        {
            "title": record.title,
            "abstract": record.abstract,
            "authors": [f"{name.family}, {name.given}" if name.given else name.family for name in record.authors],
            "year": record.year,
            "date": record.date if len(record.date) > _YEAR_ALONE else "",  # “2019” says no more than the year
            "venue": record.venue,
            "doi": record.identifiers.doi,
            "arxiv": record.identifiers.arxiv,
        }
    )


def _join_stored(corpus: Corpus, work: Work) -> tuple[Work, Work | None]:
    """Return the work with the id, and if it has no abstract with that, of the corpus; then the work as stored there.

    The latter is None if the corpus does not have the work.
    """
    rows = corpus.rows(_find_numbers(corpus, work))
    if not rows:
        return work, None
    stored = rows[0].work  # of several that one with the work's id, else the first with an identifier of it
    return replace(work, id=stored.id, abstract=work.abstract or stored.abstract), stored


def _find_numbers(corpus: Corpus, work: Work) -> list[int]:
    store = corpus.store
    return [*store.numbers([work.id]).values(), *store.by_identifier(doi=work.doi, arxiv=work.arxiv)]
