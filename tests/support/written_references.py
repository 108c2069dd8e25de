"""Hand-written entries and records for the tests of this folder."""

from dataclasses import replace

from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.bibliography.registered_journal import Journal
from citelsp.knowledge import Absent, Found, Unavailable
from citelsp.syntax.bibtex import parsing
from citelsp.verification.question import Question, articles, search
from citelsp.verification.weighing import judge

TITLE = "Deep Residual Learning for Image Recognition"
PEOPLE = (Name("He", "Kaiming"), Name("Zhang", "Xiangyu"), Name("Ren", "Shaoqing"), Name("Sun", "Jian"))
CVPR = "2016 IEEE Conference on Computer Vision and Pattern Recognition (CVPR)"
PAPER = Record(
    "crossref", "10.1109/cvpr.2016.90", TITLE, PEOPLE, years=(2016,), venue=CVPR, type="paper-conference",
    pages="770-778", publisher="IEEE", identifiers=Identifiers(doi="10.1109/cvpr.2016.90"),
)  # fmt: skip
PREPRINT = Record(
    "arxiv", "1512.03385v1", TITLE, PEOPLE, years=(2015,), venue="arXiv", type="preprint",
    identifiers=Identifiers(arxiv="1512.03385"),
)  # fmt: skip
ELSEWHERE = Record(
    "crossref", "10.1000/birds", "Migration of Birds over the Baltic Sea", (Name("Meyer", "Anna"),), years=(2016,),
    venue="Journal of Ornithology", type="article-journal", identifiers=Identifiers(doi="10.1000/birds"),
)  # fmt: skip
FIELDS = {
    "author": "He, Kaiming and Zhang, Xiangyu and Ren, Shaoqing and Sun, Jian",
    "title": TITLE,
    "booktitle": "CVPR",
    "year": "2016",
    "pages": "770--778",
}
ALL = ("crossref", "semantic_scholar", "openalex", "dblp", "arxiv", "europepmc", "doi", "datacite", "openlibrary")


def cited(kind="inproceedings", **changes):
    """The entry of PAPER with some fields changed; None removes one."""
    fields = {name: value for name, value in (FIELDS | changes).items() if value is not None}
    return read(f"@{kind}{{he, " + ", ".join(f"{name} = {{{value}}}" for name, value in fields.items()) + "}\n")


def read(text):
    """The first entry of a .bib file."""
    syntax = parsing.parse(Document("r.bib", text, "bibtex"))
    return Entry(syntax.entries.node(0), syntax.strings)


def by(source, record=PAPER, **changes):
    return replace(record, source=source, **changes)


def answers(entry, *lookups):
    """(question, lookup) pairs as answers; a record stands for what a search at its source found."""
    asked = {}
    for it in lookups:
        question, lookup = it if isinstance(it, tuple) else (search(it.source, entry), it)
        asked[question] = judge(entry, question, Found(it.source, (it,)) if isinstance(lookup, Record) else lookup)
    return asked


def found(service, kind, value, record):
    return Question(service, kind, value), Found(service, (record,))


def nothing(service, entry):
    return search(service, entry), Absent(service)


def journal(entry, **counts):
    """What registries answer to the entry's journal: works by year, as `crossref={2016: 30}`; None: no such journal.

    Where there are many, the registry has none by these people or of this title.
    """
    said = []
    for service, works in counts.items():
        question = Question(service, "journal", entry.venue)
        if works is None:
            said.append((question, Absent(service)))
            continue
        known = Journal(service, "1234-5678", entry.venue, issns=("1234-5678",), works=tuple(works.items()))
        said.append((question, Found(service, (), journals=(known,))))
        said.append((articles(service, entry, ("1234-5678",)), Absent(service)))
    return said


def silent(service, entry, why="429 Too Many Requests"):
    return search(service, entry), Unavailable(service, why)
