"""citelsp check --each: many papers, a line each."""

import csv
import time
import zipfile
from subprocess import DEVNULL

import pytest

import crossref_server
import forked_programs
from citelsp.cli import desk, exits, main

WORK = {
    "DOI": "10.1093/comjnl/27.2.97", "type": "journal-article", "title": ["Literate Programming"],
    "author": [{"given": "Donald E.", "family": "Knuth"}], "container-title": ["The Computer Journal"],
    "issued": {"date-parts": [[1984, 2]]},
}  # fmt: skip
RIGHT = """@article{knuth84, author = {Knuth, Donald E.}, title = {Literate Programming}, year = 1984,
  journal = {The Computer Journal}, doi = {10.1093/comjnl/27.2.97}}
"""
PAPERS = {
    "papers/one/main.tex": "\\documentclass{a}\\cite{knuth84}\\bibliography{refs}",
    "papers/one/refs.bib": RIGHT,
    "papers/two.bib": RIGHT.replace("1984,", "1986,").replace("27.2.97", "27.2.98"),
    "papers/three.pdf": "no PDF",
    "papers/.hidden/main.tex": "\\cite{x}",
}


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    for name, text in PAPERS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))

    def run(*arguments):
        status = main(["check", *map(str, arguments)])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run


@pytest.fixture
def crossref(tmp_path):
    server = crossref_server.Scholars(WORK)
    (tmp_path / "settings.toml").write_text(server.config(), encoding="utf-8")
    yield server
    server.close()


def test_a_line_each_and_the_gravest_first(check, crossref):
    status, out, _ = check("papers", "--each", "--config", "settings.toml")
    assert status == exits.UNFINISHED
    lines = out.splitlines()
    assert "papers/one: 1 verified" in lines
    assert "papers/three.pdf: is not a readable PDF" in lines
    assert lines[lines.index("The gravest first:") + 1].startswith("  papers/two.bib: 1 ")
    assert lines[-1].startswith("3 papers with 2 references: 1 needs a look, ")


def test_errors_that_no_service_tells_are_counted(check, tmp_path):
    (tmp_path / "papers/three.pdf").unlink()
    (tmp_path / "papers/two.bib").write_text(RIGHT + RIGHT, encoding="utf-8")
    status, out, _ = check("papers", "--each", "--offline")
    assert status == exits.FINDINGS
    assert out.splitlines()[-1].endswith(": 0 need a look, 1 has other errors or warnings.")


def test_no_comment_silences_a_paper_that_is_not_trusted(check, tmp_path):
    silent = "% citelsp: ignore[undefined-citation]\n\\cite{no}\\bibliography{refs}\\documentclass{a}"
    (tmp_path / "papers/one/main.tex").write_text(silent, encoding="utf-8")
    status, _, err = check("papers/one", "--each", "--offline")
    assert status == exits.OK
    assert "comments silence 1 finding (undefined-citation); --untrusted reports it" in err
    assert check("papers/one", "--each", "--offline", "--untrusted")[0] == exits.FINDINGS


def test_a_second_run_asks_nothing_again(check, crossref):
    first = check("papers", "--each", "--config", "settings.toml", "--format", "csv")
    asked = len(crossref.asked)
    assert asked
    assert check("papers", "--each", "--config", "settings.toml", "--format", "csv") == first
    assert len(crossref.asked) == asked


def test_an_interrupted_run_goes_on(check, crossref):
    whole = check("papers", "--each", "--config", "settings.toml", "--format", "csv")[1]
    for name in ("one", "two.bib"):
        check(f"papers/{name}", "--each", "--config", "settings.toml")
    asked = len(crossref.asked)
    assert check("papers", "--each", "--config", "settings.toml", "--format", "csv")[1] == whole
    assert len(crossref.asked) == asked


def test_a_folder_of_archives(check, tmp_path):
    with zipfile.ZipFile(tmp_path / "papers" / "four.zip", "w") as archive:
        archive.writestr("main.tex", PAPERS["papers/one/main.tex"])
        archive.writestr("refs.bib", RIGHT)
    assert "papers/four.zip: 1 not looked up" in check("papers", "--each", "--offline")[1]


def test_that_no_paper_was_found_is_told(check, tmp_path):
    (tmp_path / "empty").mkdir()
    status, _, said = check("empty", "--each", "--offline")
    assert status == exits.UNFINISHED
    assert "no paper was found in what you named" in said


def test_that_there_are_too_many_papers_is_told(check, monkeypatch):
    monkeypatch.setattr(desk, "_MOST_PAPERS", 1)
    status, out, said = check("papers", "--each", "--offline")
    assert (status, len(out.split("\n\n")[0].splitlines())) == (exits.UNFINISHED, 1)
    assert "2 of 3 papers are not checked: one run takes 1" in said


def test_a_row_each(check):
    rows = list(csv.DictReader(check("papers", "--each", "--offline", "--format", "csv")[1].splitlines()))
    assert [(it["paper"], it["references"], it["not looked up"]) for it in rows] == [
        ("papers/three.pdf", "0", "0"), ("papers/one", "1", "1"), ("papers/two.bib", "1", "1"),
    ]  # fmt: skip


def test_what_is_wrong_with_the_settings_is_said_once(check, tmp_path):
    (tmp_path / "wrong.toml").write_text("[nothing]\nof = 1\n")
    _, _, err = check("papers", "--each", "--offline", "--config", "wrong.toml")
    assert err.count("nothing") == 1


def test_papers_of_a_list(check, tmp_path):
    (tmp_path / "papers" / "list.txt").write_text("# of today\none\n\ntwo.bib\narXiv:2401.01234\ngone.pdf\n")
    status, out, _ = check("--list", "papers/list.txt", "--offline")
    assert status == exits.UNFINISHED
    assert [it.partition(":")[0] for it in out.splitlines()[:4]] == [
        "papers/one",
        "papers/two.bib",
        "arXiv",
        "papers/gone.pdf",
    ]
    assert "papers/gone.pdf: is not there" in out


def test_a_name_that_no_file_can_have_is_a_line_of_its_own(check, tmp_path):
    too_long = f"{'x' * 300}.pdf"
    (tmp_path / "papers" / "list.txt").write_text(f"{too_long}\ntwo.bib\n")
    status, out, _ = check("--list", "papers/list.txt", "--offline")
    assert status == exits.UNFINISHED
    first, second, *_ = out.splitlines()
    problem = first.partition(".pdf: ")[2]
    assert problem in ("could not be checked: File name too long", "is not there")  # as the system has it
    assert second == "papers/two.bib: 1 not looked up"


@pytest.mark.parametrize(
    "wrong",
    [
        ("papers", "--each", "--format", "sarif"),
        ("papers", "--each", "--fix", "safe"),
        (),
        ("--list", "none"),
        ("papers", "--each", "--explain", "knuth84"),
        ("papers", "--fix", "safe", "--explain", "knuth84"),
        ("papers", "--fix", "safe", "--baseline", "b.json", "--write-baseline"),
        ("papers", "--explain", "knuth84", "--baseline", "b.json", "--write-baseline"),
    ],
)
def test_what_cannot_be(check, wrong):
    assert check(*wrong)[0] == exits.USAGE


class Halting(crossref_server.Scholars):
    """Answers so many questions, and is silent then until it is told to go on."""

    def __init__(self, *works):
        super().__init__(*works)
        self.answered = []
        self.most = 0

    def answer(self, path, query):
        found = super().answer(path, query)
        self.answered.append((path, str(query)))
        self.hangs = len(self.answered) >= self.most > 0
        return found

    def go_on(self, more):
        self.most = len(self.answered) + more if more else 0
        self.hangs = False

    def is_silent(self):
        """True while somebody waits for an answer, who got all others."""
        return self.hangs and len(self.asked) > len(self.answered)


@pytest.fixture
def halting(tmp_path):
    names = [f"A {it} of engines and their notes" for it in ("history", "theory", "practice", "catalogue", "critique")]
    works = [crossref_server.work(f"10.1000/{at}", it, "Byron", "Ada", 2000) for at, it in enumerate(names)]
    server = Halting(*works)
    (tmp_path / "settings.toml").write_text(server.config(), encoding="utf-8")
    (tmp_path / "desk").mkdir()
    for at, title in enumerate(names):
        entry = f"@article{{a, author = {{Byron, Ada}}, title = {{{title}}}, year = {{{2000 + 9 * (at == 3)}}}"
        (tmp_path / "desk" / f"{at}.bib").write_text(f"{entry}, doi = {{10.1000/{at}}}}}", encoding="utf-8")
    yield server
    server.close()


def test_a_desk_that_is_killed_three_times_comes_to_the_same(check, halting, tmp_path, monkeypatch):
    words = ("desk", "--each", "--jobs", "1", "--config", "settings.toml", "--format", "csv")
    whole = check(*words)[1]
    asked = sorted(halting.answered)
    assert len(asked) == len(set(asked)) >= 5
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "other"))
    halting.answered.clear()
    for _ in range(3):
        halting.go_on(1)
        halting.asked[:] = [""] * len(halting.answered)
        process = forked_programs.start("check", *words, stdout=DEVNULL)
        while not halting.is_silent():
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
    halting.go_on(0)
    assert check(*words)[1] == whole
    assert sorted(halting.answered) == asked
