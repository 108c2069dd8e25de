"""citelsp check of folders with several manuscripts, shared bibliographies and links."""

import json
import os
import time

import pytest

from citelsp.cli import main

PAPER = r"\documentclass{article}\begin{document}\cite{%s}\bibliography{refs}\end{document}"
REFS = "".join(f"@book{{{it}, title = {{T{it}}}, author = {{A}}, publisher = {{P}}, year = 2000}}\n" for it in "abcd")


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """check(*arguments) → (findings as (path, key, code), what was said beside them)."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    (tmp_path / ".citelsp.toml").write_text("")

    def run(*arguments):
        main(["check", "--offline", *arguments, "--format", "json"])
        found = json.loads(capsys.readouterr().out)["findings"]
        main(["check", "--offline", *arguments])
        return [(it["path"], it["key"], it["code"]) for it in found], capsys.readouterr().err

    run.folder = tmp_path
    return run


def write(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.tex").write_text(text, encoding="utf-8")


def test_entries_that_a_manuscript_does_not_cite_are_reported(check):
    write(check.folder, paper=PAPER % "a,b")
    unused = [("refs.bib", "c", "unused-entry"), ("refs.bib", "d", "unused-entry")]
    for paths in (["paper.tex"], ["."], ["refs.bib"], ["paper.tex", "refs.bib"]):
        assert check(*paths)[0] == unused


def test_an_entry_is_unused_if_no_manuscript_of_the_folder_cites_it(check):
    write(check.folder, paper=PAPER % "a", talk=PAPER % "b,c")
    unused = [("refs.bib", "d", "unused-entry")]
    assert check(".") == (unused, "")
    assert check("paper.tex", "talk.tex") == (unused, "")
    found, said = check("paper.tex")
    assert found == []
    assert said == "citelsp: refs.bib: unused entries are not reported, because other manuscripts share it\n"


def test_a_bibliography_that_is_checked_whole_has_its_notes(check):
    """It is if none of it is cited, or if it is named; without a manuscript, or with `*`, nothing counts as unused."""
    (check.folder / ".citelsp.toml").write_text("checks.unused_limit = 3")
    write(check.folder, paper=PAPER % "x")
    too_many = "unused entries are not reported, because it has more than 3 entries (checks.unused_limit)"
    for paths in (["."], ["refs.bib"], ["paper.tex", "refs.bib"]):
        assert check(*paths)[1] == f"citelsp: refs.bib: {too_many}\n"
    write(check.folder, paper=PAPER % "x}\\nocite{*")
    assert check(".")[1] == check("refs.bib")[1] == ""
    (check.folder / "paper.tex").unlink()
    assert check(".")[1] == ""


def test_that_others_share_a_bibliography_is_no_matter_if_it_is_checked_whole(check):
    write(check.folder, paper=PAPER % "x", talk=PAPER % "y")
    found, said = check(".")
    assert [key for _, key, code in found if code == "unused-entry"] == list("abcd")
    assert said == ""
    assert check("paper.tex", "refs.bib")[1] == ""


def test_an_unused_entry_is_reported_once_though_parts_belong_to_several_papers(check):
    write(check.folder, paper=PAPER % "a}\\input{common", talk=PAPER % "b,c}\\input{common")
    write(check.folder, common="\\cite{a}", draft="\\input{common}\\cite{b}\\bibliography{refs}")
    (check.folder / "parts").mkdir()
    write(check.folder / "parts", stray="\\cite{a}")
    assert check(".")[0] == [("refs.bib", "d", "unused-entry")]


def test_a_comment_silences_an_unused_entry_of_a_shared_bibliography(check):
    write(check.folder, paper=PAPER % "a", talk=PAPER % "b,c")
    (check.folder / "refs.bib").write_text(REFS.replace("@book{d", "% citelsp: ignore[unused-entry]\n@book{d"))
    assert check(".")[0] == check("paper.tex")[0] == []


def test_an_unused_entry_of_a_shared_bibliography_is_reported_beside_a_received_list(check):
    (check.folder / "list.txt").write_text("References\n\n[1] A. Author. Title of a work. Journal, 1:2-3, 2000.\n")
    for name in ("other", "shared"):
        (check.folder / name / ".git").mkdir(parents=True)
    write(check.folder / "other", paper=r"\documentclass{article}\begin{document}Nothing.\end{document}")
    write(check.folder / "shared", paper=PAPER % "a", talk=PAPER % "b,c")
    (check.folder / "refs.bib").rename(check.folder / "shared" / "refs.bib")
    unused = ("shared/refs.bib", "d", "unused-entry")
    assert unused in check("other", "shared")[0]
    assert unused in check("list.txt", "other", "shared")[0]


def test_a_large_bibliography_is_a_library(check):
    write(check.folder, paper=PAPER % "a", talk=PAPER % "b")
    (check.folder / ".citelsp.toml").write_text("[checks]\nunused_limit = 3\n")
    assert check(".")[0] == check("paper.tex")[0] == []


def test_every_document_below_metadata_uses_its_bibliography(check):
    (check.folder / "_quarto.yml").write_text("project: {type: website}\nbibliography: refs.bib\n")
    for name, key in ("one", "a"), ("two", "b"), ("three", "c"):
        (check.folder / f"{name}.qmd").write_text(f"---\ntitle: {name}\n---\nSee [@{key}].\n")
    assert check(".") == ([("refs.bib", "d", "unused-entry")], "")
    assert check("one.qmd")[0] == []


@pytest.mark.skipif(os.name == "nt", reason="links are POSIX's")
def test_a_linked_bibliography_is_one_file_under_its_real_name(check):
    (check.folder / "real").mkdir()
    (check.folder / "refs.bib").rename(check.folder / "real" / "mine.bib")
    (check.folder / "refs.bib").symlink_to("real/mine.bib")
    write(check.folder, paper=PAPER % "a,b,c")
    assert check(".")[0] == [("real/mine.bib", "d", "unused-entry")]


def test_a_field_is_missing_once_whatever_its_name_in_two_dialects(check):
    (check.folder / "refs.bib").write_text("@article{a, title = {T}, author = {A}, year = 2000}\n")
    write(
        check.folder,
        paper=PAPER % "a" + r"\bibliographystyle{plain}",
        talk=r"\documentclass{beamer}\usepackage{biblatex}\addbibresource{refs.bib}\cite{a}",
    )
    assert check(".")[0] == [("refs.bib", "a", "missing-field")]


def test_notes_name_their_documents_and_are_not_repeated(check):
    write(check.folder, **dict.fromkeys(("p1", "p2", "p3", "p4", "p5"), r"\documentclass{article} \cite{x}"))
    declared = "no bibliography is declared (\\bibliography or \\addbibresource), so no citation was checked"
    assert check(".")[1] == f"citelsp: p1.tex, p2.tex, p3.tex and 2 more: {declared}\n"
    bare = r"\documentclass{article}\input{gone}\cite{x,a}\bibliography{refs}"
    write(check.folder, **dict.fromkeys(("p1", "p2", "p3", "p4", "p5"), bare))
    assert check(".")[1].splitlines()[0] == (
        "citelsp: p1.tex, p2.tex, p3.tex and 2 more: “gone” was not found, so citelsp did not report 5 keys "
        "without an entry"
    )


def test_a_list_that_is_compiled_from_the_bibliography_is_not_looked_at_again(check, capsys):
    write(check.folder, paper=PAPER % "a,b")
    items = "".join(f"\\bibitem{{{it}}} A. T{it}. P, 2000.\n" for it in "ab")
    compiled = f"\\begin{{thebibliography}}{{9}}\n{items}\\end{{thebibliography}}\n"
    (check.folder / "paper.bbl").write_text(compiled, encoding="utf-8")
    main(["check", "--offline", "."])
    assert "2 entries: not looked up" in capsys.readouterr().out
    main(["check", "--offline", "paper.bbl"])  # what is named itself is looked at
    assert "2 entries: not looked up" in capsys.readouterr().out
    (check.folder / "refs.bib").unlink()
    main(["check", "--offline", "."])
    assert "2 entries: not looked up" in capsys.readouterr().out


def test_a_bibliography_of_which_nothing_is_cited_is_looked_at(check):
    write(check.folder, paper=r"\documentclass{article}\bibliography{refs}")
    (check.folder / "refs.bib").write_text(REFS + "@book{e, title = {T}, title = {U}}\n", encoding="utf-8")
    assert ("refs.bib", "e", "malformed-entry") in check(".")[0]
    assert ("refs.bib", "e", "malformed-entry") not in check("paper.tex")[0]


def test_time_grows_with_the_files(check, capsys):
    """Drawings beside a main document, that it does not input: each was a project with all others around it."""

    def spent(count):
        folder = check.folder / str(count)
        folder.mkdir()
        write(folder, paper=PAPER % "a", **{f"f{number}": r"\cite{b}\draw;" for number in range(count)})
        (folder / "refs.bib").write_text(REFS, encoding="utf-8")
        start = time.process_time()
        main(["check", "--offline", str(folder), "--config", ".citelsp.toml"])
        assert f"Read {count + 1} manuscript files" in capsys.readouterr().out
        return time.process_time() - start

    spent(1)
    assert spent(240) < 8 * min(spent(59), spent(61))
