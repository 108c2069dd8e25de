"""citelsp corpus add: identifiers, and a Zotero library, from programs on this machine."""

import io
import sys

import pytest

import crossref_server
import imitated_opensearch
import pdf_files
import zotero_server
from citelsp.cli import exits, main, snapshot_adding
from citelsp.corpus.index import Corpus

PAPER = """Zeppelins and Other Airships
doi:10.1000/airship.1
1 Introduction
Much has been written on the buoyancy of gases since antiquity, and not all of it was right, as we show here.
References
[1] C. Babbage. Engines. doi:10.1000/engine.7.
[2] L. Menabrea. 1842. Notions of the Analytical Engine."""


@pytest.fixture
def zotero(tmp_path):
    path = pdf_files.written(tmp_path / "airships.pdf", [pdf_files.stream(pdf_files.shown(PAPER.splitlines()))])
    running = zotero_server.Zotero(
        zotero_server.item("AIR", "Zeppelins, and Other Airships", "Lovelace", "Ada", 1900, DOI="10.1000/airship.1"),
        zotero_server.item(
            "ENG", "Engines", "Babbage", "Charles", 1832, DOI="10.1000/engine.7", abstractNote="On wheels."
        ),
        zotero_server.attached("PDF", "AIR"),
        zotero_server.attached("GONE", "ENG"),
        files={"PDF": path},
    )
    yield running
    running.close()


@pytest.fixture
def add(tmp_path, monkeypatch, capsys, zotero):
    """add(*arguments) → (exit status, last line printed, what was said)."""
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    world = crossref_server.Scholars(crossref_server.work("10.1000/trout", "On Trout", "Lee", "Ann", 2020))
    lines = [
        f"[services.{it}]\nenabled = false\n" for it in world.settings()["services"] if it not in {"crossref", "zotero"}
    ]
    here = world.settings()["services"]["crossref"]["base_url"]
    lines += [f'[services.crossref]\nbase_url = "{here}"\n', f'[services.zotero]\nbase_url = "{zotero.address}"\n']
    (tmp_path / "config.toml").write_text("".join(lines))

    def run(*arguments):
        options = ["--corpus", str(tmp_path / "corpus"), "--config", str(tmp_path / "config.toml")]
        status = main(["corpus", "add", *arguments, *options])
        said = capsys.readouterr()
        return status, said.out.rpartition("\n")[0].rpartition("\n")[2], said.err

    run.world = world
    yield run
    world.close()


def works(tmp_path):
    with Corpus(tmp_path / "corpus") as corpus:
        return {it.title: it for it in corpus.works()}


def test_an_identifier_is_looked_up_and_a_second_time_is_known(add, tmp_path):
    assert add("doi:10.1000/trout")[:2] == (0, "identifiers: 1 new, 0 changed, 0 unchanged")
    asked = len(add.world.asked)
    assert add("10.1000/trout")[:2] == (0, "identifiers: 0 new, 0 changed, 1 unchanged")
    assert len(add.world.asked) == asked
    assert list(works(tmp_path)) == ["On Trout"]


def test_what_is_no_file_and_no_identifier_is_said(add):
    assert add("nothing/of that name")[::2] == (
        2, "citelsp: nothing/of that name: neither a file nor an identifier\n",
    )  # fmt: skip
    title = "A title longer than any name of a file may be" * 9
    assert add(title, "10.1000/trout")[1:] == (
        "identifiers: 1 new, 0 changed, 0 unchanged",
        f"citelsp: {title}: neither a file nor an identifier\n",
    )
    assert add()[0] == 3


def test_a_zotero_library_with_its_pdfs(add, tmp_path):
    pytest.importorskip("pypdfium2")
    assert add("--zotero")[0] == 0
    found = works(tmp_path)
    airship = found["Zeppelins, and Other Airships"]
    assert list(found) == ["Zeppelins, and Other Airships", "Engines"]
    assert (airship.year, airship.authors) == (1900, ("Lovelace, Ada",))
    assert "buoyancy" in airship.text
    assert airship.references == ("doi:10.1000/engine.7",)
    assert found["Engines"].abstract == "On wheels."
    assert add("--zotero")[:2] == (0, "Zotero: 0 new, 0 changed, 2 unchanged")


def test_group_libraries_are_added_if_the_command_says_so(add, tmp_path, zotero):
    pytest.importorskip("pypdfium2")
    # A work that is also the user's own is one work, and a PDF lies where its group is.
    shared = zotero_server.item("ENH", "Engines", "Babbage", "Charles", 1832, DOI="10.1000/engine.7")
    kites = zotero_server.item("KIT", "Kites in Wind", "Cayley", "George", 1809)
    zotero.groups = {7: [shared], 12: [kites, zotero_server.attached("KPDF", "KIT")]}
    shown = pdf_files.shown(["Kites in Wind", "The lift of a kite grows with the square of the speed of the wind."])
    zotero.files["KPDF"] = pdf_files.written(tmp_path / "kites.pdf", [pdf_files.stream(shown)])
    add("--zotero")
    assert "Kites in Wind" not in works(tmp_path)
    assert add("--zotero", "--groups")[0] == 0
    assert list(works(tmp_path)) == ["Zeppelins, and Other Airships", "Engines", "Kites in Wind"]
    assert "lift of a kite" in works(tmp_path)["Kites in Wind"].text
    assert add("--zotero", "--groups")[:2] == (0, "Zotero: 0 new, 0 changed, 4 unchanged")


def test_groups_of_nothing(add):
    assert add("--groups", "10.1000/trout")[::2] == (3, "citelsp: --groups needs --zotero\n")


def test_an_item_that_changed_is_read_again_and_keeps_its_text(add, tmp_path, zotero):
    pytest.importorskip("pypdfium2")
    add("--zotero")
    zotero.items[0]["data"]["title"] = "Zeppelins and Airships"
    assert add("--zotero")[:2] == (0, "Zotero: 0 new, 1 changed, 1 unchanged")
    assert "buoyancy" in works(tmp_path)["Zeppelins and Airships"].text


@pytest.mark.parametrize("how", ["closed", "gone"])
def test_a_zotero_that_does_not_answer(add, zotero, how):
    zotero.open = False
    if how == "gone":
        zotero.server_close()
    status, _, said = add("--zotero")
    assert status == 2
    assert "Zotero did not answer (" in said
    zotero.open = True
    assert how == "gone" or add("--zotero")[0] == 0


def test_half_a_character_ends_no_import(tmp_path, capsys):
    lines = '{"id": "a\\ud800", "title": "One \\udfff paper", "text": "\\ud800", "authors": ["\\udc00"]}'
    (tmp_path / "works.jsonl").write_text(f'{lines}\n{{"id": "b", "title": "Another paper"}}\n', encoding="utf-8")
    assert main(["corpus", "add", str(tmp_path / "works.jsonl"), "--corpus", str(tmp_path / "c")]) == 0
    assert "2 new" in capsys.readouterr().out
    with Corpus(tmp_path / "c") as corpus:
        assert [it.title for it in corpus.works()] == ["One ? paper", "Another paper"]


def test_a_folder_of_which_a_file_cannot_be_read_is_added_with_a_note(tmp_path, capsys):
    papers, index = tmp_path / "papers", str(tmp_path / "index")
    papers.mkdir()
    (papers / "torn.pdf").write_bytes(b"no PDF")
    assert main(["corpus", "add", str(papers), "--corpus", index]) == 2, "nothing could be read"
    pdf_files.written(papers / "airships.pdf", [pdf_files.stream(pdf_files.shown(PAPER.splitlines()))])
    capsys.readouterr()
    assert main(["corpus", "add", str(papers), "--corpus", index]) == 0
    printed = capsys.readouterr()
    assert "1 new" in printed.out and "torn.pdf: is not a readable PDF" in printed.err
    assert main(["corpus", "add", str(papers / "torn.pdf"), "--corpus", index]) == 2


class Interrupted(io.StringIO):
    def write(self, _):
        raise KeyboardInterrupt


@pytest.mark.parametrize("command", [["info"], ["search", "airships"]])
def test_interrupted_a_command_that_adds_nothing_says_nothing_of_what_was_added(tmp_path, monkeypatch, capsys, command):
    (tmp_path / "works.jsonl").write_text('{"id": "a", "title": "On airships"}', encoding="utf-8")
    assert main(["corpus", "add", str(tmp_path / "works.jsonl"), "--corpus", str(tmp_path / "c")]) == 0
    capsys.readouterr()
    monkeypatch.setattr(sys, "stdout", Interrupted())
    assert main(["corpus", *command, "--corpus", str(tmp_path / "c")]) == exits.INTERRUPTED
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", [["info"], ["export"]])
def test_so_does_one_that_is_sent_to_a_server(tmp_path, monkeypatch, capsys, command):
    works, config = tmp_path / "works.jsonl", tmp_path / "config.toml"
    works.write_text('{"id": "a", "title": "On airships"}', encoding="utf-8")
    with imitated_opensearch.serving(imitated_opensearch.Index()) as url:
        config.write_text(f'[corpus.servers.lab]\nbase_url = "{url}"\n', encoding="utf-8")
        to = ["--to", "lab", "--config", str(config)]
        assert main(["corpus", "add", str(works), *to]) == 0
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdout", Interrupted())
        assert main(["corpus", *command, *to]) == exits.INTERRUPTED
    assert capsys.readouterr().err == ""


def test_a_work_that_a_server_does_not_remove_is_not_called_unknown(tmp_path, capsys):
    works, config = tmp_path / "works.jsonl", tmp_path / "config.toml"
    works.write_text('{"id": "a", "title": "On airships"}\n{"id": "b", "title": "On boats"}\n', encoding="utf-8")
    index = imitated_opensearch.Index()
    with imitated_opensearch.serving(index) as url:
        config.write_text(f'[corpus.servers.lab]\nbase_url = "{url}"\n', encoding="utf-8")
        to = ["--to", "lab", "--config", str(config)]
        assert main(["corpus", "add", str(works), *to]) == 0
        assert main(["corpus", "add", "--zotero", *to]) == exits.USAGE
        assert "leave out --to" in capsys.readouterr().err
        index.rejects = {"a": [400]}
        capsys.readouterr()
        assert main(["corpus", "remove", "a", "b", "c", *to]) == exits.UNFINISHED
    told = capsys.readouterr()
    assert told.out == "1 removed\n"
    assert "a: rejected: because of 400" in told.err and "a: there is no such work" not in told.err
    assert "c: there is no such work" in told.err


def test_without_anything_to_add_no_index_is_made_on_a_server(tmp_path, capsys):
    config = tmp_path / "config.toml"
    index = imitated_opensearch.Index()
    with imitated_opensearch.serving(index) as url:
        config.write_text(f'[corpus.servers.lab]\nbase_url = "{url}"\n', encoding="utf-8")
        for options in ([], ["--beside"], ["--groups"], ["--zotero", "--groups"]):
            assert main(["corpus", "add", *options, "--to", "lab", "--config", str(config)]) == exits.USAGE
        assert main(["corpus", "info", "--to", "lab", "--config", str(config)]) == exits.UNFINISHED
    told = capsys.readouterr()
    assert "Traceback" not in told.err and told.out == ""
    assert told.err.splitlines()[:3] == [
        "citelsp: give files or --openalex",
        "citelsp: give files or --openalex",
        "citelsp: --zotero and --groups add to your own corpus: leave out --to",
    ]


def test_a_new_index_beside_the_one_in_use_is_made_on_servers_alone(add, tmp_path):
    (tmp_path / "works.jsonl").write_text('{"id": "a", "title": "On airships"}', encoding="utf-8")
    status, printed, said = add(str(tmp_path / "works.jsonl"), "--beside")
    assert (status, printed, said) == (3, "", "citelsp: --beside is for the corpus on a server: name it with --to\n")
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("option", [("--concept", "Physics"), ("--years", "2000-"), ("--language", "en")])
def test_what_chooses_works_of_a_snapshot_chooses_no_other_works(add, tmp_path, option):
    (tmp_path / "works.jsonl").write_text('{"id": "a", "title": "On airships"}', encoding="utf-8")
    said = "citelsp: --concept, --years and --language need --openalex\n"
    assert add(str(tmp_path / "works.jsonl"), *option)[::2] == (3, said)
    assert add()[0] == 3
    assert not (tmp_path / "corpus").exists()


def test_years_without_a_dash_between_them_are_no_span(capsys):
    assert snapshot_adding._read_years("20002024") == snapshot_adding._read_years("")
    assert "20002024 is not a span of years" in capsys.readouterr().err
    assert [snapshot_adding._read_years(it) for it in ("2000-2024", "2000-", "-2024", "2000")] == [
        (2000, 2024), (2000, 9999), (0, 2024), (2000, 2000),
    ]  # fmt: skip
