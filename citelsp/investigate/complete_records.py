"""Works of the corpus of which too little is known for an entry, completed by what services say of them."""

from collections.abc import Sequence
from dataclasses import replace

from citelsp.bibliography import authors, titles
from citelsp.bibliography.record import Record
from citelsp.investigate import insert
from citelsp.investigate.insert import LookUp
from citelsp.sources.ask_services import Sources


def is_thin(record: Record) -> bool:
    """True for a work of the corpus without people, year or venue, as one that was read from a PDF."""
    return record.source == "corpus" and not (record.authors and record.year and record.venue)


async def completed(records: Sequence[Record], sources: Sources) -> list[Record]:
    """The records in their order, the thin ones completed, each under its own source and id.

    A thin record stays as it is if no service has its work or the answer could be another work. A DOI or arXiv id that
    leads to another work is left out: the text that was read may only mention that work.
    """
    thin = [record for record in records if is_thin(record)]
    complete = await _completed_thin(thin, sources)
    # By identity, since two records of a corpus may be equal.
    by_thin = {id(old): new for old, new in zip(thin, complete, strict=True)}
    return [by_thin.get(id(record), record) for record in records]


async def _completed_thin(records: Sequence[Record], sources: Sources) -> list[Record]:
    """Each record completed, or as it is: first all are asked by identifier, or by title if a record has none."""
    questions = [_identifier(record) or record.title for record in records]
    answers = await insert.find_all(questions, sources)
    complete = []
    for record, answer in zip(records, answers, strict=True):
        completion = _joined(record, answer)
        if completion is None and _identifier(record):
            completion = await _completed_by_title(record, sources, leads_elsewhere=answer.certain)
        complete.append(completion or record)
    return complete


async def _completed_by_title(record: Record, sources: Sources, *, leads_elsewhere: bool) -> Record | None:
    """The record completed by its title, after its identifier has not led to its work; None if that fails too.

    If the identifier leads to another work, what is left is the record without it.
    """
    [answer] = await insert.find_all([record.title], sources)
    completion = _joined(record, answer)
    if completion is None and leads_elsewhere:
        return replace(record, identifiers=replace(record.identifiers, doi="", arxiv=""))
    return completion


def _identifier(record: Record) -> str:
    """The DOI, or else the arXiv id; "" if the record has neither."""
    return record.identifiers.doi or record.identifiers.arxiv


def _joined(record: Record, answer: LookUp) -> Record | None:
    """What is written of the work; None if the answer is none, or may be of another work."""
    if not answer.certain:
        return None
    found = answer.candidates[0].record
    if not _is_same(record, found):
        return None
    return replace(found, source=record.source, id=record.id, abstract=found.abstract or record.abstract)


def _is_same(record: Record, found: Record) -> bool:
    """By the title, or by all people if an identifier led there and the title was misread."""
    if titles.compare(record.title, found.title) in ("same", "looser"):
        return True
    return bool(_identifier(record) and record.authors) and authors.compare(record.authors, found.authors).same
