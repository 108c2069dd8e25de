"""Projects read from a real directory."""

from pathlib import Path

import pytest

from citelsp import project
from citelsp.files import DiskFiles
from citelsp.settings import Settings

DEFAULT = Settings()


@pytest.fixture
def tree(tmp_path):
    """Writes files given as `path=text` below a directory and gives the directory."""

    def write(files):
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return tmp_path

    return write


def build(root, path, settings=DEFAULT, **environment):
    files = DiskFiles([str(root)], environment={"TEXMFHOME": str(root / "no-texmf"), **environment})
    return project.build(files, str(root / path), settings)


def names(root, paths):
    return [Path(it).relative_to(root).as_posix() for it in paths]


MAIN = r"\documentclass{article} \input{chapters/intro} \bibliography{refs} \cite{a}"
BIB = "@book{a, title = {A}}\n@book{b, title = {B}}\n"


def test_chapter_opened_alone_finds_its_main_file(tree):
    root = tree({"main.tex": MAIN, "chapters/intro.tex": r"\cite{b}", "refs.bib": BIB})
    it = build(root, "chapters/intro.tex")
    assert names(root, it.manuscript) == ["main.tex", "chapters/intro.tex"]
    assert names(root, it.bibliographies) == ["refs.bib"]
    assert [c.key for _, c in it.citations()] == ["a", "b"]
    assert it.closed and [place.node.key for place in it.entries()] == ["a", "b"]
