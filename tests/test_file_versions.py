"""A project is read once for all answers between two changes, and anew after any change that an answer depends on."""

import os
import random
import time
from dataclasses import fields

import pytest

from citelsp.base.settings import Settings, SyntaxSettings
from citelsp.base.text import Span
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
    for path in folder.rglob("*"):
        os.utime(path, ns=(then, then))


def opened(folder, name):
    files = DiskFiles([str(folder)])
    files.open(str(folder / name), FILES[name])
    return files


def content(project):
    """All of it; a document is the same object as long as it is the same."""
    return {it.name: getattr(project, it.name) for it in fields(project)}


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
    first = files.project(path, SETTINGS)
    assert files.project(path, SETTINGS) is first
    change(folder, files)
    assert content(files.project(path, SETTINGS)) == content(include_graph.build(files, path, SETTINGS))


@pytest.mark.parametrize("end", ["closed", "came"])
def test_files_that_come_and_documents_that_close(folder, end):
    files = opened(folder, "main.tex")
    typed(folder, files)
    path = str(folder / "main.tex")
    first = files.project(path, SETTINGS)
    if end == "closed":
        files.close(path)
    else:
        (folder / "more.tex").write_text(r"\cite{b}", encoding="utf-8")
        files.refresh()
    found = files.project(path, SETTINGS)
    assert content(found) == content(include_graph.build(files, path, SETTINGS)) != content(first)


def test_other_settings_are_another_question(folder):
    files = opened(folder, "main.tex")
    path = str(folder / "main.tex")
    other = Settings(syntax=SyntaxSettings(bibliographies=("more.bib",)))
    assert files.project(path, SETTINGS).settings is SETTINGS
    assert files.project(path, other).problems != files.project(path, SETTINGS).problems


def test_what_was_written_just_now_is_not_trusted(folder):
    """It may change once more under the same stamp."""
    files = opened(folder, "main.tex")
    path, refs = str(folder / "main.tex"), folder / "refs.bib"
    now = time.time_ns()
    os.utime(refs, ns=(now, now))
    files.project(path, SETTINGS)
    of_one_size(folder, files)
    os.utime(refs, ns=(now, now))
    assert files.project(path, SETTINGS).find("c")


def test_an_outline_of_what_was_written_just_now_is_not_trusted(folder):
    files = opened(folder, "main.tex")
    chapter = folder / "part.tex"
    now = time.time_ns()
    for name in ("one", "two"):
        chapter.write_text(f"\\input{{{name}}}", encoding="utf-8")
        os.utime(chapter, ns=(now, now))
        [link] = files.outline(str(chapter)).links
        assert link.target == name


TYPED = (
    *("a", " ", ".", "\n\n", "%", "}", "{", "\\", "[", "x" * 40, "[@b]", "@b", "---\n", "\\cite<ice>", "\\cite{b}"),
    *("\\input{stray}", "\\bibliography{other}", "\\nocite{*}", "\\def\\x{refs}", "\\input{\\x}", "\\begin{verbatim}"),
    *(
        "\\newcommand{\\mine}[1]{\\cite{#1}}",
        "\\mine{a}",
        "\\documentclass{b}",
        "\\newrefsection[",
        "\\section{Calving}",
    ),
    *("\\begin{thebibliography}{9}\\bibitem{z} Z", "\\begin{filecontents}{refs.bib}", "% !TeX root = notes.tex\n"),
    *("bibliography: more.bib\n", "csl: other.csl\n", "```{eval-rst}\n", "@misc{c, title = {C}}", "\\end{document}"),
)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_typed_the_project_is_what_would_be_read_anew(folder, seed):
    (folder / "late.tex").write_text("So", encoding="utf-8")
    settle(folder)
    files, chance, texts = opened(folder, "main.tex"), random.Random(seed), dict(FILES)  # noqa: S311
    names = ("main.tex", "part.tex", "stray.tex", "notes.md", "refs.bib")
    for name in names[1:]:
        files.open(str(folder / name), texts[name])
    carried = 0
    for number in range(80):
        name, asked = chance.choice(names), str(folder / chance.choice(names))
        if number % 10 == 0:
            texts[name] = FILES[name]
            files.replace(str(folder / name), texts[name])
        before = files.project(asked, SETTINGS)
        at, new_text = chance.randrange(len(texts[name]) + 1), chance.choice(TYPED)
        span = Span(at, min(len(texts[name]), at + chance.choice((0, 0, 0, 1, 20))))
        texts[name] = texts[name][: span.start] + new_text + texts[name][span.end :]
        files.change(str(folder / name), [(span, new_text)])
        found = files.project(asked, SETTINGS)
        assert content(found) == content(include_graph.build(files, asked, SETTINGS)), (name, new_text, texts[name])
        carried += found is not before and found.manuscript is before.manuscript
    assert carried


BODY = "\\documentclass{a}\\begin{document}%s\\end{document}"
LEADING = {  # what is open, before and after a change of a few letters
    "a macro in a name": ("main.tex", BODY % r"\def\x{part}\input{\x}", BODY % r"\def\x{stray}\input{\x}"),
    "a directory": ("main.tex", BODY % r"\import{one/}{x}", BODY % r"\import{two/}{x}"),
    "a section of its own": (
        "main.tex",
        BODY % r"\refsectio[\addbibresource{refs.bib}]\addbibresource{more.bib}",
        BODY % r"\newrefsection[\addbibresource{refs.bib}]\addbibresource{more.bib}",
    ),
    "a main document": ("stray.tex", "% !TeX roo = main.tex\n\\cite{b}", "% !TeX root = main.tex\n\\cite{b}"),
    "a style": ("notes.md", FILES["notes.md"].replace("own", "on"), FILES["notes.md"]),
    "a bibliography that is written": (
        "main.tex",
        "\\begin{filecontents}[overwrite]{refs.bi}\n@misc{z}\n\\end{filecontents}\n" + FILES["main.tex"],
        "\\begin{filecontents}[overwrite]{refs.bib}\n@misc{z}\n\\end{filecontents}\n" + FILES["main.tex"],
    ),
    "an entry that is written": (
        "main.tex",
        "\\begin{filecontents}[overwrite]{refs.bib}\n@misc{z}\n\\end{filecontents}\n" + FILES["main.tex"],
        "\\begin{filecontents}[overwrite]{refs.bib}\n@misc{zz}\n\\end{filecontents}\n" + FILES["main.tex"],
    ),
    "a letter where roles cite": ("book.md", "{cite}`a` and", "{cite}`a` and so"),
    "a citation in a draft without a bibliography": ("draft.tex", BODY % r"\cite{", BODY % r"\cite{b}"),
    "a citation that is begun in Typst": ("letter.typ", "See ", "See @"),
    "what makes roles cite": ("conf.py", "", 'extensions = ["sphinxcontrib.bibtex"]\nbibtex_bibfiles = ["refs.bib"]\n'),
}


@pytest.mark.parametrize("name", LEADING)
def test_what_may_lead_elsewhere_is_followed(folder, name):
    opened_one, before, after = LEADING[name]
    (folder / "own.csl").write_text(" " * (2 << 20), encoding="utf-8")
    (folder / "late.tex").write_text("So", encoding="utf-8")
    for directory in ("one", "two"):
        (folder / directory).mkdir()
        (folder / directory / "x.tex").write_text(directory, encoding="utf-8")
    (folder / "more.bib").write_text("@misc{m}\n", encoding="utf-8")
    if name == "a letter where roles cite":
        (folder / "conf.py").write_text(LEADING["what makes roles cite"][2], encoding="utf-8")
    (folder / "book.md").write_text("{cite}`a` and @b", encoding="utf-8")
    (folder / "main.typ").write_text('#bibliography("refs.bib")', encoding="utf-8")
    settle(folder)
    files = DiskFiles([str(folder)])
    files.open(str(folder / opened_one), before)
    for asked in {opened_one, "main.tex", "book.md"}:
        files.project(str(folder / asked), SETTINGS)
    files.replace(str(folder / opened_one), after)
    for asked in {opened_one, "main.tex", "book.md"}:
        path = str(folder / asked)
        assert content(files.project(path, SETTINGS)) == content(include_graph.build(files, path, SETTINGS))
