"""Entries of hostile works, written in every manner, read by BibTeX and biber."""

import shutil
from itertools import product

import pytest

import compilers
from citelsp.base.text import apply
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.evals.bib_habits import FILES
from citelsp.evals.insertion import project_of
from citelsp.features import insert_entry

pytestmark = pytest.mark.compile

TITLES = (
    "100% of $5 & more: C# under_scores ~ {unbalanced",
    "Unbalanced } brace \\ backslash ^ caret \"quotes\" and 'more'",
    "On the $O(n^2)$ bound of H<sub>2</sub>O &amp; K<sub>m</sub>: α-Fe₂O₃",
    "@article{fake, title = {Injected}}",
    "Ünïcödé – Ångström’s “Straße”, Łódź … naïve ﬁne",
    "深度学习 and the 図 of Москва",
    "\\input{/etc/passwd} \\write18{ls} $\\catcode`\\%=12$",
    "BERT, GPT-4 and k-NN vs. iPhone: AI, % and an end, and and",
)
PEOPLE = (
    (Name("Zuylen", "Madeleine van"), Name("O’Neil", "Séan"), Name("King Jr.", "Martin Luther")),
    (Name("The {ATLAS} Collaboration", literal=True), Name("Plato"), Name("张", "三")),
    (Name("de la Vallée Poussin", "Charles-Jean"), Name("Smith, and Sons", "X, Y")),
    (Name("Team, and & Co."), Name("others"), Name("% comment", "\\n"), Name("bell hooks")),
)
TYPES = (
    "article-journal",
    "paper-conference",
    "book",
    "chapter",
    "thesis",
    "report",
    "preprint",
    "dataset",
    "software",
    "",
)


def works():
    for number, ((title, names), kind) in enumerate(product(zip(TITLES, PEOPLE * 2, strict=True), TYPES)):
        yield Record(
            source="merged",
            id=str(number),
            title=f"{title} {number}",
            authors=names,
            authors_complete=number % 3 > 0,
            years=(2000 + number % 20,),
            date=f"{2000 + number % 20}-0{number % 9 + 1}",
            venue="Journal of {A} & B_C: 100%" if number % 2 else "Proceedings of the 3rd Conference on X #1",
            type=kind,
            identifiers=Identifiers(
                doi=f"10.1002/(sici)1097_{number}%3c1::aid-x>3.0.co;2-#",
                arxiv=f"2001.{number:05d}" if number % 4 else "",
            ),
            volume="3",
            issue="4–5",
            pages="e12 – e15",
            publisher="Wiley & Sons_{Ltd",
            url="https://example.org/a_b%20c?d={e}&f=#g~h",
        )


def bibliography(habits):
    """The file after every work was added, and how many were."""
    path, text = FILES[habits]
    project = project_of(path, text)
    for record in works():
        insertion = insert_entry.add_record(project, path, record)
        text = apply(text, insertion.change.edits)
        project = project_of(path, text)
    return text, sum(1 for _ in project.entries())


@pytest.mark.parametrize("tool", [compilers.bibtex, compilers.biber], ids=lambda it: it.__name__)
@pytest.mark.parametrize("habits", [it for it, (path, _) in FILES.items() if path.endswith(".bib")])
def test_no_complaint(habits, tool, tmp_path):
    if tool is compilers.bibtex and habits == "biblatex":
        pytest.skip("BibTeX has no style for it")
    assert shutil.which(tool.__name__), f"--compile needs {tool.__name__}"
    text, count = bibliography(habits)
    assert count >= len(list(works()))
    file = tmp_path / "refs.bib"
    file.write_bytes(text.encode())
    assert tool(file) == []
