"""In the log of a job nothing that others wrote is a command, whatever is printed and wherever."""

import json

import pytest

from citelsp.cli import main, paint

TITLE = "::error::X ##[stop-commands]abc and ##vso[task.complete]"
REFS = f"@misc{{a, title = {{{TITLE}}}, doi = {{https://doi.org/10.1/x}}}}\n ::stop-commands::abc\n"
SETTINGS = (
    '"x\\n::stop-commands::abc\\n" = 1\n[checks]\n"##[add-mask]a" = "::error::"\n[checks.severity]\n"\\n::a::" = "b"\n'
)


@pytest.fixture
def job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".citelsp.toml").write_text(SETTINGS, encoding="utf-8")
    for name in ("refs.bib", "::error::x.bib", "a\n::stop-commands::abc.bib"):
        (tmp_path / name).write_text(REFS, encoding="utf-8")


def commands(text):
    lines = (it.lstrip() for it in text.splitlines())
    return [it for it in lines if it.startswith("::") or "##[" in it or "##vso[" in it.lower()]


@pytest.mark.parametrize("variable", ["GITHUB_ACTIONS", "TF_BUILD"])
@pytest.mark.parametrize(
    "words",
    [
        ["check", ".", "--offline"],
        ["check", ".", "--offline", "--format", "json"],
        ["check", ".", "--offline", "--format", "sarif"],
        ["check", ".", "--offline", "--fix", "safe", "--diff"],
        ["format", ".", "--diff"],
        ["format", ".", "--check"],
        ["corpus", "add", "::error::x.bib", "refs.bib", "--corpus", "c"],
        ["suggest", "--text", "of things ##[x] \\cite<x>", "--corpus", "c"],
        ["add", "::error::1", "--bib", "refs.bib", "--config", ".citelsp.toml"],
        ["help", "::stop-commands::"],
        ["::error::"],
    ],
    ids=" ".join,
)
def test_nothing_is_a_command(job, words, capsys, monkeypatch, variable):
    monkeypatch.setenv(variable, "true")
    monkeypatch.setenv("CITELSP_CACHE_DIR", "cache")
    main(words)
    printed = capsys.readouterr()
    assert commands(printed.out + printed.err) == []
    if "json" in words or "sarif" in words:
        assert json.loads(printed.out)


def test_json_says_what_it_said():
    written = paint.escape_json(json.dumps({"title": TITLE}))
    assert "##" not in written
    assert json.loads(written) == {"title": TITLE}


def test_our_own_commands_are(job, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    main(["check", ".", "--offline", "--format", "github"])
    found = commands(capsys.readouterr().out)
    assert found
    assert all(it.startswith(("::notice file=", "::warning file=", "::error file=")) for it in found)


def test_elsewhere_a_name_of_settings_and_of_a_file_begins_no_line(job, capsys, monkeypatch):
    for name in ("GITHUB_ACTIONS", "TF_BUILD"):
        monkeypatch.delenv(name, raising=False)
    main(["check", ".", "--offline", "--fix", "safe", "--diff"])
    printed = capsys.readouterr()
    lines = (printed.out.replace("\n ::stop-commands::abc", "") + printed.err).splitlines()
    assert [it for it in lines if it.startswith("::") and not it.startswith("::error::x.bib")] == []
    assert '--- "a/a\\n::stop-commands::abc.bib"' in printed.out or '"a\\n::stop-commands::abc.bib"' in printed.out
