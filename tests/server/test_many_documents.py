"""A thousand documents open at once: each is answered about, within half a gigabyte."""

import sys
from pathlib import Path

import pytest

from server_session import Session

DOCUMENTS, CITATIONS, MEMORY = 1000, 400, 500  # each of 17 kB; megabytes
HEAD = "\\documentclass{article}\n\\addbibresource{refs.bib}\n\\begin{document}\n"
PLACE = {"line": 3, "character": 28}

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process from /proc"),
]


def resident(process):
    """The most megabytes that it has taken."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return next(int(it.split()[1]) >> 10 for it in status.splitlines() if it.startswith("VmHWM"))


def test_a_thousand_open_documents(tmp_path):
    keys = (f"@article{{k{it}, author = {{Lee, Ann}}, title = {{Title {it}}}, year = 2000}}\n" for it in range(2000))
    (tmp_path / "refs.bib").write_text("".join(keys), encoding="utf-8")
    prose = "".join(f"Some words on things \\cite{{k{it}}} that matter.\n\n" for it in range(CITATIONS))
    session = Session()
    session.initialize(rootUri=tmp_path.as_uri(), initializationOptions={"offline": True})
    uris = [(tmp_path / f"part{it}.tex").as_uri() for it in range(DOCUMENTS)]
    for uri in uris:
        session.open(uri, HEAD + prose)
    for number, uri in enumerate(uris, start=10):
        session.send("textDocument/hover", {"textDocument": {"uri": uri}, "position": PLACE}, number)
        assert "Title 0" in str(session.answer(number)["result"])
    most = resident(session.process.pid)
    session.process.kill()
    session.process.communicate()
    assert most < MEMORY
