"""What a folder keeps from being reported is said in every report, and `--untrusted` reports it."""

import json

import pytest

from citelsp.cli import main

ENTRY = (
    "@article{KEY, title = {A KEY}, doi = {https://doi.org/10.1/KEY}, author = {Lee, A.}, journal = {J}, year = 2001}\n"
)
REFS = ENTRY.replace("KEY", "a") + ENTRY.replace("KEY", "b")
OFF = '[checks.severity]\nurl-as-doi = "off"\n'
COMMENT = "% citelsp: ignore[url-as-doi]\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    return tmp_path


def check(capsys, *words):
    status = main(["check", "refs.bib", "--offline", *words])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def found(capsys, *words):
    report = json.loads(check(capsys, "--format", "json", *words)[1])
    return [it["code"] for it in report["findings"]].count("url-as-doi"), report["notes"]


def test_nothing_is_said_where_nothing_is_hidden(folder, capsys):
    (folder / ".citelsp.toml").write_text('[checks.severity]\nwrong-year = "off"\nurl-as-doi = "error"\n')
    assert found(capsys) == found(capsys, "--untrusted") == (2, [])


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
@pytest.mark.parametrize("how", ["settings", "comments", "both"])
def test_what_is_hidden_is_said_in_every_report(folder, capsys, form, how):
    hide(folder, how)
    status, out, err = check(capsys, "--format", form)
    said = {
        "settings": ".citelsp.toml plays down 2 findings (url-as-doi); --untrusted reports them",
        "comments": "comments silence 1 finding (url-as-doi); --untrusted reports it",
        "both": "comments silence 2 findings (url-as-doi); --untrusted reports them",
    }
    assert said[how] in out + err
    assert status == (1 if how == "comments" else 0)


def hide(folder, how):
    if how == "settings":
        (folder / ".citelsp.toml").write_text(OFF)
    elif how == "comments":
        (folder / "refs.bib").write_text(COMMENT + REFS)
    else:
        (folder / "refs.bib").write_text(COMMENT + REFS.replace("@article{b", f"{COMMENT}@article{{b"))


@pytest.mark.parametrize("how", ["settings", "comments", "both"])
def test_untrusted_reports_it(folder, capsys, how):
    hide(folder, how)
    assert found(capsys, "--untrusted") == (2, [])
    assert check(capsys, "--untrusted")[0] == 1


def test_a_check_that_fails_nothing_any_more_is_said(folder, capsys):
    (folder / ".citelsp.toml").write_text('[checks.severity]\nurl-as-doi = "hint"\n')
    count, notes = found(capsys)
    assert (count, len(notes)) == (2, 1)
    assert "plays down 2 findings" in notes[0]


def test_what_the_user_switches_off_is_nobody_elses(folder, capsys):
    (folder / "mine.toml").write_text(OFF)
    (folder / ".citelsp.toml").write_text(OFF)
    assert found(capsys, "--config", "mine.toml") == (0, [])
    assert found(capsys, "--config", "mine.toml", "--untrusted") == (0, [])


def test_a_profile_says_what_it_would_have_reported(folder, capsys):
    """As the page on CI offers it to reviewers."""
    (folder / ".citelsp.toml").write_text('[checks.severity]\n"retracted-work" = "off"\nurl-as-doi = "off"\n')
    assert found(capsys, "--only", "identity")[1] == []


def test_other_settings_of_the_folder_count(folder, capsys):
    (folder / ".citelsp.toml").write_text(OFF + '[syntax]\nbibliographies = ["refs.bib"]\n')
    (folder / "main.tex").write_text("\\documentclass{article}\\begin{document}\\cite{a}\\end{document}")
    main(["check", "main.tex", "--offline", "--untrusted", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert {it["code"] for it in report["findings"]} == {"url-as-doi"}


def test_a_bibliography_of_the_settings_that_is_none_is_the_reason_why_keys_are_not_undefined(folder, capsys):
    (folder / "passwd").write_text("root:x:0:0\n")
    (folder / ".citelsp.toml").write_text('[syntax]\nbibliographies = ["passwd"]\n')
    (folder / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\cite{no}\\bibliography{refs}\\end{document}"
    )
    main(["check", "main.tex", "--offline"])
    assert "a bibliography that the settings name was not read, so citelsp did not report" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("settings", ".citelsp.toml plays down 1 finding (unused-entry); --untrusted reports it"),
        ("comments", "comments silence 1 finding (unused-entry); --untrusted reports it"),
    ],
)
def test_what_is_hidden_of_a_bibliography_that_manuscripts_share_is_said(folder, capsys, how, said):
    if how == "settings":
        (folder / ".citelsp.toml").write_text('[checks.severity]\nunused-entry = "off"\n')
    else:
        silent = REFS.replace("@article{b", "% citelsp: ignore[unused-entry]\n@article{b")
        (folder / "refs.bib").write_text(silent, encoding="utf-8")
    for name in ("one.tex", "two.tex"):
        (folder / name).write_text("\\documentclass{a}\\cite{a}\\bibliography{refs}", encoding="utf-8")
    main(["check", ".", "--offline"])
    assert said in capsys.readouterr().err
