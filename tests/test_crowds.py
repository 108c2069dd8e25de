"""More documents that belong together than are read: one sentence, and no key is undefined because of it."""

import pytest

from citelsp import checks
from citelsp.base import bounds
from citelsp.base.settings import Settings, SyntaxSettings
from citelsp.knowledge import Knowledge
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles

SOURCES, ROOTS = 100, 30
ROOT = "\\documentclass{article}\\addbibresource{refs.bib}\\cite{k, lost}\n"


def book(parts):
    """A main document that leads to so many others, no one of which names very many."""
    halves = {"even": range(0, parts - 2, 2), "odd": range(1, parts - 2, 2)}
    files = {f"{half}.tex": "".join(f"\\input{{p{it}}}\n" for it in numbers) for half, numbers in halves.items()}
    files |= {f"p{it}.tex": "a\n" for it in range(parts - 2)}
    return "main.tex", files | {"main.tex": ROOT + "\\input{even}\\input{odd}"}


def library(roots):
    """A bibliography that so many main documents name."""
    return "refs.bib", {f"m{it}.tex": ROOT for it in range(roots)}


def stray(roots):
    """A part beside so many main documents, none of which leads to it."""
    return "part.tex", {f"m{it}.tex": ROOT for it in range(roots)} | {"part.tex": "\\cite{k, lost}"}


@pytest.fixture(scope="module", autouse=True)
def few():
    """So few belong together that the tests need not write thousands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "SOURCES", SOURCES)
        patch.setattr(bounds, "ROOTS", ROOTS)
        yield


@pytest.mark.parametrize("absent", [(), ("none.bib",)], ids=["alone", "beside another sentence"])
@pytest.mark.parametrize(
    ("make", "most"),
    [(book, SOURCES - 2), (library, ROOTS), (stray, ROOTS)],
)
def test_a_crowd_is_said(tree, make, most, absent):
    for size, crowded in ((most, False), (most + 3, True)):
        subject, files = make(size)
        folder = tree({f"{size}/{name}": text for name, text in (files | {"refs.bib": "@book{k}"}).items()}) / str(size)
        settings = Settings(syntax=SyntaxSettings(bibliographies=absent))
        project = include_graph.build(DiskFiles([str(folder)], environment={}), str(folder / subject), settings)
        sentence = f"{folder / subject} belongs with more documents than citelsp reads, so it read only some of them."
        assert [it.text for it in checks.notes(project)].count(sentence) == crowded
        assert project.bounded == crowded and project.defines("k")
        undefined = checks.run(project, Knowledge(), codes={"undefined-citation"})
        assert bool(undefined) == (not crowded and make is not stray)  # which main document a stray has is a guess
