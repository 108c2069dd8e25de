"""What strangers and manuscripts write does not move the cursor of whoever reads about it in a terminal."""

import json
import re

import pytest

from citelsp.cli import main

EVIL = "\x1b]0;evil\x07\x1b[2J\x9b31m\u202elive\u202c\u2066"
MOVES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
MAIN = rf"""\documentclass{{article}}
\title{{Nets {EVIL}}}
\begin{{document}}
The Adam optimizer needs little memory {EVIL} \cite<memory {EVIL}>. See \cite{{missing{EVIL}}} and \cite{{adam}}.
\bibliography{{refs}}
\end{{document}}
"""
REFS = f"""@article{{adam, title = {{Adam {EVIL} memory}}, author = {{Kingma {EVIL}, D.}}, year = {{20{EVIL}14}},
 journal = {{J {EVIL}}}, doi = {{10.1/x{EVIL}}}, abstract = {{The Adam optimizer needs little {EVIL} memory.}}}}
@article{{adam, title = {{x}}}}
"""
WORK = {
    "id": f"W{EVIL}", "title": f"Adam {EVIL} memory", "abstract": f"Adam needs {EVIL} little memory.", "year": 2014,
    "authors": [f"Kingma {EVIL}"], "venue": f"J {EVIL}", "text": f"1 Intro {EVIL}\n\nAdam memory {EVIL}.",
}  # fmt: skip


@pytest.fixture
def printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "main.tex").write_text(MAIN, encoding="utf-8")
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    (tmp_path / "works.jsonl").write_text(json.dumps(WORK))
    main(["corpus", "add", "works.jsonl", "--corpus", "index"])
    capsys.readouterr()

    def run(command):
        main(command.split())
        return "".join(capsys.readouterr())

    return run


@pytest.mark.parametrize(
    "command",
    [
        "suggest main.tex --explain --corpus index",
        "suggest main.tex --format json --corpus index",
        "suggest main.tex --format jsonl --corpus index",
        "corpus search memory --corpus index",
        "corpus export --corpus index",
        "check main.tex --offline --verbose",
        "check main.tex --offline --format json",
        "check main.tex --offline --format sarif",
        "check main.tex --offline --format github",
        f"check main{EVIL}.tex --offline",
    ],
)
def test_nothing_printed_moves_the_cursor(printed, command):
    told = printed(command)
    assert "evil" in told
    assert not MOVES.findall(told)
    if "json" in command and "jsonl" not in command:
        assert "evil" in json.dumps(json.loads(told))
