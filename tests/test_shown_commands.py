"""Every command that the README, CONTRIBUTING and pages show runs here, or is named below with the reason why not."""

import contextlib
import re
import shlex
import shutil
import subprocess

import pytest

import pdf_files
import readme
from citelsp.cli import COMMANDS, demo, main
from lab import __main__ as measurements

# The recipes are run with the files that they show, by tests/cli/test_recipes.py.
TEXTS = [it.read_text(encoding="utf-8") for name, it in readme.written().items() if "/recipes/" not in name]
SHOWN = sorted({it.partition(" #")[0].strip() for text in TEXTS for it in re.findall(r"^\$ (.*)$", text, re.MULTILINE)})
INLINE = sorted({" ".join(it.split()) for text in TEXTS for it in re.findall(r"`(citelsp [a-z][^`]*)`", text)})
NOT_RUN = {  # the beginning of a command: why no test here runs it
    "pip install": "packages come from an index; .ci/run begins with it",
    "python -m venv": "as above",
    "pipx install": "as above",
    "pytest": "this is it",
    "ruff check": ".ci/run does",
    "editors/install": "tests/editors does, with --editors",
    "cd fixtures/demo": "tests/cli/test_demo.py does, and compares what is printed",
    "citelsp add": "asks services; tests/cli/test_add.py runs it with an imitation",
    "citelsp corpus add 1706": "asks services; tests/cli/test_corpus_add.py runs it with an imitation",
    "citelsp check --zotero": "needs Zotero; tests/cli/test_check_zotero.py runs it with an imitation",
    "citelsp corpus add --zotero": "needs Zotero; tests/cli/test_corpus_add.py runs it with an imitation",
    "citelsp corpus add --openalex": "needs a snapshot; tests/corpus/test_openalex_snapshot.py has a small one",
    "citelsp corpus add papers.jsonl.gz --to": "needs a server; tests/corpus/test_cluster.py runs it, with --cluster",
    "citelsp corpus compact --to": "as above",
    "citelsp corpus info --to": "as above",
    "citelsp corpus switch --to": "as above",
    'citelsp corpus search "citation recommendation" --to': "as above",
    "citelsp corpus embed --fetch": "fetches from the net; tests/meaning/test_local_model.py does it with an imitation",
    "citelsp corpus embed --from-citations": "needs many citations; tests/cli/test_embed.py runs it",
    "citelsp corpus embed --to": "as above, by tests/corpus/test_cluster_vectors.py",
    "citelsp check arXiv:2401.01234": "asks arXiv; tests/cli/test_received.py reads what it sends",
    "citelsp check main.bbl": "needs a paper; tests/test_compiled.py has some",
    "citelsp export main.bbl": "as above; tests/cli/test_export_list.py has some",
    "citelsp check paper.pdf": "as above, in tests/cli/test_received.py",
    "citelsp check draft.docx": "as above, in tests/received/test_office.py",
    "citelsp check project.zip": "as above, in tests/cli/test_received.py",
    "git clone https://git.overleaf.com": "asks Overleaf",
    "citelsp check references.txt": "as above, in tests/cli/test_received.py",
    "citelsp check papers/ --each": "needs papers; tests/cli/test_desk.py has some",
    "citelsp check papers/17": "as above",
    "citelsp check --list": "as above",
    "pbpaste": "as above",
    "docker run": "needs a GROBID; tests/received has an imitation",
    "curl": "empties a server that nobody has",
    "citelsp evidence paper.tex:120 --online": "asks services; tests/cli/test_evidence.py runs the rest",
    "citelsp suggest paper.tex --online": "asks services; tests/cli/test_suggest_model.py runs it with an imitation",
    "citelsp check paper.tex --claims": "needs a model; tests/cli/test_claims.py runs it with an imitation",
    "citelsp check refs.bib --links": "asks the servers of links; tests/cli/test_links.py runs it with an imitation",
    "citelsp mcp": "waits for an agent; tests/cli/test_mcp.py runs it, if the extra is installed",
    "claude plugin": "another program's; tests/editors/test_agents.py holds the plugin's files to what it documents",
    "codex plugin": "as above",
    "citelsp eval": "needs labelled questions; tests/evals has some",
    "python tests/lab": "needs data that is not in the repository; below, the measurement is looked for",
    "python tests/compile": "needs BibTeX, biber and bibliographies; pytest tests/compile --compile runs both",
    "python tests/benchmarks": "takes minutes; pytest tests/benchmarks --benchmarks does",
}


def is_run(command):
    return not any(command.startswith(it) for it in NOT_RUN)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A copy of the demonstration under the names that the pages use, in git."""
    above = tmp_path_factory.mktemp("shown")
    place = above / "work"
    shutil.copytree(demo.folder(), place)
    for name, copy in {"main.tex": "paper.tex", "references.bib": "refs.bib", "corpus.jsonl": "papers.jsonl"}.items():
        shutil.copy(place / name, place / copy)
    shutil.copy(place / "refs.bib", place / "library.bib")
    subprocess.run(["xz", "-q", "papers.jsonl"], cwd=place, check=True)
    (above / "papers").mkdir()
    text = pdf_files.shown(["Rankings Are Fused by Reciprocal Ranks", "Ann Smith", "Abstract", "We fuse rankings."])
    pdf_files.written(above / "papers" / "fused.pdf", [pdf_files.stream(text)])
    for words in (["init", "-qb", "main"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x.org", *words], cwd=place, check=True)
    return above


@pytest.fixture
def folder(written, tmp_path, monkeypatch):
    """A copy of it, at work offline."""
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    (tmp_path / "citelsp").mkdir()
    (tmp_path / "citelsp" / "config.toml").write_text("offline = true\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


LOOKS_UP_NOTHING = "citelsp check refs.bib --only identity"  # offline it can only say so, with 2
PREPARING = {
    "citelsp corpus search": "citelsp corpus add library.bib",
    "citelsp corpus info": "citelsp corpus add library.bib",
    "citelsp suggest --text": "citelsp corpus add library.bib",
    "citelsp check . --baseline known.json": "citelsp check . --baseline known.json --write-baseline",
}


@pytest.mark.skipif(shutil.which("xz") is None or shutil.which("git") is None, reason="needs xz and git")
@pytest.mark.parametrize("command", [it for it in SHOWN if is_run(it)])
def test_a_command_runs(command, folder, capsys):
    for beginning, before in PREPARING.items():
        if command.startswith(beginning) and command != before:
            called(before)
    expected = (2,) if command == LOOKS_UP_NOTHING else (0, 1)
    assert called(command.partition(" > ")[0]) in expected
    assert "".join(capsys.readouterr())


def called(command):
    program, *words = shlex.split(command.replace("~/", "../"))
    assert program == "citelsp"
    with contextlib.suppress(SystemExit):
        return main(words)
    return 0


@pytest.mark.parametrize("command", INLINE)
def test_a_command_in_a_sentence_exists(command, capsys):
    name, *words = command.split()[1:]
    assert name in COMMANDS
    main([name, words[0] if name == "corpus" else "positions" if name == "eval" else "--help", "--help"])
    explained = capsys.readouterr().out
    assert all(it.partition("=")[0] in explained for it in words if it.startswith("--"))


@pytest.mark.parametrize(
    "module",
    sorted({it for command in SHOWN + TEXTS for it in re.findall(r"python tests/lab (\w+)", command)}),
)
def test_a_measurement_exists(module):
    assert module in measurements.MEASUREMENTS and (readme.ROOT / "tests" / "lab" / f"{module}.py").exists()


def test_nothing_is_excused_in_vain():
    assert [it for it in NOT_RUN if not any(command.startswith(it) for command in SHOWN)] == []
