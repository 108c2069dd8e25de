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


async def complete_all(records: Sequence[Record], sources: Sources) -> list[Record]:
    """The records in their order, the thin ones completed, each under its own source and id.

    A thin record stays as it is if no service has its work or the answer could be another work. A DOI or arXiv id that
    leads to another work is left out: the text that was read may only mention that work.
    """
    thin = [record for record in records if is_thin(record)]
    complete = await _complete_thin(thin, sources)
    # By identity, since two records of a corpus may be equal.
    by_thin = {id(old): new for old, new in zip(thin, complete, strict=True)}
    return [by_thin.get(id(record), record) for record in records]


async def _complete_thin(records: Sequence[Record], sources: Sources) -> list[Record]:
    """Return the records in their order, each completed if its work was found, else as it is.

    All are asked for at once, by identifier, or by title if a record has none.  If the identifier did not lead to the
    work, the title is asked for next.
    """
    questions = [_best_identifier(record) or record.title for record in records]
    answers = await insert.find_all(questions, sources)
    complete = []
    for record, answer in zip(records, answers, strict=True):
        completion = _take_over(record, answer)
        if completion is None and _best_identifier(record):
            # An answer that is certain, and yet not of this work, says that the identifier is another work's.
            completion = await _complete_by_title(record, sources, leads_elsewhere=answer.certain)
        complete.append(completion or record)
    return complete


async def _complete_by_title(record: Record, sources: Sources, *, leads_elsewhere: bool) -> Record | None:
    """The record completed by its title, after its identifier has not led to its work; None if that fails too.

    If the identifier leads to another work, what is left is the record without it.
    """
    [answer] = await insert.find_all([record.title], sources)
    completion = _take_over(record, answer)
    if completion is None and leads_elsewhere:
        return replace(record, identifiers=replace(record.identifiers, doi="", arxiv=""))
    return completion


def _best_identifier(record: Record) -> str:
    """The DOI, or else the arXiv id; "" if the record has neither."""
    return record.identifiers.doi or record.identifiers.arxiv


def _take_over(record: Record, answer: LookUp) -> Record | None:
    """Return what the answer says of the work, under the record's own source and id.

    None if the answer is not certain, or may be of another work.
    """
    if not answer.certain:
        return None
    found = answer.candidates[0].record
    if not _is_same_work(record, found):
        return None
    return replace(found, source=record.source, id=record.id, abstract=found.abstract or record.abstract)


def _is_same_work(record: Record, found: Record) -> bool:
    """True if titles agree; as a PDF's title may be misread, also if an identifier led there and all people agree."""
    if titles.compare(record.title, found.title) in ("same", "looser"):
        return True
    has_identifier = bool(_best_identifier(record))
    return has_identifier and bool(record.authors) and authors.compare(record.authors, found.authors).same
