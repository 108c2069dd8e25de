"""The manuscripts in fixtures/languages: each names its bibliographies, and everything but one key has its entry."""

from pathlib import Path

import pytest

from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.knowledge import Knowledge
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles

FOLDER = Path(__file__).parents[2] / "fixtures" / "languages"
MISTYPED = {"knuht84"}


@pytest.mark.parametrize("main", sorted(FOLDER.glob("*/main.*")), ids=lambda it: it.parent.name)
def test_every_citation_has_its_entry_but_the_mistyped_one(main):
    files = DiskFiles((str(main.parent),), environment={})
    project = include_graph.build(files, str(main), Settings())
    assert not project.unresolved
    found = checks.run(project, Knowledge(), codes={"undefined-citation"})
    assert {it.key for it in found} == MISTYPED
    assert project.cited - MISTYPED == {key for source in project.defining for key in source.keys}
    assert [it for part in project.parts for it in part.syntax.placeholders]
