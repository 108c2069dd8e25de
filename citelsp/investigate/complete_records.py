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
    """The records in their order, each by its old name; what no service has, or could be another work, stays as it is.

    A DOI or arXiv id that leads to another work is not the work's own and is left out.
    """
    thin = [it for it in records if is_thin(it)]
    found = dict(zip(map(id, thin), await _looked_up(thin, sources), strict=True))
    return [found.get(id(it), it) for it in records]


async def _looked_up(records: Sequence[Record], sources: Sources) -> list[Record]:
    answers = await insert.find_all(list(map(_question, records)), sources)
    joined = [_joined(record, answer) for record, answer in zip(records, answers, strict=True)]
    # Its identifier may be of a work that the paper only mentions: then its title is what is known.
    astray = [at for at, record in enumerate(joined) if record is None and _named(records[at])]
    for at in astray:
        answered = answers[at].certain
        [answer] = await insert.find_all([records[at].title], sources)
        bare = replace(records[at], identifiers=replace(records[at].identifiers, doi="", arxiv=""))
        joined[at] = _joined(records[at], answer) or (bare if answered else None)
    return [record or old for record, old in zip(joined, records, strict=True)]


def _question(record: Record) -> str:
    return _named(record) or record.title


def _named(record: Record) -> str:
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
    return bool(_named(record) and record.authors) and authors.compare(record.authors, found.authors).same
