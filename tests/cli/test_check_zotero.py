"""An audit of a Zotero library: what is found, told by item, with what shows it in Zotero."""

import json

import pytest

import crossref_server
import zotero_server
from citelsp.cli import exits, main

WORK = crossref_server.work("10.1000/airship", "Airships and Their Builders", "Lovelace", "Ada", 1900)


@pytest.fixture
def library():
    running = zotero_server.Zotero(
        zotero_server.item(
            "AIRSHIP1", "Airships and Their Builders", "Lovelace", "Ada", 1900,
            DOI="10.1000/airship", citationKey="lovelace1900", collections=["THESIS01"],
        ),
        zotero_server.item("ENGINE01", "Engines", "Babbage", "Charles", 1832, collections=["CHAPTER1"]),
        zotero_server.item("WRONG001", "Kites", "Nobody", "Nick", 1900, DOI="10.1000/airship"),
        zotero_server.attached("PDF", "AIRSHIP1"),
        groups={7: [zotero_server.item("SHARED01", "Balloons", "Cayley", "George", 1809)]},
    )  # fmt: skip
    running.collections = [("THESIS01", "Thesis"), ("CHAPTER1", "Chapter", "THESIS01"), ("OTHER001", "Other")]
    yield running
    running.close()


@pytest.fixture
def check(tmp_path, monkeypatch, capsys, library):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    world = crossref_server.Scholars(WORK)
    here = f'[services.zotero]\nbase_url = "{library.address}"\n'
    lines = world.config().replace("[services.zotero]\nenabled = false\n", here)
    (tmp_path / "settings.toml").write_text(lines)

    def run(*arguments):
        status = main(["check", "--zotero", "--config", "settings.toml", *arguments])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    yield run
    world.close()


def keys(out):
    return [it["key"] for it in json.loads(out)["entries"]]


def test_each_item_is_judged_and_can_be_shown_in_zotero(check):
    status, out, _ = check("--format", "json")
    found = {it["key"]: it for it in json.loads(out)["entries"]}
    assert status == exits.FINDINGS
    assert {key: it["address"] for key, it in found.items()} == {
        "lovelace1900": "zotero://select/library/items/AIRSHIP1",
        "ENGINE01": "zotero://select/library/items/ENGINE01",
        "WRONG001": "zotero://select/library/items/WRONG001",
    }
    assert found["lovelace1900"]["verdict"] == "verified"
    assert found["WRONG001"]["verdict"] == "conflict"


@pytest.mark.parametrize("form", ["text", "md", "html", "csv"])
def test_every_report_for_people_leads_to_the_item(check, form):
    out = check("--format", form)[1]
    assert "zotero://select/library/items/WRONG001" in out


def test_a_collection_with_those_below_it(check):
    assert set(keys(check("--collection", "thesis", "--format", "json")[1])) == {"lovelace1900", "ENGINE01"}
    assert keys(check("--collection", "Chapter", "--format", "json")[1]) == ["ENGINE01"]
    status, _, err = check("--collection", "Nothing")
    assert status == exits.UNFINISHED
    assert "Zotero has no collection “Nothing” with items" in err


def test_group_libraries_if_they_are_asked_for(check, library):
    out = check("--groups", "--format", "json", "--offline")[1]
    found = {it["key"]: (it["path"], it.get("address")) for it in json.loads(out)["entries"]}
    assert found["SHARED01"] == ("Zotero/Group 7.bib", "zotero://select/groups/7/items/SHARED01")
    assert len(found) == 4


def test_keys_that_better_bibtex_keeps_to_itself(check, library):
    library.keyed, library.citekeys = [], {"ENGINE01": "babbage1832"}
    assert keys(check("--format", "json", "--offline")[1]) == ["lovelace1900", "babbage1832", "WRONG001"]


def test_a_zotero_that_is_closed_is_no_pass(check, library):
    library.open = False
    status, out, err = check()
    assert status == exits.UNFINISHED
    assert "Nothing was checked" in out
    assert "Zotero did not answer" in err


def test_nothing_is_written_to_zotero(check, library):
    check("--fix", "review")
    assert library.imported == []


def test_a_long_library_comes_in_pages(check, library):
    library.items = [zotero_server.item(f"I{n}", f"Title {n}", "Doe", "Jane", 2000) for n in range(2300)]
    assert len(keys(check("--format", "json", "--offline")[1])) == 2300


def test_misuse(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--collection", "Thesis", "."]) == exits.USAGE
    assert "--collection and --groups are for --zotero without a PATH" in capsys.readouterr().err


PAPER = "See [@lovelace1900, p. 3] and [@nobody].\n"


def test_a_manuscript_without_a_bibliography_is_checked_by_zoteros_keys(check, tmp_path):
    (tmp_path / "paper.md").write_text(PAPER)
    (tmp_path / "main.tex").write_text("\\documentclass{article}\n\\begin{document}\n\\cite{lovelace1900}\n")
    for paper, lacking in (("paper.md", ["nobody"]), ("main.tex", [])):
        status, out, err = check(paper, "--format", "json")
        report = json.loads(out)
        [entry] = report["entries"]
        assert (entry["key"], entry["verdict"]) == ("lovelace1900", "verified"), err
        assert entry["address"] == "zotero://select/library/items/AIRSHIP1"
        assert [it["key"] for it in report["findings"] if it["code"] == "undefined-citation"] == lacking
        assert status == (exits.FINDINGS if lacking else exits.OK)


def test_a_manuscript_with_a_bibliography_borrows_none(check, tmp_path):
    (tmp_path / "paper.md").write_text(f"---\nbibliography: refs.bib\n---\n{PAPER}")
    (tmp_path / "refs.bib").write_text("@misc{other, title = {Other}}\n")
    status, out, _ = check("paper.md", "--format", "json")
    assert status == exits.FINDINGS
    assert json.loads(out)["entries"] == []
    assert {it["key"] for it in json.loads(out)["findings"]} >= {"lovelace1900", "nobody"}
