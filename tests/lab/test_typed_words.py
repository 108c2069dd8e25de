"""While words are typed into a placeholder, the list is there and its first row stays."""

import json
from pathlib import Path

import pytest

from lab import masking, typed_words

CORPUS = Path(__file__).parents[2] / "fixtures" / "demo" / "corpus.jsonl"
NUMBER = 6  # 70 with the command, on a thesis


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A manuscript that cites each of some works behind the first sentence of its abstract."""
    folder = tmp_path_factory.mktemp("manuscript")
    lines = map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())
    works = [it for it in lines if it.get("abstract")]
    entries, paragraphs = [], []
    for number, it in enumerate(works):
        authors = " and ".join(it["authors"])
        entries.append(
            f"@misc{{w{number}, title = {{{it['title']}}}, author = {{{authors}}}, year = {{{it['year']}}}}}"
        )
        sentence = it["abstract"].partition(". ")[0].rstrip(".").replace("%", r"\%").replace("&", r"\&")
        paragraphs.append(f"{sentence} \\cite{{w{number}}}. The next sentence is about something else.")
    (folder / "refs.bib").write_text("\n".join(entries), encoding="utf-8")
    body = "\n\n".join(paragraphs)
    head = "\\documentclass{article}\n\\begin{document}\n"
    (folder / "main.tex").write_text(f"{head}{body}\n\n\\bibliography{{refs}}\n\\end{{document}}\n", encoding="utf-8")
    return folder


@pytest.mark.slow
def test_the_first_row_stays_and_the_list_never_vanishes(folder):
    found = list(typed_words.places(masking.manuscript(folder, 3 * NUMBER, 0), None, NUMBER))
    assert len(found) == NUMBER
    assert sum(it.changes for it in found) <= 0.10 * sum(it.letters for it in found)
    assert sum(it.empty for it in found) == 0
    assert sum(it.before for it in found) >= sum(it.after for it in found) - 1


def test_the_command_prints_what_it_measured(folder, capsys):
    typed_words.main([str(folder), "--number", "2"])
    assert capsys.readouterr().out.startswith("2 placeholders\nthe first row changes at ")
    typed_words.main([str(folder / "nothing"), "--number", "2"])
    assert "no manuscript" in capsys.readouterr().out
