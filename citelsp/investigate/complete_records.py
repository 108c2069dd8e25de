"""Works of the corpus of which too little is known for an entry, completed by what services say of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison import author_lists, titles
from citelsp.investigate import insert
from citelsp.investigate.insert import LookUp
from citelsp.sources.ask_services import Sources


def is_thin(record: Record) -> bool:
    """True for a work of the corpus without people, year or venue, as one that was read from a PDF."""
    return record.source == "corpus" and not (record.authors and record.year and record.venue)


@dataclass(frozen=True, slots=True)
class Completion:
    """A record as services describe its work, if it is `complete`; else as it was read.

    A DOI or arXiv id that leads to another work is left out: the text that was read may only mention that work.
    `answer` is what the services said last.
    """

    record: Record
    complete: bool
    answer: LookUp


async def complete_all(records: Sequence[Record], sources: Sources) -> list[Record]:
    """The records in their order, the thin ones completed, each under its own source and id.

    A thin record stays as it is if no service has its work or the answer could be another work, but it loses a DOI or
    arXiv id that leads to another work.
    """
    thin = [record for record in records if is_thin(record)]
    completions = await look_up_all(thin, sources)
    # By identity, since two records of a corpus may be equal.
    by_thin = {id(old): new.record for old, new in zip(thin, completions, strict=True)}
    return [by_thin.get(id(record), record) for record in records]


async def look_up_all(records: Sequence[Record], sources: Sources) -> list[Completion]:
    """Look up works that were read from PDFs, and return what came of it, in the order of the records.

    All are asked for at once, by identifier, or by title if a record has none.  An answer completes a record only if it
    is of the same work.  If the identifier did not lead to that, the title is asked for next.
    """
    questions = [_best_identifier(record) or record.title for record in records]
    answers = await insert.find_all(questions, sources)
    completions = []
    for record, answer in zip(records, answers, strict=True):
        completed = _take_over(record, answer)
        if completed:
            completions.append(Completion(completed, complete=True, answer=answer))
        elif _best_identifier(record):
            # An answer that is certain, and yet not of this work, says that the identifier is another work's.
            completions.append(await _look_up_title(record, sources, leads_elsewhere=answer.certain))
        else:
            completions.append(Completion(record, complete=False, answer=answer))
    return completions


async def _look_up_title(record: Record, sources: Sources, *, leads_elsewhere: bool) -> Completion:
    """Look a record up by its title, after its identifier has not led to its work.

    If it finds nothing, and the identifier leads to another work, the record comes back without DOI and arXiv id.
    """
    [answer] = await insert.find_all([record.title], sources)
    completed = _take_over(record, answer)
    if completed:
        return Completion(completed, complete=True, answer=answer)
    if leads_elsewhere:
        record = replace(record, identifiers=replace(record.identifiers, doi="", arxiv=""))
    return Completion(record, complete=False, answer=answer)


def _best_identifier(record: Record) -> str:
    """The DOI, or else the arXiv id; "" if the record has neither."""
    return record.identifiers.doi or record.identifiers.arxiv


def _take_over(record: Record, answer: LookUp) -> Record | None:
    """Return what the answer says of the work, under the record's own source and id.

    None if the answer is not certain, or may be of another work.
    """
    if not answer.certain:
        return None
    found = answer.candidates[0].record  # of a certain answer the first one is meant
    if not _is_same_work(record, found):
        return None
    return replace(found, source=record.source, id=record.id, abstract=found.abstract or record.abstract)


def _is_same_work(record: Record, found: Record) -> bool:
    """True if titles agree; as a PDF's title may be misread, also if an identifier led there and all people agree."""
    # "looser": one of the two lacks a subtitle, a remark or a formula.
    if titles.compare(record.title, found.title) in ("same", "looser"):
        return True
    has_identifier = bool(_best_identifier(record))
    return has_identifier and bool(record.authors) and author_lists.compare(record.authors, found.authors).same
