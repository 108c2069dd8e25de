"""One DOI, arXiv id, ISBN or PubMed id in two entries of different works: one of them was copied.

Chapters share the ISBN of their book, and what has the same title is another check's.
"""

import re
from collections.abc import Iterable, Iterator

from citelsp.bibliography import titles
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import normal_isbn
from citelsp.bibliography.same_work import SHORT, marks
from citelsp.checks.duplicate_entry import files_of, pairs, same_work
from citelsp.checks.finding import Check, Finding, Related, bounded
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.blocks import BibNode
from citelsp.workspace.project import Place, Project

CODE = "shared-identifier"
_SERIAL = re.compile(r"\b(?P<name>isbn|pmid)\s*+=\s*+[{\"]?\s*+(?P<value>[\dXx -]{4,20})", re.IGNORECASE)
_PARTS = frozenset(
    "inbook incollection inproceedings conference inreference bookinbook suppbook suppcollection".split()
)
_BOOKS = frozenset(
    "book mvbook collection mvcollection proceedings mvproceedings manual thesis phdthesis reference".split()
)


def check(project: Project, knowledge: Knowledge) -> list[Finding]:
    return bounded(_findings(project, knowledge))


def _findings(project: Project, knowledge: Knowledge) -> Iterator[Finding]:
    files, seen = files_of(project), set[tuple[str, str]]()
    for fact in (marks, _serials):
        for first, second in pairs(project, files, fact):
            if second is None or (first.node.key, second.node.key) in seen:
                continue
            if shared := _shared(first, second):
                seen.add((first.node.key, second.node.key))
                if _is_verified(second, knowledge) and not _is_verified(first, knowledge):
                    first, second = second, first
                yield _finding(first, second, *shared)


def _is_verified(place: Place, knowledge: Knowledge) -> bool:
    """True if the work was found as the entry describes it: then the identifier is the other entry's mistake."""
    if not knowledge.verdicts:
        return False
    verdict = knowledge.verdicts.get(place.content)
    return verdict is not None and verdict.kind == "verified"


def _serials(node: BibNode) -> Iterable[int]:
    found = _SERIAL.finditer(node.source, node.key_span.end)
    return [hash((it["name"].lower(), _plain(it["name"], it["value"]))) for it in found]


def _plain(name: str, value: str) -> str:
    return normal_isbn(value) or value if name.lower() == "isbn" else value.strip()


def _shared(first: Place, second: Place) -> tuple[str, str] | None:
    """The field and the identifier that two entries of different works have in common."""
    one, other = (Entry(it.node, it.source.syntax.strings) for it in (first, second))
    if _are_alike(one, other) or same_work(first.entry, second.entry):
        return None
    mine, theirs = one.identifiers, other.identifiers
    kinds = {first.node.kind, second.node.kind}
    in_one_book = kinds & _PARTS and (kinds & _BOOKS or _key(one, "booktitle") == _key(other, "booktitle"))
    if mine.doi and mine.doi == theirs.doi:
        return None if in_one_book else ("doi", f"DOI {mine.doi}")
    if mine.arxiv and mine.arxiv == theirs.arxiv:
        return "eprint", f"arXiv id {mine.arxiv}"
    for name in ("pmid", "isbn"):
        value = _plain(name, one.text(name))
        if not value or value != _plain(name, other.text(name)):
            continue
        if name == "pmid" or (kinds <= _BOOKS and one.text("volume") == other.text("volume")):
            return name, f"{'PubMed id' if name == 'pmid' else 'ISBN'} {value}"
    return None


def _are_alike(one: Entry, other: Entry) -> bool:
    """True if the titles may be of one work, or are not known."""
    title, other_title = titles.key(one.title), titles.key(other.title)
    if not title or not other_title or title.startswith(other_title) or other_title.startswith(title):
        return True
    # "Supplemental material: …", "Erratum to …"
    shorter, longer = sorted((title, other_title), key=len)
    return len(shorter) >= SHORT and shorter in longer


def _key(entry: Entry, name: str) -> str:
    return titles.key(entry.text(name))


def _finding(first: Place, second: Place, field: str, identifier: str) -> Finding:
    path, node = second.source.document.path, second.node
    written = next((it.value_span for it in node.fields() if it.name == field), node.key_span)
    message = f"“{first.node.key}” has the {identifier} too: they are one work, or one identifier is wrong."
    related = (Related(first.source.document.path, first.key_span, f"the {identifier} again"),)
    return Finding(CODE, path, written.moved(second.start), message, node.key, field, related=related)


CHECK = Check(
    CODE,
    "warning",
    "Two entries of different works have the same DOI, arXiv id, ISBN or PubMed id.",
    check,
    facts=lambda *_: [marks, _serials],
)
