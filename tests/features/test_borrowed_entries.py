"""What a manuscript cites from a library that is lent to it becomes a .bib of its own."""

import pytest

from citelsp.base.settings import Settings
from citelsp.bibliography.record import Record
from citelsp.checks import undefined_citation
from citelsp.features import borrowed_entries, insert_entry
from citelsp.knowledge import Knowledge
from citelsp.workspace.files import DiskFiles

LIBRARY = """\
% Exported from Zotero by citelsp, which reads it anew: changes to this file will be lost.

@article{air, author = {Lovelace, Ada}, title = {Airships}, x-zotero-select = {zotero://select/library/items/AIRSHIP1}}

@article{idle, title = {Never Cited}, x-zotero-select = {zotero://select/library/items/IDLE0001}}
"""
TEX = "\\documentclass{article}\n\\begin{document}\nSee \\cite{air} and \\cite{other}.\n\\end{document}\n"


@pytest.fixture
def project_of(tmp_path):
    """project_of(name, text) → the project of a document of this text, to which the library is lent."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "library.bib").write_text(LIBRARY)
    (tmp_path / "work").mkdir()

    def project(name, text, lent=True, **others):
        for other, written in {name: text, **others}.items():
            (tmp_path / "work" / other).write_text(written)
        files = DiskFiles([str(tmp_path / "work")])
        if lent:
            files.lend(str(tmp_path / "cache" / "library.bib"))
        return files.project(str(tmp_path / "work" / name), Settings())

    return project


@pytest.mark.parametrize(
    ("name", "text", "borrows"),
    [
        ("main.tex", TEX, True),
        ("main.tex", TEX.replace("\\end", "\\bibliography{missing}\n\\end"), False),
        ("part.tex", "See \\cite{air}.\n", False),  # its main document may have one
        ("notes.md", "See [@air].\n", True),
        ("notes.md", "So it is [see -@air].\n", True),
        ("notes.md", "Ask @air or mail [air@example.org](mailto:x).\n", False),
        ("notes.md", "---\nbibliography: own.bib\n---\nSee [@air].\n", False),
        ("notes.org", "See [cite:@air].\n", True),
    ],
)
def test_who_borrows(project_of, name, text, borrows):
    project = project_of(name, text, **{"own.bib": "@misc{own, title = {Own}}\n"} if "own.bib" in text else {})
    assert borrowed_entries.borrows(project) == borrows
    assert bool(project.find("air")) == borrows
    assert not (borrows and project.closed)
    assert not borrowed_entries.borrows(project_of(name, text, lent=False))


@pytest.mark.parametrize(
    ("name", "text", "undefined"),
    [
        ("main.tex", TEX, ["other"]),
        ("notes.md", "See [@air; @other] and @octocat, [@octocat](https://example.org).\n", ["other"]),
        ("notes.md", "See [@other].\n", []),  # nothing says that Zotero's keys are meant
        ("notes.org", "See [cite:@air;@airs].\n", ["airs"]),
    ],
)
def test_what_the_library_lacks(project_of, name, text, undefined):
    found = undefined_citation.CHECK.run(project_of(name, text), Knowledge())
    assert [it.key for it in found] == undefined
    assert all(it.message.startswith("No entry in your Zotero library has the key “") for it in found)
    assert undefined_citation.CHECK.run(project_of(name, text, lent=False), Knowledge()) == []


def test_what_is_typed_later_may_borrow(tmp_path, project_of):
    project = project_of("notes.md", "Nothing.\n")
    path = project.subject
    files = DiskFiles([str(tmp_path / "work")])
    files.lend(str(tmp_path / "cache" / "library.bib"))
    files.open(path, "Nothing.\n")
    assert not files.project(path, Settings()).bibliographies
    files.change(path, [(slice_of(8), " [@")])
    assert files.project(path, Settings()).bibliographies


def slice_of(at):
    from citelsp.base.text import Span

    return Span(at, at)


def test_the_cited_entries_are_written_without_what_zotero_alone_needs(project_of):
    project = project_of("main.tex", TEX)
    change = borrowed_entries.change_for(project, project.subject)
    [file] = change.files
    [declared] = change.edits
    assert file.path.endswith("references.bib")
    assert file.text == "@article{air, author = {Lovelace, Ada}, title = {Airships}}\n"
    assert "\\bibliography{references}" in declared.new_text


def test_a_new_entry_takes_the_borrowed_ones_along(project_of):
    project = project_of("main.tex", TEX)
    works = [Record("crossref", "1", "Kites"), Record("crossref", "2", "Gliders")]
    [one] = insert_entry.add_record(project, project.subject, works[0], "kites").change.files
    several = insert_entry.add_records(project, project.subject, works, ["kites", "gliders"])
    assert one.text.count("@article{air,") == 1
    assert "{kites," in one.text
    [both] = several.files
    assert [both.text.count(f"{{{it},") for it in ("air", "kites", "gliders")] == [1, 1, 1]
