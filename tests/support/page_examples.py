"""The examples of the findings' pages: a marked-up project, and what services or a model answer about its entries.

In a page, the block ```example holds the project, and a block ```json after it the answers: by service and question
("crossref" for its search by title, "crossref doi" for the entry's DOI, "crossref journal" for its journal) a record,
or null if the service has none; or the passage that a model quotes, as "evidence", perhaps with its "verdict"; or the
"links" that are dead, each with its server's status and the moment of a copy.
"""

import json
import re
from dataclasses import replace

import marks
from citelsp import checks
from citelsp.bibliography.entry import fingerprint
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record, Update
from citelsp.knowledge import Absent, DeadLink, Evidence, Found, Knowledge
from citelsp.verification.decide import verdict
from citelsp.verification.question import Question, search
from citelsp.workspace import cited_claims
from written_references import ALL, answers

EXAMPLE = re.compile(r"^```example *(?P<info>.*)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
ANSWERS = re.compile(r"^```json\n((?:.*\n)*?)```$", re.MULTILINE)


def found(page, code):
    """The marks of a page's example and what is found of this code in it, both as (path, start, end, code)."""
    marked, findings = whole(page, code)
    return sorted(marked.ranges), sorted((it.path, it.span.start, it.span.end, it.code) for it in findings)


def whole(page, code):
    """The example of a page with its marks, and what is found of this code in it."""
    example = EXAMPLE.search(page)
    marked = marks.parse(example["text"])
    project = saved_as(marks.project(marked), example["info"].removeprefix("encoding="))
    answered = ANSWERS.search(page)
    knowledge = learnt(project, json.loads(answered[1])) if answered else Knowledge()
    return marked, [it for it in checks.run(project, knowledge) if it.code == code]


def saved_as(project, encoding):
    """The project with its bibliographies in this encoding, if one is named."""
    if not encoding:
        return project
    changed = {path: replace(project.sources[path], encoding=encoding) for path in project.bibliographies}
    return replace(project, sources={**project.sources, **changed})


def learnt(project, answered):
    """What is known once these answers came in."""
    if "evidence" in answered:
        quoted = Evidence(answered["evidence"], "abstract", "corpus", answered.get("verdict", "unsupported"))
        return Knowledge(evidence={it.content: (quoted,) for it in cited_claims.find_claims(project)})
    if "links" in answered:
        return Knowledge(links={address: DeadLink(*said) for address, said in answered["links"].items()})
    verdicts = {}
    for place in project.entries():
        entry = place.entry
        lookups = [lookup(entry, *name.split(), said=said) for name, said in answered.items()]
        verdicts[fingerprint(entry)] = replace(verdict(entry, answers(entry, *lookups), ALL), date="2026-01-02")
    return Knowledge(verdicts=verdicts)


def lookup(entry, service, kind="", *, said):
    if kind == "journal":
        question = Question(service, kind, entry.venue)
    else:
        named = getattr(entry.identifiers, "doi" if kind == "exists" else kind) if kind else ""
        question = Question(service, kind, named) if kind else search(service, entry)
    if said is None:
        return question, Absent(service)
    found = record(service, said)
    return (question, Found(service, (found,))) if kind else found


def record(service, said):
    said = dict(said)
    known = Identifiers(doi=said.pop("doi", ""), arxiv=said.pop("arxiv", ""))
    people = tuple(Name(*it.split(", ")) for it in said.pop("authors"))
    updates = tuple(Update(source=service, **it) for it in said.pop("updates", ()))
    year = said.pop("year")
    return Record(
        service, known.doi or known.arxiv, authors=people, years=(year,), identifiers=known, updates=updates, **said
    )
