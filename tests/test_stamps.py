"""A project is read once for all answers between two changes, and anew after any change that an answer depends on."""

import os
import time

import pytest

from citelsp.base.settings import Settings
from citelsp.base.text import Span
from citelsp.server.state.projects import project_of
from citelsp.workspace import include_graph
from citelsp.workspace.files import DiskFiles

SETTINGS = Settings()
FILES = {
    "main.tex": r"\documentclass{a}\begin{document}\input{part}\input{late}\cite{a}\bibliography{refs}\end{document}",
    "part.tex": r"\cite{a}",
    "stray.tex": r"\section{S}\cite{b}",
    "refs.bib": "@misc{a, title = {A}}\n@misc{b, title = {B}}\n",
    "notes.md": "---\nbibliography: refs.bib\ncsl: own.csl\n---\n[@a]\n",
    "own.csl": "<style/>",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    settle(tmp_path)
    return tmp_path


def settle(folder):
    """As if the files had been written long ago."""
    then = time.time_ns() - 10**9
    for path in folder.iterdir():
        os.utime(path, ns=(then, then))


def opened(folder, name):
    files = DiskFiles([str(folder)])
    files.open(str(folder / name), FILES[name])
    return files


def content(project):
    """All that answers read of a project."""
    texts = {path: it.document.text for path, it in project.sources.items()}
    strays = [it.document.text for it in project.strays or ()]
    return texts, project.manuscript, project.bibliographies, project.unresolved, project.problems, strays


def append(name, text):
    def change(folder, _):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(text)

    return change


def typed(folder, files):
    files.change(str(folder / "main.tex"), [(Span(0, 0), "\\input{stray}")])


def of_one_size(folder, _):
    """Twice within one tick of the clock."""
    path = folder / "refs.bib"
    path.write_text(path.read_text(encoding="utf-8").replace("{a,", "{c,"), encoding="utf-8")


CHANGES = {
    "an entry more": append("refs.bib", "@misc{new, title = {N}}\n"),
    "an include more": append("part.tex", r"\input{stray}"),
    "an entry renamed": of_one_size,
    "a part that was missing": append("late.tex", r"\cite{b}"),
    "a part that is gone": lambda folder, _: (folder / "part.tex").unlink(),
    "a file by another name": lambda folder, _: (folder / "part.tex").rename(folder / "late.tex"),
    "a stray that cites more": append("stray.tex", r"\cite{a}"),
    "a letter typed": typed,
    "a part opened": lambda folder, files: files.open(str(folder / "part.tex"), r"\input{stray}"),
    "a style that grows": append("own.csl", " " * (2 << 20)),
}


@pytest.mark.parametrize("name", ["main.tex", "notes.md"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_is_known_is_what_would_be_read_anew(folder, name, change):
    files = opened(folder, "main.tex")
    path = str(folder / name)
    first = project_of(files, path, SETTINGS)
    assert project_of(files, path, SETTINGS) is first
    change(folder, files)
    assert content(project_of(files, path, SETTINGS)) == content(include_graph.build(files, path, SETTINGS))


@pytest.mark.parametrize("end", ["closed", "came"])
def test_files_that_come_and_documents_that_close(folder, end):
    files = opened(folder, "main.tex")
    typed(folder, files)
    path = str(folder / "main.tex")
    first = project_of(files, path, SETTINGS)
    if end == "closed":
        files.close(path)
    else:
        (folder / "more.tex").write_text(r"\cite{b}", encoding="utf-8")
        files.refresh()
    found = project_of(files, path, SETTINGS)
    assert content(found) == content(include_graph.build(files, path, SETTINGS)) != content(first)


def test_other_settings_are_another_question(folder):
    files = opened(folder, "main.tex")
    path = str(folder / "main.tex")
    first = project_of(files, path, SETTINGS)
    assert project_of(files, path, Settings()) is not first


def test_what_was_written_just_now_is_not_trusted(folder):
    """It may change once more under the same stamp."""
    files = opened(folder, "main.tex")
    path, refs = str(folder / "main.tex"), folder / "refs.bib"
    now = time.time_ns()
    os.utime(refs, ns=(now, now))
    project_of(files, path, SETTINGS)
    of_one_size(folder, files)
    os.utime(refs, ns=(now, now))
    assert project_of(files, path, SETTINGS).find("c")
