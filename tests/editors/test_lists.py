"""What the editors are told of the server's languages is what the server says of them."""

import importlib.util
import re
from pathlib import Path

import pytest

from citelsp.server.answers import file_changes
from citelsp.syntax import languages

EDITORS = Path(__file__).parents[2] / "editors"


def lists():
    spec = importlib.util.spec_from_file_location("lists", EDITORS / "lists.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LISTS = lists()


@pytest.mark.parametrize("path", LISTS.FILES, ids=lambda it: it.name)
def test_each_editor_has_the_list(path):
    text = path.read_text(encoding="utf-8")
    assert LISTS.FILES[path](text) == text, "run editors/lists.py"


# The cells of notebooks are Markdown to editors.
MANUSCRIPTS = [it for it in languages.ALL if it.manuscript and it.name != "notebook"]


@pytest.mark.parametrize("language", MANUSCRIPTS, ids=lambda it: it.name)
def test_each_language_of_manuscripts_is_known_to_every_editor(language):
    names = language.editors
    assert all((names.vscode, names.neovim, names.emacs, names.helix, names.sublime, names.triggers, names.kate))
    assert all(languages.language_of_path("untitled", it[0]) is language for it in names.vscode)
    assert all(languages.language_of_path("untitled", it) is language for it in names.neovim)


@pytest.mark.parametrize(
    "name", ["a.tex", "a.Rnw", "a.lhs", "a.qmd", "a.Rmd", "a.bib", "a.ris", "a.BIB", "_quarto.yml"]
)
def test_what_is_read_is_watched(name):
    endings = re.fullmatch(r"\*\*/\*\.\{(.*)\}", file_changes.WATCHED)[1].split(",")
    assert name.rpartition(".")[2] in endings
