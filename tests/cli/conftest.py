import pytest

import lsp


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files of a small manuscript, in the working directory."""
    for name, text in lsp.FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
