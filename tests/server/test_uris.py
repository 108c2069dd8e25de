import os

import pytest

from citelsp.server.uris import path_of, uri_of


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


def test_documents_without_a_file():
    assert uri_of(path_of("untitled:Untitled-1")) == "untitled:Untitled-1"
