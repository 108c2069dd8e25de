import pytest

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.features import definition, highlight, popup_reference_line, rename
from citelsp.features.values import Change
from fixture_projects import world

RIS = """TY  - CHAP
ID  - doe:20
AU  - Doe, Jane
AU  - Roe, J.
A2  - Edd, Itor
TI  - Salt & pepper_50%
T2  - A Book
PY  - 2020/05/01
SP  - 1
EP  - 9
PB  - Press
DO  - 10.1000/x_y
ER  -

TY - JOUR
ID - b
JO  - Nature
VL  - 3
IS  - 2
TY  - BOOK
ID  - last
"""


def parsed(text):
    entries = syntax.parse(Document("r.ris", text, "ris")).entries
    return [entries.node(at) for at in range(len(entries))] if entries else []


def test_items_are_entries():
    chapter, article, last = parsed(RIS)
    assert [(it.kind, it.key) for it in (chapter, article, last)] == [
        ("incollection", "doe:20"), ("article", "b"), ("book", "last"),
    ]  # fmt: skip
    entry = Entry(chapter)
    assert (entry.title, entry.identifiers.doi) == ("Salt & pepper_50%", "10.1000/x_y")
    assert popup_reference_line.line(entry) == (
        "Jane Doe and J. Roe (2020). In Itor Edd (Ed.), A Book (pp. 1–9). Press."
    )
    assert popup_reference_line.line(Entry(article)) == "Nature, 3(2)."
    assert [it.key_span.within(it.source) for it in (chapter, article)] == ["doe:20", "b"]


@pytest.mark.parametrize("text", ["", "no tags", "ID  - x\nER  -"])
def test_a_text_without_items(text):
    assert parsed(text) == []


def test_features_work_as_in_any_bibliography():
    it = world("%% a.md\n---\nbibliography: r.ris\n---\nSee [@do|e20].\n%% r.ris\nTY  - BOOK\nID  - doe20\nER  - \n")
    assert definition.find(it.project, *it.cursor).targets[0].path == "r.ris"
    assert len(highlight.find(it.project, *it.cursor)) == 1
    after = it.after(Change(rename.edits_for(it.project, *it.cursor, "roe21")))
    assert "[@roe21]" in after["a.md"] and "ID  - roe21\n" in after["r.ris"]


def test_blanks_end_no_value_but_its_line():
    [node] = parsed("TY  - JOUR\r\nTI  - A  title \t\r\nER  - \r\n")
    assert node.raw("title") == "A title"


def test_items_and_fields_have_their_places():
    text = f"x\n{RIS}  TY - ELEC\nID - z\n\nER -\nID - no\nTY - NONE\n"
    entries = syntax.parse(Document("r.ris", text, "ris")).entries
    assert [entries.node(at).source[-3:] for at in range(len(entries))] == ["  -", "- 2", "ast", "R -", "ONE"]
    assert [text[entries.start(at) :].lstrip()[:2] for at in range(len(entries))] == ["TY"] * 5
    assert [(entries.node(at).kind, entries.node(at).key) for at in (3, 4)] == [("online", "z"), ("misc", "")]
    node = entries.node(0)
    found = [[it.within(node.source) for it in (field.name_span, field.value_span)] for field in node.fields()]
    assert found == [
        ["AU", "Doe, Jane"], ["A2", "Edd, Itor"], ["TI", "Salt & pepper_50%"], ["T2", "A Book"], ["PY", "2020/05/01"],
        ["SP", "1"], ["PB", "Press"], ["DO", "10.1000/x_y"],
    ]  # fmt: skip
    assert [it.span.within(node.source) for it in node.fields()][:2] == ["AU  - Doe, Jane", "A2  - Edd, Itor"]


@pytest.mark.parametrize(
    ("kind", "lines", "values"),
    [
        ("JOUR", "A1 - A\nAU - B\nA2 - no\nED - C\nED - D", {"author": "A and B", "editor": "C and D"}),
        ("CONF", "A2 - A\nT2 - P\nJO - no", {"editor": "A", "booktitle": "P"}),
        ("BLOG", "T1 - A\nTI - no\nY1 - 2020\nPY - 1999", {"title": "A", "year": "2020"}),
        (
            "BOOK",
            "PY - about 2020\nY1 - 1999/5\nSP - 7\nCY - X & Y",
            {"year": "1999", "pages": "7", "location": r"X \& Y"},
        ),
        ("MGZN", "JF - M\nN2 - N\nAB - no\nET - 2\nXX - no", {"journal": "M", "abstract": "N", "edition": "2"}),
    ],
)
def test_values_by_kind(kind, lines, values):
    [node] = parsed(f"TY - {kind}\n{lines}\n")
    assert {it.name: node.raw(it.name) for it in node.fields()} == values


def test_the_first_page_stands_first_wherever_it_is_said():
    (article,) = parsed("TY  - JOUR\nEP  - 20\nSP  - 12\nER  - ")
    assert article.raw("pages") == "12--20"
