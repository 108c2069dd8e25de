"""A compiled list turned into a .bib, in a real server that asks a service on this machine."""

from pathlib import Path
from urllib.request import url2pathname

import pytest

from online_session import CAPABLE, calls, until

pytestmark = pytest.mark.online

LIST = r"""\begin{thebibliography}{9}
\bibitem{knuth84}
Donald~E. Knuth.
\newblock Literate programming in practice, 1984.
\newblock doi:10.1093/comjnl/27.2.97.
\bibitem{nobody}
Ada Nobody.
\newblock Never cited by anyone at all.
\newblock {\em Journal of Nothing}, 1:2--3, 2003.
\end{thebibliography}
"""
EDITS = {"documentChanges": True, "resourceOperations": ["create"], "changeAnnotationSupport": {}}
LAZY = {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
SHOWING = CAPABLE | {"workspace": {"applyEdit": True, "workspaceEdit": EDITS}, "textDocument": {"codeAction": LAZY}}
TITLE, CHECK = "Turn this list into entries", "Check references now"


def offered(session, number, uri):
    place = {"line": 2, "character": 0}
    about = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    session.send("textDocument/codeAction", about, number)
    found = until(session, lambda it: it.get("id") == number and "method" not in it)["result"]
    return [it for it in found if it["title"].startswith((TITLE, CHECK))]


def test_a_list_becomes_a_file_to_review(editor):
    session = editor(SHOWING)
    uri = session.uri.replace("main.tex", "paper.bbl")
    path = Path(url2pathname(uri.removeprefix("file:")))
    path.write_text(LIST, encoding="utf-8")
    session.open(uri, LIST, "bbl")
    [first] = offered(session, 2, uri)
    assert first["title"] == CHECK
    calls(session, 3, first["command"]["command"], *first["command"]["arguments"])
    [action] = offered(session, 4, uri)
    assert action["title"] == "Turn this list into entries (1 of 2 verified)"
    assert "edit" not in action
    path.with_name("paper-verified.bib").write_text("mine", encoding="utf-8")
    session.send("codeAction/resolve", action, 5)
    edit = until(session, lambda it: it.get("id") == 5 and "method" not in it)["result"]["edit"]
    created, written = edit["documentChanges"]
    assert created["kind"] == "create"
    assert created["uri"].endswith("paper-verified-2.bib")
    [text] = written["edits"]
    assert "% Found by its DOI: Crossref" in text["newText"]
    assert "{knuth84," in text["newText"]
    assert "nobody" not in text["newText"]
    assert "1 of its references was not verified" in text["newText"]
    [note] = edit["changeAnnotations"].values()
    assert note["needsConfirmation"] is True
    assert path.with_name("paper-verified.bib").read_text(encoding="utf-8") == "mine"
