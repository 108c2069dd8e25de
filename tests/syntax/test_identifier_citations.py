"""Citations by identifier, which need no entry."""

import marks
from citelsp import checks
from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.features import definition, highlight
from citelsp.knowledge import Knowledge
from citelsp.syntax import parse

TEXT = """---
bibliography: refs.bib
---
[@doi:10.1000/xyz; @a] @arxiv:1706.03762v2, [@pmid:123] @https://doi.org/10.1000/abc and [](https://doi.org/10.1000/def)
or <doi:10.1000/ghi>, [text](https://doi.org/10.1000/no), [@url:https://x.org/a] [@doi:10.1000/xyz]
[@isbn:9780131103627]
[@gone] [@tag:mine] `[@doi:10.1000/code]`
"""
BIB = "@book{a, title = {A}, author = {B, C}, year = 2000, publisher = {P}}\n"


def test_each_identifier_is_an_entry():
    entries = parse(Document("a.md", TEXT, "markdown")).entries
    found = [Entry(entries.node(at)).identifiers for at in range(len(entries))]
    assert [it.doi for it in found if it.doi] == ["10.1000/xyz", "10.1000/abc", "10.1000/def", "10.1000/ghi"]
    assert [(it.arxiv, it.pmid, it.isbn, it.url) for it in found if not it.doi] == [
        ("1706.03762", "", "", ""),
        ("", "123", "", ""),
        ("", "", "", "https://x.org/a"),
        ("", "", "9780131103627", ""),
        ("", "", "", ""),
    ]


def test_they_are_never_undefined():
    project = marks.project(marks.Marked({"a.md": TEXT, "refs.bib": BIB}), "a.md")
    assert project.closed
    assert [it.key for it in checks.run(project, Knowledge(), codes={"undefined-citation"})] == ["gone"]


def test_a_citation_is_its_own_entry():
    project = marks.project(marks.Marked({"a.md": TEXT, "refs.bib": BIB}), "a.md")
    at = TEXT.index("doi:10.1000/xyz")
    assert [it.path for it in definition.find(project, "a.md", at).targets] == ["a.md"]
    spans = [it.span for it in highlight.find(project, "a.md", at)]
    assert len(spans) == len(set(spans)) == 2
