"""What JabRef keeps in a .bib: its groups, its metadata and its linked files outlive everything that citelsp writes."""

import re

import pytest

import crossref_server
from citelsp.cli import main

WORK = crossref_server.work("10.1093/comjnl/27.2.97", "Literate Programming", "Knuth", "Donald E.", 1984)
HEAD = "% Encoding: UTF-8\r\n\r\n"
META = (
    "@Comment{jabref-meta: databaseType:bibtex;}\r\n\r\n"
    "@Comment{jabref-meta: fileDirectory:papers;}\r\n\r\n"
    "@Comment{jabref-meta: grouping:\r\n0 AllEntriesGroup:;\r\n"
    "1 StaticGroup:To read\\;0\\;1\\;0x8a8a8aff\\;\\;\\;;\r\n"
    "2 KeywordGroup:Thinking\\;0\\;keywords\\;machine\\;0\\;0\\;1\\;\\;\\;\\;;\r\n}\r\n\r\n"
    "@Comment{jabref-meta: saveActions:enabled;\r\ndate[normalize_date]\r\n;}\r\n"
)
TURING = (
    "@Article{turing50,\r\n  author        = {Turing, Alan},\r\n  title         = {Computing Machinery},\r\n"
    "  journal       = {Mind},\r\n  year          = {1950},\r\n  doi           = {https://doi.org/10.1093/mind/x},\r\n"
    "  file          = {:turing50.pdf:PDF;Notes\\: mine:C\\:\\\\notes.pdf:PDF},\r\n  groups        = {To read},\r\n"
    "  timestamp     = {2021-03-04},\r\n  owner         = {ada},\r\n}\r\n"
)
ALPHA = "@Misc{alpha,\r\n  title  = {Alpha},\r\n  groups = {To read},\r\n  year   = {2001},\r\n}\r\n"
KEPT = [
    "  file          = {:turing50.pdf:PDF;Notes\\: mine:C\\:\\\\notes.pdf:PDF}",
    "  groups        = {To read}",
    "  timestamp     = {2021-03-04}",
    "  owner         = {ada}",
]
MANUSCRIPT = (
    "\\documentclass{article}\n\\begin{document}\n\\cite{turing50,alpha}\n\\bibliography{refs}\n\\end{document}\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    world = crossref_server.Scholars(WORK)
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "citelsp").mkdir(parents=True)
    (tmp_path / "home" / "citelsp" / "config.toml").write_text(world.config())
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "refs.bib").write_bytes((HEAD + TURING + "\r\n" + ALPHA + "\r\n" + META).encode())
    (tmp_path / "work" / "main.tex").write_text(MANUSCRIPT)
    monkeypatch.chdir(tmp_path / "work")
    yield tmp_path / "work"
    world.close()


@pytest.mark.parametrize(
    ("command", "mark"),
    [
        (["check", "refs.bib", "--offline", "--fix", "review"], "doi           = {10.1093/mind/x}"),
        (["format", "refs.bib"], ""),
        (["sort", "refs.bib"], ""),
        (["sort", "refs.bib", "--by", "year"], ""),
        (["add", "10.1093/comjnl/27.2.97", "--bib", "refs.bib"], "Literate Programming"),
    ],
)
def test_every_command_that_writes_keeps_it(folder, command, mark):
    before = (folder / "refs.bib").read_bytes()
    assert main(command) in (0, 1)
    after = (folder / "refs.bib").read_bytes().decode()
    assert mark in after
    assert "\n" not in after.replace("\r\n", "")
    assert after.startswith("% Encoding: UTF-8")
    assert comments(after) == comments(before.decode())
    assert squeezed(KEPT) <= squeezed(after.split("\r\n"))
    assert after.count("groups") == before.decode().count("groups")


def test_an_export_takes_groups_and_files_along(folder):
    assert main(["export", "main.tex", "--bib", "out.bib"]) == 0
    text = (folder / "out.bib").read_text()
    assert "1 StaticGroup:To read" in text
    assert squeezed(KEPT) <= squeezed(text.splitlines())


def comments(text):
    """Those of JabRef, to the letter."""
    return re.findall(r"@Comment\{jabref-meta: .*?\r\n?(?=\r?\n|$)", text, re.DOTALL)


def squeezed(lines):
    return {re.sub(r"\s*=\s*", " = ", it.strip().rstrip(",")) for it in lines}
