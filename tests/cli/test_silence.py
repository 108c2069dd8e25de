"""“No findings” means that it was looked at: what citelsp does not read it names."""

import json
from argparse import Namespace
from pathlib import Path

import pytest

from citelsp.base import bounds
from citelsp.cli import main
from citelsp.cli.check_outcome import CheckOutcome, Extent
from citelsp.cli.targets import Workplace

BROKEN = "@article{a, title = {T}\n@article{b, title = {U}}\n"
UNCITED = "@book{z}\n"
ENTRY = "@book{a, title = {A}, author = {B}, year = 2000, publisher = {C}}\n"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """check({path: text}, *arguments) → (exit status, output, errors)."""
    monkeypatch.chdir(tmp_path)

    def run(files, *arguments):
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        status = main(["check", "--offline", *(arguments or ["."])])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def test_nothing_is_found_in_a_folder_that_holds_nothing(check, tmp_path):
    (tmp_path / "empty").mkdir()
    told = "citelsp: empty holds no manuscript or bibliography\n"
    assert check({}, "empty") == (2, "Nothing was checked\n", told)
    status, out, _ = check({"refs.bib": ENTRY}, "empty", "refs.bib")
    assert (status, out.splitlines()[0]) == (2, "No findings in what could be read")


def test_no_paper_that_was_not_fetched_is_without_findings(check):
    status, out, err = check({"refs.bib": ENTRY}, "refs.bib", "arXiv:2401.01234")
    assert (status, out.splitlines()[0]) == (2, "No findings in what could be read")
    assert "arXiv:2401.01234" in err


@pytest.mark.parametrize("notes", ["README.md", "docs/notes.md"])
def test_a_guess_excuses_no_bibliography_from_being_looked_at(check, notes):
    status, out, _ = check({"refs.bib": BROKEN, notes: "# Hello\n"})
    assert status == 1 and "refs.bib:1:1: error: a (“T”): This entry is never closed." in out


def test_a_bibliography_that_is_declared_is_read_through_its_manuscript(check):
    declared = {"paper.md": "---\nbibliography: refs.bib\n---\n[@a]\n", "refs.bib": ENTRY + UNCITED}
    status, out, _ = check(declared)
    assert status == 0 and "missing-field" not in out and "No manuscript cites “z”" in out


@pytest.mark.parametrize("name", ["p.doc", "setup.py", "Makefile"])
def test_a_file_of_a_kind_that_is_not_read_is_wrong_usage(check, name):
    status, out, err = check({name: "[@a]", "refs.bib": BROKEN}, "refs.bib", name)
    assert (status, out) == (3, "")
    assert f"{name}: citelsp does not read this kind of file. It reads LaTeX (.tex" in err


@pytest.mark.parametrize("name", ["refs.ris", "p.xml", "package.json", "myst.yml", "conf.py"])
def test_a_file_whose_ending_promises_what_is_not_in_it_is_wrong_usage(check, name):
    status, out, err = check({name: "{}", "refs.bib": BROKEN}, "refs.bib", name)
    assert (status, out) == (3, "")
    told = f"citelsp: {name}: citelsp finds no bibliography there, nor anything that names one"
    assert err == f"{told}\n"
    beside_another = check({"p.doc": "x"}, "p.doc", name)[2]
    assert beside_another.startswith(f"{told}. p.doc: citelsp does not read this kind of file. It reads ")


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("hay.yml", "key:\n  type: article\n", 3),
        ("package.json", '{"name": "x"}', 3),
        ("refs.json", '[{"id": "a", "type": "book", "title": "A"}]', 0),
        ("refs.yaml", "references:\n- id: a\n  type: book\n  title: A\n", 0),
        ("_quarto.yml", "project:\n  type: book\n", 3),
        ("_quarto.yml", "bibliography: refs.bib\n", 0),
        ("myst.yml", "version: 1\n", 3),
        ("conf.py", "project = 'x'\n", 3),
        ("conf.py", "bibtex_bibfiles = ['refs.bib']\n", 0),
    ],
)
def test_yaml_and_json_are_read_where_they_hold_or_name_entries(check, name, text, status):
    assert check({name: text, "refs.bib": ENTRY}, name)[0] == status


def test_one_sentence_about_several_files_speaks_of_several(check):
    large = "".join(ENTRY.replace("{a", f"{{a{index}") for index in range(1001))
    cites = r"\documentclass{article}\begin{document}\cite{a1}\addbibresource{%s.bib}"
    _, out, err = check({"a.bib": large, "b.bib": large, "a.tex": cites % "a"}, "a.tex")
    assert "a.bib: unused entries are not reported, because it has more than 1,000 entries" in out + err
    _, out, err = check({"b.tex": cites % "b"}, "a.tex", "b.tex")
    assert "a.bib, b.bib: unused entries are not reported, because they have more than 1,000 entries" in out + err


def test_the_extent_of_a_check(check):
    check({"refs.bib": ENTRY + ENTRY.replace("{a", "{b"), "a.tex": r"\documentclass{article}\addbibresource{refs.bib}"})
    check({"b.tex": r"\documentclass{article}\cite{a, a}\addbibresource{refs.bib}", "alone.bib": ENTRY})

    def extent(*paths):
        targets = Workplace(Namespace(paths=[Path(it) for it in paths], config=None)).targets()
        return CheckOutcome(targets, [], {}, None).extent()

    assert extent(".") == Extent(manuscripts=2, citations=2, bibliographies=2, entries=2, of=3)
    assert extent("refs.bib") == Extent(manuscripts=2, citations=2, bibliographies=1, entries=2, of=2)


def test_every_report_tells_what_was_read_and_what_was_not(check):
    files = {"a.md": "By #cite(<a>).\n", "refs.bib": ENTRY}
    extent = {"manuscripts": 1, "citations": 0, "bibliographies": 1, "entries": 1, "of": 1, "cut": False}
    note = "a.md: one key cited by #cite, which is not Markdown but Typst"
    report = json.loads(check(files, ".", "--format", "json")[1])
    assert (report["read"], report["notes"]) == (extent, [note])
    run = json.loads(check(files, ".", "--format", "sarif")[1])["runs"][0]
    told = [it["message"]["text"] for it in run["invocations"][0]["toolExecutionNotifications"]]
    read = "Read 1 manuscript file with no citations and 1 bibliography with 1 entry."
    assert told == [note, read]
    assert check(files, ".", "--format", "github")[1].splitlines()[0] == f"note: {note}"
    assert check(files)[1].splitlines()[-1] == check(files, ".", "--format", "github")[1].splitlines()[-1] == read


def test_a_placeholder_in_a_file_that_is_not_read(check, capsys):
    check({"p.doc": "x"})
    assert main(["suggest", "p.doc"]) == 3
    assert "p.doc: citelsp does not read this kind of file." in capsys.readouterr().err


def test_keys_that_pandoc_makes_up_leave_none_undefined(check):
    files = {"a.md": "---\nbibliography: r.ris\n---\n[@doe20; @Doe_2020]", "r.ris": "TY  - BOOK\nID  - doe20\nER  -\n"}
    assert "No entry has the key “Doe_2020”" in check(files, "a.md")[1]
    status, _, err = check({**files, "r.ris": "TY  - BOOK\nTI  - T\nER  -\n"}, "a.md")
    assert status == 0 and "“r.ris” has no keys that citelsp reads" in err


def test_bibliographies_of_reference_managers_are_looked_at(check):
    ris = "TY  - JOUR\nTI  - T\nER  -\nTY  - BOOK\nID  - b\nTI  - U\nER  -\n"
    xml = "<xml><records><record><rec-number>7</rec-number><titles><title>V</title></titles></record></records></xml>"
    files = {"a.ris": ris, "b.xml": xml, "web.xml": "<html/>", "README.md": "# Hello\n"}
    for paths in (["a.ris", "b.xml"], ["."]):
        out = check(files, *paths)[1]
        assert "and 2 bibliographies with 3 entries." in out


def test_citations_in_a_syntax_that_is_not_read_are_counted(check):
    files = {
        "a.md": "By #cite(<a>) and #cite(<b>).\n",
        "b/c.md": "And {footcite}`d`.\n",
        "docs/x.rst": "See :cite:p:`a` there, :cite:`b, c` and :cite:t:`a`.\n",
        "w.lyx": 'LatexCommand citep\nbefore "see"\nkey "a,b"\nliteral "false"\n\\end_inset\n',
        "y.adoc": "cite:[a] mail me@example.org\n",
        "z.rst": "no",
    }
    err = check(files)[2]
    assert "a.md: 2 keys cited by #cite, which is not Markdown but Typst" in err
    assert "b/c.md: no bibliography is declared, so citelsp did not check one key in roles or brackets" in err
    assert "docs/x.rst: 3 keys cited in reStructuredText, which is not read" in err
    assert "w.lyx: 2 keys cited in LyX, which is not read" in err
    assert "y.adoc: one key cited in AsciiDoc, which is not read" in err


def test_markdown_that_cites_and_names_no_bibliography(check):
    links = "[@ada](https://example.org) [@eve][1] [@bob]: x"
    err = check({"a.md": "[@doi:10.1/x; @b]", "b.md": "See [@c] by @octocat.", "c.md": links}, ".")[2]
    assert "a.md, b.md: no bibliography is declared, so citelsp did not check 2 keys in roles or brackets" in err
    assert not check({"a.md": "Thanks @octocat", "b.md": ""}, "a.md")[2]


def test_keys_in_brackets_that_the_bibliography_beside_lacks(check):
    err = check({"a.md": "[@x] @octocat", "refs.bib": ENTRY})[2]
    assert "others than the one beside it, so citelsp did not report one key without an entry" in err


def test_folders_that_are_not_searched(check, tmp_path):
    deep = "/".join("abcdefghijkl")
    check({".hidden/refs.bib": ENTRY, "env/main.tex": "x", "node_modules/x.js": "", f"{deep}/deep.bib": ENTRY})
    (tmp_path / "link").symlink_to(tmp_path / "a")
    err = check({})[2]
    assert ".hidden, env: bibliographies or LaTeX files in these folders were not searched" in err
    assert f"{deep[:21]}: more than 10 levels deep, or beyond 2,000 folders: not searched" in err


def test_metadata_that_names_a_missing_bibliography(check):
    status, out, _ = check({"_quarto.yml": "bibliography: gone.bib\n", "a.qmd": "[@x]", "b.qmd": "[@y]"})
    assert status == 1 and out.count("_quarto.yml:1:15: error: gone.bib does not exist. [missing-bibliography]") == 1


def test_a_missing_bibliography_is_left_to_the_author(check, tmp_path):
    main = "\\documentclass{article}\n\\bibliography{ref}\n\\cite{a}\n"
    status, out, err = check({"main.tex": main, "refs.bib": ENTRY}, "main.tex", "--fix", "review")
    assert (
        status == 1 and "main.tex:2:15: error: ref.bib does not exist; refs.bib exists. [missing-bibliography]" in out
    )
    assert "no bibliography is declared" not in err and "“ref.bib” was not found, so citelsp" in err
    assert (tmp_path / "main.tex").read_text(encoding="utf-8") == main


def test_a_bibliography_in_capitals_or_with_a_long_ending(check):
    out = check({"A.BIB": BROKEN, "b.bibtex": BROKEN, "bib/c.bib": ENTRY})[1]
    assert out.count("This entry is never closed.") == 2


def test_links_that_lead_nowhere(check, tmp_path):
    (tmp_path / "refs.bib").symlink_to(tmp_path / "gone.bib")
    (tmp_path / "a.md").symlink_to(tmp_path / "gone.md")
    status, _, err = check({"b.md": ""})
    assert status == 0 and "a.md, refs.bib: broken links" in err


@pytest.mark.parametrize("name", ["a.typ", "a.org", "a.ltx", "a.ipynb", "a.bbl"])
def test_links_to_whatever_would_be_read(check, tmp_path, name):
    (tmp_path / name).symlink_to(tmp_path / "gone")
    assert check({"b.md": ""})[2] == f"citelsp: {name}: a broken link\n"


def test_hidden_files_are_no_matter(check, tmp_path):
    """What macOS and Emacs leave beside files of the same name."""
    (tmp_path / "._refs.bib").write_bytes(b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X\xff\xfe")
    (tmp_path / ".#paper.tex").symlink_to("eve@host.1:2")
    status, out, err = check({"refs.bib": ENTRY, ".old.bib": BROKEN, "paper.tex": r"\cite{a}\bibliography{refs}"})
    assert (status, err) == (0, "") and "Read 1 manuscript file with 1 citation and 1 bibliography with 1 entry" in out
    named = check({}, ".old.bib")
    assert named[0] == 1 and "never closed" in named[1]


def test_a_link_to_itself(check, tmp_path):
    (tmp_path / "refs.bib").symlink_to(tmp_path / "refs.bib")
    status, _, err = check({"b.md": ""})
    assert status == 0 and "refs.bib: a broken link" in err


def test_of_more_entries_than_are_read_not_all_were_checked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("r.bib").write_text("\n".join(f"@a{{k{it}}}" for it in range(bounds.ENTRIES + 1)), encoding="utf-8")
    targets = Workplace(Namespace(paths=[Path("r.bib")], config=None)).targets()
    assert CheckOutcome(targets, [], {}, None).extent().cut
