"""citelsp add against a service on this machine."""

import os

import pytest

import crossref_server
import pdf_files
from citelsp.cli import main

ATTENTION = crossref_server.work("10.1000/attention", "Attention and Its Many Uses", "Vaswani", "Ashish", 2017)
SPARSE = crossref_server.work("10.1000/sparse", "Sparse Models Meet Efficient Ensembles", "Müller", "Jörg", 2022)
BEFORE = "% mine, all mine\r\n@book{knuth84,\r\n\ttitle={Lit},year=1984}\r\n\r\n% end"


@pytest.fixture
def world():
    world = crossref_server.Scholars(ATTENTION, SPARSE)
    yield world
    world.close()


@pytest.fixture
def add(tmp_path, monkeypatch, capsys, world):
    """add(*works) → (exit status, what was printed, what was said); the file is refs.bib."""
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "config.toml"
    config.write_text(world.config())

    def run(*works, bib="refs.bib"):
        status = main(["add", *works, *(bib and ["--bib", bib]), "--config", str(config)])
        said = capsys.readouterr()
        return status, said.out.split(), said.err

    return run


def bib(tmp_path):
    return (tmp_path / "refs.bib").read_bytes().decode()


def test_works_are_added_and_nothing_else_changes(add, tmp_path):
    (tmp_path / "refs.bib").write_bytes(BEFORE.encode())
    assert add("https://doi.org/10.1000/ATTENTION", "Sparse Models Meet Efficient Ensembles")[:2] == (
        0,
        ["vaswani2017attention", "muller2022sparse"],
    )
    after = bib(tmp_path)
    assert after.startswith(BEFORE)
    assert "\n" not in after.replace("\r\n", "")
    assert after.count("@article{") == 2


def test_the_only_bibliography_of_the_folder_is_meant_if_none_is_named(add, tmp_path):
    status, keys, said = add("10.1000/attention", bib="")
    assert (status, keys) == (3, [])
    assert "there is no .bib file in this folder" in said
    (tmp_path / "refs.bib").write_text(BEFORE)
    (tmp_path / "._refs.bib").write_bytes(b"\x00\x05\x16\x07Mac OS X")  # as macOS leaves it on other systems' disks
    status, keys, said = add("10.1000/attention", bib="")
    assert (status, keys, said) == (0, ["vaswani2017attention"], "citelsp: adding to refs.bib\n")
    assert "{vaswani2017attention," in bib(tmp_path)
    (tmp_path / "other.bib").write_text("")
    status, keys, said = add("10.1000/sparse", bib="")
    assert (status, keys, said) == (3, [], "citelsp: say with --bib which is meant: other.bib, refs.bib\n")
    config = tmp_path / "config.toml"
    config.write_text(f'[writing]\nwrite_to = "other.bib"\n{config.read_text()}')
    assert add("10.1000/sparse", bib="")[::2] == (0, "citelsp: adding to other.bib\n")
    assert "{muller2022sparse," in (tmp_path / "other.bib").read_text(encoding="utf-8")


def test_the_entries_are_printed_and_nothing_is_written(add, tmp_path):
    before = sorted(tmp_path.iterdir())
    status, words, said = add("10.1000/attention", "10.1000/sparse", bib="-")
    assert (status, said) == (0, "")
    assert words[0] == "@article{vaswani2017attention," and "@article{muller2022sparse," in words and words[-1] == "}"
    assert [it for it in sorted(tmp_path.iterdir()) if it not in before and it.name != "cache"] == []
    (tmp_path / "-.bib").write_text("@misc{vaswani2017attention, title = {Attention and Its Many Uses}}")
    (tmp_path / "-.bib").chmod(0o444)
    assert add("10.1000/attention", "10.1000/sparse", bib="-") == (0, words, "")


def test_adding_again_adds_nothing_and_asks_nobody(add, tmp_path, world):
    add("10.1000/attention")
    once, asked = bib(tmp_path), len(world.asked)
    assert add("10.1000/attention")[:2] == (0, ["vaswani2017attention"])
    assert bib(tmp_path) == once
    assert len(world.asked) == asked <= 2


def test_the_file_keeps_its_mode(add, tmp_path):
    (tmp_path / "refs.bib").write_text(BEFORE)
    (tmp_path / "refs.bib").chmod(0o640)
    add("10.1000/attention")
    assert os.name != "posix" or (tmp_path / "refs.bib").stat().st_mode & 0o777 == 0o640


MADE = "".join(
    f"@misc{{doe{word}Things{year}, title = {{{word} Things}}}}\n"
    for word, year in (("Old", 2001), ("New", 2002), ("Blue", 2003), ("Red", 2004), ("Small", 2005))
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("% Exported by Better BibTeX\n" + BEFORE, "refs.bib is exported by Better BibTeX"),
        (MADE, "refs.bib may be exported by Better BibTeX"),
    ],
)
def test_an_export_is_written_only_if_its_author_names_it(add, tmp_path, world, text, reason):
    (tmp_path / "refs.bib").write_bytes(text.encode())
    status, keys, output = add("10.1000/attention")
    assert (status, keys, world.asked) == (2, [], [])
    assert reason in " ".join(output.split())
    assert bib(tmp_path) == text
    config = tmp_path / "config.toml"
    config.write_text(f'[writing]\nwrite_to = "refs.bib"\n{config.read_text()}')
    assert add("10.1000/attention")[:2] == (0, ["vaswani2017attention"])
    assert bib(tmp_path).startswith(text)


def test_the_setting_counts_from_the_folder_in_which_the_command_runs(add, tmp_path):
    (tmp_path / "bib").mkdir()
    (tmp_path / "bib" / "refs.bib").write_text(MADE)
    config = tmp_path / "config.toml"
    config.write_text(f'[writing]\nwrite_to = "bib/refs.bib"\n{config.read_text()}')
    assert add("10.1000/attention", bib="")[:2] == (0, ["vaswani2017attention"])


def test_a_retracted_work_is_said_to_be_one(add, world):
    world.works["10.1000/gone"] = crossref_server.work("10.1000/gone", "RETRACTED: On Gone Things", "Doe", "Jo", 2001)
    status, [key], said = add("10.1000/gone")
    assert (status, key) == (0, "doe2001gone")
    assert "doe2001gone: This work was retracted, says Crossref." in said


def test_what_is_not_found_is_said_and_nothing_is_written(add, tmp_path):
    status, keys, said = add("A Title That No Service Knows")
    assert (status, keys) == (1, [])
    assert "A Title That No Service Knows: not found by Crossref" in said
    assert not (tmp_path / "refs.bib").exists()


def test_a_vague_title_gets_candidates(add, tmp_path):
    status, keys, said = add("Attention and Many")
    assert (status, keys) == (1, [])
    assert "not found" in said or "which of these?" in said


def test_a_service_that_is_down_is_no_absence(add, world):
    world.close()
    status, _, said = add("10.1000/attention")
    assert status == 2
    assert "could not be looked up (Crossref: no connection; OpenAlex and doi.org: switched off)" in said


@pytest.mark.parametrize("content", [b"\0\0\0", None])
def test_a_file_that_cannot_be_read_is_left_alone(add, tmp_path, content):
    if content is None:
        (tmp_path / "refs.bib").mkdir()
    else:
        (tmp_path / "refs.bib").write_bytes(content)
    assert add("10.1000/attention")[0] == 2


def test_the_works_of_a_bibliography_are_added_without_asking(add, tmp_path, world):
    (tmp_path / "export.ris").write_text(
        "TY  - JOUR\nAU  - Doe, Jane\nTI  - Salt & Pepper\nJO  - Nature\nVL  - 3\nIS  - 2\nSP  - 1\nEP  - 9\n"
        "PY  - 2020\nDO  - 10.1000/x_y\nER  -\nTY  - BOOK\nER  -\n"
    )
    status, keys, err = add("export.ris")
    assert (status, keys, world.asked) == (0, ["doe2020salt"], [])
    assert "export.ris: left out, because they have no title: 1" in err
    after = bib(tmp_path)
    for field in (r"title = {Salt \& Pepper}", "pages = {1--9}", "number = {2}", "doi = {10.1000/x_y}"):
        assert field in after
    assert add("export.ris")[1] == ["doe2020salt"] and bib(tmp_path) == after
    (tmp_path / "empty.xml").write_text("<html/>")
    assert add("empty.xml")[0] == 2


def test_a_bibliography_without_titles_is_told_to_have_none(add, tmp_path, world):
    (tmp_path / "notitle.bib").write_text("@article{lee, author = {Lee, Ann}, year = 2020}")
    told = "citelsp: notitle.bib: no entry in it has a title, so none can be added\n"
    assert add("notitle.bib", "10.1000/attention") == (2, [], told)
    (tmp_path / "empty.bib").write_text("% nothing yet")
    assert add("empty.bib") == (2, [], "citelsp: empty.bib: there is no entry in it\n")
    assert not world.asked


@pytest.mark.parametrize("name", ["mistyped.bib", "sub/export.ris", "Paper.PDF"])
def test_a_file_that_is_not_there_is_no_title(add, world, name):
    assert add(name) == (3, [], f"citelsp: there is no {name}\n")
    assert add(" ", bib="-") == (3, [], "citelsp: what is to be added is empty\n")
    assert not world.asked


def test_a_title_or_identifier_may_end_as_files_do(add, world):
    world.works["10.1000/paper.pdf"] = crossref_server.work("10.1000/paper.pdf", "On Paper", "Doe", "Jo", 2001)
    assert add("10.1000/paper.pdf")[:2] == (0, ["doe2001paper"])
    for title in ("BibTeX", "What is in a package.json"):
        assert add(title)[0] == 1


def test_a_folder_that_is_missing_is_told_before_anything_is_looked_up(add, tmp_path, world):
    status, keys, said = add("10.1000/attention", bib="none/refs.bib")
    assert (status, keys, world.asked) == (2, [], [])
    assert f"there is no folder {tmp_path / 'none'}" in " ".join(said.split())


def paper(path, *lines):
    """A PDF with these lines on its first page, the first of them as large as a title."""
    title, *others = lines
    content = b"BT /F1 20 Tf 50 800 Td 24 TL\n(%s) Tj T*\nET" % title.encode()
    under = "\n".join(f"({line}) Tj T*" for line in [*others, *["Words that fill the page of a paper, and more."] * 9])
    content += f"\nBT /F1 10 Tf 50 740 Td 14 TL\n{under}\nET".encode()
    return pdf_files.written(path, [pdf_files.stream(content)])


@pytest.mark.parametrize("identifier", ["https://doi.org/10.1000/attention", ""], ids=["by its DOI", "by its title"])
def test_the_work_in_a_pdf_is_read_and_looked_up(add, tmp_path, identifier):
    paper(tmp_path / "download (3).pdf", "Attention and Its Many Uses", identifier, "Ashish Vaswani")
    status, keys, said = add("download (3).pdf", "10.1000/sparse")
    assert (status, keys, said) == (0, ["vaswani2017attention", "muller2022sparse"], "")
    assert "doi = {10.1000/attention}" in bib(tmp_path)


def test_a_doi_that_a_pdf_only_mentions_is_not_taken_for_its_own(add, tmp_path):
    paper(tmp_path / "paper.pdf", "Zebras of Kenya and Beyond", "doi:10.1000/attention", "Jane Doe")
    status, keys, said = add("paper.pdf")
    assert (status, keys) == (1, [])
    assert "paper.pdf: Zebras of Kenya and Beyond: not found by Crossref" in said


def test_a_file_that_takes_no_entry_is_not_finished(add, tmp_path):
    (tmp_path / "notes.json").write_text('{"a": 1}')
    (tmp_path / "source.bib").write_text("@article{a, title = {On Trout}, author = {Lee, Ann}, year = 2020}")
    assert add("source.bib", bib="notes.json") == (2, [], "citelsp: notes.json has no list of items to add to.\n")
    assert (tmp_path / "notes.json").read_text() == '{"a": 1}'


def test_a_file_in_which_no_work_can_be_read_gets_a_sentence(add, tmp_path, world):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    assert add("broken.pdf")[::2] == (1, "citelsp: broken.pdf: is not a readable PDF\n")
    (tmp_path / "notes.txt").write_text("Attention and Its Many Uses")
    status, _, said = add("notes.txt")
    assert (status, said) == (
        3,
        "citelsp: notes.txt is neither a bibliography nor a PDF, so nothing can be added from it\n",
    )
    status, _, said = add("10.1000/x", bib="notes.txt")
    assert (status, said) == (
        3,
        "citelsp: notes.txt is not a bibliography: its name should end in .bib, .json or .yaml\n",
    )
    assert not world.asked
    assert add("A title. " * 40)[0] == 1  # too long for the name of a file
