import ntpath
import os

import pytest

from citelsp.server.wire.documents import OpenDocuments, path_of, path_of_opened, uri_of
from citelsp.workspace.disk import identity
from citelsp.workspace.roots import NOWHERE
from server_session import Session


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file://wsl%24/Ubuntu/a%20b.tex", "//wsl$/Ubuntu/a b.tex"),
        ("file://server/share/50%25%23.bib", "//server/share/50%#.bib"),
    ],
)
def test_hosts(uri, path):
    assert path_of(uri) == os.path.normpath(path)
    assert uri_of(path_of(uri)) == uri


@pytest.mark.skipif(os.name == "nt", reason="names of files are bytes elsewhere")
def test_names_that_are_not_utf8():
    assert path_of("file:///caf%E9.tex") == os.fsdecode(b"/caf\xe9.tex")
    assert uri_of(os.fsdecode(b"/caf\xe9/\xc3\xa9.tex")) == "file:///caf%E9/%C3%A9.tex"


def test_the_machine_on_which_vs_code_works_is_no_host_of_a_share():
    cell = "vscode-notebook-cell://ssh-remote%2Bdesk/home/ada/a.ipynb#W0sdnNjb2RlLXJlbW90ZQ"
    assert path_of(cell, windows=False) == "/home/ada/a.ipynb#W0sdnNjb2RlLXJlbW90ZQ"


def test_documents_without_a_file():
    assert uri_of(path_of("untitled:Untitled-1")) == "untitled:Untitled-1"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Users/Ada/a%2Bb.tex", "C:\\Users\\Ada\\a+b.tex"),
        ("file:///C:/Users/Ada/a+b.tex", "C:\\Users\\Ada\\a+b.tex"),
        ("file://c:/Users/./x/../Ada/a+b.tex", "C:\\Users\\Ada\\a+b.tex"),
        ("file:///d|/m.tex", "D:\\m.tex"),
        ("file:///c%3A", "C:"),
        ("file://localhost/c:/Ada/m.tex", "C:\\Ada\\m.tex"),
        ("file://server/share/m.tex", "\\\\server\\share\\m.tex"),
        ("vscode-notebook-cell://server/share/a.ipynb#W0sZmlsZQ", "\\\\server\\share\\a.ipynb#W0sZmlsZQ"),
        ("vscode-notebook-cell:/c:/Ada/a.ipynb#W0sZmlsZQ", "C:\\Ada\\a.ipynb#W0sZmlsZQ"),
        ("untitled:Untitled-1", "untitled:Untitled-1"),
    ],
)
def test_paths_of_windows(uri, path):
    assert path_of(uri, windows=True) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///paper/a%20b.tex", "/paper/a b.tex"),
        ("untitled:Untitled-1", "/work/untitled:Untitled-1"),
        ("untitled:/home/Ada/new%20one.tex", "/home/Ada/untitled:new one.tex"),
        ("file://", "/work/file:%2F%2F"),
        ("git:/home/Ada/a.tex?HEAD", "/work/git:%2Fhome%2FAda%2Fa.tex%3FHEAD"),
    ],
)
def test_where_a_document_without_a_file_stands(uri, path):
    assert path_of_opened(uri, "/work", windows=False) == path
    assert path_of_opened("untitled:a", windows=False) == f"{NOWHERE}/untitled:a"
    assert path_of_opened("untitled:/c:/Ada/a.tex", "C:\\work", windows=True) == "C:\\Ada\\untitled:a.tex"
    assert path_of_opened("untitled:a", "C:\\work", windows=True) == "C:\\work\\untitled:a"


@pytest.mark.parametrize("path", ["C:\\Users\\Ada\\a+b é.tex", "\\\\wsl$\\Ubuntu\\m.tex", "untitled:x"])
def test_paths_of_windows_there_and_back(path):
    assert path_of(uri_of(path, windows=True), windows=True) == path


def test_spellings_of_one_path():
    assert identity("C:\\Ada\\M.tex", "win32") == identity("c:/ada/m.TEX", "win32")
    assert identity("/Ada/e\u0301.tex", "darwin") == identity("/Ada/\xe9.tex", "darwin")
    assert identity("/Ada/e\u0301.tex", "linux") != identity("/Ada/\xe9.tex", "linux")
    assert identity("/Ada/M.tex", "darwin") != identity("/Ada/m.tex", "darwin")


def test_one_buffer_for_all_spellings():
    documents = OpenDocuments(ntpath.normcase)
    documents.open("C:\\Ada\\M.tex", "file:///c%3A/Ada/M.tex", "latex", 1, "old")
    documents.open("C:\\ada\\m.tex", "file:///C:/ada/m.tex", "latex", 1, "new")
    assert [it.uri for it in documents] == ["file:///C:/ada/m.tex"]
    found = documents.get("c:/ADA/m.tex")
    assert found is not None and found.document.text == "new"
    documents.close("C:\\Ada\\M.tex")
    assert list(documents) == []


def test_findings_are_not_cleared_under_another_spelling(tmp_path):
    (tmp_path / "a+b.bib").write_text("@misc{a,\n")
    folder = tmp_path.as_uri()
    session = Session()
    session.initialize(workspaceFolders=[{"uri": folder, "name": "x"}], initializationOptions={"offline": True})
    session.open(f"{folder}/m.tex", "\\documentclass{x}\\bibliography{a+b}\\cite{a}")
    session.wait(lambda it: it.get("params", {}).get("uri", "").endswith("a%2Bb.bib"))
    session.open(f"{folder}/a+b.bib", "@misc{a,\n", "bibtex")
    session.wait(lambda it: it.get("params", {}).get("uri", "").endswith("a+b.bib"))
    session.send("shutdown", number=9)
    session.answer(9)
    sent = [it["params"] for it in session.seen if "publishDiagnostics" in it.get("method", "")]
    assert [bool(it["diagnostics"]) for it in sent if it["uri"].endswith("b.bib")] == [True, True]
    session.process.stdin.close()
    session.process.stdout.close()
    session.process.wait(60)
